//! Reads headings, which determine the meaning of the lines below them.
//!
//! Source: `docs/design/calls-in-prose.md`, "Grammar": a heading that ends in 参数 or Parameters
//! switches bare `- name: text` lines on, a heading of return values switches everything off.

use crate::fact::{self, need};
use crate::lex::chars::{in_name, is_cjk, starts_name, strip_word};
use crate::lex::group;
use crate::lex::line::Line;
use crate::param::Need;

/// The meaning of the lines below a heading.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Section {
    /// There was no heading yet.
    #[default]
    Open,
    /// Parameters, with a common need if the heading states one.
    Params(Option<Need>),
    /// Return values.
    Returns,
    /// Values of the parameters with these names.
    Values(Vec<String>),
    /// Anything else.
    Other,
}

/// A heading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Heading<'a> {
    /// The section that it opens.
    pub(crate) section: Section,
    /// The text after its colon on the same line.
    pub(crate) rest: &'a str,
    /// Names in front of the word for parameters: `run / stop 参数`.
    pub(crate) operations: Vec<String>,
}

/// Arguments that select an operation.
pub(crate) const SELECTORS: [&str; 7] = [
    "command",
    "action",
    "cmd",
    "operation",
    "subcommand",
    "method",
    "op",
];

/// Words in the names of arguments that may select an operation.
const SELECTING: [&str; 14] = [
    "command",
    "action",
    "cmd",
    "operation",
    "method",
    "func",
    "mode",
    "type",
    "op",
    "task",
    "api",
    "intent",
    "request",
    "tool",
];

/// Returns true if an argument of this name may select an operation.
pub(crate) fn may_select(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SELECTING.iter().any(|word| name.contains(word))
}

const PARAM_WORDS: [&str; 33] = [
    "参数",
    "参数说明",
    "参数列表",
    "参数详解",
    "参数详情",
    "参数如下",
    "参数参考",
    "参数表",
    "参数描述",
    "参数解释",
    "参数介绍",
    "字段",
    "字段说明",
    "入参",
    "传参",
    "参数定义",
    "输入",
    "parameters",
    "parameter",
    "params",
    "arguments",
    "args",
    "inputs",
    "options",
    "fields",
    "field",
    "可选",
    "必需",
    "必填",
    "选填",
    "required",
    "optional",
    "parameter list",
];

const RETURN_STARTS: [&str; 17] = [
    "返回",
    "输出",
    "响应",
    "结果",
    "成功返回",
    "成功时返回",
    "失败时返回",
    "失败返回",
    "成功时",
    "失败时",
    "return",
    "response",
    "output",
    "result",
    "returns",
    "on success",
    "on error",
];
const RETURN_ENDS: [&str; 8] = [
    "返回",
    "返回值",
    "返回内容",
    "返回结果",
    "返回字段",
    "输出",
    "返回格式",
    "返回示例",
];

/// Reads a line as a heading.
pub(crate) fn read<'a>(line: &Line<'a>) -> Option<Heading<'a>> {
    let text = line.text;
    let marked = text.starts_with('#') || is_emphasised(text);
    let (label, rest) = split_label(text);
    if let Some(heading) = bare_heading(line, label, rest) {
        return Some(heading);
    }
    let inline = rest.is_some_and(|rest| !rest.is_empty());
    if (rest.is_none() && !marked) || (inline && line.bullet) {
        return None;
    }
    if line.bullet && declares(label) {
        return None;
    }
    let section = classify(label);
    let ends = rest.is_some_and(str::is_empty) || marked && rest.is_none();
    match &section {
        Section::Params(_) if inline && !line.bullet => {}
        Section::Returns if inline && !line.bullet && is_sure_return(label) => {}
        _ if !ends || (line.bullet && !is_emphasised(text)) && section == Section::Other => {
            return None;
        }
        _ => {}
    }
    let operations = if matches!(section, Section::Params(_)) {
        operations(label)
    } else {
        Vec::new()
    };
    Some(Heading {
        section,
        rest: rest.unwrap_or_default(),
        operations,
    })
}

/// Returns true for a name with a type: `params (JSON, 必需)`.
fn declares(label: &str) -> bool {
    let text = label.trim_matches(['*', '`', ' ']);
    let name = text.find(|c| !in_name(c)).unwrap_or(text.len());
    let after = text[name..].trim_start_matches(['*', '`', ' ']);
    let attrs = group::take(after).map(|(inner, _)| fact::read_attrs(inner));
    name > 0 && attrs.is_some_and(|attrs| !attrs.types.is_empty())
}

/// Words that are a heading alone, also without a colon.
const BARE: [&str; 12] = [
    "参数",
    "参数说明",
    "参数列表",
    "入参",
    "输入参数",
    "parameters",
    "arguments",
    "args",
    "params",
    "inputs",
    "required parameters",
    "optional parameters",
];

/// Reads `Parameters` alone on its line, and `查询日志，所有参数均为可选：`, whose last clause is the heading.
fn bare_heading<'a>(line: &Line<'a>, label: &str, rest: Option<&str>) -> Option<Heading<'a>> {
    let returns = ["返回", "响应", "输出", "return", "respon"];
    if line.bullet || rest.is_some() || returns.iter().any(|word| line.text.contains(word)) {
        return None;
    }
    let text = line.text.trim_end();
    let stated = [
        "参数均为可选。",
        "参数均可选。",
        "参数均为必填。",
        "参数都是可选。",
        "参数都是可选的。",
        "参数都可选。",
    ]
    .iter()
    .any(|tail| text.ends_with(tail));
    let body = text
        .strip_suffix([':', '：'])
        .or_else(|| text.strip_suffix('。').filter(|_| stated));
    let last = body.map(|text| {
        let start = text.rfind(['，', '。', '；', ',', ';']);
        start.map_or("", |at| {
            text[at..].trim_start_matches(|c: char| !c.is_alphanumeric())
        })
    });
    let section = match last {
        Some(last) if last.chars().count() < 40 => classify(last),
        None if BARE.contains(&label.to_lowercase().as_str()) => classify(label),
        _ => return None,
    };
    matches!(section, Section::Params(_)).then(|| Heading {
        section,
        rest: "",
        operations: Vec::new(),
    })
}

fn is_emphasised(text: &str) -> bool {
    let text = text.trim_end_matches([':', '：', ' ']);
    (text.starts_with("**")
        && text.ends_with("**")
        && text.len() > 4
        && !text[2..text.len() - 2].contains("**"))
        || (text.starts_with('【') && text.ends_with('】'))
}

/// Splits `label: rest` at a colon outside of brackets. A label without a colon is whole.
fn split_label(text: &str) -> (&str, Option<&str>) {
    let body = text.trim_start_matches(['#', ' ']);
    let mut at = 0;
    while let Some(c) = body[at..].chars().next() {
        if matches!(c, ':' | '：') {
            let rest = body[at + c.len_utf8()..]
                .trim()
                .trim_start_matches('*')
                .trim();
            return (&body[..at], Some(rest));
        }
        if at > 120 || matches!(c, '。' | '，' | '；' | '`') {
            break;
        }
        at += match c {
            '(' | '（' => group::take(&body[at..])
                .map_or(c.len_utf8(), |(_, rest)| body.len() - at - rest.len()),
            _ => c.len_utf8(),
        };
    }
    (body, None)
}

/// Returns the section that a label opens.
fn classify(label: &str) -> Section {
    let lower = bare(label).to_lowercase();
    let text = ["如下", "如下所示", "包括", "包含", "as follows", "are"]
        .iter()
        .find_map(|tail| lower.strip_suffix(tail).map(str::trim_end))
        .unwrap_or(&lower);
    if text.is_empty() || text.chars().count() > 40 {
        return Section::Other;
    }
    if is_return(text) {
        return Section::Returns;
    }
    let sample = [
        "示例",
        "例子",
        "举例",
        "example",
        "配置",
        "config",
        "环境变量",
    ]
    .iter()
    .any(|word| text.contains(word));
    if sample {
        return Section::Other;
    }
    if PARAM_WORDS.iter().any(|word| ends_with_word(text, word)) {
        return Section::Params(section_need(text));
    }
    values_of(text).map_or(Section::Other, Section::Values)
}

fn is_return(text: &str) -> bool {
    RETURN_STARTS
        .iter()
        .any(|word| strip_word(text, word).is_some())
        || RETURN_ENDS.iter().any(|word| text.ends_with(word))
}

/// Returns true for a label of return values that cannot be the name of an argument: `output: path`
/// may be one.
fn is_sure_return(label: &str) -> bool {
    !label.is_ascii()
        || [
            "Returns",
            "Output",
            "Outputs",
            "Response",
            "Return value",
            "Return",
            "On success",
            "On error",
        ]
        .contains(&bare(label))
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|before| {
        !word.is_ascii() || !before.ends_with(|c: char| c.is_ascii_alphanumeric())
    })
}

/// Returns a label without signs around it and without the brackets after it.
fn bare(label: &str) -> &str {
    let mut text = label.trim_matches(|c: char| {
        !c.is_alphanumeric() && !matches!(c, '(' | '（' | ')' | '）' | '_')
    });
    if let Some((inner, rest)) = group::take(text).filter(|(inner, _)| inner.chars().count() < 20) {
        text = if rest.trim().is_empty() { inner } else { rest };
    }
    while text.ends_with([')', '）']) {
        let Some(open) = text.rfind(['(', '（']) else {
            break;
        };
        text = &text[..open];
    }
    text.trim_matches(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Returns the need of all parameters below a heading such as `必需参数`.
fn section_need(text: &str) -> Option<Need> {
    let required = ["必需", "必填", "必须", "必选", "required", "mandatory"]
        .iter()
        .any(|word| text.contains(word));
    let optional = ["可选", "选填", "optional"]
        .iter()
        .any(|word| text.contains(word));
    match (required, optional) {
        (true, false) => need::read("必需"),
        (false, true) => Some(Need::Optional),
        _ => None,
    }
}

/// Returns the parameters whose values a heading introduces: `支持的 provider/source 包括`, `Available
/// modes`, `其他命令`.
fn values_of(text: &str) -> Option<Vec<String>> {
    let commands = ["命令", "指令", "commands", "actions", "操作"]
        .iter()
        .any(|word| ends_with_word(text, word));
    if commands {
        return Some(SELECTORS.iter().map(|&name| name.to_owned()).collect());
    }
    let cue = [
        "支持的",
        "可用的",
        "可选的",
        "可用",
        "支持",
        "available",
        "supported",
        "allowed",
        "valid",
    ]
    .iter()
    .find_map(|cue| strip_word(text, cue))?;
    let names = idents(cue);
    (!names.is_empty()).then_some(names)
}

fn idents(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !in_name(c));
    words
        .filter(|word| word.len() > 1 && word.starts_with(starts_name))
        .map(str::to_owned)
        .collect()
}

/// Returns the names in front of the word for parameters.
fn operations(label: &str) -> Vec<String> {
    let text = bare(label);
    let Some(at) = text.find(is_cjk) else {
        return Vec::new();
    };
    let names = &text[..at];
    let plain = names
        .chars()
        .all(|c| in_name(c) || matches!(c, ' ' | '/' | ',' | '、' | '|' | '`'));
    if plain { idents(names) } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<&Section>) {
        let found = read(&Line::new(line)).map(|heading| heading.section);
        assert_eq!(found.as_ref(), expected);
    }

    #[test]
    fn headings_of_parameters() {
        for line in [
            "参数:",
            "**参数说明：**",
            "【参数说明】",
            "调用参数：",
            "### run / stop 参数",
            "参数说明（都作为字段传入）：",
            "Parameters:",
            "Args:",
            "📋 **参数列表**:",
            "BM25 检索参数:",
        ] {
            check(line, Some(&Section::Params(None)));
        }
        check("可选参数:", Some(&Section::Params(Some(Need::Optional))));
        check(
            "**必需参数 (按此顺序):**",
            Some(&Section::Params(Some(Need::Required))),
        );
        check("(可选参数):", Some(&Section::Params(Some(Need::Optional))));
        check(
            "Required parameters: `a`",
            Some(&Section::Params(Some(Need::Required))),
        );
    }

    #[test]
    fn headings_that_switch_off() {
        check("返回字段：", Some(&Section::Returns));
        check("### 返回字段", Some(&Section::Returns));
        check("Returns:", Some(&Section::Returns));
        check("成功返回：pot_id", Some(&Section::Returns));
        check("常见参数示例:", Some(&Section::Other));
        check("调用格式:", Some(&Section::Other));
        check("output (str): where to write", None);
    }

    #[test]
    fn headings_of_values() {
        check(
            "支持的 source 包括:",
            Some(&Section::Values(vec!["source".to_owned()])),
        );
        assert!(matches!(
            read(&Line::new("### 其他命令")).unwrap().section,
            Section::Values(_)
        ));
    }

    #[test]
    fn other_lines_are_not_headings() {
        check("- url: 网址", None);
        check("- params (JSON, 必需):", None);
        check("查询天气。", None);
        check("说明：这个工具很快", None);
    }

    #[test]
    fn operations_in_front_of_the_word() {
        let heading = read(&Line::new("### run / stop 参数")).unwrap();
        assert_eq!(heading.operations, ["run", "stop"]);
    }
}
