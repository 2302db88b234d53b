//! Where an index is kept between two runs.

use std::path::Path;

use skill_loader::Digest;
use skill_loader::catalog::CatalogSettings;
use skill_loader::fs::{Root, resolve};

use super::Args;
use super::kept::Kept;
use crate::output::Streams;

/// Largest file of an index.
const MAX_INDEX: u64 = 1 << 32;
/// Where indexes are kept beneath the directory of caches.
const CACHE: &str = "skills-describe";

/// The file that an index is kept in.
pub(super) struct IndexFile {
    root: Root,
    /// Directory beneath the root; `.` for the root itself.
    dir: String,
    name: String,
}

impl IndexFile {
    /// Where the user wants it, or in the user's directory of caches; nowhere if there is none.
    pub(super) fn of(args: &Args, settings: &CatalogSettings) -> Option<Self> {
        if args.no_index {
            return None;
        }
        if let Some(path) = &args.index {
            let parent = path.parent().filter(|parent| *parent != Path::new(""));
            return Some(Self {
                root: Root::open_following(parent.unwrap_or(Path::new("."))).ok()?,
                dir: ".".to_owned(),
                name: path.file_name()?.to_str()?.to_owned(),
            });
        }
        let mut all = String::new();
        for root in &settings.roots {
            all.push_str(&resolve(&root.path).ok()?.to_string_lossy());
            all.push('\n');
        }
        let name = format!("{}.idx", &Digest::from_content(all.as_bytes()).hex()[..32]);
        let (root, dir) = args.nodes.caches.find(CACHE)?;
        Some(Self { root, dir, name })
    }

    fn path(&self) -> String {
        match &self.dir[..] {
            "." => self.name.clone(),
            dir => format!("{dir}/{}", self.name),
        }
    }

    /// The index and whether everything is as it was when it was made; nothing where there is none
    /// that can be used.
    pub(super) fn read(
        &self,
        roots: &[Root],
        verbose: bool,
        streams: &mut Streams,
    ) -> Option<(Kept, bool)> {
        let path = self.path();
        self.root.stamp(&path).ok()??;
        let read = self.root.read_parts(&path, MAX_INDEX).ok();
        let kept = read.and_then(|(mut parts, info)| {
            let take = move |n_bytes| parts.take(n_bytes).ok();
            Kept::read(take, roots, info.stamp.modified)
        });
        if kept.is_none() && verbose {
            let _ = writeln!(
                streams.stderr,
                "the index {path} cannot be used and is made anew"
            );
        }
        kept
    }

    /// Keeps an index; without it everything works, only slower.
    pub(super) fn write(&self, bytes: &[u8], verbose: bool, streams: &mut Streams) {
        if let Err(error) = self.root.write_whole(&self.dir, &self.name, bytes)
            && verbose
        {
            let _ = writeln!(streams.stderr, "the index is not kept: {error}");
        }
    }
}
