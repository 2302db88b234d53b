//! The systems on which a program runs: its processor, and the libraries and versions of their
//! symbols that its ELF file names.
//!
//! Format: <https://refspecs.linuxfoundation.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/book1.html>,
//! chapter 10 for versions of symbols.

use anyhow::{Context as _, Result, bail, ensure};

/// A processor that programs are built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Machine {
    X86_64,
    Aarch64,
}

/// The C library that a program needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Libc {
    /// None: the program is static.
    Static,
    /// glibc of this version or later.
    Glibc { major: u32, minor: u32 },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) machine: Machine,
    pub(super) libc: Libc,
    /// Names of shared libraries besides those of glibc, sorted.
    pub(super) libraries: Vec<String>,
}

/// The libraries of glibc. <https://sourceware.org/glibc/manual/>
const OF_GLIBC: &[&str] = &[
    "ld-linux-",
    "libc.so.6",
    "libdl.so.2",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
];
const DYNAMIC: u32 = 6;
const VERSION_NEEDS: u32 = 0x6fff_fffe;
/// `DT_NEEDED`: the name of a library.
const NEEDED: u64 = 1;

pub(super) fn needs(file: &[u8]) -> Result<Needs> {
    ensure!(
        file.starts_with(b"\x7fELF\x02\x01"),
        "found no program, expected an ELF file of 64 bits (little-endian)"
    );
    let file = File(file);
    let machine = match file.u16(18)? {
        62 => Machine::X86_64,
        183 => Machine::Aarch64,
        other => bail!("found the processor number {other}, expected x86-64 or AArch64"),
    };
    let sections = file.sections()?;
    let mut all = Vec::new();
    for section in sections.iter().filter(|it| it.kind == DYNAMIC) {
        all.extend(file.libraries(section, &sections)?);
    }
    let mut versions = Vec::new();
    for section in sections.iter().filter(|it| it.kind == VERSION_NEEDS) {
        versions.extend(file.versions(section, &sections)?);
    }
    let is_glibc = |name: &String| OF_GLIBC.iter().any(|one| name.starts_with(one));
    let mut libraries: Vec<String> = all.iter().filter(|it| !is_glibc(it)).cloned().collect();
    libraries.sort();
    let highest = versions.iter().filter_map(|it| glibc_version(it)).max();
    let libc = match highest {
        Some((major, minor)) => Libc::Glibc { major, minor },
        None if all.is_empty() => Libc::Static,
        None => bail!(
            "found a program for {}, expected glibc or a static program",
            all.join(", ")
        ),
    };
    Ok(Needs {
        machine,
        libc,
        libraries,
    })
}

fn glibc_version(name: &str) -> Option<(u32, u32)> {
    let mut numbers = name.strip_prefix("GLIBC_")?.split('.');
    let major = numbers.next()?.parse().ok()?;
    Some((major, numbers.next()?.parse().ok()?))
}

struct Section {
    kind: u32,
    start: usize,
    len: usize,
    /// The index of the section with its names.
    names: usize,
}

/// The bytes of an ELF file. Reading past the end is an error.
struct File<'a>(&'a [u8]);

impl File<'_> {
    fn sections(&self) -> Result<Vec<Section>> {
        let table = self.offset(40)?;
        let size = usize::from(self.u16(58)?);
        let n_sections = usize::from(self.u16(60)?);
        let read = |index: usize| {
            let at = table + index * size;
            Ok(Section {
                kind: self.u32(at + 4)?,
                start: self.offset(at + 24)?,
                len: self.offset(at + 32)?,
                names: self.index(at + 40)?,
            })
        };
        (0..n_sections).map(read).collect()
    }

    /// Returns the names of the libraries in the dynamic section.
    fn libraries(&self, section: &Section, sections: &[Section]) -> Result<Vec<String>> {
        let mut res = Vec::new();
        for at in (section.start..section.start + section.len).step_by(16) {
            if self.u64(at)? == NEEDED {
                res.push(self.name(section, sections, self.offset(at + 8)?)?);
            }
        }
        Ok(res)
    }

    /// Returns the versions of symbols that libraries must have: `GLIBC_2.34`, `GCC_3.0`.
    fn versions(&self, section: &Section, sections: &[Section]) -> Result<Vec<String>> {
        let mut res = Vec::new();
        let mut library = section.start;
        loop {
            let mut version = library + self.index(library + 8)?;
            for _ in 0..self.u16(library + 2)? {
                res.push(self.name(section, sections, self.index(version + 8)?)?);
                version += self.index(version + 12)?;
            }
            match self.index(library + 12)? {
                0 => return Ok(res),
                next => library += next,
            }
        }
    }

    fn name(&self, section: &Section, sections: &[Section], at: usize) -> Result<String> {
        let names = sections
            .get(section.names)
            .context("a section has no names")?;
        let rest = self.0.get(names.start + at..).context("the file is cut")?;
        let text = rest.split(|byte| *byte == 0).next().unwrap_or_default();
        Ok(String::from_utf8(text.to_vec())?)
    }

    fn array<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        let rest = self.0.get(at..).context("the file is cut")?;
        Ok(*rest.first_chunk().context("the file is cut")?)
    }

    fn u16(&self, at: usize) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array(at)?))
    }

    fn u32(&self, at: usize) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array(at)?))
    }

    fn u64(&self, at: usize) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array(at)?))
    }

    /// A field of four bytes that is an index or a distance.
    fn index(&self, at: usize) -> Result<usize> {
        Ok(usize::try_from(self.u32(at)?)?)
    }

    /// A field of eight bytes that is a place in the file.
    fn offset(&self, at: usize) -> Result<usize> {
        Ok(usize::try_from(self.u64(at)?)?)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use skill_testing::{Need, find};

    use super::*;
    use crate::repo::Repo;
    use crate::shell;

    #[test]
    fn reads_this_program_as_readelf_does() {
        let Some(readelf) = find::program(Need::Programs, "readelf") else {
            return;
        };
        let repo = Repo::here().unwrap();
        let path = std::env::current_exe().unwrap();
        let needs = needs(&fs::read(&path).unwrap()).unwrap();
        let mut command = shell::program(&repo, readelf);
        let text = shell::capture(command.args(["--version-info", "--wide"]).arg(&path)).unwrap();
        let words = text.split_whitespace().filter_map(glibc_version);
        let (major, minor) = words.max().unwrap();
        assert_eq!(needs.libc, Libc::Glibc { major, minor });
    }

    #[test]
    fn versions_are_numbers() {
        for (name, expected) in [
            ("GLIBC_2.9", Some((2, 9))),
            ("GLIBC_2.34", Some((2, 34))),
            ("GLIBC_2.3.4", Some((2, 3))),
            ("GLIBC_PRIVATE", None),
            ("GCC_3.0", None),
        ] {
            assert_eq!(glibc_version(name), expected, "{name}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        for (file, expected) in [
            (&b"#!/bin/sh"[..], "found no program"),
            (b"\x7fELF\x02\x01\x01", "the file is cut"),
        ] {
            let err = needs(file).unwrap_err().to_string();
            assert!(err.starts_with(expected), "{err}");
        }
    }
}
