//! The output directory of a store.

use std::io::ErrorKind;
use std::path::Path;

use super::StoreError;
use crate::fs::sys::{self, Cause, SysError};
use crate::fs::{Kind, PathError, Root};

#[expect(
    clippy::disallowed_methods,
    reason = "directories above the store are the user's; nothing is held there yet"
)]
pub(super) fn open_or_create(path: &Path) -> Result<Root, StoreError> {
    if let Some(root) = open_existing(path)? {
        return Ok(root);
    }
    std::fs::create_dir_all(path).map_err(|source| PathError {
        action: "create",
        path: path.to_owned(),
        source,
    })?;
    let root = open_existing(path)?;
    let why = "another program removed it meanwhile";
    let missing = || PathError::new("open", path, SysError::because(Cause::Missing, why));
    root.ok_or_else(|| missing().into())
}

/// Opens the output directory if it exists; refuses links and files.
pub(super) fn open_existing(path: &Path) -> Result<Option<Root>, StoreError> {
    match Root::open(path) {
        Ok(root) => Ok(Some(root)),
        Err(err) => {
            let bare: std::path::PathBuf = path.components().collect();
            match sys::stat_path(&bare).map(|stat| stat.kind) {
                Err(err) if err.cause == Cause::Missing => Ok(None),
                // Another process created it between the two calls.
                Ok(Kind::Dir) if err.source.kind() == ErrorKind::NotFound => Ok(None),
                Err(_) | Ok(Kind::Dir) => Err(err.into()),
                Ok(kind) => Err(StoreError::NotADirectory {
                    path: path.to_owned(),
                    found: format!("is a {kind}"),
                }),
            }
        }
    }
}
