//! Reading directories that nobody vouches for.
//!
//! A [`Root`] is a held directory handle. Everything is opened beneath it by `openat2`, which
//! refuses `..`, absolute names, links and magic links in one step, so that a directory swapped
//! for a link between two calls leads nowhere. Only regular files are read, and never more than
//! the caller allows.
//!
//! Linux only. On kernels without `openat2` (before 5.6, or hidden by a sandbox) components are
//! opened one by one with `O_NOFOLLOW`.
//!
//! **Invariant:** nothing here writes, creates or changes times (besides access times), except
//! [`write_new`] and the methods of [`Root`] whose names say so: `replace`, `write_whole`,
//! `write_if_free`, `make`, `make_dir`, `mirror`, `append`, `link`, `rename`, `remove`,
//! `remove_empty_dir`.

mod beneath;
mod entry;
mod error;
mod fingerprint;
mod mirror;
mod open;
mod output;
mod place;
mod read;
mod relative;
mod replace;
mod root;
mod scratch;
mod walk;

#[cfg(test)]
mod tests;

pub use entry::{Entry, FileInfo, Kind, Stamp};
pub use error::{PathError, ReadError, shown};
pub use fingerprint::Fingerprint;
pub use mirror::{Copied, MirrorRules, Mirrored, Prefer};
pub use output::write_new;
pub use place::resolve;
pub use read::PartReader;
pub use relative::{RelativeError, check_relative};
pub use root::Root;
pub use scratch::Scratch;
pub use walk::{Listing, Note, NoteKind, WalkLimits};

pub(crate) use open::{DIRECTORY, at};
pub(crate) use read::digest_of;
