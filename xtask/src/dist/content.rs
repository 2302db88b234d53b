//! The content of a release, independent of the format of a package.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::elf::{Libc, Machine, Needs};
use super::entry::Entry;

/// The name of every package.
pub(super) const NAME: &str = "skills-tools";
/// The program that has all tools.
pub(super) const PROGRAM: &str = "skills";
/// One line for lists of packages.
pub(super) const SUMMARY: &str =
    "Turns plugins into Agent Skills, and checks, runs and serves skills";
/// The time of archive members where a format has a lower limit: 1980-01-01.
const EARLIEST: u64 = 315_532_800;

/// The program, its pages and documents, and the names that packages give.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) version: String,
    /// The target triple.
    pub(super) target: String,
    pub(super) needs: Needs,
    /// The page of the project, without a slash at the end.
    pub(super) repository: String,
    /// `Name <address>`.
    pub(super) maintainer: String,
    /// The time of every file, in seconds since 1970.
    pub(super) seconds: u64,
    pub(super) program: Rc<[u8]>,
    /// The names of the tools, `skills-…`, sorted.
    pub(super) tools: Vec<String>,
    pub(super) extras: Vec<Extra>,
    /// Documents by name, `README.md` among them.
    pub(super) documents: BTreeMap<String, Rc<[u8]>>,
    /// The text for pages of registries.
    pub(super) about: String,
}

/// A man page, or a completion for a shell.
#[derive(Clone, Debug)]
pub(super) struct Extra {
    pub(super) kind: ExtraKind,
    pub(super) tool: String,
    pub(super) text: Rc<[u8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExtraKind {
    Man,
    Bash,
    Zsh,
    Fish,
}

impl ExtraKind {
    pub(super) const ALL: &[Self] = &[Self::Man, Self::Bash, Self::Zsh, Self::Fish];

    /// Returns the word for `skills --generate`.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Man => "man",
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
        }
    }

    /// Returns the file name by which `man` or a shell finds the text for `tool`.
    pub(super) fn file_name(self, tool: &str) -> String {
        match self {
            Self::Man => format!("{tool}.1"),
            Self::Bash => tool.to_owned(),
            Self::Zsh => format!("_{tool}"),
            Self::Fish => format!("{tool}.fish"),
        }
    }

    /// Returns the directory below `share/` of an installation, as the shells themselves name it.
    pub(super) fn shared_directory(self) -> &'static str {
        match self {
            Self::Man => "man/man1",
            Self::Bash => "bash-completion/completions",
            Self::Zsh => "zsh/site-functions",
            Self::Fish => "fish/vendor_completions.d",
        }
    }
}

impl Extra {
    pub(super) fn file_name(&self) -> String {
        self.kind.file_name(&self.tool)
    }
}

impl Content {
    /// Returns the name of the archive and of the directory in it, without a suffix.
    pub(super) fn archive_name(&self) -> String {
        format!("{PROGRAM}-{}-{}", self.version, self.target)
    }

    /// Returns the address at which the archive of a release is expected.
    pub(super) fn archive_url(&self) -> String {
        format!(
            "{}/releases/download/v{}/{}.tar.gz",
            self.repository,
            self.version,
            self.archive_name()
        )
    }

    /// Returns the content of the archive: programs, pages, completions and documents.
    pub(super) fn archive_entries(&self) -> Vec<Entry> {
        let mut res = vec![Entry::program(
            format!("bin/{PROGRAM}"),
            self.program.clone(),
        )];
        let links = self.tools.iter();
        res.extend(links.map(|tool| Entry::link(format!("bin/{tool}"), PROGRAM)));
        res.extend(self.extras.iter().map(|extra| {
            let directory = match extra.kind {
                ExtraKind::Man => "man/man1".to_owned(),
                kind => format!("completions/{}", kind.word()),
            };
            Entry::file(
                format!("{directory}/{}", extra.file_name()),
                extra.text.clone(),
            )
        }));
        let documents = self.documents.iter();
        res.extend(documents.map(|(name, text)| Entry::file(name.clone(), text.clone())));
        res
    }

    /// Returns the licenses by file name.
    pub(super) fn licenses(&self) -> impl Iterator<Item = (&str, &Rc<[u8]>)> {
        let documents = self.documents.iter();
        let documents = documents.filter(|(name, _)| name.starts_with("LICENSE-"));
        documents.map(|(name, text)| (name.as_str(), text))
    }

    /// Returns a time that every format can write.
    pub(super) fn time(&self) -> u64 {
        self.seconds.max(EARLIEST)
    }
}

impl Machine {
    /// Returns the processor in a target triple, and in the tag of a wheel.
    pub(super) fn rust(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::Aarch64 => "aarch64",
        }
    }

    pub(super) fn debian(self) -> &'static str {
        match self {
            Self::X86_64 => "amd64",
            Self::Aarch64 => "arm64",
        }
    }

    pub(super) fn node(self) -> &'static str {
        match self {
            Self::X86_64 => "x64",
            Self::Aarch64 => "arm64",
        }
    }
}

impl Needs {
    /// Returns the target triple of a program with these needs.
    pub(super) fn target(&self) -> String {
        let libc = match self.libc {
            Libc::Static => "musl",
            Libc::Glibc { .. } => "gnu",
        };
        format!("{}-unknown-linux-{libc}", self.machine.rust())
    }
}
