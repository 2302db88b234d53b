//! Reads words of type.
//!
//! Source of the words: `docs/design/calls-in-prose.md`, "Grammar", and "Labels", rule 6 (`数字` is a number, never an integer; `JSON字符串` is a string).

use crate::lex::chars::{ends_clause, is_cjk, strip_word};
use crate::lex::group;
use crate::param::Type;

/// Returns the types that a text states, or `None` if it states anything else: `整数`, `string or
/// array`, `字符串(URL)`.
pub(crate) fn read(text: &str) -> Option<Vec<Type>> {
    let text = text.trim().trim_matches(['`', '*', '"', '\'', '<', '>']);
    let text = strip_word(text, "an ")
        .or_else(|| strip_word(text, "a "))
        .unwrap_or(text);
    if text.len() > 80 || !may_be_type(text) {
        return None;
    }
    let mut res = Vec::new();
    for part in parts(text) {
        if matches!(
            part.to_ascii_lowercase().as_str(),
            "null" | "none" | "undefined" | "nil"
        ) {
            continue;
        }
        let found = word(&part)?;
        if !res.contains(&found) {
            res.push(found);
        }
    }
    (!res.is_empty()).then_some(res)
}

/// Returns true if a text begins like a word of type; most texts do not.
fn may_be_type(text: &str) -> bool {
    text.chars().next().is_some_and(|c| {
        c.is_ascii_alphabetic() || "字文整数浮小布真列对键实正自长纯非配テブ".contains(c)
    })
}

/// Returns the parts of a union.
fn parts(text: &str) -> Vec<String> {
    let text = text
        .replace(" or ", "|")
        .replace("或者", "|")
        .replace(['或', '/', '、'], "|");
    text.split('|').map(|part| part.trim().to_owned()).collect()
}

/// Returns the type of one word, which may have other words around it.
fn word(text: &str) -> Option<Type> {
    let lower = text.to_lowercase();
    let mut body = lower.trim();
    if let Some(at) = body.find(['(', '（'])
        && group::take(&body[at..]).is_some_and(|(_, rest)| rest.trim().is_empty())
    {
        body = body[..at].trim();
    }
    for (open, close) in [
        ("list[", "]"),
        ("array<", ">"),
        ("list<", ">"),
        ("array[", "]"),
        ("数组<", ">"),
    ] {
        if body
            .strip_prefix(open)
            .is_some_and(|rest| rest.ends_with(close))
        {
            return Some(Type::Array);
        }
    }
    if let Some(items) = body
        .strip_prefix("array of ")
        .or_else(|| body.strip_prefix("list of "))
    {
        return exact(items.trim_end_matches('s')).map(|_| Type::Array);
    }
    if body
        .strip_suffix("[]")
        .is_some_and(|item| exact(item).is_some() || item.is_empty())
    {
        return Some(Type::Array);
    }
    if body.starts_with("dict[") || body.starts_with("record<") || body.starts_with("map<") {
        return Some(Type::Object);
    }
    exact(body).or_else(|| exact(strip_tail(body)))
}

/// Returns a word of type without the text that may follow it: `类型`, a range.
fn strip_tail(text: &str) -> &str {
    let text = ["类型", "型", " type", "格式", " value"]
        .iter()
        .find_map(|tail| text.strip_suffix(tail))
        .unwrap_or(text);
    text.trim_end_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '-' | '~' | '.' | ' ' | '–' | '≤' | '≥' | '<' | '>' | '=')
    })
    .trim()
}

fn exact(text: &str) -> Option<Type> {
    let compact: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '-' | '_'))
        .collect();
    Some(match compact.as_str() {
        "字符串"
        | "文字列"
        | "テキスト"
        | "文本"
        | "字符"
        | "文字"
        | "字串"
        | "string"
        | "str"
        | "text"
        | "json字符串"
        | "json对象字符串"
        | "json数组字符串"
        | "jsonstring"
        | "字符串值"
        | "纯文本"
        | "文本字符串"
        | "长文本"
        | "varchar" => Type::String,
        "整数" | "整型" | "整数值" | "正整数" | "非负整数" | "自然数" | "integer" | "int"
        | "int32" | "int64" | "long" | "positiveinteger" | "nonnegativeinteger" => Type::Integer,
        "数字" | "数值" | "数値" | "浮点" | "浮点数" | "小数" | "number" | "float" | "double"
        | "num" | "numeric" | "decimal" | "实数" | "正数" => Type::Number,
        "布尔" | "布尔值" | "boolean" | "bool" | "真假值" | "布林" | "布林值" | "真偽値"
        | "ブール値" => Type::Boolean,
        "数组"
        | "列表"
        | "配列"
        | "array"
        | "list"
        | "json数组"
        | "json列表"
        | "对象数组"
        | "字符串数组"
        | "字符串列表"
        | "数字数组"
        | "整数数组"
        | "jsonarray"
        | "stringarray"
        | "字符串json数组"
        | "tuple"
        | "stringlist"
        | "objectarray"
        | "numberarray"
        | "arrayofstrings"
        | "listofstrings" => Type::Array,
        "对象" | "object" | "json对象" | "jsonobject" | "dict" | "字典" | "map" | "json"
        | "键值对" | "dictionary" | "键值对象" => Type::Object,
        _ => return None,
    })
}

/// Returns the type next to a word of need: `字符串必填`, `string required`, `optional boolean`.
pub(crate) fn beside_need(text: &str) -> Option<Vec<Type>> {
    const WORDS: [&str; 9] = [
        "必需", "必填", "必须", "必选", "必传", "可选", "选填", "required", "optional",
    ];
    let body = text.trim();
    let before = WORDS.iter().find_map(|word| body.strip_suffix(word));
    let after = || WORDS.iter().find_map(|word| strip_word(body, word));
    let found = before.or_else(after)?;
    read(found).or_else(|| read(found.strip_suffix('s')?))
}

/// Returns the types that the clauses of a description state.
///
/// Only a clause that begins or ends with the word counts, so that `传入空字符串` and
/// `过滤 URL 的列表` state nothing.
pub(crate) fn in_text(text: &str) -> Vec<Type> {
    if states_true_and_false(text) {
        return vec![Type::Boolean];
    }
    let clauses = group::split(text, |c| ends_clause(c) || matches!(c, ':' | '：'));
    let mut clauses = clauses.iter().take(4);
    clauses
        .find_map(|clause| in_clause(clause).or_else(|| in_brackets(clause)))
        .unwrap_or_default()
}

/// Reads a clause that ends in a bracket with only a type: `编号（整数）`.
fn in_brackets(clause: &str) -> Option<Vec<Type>> {
    let open = clause.rfind(['(', '（'])?;
    let (inner, rest) = group::take(&clause[open..])?;
    (open > 0 && rest.trim().is_empty())
        .then(|| read(inner))
        .flatten()
}

fn in_clause(clause: &str) -> Option<Vec<Type>> {
    if example(clause) {
        return None;
    }
    if let Some(found) = read(clause).filter(|_| !may_be_value(clause)) {
        return Some(found);
    }
    if let Some(found) = separated_or_array(clause) {
        return Some(found);
    }
    starts_with_type(clause).or_else(|| ends_with_type(clause))
}

/// Returns true for words of type that are often values: `格式：text、markdown`.
pub(crate) fn may_be_value(text: &str) -> bool {
    ["text", "json", "list", "map"]
        .iter()
        .any(|word| text.trim().eq_ignore_ascii_case(word))
}

fn example(clause: &str) -> bool {
    ["例如", "如 ", "比如", "e.g", "such as", "返回"]
        .iter()
        .any(|cue| clause.starts_with(cue))
}

/// Reads text or list: `逗号分隔或 JSON 数组`, `单图 URL，或图片数组`.
fn separated_or_array(clause: &str) -> Option<Vec<Type>> {
    let (first, second) = clause
        .split_once("或")
        .or_else(|| clause.split_once(" or "))?;
    let second = second.trim().trim_start_matches("使用").trim();
    let listed = ends_with_array(second) && second.chars().count() < 16;
    let separated = first.contains("分隔")
        || first.to_ascii_lowercase().contains("separated")
        || first.trim().is_empty();
    (listed && separated).then(|| vec![Type::String, Type::Array])
}

fn ends_with_array(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["数组", "json列表", "json 列表", "数组格式", "array", "list"]
        .iter()
        .any(|tail| text.ends_with(tail))
}

/// Reads a word of type followed by a noun: `整数杯数`.
fn starts_with_type(clause: &str) -> Option<Vec<Type>> {
    for (word, found) in [
        ("整数", Type::Integer),
        ("布尔", Type::Boolean),
        ("字符串", Type::String),
    ] {
        let Some(rest) = clause.strip_prefix(word) else {
            continue;
        };
        let first = rest.chars().next();
        if first.is_some_and(|c| is_cjk(c) || c == ' ')
            && rest.chars().count() <= 6
            && !rest.starts_with(['数', '列', '或', '和', '、'])
        {
            return Some(vec![found]);
        }
    }
    None
}

/// Words in a clause whose last noun is not a type.
const NOT_STATED: [&str; 11] = [
    "传入",
    "空字符串",
    "包含",
    "匹配",
    "过滤",
    "返回",
    "替换",
    "或",
    "任意",
    "不",
    "指定",
];

/// Reads a noun phrase that ends in a word of type: `新的 X 字符串`, `保温布尔值`, `多张图片的 JSON 数组`.
fn ends_with_type(clause: &str) -> Option<Vec<Type>> {
    const TAILS: [(&str, Type); 9] = [
        ("字符串", Type::String),
        ("布尔值", Type::Boolean),
        ("json数组", Type::Array),
        ("json 数组", Type::Array),
        ("json 列表", Type::Array),
        ("json对象", Type::Object),
        ("json 对象", Type::Object),
        (" 文本", Type::String),
        ("整数", Type::Integer),
    ];
    let clause = clause.trim().trim_end_matches(['。', '.']);
    if !clause.ends_with(['串', '值', '组', '表', '象', '本', '数']) {
        return None;
    }
    let lower = clause.to_lowercase();
    let (before, found) = TAILS
        .iter()
        .find_map(|(tail, found)| Some((lower.strip_suffix(tail)?, *found)))?;
    let noun = !before.trim().is_empty() && before.chars().count() < 40;
    let stated = !NOT_STATED.iter().any(|word| clause.contains(word));
    (noun && stated).then(|| vec![found])
}

/// Returns true for an explicit pair: `true/false`, `true 或 false`, `true or false`.
pub(crate) fn states_true_and_false(text: &str) -> bool {
    if !text.contains("rue") && !text.contains("RUE") {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    let compact: String = lower
        .chars()
        .filter(|c| !matches!(c, ' ' | '`' | '\'' | '"' | '*'))
        .collect();
    [
        "true/false",
        "true或false",
        "trueorfalse",
        "true|false",
        "false/true",
        "false或true",
        "falseortrue",
        "false|true",
        "true、false",
    ]
    .iter()
    .any(|pair| compact.contains(pair))
        || ["：", ":", "=", "表示"].iter().any(|sign| {
            compact.contains(&format!("true{sign}")) && compact.contains(&format!("false{sign}"))
        })
}

#[cfg(test)]
mod tests {
    use super::Type::{Array, Boolean, Integer, Number, Object, String};
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Type]) {
        assert_eq!(read(text).unwrap_or_default(), expected);
    }

    #[track_caller]
    fn check_text(text: &str, expected: &[Type]) {
        assert_eq!(in_text(text), expected);
    }

    #[test]
    fn words_of_both_languages() {
        check("字符串", &[String]);
        check("整数类型", &[Integer]);
        check("浮点数", &[Number]);
        check("Boolean", &[Boolean]);
        check("string[]", &[Array]);
        check("List[str]", &[Array]);
        check("JSON字符串", &[String]);
        check("JSON 对象字符串", &[String]);
        check("dict", &[Object]);
        check("整数 1-10", &[Integer]);
        check("string (URL)", &[String]);
    }

    #[test]
    fn unions() {
        check("字符串或JSON数组", &[String, Array]);
        check("布尔/数字/字符串", &[Boolean, Number, String]);
        check("string | null", &[String]);
    }

    #[test]
    fn other_words_are_not_types() {
        check("城市", &[]);
        check("层数", &[]);
        check("文本内容描述", &[]);
    }

    #[test]
    fn clauses_of_descriptions() {
        check_text("整数杯数", &[Integer]);
        check_text("新的茶名字符串。", &[String]);
        check_text("客人，逗号分隔或 JSON 数组", &[String, Array]);
        check_text("是否启用，true/false", &[Boolean]);
        check_text("正文。true：全文；false：摘要", &[Boolean]);
        check_text("不加糖时传入空字符串", &[]);
        check_text("茶单里的关键字列表", &[]);
        check_text("茶壶编号（整数），默认 0", &[Integer]);
        check_text("茶壶的 ID (数字) 或名称", &[]);
        check_text("消息格式：text、markdown", &[]);
        check_text("保温布尔值，默认 true", &[Boolean]);
    }
}
