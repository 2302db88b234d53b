//! Reading directories with untrusted content.
//!
//! A [`Root`] holds an open directory. Everything is opened relative to it, on Linux by `openat2`,
//! which refuses `..`, absolute names, links and magic links in one step. A directory that is
//! swapped for a link between two calls therefore leads nowhere. Only regular files are read, and
//! never more bytes than the caller allows.
//!
//! On kernels without `openat2` (before 5.6, or hidden by a sandbox), on macOS and on Windows
//! components are opened one by one. `SECURITY.md` compares the guarantees of the systems; `sys`
//! is the only module that knows them.
//!
//! **Invariant:** nothing here writes, creates or changes times (except access times), except
//! [`write_new`], [`append_line`] and the methods of [`Root`] whose names say so: `replace`, `write_whole`, `write_shared`,
//! `write_if_free`, `make`, `make_shared`, `make_dir`, `make_private_dir`, `mirror`, `append`, `link`, `rename`, `remove`,
//! `remove_empty_dir`; and the functions of `share`, for directories of installed packages.

mod beneath;
mod entry;
mod error;
mod fingerprint;
mod mirror;
mod named;
mod output;
mod place;
mod read;
mod relative;
mod replace;
mod root;
mod scratch;
mod share;
mod shared;
pub(crate) mod sys;
mod walk;

#[cfg(test)]
#[cfg(unix)]
mod tests;

pub use beneath::Others;
pub use entry::{Entry, FileInfo, Kind, Stamp};
pub use error::{PathError, ReadError, shown};
pub use fingerprint::Fingerprint;
pub use mirror::{CopiedFile, MirrorResult, MirrorRules, Prefer};
pub use named::read_named;
pub use output::{append_line, write_new};
pub use place::resolve;
pub use read::PartReader;
pub use relative::{RelativeError, check_relative};
pub use root::Root;
pub use scratch::Scratch;
pub use share::{
    TreeSize, empty_tree, is_shared_as, link_file, link_tree, remove_tree, remove_unshared,
    share_tree, tree_size,
};
pub use walk::{Listing, Note, NoteKind, WalkLimits};

pub(crate) use read::digest_of;
