//! One command in the body: its summary, its table, its example and its text.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::command_words::command_words;
use super::earlier::Earlier;
use super::known::Known;
use super::told::Before;
use super::{
    Language, example, first_call, parameter, parts, prose, protocol, schema_table, signs,
};
use crate::signatures::SIGNATURES;
use crate::{
    description::cut,
    markdown::{self, DefuseReport, defuse},
};

/// The share of the summary of a single command, in percent, from which the description says the same.
const MIN_SAID: usize = 75;
/// Maximum number of parameters in a list; more are in a table.
const MAX_LIST: usize = 2;

/// The detail of each command in the body, most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Detail {
    /// Everything, including what the text says beyond the table.
    Prose,
    /// Summary, table, example.
    Table,
    /// Summary and parameters in one line.
    Line,
    /// The beginning of the summary.
    Hint,
    /// The identifiers.
    Names,
}

/// The texts of one command, unchanged.
#[derive(Default)]
pub(crate) struct Original<'a> {
    pub(crate) description: &'a str,
    pub(crate) examples: Vec<&'a str>,
    /// True if its arguments are unknown, as opposed to a command without arguments.
    pub(crate) is_undeclared: bool,
    /// True if the code reads no argument of it.
    pub(crate) takes_nothing: bool,
}

/// A command's defused texts.
pub(super) struct Texts<'a> {
    pub(super) whole: Cow<'a, str>,
    pub(super) examples: Vec<Cow<'a, str>>,
    pub(super) is_undeclared: bool,
    pub(super) takes_nothing: bool,
}

impl<'a> Texts<'a> {
    pub(super) fn new(original: &'a Original<'_>, seen: &mut DefuseReport) -> Self {
        let examples = original.examples.iter();
        Self {
            whole: defuse(original.description, seen),
            examples: examples.map(|text| defuse(text, seen)).collect(),
            is_undeclared: original.is_undeclared,
            takes_nothing: original.takes_nothing,
        }
    }
}

/// A command at a level of detail.
pub(super) struct Entry<'a> {
    pub(super) command: &'a skill_model::Command,
    /// Its name for the reader.
    pub(super) name: &'a str,
    pub(super) texts: &'a Texts<'a>,
    pub(super) detail: Detail,
    pub(super) language: Language,
    /// True if the section on calls shows its call.
    pub(super) is_run: bool,
    /// The sentence on its results, where the section on calls does not say it.
    pub(super) result: Option<String>,
    /// True if the section on calls says what the result has.
    pub(super) has_result: bool,
    /// True if a sentence on all commands says what selects them.
    pub(super) has_selector: bool,
}

impl Entry<'_> {
    pub(super) fn data(&mut self, is_single: bool, earlier: &mut Earlier) -> Value {
        let Self {
            command,
            name,
            texts,
            detail,
            language,
            ..
        } = *self;
        let mut rows = schema_table::rows(&command.input_schema, &command.examples, language);
        // What a call cannot do without comes first.
        let required = language.pick("required", "必需");
        rows.sort_by_key(|row| {
            let name = row["name"].as_str().unwrap_or_default();
            let selects = matches!(name, "command" | "action");
            let value = row["value"].as_str().unwrap_or_default();
            !selects && !value.starts_with(required)
        });
        let rows = earlier.unrepeated(name, schema_table::merged(rows), language);
        let columns = schema_table::columns(&rows);
        let is_line = detail == Detail::Line
            || detail < Detail::Line && !rows.is_empty() && columns_are_empty(&columns);
        let example = self.example(&earlier.shown);
        let has_example = !example.is_empty() && detail <= Detail::Table;
        for value in first_call::arguments(command).values() {
            earlier.shown.add(&parameter::plain(value));
        }
        let summary = self.summary(is_single, &earlier.known);
        // Nor is what the description says already repeated below the table.
        earlier.known.add(&command.description);
        earlier
            .known
            .add(protocol::without_label(&command.description));
        earlier
            .known
            .add(&protocol::without_agent(&command.description));
        let mut before = Before::of(
            command,
            earlier.known.clone(),
            vec![first_call::arguments(command)],
        );
        before.told = std::mem::take(&mut earlier.told);
        before.has_result = self.has_result || self.result.is_some();
        before.result = self.result.clone().unwrap_or_default();
        let prose = if detail == Detail::Prose {
            let examples = texts.examples.iter();
            let mut parts = vec![prose::markdown(&texts.whole, &mut before)];
            let label = language.pick("Example:", "示例：");
            parts.extend(examples.map(|text| {
                let part = example::of_example(text, &mut before);
                let is_bare = part.starts_with(['`', '{']);
                if is_bare {
                    format!("{label}\n\n{part}")
                } else {
                    part
                }
            }));
            parts.retain(|part| !part.is_empty());
            parts.join("\n\n")
        } else {
            String::new()
        };
        earlier.told = before.told;
        let rows = without_listed(rows, command, &prose, language);
        let is_selected = self.is_run || has_example || self.has_selector;
        let dispatch = if is_selected || detail > Detail::Line {
            String::new()
        } else {
            parts::dispatch(command)
        };
        json!({
            "id": name,
            "summary": if detail == Detail::Hint { cut(&summary, 80).0 } else { summary },
            "dispatch": dispatch,
            "columns": columns,
            "is_list": rows.len() <= MAX_LIST,
            "parameters": if detail <= Detail::Table && !is_line { rows } else { Vec::new() },
            "parameter_line": if is_line { schema_table::line(&command.input_schema, language) } else { String::new() },
            "undeclared": texts.is_undeclared && detail <= Detail::Line,
            "nothing": texts.takes_nothing && detail <= Detail::Line,
            "example": if has_example { call(&example) } else { String::new() },
            "result": self.result.take().filter(|_| detail <= Detail::Table).unwrap_or_default(),
            "prose": prose,
        })
    }

    /// Returns the call as one line of JSON, unless the body shows it elsewhere.
    fn example(&self, shown: &Known) -> String {
        let mut arguments = first_call::arguments(self.command);
        let properties = &self.command.input_schema["properties"];
        let is_signature = |key: &str| {
            SIGNATURES.contains(&key)
                && !properties[key]["default"].is_null()
                && !parts::is_required(self.command, key)
        };
        arguments.retain(|key, _| !is_signature(key));
        let n_selectors = usize::from(self.command.dispatch.is_some());
        let says_nothing =
            self.has_selector && (arguments.len() <= n_selectors || self.shows_nothing(shown));
        if self.is_run || arguments.is_empty() || says_nothing {
            String::new()
        } else {
            Value::Object(arguments).to_string()
        }
    }

    /// Returns true if the table and other calls say all of the example: its names, and what its values
    /// look like.
    fn shows_nothing(&self, shown: &Known) -> bool {
        let properties = &self.command.input_schema["properties"];
        let Some(Value::Object(example)) = self.command.examples.first() else {
            return true;
        };
        example.iter().all(|(name, value)| {
            let property = &properties[name];
            let text = parameter::plain(value);
            let is_words =
                |c: char| c.is_alphabetic() || c.is_whitespace() || "_，。、！？".contains(c);
            let text_of_row = property["description"].as_str().unwrap_or_default();
            let is_plain = text.chars().all(is_words) || text_of_row.contains(&text);
            let is_flag = matches!(&*text, "true" | "false") || text.parse::<u32>().is_ok();
            !property.is_null() && (is_plain || is_flag || shown.has_exactly(&text))
        })
    }

    /// Returns the summary without what the introduction says, unless it is only a label of the text.
    fn summary(&self, is_single: bool, lead: &Known) -> String {
        let sentences = protocol::sentences(protocol::without_label(&self.command.description));
        let before = Before::of(self.command, Known::default(), Vec::new());
        let is_repeated = |sentence: &str| {
            let said = protocol::without_agent(sentence);
            is_single && (lead.has(&said) || lead.share(&said) >= MIN_SAID)
                || before.tells(sentence)
        };
        let kept: Vec<&str> = sentences
            .filter(|sentence| !is_repeated(sentence) && !protocol::is_left_out(sentence))
            .collect();
        // A label at the end is of a list that is elsewhere.
        let kept = match &kept[..] {
            [head @ .., last] if !head.is_empty() && last.trim_end().ends_with(['：', ':']) => {
                head
            }
            all => all,
        };
        let summary: String = kept.iter().copied().map(protocol::without_agent).collect();
        let summary = protocol::without_link(&summary).to_owned();
        let is_label = || {
            let mut lines = self.texts.whole.lines();
            lines.any(|line| {
                line.trim().trim_end_matches([':', '：']) == summary && line.trim() != summary
            })
        };
        let is_silent = self.command.description.trim().is_empty() && !is_single;
        let is_aged = !is_silent && protocol::sentences(&summary).all(is_about_age);
        let words = || command_words(&self.command.id, self.language).unwrap_or_default();
        if is_silent {
            words()
        } else if is_aged && !summary.is_empty() {
            format!("{}{summary}", words())
        } else if is_single && is_label() {
            String::new()
        } else {
            signs::without_brackets(summary.trim()).into_owned()
        }
    }
}

/// Returns true for a sentence that says only that there is a newer command.
fn is_about_age(sentence: &str) -> bool {
    const AGED: [&str; 6] = [
        "旧版 API",
        "旧版接口",
        "新代码请用",
        "已废弃",
        "已弃用",
        "deprecated",
    ];
    let lower = sentence.to_lowercase();
    let has_word = |word: &&str| lower.contains(&word.to_lowercase());
    sentence.chars().count() <= 40 && AGED.iter().any(has_word)
}

/// Returns rows without the choices of a parameter that a list below the table explains one by one.
fn without_listed(
    mut rows: Vec<Value>,
    command: &skill_model::Command,
    prose: &str,
    language: Language,
) -> Vec<Value> {
    const MIN: usize = 5;
    let is_item = |value: &Value| {
        let value = parameter::plain(value);
        prose.lines().any(|line| {
            let bare = line.trim_start();
            let bare = bare.trim_start_matches(|c: char| c.is_ascii_digit());
            let bare = bare.trim_start_matches(['-', '*', '`', ' ', '.', ')', '\'', '"']);
            let after = bare
                .strip_prefix(&*value)
                .map(|it| it.trim_start_matches(['`', '*', '\'', '"']));
            // Several spellings of one: `` `绿茶`/`green` ``.
            let head = bare.split([':', '：']).next().unwrap_or_default();
            let mut names = head.split('/').map(|it| it.trim_matches(['`', '*', ' ']));
            let is_named = bare.contains([':', '：']) && names.any(|it| it == value);
            bare.len() < line.trim_start().len()
                && (is_named || after.is_some_and(|it| it.starts_with([':', '：', ' ', '(', '（'])))
        })
    };
    let below = language.pick("its values are listed below", "取值见下");
    for row in &mut rows {
        let text = row["description"].as_str().unwrap_or_default();
        if let Some((label, values, rest)) = explained(text)
            && values.iter().all(|value| is_item(&json!(value)))
        {
            let rest = rest.trim_start_matches(['。', '.', ' ', '；']);
            let stop = if rest.is_empty() { "" } else { "。" };
            row["description"] = json!(format!("{label}，{below}{stop}{rest}"));
            continue;
        }
        let name = row["name"].as_str().unwrap_or_default();
        let choices = command.input_schema["properties"][name]["enum"].as_array();
        let Some(choices) = choices.filter(|it| it.len() >= MIN && it.iter().all(is_item)) else {
            continue;
        };
        let told = parameter::choices(choices, language);
        row["description"] = json!(text.replace(&told, below));
    }
    rows
}

/// Divides a Chinese row that explains its quoted values in brackets, `模式：'hot' (热饮)、'cold' (冷饮)。默认热`,
/// into its label, the values, and what follows them.
fn explained(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    const MIN: usize = 3;
    let (label, mut rest) = text.split_once(['：', ':'])?;
    let mut values = Vec::new();
    loop {
        let trimmed = rest.trim_start_matches(['、', '，', ',', ' ', '和', '或']);
        let Some((value, after)) = trimmed
            .strip_prefix('\'')
            .and_then(|it| it.split_once('\''))
        else {
            break;
        };
        let after = after.trim_start();
        let close = after
            .starts_with(['(', '（'])
            .then(|| after.find([')', '）']))
            .flatten()?;
        let end = close + after[close..].chars().next().map_or(0, char::len_utf8);
        values.push(value);
        rest = &after[end..];
    }
    let is_plain = !label.is_empty() && label.chars().count() <= 12 && !label.contains('\'');
    (values.len() >= MIN && is_plain).then_some((label, values, rest))
}

/// Returns a call as code, in a line if it is short.
fn call(text: &str) -> String {
    const MAX_INLINE: usize = 160;
    if text.len() <= MAX_INLINE {
        markdown::call(text)
    } else {
        markdown::fenced(text, "json")
    }
}

/// Returns true if a table would have names alone.
fn columns_are_empty(columns: &Value) -> bool {
    let columns = columns.as_object();
    columns.is_some_and(|columns| columns.values().all(|has| has == false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_explained_in_brackets() {
        assert_eq!(
            explained("模式：'hot' (默认，热饮)、'cold' （冷饮）、'ice' (加冰)。自动选择。"),
            Some(("模式", vec!["hot", "cold", "ice"], "。自动选择。"))
        );
        assert_eq!(explained("模式：'hot' (热饮)、'cold' (冷饮)"), None);
        assert_eq!(explained("模式：'hot'、'cold'、'ice'"), None);
        assert_eq!(explained("茶"), None);
    }
}
