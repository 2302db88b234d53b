//! Files that Gemini CLI puts into a prompt, which have placeholders of their own.
//!
//! Source: `FileCommandLoader.ts` and `prompt-processors/shellProcessor.ts` of Gemini CLI. Files are put in
//! first, also in commands. If the prompt itself has `{{args}}` or `!{`, both are then replaced in all of its text, also in
//! that of the files; `@{path}` in a file stays. An argument never chooses a file, since it is put in last.

use super::parts::{ExpandError, Expanded, Invocation, MAX_SENT, push_text};
use super::values::Values;
use crate::lex::ARGS;
use crate::piece::{Piece, PieceKind};
use crate::{Dialect, Template};

impl Template {
    /// Returns the source of a placeholder with the content of its files; `None` if it has none. A path with
    /// an argument has none: the host looks for the file before it knows the argument.
    pub(super) fn with_files(
        &self,
        piece: &Piece,
        content: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Option<String> {
        if self.dialect() != Dialect::Gemini {
            return None;
        }
        let files: Vec<&Piece> = match &piece.kind {
            PieceKind::File { .. } => vec![piece],
            PieceKind::Shell { command, .. } => command.iter().collect(),
            _ => return None,
        };
        let mut res = String::new();
        let mut rest = piece.range.start;
        for file in files {
            let is_file = matches!(file.kind, PieceKind::File { .. });
            let path = file.inner();
            let is_fixed = !path.iter().any(|piece| piece.kind == PieceKind::Arguments);
            let (Some(first), Some(last)) = (path.first(), path.last()) else {
                continue;
            };
            let path = &self.text()[first.range.start..last.range.end];
            if let Some(text) = (is_file && is_fixed).then(|| content(path)).flatten() {
                res.extend([&self.text()[rest..file.range.start], &text]);
                rest = file.range.end;
            }
        }
        (rest > piece.range.start).then(|| res + &self.text()[rest..piece.range.end])
    }

    /// Adds a text with the content of files, in which the host replaces placeholders if the prompt has some.
    pub(super) fn push_injected(
        &self,
        res: &mut Vec<Expanded>,
        text: &str,
        values: &Values<'_>,
        invocation: &Invocation<'_>,
    ) -> Result<(), ExpandError> {
        let is_processed = self.text().contains(ARGS) || self.text().contains("!{");
        let file = Self::parse(text, Dialect::Gemini, &[]);
        if !is_processed || file.unclosed().is_some() {
            push_text(res, text);
            return Ok(());
        }
        let n_placeholders = file.placeholders().count();
        if n_placeholders.saturating_mul(invocation.arguments.len()) > MAX_SENT {
            return Err(ExpandError::TooLong);
        }
        for piece in file.pieces() {
            let source = file.source(piece);
            if !matches!(piece.kind, PieceKind::Shell { .. }) {
                push_text(res, &source.replace(ARGS, &values.all(false)));
                continue;
            }
            let command = source[2..source.len() - 1].trim();
            let command = command.replace(ARGS, &values.all(true));
            if !command.is_empty() {
                res.push(Expanded::Shell { command });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::to_text;

    /// Compares what is sent for a prompt in a project whose file `a` has this content.
    #[track_caller]
    fn check(prompt: &str, content: &str, expected: &str) {
        let template = Template::parse(prompt, Dialect::Gemini, &[]);
        let invocation = Invocation::new("review", "it's");
        let mut read = |path: &str| (path == "a").then(|| content.to_owned());
        let sent = template.expand_with_files(&invocation, &mut read);
        assert_eq!(to_text(&sent.unwrap()), expected, "{prompt} {content}");
    }

    #[test]
    fn placeholders_of_files_are_those_of_the_prompt() {
        check("@{a}", "{{args}} {x}", "{{args}} {x}\n\n/review it's");
        check(
            "{{args}} @{a}",
            "Do {{args}}, not {{ args }}.",
            "it's Do it's, not {{ args }}.",
        );
        check(
            "@{a} !{ls}",
            "{{args}}: !{grep {{args}} @{b}}!{}",
            "it's: [run `grep \"it's\" @{b}` first and use its output] [run `ls` first and use its output]\n\n/review it's",
        );
        check(
            "{{args}}: @{a}",
            "@{b/{{args}}} ${extensionPath}/x",
            "it's: @{b/it's} ${extensionPath}/x",
        );
        check("{{args}} @{a}", "{{args}} !{open", "it's {{args}} !{open");
    }

    #[test]
    fn files_come_before_commands_and_arguments() {
        check(
            "Use @{b/{{args}}.md} @{{{args}}}",
            "",
            "Use @{b/it's.md} @{it's}",
        );
        check(
            "!{cat @{b}}",
            "",
            "[run `cat @{b}` first and use its output]\n\n/review it's",
        );
        check(
            "!{cat @{ a } {{args}}}",
            "x {{args}}",
            "[run `cat x \"it's\" \"it's\"` first and use its output]",
        );
    }

    #[test]
    fn an_argument_chooses_no_file() {
        let template = Template::parse("@{{{args}}} !{cat @{x{{args}}}}", Dialect::Gemini, &[]);
        let mut read = |path: &str| Some(path.to_owned());
        let sent = template.expand_with_files(&Invocation::new("x", "a"), &mut read);
        let expected = "@{a} [run `cat @{xa}` first and use its output]";
        assert_eq!(to_text(&sent.unwrap()), expected);
    }
}
