//! The parts of the state that a program sees that may read everything: its own place, the shared
//! directories that it was granted, and the installed packages.
//!
//! A directory with only the way to those parts covers the state. So neither the settings of others
//! nor what they wrote can be read, and no program can put a directory of its own where the tools
//! look for approvals, settings or packages.

use std::path::PathBuf;

use super::View;
use crate::envelope::Failure;
use crate::state::State;

/// The directories that cover the state, beneath it: one for each place.
const VISIBLE: &str = "visible";

/// The parts of the state that a program sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cover {
    /// The directory that covers the state.
    pub(crate) dir: PathBuf,
    /// The parts that it may read.
    pub(crate) read: Vec<PathBuf>,
    /// The parts that it may also write.
    pub(crate) write: Vec<PathBuf>,
}

impl View {
    /// Makes the directory that covers the state, with a mount point for each visible part.
    ///
    /// # Errors
    ///
    /// The state cannot be written.
    pub(crate) fn cover(&self, state: &State) -> Result<Cover, Failure> {
        let place = self.base.parent().unwrap_or(&self.base).to_owned();
        let key = place.file_name().unwrap_or_default().to_string_lossy();
        let dir = format!("{VISIBLE}/{key}");
        let programs = self.packages.programs().map(PathBuf::from);
        let environments = state.environments().dir().to_owned();
        let read: Vec<PathBuf> = programs.into_iter().chain([environments]).collect();
        let write: Vec<PathBuf> = self.shared.iter().cloned().chain([place]).collect();
        for part in read.iter().chain(&write) {
            let inside = part.strip_prefix(state.root().path());
            if let Some(inside) = inside.ok().and_then(|inside| inside.to_str()) {
                state.make_dir(&format!("{dir}/{inside}"))?;
            }
        }
        Ok(Cover {
            dir: state.path(&dir),
            read,
            write,
        })
    }
}
