//! The values of placeholders for one invocation.

use std::collections::{BTreeMap, BTreeSet};

use super::parts::{ExpandError, Expanded, Invocation, end_text, push_text};
use crate::piece::{Piece, PieceKind, Selector};
use crate::{Dialect, Template, words};

/// The typed line, in the forms that placeholders need.
pub(super) struct Values<'a> {
    dialect: Dialect,
    /// Everything, as the host passes it on.
    all: String,
    /// The words.
    words: Vec<String>,
    /// Words of the form `name=value`, for names that the template uses.
    named: BTreeMap<String, String>,
    /// The other words, for hosts that pass them on behind the prompt.
    left: String,
    /// The declared names, in order.
    names: BTreeMap<&'a str, usize>,
    first_index: usize,
    /// The highest number in the template.
    last: usize,
    variables: &'a BTreeMap<String, String>,
}

impl<'a> Values<'a> {
    pub(super) fn new(
        template: &'a Template,
        invocation: &'a Invocation<'_>,
    ) -> Result<Self, ExpandError> {
        let dialect = template.dialect();
        let typed = invocation.arguments;
        let words = words::split(typed, dialect);
        let default_index = usize::from(dialect != Dialect::Claude);
        let mut res = Self {
            dialect,
            all: match dialect {
                Dialect::Gemini => typed.split_whitespace().collect::<Vec<_>>().join(" "),
                Dialect::Codex => words.join(" "),
                Dialect::OpenCode => typed.to_owned(),
                _ => typed.trim().to_owned(),
            },
            named: BTreeMap::new(),
            left: typed.trim().to_owned(),
            words,
            names: positions(template.names()),
            first_index: invocation.first_index.unwrap_or(default_index),
            last: last_index(template),
            variables: &invocation.variables,
        };
        match dialect {
            Dialect::Codex => res.name_strictly(template)?,
            Dialect::Copilot | Dialect::Mcpb => res.name(template),
            _ => {}
        }
        Ok(res)
    }

    /// Takes `NAME=value` words; any other word is an error of the host, as is a missing name.
    fn name_strictly(&mut self, template: &Template) -> Result<(), ExpandError> {
        let names = template.used_names();
        if names.is_empty() {
            return Ok(());
        }
        let expected = || names.iter().map(|name| (*name).to_owned()).collect();
        for word in &self.words {
            let Some((name, value)) = word.split_once('=').filter(|(name, _)| !name.is_empty())
            else {
                let found = word.clone();
                let expected = expected();
                return Err(ExpandError::NoName { found, expected });
            };
            self.named.insert(name.to_owned(), value.to_owned());
        }
        let mut missing: Vec<String> = expected();
        missing.retain(|name| !self.named.contains_key(name));
        if missing.is_empty() {
            return Ok(());
        }
        let expected = expected();
        Err(ExpandError::Missing { missing, expected })
    }

    /// Takes `name=value` words of names that the template uses. If it uses only one name and no
    /// word has it, the whole line is its value.
    fn name(&mut self, template: &Template) {
        let names = template.used_names();
        let known: BTreeSet<&str> = names.iter().copied().collect();
        let mut left = Vec::new();
        for word in &self.words {
            match word.split_once('=') {
                Some((name, value)) if known.contains(name) => {
                    self.named.insert(name.to_owned(), value.to_owned());
                }
                _ => left.push(word.as_str()),
            }
        }
        if let ([name], true) = (names.as_slice(), self.named.is_empty())
            && !self.left.is_empty()
        {
            self.named.insert((*name).to_owned(), self.left.clone());
            self.left.clear();
        } else if !self.named.is_empty() {
            self.left = left.join(" ");
        }
    }

    /// Returns everything that was typed.
    pub(super) fn all(&self, in_shell: bool) -> String {
        match self.dialect {
            Dialect::Gemini if in_shell => {
                inserted_by_javascript(&words::shell_quoted(&self.all), "{{args}}")
            }
            Dialect::Gemini => inserted_by_javascript(&self.all, "{{args}}"),
            Dialect::OpenCode => inserted_by_javascript(&self.all, "$ARGUMENTS"),
            _ => self.all.clone(),
        }
    }

    /// Returns the value of a placeholder for one argument.
    pub(super) fn one(&self, selector: &Selector, hint: Option<&str>, source: &str) -> String {
        match selector {
            Selector::Index(index) => self.numbered(*index, source),
            Selector::Name(name) => self.with_name(name, hint, source),
        }
    }

    fn numbered(&self, index: usize, source: &str) -> String {
        let at = index.checked_sub(self.first_index);
        let word = at.and_then(|at| self.words.get(at)).cloned();
        match (self.dialect, at) {
            (Dialect::OpenCode, None) => self.before_first(),
            (Dialect::OpenCode, Some(at)) if index == self.last => {
                self.words.get(at..).unwrap_or_default().join(" ")
            }
            (Dialect::OpenCode | Dialect::Codex, _) => word.unwrap_or_default(),
            _ => word.unwrap_or_else(|| source.to_owned()),
        }
    }

    /// Returns the value of `$0` in OpenCode, which counts from 1: the last word if there is no
    /// other number, otherwise JavaScript's word for a missing value.
    fn before_first(&self) -> String {
        if self.last > 0 {
            return "undefined".to_owned();
        }
        self.words.last().cloned().unwrap_or_default()
    }

    fn with_name(&self, name: &str, hint: Option<&str>, source: &str) -> String {
        match self.dialect {
            Dialect::Claude => {
                let word = self.names.get(name).and_then(|at| self.words.get(*at));
                word.cloned().unwrap_or_default()
            }
            Dialect::Copilot => self.named.get(name).cloned().unwrap_or_else(|| match hint {
                Some(hint) => format!("[ask for {name}: {hint}]"),
                None => format!("[ask for {name}]"),
            }),
            Dialect::Mcpb => self.named.get(name).cloned().unwrap_or_default(),
            _ => self
                .named
                .get(name)
                .map_or(source, String::as_str)
                .to_owned(),
        }
    }

    /// Returns a value of the host, or words for it.
    pub(super) fn variable(&self, name: &str, path: Option<&str>, source: &str) -> String {
        if source.starts_with("$CLAUDE_") {
            return source.to_owned();
        }
        if let Some(value) = self.variables.get(name) {
            return match path {
                Some(path) => format!("{}/{path}", value.trim_end_matches('/')),
                None => value.clone(),
            };
        }
        let words = match name {
            "CLAUDE_PLUGIN_ROOT" | "CLAUDE_SKILL_DIR" => {
                return path
                    .map_or(".", |path| if path.is_empty() { "./" } else { path })
                    .to_owned();
            }
            "CLAUDE_PROJECT_DIR" | "workspaceFolder" => {
                return path.map_or_else(|| ".".to_owned(), |path| format!("./{path}"));
            }
            "CLAUDE_PLUGIN_DATA" => "the data directory of the plugin",
            "CLAUDE_SESSION_ID" => "the id of the session",
            "CLAUDE_EFFORT" => "the effort level",
            "file" => "the open file",
            "fileBasename" => "the name of the open file",
            "fileBasenameNoExtension" => "the name of the open file without its extension",
            "fileDirname" => "the directory of the open file",
            "selection" | "selectedText" => "the selected text",
            "workspaceFolderBasename" => "the name of the project's directory",
            _ => {
                let known = [
                    ("user_config.", "the setting"),
                    ("env:", "the environment variable"),
                ];
                let mut known = known.iter().filter_map(|(prefix, words)| {
                    Some(format!("{words} {}", name.strip_prefix(prefix)?))
                });
                return match known.next() {
                    Some(words) => in_brackets(&words, path),
                    None => source.to_owned(),
                };
            }
        };
        in_brackets(words, path)
    }

    /// Adds what the user typed behind a prompt that has no place for it.
    pub(super) fn append(
        &self,
        template: &Template,
        invocation: &Invocation<'_>,
        res: &mut Vec<Expanded>,
    ) {
        if !self.dialect.appends_arguments() || self.left.is_empty() {
            return;
        }
        match self.dialect {
            Dialect::Gemini if !template.takes_arguments() => {
                let typed = invocation.arguments.trim();
                push_text(res, &format!("\n\n/{} {typed}", invocation.command));
            }
            Dialect::OpenCode if !template.takes_arguments() => {
                end_text(res);
                push_text(res, &format!("\n\n{}", invocation.arguments));
            }
            Dialect::Claude if !self.is_used(template) => {
                end_text(res);
                push_text(res, &format!("\n\nARGUMENTS: {}", self.all));
            }
            Dialect::Copilot | Dialect::Cursor => {
                end_text(res);
                push_text(res, &format!("\n\n{}", self.left));
            }
            _ => {}
        }
    }

    /// Returns whether any placeholder has a value.
    fn is_used(&self, template: &Template) -> bool {
        template
            .placeholders()
            .any(|piece: &Piece| match &piece.kind {
                PieceKind::Arguments => true,
                PieceKind::Argument { selector, .. } => match selector {
                    Selector::Index(index) => index
                        .checked_sub(self.first_index)
                        .is_some_and(|at| at < self.words.len()),
                    Selector::Name(_) => true,
                },
                _ => false,
            })
    }
}

/// Returns the position of each name; that of the first, if a name occurs twice.
fn positions(names: &[String]) -> BTreeMap<&str, usize> {
    let names = names.iter().enumerate().rev();
    names.map(|(at, name)| (name.as_str(), at)).collect()
}

/// Returns the highest number in a template.
fn last_index(template: &Template) -> usize {
    let indices = template
        .placeholders()
        .filter_map(|piece| match &piece.kind {
            PieceKind::Argument {
                selector: Selector::Index(index),
                ..
            } => Some(*index),
            _ => None,
        });
    indices.max().unwrap_or_default()
}

/// Returns what JavaScript's `replaceAll` inserts for a replacement: `$$` is `$`, and `$&` is what
/// was found.
fn inserted_by_javascript(value: &str, found: &str) -> String {
    if !value.contains('$') {
        return value.to_owned();
    }
    let mut res = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('$') {
        res.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let (inserted, length) = match after.bytes().next() {
            Some(b'$') => ("$", 1),
            Some(b'&') => (found, 1),
            _ => ("$", 0),
        };
        res.push_str(inserted);
        rest = &after[length..];
    }
    res + rest
}

fn in_brackets(words: &str, path: Option<&str>) -> String {
    match path {
        Some(path) => format!("[{words}]/{path}"),
        None => format!("[{words}]"),
    }
}
