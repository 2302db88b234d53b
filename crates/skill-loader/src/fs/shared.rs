//! A tree that is written to be given to others.

use std::path::Path;

use super::replace::{make_dirs_with, write_shared};
use super::sys;
use super::{Kind, PathError, ReadError, Root, resolve};

impl Root {
    /// Opens a directory after creating it, and its missing parents, with the rights that the umask
    /// leaves to others.
    pub fn make_shared(path: &Path) -> Result<Self, PathError> {
        #[expect(
            clippy::disallowed_methods,
            reason = "this module is the entry point to the file system"
        )]
        let made = std::fs::create_dir_all(path);
        made.map_err(|source| PathError {
            action: "create",
            path: path.to_owned(),
            source,
        })?;
        Self::open_real(&resolve(path)?)
    }

    /// Writes a file atomically, with mode 0644 or, if it is executable, 0755, whatever the umask.
    /// Creates its missing parent directories with mode 0755. A link, device, FIFO or socket of that
    /// name is refused.
    pub fn write_shared(
        &self,
        path: &str,
        bytes: &[u8],
        executable: bool,
    ) -> Result<(), ReadError> {
        match self.kind(path)? {
            None | Some(Kind::File(_)) => {}
            Some(Kind::Symlink) => {
                let path = self.shown(path);
                return Err(ReadError::Link { path });
            }
            Some(kind) => {
                let path = self.shown(path);
                return Err(ReadError::NotRegular { path, kind });
            }
        }
        let fail = |err| ReadError::from_open(self.shown(path), err);
        let (parent, name) = match path.rsplit_once('/') {
            Some((parent, name)) => (make_dirs_with(self.dir(), parent, 0o755), name),
            None => (sys::open_dir(self.dir(), "."), path),
        };
        write_shared(&parent.map_err(fail)?, name, bytes, executable)
            .map_err(|err| PathError::new("write", self.shown(path), err).into())
    }
}
