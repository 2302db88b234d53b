//! Files that Gemini CLI puts into a prompt, which have placeholders of their own.
//!
//! Source: `FileCommandLoader.ts` and `prompt-processors/shellProcessor.ts` of Gemini CLI. Files are put in
//! first. If the prompt itself has `{{args}}` or `!{`, both are then replaced in all of its text, also in
//! that of the files; `@{path}` in a file stays.

use super::parts::{ExpandError, Expanded, Invocation, MAX_SENT, push_text};
use super::values::Values;
use crate::lex::ARGS;
use crate::piece::PieceKind;
use crate::{Dialect, Template};

impl Template {
    /// Returns the content of a file that the host puts in place of `@{path}`.
    ///
    /// ```
    /// use plugin_template::{Dialect, Invocation, Template, to_text};
    ///
    /// let template = Template::parse("Review {{args}}: @{rules.md}", Dialect::Gemini, &[]);
    /// let invocation = Invocation::new("review", "a.rs");
    /// let sent = template.expand_injected("Look at {{args}}.", &invocation).unwrap();
    /// assert_eq!(to_text(&sent), "Look at a.rs.");
    /// ```
    ///
    /// # Errors
    ///
    /// [`ExpandError::TooLong`]. What the host refuses in a file stays as it is written.
    pub fn expand_injected(
        &self,
        content: &str,
        invocation: &Invocation<'_>,
    ) -> Result<Vec<Expanded>, ExpandError> {
        let as_written = || vec![Expanded::Text(content.to_owned())];
        let is_processed = self.text().contains(ARGS) || self.text().contains("!{");
        if self.dialect() != Dialect::Gemini || !is_processed {
            return Ok(as_written());
        }
        let file = Self::parse(content, Dialect::Gemini, &[]);
        if file.unclosed().is_some() {
            return Ok(as_written());
        }
        if file
            .placeholders()
            .count()
            .saturating_mul(invocation.arguments.len())
            > MAX_SENT
        {
            return Err(ExpandError::TooLong);
        }
        let values = Values::new(self, invocation)?;
        let mut res = Vec::new();
        for piece in file.pieces() {
            let source = file.source(piece);
            match &piece.kind {
                PieceKind::Arguments => push_text(&mut res, &values.all(false)),
                PieceKind::Shell { .. } => {
                    let command = source[2..source.len() - 1].trim();
                    let command = command.replace(ARGS, &values.all(true));
                    if !command.is_empty() {
                        res.push(Expanded::Shell { command });
                    }
                }
                _ => push_text(&mut res, source),
            }
        }
        Ok(res)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::to_text;

    #[track_caller]
    fn check(prompt: &str, content: &str, expected: &str) {
        let template = Template::parse(prompt, Dialect::Gemini, &[]);
        let invocation = Invocation::new("review", "it's");
        let sent = template.expand_injected(content, &invocation).unwrap();
        assert_eq!(to_text(&sent), expected, "{prompt} {content}");
    }

    #[test]
    fn placeholders_of_files_are_those_of_the_prompt() {
        check("@{a}", "{{args}} !{ls}", "{{args}} !{ls}");
        check(
            "{{args}} @{a}",
            "Do {{args}}, not {{ args }}.",
            "Do it's, not {{ args }}.",
        );
        check(
            "@{a} !{ls}",
            "{{args}}: !{grep {{args}} @{b}}!{}",
            "it's: [run `grep \"it's\" @{b}` first and use its output]",
        );
        check(
            "{{args}} @{a}",
            "@{b} ${extensionPath}/x",
            "@{b} ${extensionPath}/x",
        );
        check("{{args}} @{a}", "{{args}} !{open", "{{args}} !{open");
    }
}
