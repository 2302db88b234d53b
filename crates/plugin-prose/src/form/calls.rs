//! Forms D and F: fields of call blocks, annotated or sample only.

use std::collections::BTreeMap;

use crate::fact::{self, Facts, choice, need};
use crate::form::entry::Entry;
use crate::form::section::SELECTORS;
use crate::lex::call::Field;
use crate::lex::chars::is_cjk;
use crate::lex::group;
use crate::lex::pieces::{Call, CallPart};
use crate::param::{Form, Need, Type};

/// Fields that belong to the protocol, not to the command.
///
/// Source: `docs/design/calls-in-prose.md`, "Labels", rule 2.
pub(crate) const PROTOCOL: [&str; 5] = ["tool_name", "archery", "ink", "river", "vref"];
/// Signatures of the caller; a bare sample of them declares nothing.
const SIGNATURES: [&str; 2] = ["maid", "valet"];

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Argument {
    /// The name, without the number of a batch.
    pub(crate) key: String,
    /// The value as text.
    pub(crate) value: String,
    /// The value, if the call was written in JSON.
    pub(crate) json: Option<serde_json::Value>,
    /// The text before the key and after the value.
    pub(crate) around: (String, String),
    /// The need that a note above the argument states for all below it.
    pub(crate) group: Option<Need>,
}

/// A call; a batch has several.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct FlatCall {
    /// The arguments without those of the protocol.
    pub(crate) arguments: Vec<Argument>,
    /// The `tool_name`.
    pub(crate) tool: Option<String>,
    /// True if the names carried the number of a batch.
    pub(crate) batch: bool,
}

impl FlatCall {
    /// Returns true if a value describes what to write instead of being a sample.
    pub(crate) fn asks(&self) -> bool {
        self.arguments
            .iter()
            .any(|argument| is_request(argument.value.trim()))
    }

    /// Returns the value of an argument.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.arguments
            .iter()
            .find(|argument| argument.key == key)
            .map(|argument| argument.value.trim())
    }
}

/// Splits a block into calls: one call, or one for each number of a batch (`command1`, `path1`, …).
pub(crate) fn flatten(call: &Call<'_>) -> Vec<FlatCall> {
    let arguments = arguments(call);
    let tool = arguments
        .iter()
        .find(|argument| argument.key == PROTOCOL[0])
        .map(|argument| argument.value.trim().to_owned());
    let arguments: Vec<_> = arguments
        .into_iter()
        .filter(|argument| !PROTOCOL.contains(&argument.key.as_str()))
        .collect();
    if !is_batch(&arguments) {
        return vec![FlatCall {
            arguments,
            tool,
            batch: false,
        }];
    }
    let calls = by_number(arguments).into_values();
    calls
        .map(|arguments| FlatCall {
            arguments,
            tool: tool.clone(),
            batch: true,
        })
        .collect()
}

/// Returns the arguments as they are written, with those of the protocol.
pub(crate) fn arguments(call: &Call<'_>) -> Vec<Argument> {
    let mut group = None;
    let mut res: Vec<Argument> = Vec::new();
    for part in &call.parts {
        match part {
            CallPart::Note(note) => group = note_need(note).or(group),
            CallPart::Field(field) => res.push(Argument {
                key: repaired(field),
                value: field.value.to_owned(),
                json: None,
                around: (field.before.to_owned(), field.after.to_owned()),
                group: label_need(field.before).or_else(|| group.clone()),
            }),
        }
    }
    res
}

/// Reads `(可选参数):` on a line of its own.
fn note_need(note: &str) -> Option<Need> {
    let text = note.trim_matches(|c: char| !c.is_alphanumeric());
    (text.chars().count() < 24)
        .then(|| {
            need::read(
                text.trim_end_matches("参数")
                    .trim_end_matches("字段")
                    .trim(),
            )
        })
        .flatten()
}

/// Reads `(可选参数：` before a key.
fn label_need(before: &str) -> Option<Need> {
    let text = before.trim().trim_start_matches(['(', '（', '[', '【']);
    let text = text.strip_suffix([':', '：'])?;
    note_need(text)
}

/// Repairs a key that lost its first letter to an escape: a tab before `ime_range` was `\t`.
fn repaired(field: &Field<'_>) -> String {
    let tab = field.before.trim_start_matches([',', ' ']).ends_with('\t');
    if tab && !field.before.contains('\n') && field.before.trim_matches([',', ' ']).len() == 1 {
        format!("t{}", field.key)
    } else {
        field.key.to_owned()
    }
}

/// Returns true if a selector has a number.
pub(crate) fn is_batch(arguments: &[Argument]) -> bool {
    arguments
        .iter()
        .any(|argument| numbered(&argument.key).is_some_and(|(base, _)| SELECTORS.contains(&base)))
}

/// Splits `path1` into name and number.
pub(crate) fn numbered(name: &str) -> Option<(&str, &str)> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (base, number) = name.split_at(name.len() - digits);
    (digits > 0 && digits < 4 && !base.is_empty()).then_some((base, number))
}

/// Groups the arguments by number, under their names without it; those without a number belong to
/// the first.
fn by_number(arguments: Vec<Argument>) -> BTreeMap<u16, Vec<Argument>> {
    let mut res: BTreeMap<u16, Vec<Argument>> = BTreeMap::new();
    let mut shared = Vec::new();
    for argument in arguments {
        let found = numbered(&argument.key)
            .and_then(|(base, number)| Some((base.to_owned(), number.parse().ok()?)));
        match found {
            Some((key, number)) => res
                .entry(number)
                .or_default()
                .push(Argument { key, ..argument }),
            None => shared.push(argument),
        }
    }
    if let Some(first) = res.values_mut().next() {
        first.append(&mut shared);
    }
    res
}

/// Returns the declarations of a call: annotated values with their facts, samples by name alone.
///
/// A sample in an example names an argument, but states neither a type nor a default.
pub(crate) fn entries(flat: &FlatCall, in_description: bool) -> impl Iterator<Item = Entry> {
    flat.arguments
        .iter()
        .filter_map(move |argument| entry(argument, in_description))
}

fn entry(argument: &Argument, in_description: bool) -> Option<Entry> {
    let value = argument.value.trim();
    let (around, remark) = surroundings(argument);
    if in_description && (is_annotated(value) || argument.group.is_some() || around.need.is_some())
    {
        let explains = is_annotated(value) || argument.group.is_some();
        let mut entry = Entry::single(
            &argument.key,
            around,
            if explains { value } else { remark },
            Form::D1,
        );
        entry.section_need.clone_from(&argument.group);
        return Some(entry);
    }
    if SIGNATURES.contains(&argument.key.to_ascii_lowercase().as_str()) {
        return None;
    }
    let mut entry = Entry::single(&argument.key, Facts::default(), "", Form::D2);
    if in_description {
        entry.values = alternatives(value);
        if is_request(value) {
            entry.push_note(value.trim_matches(['[', ']', '<', '>', '【', '】']));
        }
    }
    Some(entry)
}

/// Returns true if a value explains itself: it begins with a bracket of attributes.
pub(crate) fn is_annotated(value: &str) -> bool {
    let value = value.trim();
    group::take(value).is_some_and(|(inner, _)| !value.starts_with('{') && fact::are_attrs(inner))
        || ends_with_need(value)
        || states_need(value)
}

/// Returns true if one clause of a value is a word of need: `页面编号，必填`, `可选，页码`, `<required> value`.
fn states_need(value: &str) -> bool {
    if value.len() > 300 || value.contains('\n') || value.starts_with(['{', '[']) {
        return false;
    }
    if let Some((inner, _)) = value
        .strip_prefix('<')
        .and_then(|value| value.split_once('>'))
    {
        return need::read(inner).is_some();
    }
    let clauses = group::split(value, |c| {
        matches!(c, '，' | ',' | '；' | ';' | '：' | ':' | '。')
    });
    clauses.len() > 1
        && clauses.iter().any(|clause| {
            clause.chars().count() <= 8
                && matches!(need::read(clause), Some(Need::Required | Need::Optional))
        })
}

/// Returns true for words that describe what to write, such as `待办内容`, which is not a sample.
pub(crate) fn is_request(value: &str) -> bool {
    const NOUNS: &str = "内容|名称|标题|编号|路径|地址|文本|关键词|链接|日期|时间|描述|列表|数量|序号|参数|类型|提示词|理由|说明|表达式|名字|ID|URL|id|文件|命令|代码";
    const HEADS: [&str; 8] = ["要", "需要", "你的", "您的", "你要", "您要", "待", "这里"];
    let short = value.chars().count() <= 60 && !value.contains('\n');
    let first = value
        .split(['，', ',', '（', '(', '：', ':', '。'])
        .next()
        .unwrap_or(value)
        .trim();
    let spoken = value.contains(is_cjk)
        && (NOUNS.split('|').any(|noun| first.ends_with(noun))
            || HEADS.iter().any(|head| first.starts_with(head)));
    let sample = value.contains("://")
        || value.starts_with(['{', '"', '#'])
        || value.bytes().filter(u8::is_ascii_digit).count() > 1;
    let wrapped = [('<', '>'), ('[', ']'), ('【', '】')]
        .iter()
        .any(|&(open, close)| value.starts_with(open) && value.ends_with(close) && value.len() > 4);
    short && !sample && (spoken || (wrapped && !value.contains(['"', ','])))
}

/// Returns true if a value ends in a bracket of attributes: `笔记标题（必填）`.
pub(crate) fn ends_with_need(value: &str) -> bool {
    let short = value.len() < 400 && !value.contains('\n');
    let Some(open) = value.rfind(['(', '（']).filter(|_| short) else {
        return false;
    };
    group::take(&value[open..])
        .is_some_and(|(inner, rest)| rest.is_empty() && fact::read_attrs(inner).need.is_some())
}

/// Returns the facts in brackets or in a remark after the value, and the remark.
fn surroundings(argument: &Argument) -> (Facts, &str) {
    let after = argument.around.1.trim_start_matches([' ', '/', '#', '-']);
    if let Some((inner, rest)) = group::take(after).filter(|(inner, _)| fact::are_attrs(inner)) {
        return (fact::read_attrs(inner), rest.trim());
    }
    let remark = argument.around.1.starts_with("//") || argument.around.1.starts_with('#');
    if remark {
        (
            Facts {
                need: fact::read_text(after).need,
                ..Facts::default()
            },
            after,
        )
    } else {
        (Facts::default(), "")
    }
}

/// Reads a sample such as `get / set / list` as a choice of values.
pub(crate) fn alternatives(value: &str) -> Vec<String> {
    let spaced = value.contains(" / ")
        || value.contains(" | ")
        || value.contains(" 或 ")
        || value.contains(" or ");
    let list = if spaced {
        choice::read_items(value)
    } else {
        Vec::new()
    };
    let plain = list.iter().all(|item| {
        item.chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    });
    if list.len() > 1 && plain && list.len() == value.split(['/', '|']).count().max(list.len()) {
        list
    } else {
        Vec::new()
    }
}

/// Reads a field on a line of its own, outside of any block: `3. mode:「始」[模式]「末」 (必需)`,
/// `hot:「始」true「末」 或 「始」false「末」 (可选)`.
pub(crate) fn loose_entry(field: &Field<'_>) -> Entry {
    let mut attrs = Facts::default();
    let (others, after) = other_values(field.after);
    let mut text = field
        .value
        .trim()
        .trim_matches(['[', ']', '【', '】'])
        .to_owned();
    let is_sample = is_number(&text);
    if let Some((inner, rest)) = group::take(after.trim_start()) {
        attrs = fact::read_attrs(inner);
        if is_sample || !others.is_empty() {
            attrs.description.clone_into(&mut text);
        } else {
            text = with_words(&text, &attrs.description);
        }
        text = format!("{text} {}", rest.trim());
    } else if is_sample || !others.is_empty() {
        after.trim().clone_into(&mut text);
    } else if !after.is_empty() {
        text = format!("{text}；{after}");
    }
    let own = field.value.trim();
    let kind = match own {
        _ if !attrs.types.is_empty() => None,
        _ if is_flag(own) && !others.is_empty() && others.iter().all(|it| is_flag(it)) => {
            Some(Type::Boolean)
        }
        _ if is_number(own) && others.is_empty() => Some(Type::Integer),
        _ => None,
    };
    let is_choice = kind.is_none() && !others.is_empty();
    attrs.types.extend(kind);
    let mut entry = Entry::single(field.key, attrs, text.trim(), Form::F);
    if is_choice {
        entry.values = std::iter::once(own)
            .chain(others)
            .map(str::to_owned)
            .collect();
    }
    entry
}

/// Reads the other values after one: ` 或 「始」false「末」`; returns them with the rest.
fn other_values(after: &str) -> (Vec<&str>, &str) {
    const SIGNS: [&str; 5] = ["或者", "或", "or ", "/", "、"];
    let mut res = Vec::new();
    let mut rest = after;
    loop {
        let body = rest.trim_start();
        let body = SIGNS.iter().find_map(|it| body.strip_prefix(it));
        let found = body.and_then(|body| {
            body.trim_start()
                .strip_prefix("「始」")?
                .split_once("「末」")
        });
        let Some((value, next)) = found else {
            return (res, rest);
        };
        res.push(value.trim());
        rest = next;
    }
}

fn is_flag(value: &str) -> bool {
    matches!(value, "true" | "false")
}

fn is_number(value: &str) -> bool {
    !value.is_empty() && value.len() < 10 && value.bytes().all(|it| it.is_ascii_digit())
}

/// Returns what a field says with the words in its brackets: `m/f` and `(可选，人声性别)` is `人声性别：m/f`.
fn with_words(text: &str, words: &str) -> String {
    const MAX: usize = 48;
    let is_value = text.is_ascii() && text.len() <= MAX && !text.contains(' ');
    match (is_value, text) {
        _ if words.is_empty() => text.to_owned(),
        (true, "true/false" | "true" | "false") => format!("{words}，{text}"),
        (true, _) => format!("{words}：{text}"),
        (false, _) => format!("{text}；{words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::pieces::{self, Piece};

    fn flats(text: &str) -> Vec<FlatCall> {
        pieces::read(text)
            .iter()
            .filter_map(|piece| {
                if let Piece::Call(call) = piece {
                    Some(flatten(call))
                } else {
                    None
                }
            })
            .flatten()
            .collect()
    }

    /// Checks `key:form` for each entry of the only call.
    #[test]
    fn words_in_brackets_describe_a_value() {
        let check = |value: &str, words: &str, expected: &str| {
            assert_eq!(with_words(value, words), expected);
        };
        check("m/f", "人声", "人声：m/f");
        check("true/false", "保温", "保温，true/false");
        check("开始的时间点", "如 60", "开始的时间点；如 60");
        check("m/f", "", "m/f");
    }

    #[track_caller]
    fn check(body: &str, expected: &[&str]) {
        let text = format!("<<<[TOOL_REQUEST]>>>\n{body}\n<<<[END_TOOL_REQUEST]>>>");
        let found: Vec<_> = flats(&text)
            .iter()
            .flat_map(|flat| entries(flat, true))
            .map(|entry| format!("{}:{}", entry.names.list[0], entry.form.code()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn annotated_and_sample_values() {
        check(
            "tool_name:「始」T「末」,\na:「始」(必需) 甲「末」,\nb:「始」上海「末」",
            &["a:D1", "b:D2"],
        );
        check("a:「始」[可选,数字]「末」", &["a:D1"]);
        check("a:「始」标题（必填）「末」", &["a:D1"]);
        check(
            "maid:「始」你的署名「末」,\nMaid:「始」(可选) 署名「末」",
            &["Maid:D1"],
        );
    }

    #[test]
    fn optional_groups_inside_a_block() {
        check(
            "a:「始」甲「末」\n(可选参数):\ncups:「始」整数杯数「末」",
            &["a:D2", "cups:D1"],
        );
        check(
            "a:「始」甲「末」\n(可选参数：cups:「始」整数杯数「末」 - 不写则一杯)",
            &["a:D2", "cups:D1"],
        );
    }

    #[test]
    fn batches_lose_their_numbers() {
        let found = flats(
            "<<<[TOOL_REQUEST]>>>\ncommand1:「始」A「末」,\npath1:「始」x「末」,\ncommand2:「始」B「末」,\npath2:「始」y「末」\n<<<[END_TOOL_REQUEST]>>>",
        );
        assert_eq!(
            (found.len(), found[1].get("path"), found[0].batch),
            (2, Some("y"), true)
        );
    }

    #[test]
    fn a_lost_letter_comes_back() {
        check(
            "a:「始」1「末」,\time_range:「始」d「末」",
            &["a:D2", "time_range:D2"],
        );
    }

    #[test]
    fn fields_on_lines_of_their_own() {
        let check = |value: &'static str,
                     after: &'static str,
                     types: &[Type],
                     values: &[&str],
                     text: &str| {
            let field = Field {
                key: "tea",
                value,
                before: "",
                after,
                closed: true,
            };
            let entry = loose_entry(&field);
            assert_eq!(entry.attrs.types, types, "{value}{after}");
            assert_eq!(entry.values, values, "{value}{after}");
            assert_eq!(entry.text, text, "{value}{after}");
        };
        check(
            "true",
            " 或 「始」false「末」 (可选)",
            &[Type::Boolean],
            &[],
            "",
        );
        check(
            "hot",
            " 或 「始」cold「末」 (必需)",
            &[],
            &["hot", "cold"],
            "",
        );
        check("3", " (可选, 默认3杯)", &[Type::Integer], &[], "");
        check("3", " (必需) 杯数", &[Type::Integer], &[], "杯数");
        check("茶的名称", " (必需)", &[], &[], "茶的名称");
        check("茶名", " 热水", &[], &[], "茶名； 热水");
    }

    #[test]
    fn samples_that_are_a_choice() {
        assert_eq!(alternatives("get / set"), ["get", "set"]);
        assert!(alternatives("a/b.txt").is_empty());
        assert!(alternatives("上海").is_empty());
    }
}
