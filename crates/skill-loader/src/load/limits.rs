//! How much of a skill is given, and of which types.

use std::path::PathBuf;

/// Most lines of a body that is given whole. The specification advises "under 500 lines"
/// (<https://agentskills.io/specification#progressive-disclosure>).
const BODY_LINES: usize = 500;
/// Most characters of a body that is given whole: 99 of 100 of 1,673 collected skills have fewer
/// than 33,368.
const BODY_CHARS: usize = 40_000;
/// Largest file that is read. Of the collected resources 0.3 % have more than 256 KiB.
const FILE_BYTES: u64 = 2_000_000;
/// Most characters of one excerpt: more than nine of ten collected resources have fewer.
const EXCERPT_CHARS: usize = 12_000;

/// Endings of files that are given as text: documents, data, programs.
const TYPES: [&str; 42] = [
    "md", "markdown", "txt", "rst", "json", "jsonl", "yaml", "yml", "toml", "csv", "tsv", "xml",
    "html", "css", "ini", "example", "tmpl", "template", "sql", "py", "js", "mjs", "cjs", "jsx",
    "ts", "tsx", "sh", "bash", "zsh", "fish", "ps1", "bat", "cmd", "rb", "pl", "lua", "php", "go",
    "rs", "java", "c", "h",
];
/// Names without an ending that are given as text.
const NAMES: [&str; 5] = ["LICENSE", "NOTICE", "README", "Makefile", "Dockerfile"];

/// What bounds a read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Lines of a body that is given whole.
    pub body_lines: usize,
    /// Characters of a body that is given whole.
    pub body_chars: usize,
    /// Bytes of any file that is read.
    pub file_bytes: u64,
    /// Characters of a section, of a page, of a resource.
    pub excerpt_chars: usize,
    /// What happens to a body or a resource beyond its limit, if no section and no cursor asks
    /// for a part of it.
    pub beyond: BeyondLimit,
    /// Endings of files that are given as text besides the known ones, lower case, without dot.
    pub more_types: Vec<String>,
    /// Whether files with several names are given: some stores of packages share files so. The
    /// other name may lie outside the skill.
    pub hard_links: bool,
    /// Where the whole text is put, if anywhere.
    pub storage: Option<Observations>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_lines: BODY_LINES,
            body_chars: BODY_CHARS,
            file_bytes: FILE_BYTES,
            excerpt_chars: EXCERPT_CHARS,
            beyond: BeyondLimit::Trim,
            more_types: Vec::new(),
            hard_links: false,
            storage: None,
        }
    }
}

impl Limits {
    /// Whether a file of this name is given as text.
    pub(super) fn allows_type(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let Some((_, ending)) = name.rsplit_once('.') else {
            return NAMES.contains(&name);
        };
        let ending = ending.to_lowercase();
        TYPES.contains(&&*ending) || self.more_types.contains(&ending)
    }
}

/// What happens beyond a limit. Nothing is ever left out without saying so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeyondLimit {
    /// An error that says what to do.
    Reject,
    /// A shorter form of a body, the first page of a resource.
    Trim,
}

/// A directory of a run, where whole texts are kept for later.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observations {
    /// The directory in which `.agent/runs/<run-id>/observations/` is made.
    pub dir: PathBuf,
    /// The run.
    pub run: RunId,
}

/// The name of a run: letters, digits, `-`, `_` and `.`, at most 64, no dot in front.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunId(String);

impl RunId {
    /// Checks a name.
    pub fn new(text: &str) -> Option<Self> {
        let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let fits = (1..=64).contains(&text.len()) && !text.starts_with('.');
        (fits && text.chars().all(is_fine)).then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_one_plain_component() {
        for good in ["run-1", "2026_01.a"] {
            assert!(RunId::new(good).is_some(), "{good}");
        }
        for bad in [
            "",
            ".",
            "..",
            ".x",
            "a/b",
            "a b",
            "a\0",
            "ä",
            &"x".repeat(65),
        ] {
            assert!(RunId::new(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn types_go_by_the_last_ending() {
        let limits = Limits::default();
        for good in ["a.md", "x/B.PY", "config.env.example", "LICENSE"] {
            assert!(limits.allows_type(good), "{good}");
        }
        for bad in ["a.png", ".env", "config.env", "a.md.exe", "a", "md", "a."] {
            assert!(!limits.allows_type(bad), "{bad}");
        }
    }
}
