//! A declaration as one production reads it, before it is known which names are aliases.

use serde_json::Value;

use crate::fact::{self, Facts, choice};
use crate::form::section::SELECTORS;
use crate::lex::chars::{head, in_name, is_cjk, starts_name};
use crate::lex::names::Names;
use crate::param::{Default, Form, Need, Param, Type};
use crate::relation;

/// The maximum number of lines below an entry that are values.
const MAX_BELOW: usize = 64;
/// The maximum length of the text of one entry, in bytes.
const MAX_TEXT: usize = 4000;

/// A declaration.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The names.
    pub(crate) names: Names,
    /// The facts in brackets or columns.
    pub(crate) attrs: Facts,
    /// The description, with the lines that continue it.
    pub(crate) text: String,
    /// The production.
    pub(crate) form: Form,
    /// The need that the heading states for all.
    pub(crate) section_need: Option<Need>,
    /// The condition under which the whole list applies.
    pub(crate) when: Option<String>,
    /// The mode whose heading the line is under.
    pub(crate) mode: Option<String>,
    /// The operation that a heading above names: `### 上传 (upload)`.
    pub(crate) operation: Option<String>,
    /// Lines below that describe the parameter without stating facts about it, such as keys of an
    /// object.
    pub(crate) notes: String,
    /// Values listed below the line.
    pub(crate) values: Vec<String>,
    /// The first words of the lines below, as long as each line begins with one.
    pub(crate) below: Option<Vec<String>>,
}

impl Entry {
    /// Creates an entry with names and text.
    pub(crate) fn new(names: Names, attrs: Facts, text: &str, form: Form) -> Self {
        Self {
            names,
            attrs,
            text: head(text, MAX_TEXT).to_owned(),
            form,
            section_need: None,
            when: None,
            mode: None,
            operation: None,
            notes: String::new(),
            values: Vec::new(),
            below: Some(Vec::new()),
        }
    }

    /// Creates an entry with one name.
    pub(crate) fn single(name: &str, attrs: Facts, text: &str, form: Form) -> Self {
        Self::new(Names::single(name), attrs, text, form)
    }

    /// Adds a line that continues the description.
    pub(crate) fn push_text(&mut self, text: &str) {
        if self.text.len() < MAX_TEXT {
            self.text.push('\n');
            self.text.push_str(head(text, MAX_TEXT));
        }
    }

    /// Adds the word that a line below begins with.
    pub(crate) fn push_below(&mut self, values: &[String]) {
        match (&mut self.below, values) {
            (Some(below), [value]) if below.len() < MAX_BELOW => below.push(value.clone()),
            (below, _) => *below = None,
        }
    }

    /// Returns the values on the lines below a parameter such as `状态`, if the words say that it has
    /// one of few values.
    fn listed_below(&self, facts: &Facts) -> Option<&Vec<String>> {
        const FEW: [&str; 14] = [
            "status", "state", "mode", "type", "kind", "format", "level", "sort", "order",
            "method", "strategy", "priority", "style", "unit",
        ];
        let below = self.below.as_ref().filter(|below| below.len() > 1)?;
        let words = self
            .names
            .list
            .first()
            .map(|name| relation::words(name))
            .unwrap_or_default();
        let few = words
            .last()
            .is_some_and(|word| FEW.contains(&word.as_str()));
        let text = facts.types.is_empty() || facts.types == [Type::String];
        let selects = SELECTORS.contains(&self.names.list[0].as_str());
        (text && (few || selects) && !self.text.contains("JSON")).then_some(below)
    }

    /// Adds a line that only describes the parameter.
    pub(crate) fn push_note(&mut self, text: &str) {
        if self.notes.len() < MAX_TEXT {
            let is_stopped = |text: &str| {
                let last = text.trim_end().chars().next_back();
                last.is_none_or(|c| "，。；：、,.;:!！?？…".contains(c))
            };
            // Items of a list are apart in one line, too.
            let is_wide = text.chars().any(is_cjk);
            let is_first = self.notes.is_empty();
            let before = if is_first { &self.text } else { &self.notes };
            match (is_wide, is_first) {
                _ if is_stopped(before) => self.notes.push('\n'),
                (true, true) => self.notes.push('：'),
                (true, false) => self.notes.push('；'),
                (false, true) => self.notes.push_str(":\n"),
                (false, false) => self.notes.push_str(";\n"),
            }
            self.notes.push_str(head(text, MAX_TEXT));
        }
    }

    /// Returns the parameters of the declaration. `together` returns true if two names occur in one
    /// call.
    pub(crate) fn into_params(self, together: &dyn Fn(&str, &str) -> bool) -> Vec<Param> {
        let facts = self.facts();
        let several = relation::are_several(&self.names, &self.text, together);
        let template = self.template(facts);
        let mut names = self.names.list.into_iter();
        if several {
            return share(names.collect(), &template);
        }
        let name = names.next().unwrap_or_default();
        let mut res = Param { name, ..template };
        for alias in names.chain(relation::compatible_names(&self.text)) {
            if alias != res.name && !res.aliases.contains(&alias) {
                res.aliases.push(alias);
            }
        }
        vec![res]
    }

    /// Combines the facts of brackets and description; brackets take precedence.
    fn facts(&self) -> Facts {
        let mut res = fact::read_text(&self.text);
        if self.holds_anything() {
            res.choices.clear();
        }
        let condition = res
            .need
            .clone()
            .filter(|need| matches!(need, Need::When(_)));
        fact::absorb(&mut res, self.attrs.clone());
        // A bracket that states only that there is a condition, or that the argument is optional,
        // is weaker than the sentence after it.
        let vague = match &self.attrs.need {
            Some(Need::When(words)) => words.chars().count() <= 4,
            Some(Need::Optional) => true,
            _ => false,
        };
        if vague && condition.is_some() {
            res.need = condition;
        }
        if !res.form.is_empty() {
            // The values of a list are those of its items.
            res.choices.clear();
            let text = res.description.trim_end_matches(['。', '.', ' ']);
            let sign = if text.is_empty() { "" } else { "；" };
            res.description = format!("{text}{sign}{}", res.form);
        } else if self.lists_samples() {
            res.choices.clear();
        } else if !self.values.is_empty() {
            res.choices.clone_from(&self.values);
        } else if let Some(below) = self.listed_below(&res).filter(|_| res.choices.is_empty()) {
            res.choices.clone_from(below);
        }
        res
    }

    /// Returns true if the lines below are samples of a value: `检索表达式，例如：`.
    fn lists_samples(&self) -> bool {
        const CUES: [&str; 7] = [
            "例如",
            "比如",
            "如",
            "举例",
            "such as",
            "e.g.",
            "for example",
        ];
        let text = self.text.trim_end_matches([':', '：', ' ', '\n']);
        let has_list =
            !self.values.is_empty() || self.below.as_ref().is_some_and(|it| !it.is_empty());
        has_list && CUES.iter().any(|cue| text.to_lowercase().ends_with(cue))
    }

    /// Returns true for a parameter with free values: in `文件路径，支持 pdf、docx` the list names kinds of
    /// files, not values of the path.
    fn holds_anything(&self) -> bool {
        const FREE: [&str; 15] = [
            "path", "paths", "file", "files", "url", "urls", "uri", "link", "image", "images",
            "img", "content", "prompt", "query", "keyword",
        ];
        let closed = [
            "可选值",
            "可选",
            "取值",
            "枚举",
            "只能",
            "只允许",
            "必须是",
            "之一",
            "one of",
        ];
        let free = self.names.list.iter().any(|name| {
            relation::words(name)
                .iter()
                .any(|word| FREE.contains(&word.as_str()))
        });
        free && !closed.iter().any(|cue| self.text.contains(cue))
    }

    fn template(&self, facts: Facts) -> Param {
        let types = facts.types;
        let need = self.need(facts.need);
        let mut description = facts.description;
        // The sentence on a need that goes on with other parameters.
        if ["是必需的", "是必须的", "是必填的"]
            .iter()
            .any(|start| description.starts_with(start))
        {
            description.clear();
        }
        if self.lists_samples() {
            let description = &mut description;
            description.push(' ');
            description.push_str(&self.values.join("、"));
        }
        description.push_str(&self.notes);
        if let Some(Need::When(words)) = &need
            && !description.contains(words.as_str())
        {
            description = if description.is_empty() {
                words.clone()
            } else {
                format!("{description} ({words})")
            };
        }
        Param {
            choices: values(&facts.choices, &types),
            types,
            need,
            default: facts.default,
            description,
            numbered: self.names.numbered,
            ..Param::named("", self.form)
        }
    }

    /// Applies the condition of the list to the stated need.
    fn need(&self, stated: Option<Need>) -> Option<Need> {
        let need = stated.or_else(|| self.section_need.clone());
        let need = match need {
            Some(Need::Required) => {
                Some(alternative(&self.text).map_or(Need::Required, Need::When))
            }
            need => need,
        };
        match (need, &self.when) {
            (Some(Need::Required) | None, Some(when)) => Some(Need::When(when.clone())),
            (need, _) => need,
        }
    }
}

/// Returns the clause by which another parameter can take the place of this one: `与 b 二选一`.
fn alternative(text: &str) -> Option<String> {
    const WORDS: [&str; 6] = [
        "二选一",
        "三选一",
        "任选其一",
        "至少提供一个",
        "除非",
        "unless ",
    ];
    let mut clauses = text.split(['，', ',', '；', ';', '。', '\n', '（', '）']);
    let clause = clauses.find(|clause| WORDS.iter().any(|word| clause.contains(word)))?;
    Some(clause.trim().to_owned())
}

/// Creates several parameters from one line; `width/height: 默认 640x480` is a default for each.
fn share(names: Vec<String>, template: &Param) -> Vec<Param> {
    let text = match &template.default {
        Some(Default::Bare(text) | Default::Quoted(text)) => text.as_str(),
        _ => "",
    };
    let parts: Vec<&str> = text
        .split(['x', '×', '*', '/', ','])
        .map(str::trim)
        .collect();
    let split = parts.len() == names.len() && parts.iter().all(|part| !part.is_empty());
    let default = |at: usize| {
        if split {
            Some(Default::Bare(parts[at].to_owned()))
        } else {
            template.default.clone()
        }
    };
    names
        .into_iter()
        .enumerate()
        .map(|(at, name)| Param {
            name,
            default: default(at),
            ..template.clone()
        })
        .collect()
}

/// Returns choices as JSON of the declared type; none for types that have no lists of values.
pub(crate) fn values(choices: &[String], types: &[Type]) -> Vec<Value> {
    let figures = types.is_empty() && choices.iter().all(|choice| choice.parse::<f64>().is_ok());
    let numeric = figures
        || types
            .iter()
            .any(|found| matches!(found, Type::Integer | Type::Number));
    let open = types
        .iter()
        .any(|found| matches!(found, Type::Boolean | Type::Array | Type::Object))
        || (types.len() > 1 && numeric);
    if open || choices.len() < 2 {
        return Vec::new();
    }
    if numeric {
        return choices
            .iter()
            .map(|choice| fact::default::number(choice))
            .collect::<Option<_>>()
            .unwrap_or_default();
    }
    choices
        .iter()
        .map(|choice| Value::from(choice.as_str()))
        .collect()
}

/// Returns the values at the start of a line below a parameter: `` `a`/`b`: text ``, `'x' - text`.
pub(crate) fn line_values(text: &str) -> Vec<String> {
    if let Some((inner, rest)) =
        crate::lex::group::take_quote(text).filter(|_| text.starts_with('`'))
        && rest.trim_start().starts_with(is_cjk)
    {
        return choice::read_items(inner);
    }
    let end = text
        .find([':', '：', '—', '–', '=', '（', '('])
        .or_else(|| text.find(" - "))
        .unwrap_or(text.len());
    let attrs =
        crate::lex::group::take(&text[end..]).is_some_and(|(inner, _)| fact::are_attrs(inner));
    let head = text[..end].trim();
    let quoted = head.starts_with(['`', '\'', '"', '「', '“']);
    let list = choice::read_items(head);
    let plain = quoted
        || (list.len() == 1
            && head
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')));
    if plain && !attrs { list } else { Vec::new() }
}

/// Returns the words of a line that has nothing else, two at least: `boil, pour, stir,`.
pub(crate) fn word_list(text: &str) -> Vec<String> {
    let text = text.trim().trim_end_matches([',', '，', '、', '。', '.']);
    let words: Vec<&str> = text.split([',', '，', '、']).map(str::trim).collect();
    let is_word = |word: &&str| word.starts_with(starts_name) && word.chars().all(in_name);
    if words.len() > 1 && words.iter().all(is_word) {
        words.into_iter().map(str::to_owned).collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(line_values(text), expected);
    }

    #[test]
    fn values_of_lines_below() {
        check("`日`/`sun`: 太阳", &["日", "sun"]);
        check("'fast' - 快", &["fast"]);
        check("fast：快", &["fast"]);
        check("`fast` 快", &["fast"]);
        check("\"deep\" (布尔值, 默认false): 深", &[]);
        check("注意：有例外", &[]);
        check("HTTP URL（如 x）", &[]);
    }

    #[test]
    fn kinds_of_files_are_not_values() {
        let entry = |name: &str, text: &str| {
            Entry::single(name, Facts::default(), text, Form::B2)
                .into_params(&|_, _| false)
                .remove(0)
                .choices
                .len()
        };
        assert_eq!(entry("filePath", "文件路径，支持 pdf、docx、txt。"), 0);
        assert_eq!(entry("format", "格式，支持 pdf、docx、txt。"), 3);
    }

    #[test]
    fn numbers_and_flags() {
        let list = ["1".to_owned(), "2".to_owned()];
        assert_eq!(
            values(&list, &[Type::Integer]),
            [Value::from(1), Value::from(2)]
        );
        assert!(values(&list, &[Type::Boolean]).is_empty());
    }
}
