//! Tar archives (ustar) with the same bytes for the same entries: sorted names, one time for all
//! members, owner 0.
//!
//! Format: <https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06>

use anyhow::{Result, ensure};

use super::entry::{Entry, Kind, directories};

const BLOCK: usize = 512;
/// The length of the field for the name of a member.
const MAX_NAME: usize = 100;

/// Returns the archive. `seconds` since 1970 is the time of every member; `prefix` is written before
/// every name (`./` in Debian packages).
pub(super) fn tar(entries: &[Entry], prefix: &str, seconds: u64) -> Result<Vec<u8>> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    let mut res = Vec::new();
    if !prefix.is_empty() {
        let root = Member::directory(prefix.to_owned());
        root.write(seconds, &mut res)?;
    }
    for directory in directories(entries) {
        Member::directory(format!("{prefix}{directory}/")).write(seconds, &mut res)?;
    }
    for entry in sorted {
        Member::of(entry, prefix).write(seconds, &mut res)?;
    }
    res.resize(res.len() + 2 * BLOCK, 0);
    Ok(res)
}

/// One header, and the content after it.
struct Member<'a> {
    name: String,
    mode: u32,
    flag: u8,
    link: &'a str,
    content: &'a [u8],
}

impl<'a> Member<'a> {
    fn directory(name: String) -> Self {
        Self {
            name,
            mode: 0o755,
            flag: b'5',
            link: "",
            content: &[],
        }
    }

    fn of(entry: &'a Entry, prefix: &str) -> Self {
        let name = format!("{prefix}{}", entry.path);
        match &entry.kind {
            Kind::File {
                bytes,
                is_executable,
            } => Self {
                name,
                mode: if *is_executable { 0o755 } else { 0o644 },
                flag: b'0',
                link: "",
                content: bytes,
            },
            Kind::Link { target } => Self {
                name,
                mode: 0o777,
                flag: b'2',
                link: target,
                content: &[],
            },
        }
    }

    fn write(&self, seconds: u64, acc: &mut Vec<u8>) -> Result<()> {
        ensure!(
            self.name.len() <= MAX_NAME && self.link.len() <= MAX_NAME,
            "{}: found a name of {} bytes, expected at most {MAX_NAME}",
            self.name,
            self.name.len().max(self.link.len())
        );
        let mut header = [0; BLOCK];
        put(&mut header, 0, self.name.as_bytes());
        put(&mut header, 100, format!("{:07o}", self.mode).as_bytes());
        put(&mut header, 108, b"0000000");
        put(&mut header, 116, b"0000000");
        put(
            &mut header,
            124,
            format!("{:011o}", self.content.len()).as_bytes(),
        );
        put(&mut header, 136, format!("{seconds:011o}").as_bytes());
        // The checksum is that of a header with blanks in its place.
        put(&mut header, 148, b"        ");
        header[156] = self.flag;
        put(&mut header, 157, self.link.as_bytes());
        put(&mut header, 257, b"ustar\x0000");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        put(&mut header, 148, format!("{sum:06o}\0 ").as_bytes());
        acc.extend(header);
        acc.extend(self.content);
        acc.resize(acc.len().next_multiple_of(BLOCK), 0);
        Ok(())
    }
}

fn put(header: &mut [u8; BLOCK], at: usize, bytes: &[u8]) {
    header[at..at + bytes.len()].copy_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::shell;

    fn listed(archive: &[u8]) -> String {
        let mut tar = Command::new("tar");
        tar.args(["--list", "--verbose", "--utc", "--numeric-owner"])
            .env("LC_ALL", "C");
        String::from_utf8(shell::filter(&mut tar, archive).unwrap()).unwrap()
    }

    #[test]
    fn another_program_reads_it() {
        let entries = [
            Entry::program("b/c", *b"#!/bin/sh\n"),
            Entry::link("b/d", "c"),
            Entry::file("a", vec![b'x'; 513]),
        ];
        let archive = tar(&entries, "", 1_000_000_000).unwrap();
        let lines = listed(&archive);
        let lines: Vec<String> = lines
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(
            lines,
            [
                "drwxr-xr-x 0/0 0 2001-09-09 01:46 b/",
                "-rw-r--r-- 0/0 513 2001-09-09 01:46 a",
                "-rwxr-xr-x 0/0 10 2001-09-09 01:46 b/c",
                "lrwxrwxrwx 0/0 0 2001-09-09 01:46 b/d -> c",
            ]
        );
    }

    #[test]
    fn the_order_of_the_entries_does_not_matter() {
        let [a, b] = [Entry::file("a", *b"1"), Entry::file("b", *b"2")];
        let one = tar(&[a.clone(), b.clone()], "./", 1).unwrap();
        assert_eq!(one, tar(&[b, a], "./", 1).unwrap());
        assert!(listed(&one).contains(" ./\n"));
    }

    #[test]
    fn a_long_name_is_refused() {
        let err = tar(&[Entry::file("a".repeat(101), *b"")], "", 1).unwrap_err();
        assert!(err.to_string().ends_with("expected at most 100"), "{err}");
    }
}
