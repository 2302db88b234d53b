//! The cells of a parameter beside its description: type, need, range and default.

use serde_json::Value;

use super::Language;

/// Returns the declared type, which is the first one; every type also accepts a string, which is
/// not mentioned.
pub(super) fn type_text(property: &Value) -> String {
    match &property["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            match names[..] {
                [first, "string"] => first.to_owned(),
                _ => names.join(" / "),
            }
        }
        _ => String::new(),
    }
}

pub(super) fn required(is_required: bool, property: &Value, language: Language) -> String {
    if is_required {
        language.pick("yes", "是").to_owned()
    } else {
        property["x-required-when"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

/// Returns type, need and default in one cell: `integer, default 4`. Text is not named, because every
/// parameter may be one.
pub(super) fn value(
    is_required: bool,
    default: Option<&str>,
    property: &Value,
    language: Language,
) -> String {
    let mut parts = Vec::new();
    match required(is_required, property, language) {
        text if is_required && !text.is_empty() => {
            let unless = property["x-unless"].as_array().map(|it| codes(it));
            parts.push(match (unless, language) {
                (None, _) => language.pick("required", "必需").to_owned(),
                (Some(others), Language::English) => format!("required unless {others} is given"),
                (Some(others), Language::Chinese) => format!("必需，给出 {others} 时除外"),
            });
        }
        text if !text.is_empty() && text != SOME_FORMS => {
            parts.push(need_when(&text, language));
        }
        _ => {}
    }
    let kind = match property["x-list-text"].as_str() {
        Some(sign) => list_or_text(sign, language),
        None => type_text(property),
    };
    match property["x-strict"].as_str() {
        Some("number") => parts.push(language.pick("a JSON number", "JSON 数字").to_owned()),
        Some("text") if kind == "boolean" => {
            let text = r#"text "true" or "false""#;
            parts.push(language.pick(text, r#"文本 "true" 或 "false""#).to_owned());
        }
        Some("text") if kind == "array" => parts.push(language.pick("text", "文本").to_owned()),
        Some("text") => parts.push(language.pick("a number as text", "数字的文本").to_owned()),
        Some(_) => parts.push(language.pick("a JSON boolean", "JSON 布尔值").to_owned()),
        None if !kind.is_empty() && kind != "string" => parts.push(kind),
        None => {}
    }
    if let Some(others) = property["x-one-of"].as_array() {
        let others = codes(others);
        parts.push(match language {
            Language::English => format!("this or {others}"),
            Language::Chinese => format!("与 {others} 至少给一个"),
        });
    }
    parts.extend(mode(property, language));
    parts.extend(range(property, language));
    parts.extend(length(property, language));
    if property["x-made"] == true {
        let made = language.pick("made by the program if absent", "省略时由程序给出");
        parts.push(made.to_owned());
    }
    if let Some(value) = property.get("x-configured").map(plain) {
        parts.push(match language {
            Language::English => format!("default from the settings, else {value}"),
            Language::Chinese => format!("默认取配置，未配置时 {value}"),
        });
    }
    if let Some(default) = default {
        let label = language.pick("default", "默认");
        parts.push(format!("{label} {default}"));
    }
    parts.join(language.pick(", ", "，"))
}

/// Returns the type of a list that may be text.
fn list_or_text(sign: &str, language: Language) -> String {
    let sign = crate::markdown::code(sign);
    match language {
        Language::English => format!("array, or text with {sign} between the items"),
        Language::Chinese => format!("数组，或用 {sign} 分隔的文本"),
    }
}

/// Returns the number of items of a list that the program takes.
fn length(property: &Value, language: Language) -> Option<String> {
    let bound = |key: &str| property[key].as_u64();
    Some(match (language, bound("minItems"), bound("maxItems")) {
        (Language::English, Some(least), Some(most)) => format!("{least}–{most} items"),
        (Language::English, Some(least), None) => format!("at least {least} items"),
        (Language::English, None, Some(most)) => format!("at most {most} items"),
        (Language::Chinese, Some(least), Some(most)) => format!("{least}–{most} 项"),
        (Language::Chinese, Some(least), None) => format!("至少 {least} 项"),
        (Language::Chinese, None, Some(most)) => format!("最多 {most} 项"),
        (_, None, None) => return None,
    })
}

/// Returns the argument with or without which a parameter counts.
pub(super) fn mode(property: &Value, language: Language) -> Option<String> {
    let mode = property["x-mode"].as_object()?;
    let with = crate::markdown::code(mode["with"].as_str()?);
    let is = |key: &str| mode.get(key) == Some(&Value::Bool(true));
    let when = match (language, is("is_flag"), is("is_given")) {
        (Language::English, false, true) => format!("with {with}"),
        (Language::English, false, false) => format!("without {with}"),
        (Language::English, true, true) => format!("if {with} is true"),
        (Language::English, true, false) => format!("unless {with} is true"),
        (Language::Chinese, false, true) => format!("有 {with} 时"),
        (Language::Chinese, false, false) => format!("没有 {with} 时"),
        (Language::Chinese, true, true) => format!("{with} 为 true 时"),
        (Language::Chinese, true, false) => format!("{with} 不为 true 时"),
    };
    Some(match (language, is("is_required")) {
        (Language::English, true) => format!("required {when}"),
        (Language::English, false) => format!("only {when}"),
        (Language::Chinese, true) => format!("{when}必需"),
        (Language::Chinese, false) => {
            let blank = if is("is_flag") { " " } else { "" };
            format!("仅{blank}{when}有效")
        }
    })
}

/// Returns the range of a number, unless its description has it.
fn range(property: &Value, language: Language) -> Option<String> {
    let text = property["description"].as_str().unwrap_or_default();
    let bound = |keyword: &str| property.get(keyword).map(plain);
    let is_told = |bound: &Option<String>| bound.as_ref().is_none_or(|it| has_word(text, it));
    let (least, most) = (bound("minimum"), bound("maximum"));
    if is_told(&least) && is_told(&most) {
        return None;
    }
    if let (Some(least), Some(most)) = (&least, &most)
        && ["-", "–", "~", "～", "到", "至"]
            .iter()
            .any(|sign| text.contains(&format!("{least}{sign}{most}")))
    {
        return None;
    }
    match (least, most) {
        (Some(least), Some(most)) => Some(format!("{least}–{most}")),
        (Some(least), None) if least != "0" => Some(match language {
            Language::English => format!("at least {least}"),
            Language::Chinese => format!("至少 {least}"),
        }),
        (None, Some(most)) => Some(match language {
            Language::English => format!("at most {most}"),
            Language::Chinese => format!("最多 {most}"),
        }),
        _ => None,
    }
}

/// A condition of `plugin-prose` that says nothing to a caller.
const SOME_FORMS: &str = "in some of the forms that the text describes";

/// Returns a condition in the language of the skill: `preset = index 时`.
pub(super) fn need_when(condition: &str, language: Language) -> String {
    const NEEDS: [&str; 10] = [
        "必", "需", "可选", "提供", "选一", "除非", "require", "must", "need", "unless",
    ];
    let lower = condition.to_lowercase();
    if NEEDS.iter().any(|word| lower.contains(word)) {
        return condition.to_owned();
    }
    let starts = ["如果", "若", "当", "仅", "if ", "when ", "If ", "When "];
    let start = starts
        .iter()
        .find_map(|start| condition.strip_prefix(start));
    let bare = start.unwrap_or(condition).trim();
    let bare = bare.trim_end_matches([':', '：', '时']).trim_end();
    match language {
        Language::English => format!("when {bare}"),
        Language::Chinese if bare.ends_with(|c: char| c.is_ascii()) => format!("{bare} 时"),
        Language::Chinese => format!("{bare}时"),
    }
}

pub(super) fn codes(values: &[Value]) -> String {
    let codes = values.iter().map(|value| format!("`{}`", plain(value)));
    codes.collect::<Vec<_>>().join(", ")
}

/// Returns true if a text has a value between other characters than those of words.
pub(super) fn has_word(text: &str, value: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !value.is_empty()
        && text.match_indices(value).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + value.len()..].chars().next();
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        })
}

/// Formats a value for people: a string without quotes, everything else as JSON.
pub(crate) fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
