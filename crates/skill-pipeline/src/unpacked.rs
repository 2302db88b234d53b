//! The directory of an unpacked bundle.

use skill_loader::fs::{Root, Scratch};

/// The directory of an unpacked bundle, which is removed with this.
#[derive(Debug)]
pub(crate) struct Unpacked {
    pub(crate) root: Root,
    _scratch: Scratch,
}

impl Unpacked {
    /// Takes a directory inside of a temporary one.
    pub(crate) fn new(root: Root, scratch: Scratch) -> Self {
        Self {
            root,
            _scratch: scratch,
        }
    }
}
