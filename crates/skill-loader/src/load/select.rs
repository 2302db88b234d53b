//! Selecting a part of a text.

use std::borrow::Cow;
use std::ops::Range;

use skill_diagnostics::Diagnostic;
use skill_model::Digest;

use super::{BeyondLimit, Limits, LoadError, Strategy, codes, cursor};
use crate::text::{Outline, Section, page, trim};

/// The requested part of a text; the default requests all of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Selection {
    /// A heading: `## 指标定义`, `Usage`, `Usage/Options`.
    pub section: Option<String>,
    /// The cursor of an earlier read; takes precedence over `section`.
    pub cursor: Option<String>,
}

/// A text that was read, with its properties.
pub(super) struct Source<'t> {
    /// The name for messages.
    pub(super) path: &'t str,
    pub(super) text: &'t str,
    pub(super) digest: Digest,
    pub(super) is_body: bool,
}

/// The selected part.
pub(super) struct Excerpt<'t> {
    pub(super) text: Cow<'t, str>,
    /// The range of the text it comes from.
    pub(super) range: Range<usize>,
    pub(super) strategy: Strategy,
    pub(super) section: Option<String>,
    /// The range that a cursor continues with.
    pub(super) next: Option<Range<usize>>,
    pub(super) sections: Vec<String>,
    pub(super) findings: Vec<Diagnostic>,
}

impl<'t> Source<'t> {
    pub(super) fn choose(
        &self,
        selection: &Selection,
        limits: &Limits,
    ) -> Result<Excerpt<'t>, LoadError> {
        let mut chosen = match (&selection.cursor, &selection.section) {
            (Some(cursor), _) => self.page(cursor, limits)?,
            (None, Some(section)) => self.section(section, limits),
            (None, None) if self.fits(limits) => self.part(Strategy::Whole, 0..self.text.len()),
            (None, None) if limits.beyond == BeyondLimit::Reject => {
                return Err(self.too_large(limits));
            }
            (None, None) if self.is_body => self.trimmed(limits),
            (None, None) => self.opening(limits),
        };
        if chosen.next.is_some() && chosen.sections.is_empty() {
            chosen.sections = Outline::new(self.text).names();
        }
        Ok(chosen)
    }

    /// Returns whether the whole text may be returned.
    fn fits(&self, limits: &Limits) -> bool {
        let within = |max: usize| self.text.len() <= max || self.text.chars().count() <= max;
        if self.is_body {
            within(limits.body_chars) && self.text.lines().count() <= limits.body_lines
        } else {
            within(limits.excerpt_chars)
        }
    }

    fn part(&self, strategy: Strategy, range: Range<usize>) -> Excerpt<'t> {
        Excerpt {
            text: Cow::Borrowed(&self.text[range.clone()]),
            range,
            strategy,
            section: None,
            next: None,
            sections: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Returns as much of `range` as an excerpt may have.
    fn excerpt(&self, strategy: Strategy, range: Range<usize>, limits: &Limits) -> Excerpt<'t> {
        let end = range.end;
        let page = page(self.text, range, limits.excerpt_chars);
        let mut chosen = self.part(strategy, page.range);
        chosen.next = page.next.map(|next| next..end);
        chosen
    }

    fn page(&self, cursor: &str, limits: &Limits) -> Result<Excerpt<'t>, LoadError> {
        let Some(range) = cursor::read(cursor, &self.digest, self.text) else {
            return Err(LoadError::StaleCursor {
                path: self.path.to_owned(),
                cursor: cursor.to_owned(),
            });
        };
        Ok(self.excerpt(Strategy::Page, range, limits))
    }

    fn section(&self, wanted: &str, limits: &Limits) -> Excerpt<'t> {
        let outline = Outline::new(self.text);
        if let Some(section) = outline.find(wanted) {
            let mut chosen = self.excerpt(Strategy::Section, section.range.clone(), limits);
            chosen.section = Some(section.name());
            return chosen;
        }
        let mut chosen = self.excerpt(Strategy::Beginning, 0..self.text.len(), limits);
        chosen.sections = outline.names();
        let message = format!(
            "no section is called `{}`; this is the beginning of the text",
            wanted.escape_debug()
        );
        let finding = Diagnostic::error(codes::SECTION_NOT_FOUND, message).in_file(self.path);
        let known = outline.sections.iter().map(|section| &*section.title);
        let help = skill_diagnostics::nearest(wanted, known);
        chosen.findings.push(match help {
            Some(title) => finding.with_help(format!("did you mean `{title}`?")),
            None => finding,
        });
        chosen
    }

    fn trimmed(&self, limits: &Limits) -> Excerpt<'t> {
        let outline = Outline::new(self.text);
        let text = trim(self.text, &outline, limits.body_chars, limits.body_lines);
        let mut chosen = self.part(Strategy::Trim, 0..self.text.len());
        chosen.text = Cow::Owned(text);
        chosen.sections = outline.names();
        chosen.next = Some(0..self.text.len());
        chosen
    }

    /// Returns the overview section, or the beginning.
    fn opening(&self, limits: &Limits) -> Excerpt<'t> {
        let all = 0..self.text.len();
        let outline = Outline::new(self.text);
        let Some(section) = outline.overview() else {
            return self.excerpt(Strategy::Beginning, all, limits);
        };
        let mut chosen = self.excerpt(Strategy::Overview, section.range.clone(), limits);
        chosen.section = Some(section.name());
        chosen.next = Some(all);
        chosen
    }

    fn too_large(&self, limits: &Limits) -> LoadError {
        let path = self.path.to_owned();
        if !self.is_body {
            return LoadError::FileTooLarge {
                path,
                limit: format!("{} characters", limits.excerpt_chars),
                help: "ask for a section, or read it in pages".to_owned(),
            };
        }
        LoadError::FileTooLarge {
            path,
            limit: format!(
                "{} lines or {} characters",
                limits.body_lines, limits.body_chars
            ),
            help: self.what_to_move(),
        }
    }

    /// Names the sections whose removal helps most.
    fn what_to_move(&self) -> String {
        let outline = Outline::new(self.text);
        let size = |section: &Section| self.text[section.range.clone()].chars().count();
        let levels = outline.sections.iter().map(|section| section.level);
        let level = levels.filter(|level| *level > 1).min();
        let mut largest: Vec<(usize, &Section)> = outline
            .sections
            .iter()
            .map(|section| (size(section), section))
            .filter(|(_, section)| Some(section.level) == level)
            .collect();
        largest.sort_by_key(|(size, section)| (usize::MAX - size, section.range.start));
        let names = largest.iter().take(3);
        let names: Vec<String> = names
            .map(|(size, section)| format!("`{}` ({size} characters)", section.name()))
            .collect();
        if names.is_empty() {
            return "move parts of it to references/".to_owned();
        }
        format!("move to references/: {}", names.join(", "))
    }
}
