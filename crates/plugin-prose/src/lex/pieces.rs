//! The tokenizer: splits a text into lines and calls.

use crate::lex::call::{BLOCK_END, BLOCK_START, Field, FieldReader, Finder};
use crate::lex::line::{Line, strip_bullet};

/// The mark at the start and the end of a tool's result.
const RESULT_MARK: &str = "TOOL_RESULT]>>>";

/// A call block, or a run of bare field lines.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Call<'a> {
    /// Fields and the lines between them, in order.
    pub(crate) parts: Vec<CallPart<'a>>,
    /// True if the call has a start mark.
    pub(crate) marked: bool,
    /// True if a marked block has its end mark.
    pub(crate) closed: bool,
}

/// One part of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallPart<'a> {
    /// A field.
    Field(Field<'a>),
    /// A line without a field, such as `(可选参数):`.
    Note(&'a str),
}

impl<'a> Call<'a> {
    /// Returns the fields without the notes.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field<'a>> {
        self.parts.iter().filter_map(|part| match part {
            CallPart::Field(field) => Some(field),
            CallPart::Note(_) => None,
        })
    }
}

/// One piece of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Piece<'a> {
    /// A line of prose.
    Line(Line<'a>),
    /// A call.
    Call(Call<'a>),
    /// A field on a bulleted or numbered line outside of any block, with its indentation.
    Loose(usize, Field<'a>),
}

/// Splits a normalised text (see [`crate::lex::normal`]) into pieces.
pub(crate) fn read(text: &str) -> Vec<Piece<'_>> {
    let mut scanner = Scanner {
        text,
        at: 0,
        fields: FieldReader::new(text),
        lines: Finder::new(text, "\n"),
        starts: Finder::new(text, BLOCK_START),
        ends: Finder::new(text, BLOCK_END),
        results: Finder::new(text, RESULT_MARK),
        in_result: false,
        open: None,
        res: Vec::new(),
    };
    while scanner.at < text.len() {
        scanner.line();
    }
    scanner.finish(false);
    scanner.res
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    fields: FieldReader<'a>,
    lines: Finder,
    starts: Finder,
    ends: Finder,
    results: Finder,
    /// True if lines belong to a result, whose fields are not arguments.
    in_result: bool,
    open: Option<Call<'a>>,
    res: Vec<Piece<'a>>,
}

impl<'a> Scanner<'a> {
    /// Reads from `at` to the end of the line, or further if a value has several lines.
    fn line(&mut self) {
        let end = self.line_end(self.at);
        if self
            .results
            .next(self.text, self.at)
            .is_some_and(|mark| mark < end)
        {
            self.finish(false);
            self.in_result = !self.text[self.at..end].contains("END_TOOL_RESULT");
            self.at = end + 1;
            return;
        }
        let start_follows = self
            .starts
            .next(self.text, self.at)
            .is_some_and(|start| start < end);
        if self.in_result && !start_follows {
            self.at = end + 1;
            return;
        }
        self.in_result = false;
        let marked = self.open.as_ref().is_some_and(|call| call.marked);
        let start = self
            .starts
            .next(self.text, self.at)
            .filter(|&start| start < end);
        match start {
            _ if marked => self.inside(end, start),
            Some(start) => {
                if !self.text[self.at..start].trim().is_empty() {
                    self.prose(&self.text[self.at..start]);
                }
                self.start(start);
            }
            None => self.outside(&self.text[self.at..end], end),
        }
    }

    /// Opens a marked block.
    fn start(&mut self, at: usize) {
        self.finish(false);
        self.open = Some(Call {
            marked: true,
            ..Call::default()
        });
        self.at = at + BLOCK_START.len();
    }

    /// Returns `at`, or the next line if the rest of this one is blank.
    fn after(&self, at: usize, end: usize) -> usize {
        if self.text[at..end].trim().is_empty() {
            end + 1
        } else {
            at
        }
    }

    fn line_end(&mut self, from: usize) -> usize {
        self.lines.next(self.text, from).unwrap_or(self.text.len())
    }

    /// Reads a line, or the rest of one, inside a marked block.
    fn inside(&mut self, end: usize, start: Option<usize>) {
        let stop = self
            .ends
            .next(self.text, self.at)
            .filter(|&stop| stop < end);
        let limit = end.min(stop.unwrap_or(end)).min(start.unwrap_or(end));
        if let Some((field, next)) = self.fields.read(self.at, limit, |_| true) {
            self.part(CallPart::Field(field));
            self.at = next;
        } else if let Some(start) = start.filter(|&start| start == limit) {
            self.note(start);
            self.start(start);
        } else if let Some(stop) = stop {
            self.note(stop);
            self.finish(true);
            self.at = self.after(stop + BLOCK_END.len(), end);
        } else {
            self.note(end);
            self.at = end + 1;
        }
    }

    /// Reads a line outside of marked blocks.
    fn outside(&mut self, line: &'a str, end: usize) {
        let bulleted = strip_bullet(line.trim_start()).is_some();
        let field = self.fields.read(self.at, end, is_bare);
        match field {
            Some((field, next)) if bulleted => {
                self.finish(false);
                let indent = Line::new(line).indent;
                self.res.push(Piece::Loose(indent, field));
                self.at = self.line_end(next) + 1;
            }
            Some((field, next)) => {
                self.open.get_or_insert_default();
                self.part(CallPart::Field(field));
                self.at = next;
            }
            None => {
                let tail_of_call =
                    self.open.is_some() && !line.trim().is_empty() && line.trim().len() < 2;
                if !tail_of_call {
                    self.finish(false);
                    self.prose(line);
                }
                self.at = end + 1;
            }
        }
    }

    fn prose(&mut self, line: &'a str) {
        self.res.push(Piece::Line(Line::new(line)));
    }

    fn part(&mut self, part: CallPart<'a>) {
        if let Some(call) = &mut self.open {
            call.parts.push(part);
        }
    }

    fn note(&mut self, end: usize) {
        let note = self.text[self.at..end]
            .trim()
            .trim_matches([',', '，'])
            .trim();
        let after_field = matches!(self.open.as_ref().and_then(|call| call.parts.last()), Some(CallPart::Field(field)) if field.after.contains(note));
        if !note.is_empty() && !after_field {
            self.part(CallPart::Note(note));
        }
    }

    fn finish(&mut self, closed: bool) {
        if let Some(mut call) = self.open.take() {
            call.closed = closed;
            if call.fields().next().is_none() {
                return;
            }
            self.res.push(Piece::Call(call));
        }
    }
}

/// Returns true if only a bullet, brackets or a short label precedes a key.
fn is_bare(before: &str) -> bool {
    let before = before.trim();
    let body = strip_bullet(before).unwrap_or(before).trim();
    body.trim_matches(['(', '（', '`', '*', '"', ',', '，'])
        .is_empty()
        || (body.starts_with(['(', '（']) && body.ends_with([':', '：']) && body.len() < 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks pieces in short form: `|line`, `[key=value …]` for a call, `key=value` for a loose
    /// field.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found: Vec<String> = read(text).iter().map(show).collect();
        assert_eq!(found.join(" "), expected);
    }

    fn show(piece: &Piece<'_>) -> String {
        match piece {
            Piece::Line(line) => format!("|{}", line.text),
            Piece::Loose(_, field) => format!("{}={}", field.key, field.value),
            Piece::Call(call) => {
                let parts: Vec<String> = call.parts.iter().map(show_part).collect();
                format!(
                    "[{}{}]",
                    parts.join(" "),
                    if call.closed { "" } else { "…" }
                )
            }
        }
    }

    fn show_part(part: &CallPart<'_>) -> String {
        match part {
            CallPart::Field(field) => format!("{}={}", field.key, field.value),
            CallPart::Note(note) => format!("//{note}"),
        }
    }

    #[test]
    fn lines_and_blocks_alternate() {
        check(
            "说明\n<<<[TOOL_REQUEST]>>>\na:「始」1「末」,\nb:「始」x\ny「末」\n<<<[END_TOOL_REQUEST]>>>\n完",
            "|说明 [a=1 b=x\ny] |完",
        );
    }

    #[test]
    fn notes_inside_a_block_are_kept() {
        check(
            "<<<[TOOL_REQUEST]>>>\na:「始」1「末」\n(可选参数):\nb:「始」2「末」\n<<<[END_TOOL_REQUEST]>>>",
            "[a=1 //(可选参数): b=2]",
        );
    }

    #[test]
    fn a_block_without_end_still_gives_its_fields() {
        check("<<<[TOOL_REQUEST]>>>\na:「始」1「末」", "[a=1…]");
    }

    #[test]
    fn fields_outside_of_blocks() {
        check(
            "3. a:「始」[x]「末」 (必需)\n4. b:「始」y「末」",
            "a=[x] b=y",
        );
        check(
            "```\na:「始」1「末」,\nb:「始」2「末」\n```",
            "|``` [a=1 b=2…] | |```",
        );
    }

    #[test]
    fn marks_inside_a_sentence_are_prose() {
        check(
            "- a: 例如 b:「始」x「末」 表示",
            "|a: 例如 b:「始」x「末」 表示",
        );
    }
}
