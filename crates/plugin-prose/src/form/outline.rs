//! Walks through the pieces of a description and passes each to its production.

use std::collections::BTreeMap;

use crate::fact::Facts;
use crate::form::entry::{Entry, line_values, word_list};
use crate::form::list_line::{self, ListLine, Trust};
use crate::form::mention::Place;
use crate::form::section::{self, SELECTORS, Section};
use crate::form::{
    calls, columns, docstring, inline, mention, mode, prose, selector, signature, table, yaml,
};
use crate::lex::line::Line;
use crate::lex::names::Names;
use crate::lex::pieces::Piece;
use crate::param::{Form, Need};

/// The maximum number of declarations, and of values of one parameter (`MAX_VALUES`); further ones
/// are left out and reported.
pub(crate) const MAX_ENTRIES: usize = 4096;
pub(crate) const MAX_VALUES: usize = 256;

/// The declarations in the prose of one command.
#[derive(Clone, Default, Debug)]
pub(crate) struct Outline {
    /// Declarations in the order of the text.
    pub(crate) entries: Vec<Entry>,
    /// Arguments that the text fixes to one value.
    pub(crate) consts: Vec<(String, String)>,
    /// Values listed under headings or in tables, by parameter.
    pub(crate) values: BTreeMap<String, Vec<String>>,
    /// Remarks of running text about names that other forms declare.
    pub(crate) remarks: Vec<Entry>,
    /// True if a list had more values than are kept.
    pub(crate) cut: bool,
    /// Names that running text demands.
    pub(crate) demanded: Vec<Names>,
}

/// Reads the pieces of a description.
pub(crate) fn read(pieces: &[Piece<'_>]) -> Outline {
    let mut walker = Walker::default();
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        if walker.res.entries.len() > MAX_ENTRIES {
            break;
        }
        if let Some((entry, taken)) = yaml::read(&pieces[at..])
            .filter(|_| matches!(walker.section, Section::Open | Section::Params(_)))
        {
            walker.end_table();
            walker.parent = None;
            walker.res.entries.push(entry);
            at += taken;
            continue;
        }
        at += 1;
        match piece {
            Piece::Line(line) => walker.line(line),
            Piece::Loose(indent, field) => walker.loose(*indent, field),
            Piece::Call(call) => walker.call(call.marked),
        }
    }
    walker.end_table();
    mode::apply(&mut walker.res.entries);
    walker.res
}

#[derive(Default)]
struct Walker<'a> {
    res: Outline,
    section: Section,
    /// The indentation of the last parameter, as long as lines below may belong to it.
    parent: Option<usize>,
    /// Conditions that sub-headings state, with their indentation.
    conditions: Vec<(usize, String)>,
    rows: Vec<Vec<&'a str>>,
    /// The mode that the last heading names.
    mode: Option<String>,
    /// The operation that the last marked heading names.
    operation: Option<String>,
    /// True if the last heading declared a parameter, which the lines below describe.
    titled: bool,
    /// The indentation of a bulleted parameter whose siblings are read as parameters.
    siblings: Option<usize>,
    /// The indentation of an item that is not a parameter, such as a tool with arguments of its own.
    foreign: Option<usize>,
    /// The last line that was not a heading; a line of dashes below makes it one.
    last: &'a str,
}

impl<'a> Walker<'a> {
    fn line(&mut self, line: &Line<'a>) {
        if let Some(cells) = table::cells(line.text).filter(|_| !line.bullet) {
            self.rows.push(cells);
            return;
        }
        self.end_table();
        let last = std::mem::replace(&mut self.last, line.text);
        if line.text.starts_with("```") || line.is_blank() {
            self.siblings = self.siblings.filter(|_| !line.is_blank());
            return;
        }
        if line.is_underline() {
            self.underlined(last);
            return;
        }
        if self.foreign.is_some_and(|indent| line.indent > indent) {
            return;
        }
        self.foreign = None;
        if self.is_child(line) {
            self.child(line);
            return;
        }
        if let Some(mode) = mode::heading(line) {
            self.mode = Some(mode);
        } else if mode::ends(line) {
            self.mode = None;
        }
        if self.subheading(line) || self.titled(line) {
            return;
        }
        match section::read(line) {
            Some(heading) => self.heading(line, heading),
            None => self.content(line),
        }
    }

    /// Reads a heading with a line of dashes below it.
    fn underlined(&mut self, text: &str) {
        let line = format!("# {text}");
        if let Some(heading) = section::read(&Line::new(&line)).filter(|_| !text.is_empty()) {
            self.parent = None;
            self.section = heading.section;
        }
    }

    /// Returns true if a line belongs to the parameter above it.
    fn is_child(&self, line: &Line<'_>) -> bool {
        self.parent
            .is_some_and(|indent| line.indent > indent && !self.res.entries.is_empty())
    }

    fn child(&mut self, line: &Line<'_>) {
        let values = if line.bullet {
            line_values(line.text)
        } else {
            Vec::new()
        };
        if let Some(entry) = self.res.entries.last_mut() {
            let listed = entry.text.trim_end().ends_with([':', '：']) || !entry.values.is_empty();
            if listed && !values.is_empty() {
                let room = MAX_VALUES.saturating_sub(entry.values.len());
                self.res.cut |= values.len() > room;
                entry.values.extend(values.into_iter().take(room));
            } else if line.bullet {
                entry.push_below(&values);
                entry.push_note(line.text);
            } else {
                entry.push_text(line.text);
            }
        }
    }

    fn heading(&mut self, line: &Line<'a>, heading: section::Heading<'a>) {
        self.parent = None;
        self.siblings = None;
        self.conditions.retain(|(indent, _)| *indent < line.indent);
        if !heading.operations.is_empty() {
            let values = self.res.values.entry(SELECTORS[0].to_owned()).or_default();
            self.operation = heading
                .operations
                .first()
                .filter(|name| {
                    heading.operations.len() == 1 && selector::names_section(line.text, name)
                })
                .cloned();
            values.extend(heading.operations);
        }
        if heading.section == Section::Other && line.text.starts_with(['#', '*', '【']) {
            self.operation = selector::operation(line.text);
        }
        if let Some((name, value)) = selector::selected(line.text).filter(|_| !line.bullet) {
            self.operation = Some(value.to_owned());
            self.res
                .values
                .entry(name.to_owned())
                .or_default()
                .push(value.to_owned());
        }
        let inline = !heading.rest.is_empty();
        if inline && matches!(heading.section, Section::Params(_)) {
            self.inline(line.text);
        }
        let one_line = inline && matches!(heading.section, Section::Params(_) | Section::Returns);
        if one_line && heading.section == self.section {
            return;
        }
        self.section = if one_line {
            Section::Other
        } else {
            heading.section
        };
    }

    /// Reads a condition for the lines below it: `- **如果 mode 是 x：**`.
    fn subheading(&mut self, line: &Line<'_>) -> bool {
        let text = line.text.replace("**", "");
        let text = text.trim_end();
        let Some(label) = text.strip_suffix([':', '：']).filter(|_| line.bullet) else {
            return false;
        };
        self.conditions.retain(|(indent, _)| *indent < line.indent);
        let conditional = [
            "如果", "若", "当", "仅", "if ", "when ", "for ", "If ", "When ", "For ",
        ]
        .iter()
        .any(|cue| label.starts_with(cue))
            || label.ends_with('时')
            || label.ends_with("模式");
        if conditional {
            self.parent = None;
            self.conditions.push((line.indent, label.trim().to_owned()));
        }
        conditional
    }

    /// Reads a heading that declares a parameter, which the lines below describe: ``### `file`
    /// (string, required)``.
    fn titled(&mut self, line: &Line<'_>) -> bool {
        let text = line.text.trim_start_matches('#');
        if text.len() == line.text.len() {
            if let (true, false, Some(entry)) =
                (self.titled, line.bullet, self.res.entries.last_mut())
            {
                entry.push_text(line.text);
                return true;
            }
            self.titled = false;
            return false;
        }
        self.titled = false;
        if self.section == Section::Returns {
            return false;
        }
        if let Some(ListLine::Param(entry)) = list_line::read(text.trim(), true, Trust::Stated)
            && entry.form == Form::A1
        {
            self.push(*entry, line.indent);
            self.parent = None;
            self.titled = true;
        }
        self.titled
    }

    fn content(&mut self, line: &Line<'a>) {
        if self.section == Section::Returns {
            return;
        }
        if self.section_values(line) {
            return;
        }
        if let Some(entry) = docstring::read(line.text) {
            self.push(entry, line.indent);
            return;
        }
        let declared = if line.bullet || !self.res.entries.is_empty() {
            Vec::new()
        } else {
            signature::read(line.text)
        };
        if !declared.is_empty() {
            self.res.entries.extend(declared);
            return;
        }
        if let Some(entry) = columns::read(line.text) {
            self.push(entry, line.indent);
            return;
        }
        let sibling = line.bullet
            && self.siblings == Some(line.indent)
            && !list_line::is_remark_line(line.text);
        let trust = if sibling { Trust::Listed } else { self.trust() };
        self.siblings = self.siblings.filter(|_| sibling);
        match list_line::read(line.text, line.bullet, trust) {
            Some(ListLine::Param(entry)) => {
                if line.bullet && entry.form >= Form::B1 {
                    self.siblings = Some(line.indent);
                }
                self.mentions(&entry.text, Place::Description);
                self.push(*entry, line.indent);
            }
            Some(ListLine::Const(key, value)) => {
                self.parent = None;
                self.res.consts.push((key, value));
            }
            None => {
                self.parent = None;
                // After the parameters, names in a list are those of something else.
                let is_foreign = line.bullet
                    && line.text.starts_with('`')
                    && self.section == Section::Other
                    && !self.res.entries.is_empty();
                self.foreign = is_foreign.then_some(line.indent);
                if matches!(self.section, Section::Params(_)) {
                    self.res.entries.extend(inline::way(line.text).entries);
                }
                self.inline(line.text);
                self.selected(line.text);
                self.mentions(line.text, Place::Text);
            }
        }
    }

    fn trust(&self) -> Trust {
        match self.section {
            Section::Params(_) => Trust::Listed,
            Section::Open => Trust::Ticked,
            _ => Trust::Stated,
        }
    }

    /// Reads a line below a heading of values as a value.
    fn section_values(&mut self, line: &Line<'_>) -> bool {
        let Section::Values(names) = &self.section else {
            return false;
        };
        let values = if line.bullet && !calls::ends_with_need(line.text) {
            line_values(line.text)
        } else {
            word_list(line.text)
        };
        if values.is_empty() {
            return false;
        }
        for name in names {
            let known = self.res.values.entry(name.clone()).or_default();
            let room = MAX_VALUES.saturating_sub(known.len());
            self.res.cut |= values.len() > room;
            known.extend(values.iter().take(room).cloned());
        }
        let when = names.first().map(|name| format!("{name} = {}", values[0]));
        let known = self.res.entries.len();
        self.inline(line.text);
        for entry in &mut self.res.entries[known..] {
            entry.when.clone_from(&when);
        }
        true
    }

    fn inline(&mut self, text: &str) {
        let found = inline::read(text);
        self.res.entries.extend(found.entries);
        self.res.consts.extend(found.consts);
    }

    /// Reads `- action=add：…` as a value of the selector.
    fn selected(&mut self, text: &str) {
        if let Some(name) = selector::selects(text) {
            self.res
                .entries
                .push(Entry::single(name, Facts::default(), "", Form::C));
        }
        if let Some((name, values)) = selector::selector_values(text) {
            self.res
                .entries
                .push(Entry::single(name, Facts::default(), "", Form::P));
            self.res
                .values
                .entry(name.to_owned())
                .or_default()
                .extend(values);
        }
        if let Some((name, value)) = selector::selected(text) {
            let known = self.res.values.entry(name.to_owned()).or_default();
            if known.len() < MAX_VALUES {
                known.push(value.to_owned());
            } else {
                self.res.cut = true;
            }
        }
    }

    fn mentions(&mut self, text: &str, place: Place) {
        let found = mention::read(text, place);
        self.res.entries.extend(found.entries);
        self.res.demanded.extend(found.demanded);
        if place == Place::Text {
            let found = prose::read(text);
            self.res.entries.extend(found.entries);
            self.res.remarks.extend(found.remarks);
            if let Some((name, value)) = selector::fixed(text) {
                self.fix(name, value);
            }
        }
    }

    /// Records a fixed value; a selector with two values has no fixed one.
    fn fix(&mut self, name: &str, value: String) {
        let known = self.res.consts.len();
        self.res
            .consts
            .retain(|(key, other)| key != name || *other == value);
        if self.res.consts.len() == known {
            self.res.consts.push((name.to_owned(), value));
        }
    }

    fn loose(&mut self, indent: usize, field: &crate::lex::call::Field<'a>) {
        self.end_table();
        self.conditions.retain(|(outer, _)| *outer < indent);
        self.parent = None;
        let entry = calls::loose_entry(field);
        self.push(entry, indent);
        self.parent = None;
    }

    fn push(&mut self, mut entry: Entry, indent: usize) {
        if let Section::Params(Some(need)) = &self.section {
            entry.section_need = Some(need.clone());
        }
        entry.when = self
            .conditions
            .iter()
            .rfind(|(outer, _)| *outer < indent)
            .map(|(_, text)| text.clone());
        entry.operation.clone_from(&self.operation);
        entry.mode.clone_from(&self.mode);
        self.parent = Some(indent);
        self.res.entries.push(entry);
    }

    /// Reads a block, which ends a list of parameters.
    fn call(&mut self, marked: bool) {
        self.end_table();
        self.parent = None;
        if marked && matches!(self.section, Section::Params(_) | Section::Values(_)) {
            self.section = Section::Other;
        }
    }

    fn end_table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() || self.section == Section::Returns {
            return;
        }
        let found = table::read(&rows);
        for mut entry in found.entries {
            if let (None, None, Section::Params(Some(need))) =
                (&entry.attrs.need, &entry.section_need, &self.section)
            {
                entry.section_need = Some(Need::clone(need));
            }
            entry.operation.clone_from(&self.operation);
            entry.mode.clone_from(&self.mode);
            self.res.entries.push(entry);
        }
        if let Some((name, values)) = found.values {
            let known = self.res.values.entry(name).or_default();
            if known.is_empty() {
                *known = values;
            }
        }
    }
}

#[cfg(test)]
mod tests;
