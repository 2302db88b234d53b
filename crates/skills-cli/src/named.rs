//! Files that the user named on the command line, and standard input in their place.

use std::io::Read as _;
use std::path::Path;

use anyhow::ensure;
use skill_loader::fs::{Root, resolve};

/// The bytes of a file, or an error that says that it has more than `max`. Links are followed:
/// who names a file means what it leads to.
pub fn read(path: &Path, max: u64) -> anyhow::Result<Vec<u8>> {
    let real = resolve(path)?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let directory = Root::open_following(real.parent().unwrap_or(Path::new("/")))?;
    Ok(directory.read(&name, max)?)
}

/// The bytes of standard input to its end, or an error that says that it has more than `max`.
pub fn stdin(max: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(max + 1);
    input.read_to_end(&mut bytes)?;
    ensure!(
        bytes.len() as u64 <= max,
        "standard input has more than {max} bytes"
    );
    Ok(bytes)
}
