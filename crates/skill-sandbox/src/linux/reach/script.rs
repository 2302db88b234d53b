//! The first line of a script.

use std::ffi::OsString;
use std::io::Read as _;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};

/// The number of bytes that the kernel reads to find the interpreter (`BINPRM_BUF_SIZE`).
const LONGEST_LINE: u64 = 256;

/// The interpreter that the first line of a script names, with its arguments.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FirstLine {
    /// The line, as it is written.
    pub(super) text: String,
    /// The program that the kernel starts.
    pub(super) interpreter: PathBuf,
    /// The words after it.
    pub(super) words: Vec<OsString>,
}

impl FirstLine {
    /// Reads the first line of a file; `None` when it names no interpreter.
    pub(super) fn read(file: &Path) -> Option<Self> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = openat(CWD, file, flags, Mode::empty()).ok()?;
        let mut head = Vec::new();
        let file = std::fs::File::from(file).take(LONGEST_LINE);
        { file }.read_to_end(&mut head).ok()?;
        Self::parse(&head)
    }

    fn parse(head: &[u8]) -> Option<Self> {
        let line = head.split(|byte| *byte == b'\n').next()?;
        let words = line.strip_prefix(b"#!")?.split(u8::is_ascii_whitespace);
        let mut words = words
            .filter(|word| !word.is_empty())
            .map(|word| OsString::from_vec(word.to_vec()));
        Some(Self {
            text: String::from_utf8_lossy(line).trim().to_owned(),
            interpreter: words.next()?.into(),
            words: words.collect(),
        })
    }

    /// Returns the words that `env` may take as the program; none if the interpreter is another
    /// program.
    ///
    /// Options of `env` have arguments of their own, so every word that neither is an option nor
    /// sets a variable may be the program.
    pub(super) fn env_programs(&self) -> impl Iterator<Item = &OsString> {
        let is_env = self
            .interpreter
            .file_name()
            .is_some_and(|name| name == "env");
        let bytes = |word: &&OsString| word.as_encoded_bytes().to_vec();
        self.words.iter().filter(move |word| {
            is_env && !bytes(word).starts_with(b"-") && !bytes(word).contains(&b'=')
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the interpreter of a script and the programs that `env` is asked for.
    fn check(head: &str, expected: Option<(&str, &[&str])>) {
        let found = FirstLine::parse(head.as_bytes());
        let found = found.as_ref().map(|line| {
            let asked = line.env_programs().map(|word| word.to_str().unwrap());
            (
                line.interpreter.to_str().unwrap(),
                asked.collect::<Vec<_>>(),
            )
        });
        let expected = expected.map(|(interpreter, asked)| (interpreter, asked.to_vec()));
        assert_eq!(found, expected, "{head:?}");
    }

    #[test]
    fn first_lines() {
        check("#!/bin/sh\necho", Some(("/bin/sh", &[])));
        check("#! /usr/bin/python3 -u\n", Some(("/usr/bin/python3", &[])));
        check(
            "#!/usr/bin/env python3",
            Some(("/usr/bin/env", &["python3"])),
        );
        let split = "#!/usr/bin/env -S -u ./fake A=b python3 -u\n";
        check(split, Some(("/usr/bin/env", &["./fake", "python3"])));
        check("#!\n", None);
        check("\u{7f}ELF", None);
        check("", None);
    }
}
