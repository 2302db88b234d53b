//! Size limits and allowed types of a read.

use std::path::PathBuf;

/// Maximum lines of a body that is returned whole. The specification advises "under 500 lines"
/// (<https://agentskills.io/specification#progressive-disclosure>).
const BODY_LINES: usize = 500;
/// Maximum characters of a body that is returned whole: 99 of 100 of 1,673 collected skills have
/// fewer than 33,368.
const BODY_CHARS: usize = 40_000;
/// Largest file that is read, in bytes. Of the collected resources 0.3 % have more than 256 KiB.
const FILE_BYTES: u64 = 2_000_000;
/// Maximum characters of one excerpt: more than nine of ten collected resources have fewer.
const EXCERPT_CHARS: usize = 12_000;

/// Extensions of files that are returned as text: documents, data, programs.
const TYPES: [&str; 42] = [
    "md", "markdown", "txt", "rst", "json", "jsonl", "yaml", "yml", "toml", "csv", "tsv", "xml",
    "html", "css", "ini", "example", "tmpl", "template", "sql", "py", "js", "mjs", "cjs", "jsx",
    "ts", "tsx", "sh", "bash", "zsh", "fish", "ps1", "bat", "cmd", "rb", "pl", "lua", "php", "go",
    "rs", "java", "c", "h",
];
/// Names without an extension that are returned as text.
const NAMES: [&str; 5] = ["LICENSE", "NOTICE", "README", "Makefile", "Dockerfile"];

/// Limits of a read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum lines of a body that is returned whole.
    pub body_lines: usize,
    /// Maximum characters of a body that is returned whole.
    pub body_chars: usize,
    /// Maximum bytes of any file that is read.
    pub file_bytes: u64,
    /// Maximum characters of a section, a page or a resource.
    pub excerpt_chars: usize,
    /// Behavior for a body or a resource beyond its limit if neither a section nor a cursor selects
    /// a part of it.
    pub beyond: BeyondLimit,
    /// Additional extensions of files that are returned as text: lower case, without the dot.
    pub more_types: Vec<String>,
    /// True if to read files with several hard links; some package stores share files this way. The
    /// other name may be outside the skill.
    pub hard_links: bool,
    /// Directory for the whole text, if it is to be stored.
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
    /// Allows files with these extensions, with or without the dot, in any case.
    pub fn allow_types(&mut self, endings: &[String]) {
        let endings = endings.iter();
        let plain = endings.map(|ending| ending.trim_start_matches('.').to_lowercase());
        self.more_types.extend(plain);
    }

    /// Returns whether a file of this name is returned as text.
    pub(super) fn allows_type(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let Some((_, ending)) = name.rsplit_once('.') else {
            return NAMES.contains(&name);
        };
        let ending = ending.to_lowercase();
        TYPES.contains(&&*ending) || self.more_types.contains(&ending)
    }
}

/// Behavior beyond a limit. Every omission is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeyondLimit {
    /// An error with a remedy.
    Reject,
    /// A shortened body, or the first page of a resource.
    Trim,
}

/// A run directory in which whole texts are stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observations {
    /// The directory in which `.agent/runs/<run-id>/observations/` is created.
    pub dir: PathBuf,
    /// The id of the run.
    pub run: RunId,
}

/// A run id: at most 64 letters, digits, `-`, `_` and `.`, without a leading dot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunId(String);

impl RunId {
    /// Checks an id; `None` if it is invalid.
    pub fn new(text: &str) -> Option<Self> {
        let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let fits = (1..=64).contains(&text.len()) && !text.starts_with('.');
        (fits && text.chars().all(is_fine)).then(|| Self(text.to_owned()))
    }

    /// Returns the id as text.
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
