//! The arguments that a command names: `argument-hint` and `arguments` of its frontmatter.

mod numbered;
mod parts;

use std::collections::BTreeMap;

use crate::piece::{PieceKind, Selector};
use crate::{Dialect, FirstIndex, Template};
pub use parts::Argument;
pub(crate) use parts::WHOLE;
use parts::{choices, slug};

/// Reads `argument-hint`: `<file>` and `file` are required, `[mode]` is optional, `a|b` lists
/// values, `NAME=<value>` is the argument `NAME`, `--flag` keeps its hyphens, and `$1 = file` explains
/// a number. A hint in sentences becomes the description of one argument.
///
/// ```
/// let read = plugin_template::read_hint("<file> [fast|slow] [--dry-run]");
/// let names: Vec<_> = read.iter().map(|a| (a.name.as_str(), a.required)).collect();
/// assert_eq!(names, [("file", true), ("mode", false), ("--dry-run", false)]);
/// assert_eq!(read[1].choices, ["fast", "slow"]);
/// ```
pub fn read_hint(hint: &str) -> Vec<Argument> {
    let hint = hint.trim();
    if let Some(numbered) = numbered::read(hint) {
        return numbered;
    }
    let items = items(hint);
    let n_bare = items.iter().filter(|item| item.brackets.is_none()).count();
    if n_bare > MAX_BARE || items.len() > MAX_ARGUMENTS || is_sentence(&items) {
        let mut whole = Argument::new(WHOLE, false);
        hint.clone_into(&mut whole.description);
        return vec![whole];
    }
    if let Some(mode) = alternatives(hint) {
        return vec![mode];
    }
    let mut res: Vec<Argument> = Vec::new();
    let mut flag = "";
    for item in &items {
        // `--depth <n>` is one argument, with the name of the flag.
        if let (false, Some('<'), Some(last)) = (flag.is_empty(), item.brackets, res.last_mut()) {
            last.description = format!("{flag} {}", item.text.trim());
            flag = "";
            continue;
        }
        let is_flag = item.brackets.is_none() && item.text.starts_with('-') && is_name(item.text);
        flag = if is_flag { item.text } else { "" };
        if let (true, Some(last)) = (item.is_remark(), res.last_mut()) {
            last.required &= !item.text.starts_with("optional");
            let space = if last.description.is_empty() {
                ""
            } else {
                ", "
            };
            last.description = format!("{}{space}{}", last.description, item.text.trim());
            continue;
        }
        let Some(mut argument) = item.argument() else {
            continue;
        };
        let n_same = res
            .iter()
            .filter(|other| other.name == argument.name)
            .count();
        if n_same > 0 {
            argument.name = format!("{}-{}", argument.name, n_same + 1);
        }
        res.push(argument);
    }
    res
}

impl Template {
    /// Returns the arguments of the prompt: those that it declares, else those that its
    /// placeholders name, else those of the hint. Numbers without a hint are `argument-1` and so
    /// on; a prompt that takes the whole line has one argument, `arguments`.
    ///
    /// ```
    /// use plugin_template::{Dialect, Template};
    ///
    /// let template = Template::parse("Make ${input:form:Its name}.", Dialect::Copilot, &[]);
    /// let read = template.arguments("");
    /// assert_eq!((read[0].name.as_str(), read[0].description.as_str()), ("form", "Its name"));
    /// ```
    pub fn arguments(&self, hint: &str) -> Vec<Argument> {
        let hinted = read_hint(hint);
        let mut res = if !self.names().is_empty() {
            named_arguments(self.names(), hint)
        } else if self.used_names().is_empty() {
            hinted
        } else {
            self.inputs(&hinted)
        };
        let first = match self.first_index(res.len()) {
            FirstIndex::Known(first) => first,
            FirstIndex::Unsure => 1,
        };
        let highest = self.used_indices().last().copied();
        let n_used = highest.map_or(0, |highest| (highest + 1).saturating_sub(first));
        // A sentence is about all that is typed, and a number is one word of that.
        let is_hint = n_used > 0 && self.names().is_empty();
        let whole = res.pop_if(|it| is_hint && it.name == WHOLE && !it.description.is_empty());
        for number in res.len()..n_used {
            res.push(Argument::new(format!("argument-{}", number + 1), false));
        }
        match (whole, &mut res[..]) {
            (Some(whole), [only]) => only.description = whole.description,
            (whole, _) => res.extend(whole),
        }
        if res.is_empty() && (self.is_about_arguments() || self.dialect().appends_arguments()) {
            res.push(Argument::new(WHOLE, false));
        }
        res
    }

    /// Returns the arguments that placeholders name, with what the hint says about them.
    fn inputs(&self, hinted: &[Argument]) -> Vec<Argument> {
        let mut hints: BTreeMap<&str, &str> = BTreeMap::new();
        for piece in self.placeholders() {
            if let PieceKind::Argument {
                selector: Selector::Name(name),
                hint: Some(hint),
            } = &piece.kind
            {
                hints.entry(name).or_insert(hint);
            }
        }
        let arguments = self.used_names().into_iter().map(|name| {
            let known = hinted.iter().find(|argument| argument.name == name);
            let mut res = known.cloned().unwrap_or_else(|| Argument::new(name, true));
            if let Some(hint) = hints.get(name).filter(|_| res.description.is_empty()) {
                (*hint).clone_into(&mut res.description);
            }
            // Codex refuses a prompt if a name is missing, whatever the hint says.
            res.required |= self.dialect() == Dialect::Codex;
            res
        });
        arguments.collect()
    }
}

/// Returns the arguments that `arguments` declares. Their descriptions and choices come from the
/// hint, if it has as many.
///
/// ```
/// let names = ["issue".to_owned(), "branch".to_owned()];
/// let read = plugin_template::named_arguments(&names, "<issue> [main|dev]");
/// assert_eq!((read[1].name.as_str(), read[1].choices.len()), ("branch", 2));
/// ```
pub fn named_arguments(names: &[String], hint: &str) -> Vec<Argument> {
    let hinted = read_hint(hint);
    let fits = hinted.len() == names.len();
    let arguments = names.iter().enumerate().map(|(at, name)| {
        let mut res = Argument::new(name, false);
        if fits {
            let hint = &hinted[at];
            (res.required, res.choices) = (hint.required, hint.choices.clone());
            if hint.name != *name && hint.choices.is_empty() {
                res.description.clone_from(&hint.name);
            }
        }
        res
    });
    arguments.collect()
}

/// More words without brackets than this are a sentence.
const MAX_BARE: usize = 3;
/// More arguments than this are a sentence, too.
const MAX_ARGUMENTS: usize = 20;

/// A part of a hint.
struct Item<'a> {
    brackets: Option<char>,
    text: &'a str,
}

/// Splits a hint at blanks outside of brackets.
fn items(hint: &str) -> Vec<Item<'_>> {
    let mut res = Vec::new();
    let mut rest = hint.trim_start();
    while let Some(first) = rest.chars().next() {
        let close = match first {
            '<' => Some('>'),
            '[' => Some(']'),
            '(' => Some(')'),
            '{' => Some('}'),
            _ => None,
        };
        let end = close.and_then(|close| closing(rest, first, close));
        let (item, end) = match end {
            Some(end) => (
                Item {
                    brackets: Some(first),
                    text: &rest[1..end],
                },
                end + 1,
            ),
            None => {
                let end = bare_end(rest);
                (
                    Item {
                        brackets: None,
                        text: &rest[..end],
                    },
                    end,
                )
            }
        };
        res.push(item);
        rest =
            rest[end..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '|'));
    }
    res
}

/// Returns true for words that begin as a sentence does: `Optional feature description`.
fn is_sentence(items: &[Item<'_>]) -> bool {
    let [first, second, ..] = items else {
        return false;
    };
    let is_word = |item: &Item<'_>| {
        item.brackets.is_none() && item.text.chars().all(|c| c.is_alphabetic() || c == '\'')
    };
    let mut chars = first.text.chars();
    let is_capital = chars.next().is_some_and(char::is_uppercase);
    is_capital
        && chars.all(char::is_lowercase)
        && is_word(first)
        && is_word(second)
        && second.text.starts_with(char::is_lowercase)
}

/// Returns the end of a word, in which brackets may hold blanks: `NAME=<a b>`.
fn bare_end(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.saturating_sub(1),
            c if c.is_whitespace() && depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// Returns the position of the bracket that closes the first one.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Reads `add <name> | remove`, in which a bar between blanks separates what can be written.
fn alternatives(hint: &str) -> Option<Argument> {
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for c in hint.chars() {
        match c {
            '<' | '[' | '(' | '{' => depth += 1,
            '>' | ']' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if c != '|' || depth > 0 => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    let is_apart = |pair: &[String]| pair[0].ends_with(' ') && pair[1].starts_with(' ');
    if depth > 0 || parts.len() < 2 || !parts.windows(2).all(is_apart) {
        return None;
    }
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
    let is_plain = |part: &&str| !part.is_empty() && !part.contains([' ', '[', '<', '(', '{']);
    let mut res = Argument::new("mode", !parts.iter().all(|part| part.starts_with('[')));
    if parts.iter().all(is_plain) {
        res.choices = parts.into_iter().map(str::to_owned).collect();
    } else {
        hint.clone_into(&mut res.description);
    }
    Some(res)
}

impl Item<'_> {
    /// Returns true for a remark on the argument before it: `(default: main)`, `(optional)`.
    fn is_remark(&self) -> bool {
        let starts = ["optional", "default", "e.g.", "i.e."];
        let is_known = starts.iter().any(|start| self.text.starts_with(start));
        self.brackets == Some('(') && (is_known || self.text.trim().contains(' '))
    }

    fn argument(&self) -> Option<Argument> {
        let is_optional = matches!(self.brackets, Some('[' | '('));
        let mut text = self.text.trim();
        for (open, close) in [('<', '>'), ('[', ']')] {
            let inner = text
                .strip_prefix(open)
                .and_then(|text| text.strip_suffix(close));
            text = inner.unwrap_or(text).trim();
        }
        if let Some((name, value)) = text.split_once('=')
            && is_name(name)
        {
            let mut res = Argument::new(name, !is_optional);
            let value = value.trim_matches(['<', '>', '[', ']']);
            res.choices = choices(value);
            if res.choices.is_empty() {
                value.trim().clone_into(&mut res.description);
            }
            return Some(res);
        }
        let text = text.trim_end_matches(['.', '…', '?', '*', '+']).trim();
        if let Some(flag) = flag_with_value(text, !is_optional) {
            return Some(flag);
        }
        let choices = choices(text);
        if !choices.is_empty() {
            let mut res = Argument::new("mode", !is_optional);
            if choices.iter().all(|choice| !choice.contains(' ')) {
                res.choices = choices;
            } else {
                text.clone_into(&mut res.description);
            }
            return Some(res);
        }
        let (name, description) = text.split_once(':').unwrap_or((text, ""));
        let slug = slug(before_example(name));
        if slug.is_empty() {
            return None;
        }
        let mut res = Argument::new(slug, !is_optional);
        // Words that the name has already say nothing.
        let is_said = name.trim().replace(' ', "-") == res.name;
        res.description = if description.is_empty() && !is_said && name.contains(' ') {
            name.to_owned()
        } else {
            description.trim().to_owned()
        };
        Some(res)
    }
}

/// Reads `--level low|high` and `--last N`: the argument has the name of the flag.
fn flag_with_value(text: &str, is_required: bool) -> Option<Argument> {
    let (flag, value) = text.split_once(' ')?;
    let is_flag = flag.starts_with('-') && is_name(flag);
    let values = choices(value);
    if !is_flag || values.iter().any(|value| value.contains(' ')) {
        return None;
    }
    let mut res = Argument::new(flag, is_required);
    if values.is_empty() {
        text.clone_into(&mut res.description);
    }
    res.choices = values;
    Some(res)
}

/// Returns the words before an example or a remark: `goal, e.g. to write` is a `goal`.
fn before_example(text: &str) -> &str {
    let ends = [", ", " (", " e.g.", " i.e.", "，", "（"];
    let end = ends.iter().filter_map(|end| text.find(end)).min();
    let before = &text[..end.unwrap_or(text.len())];
    if before.trim().is_empty() {
        text
    } else {
        before
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the arguments of a hint, each as `name`, `name?` for optional ones and
    /// `name=a|b` for lists of values.
    #[track_caller]
    fn check(hint: &str, expected: &str) {
        let shown = read_hint(hint).into_iter().map(|argument| {
            let mark = if argument.required { "" } else { "?" };
            let choices = argument.choices.join("|");
            let equals = if choices.is_empty() { "" } else { "=" };
            format!("{}{mark}{equals}{choices}", argument.name)
        });
        assert_eq!(shown.collect::<Vec<_>>().join(" "), expected, "{hint}");
    }

    #[test]
    fn reads_the_hints_of_real_commands() {
        check("[number]", "number?");
        check("[FILES=<paths>] [PR_TITLE=<title>]", "FILES? PR_TITLE?");
        check("<issue-number> [branch]", "issue-number branch?");
        check("FILE=<path> BRANCH=<name>", "FILE BRANCH");
        check("[--fix] [--level low|high]", "--fix? --level?=low|high");
        check("[--last N] [-v]", "--last? -v?");
        check("<file> --depth <n> [--fast]", "file --depth --fast?");
        check("[a|b|--level AA|AAA]", "mode?");
        check("<goal, e.g. 'tune a model'> [file (a path)]", "goal file?");
        check("add|remove|list", "mode=add|remove|list");
        check("[add | remove]", "mode?=add|remove");
        check(
            "<file path> [what to look for...]",
            "file-path what-to-look-for?",
        );
        check("[target=staging|production]", "target?=staging|production");
        check("<file> <file>", "file file-2");
        check("describe what you want to build here", "arguments?");
        check("Optional feature description", "arguments?");
        check("FILE mode", "FILE mode");
        check("a.md | status | resume", "mode=a.md|status|resume");
        check("[--all] | [--max]", "mode?");
        check("add <name> | remove", "mode");
        check("[dir] (default: ./x)", "dir?");
        check("<file> (optional) [level]", "file? level?");
        check("", "");
        check("[", "");
        check("目标文件", "目标文件");
    }
}
