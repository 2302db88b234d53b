//! A directory of answers that an emulated internet gives first.

use std::path::{Path, PathBuf};

use emulated_internet::{Table, TableError};
use skill_loader::fs::{PathError, ReadError, Root, WalkLimits, resolve};

/// The largest file of answers, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// The answers cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the answers in {dir}")]
pub struct AnswersError {
    /// The directory.
    dir: PathBuf,
    /// The file, and the reason.
    source: Box<Fault>,
}

#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{0} is not UTF-8")]
    Text(String),
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Reads the `.json` files of a directory in the order of their names.
///
/// # Errors
///
/// A file cannot be read, or is not a list of answers.
pub fn table(dir: &Path) -> Result<Table, AnswersError> {
    read(dir).map_err(|source| AnswersError {
        dir: dir.to_owned(),
        source: Box::new(source),
    })
}

fn read(dir: &Path) -> Result<Table, Fault> {
    let root = Root::open_real(&resolve(dir)?)?;
    let listing = root.walk("", &WalkLimits::default(), &|_| false)?;
    let mut res = Table::default();
    for entry in &listing.entries {
        if entry.path.ends_with(".json") {
            let text = String::from_utf8(root.read(&entry.path, MAX_FILE)?);
            let text = text.map_err(|_| Fault::Text(entry.path.clone()))?;
            res.append(&entry.path, &text)?;
        }
    }
    Ok(res)
}
