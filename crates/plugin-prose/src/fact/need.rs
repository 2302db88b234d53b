//! Reads words of need: whether an argument must be given.
//!
//! Source: `docs/design/calls-in-prose.md`, "Labels", rule 7. A condition never makes an argument required.

use crate::lex::chars::strip_word;
use crate::lex::group;
use crate::param::Need;

const REQUIRED: [&str; 20] = [
    "必需",
    "必填",
    "必须",
    "必选",
    "必传",
    "必要",
    "required",
    "mandatory",
    "必須",
    "必须提供",
    "必须传",
    "必须传入",
    "必须填写",
    "必须指定",
    "不能为空",
    "不可为空",
    "不可省略",
    "不能省略",
    "不得为空",
    "必不可少",
];
const OPTIONAL: [&str; 16] = [
    "可选",
    "选填",
    "非必需",
    "非必填",
    "不必填",
    "可省略",
    "optional",
    "not required",
    "非必须",
    "可不填",
    "可不传",
    "可留空",
    "可为空",
    "可空",
    "省略可",
    "not mandatory",
];
/// Words that state a need only if they are alone.
const OPTIONAL_ALONE: [&str; 2] = ["任意", "任選"];
const CONDITIONS: [&str; 9] = [
    "二选一",
    "三选一",
    "任选其一",
    "至少提供一个",
    "至少一个",
    "条件必需",
    "条件必填",
    "必填项之一",
    "at least one",
];

/// Returns the need that one attribute states: `必需`, `optional`, `edit 时必填`.
pub(crate) fn read(attr: &str) -> Option<Need> {
    let text = attr
        .trim()
        .trim_matches(['`', '*', '"', '\'', '.', '。', '!', '！', ' ']);
    if text.is_empty() || text.len() > 160 {
        return None;
    }
    if CONDITIONS
        .iter()
        .any(|word| strip_word(text, word).is_some())
    {
        return Some(Need::When(text.to_owned()));
    }
    if OPTIONAL
        .iter()
        .any(|word| before_suffix(text, word).is_some_and(|before| !before.ends_with(['不', '非'])))
        || OPTIONAL_ALONE.contains(&text)
    {
        return Some(Need::Optional);
    }
    if let Some(before) = REQUIRED.iter().find_map(|word| before_suffix(text, word)) {
        return Some(if is_condition(before) {
            Need::When(text.to_owned())
        } else {
            Need::Required
        });
    }
    starts_with_need(text)
}

/// Reads a text that starts with a need: `required if mode is x`, `可选参数`.
fn starts_with_need(text: &str) -> Option<Need> {
    for word in ["required", "mandatory", "必需", "必填"] {
        if let Some(rest) = strip_word(text, word) {
            let rest = rest.trim_start();
            let conditional = [
                "if ", "when ", "for ", "unless ", "with ", "only ", "in ", "当", "（当", "如果",
            ]
            .iter()
            .any(|cue| strip_word(rest, cue).is_some());
            let plain = rest.is_empty()
                || rest.starts_with(['(', '（', '字', '参', '项'])
                || strip_word(rest, "field").is_some()
                || strip_word(rest, "parameter").is_some();
            return match (conditional, plain) {
                (true, _) => Some(Need::When(text.to_owned())),
                (_, true) => Some(Need::Required),
                _ => None,
            };
        }
    }
    if super::types::beside_need(text).is_some() {
        let optional = ["可选", "选填", "optional"]
            .iter()
            .any(|word| strip_word(text, word).is_some());
        return Some(if optional {
            Need::Optional
        } else {
            Need::Required
        });
    }
    let after = ["可选", "选填", "optional"]
        .iter()
        .find_map(|word| strip_word(text, word))?;
    let plain = after
        .trim_start()
        .starts_with(['参', '字', '项', '(', '（'])
        || after.is_empty()
        || strip_word(after.trim_start(), "for ").is_some();
    plain.then_some(Need::Optional)
}

fn ends_with(text: &str, word: &str) -> bool {
    before_suffix(text, word).is_some()
}

fn before_suffix<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(word.len())?;
    let tail = text.get(at..)?;
    tail.eq_ignore_ascii_case(word).then(|| text[..at].trim())
}

/// Returns true if the text before a word of need limits it: `edit 模式` does, `字符串` and `均为` do not.
fn is_condition(before: &str) -> bool {
    let plain = [
        "", "是", "为", "均", "都", "均为", "都是", "始终", "总是", "全部", "is", "always", "are",
        "this is", "field is",
    ];
    !plain.iter().any(|word| before.eq_ignore_ascii_case(word))
        && super::types::read(before).is_none()
}

/// Returns the need that the first clause of a description states by itself.
pub(crate) fn whole_clause(clause: &str) -> Option<Need> {
    if clause.chars().count() > 24 {
        return None;
    }
    read(clause).filter(|need| !matches!(need, Need::When(_)) || is_bare_condition(clause))
}

/// Returns true for a clause that states a condition and nothing else, such as `edit 时必填`: it is
/// removed from the description and stored separately.
fn is_bare_condition(clause: &str) -> bool {
    CONDITIONS
        .iter()
        .any(|word| strip_word(clause, word).is_some())
        || REQUIRED.iter().any(|word| ends_with(clause, word))
}

/// Returns the need that a description states later: a leading word (`可选区域`, `必填 true`), a bracket
/// or a sentence of its own (`… (required)`, `… Optional.`).
pub(crate) fn in_text(text: &str) -> Option<Need> {
    leading_word(text)
        .or_else(|| in_brackets(text))
        .or_else(|| own_sentence(text))
}

fn leading_word(text: &str) -> Option<Need> {
    let text = text.trim_start();
    for word in ["必填", "必需", "必传", "required", "mandatory"] {
        if let Some(rest) = strip_word(text, word) {
            return (rest.is_empty()
                || rest.starts_with([' ', '.', '。', '(', '（', '：', ':', '-']))
            .then(|| condition_or(rest, text, Need::Required));
        }
    }
    for word in ["可选", "选填", "optional"] {
        if let Some(rest) = strip_word(text, word) {
            let list = rest.starts_with(['值', '项', '为', '：', ':', '有'])
                || rest.trim_start().starts_with(['\'', '"', '`', '「']);
            return (!list && !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
                .then_some(Need::Optional);
        }
    }
    None
}

fn condition_or(rest: &str, text: &str, need: Need) -> Need {
    let rest = rest.trim_start();
    if ["if ", "when ", "for ", "unless "]
        .iter()
        .any(|cue| strip_word(rest, cue).is_some())
    {
        return Need::When(first_clause(text).to_owned());
    }
    need
}

fn first_clause(text: &str) -> &str {
    text.split(['.', '。', '；', ';', '，', ','])
        .next()
        .unwrap_or(text)
        .trim()
}

fn in_brackets(text: &str) -> Option<Need> {
    let mut at = 0;
    while let Some(found) = text[at..].find(['(', '（', '[', '【']) {
        at += found;
        if let Some((inner, _)) = group::take(&text[at..])
            && inner.len() < 60
            && let Some(need) = group::split(inner, |c| matches!(c, ',' | '，' | ';' | '；'))
                .into_iter()
                .find_map(read)
        {
            return Some(need);
        }
        at += text[at..].chars().next().map_or(1, char::len_utf8);
    }
    None
}

fn own_sentence(text: &str) -> Option<Need> {
    let sentences = text.split(['.', '。', ';', '；', ',', '，']);
    sentences
        .map(str::trim)
        .filter(|s| s.chars().count() <= 40)
        .find_map(|sentence| {
            let exact =
                |words: &[&str]| words.iter().any(|word| sentence.eq_ignore_ascii_case(word));
            if exact(&OPTIONAL) {
                Some(Need::Optional)
            } else if exact(&REQUIRED) && !sentence.eq_ignore_ascii_case("必须") {
                Some(Need::Required)
            } else if CONDITIONS[..5].contains(&sentence) || states_condition(sentence) {
                Some(Need::When(sentence.to_owned()))
            } else {
                None
            }
        })
}

/// Returns true if a sentence states a condition: `置顶时必须提供`, `当 kind 为 x 时必填`, `与 a 至少填一个`,
/// `required when x`.
fn states_condition(sentence: &str) -> bool {
    let demanded = REQUIRED
        .iter()
        .find_map(|word| before_suffix(sentence, word))
        .is_some_and(|before| {
            before.ends_with('时') || before.ends_with('則') || before.ends_with('则')
        });
    let one = [
        "至少填一个",
        "至少传一个",
        "至少给一个",
        "至少提供一个",
        "二选一",
        "至少一项",
    ]
    .iter()
    .any(|word| sentence.ends_with(word));
    let english = [
        "required when ",
        "required if ",
        "required unless ",
        "required for ",
    ]
    .iter()
    .any(|cue| strip_word(sentence, cue).is_some());
    let either = strip_word(sentence, "either ").is_some()
        && (sentence.ends_with("must be given")
            || sentence.ends_with("is required")
            || sentence.ends_with("must be provided"));
    demanded || one || english || either
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes `!` for required, `?` for optional, and `~` with the words for a condition.
    fn show(need: Option<Need>) -> String {
        match need {
            None => String::new(),
            Some(Need::Required) => "!".to_owned(),
            Some(Need::Optional) => "?".to_owned(),
            Some(Need::When(words)) => format!("~{words}"),
        }
    }

    #[track_caller]
    fn check(attr: &str, expected: &str) {
        assert_eq!(show(read(attr)), expected);
    }

    #[track_caller]
    fn check_text(text: &str, expected: &str) {
        assert_eq!(show(in_text(text)), expected);
    }

    #[test]
    fn plain_words() {
        check("必需", "!");
        check("Required", "!");
        check("可选", "?");
        check("not required", "?");
        check("字符串必填", "!");
        check("城市", "");
    }

    #[test]
    fn conditions_are_not_required() {
        check("编辑时必需", "~编辑时必需");
        check("required if mode is edit", "~required if mode is edit");
        check("二选一", "~二选一");
        check("下载模式可选", "?");
    }

    #[test]
    fn words_inside_descriptions() {
        check_text("必填 true，表示加热", "!");
        check_text("可选产区代码", "?");
        check_text("可选值：a、b", "");
        check_text("必须以 x 收尾", "");
        check_text("The city (required)", "!");
        check_text("How many. Optional.", "?");
    }
}
