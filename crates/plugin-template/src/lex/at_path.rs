//! `@path` of Claude Code, OpenCode and Cursor, and `#file:path` of Copilot.
//!
//! `@word` is mostly a decorator, a user or an e-mail address, so a path must look like one.

use super::scan::{Depth, Scan};
use crate::piece::{Piece, PieceKind};

impl Scan<'_> {
    /// Reads `@path` outside of code. The host attaches the file; the text stays.
    pub(super) fn at_path(&mut self, at: usize, end: usize) -> Option<Piece> {
        let before = self.text[..at].chars().next_back();
        let is_inside = |c: char| c.is_ascii_alphanumeric() || "_`/.@$\\".contains(c);
        if before.is_some_and(is_inside) || self.is_code(at) {
            return None;
        }
        let start = at + 1;
        let rest = self.rest(start, end);
        let word = &rest[..path_length(rest)];
        let begins_with_value = word.starts_with('$');
        let word = if begins_with_value {
            word.trim_end_matches('.')
        } else {
            trimmed(word)
        };
        let is_call = rest[word.len()..].starts_with('(');
        if is_call || !(begins_with_value || is_path(word)) {
            return None;
        }
        let range = start..start + word.len();
        let path = self.pieces(range.clone(), Depth::Path);
        let is_value = path.first().is_some_and(Piece::is_placeholder);
        if begins_with_value && !is_value {
            return None;
        }
        Some(Piece::new(at..range.end, PieceKind::File { path }))
    }

    fn is_code(&self, at: usize) -> bool {
        self.code.is_in_span(at) || self.code.fence_at(at).is_some()
    }

    /// Reads `#file:path` and `#tool:name`.
    pub(super) fn hash_reference(&mut self, at: usize, end: usize) -> Option<Piece> {
        let is_free = !self.text[..at]
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '`' | '#'));
        if !is_free || self.is_code(at) {
            return None;
        }
        let rest = self.rest(at, end);
        let quoted = |quote: char| Some((quote, rest.strip_prefix("#file:")?.strip_prefix(quote)?));
        if let Some((quote, path)) = quoted('"').or_else(|| quoted('\'')) {
            let length = path
                .find([quote, '\n'])
                .filter(|n| path[*n..].starts_with(quote))?;
            let inner = at + 7..at + 7 + length;
            let path = self.pieces(inner.clone(), Depth::Path);
            return (length > 0).then(|| Piece::new(at..inner.end + 1, PieceKind::File { path }));
        }
        if let Some(path) = rest.strip_prefix("#file:") {
            let path = trimmed(&path[..path_length(path)]);
            let inner = at + 6..at + 6 + path.len();
            let is_empty = path.is_empty();
            let path = self.pieces(inner.clone(), Depth::Path);
            return (!is_empty).then(|| Piece::new(at..inner.end, PieceKind::File { path }));
        }
        let Some(tool) = rest.strip_prefix("#tool:") else {
            return self.bare_tool(at, rest);
        };
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
        let tool = &tool[..tool.find(|c| !is_part(c)).unwrap_or(tool.len())];
        let tool = tool.trim_end_matches('.');
        let name = format!("tool:{tool}");
        let range = at..at + 6 + tool.len();
        let path = None;
        (!tool.is_empty()).then(|| Piece::new(range, PieceKind::Variable { name, path }))
    }
}

/// Tools that Copilot names without `tool:`.
///
/// Source: <https://code.visualstudio.com/docs/copilot/reference/copilot-vscode-features>, "Chat tools".
const BARE_TOOLS: [&str; 14] = [
    "changes",
    "codebase",
    "editFiles",
    "extensions",
    "fetch",
    "githubRepo",
    "problems",
    "runCommands",
    "runTasks",
    "searchResults",
    "terminalLastCommand",
    "terminalSelection",
    "testFailure",
    "usages",
];

impl Scan<'_> {
    /// Reads `#codebase` and `#selection`, if a blank is before it: `#fetch` in a link is an anchor.
    fn bare_tool(&self, at: usize, rest: &str) -> Option<Piece> {
        let before = self.text[..at].chars().next_back();
        if before.is_some_and(|c| !c.is_whitespace()) {
            return None;
        }
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/');
        let word = &rest[1..];
        let word = &word[..word.find(|c| !is_part(c)).unwrap_or(word.len())];
        let name = match word {
            "selection" => word.to_owned(),
            _ => BARE_TOOLS.contains(&word).then(|| format!("tool:{word}"))?,
        };
        let range = at..at + 1 + word.len();
        Some(Piece::new(range, PieceKind::Variable { name, path: None }))
    }
}

/// The longest path that is read.
const MAX_PATH: usize = 300;

/// Returns the length of the characters that a path can have; `${…}` counts as a part of it.
fn path_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || "/-_.~+${}[]\\".contains(c);
    let is_end = |(at, c): &(usize, char)| !is_part(*c) || *at > MAX_PATH;
    text.char_indices()
        .find(is_end)
        .map_or(text.len(), |(at, _)| at)
}

/// Returns a path without the punctuation of the sentence around it.
fn trimmed(path: &str) -> &str {
    path.trim_end_matches(['.', ']', '}', '\\'])
}

/// Returns whether a word has the shape of a path: it begins like one, or its last part has an
/// extension, or it is a directory with a slash at its end.
fn is_path(word: &str) -> bool {
    let begins = ["./", "../", "~/", "/", "."].iter();
    if begins
        .clone()
        .any(|start| word.len() > start.len() && word.starts_with(start))
    {
        return true;
    }
    let name = word.rsplit('/').next().unwrap_or_default();
    let has_extension = name.rsplit_once('.').is_some_and(|(stem, end)| {
        let is_domain = matches!(end, "com" | "org" | "net" | "io");
        !stem.is_empty()
            && !is_domain
            && (1..=10).contains(&end.len())
            && end.bytes().all(|b| b.is_ascii_alphanumeric())
    });
    has_extension || (word.len() > 1 && word.ends_with('/'))
}
