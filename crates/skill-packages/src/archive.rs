//! Zip archives with the same bytes for the same files: sorted names, the earliest time that the
//! format knows, Unix permissions, no compression. A compressor would tie the bytes to its version.
//!
//! Format: <https://pkware.cachefly.net/webdocs/APPNOTE/APPNOTE-6.3.10.TXT>, 4.3

use crate::files::Content;
use std::collections::BTreeMap;

/// Version 2.0: files in directories.
const VERSION: u16 = 20;
/// The archive was made on Unix, which gives the upper half of the attributes their meaning.
const MADE_BY: u16 = (3 << 8) | VERSION;
/// Names are UTF-8.
const UTF_8: u16 = 1 << 11;
/// Content as it is.
const STORED: u16 = 0;
/// 1980-01-01, 00:00: time and date.
const TIME: [u16; 2] = [0, (1 << 5) | 1];
/// A regular file, in the mode of Unix.
const REGULAR: u32 = 0o100_000;

/// Returns a zip archive of files, each path after `prefix`; `None` if the format has no room for
/// them (65,535 files, 4 GiB).
pub fn zip(files: &BTreeMap<String, Content>, prefix: &str) -> Option<Vec<u8>> {
    let (mut res, mut directory) = (Vec::new(), Vec::new());
    for (path, content) in files {
        let name = format!("{prefix}{path}");
        let start = u32::try_from(res.len()).ok()?;
        let common = common(&name, &content.bytes)?;
        res.extend(b"PK\x03\x04");
        res.extend(&common);
        res.extend(name.as_bytes());
        res.extend(&content.bytes);
        let mode = REGULAR | if content.executable { 0o755 } else { 0o644 };
        directory.extend(b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(&common);
        // Length of the comment, number of the disk, internal attributes.
        directory.extend([0; 6]);
        directory.extend((mode << 16).to_le_bytes());
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = u32::try_from(res.len()).ok()?;
    let n_files = u16::try_from(files.len()).ok()?.to_le_bytes();
    res.extend(&directory);
    res.extend(b"PK\x05\x06\0\0\0\0");
    res.extend([n_files, n_files].concat());
    res.extend(u32::try_from(directory.len()).ok()?.to_le_bytes());
    res.extend(start.to_le_bytes());
    res.extend([0; 2]);
    Some(res)
}

/// Returns the fields that a file has before its content and again in the directory at the end.
fn common(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut res = Vec::new();
    for field in [VERSION, UTF_8, STORED, TIME[0], TIME[1]] {
        res.extend(field.to_le_bytes());
    }
    res.extend(crc_32(bytes).to_le_bytes());
    let length = u32::try_from(bytes.len()).ok()?.to_le_bytes();
    res.extend([length, length].concat());
    res.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
    // No extra field.
    res.extend([0; 2]);
    Some(res)
}

/// Returns the CRC-32 of ISO 3309, as zip and gzip use it.
fn crc_32(bytes: &[u8]) -> u32 {
    let mut res = u32::MAX;
    for byte in bytes {
        res = (res >> 8) ^ TABLE[((res ^ u32::from(*byte)) & 0xFF) as usize];
    }
    !res
}

/// The CRC of each byte.
static TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut res = [0; 256];
    let mut byte: u32 = 0;
    while byte < 256 {
        let (mut crc, mut bit) = (byte, 0);
        while bit < 8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0xEDB8_8320
            } else {
                crc >> 1
            };
            bit += 1;
        }
        res[byte as usize] = crc;
        byte += 1;
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_is_that_of_zip() {
        // The check value of CRC-32/ISO-HDLC.
        assert_eq!(crc_32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc_32(b""), 0);
    }

    #[test]
    fn names_modes_and_contents_are_in_the_archive() {
        let file = |bytes: &[u8], executable| Content {
            bytes: bytes.to_vec(),
            executable,
        };
        let files = BTreeMap::from([
            ("SKILL.md".to_owned(), file(b"abc", false)),
            ("scripts/run.sh".to_owned(), file(b"#!/bin/sh\n", true)),
        ]);
        let archive = zip(&files, "tea/").unwrap();
        assert_eq!(archive, zip(&files, "tea/").unwrap());
        let text = String::from_utf8_lossy(&archive);
        for name in ["tea/SKILL.md", "tea/scripts/run.sh"] {
            assert_eq!(text.matches(name).count(), 2, "{name}");
        }
        let end = &archive[archive.len() - 22..];
        assert_eq!(&end[..4], b"PK\x05\x06");
        assert_eq!(end[10], 2);
    }
}
