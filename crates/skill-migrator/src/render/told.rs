//! The parameters that a line of a text tells, which the table of the command has already.

use serde_json::{Map, Value};
use skill_model::Command;

use super::known::{Known, without_columns};
use super::parameter::plain;

/// The share of a line on a parameter, in percent, from which the row of the table says the same.
pub(super) const MIN_SHARE: usize = 78;
/// The share of a sentence that names a parameter, in percent, from which the table says the same. The next
/// sentence of a paragraph may go on with it; an item of a list is alone.
const MIN_TOLD: usize = 86;
const MIN_TOLD_ITEM: usize = 72;

/// Shorter sentences may be said of something else as well, in letters.
const MIN_LETTERS: usize = 8;

/// The share of a list of parameters in a sentence (`参数: a(必需), b`), in percent.
const MIN_LISTED: usize = 60;

/// The part of the body before a text.
#[derive(Clone, Default, Debug)]
pub(super) struct Before<'a> {
    /// Sentences.
    pub(super) known: Known,
    /// The command, whose parameters are in a table.
    pub(super) command: Option<&'a Command>,
    /// The calls.
    pub(super) calls: Vec<Map<String, Value>>,
    /// The sentences below the tables of the commands before.
    pub(super) told: Known,
    /// True if it says what a result has.
    pub(super) has_result: bool,
    /// The sentence on the result of the command.
    pub(super) result: String,
    /// True behind the first sentence of the text.
    pub(super) is_begun: bool,
    /// The texts of the table.
    table: Known,
}

impl<'a> Before<'a> {
    /// Returns what is before the text of a command.
    pub(super) fn of(command: &'a Command, known: Known, calls: Vec<Map<String, Value>>) -> Self {
        let mut table = Known::default();
        let properties = command.input_schema["properties"].as_object();
        for (name, property) in properties.into_iter().flatten() {
            table.add(name);
            add_property(&mut table, property);
        }
        if let Some(dispatch) = &command.dispatch {
            table.add(&dispatch.key);
            table.add(&dispatch.value);
        }
        Self {
            known,
            command: Some(command),
            calls,
            told: Known::default(),
            has_result: false,
            result: String::new(),
            is_begun: false,
            table,
        }
    }

    /// Returns true for a sentence on parameters that says what the table says.
    pub(super) fn tells(&self, sentence: &str) -> bool {
        let names = self
            .command
            .and_then(|command| command.input_schema["properties"].as_object());
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_known = |word: &str| names.is_some_and(|names| names.contains_key(word));
        let list = [
            "参数：",
            "参数:",
            "可选参数：",
            "可选参数:",
            "Parameters:",
            "Arguments:",
        ]
        .iter()
        .find_map(|label| sentence.trim_start().strip_prefix(label));
        if let Some(list) = list {
            return self.table.share(&without_columns(list)) >= MIN_LISTED;
        }
        if names.is_some_and(|names| {
            is_list_of(names, sentence)
                || is_list_of_values(names, sentence)
                || wants(names, sentence)
        }) {
            return true;
        }
        let n_letters = sentence.chars().filter(|c| c.is_alphanumeric()).count();
        if n_letters >= MIN_LETTERS && self.table.has_exactly(sentence) {
            return true;
        }
        let min = if super::items::is_item(sentence.trim_start()) {
            MIN_TOLD_ITEM
        } else {
            MIN_TOLD
        };
        let names_one = || sentence.split(|c| !is_name(c)).any(is_known);
        self.has_row(sentence) || names_one() && self.table.share(&without_columns(sentence)) >= min
    }

    /// Returns true if each sentence of an item is below the table of an earlier command.
    pub(super) fn told_all(&self, line: &str) -> bool {
        let said = super::protocol::sentences(line.trim());
        let mut said = said.map(super::protocol::without_agent).peekable();
        said.peek().is_some() && said.all(|it| self.told.has_exactly(&it))
    }

    /// Returns true for a line with the name of a parameter.
    pub(super) fn names_parameter(&self, line: &str) -> bool {
        let names = self
            .command
            .and_then(|command| command.input_schema["properties"].as_object());
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_known = |word: &str| names.is_some_and(|names| names.contains_key(word));
        line.split(|c| !is_name(c)).any(is_known)
    }

    /// Returns the parameter whose choices begin all of these items, in quotes.
    pub(super) fn owner(&self, items: &[&str]) -> Option<&'a str> {
        let properties = self.command?.input_schema["properties"].as_object()?;
        let value = |item: &str| {
            let bare = item.trim_start_matches(['-', '*', ' ']);
            let quote = bare
                .chars()
                .next()
                .filter(|c| matches!(c, '"' | '\'' | '`'))?;
            let (value, _) = bare[quote.len_utf8()..].split_once(quote)?;
            Some(value.to_owned())
        };
        let values: Option<Vec<String>> = items.iter().map(|item| value(item)).collect();
        let values = values?;
        let mut owners = properties.iter().filter(|(_, property)| {
            let choices = property["enum"].as_array();
            choices.is_some_and(|all| {
                values
                    .iter()
                    .all(|value| all.iter().any(|it| plain(it) == *value))
            })
        });
        let owner = owners.next().filter(|_| owners.next().is_none());
        owner.map(|(name, _)| name.as_str())
    }

    /// Returns true for what is left of an item on a parameter of which the table says the rest.
    pub(super) fn nearly_tells(&self, line: &str) -> bool {
        const MIN: usize = 50;
        super::items::is_item(line.trim_start())
            && self.row(line).is_some()
            && self.table.share(&without_columns(line)) >= MIN
    }

    /// Returns true for a line on parameters that the table has.
    pub(super) fn has_row(&self, line: &str) -> bool {
        let row = self.row(line);
        row.is_some_and(|(known, rest)| share(&known, &rest) >= MIN_SHARE)
    }

    /// Returns true for an item on the argument that selects the command, whose value the body has:
    /// `- command (必需): 固定传入 brew`.
    pub(super) fn is_selector(&self, line: &str) -> bool {
        const FIXED: [&str; 5] = ["固定", "必须是", "必须为", "always", "must be"];
        let dispatch = self.command.and_then(|command| command.dispatch.as_ref());
        let Some(dispatch) = dispatch else {
            return false;
        };
        let bare = line.trim().trim_start_matches(['-', '*', '•', '`', ' ']);
        let is_item = bare.len() < line.trim().len();
        let after = bare.strip_prefix(&*dispatch.key).filter(|_| is_item);
        after.is_some_and(|after| {
            let after = after.trim_start_matches(['`', '*', ' ']);
            after.starts_with([':', '：', '(', '（'])
                && after.contains(&*dispatch.value)
                && FIXED.iter().any(|word| after.contains(word))
        })
    }

    /// Returns what the table says of the parameters that a line begins with: `- width/height: …`.
    pub(super) fn row(&self, line: &str) -> Option<(Known, String)> {
        let empty = Map::new();
        let command = self.command?;
        let properties = command.input_schema["properties"].as_object();
        let properties = properties.unwrap_or(&empty);
        let bare = line.trim().trim_start_matches(|c: char| c.is_ascii_digit());
        let marks = |c: char| "-*•●○▪◆■·|.)、`[ ".contains(c);
        let listed = bare.trim_start_matches(marks);
        let mut rest = without_need(listed).trim_start_matches(marks);
        let has_need = rest.len() < listed.len();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let mut known = Known::default();
        if let Some(dispatch) = &command.dispatch
            && let Some(after) = rest.strip_prefix(&*dispatch.key)
        {
            known.add(&dispatch.value);
            let is_item = after
                .trim_start_matches(['`', '*', ' '])
                .starts_with([':', '：', '=', '(', '（']);
            return is_item.then(|| (known, without_columns(after)));
        }
        let mut n_names = 0;
        loop {
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            // A range: `query1..query5`.
            let end = rest[..end].find("..").unwrap_or(end);
            let Some(property) = find(properties, &rest[..end]) else {
                break;
            };
            n_names += 1;
            known.add(&rest[..end]);
            add_property(&mut known, property);
            rest = rest[end..].trim_start_matches(|c: char| "`*]/、,…~ |.".contains(c));
        }
        for word in rest.split(|c| !is_name(c)) {
            if let Some(property) = find(properties, word).filter(|_| n_names > 0) {
                known.add(word);
                add_property(&mut known, property);
            }
        }
        let is_item = n_names > 0
            && (rest.is_empty()
                || rest.starts_with([':', '：', '(', '（', '-', '—', '–', '[', '=', '→'])
                || has_need
                || bare.len() < line.trim().len()
                || line.trim().starts_with('|'));
        is_item.then(|| (known, without_columns(&without_example(&without_yes(rest)))))
    }
}

/// Returns a text without the example in its first brackets, which the call shows: `名称（如 A、B 等，对应 C）`.
fn without_example(text: &str) -> String {
    const WORDS: [&str; 4] = ["（如", "(如", "（例如", "(例如"];
    let found = WORDS.iter().filter_map(|word| text.find(word)).min();
    let Some(at) = found else {
        return text.to_owned();
    };
    let (head, tail) = text.split_at(at);
    let is_end = |c: char| "，；）);".contains(c);
    let end = tail.find(is_end).unwrap_or(tail.len());
    format!("{head}（{}", &tail[end..])
}

/// Returns true for a sentence that only lists parameters: `可选字段：a、b、c`.
fn is_list_of(names: &Map<String, Value>, sentence: &str) -> bool {
    const MIN: usize = 3;
    const MAX_LABEL: usize = 16;
    let (label, list) = sentence.split_once(['：', ':']).unwrap_or(("", sentence));
    let marks = |c: char| c.is_whitespace() || "`。.-".contains(c);
    let items: Vec<&str> = list
        .split(['、', ',', '，'])
        .map(|item| item.trim_matches(marks))
        .collect();
    label.chars().count() <= MAX_LABEL
        && items.len() >= MIN
        && items.iter().all(|item| names.contains_key(*item))
}

/// Returns true for words of which each is a choice of one parameter: `green, black, oolong,`.
fn is_list_of_values(names: &Map<String, Value>, sentence: &str) -> bool {
    const MIN: usize = 3;
    let marks = |c: char| c.is_whitespace() || "`。.-,，、".contains(c);
    let list = sentence.trim_matches(marks);
    let items: Vec<&str> = list
        .split(['、', ',', '，'])
        .map(|item| item.trim_matches(marks))
        .collect();
    let has_all = |property: &Value| {
        let choices = property["enum"].as_array();
        choices.is_some_and(|all| items.iter().all(|item| all.iter().any(|it| it == item)))
    };
    items.len() >= MIN && names.values().any(has_all)
}

/// Returns true for a sentence that only says which parameters a call needs: `必须提供 tea 和茶壶(pot)。` The
/// table has their needs, which are those of the program.
fn wants(names: &Map<String, Value>, sentence: &str) -> bool {
    const MAX: usize = 60;
    let starts = ["必须提供", "需要提供", "需提供", "请提供"];
    let bare = sentence.trim();
    let bare = bare.strip_prefix("AI").map_or(bare, str::trim_start);
    let rest = starts.iter().find_map(|start| bare.strip_prefix(start));
    let Some(rest) = rest.filter(|rest| rest.chars().count() <= MAX) else {
        return false;
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = rest.split(|c| !is_name(c)).filter(|word| !word.is_empty());
    let is_condition = ["或", "除非", "如果", "时", "至少", "任选"]
        .iter()
        .any(|word| rest.contains(word));
    let n_words = words.clone().count();
    n_words > 0 && words.all(|word| names.contains_key(word)) && !is_condition
}

/// A line without words is known by any row.
pub(super) fn share(known: &Known, rest: &str) -> usize {
    if rest.chars().any(char::is_alphanumeric) {
        known.share(rest)
    } else {
        100
    }
}

/// Returns the parameter with a name or another name, also that of a numbered family: `image_2` and
/// `image_N` for `image_1`.
pub(super) fn find<'p>(properties: &'p Map<String, Value>, name: &str) -> Option<&'p Value> {
    let is_alias = |property: &&Value| {
        let aliases = property["x-aliases"].as_array();
        aliases.is_some_and(|aliases| aliases.iter().any(|alias| alias == name))
    };
    let found = properties.get(name);
    let found = found.or_else(|| {
        properties
            .values()
            .find(is_alias)
            .filter(|_| !name.is_empty())
    });
    found.or_else(|| {
        let base = without_number(name)?;
        let mut members = properties.iter();
        let is_member = |known: &str| known == base || without_number(known) == Some(base);
        let member =
            members.find(|(known, property)| property["x-numbered"] == true && is_member(known));
        member.map(|(_, property)| property)
    })
}

/// Returns the name of a numbered parameter without its number, `N` or `n`.
fn without_number(name: &str) -> Option<&str> {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let open = name.strip_suffix("_N").or_else(|| name.strip_suffix("_n"));
    let base = open.unwrap_or(base).trim_end_matches('_');
    (base.len() < name.len() && !base.is_empty()).then_some(base)
}

/// Returns the cells of a row without those that only say yes or no.
fn without_yes(rest: &str) -> String {
    if !rest.contains('|') {
        return rest.to_owned();
    }
    let says = |cell: &&str| {
        !matches!(
            cell.trim(),
            "是" | "否" | "否*" | "yes" | "no" | "Yes" | "No" | "—" | "-"
        )
    };
    let cells: Vec<&str> = rest.split('|').filter(says).collect();
    cells.join("|")
}

/// Skips a word of need with a colon: `Optional: a, b`.
fn without_need(text: &str) -> &str {
    let needs = [
        "Optional",
        "Required",
        "可选",
        "必需",
        "必填",
        "可选参数",
        "必需参数",
    ];
    let rest = needs.iter().find_map(|need| {
        let rest = text.strip_prefix(need)?;
        rest.strip_prefix([':', '：'])
    });
    rest.unwrap_or(text)
}

fn add_property(known: &mut Known, property: &Value) {
    for key in ["description", "x-required-when", "type"] {
        let text = property[key].as_str().unwrap_or_default();
        known.add(text);
        known.add(&without_columns(text));
    }
    for key in ["enum", "x-aliases"] {
        for value in property[key].as_array().into_iter().flatten() {
            known.add(&plain(value));
        }
    }
    for key in ["default", "minimum", "maximum"] {
        known.add(&property.get(key).map(plain).unwrap_or_default());
    }
    if property["type"] == "boolean" || property["type"][0] == "boolean" {
        known.add("true");
        known.add("false");
    }
    // `默认3天`
    if let Some(number) = property.get("default").filter(|it| it.is_number()) {
        for unit in ["天", "次", "条", "个", "秒", "分钟", "小时", "毫秒"] {
            known.add(&format!("{number}{unit}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sentences_on_what_a_call_needs() {
        let names = json!({ "tea": {}, "pot": {} });
        let names = names.as_object().cloned().unwrap_or_default();
        let check = |text: &str, expected| assert_eq!(wants(&names, text), expected, "{text}");
        check("AI必须提供 tea 和茶壶(pot)。", true);
        check("需要提供tea或pot。", false);
        check("必须提供 tea 和 cup。", false);
        check("必须提供茶。", false);
        check("tea 必须提供。", false);
    }
}
