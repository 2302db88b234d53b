//! The text that the host sends for a prompt and a typed line.
//!
//! - `environment`: variables of settings; `injected`: files that a host puts into a prompt; `parts`: invocations, the parts of an expansion, and errors; `values`: the value of each
//!   placeholder; `line`: the line that a user would type for given values; `shown`: an expansion as
//!   text; `places`: the directories of its paths.

mod environment;
mod injected;
mod line;
mod parts;
mod places;
mod shown;
mod values;

pub use environment::{
    EnvironmentVariable, environment_variables, environment_words, with_environment_words,
};
pub use line::typed_line;
pub use parts::{ExpandError, Expanded, Invocation};
pub use places::PathPlaces;
pub use shown::{place_line, read_request, setting_words, to_text};

use crate::piece::{Piece, PieceKind};
use crate::{Dialect, Template};
use parts::{MAX_SENT, push_text, trim};
use values::Values;

impl Template {
    /// Returns what the host sends.
    ///
    /// ```
    /// use plugin_template::{Dialect, Invocation, Template, to_text};
    ///
    /// let template = Template::parse("Fix $1: !`git log -1`", Dialect::OpenCode, &[]);
    /// let sent = template.expand(&Invocation::new("fix", "'the bug'")).unwrap();
    /// assert_eq!(to_text(&sent), "Fix the bug: [run `git log -1` first and use its output]");
    /// ```
    ///
    /// # Errors
    ///
    /// The reason why the host refuses it.
    pub fn expand(&self, invocation: &Invocation<'_>) -> Result<Vec<Expanded>, ExpandError> {
        self.expand_with_files(invocation, &mut |_| None)
    }

    /// Returns what the host sends, with the files that it puts into the text. `content` returns that of a
    /// path; `None` if there is no such file. An argument never chooses a file: the host looks for it first.
    ///
    /// ```
    /// use plugin_template::{Dialect, Invocation, Template, to_text};
    ///
    /// let template = Template::parse("Review {{args}}: @{rules.md}", Dialect::Gemini, &[]);
    /// let mut content = |path: &str| (path == "rules.md").then(|| "Look at {{args}}.".to_owned());
    /// let invocation = Invocation::new("review", "a.rs");
    /// let sent = template.expand_with_files(&invocation, &mut content).unwrap();
    /// assert_eq!(to_text(&sent), "Review a.rs: Look at a.rs.");
    /// ```
    ///
    /// # Errors
    ///
    /// The reason why the host refuses it. What it refuses in a file stays as it is written.
    pub fn expand_with_files(
        &self,
        invocation: &Invocation<'_>,
        content: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Result<Vec<Expanded>, ExpandError> {
        if let Some(at) = self.unclosed() {
            return Err(ExpandError::Unclosed { at });
        }
        let n_placeholders = self.placeholders().count();
        if n_placeholders.saturating_mul(invocation.arguments.len()) > MAX_SENT {
            return Err(ExpandError::TooLong);
        }
        let values = Values::new(self, invocation)?;
        let mut res = Vec::new();
        for piece in self.pieces() {
            if let Some(text) = self.with_files(piece, content) {
                self.push_injected(&mut res, &text, &values, invocation)?;
                continue;
            }
            match &piece.kind {
                PieceKind::Shell { command, .. } => {
                    let command = self.join(command, &values, true);
                    if !command.trim().is_empty() {
                        let command = command.trim_matches(['\n', '\r']).to_owned();
                        res.push(Expanded::Shell { command });
                    }
                }
                PieceKind::File { path } => res.push(self.file(piece, path, &values)),
                _ => push_text(&mut res, &self.value(piece, &values, false)),
            }
        }
        values.append(self, invocation, &mut res);
        if self.dialect() == Dialect::OpenCode {
            trim(&mut res);
        }
        Ok(res)
    }

    fn join(&self, pieces: &[Piece], values: &Values<'_>, in_shell: bool) -> String {
        let parts = pieces
            .iter()
            .map(|piece| self.value(piece, values, in_shell));
        parts.collect()
    }

    fn file(&self, piece: &Piece, path: &[Piece], values: &Values<'_>) -> Expanded {
        let value = self.join(path, values, false);
        let source = self.source(piece);
        let (before, after) = match (path.first(), path.last()) {
            (Some(first), Some(last)) => (
                &source[..first.range.start - piece.range.start],
                &source[last.range.end - piece.range.start..],
            ),
            _ => (source, ""),
        };
        Expanded::File {
            written: format!("{before}{value}{after}"),
            path: value,
        }
    }

    /// Returns the text that replaces a piece.
    fn value(&self, piece: &Piece, values: &Values<'_>, in_shell: bool) -> String {
        let source = self.source(piece);
        match &piece.kind {
            PieceKind::Text | PieceKind::Shell { .. } => source.to_owned(),
            PieceKind::Escaped => source[1..].to_owned(),
            PieceKind::Arguments => values.all(in_shell),
            PieceKind::Argument { selector, hint } => values.one(selector, hint.as_deref(), source),
            PieceKind::File { path } => match self.file(piece, path, values) {
                Expanded::File { written, .. } => written,
                _ => source.to_owned(),
            },
            PieceKind::Variable { name, path } => values.variable(name, path.as_deref(), source),
        }
    }
}
