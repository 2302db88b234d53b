//! `${…}`, `{{args}}`, `!{…}` and `@{…}`.

use std::ops::Range;

use super::scan::{Depth, Scan};
use crate::piece::{Piece, PieceKind, Selector};

/// The placeholder of Gemini CLI; with blanks inside it is text.
pub(crate) const ARGS: &str = "{{args}}";
/// The longest `${…}` that is read.
const MAX_VALUE: usize = 400;

/// Variables of VS Code that a prompt file can use.
const EDITOR: [&str; 9] = [
    "file",
    "fileBasename",
    "fileBasenameNoExtension",
    "fileDirname",
    "selectedText",
    "selection",
    "userHome",
    "workspaceFolder",
    "workspaceFolderBasename",
];

impl Scan<'_> {
    /// Returns the content of a `${…}` on one line, and its range.
    pub(super) fn dollar_brace(&self, at: usize, end: usize) -> Option<(&str, Range<usize>)> {
        let rest = self.rest(at, end).strip_prefix("${")?;
        let is_end = |(at, c): &(usize, char)| matches!(c, '}' | '{' | '\n') || *at > MAX_VALUE;
        let (length, c) = rest.char_indices().find(is_end)?;
        (c == '}').then(|| (&rest[..length], at..at + length + 3))
    }

    /// Reads `${CLAUDE_…}` and `${user_config.KEY}` with the path behind it.
    pub(super) fn host_value(&self, at: usize, end: usize) -> Option<Piece> {
        let (name, mut range) = self.dollar_brace(at, end)?;
        let is_known = name.starts_with("user_config.")
            || name.strip_prefix("CLAUDE_").is_some_and(|rest| {
                !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
            });
        if !is_known {
            return None;
        }
        let name = name.to_owned();
        let path = self.path_behind(&mut range, end);
        Some(Piece::new(range, PieceKind::Variable { name, path }))
    }

    /// Reads `$CLAUDE_PLUGIN_ROOT/a.md`. The host replaces the form with braces only; the author
    /// meant the same.
    pub(super) fn bare_value(&self, at: usize, end: usize) -> Option<Piece> {
        let rest = &self.rest(at, end)[1..];
        let mut names = [
            "CLAUDE_PLUGIN_ROOT",
            "CLAUDE_SKILL_DIR",
            "CLAUDE_PROJECT_DIR",
        ]
        .into_iter();
        let name = names.find(|name| {
            let after = rest.strip_prefix(name);
            after.is_some_and(|after| after.starts_with('/'))
        })?;
        let mut range = at..at + 1 + name.len();
        let path = self.path_behind(&mut range, end);
        let name = name.to_owned();
        Some(Piece::new(range, PieceKind::Variable { name, path }))
    }

    /// Takes the path that follows a value, as in `${CLAUDE_PLUGIN_ROOT}/a.md`.
    fn path_behind(&self, range: &mut Range<usize>, end: usize) -> Option<String> {
        let rest = self.rest(range.end, end).strip_prefix('/')?;
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '+');
        let path = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let path = path.trim_end_matches('.');
        range.end += 1 + path.len();
        Some(path.to_owned())
    }

    /// Reads a value of VS Code: `${file}`, `${env:HOME}`.
    pub(super) fn copilot_value(&self, at: usize, end: usize) -> Option<Piece> {
        let (inner, mut range) = self.dollar_brace(at, end)?;
        if let Some(input) = inner.strip_prefix("input:") {
            let (name, hint) = input.split_once(':').unwrap_or((input, ""));
            let selector = Selector::Name(name.trim().to_owned());
            let hint = Some(hint.trim().to_owned()).filter(|hint| !hint.is_empty());
            let is_named = !name.trim().is_empty();
            return is_named.then(|| Piece::new(range, PieceKind::Argument { selector, hint }));
        }
        let name = inner.split(['=', ':']).next().unwrap_or_default();
        if self.names.contains(name) {
            return Some(Piece::name(range, name));
        }
        if !EDITOR.contains(&inner) && !is_of_environment(inner) {
            return None;
        }
        let name = inner.to_owned();
        let path = matches!(inner, "workspaceFolder" | "userHome")
            .then(|| self.path_behind(&mut range, end))
            .flatten();
        Some(Piece::new(range, PieceKind::Variable { name, path }))
    }

    /// Reads `${extensionPath}` and `${workspacePath}` with the path behind it. The host leaves
    /// them in prompts as they are; authors mean what the manifest has.
    ///
    /// Source: <https://geminicli.com/docs/extensions/reference/>, "Variables".
    pub(super) fn gemini_value(&self, at: usize, end: usize) -> Option<Piece> {
        let (name, mut range) = self.dollar_brace(at, end)?;
        if !matches!(name, "extensionPath" | "workspacePath") {
            return None;
        }
        let name = name.to_owned();
        let path = self.path_behind(&mut range, end);
        Some(Piece::new(range, PieceKind::Variable { name, path }))
    }

    /// Reads `{{args}}`.
    pub(super) fn double_brace(&self, at: usize, end: usize) -> Option<Piece> {
        let is_args = self.rest(at, end).starts_with(ARGS);
        is_args.then(|| Piece::new(at..at + ARGS.len(), PieceKind::Arguments))
    }

    /// Reads `!{cmd}` or `@{path}`; braces inside must be balanced. After one without its end the
    /// rest is text, because the host refuses the prompt.
    pub(super) fn braced(&mut self, at: usize, end: usize, inside: Depth) -> Option<Piece> {
        if self.unclosed.is_some() || !self.rest(at, end)[1..].starts_with('{') {
            return None;
        }
        let Some(close) = self.closing_brace(at + 2, end) else {
            self.unclosed = Some(at);
            return None;
        };
        let written = &self.text[at + 2..close];
        let start = at + 2 + (written.len() - written.trim_start().len());
        let inner = start..start + written.trim().len();
        let pieces = self.pieces(inner, inside);
        let kind = if inside == Depth::Path {
            PieceKind::File { path: pieces }
        } else {
            PieceKind::Shell {
                command: pieces,
                is_block: false,
            }
        };
        Some(Piece::new(at..close + 1, kind))
    }

    fn closing_brace(&self, start: usize, end: usize) -> Option<usize> {
        let mut depth = 1_usize;
        for (offset, b) in self.text.as_bytes()[start..end].iter().enumerate() {
            match b {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(start + offset);
            }
        }
        None
    }
}

/// Returns true for `env:HOME`.
fn is_of_environment(inner: &str) -> bool {
    let name = inner.strip_prefix("env:").unwrap_or_default();
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    !name.is_empty() && name.bytes().all(is_part)
}
