//! The description of a parameter.

use std::collections::BTreeSet;

use serde_json::Value;

pub(crate) use super::cell::plain;
use super::cell::{codes, has_word, type_text};
use super::members::members;
use super::{Language, host_words};

/// Returns the parameters that count with an argument of which nothing else is known.
fn selecting(property: &Value, language: Language) -> Option<String> {
    let names = |key: &str| property[key].as_array().map(|it| codes(it));
    let parts = [
        names("x-with").map(|names| match language {
            Language::English => format!("with it, {names} counts"),
            Language::Chinese => format!("给出时 {names} 才有效"),
        }),
        names("x-instead").map(|names| match language {
            Language::English => format!("With it, {names} is not needed"),
            Language::Chinese => format!("给出时不需要 {names}"),
        }),
        names("x-without").map(|names| match language {
            Language::English => format!("with it, {names} is not read"),
            Language::Chinese => format!("给出时不读取 {names}"),
        }),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(language.pick("; ", "，")))
}

pub(super) fn describe(property: &Value, language: Language) -> String {
    let mut parts = Vec::new();
    let text = property["description"].as_str().unwrap_or_default();
    let text = unrepeated(&plugin_prose::without_marks(text), property);
    let text = without_reference(&host_words::plain_words(&text));
    if !text.is_empty() {
        parts.push(text);
    }
    if let Some(other) = property["x-as"].as_str().map(crate::markdown::code) {
        parts.push(match language {
            Language::English => format!("More, each like {other}"),
            Language::Chinese => format!("更多，每个同 {other}"),
        });
    }
    let said = property["x-said"].as_str().filter(|_| parts.is_empty());
    // The need of one of several says it.
    if let Some(said) = said.filter(|_| property["x-one-of"].is_null()) {
        let said = plugin_prose::without_marks(said);
        parts.push(alternatives(&said, language).unwrap_or(said));
    }
    let elsewhere = property["x-elsewhere"].as_str();
    parts.extend(elsewhere.filter(|_| parts.is_empty()).map(str::to_owned));
    if let Some(text) = property["x-elsewhere"]
        .as_str()
        .filter(|_| parts.is_empty())
    {
        parts.push(text.to_owned());
    }
    let values = property["enum"].as_array().map_or(&[][..], Vec::as_slice);
    let is_listed = |value: &Value| parts.iter().any(|text| has_word(text, &plain(value)));
    if !values.is_empty() && !values.iter().all(is_listed) {
        // The label of a list that was elsewhere in the text.
        for text in &mut parts {
            *text = text.replace("可选值： ", "").replace("可选值: ", "");
            text.truncate(text.trim_end_matches(['：', ':', ' ']).len());
        }
        parts.push(choices(values, language));
    }
    if let Some(known) = property["x-compared"].as_array() {
        let label = language.pick("The program knows ", "程序识别的值：");
        parts.push(format!("{label}{}", codes(known)));
    }
    parts.extend(super::choices::of_data(property, language));
    parts.extend(members(property, language));
    parts.extend(selecting(property, language));
    if property["x-unread"] == true {
        let unread = language.pick("The program does not read it", "程序不读取此参数");
        parts.push(unread.to_owned());
    }
    if property["x-echoed"] == true {
        let echoed = language.pick("Has no effect", "不起作用");
        parts.push(echoed.to_owned());
    }
    let names = property["x-aliases"].as_array().into_iter().flatten();
    // The text says it itself.
    let text = parts.concat();
    let says = ["兼容", "别名", "也可", "等价", "alias", "also"];
    let is_told = says.iter().any(|word| text.contains(word));
    // Nobody needs a second name that no text tells.
    let is_needless = property["x-aliases-read"] == true && !parts.is_empty();
    let names = names.filter(|name| !(is_needless || is_told && has_word(&text, &plain(name))));
    let names: Vec<Value> = names.cloned().collect();
    if !names.is_empty() {
        let label = language.pick("Also called", "别名：");
        parts.push(format!("{label} {}", codes(&names)));
    }
    if let [first, _, ..] = &mut parts[..] {
        first.truncate(first.trim_end_matches(['.', '。', '；']).len());
    }
    let text = parts.join(language.pick(". ", "；"));
    text.replace("别名： `", "别名：`")
}

/// Returns the choices of a parameter, without other cases of one: `` 可选值：`a`, `b` ``.
pub(super) fn choices(values: &[Value], language: Language) -> String {
    let label = language.pick("One of ", "可选值：");
    let mut seen = BTreeSet::new();
    let shown = values
        .iter()
        .filter(|it| seen.insert(plain(it).to_lowercase()));
    let shown: Vec<Value> = shown.cloned().collect();
    format!("{label}{}", codes(&shown))
}

/// Returns a text without a clause that leads to a list elsewhere in the old text: `命令名，见上方列表`.
fn without_reference(text: &str) -> String {
    const PLACES: [&str; 6] = ["上方", "上文", "上述", "上面", "下方", "下文"];
    let is_reference = |clause: &str| {
        let rest = ["详见", "参见", "见"]
            .iter()
            .find_map(|word| clause.trim().strip_prefix(word));
        rest.is_some_and(|rest| {
            rest.chars().count() <= 6 && PLACES.iter().any(|place| rest.starts_with(place))
        })
    };
    let kept = text
        .split('，')
        .filter(|clause| !is_reference(clause.trim_end_matches(['。', '；'])));
    kept.collect::<Vec<_>>().join("，")
}

/// Returns a description without clauses that the other columns say: its default, its need.
pub(super) fn unrepeated(text: &str, property: &Value) -> String {
    let default = property.get("default").map(plain);
    let when = property["x-required-when"].as_str().unwrap_or_default();
    let is_flag = type_text(property) == "boolean";
    let is_repeated = |clause: &str| {
        let clause = clause.trim();
        let pair: String = clause.chars().filter(|c| !" `'\"".contains(*c)).collect();
        let pair = ["可填", "可选", "填"]
            .iter()
            .find_map(|it| pair.strip_prefix(it))
            .unwrap_or(&pair);
        if is_flag && matches!(pair, "true/false" | "true或false" | "trueorfalse") {
            return true;
        }
        let is_need = matches!(
            clause,
            "true" | "false" | "必需" | "必填" | "可选" | "选填" | "required" | "optional"
        );
        let is_when = !when.is_empty() && clause == when;
        is_need
            || is_when
            || default
                .as_deref()
                .is_some_and(|value| is_default(clause, value))
    };
    let text = match when {
        "" => text.to_owned(),
        when => [format!("({when})"), format!("（{when}）")]
            .iter()
            .fold(text.to_owned(), |text, part| text.replace(part, "")),
    };
    let text = default
        .as_deref()
        .map_or(text.clone(), |value| without_list(&text, value));
    let mut res = String::new();
    // The separator before the next clause.
    let mut before = String::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let is_separator = |c: char| "，,；;。()（）".contains(c);
        let end = rest.find(is_separator).unwrap_or(rest.len());
        let clause = &rest[..end];
        let mark = rest[end..].chars().next();
        rest = &rest[end + mark.map_or(0, char::len_utf8)..];
        let is_enclosed = before.ends_with(['(', '（']) && matches!(mark, Some(')' | '）'));
        // `默认 0（不过滤）` explains the default.
        let goes_on = ["仅", "只", "即", "表示", "此时"]
            .iter()
            .any(|word| rest.trim_start().starts_with(word));
        let is_explained = match mark {
            Some('(' | '（') => true,
            Some('，' | ',') => goes_on,
            _ => false,
        };
        if is_repeated(clause) && !is_explained {
            if is_enclosed {
                before.clear();
            } else if before.is_empty() || matches!(mark, Some('。' | ')' | '）')) {
                before = mark.map(String::from).unwrap_or_default();
            }
            continue;
        }
        if !res.is_empty() || matches!(&*before, "(" | "（") {
            res.push_str(&before);
        }
        res.push_str(clause);
        before = mark.map(String::from).unwrap_or_default();
    }
    if matches!(&*before, "。" | ")" | "）") && !res.is_empty() {
        res.push_str(&before);
    }
    let labels = ["可选值：", "可选值:", "可选值", "One of:"];
    let res = res.trim();
    let res = labels
        .iter()
        .find_map(|label| res.strip_suffix(label))
        .unwrap_or(res);
    res.trim_end_matches(['，', ',', '；', ';', ' ']).to_owned()
}

/// Returns a text without a default that is a list: `默认 a,b,c`.
fn without_list(text: &str, value: &str) -> String {
    let mut res = text.to_owned();
    for word in [
        "默认值为",
        "默认为",
        "默认值",
        "默认",
        "defaults to",
        "default",
    ] {
        for sign in ["", " ", "：", ": "] {
            let clause = format!("{word}{sign}{value}");
            if !value.contains(',') {
                continue;
            }
            for end in ["。", "；", "）", ")"] {
                res = res.replace(&format!("，{clause}{end}"), end);
            }
            if let Some(rest) = res.strip_suffix(&clause) {
                res = rest.trim_end_matches(['，', ' ']).to_owned();
            }
        }
    }
    res
}

/// Returns true for `默认 5`, `默认值为 "a"` and `default: 5`.
fn is_default(clause: &str, value: &str) -> bool {
    const WORDS: [&str; 7] = [
        "默认值",
        "默认",
        "缺省",
        "defaults to",
        "default is",
        "default",
        "Default",
    ];
    let rest = WORDS.iter().find_map(|word| clause.strip_prefix(word));
    let trim = |c: char| " 为是：:='\"`“”‘’=".contains(c);
    rest.is_some_and(|rest| rest.trim_matches(trim) == value.trim_matches(trim))
}

/// Turns the error on what a call needs into what to give:
/// `Brew requires either "tea" or both "leaves" and "water" parameters.` is ``Give `tea`, or `leaves` and `water`.``
fn alternatives(said: &str, language: Language) -> Option<String> {
    let (_, rest) = said.split_once(" requires either ")?;
    let (one, both) = rest.split_once(" or both ")?;
    let names = |text: &str| -> Vec<String> {
        let quoted = text.split('"').skip(1).step_by(2);
        quoted.map(crate::markdown::code).collect()
    };
    let (one, both) = (names(one), names(both));
    let ([one], [first, second]) = (&one[..], &both[..]) else {
        return None;
    };
    Some(match language {
        Language::English => format!("Give {one}, or {first} and {second}"),
        Language::Chinese => format!("给 {one}，或同时给 {first} 和 {second}"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::cell::{mode, need_when};
    use super::*;

    #[track_caller]
    fn check(property: &Value, expected: &str) {
        assert_eq!(describe(property, Language::Chinese), expected);
    }

    #[test]
    fn parameters_that_count_with_another() {
        let check = |with: &str, keys: &[&str], expected: &str| {
            let mut counts = json!({ "with": with });
            for key in keys {
                counts[*key] = json!(true);
            }
            let found = mode(&json!({ "x-mode": counts }), Language::Chinese);
            assert_eq!(found.as_deref(), Some(expected));
        };
        check("url", &["is_given"], "仅有 `url` 时有效");
        check("url", &["is_required"], "没有 `url` 时必需");
        check("deep", &["is_given", "is_flag"], "仅 `deep` 为 true 时有效");
        let with = json!({ "x-with": ["a", "b"], "x-without": ["c"] });
        assert_eq!(
            selecting(&with, Language::Chinese).as_deref(),
            Some("给出时 `a`, `b` 才有效，给出时不读取 `c`")
        );
    }

    #[test]
    fn errors_on_alternatives_say_what_to_give() {
        let said = r#"Brew requires either "tea" or both "leaves" and "water" parameters."#;
        let found = alternatives(said, Language::Chinese);
        assert_eq!(
            found.as_deref(),
            Some("给 `tea`，或同时给 `leaves` 和 `water`")
        );
        assert_eq!(alternatives("Brew requires tea", Language::English), None);
    }

    #[test]
    fn the_other_columns_are_not_repeated() {
        let of = |text: &str| json!({ "description": text, "default": 5, "x-required-when": "edit 必需" });
        check(&of("帧数，默认 5"), "帧数");
        check(&of("帧数，默认5，不超过 9。"), "帧数，不超过 9。");
        check(&of("帧数（默认 5）"), "帧数");
        check(&of("默认 5"), "");
        check(&of("帧数 (edit 必需)"), "帧数");
        check(&of("帧数，默认 50"), "帧数，默认 50");
        check(&of("帧数。默认 5（慢）。"), "帧数。默认 5（慢）。");
        check(&of("帧数。默认 5，仅静音。"), "帧数。默认 5，仅静音。");
        check(&of("帧数（可选，默认 5，整数）"), "帧数（整数）");
        check(&of("帧数。默认 5。"), "帧数。");
        let list = json!({ "description": "资产，默认 A,B。", "default": "A,B" });
        check(&list, "资产。");
        let flag = json!({ "description": "true/false。", "type": "boolean" });
        check(&flag, "");
        let flag = json!({ "description": "保温。可填 true 或 false。", "type": "boolean" });
        check(&flag, "保温。");
    }

    #[test]
    fn references_to_other_places_go() {
        let of = |text: &str| json!({ "description": text });
        check(&of("命令名，见上方列表"), "命令名");
        check(&of("命令名，详见下文。"), "命令名");
        check(&of("见上海天气，很热"), "见上海天气，很热");
    }

    #[test]
    fn conditions_in_the_language_of_the_skill() {
        let check = |when: &str, expected: &str| {
            assert_eq!(need_when(when, Language::Chinese), expected);
        };
        check("preset = index", "preset = index 时");
        check("如果 mode 是 't2v'", "mode 是 't2v' 时");
        check("灵感模式", "灵感模式时");
        check("edit/compose必需", "edit/compose必需");
        check("至少提供一个", "至少提供一个");
    }

    #[test]
    fn values_are_listed_once() {
        let of = |text: &str| json!({ "description": text, "enum": ["hot", "cold"] });
        check(&of("'hot' 或 'cold'"), "'hot' 或 'cold'");
        check(&of("温度"), "温度；可选值：`hot`, `cold`");
        check(&of("hotter, cold"), "hotter, cold；可选值：`hot`, `cold`");
        check(&of("可选值："), "可选值：`hot`, `cold`");
        check(
            &of("温度。可选值： 注意：烫"),
            "温度。注意：烫；可选值：`hot`, `cold`",
        );
        check(&of("不同的温度："), "不同的温度；可选值：`hot`, `cold`");
    }
}
