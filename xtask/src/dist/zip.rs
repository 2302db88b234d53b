//! Zip archives with the same bytes for the same entries: sorted names, the earliest time that the
//! format knows, Unix permissions.
//!
//! Format: <https://pkware.cachefly.net/webdocs/APPNOTE/APPNOTE-6.3.10.TXT>, 4.3

use anyhow::{Context as _, Result};

use super::entry::{Entry, Kind};
use super::gzip::{Deflated, deflate};

/// Version 2.0: files that are deflated, and directories.
const VERSION: u16 = 20;
/// The archive was made on Unix, which gives the upper half of the attributes their meaning.
const MADE_BY: u16 = (3 << 8) | VERSION;
/// Names are UTF-8.
const UTF_8: u16 = 1 << 11;
const DEFLATED: u16 = 8;
/// 1980-01-01, 00:00.
const TIME: [u16; 2] = [0, (1 << 5) | 1];
const REGULAR: u32 = 0o100_000;

/// Returns the archive. A link is an error, because installers of zip archives do not make links.
pub(super) fn zip(entries: &[Entry]) -> Result<Vec<u8>> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    let (mut res, mut directory) = (Vec::new(), Vec::new());
    for entry in &sorted {
        let Kind::File {
            bytes,
            is_executable,
        } = &entry.kind
        else {
            anyhow::bail!("{}: found a link, expected a file", entry.path);
        };
        let content = deflate(bytes)?;
        let start = u32::try_from(res.len()).context("the archive is larger than 4 GiB")?;
        let common = common(&entry.path, bytes.len(), &content)?;
        res.extend(b"PK\x03\x04");
        res.extend(&common);
        res.extend(entry.path.as_bytes());
        res.extend(&content.stream);
        let mode = REGULAR | if *is_executable { 0o755 } else { 0o644 };
        directory.extend(b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(&common);
        // Length of the comment, number of the disk, internal attributes.
        directory.extend([0; 6]);
        directory.extend((mode << 16).to_le_bytes());
        directory.extend(start.to_le_bytes());
        directory.extend(entry.path.as_bytes());
    }
    let start = u32::try_from(res.len()).context("the archive is larger than 4 GiB")?;
    let n_entries = u16::try_from(sorted.len())?.to_le_bytes();
    res.extend(&directory);
    res.extend(b"PK\x05\x06\0\0\0\0");
    res.extend([n_entries, n_entries].concat());
    res.extend(u32::try_from(directory.len())?.to_le_bytes());
    res.extend(start.to_le_bytes());
    res.extend([0; 2]);
    Ok(res)
}

/// The fields that a file has before its content and in the directory at the end.
fn common(name: &str, n_bytes: usize, content: &Deflated) -> Result<Vec<u8>> {
    let mut res = Vec::new();
    for field in [VERSION, UTF_8, DEFLATED, TIME[0], TIME[1]] {
        res.extend(field.to_le_bytes());
    }
    res.extend(content.crc.to_le_bytes());
    for length in [content.stream.len(), n_bytes] {
        let length = u32::try_from(length).context("a file is larger than 4 GiB")?;
        res.extend(length.to_le_bytes());
    }
    res.extend(u16::try_from(name.len())?.to_le_bytes());
    // No extra field.
    res.extend([0; 2]);
    Ok(res)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use skill_testing::find;

    use super::*;
    use crate::repo::Repo;
    use crate::shell;

    #[test]
    fn another_program_reads_it() {
        let Some(python) = find::python() else {
            return;
        };
        let entries = [
            Entry::program("b/c", *b"#!/bin/sh\n"),
            Entry::file("a", vec![b'x'; 70_000]),
        ];
        let repo = Repo::here().unwrap();
        let path = repo.path("target/xtask-test.zip");
        fs::create_dir_all(repo.path("target")).unwrap();
        fs::write(&path, zip(&entries).unwrap()).unwrap();
        let code = "import sys, zipfile\n\
                    z = zipfile.ZipFile(sys.argv[1])\n\
                    assert z.testzip() is None\n\
                    for i in z.infolist(): print(i.filename, i.file_size, oct(i.external_attr >> 16), i.date_time[:3])\n";
        let mut command = shell::program(&repo, python);
        let text = shell::capture(command.args(["-c", code]).arg(&path)).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(
            text,
            "a 70000 0o100644 (1980, 1, 1)\nb/c 10 0o100755 (1980, 1, 1)\n"
        );
    }

    #[test]
    fn a_link_is_refused() {
        let err = zip(&[Entry::link("a", "b")]).unwrap_err();
        assert_eq!(err.to_string(), "a: found a link, expected a file");
    }
}
