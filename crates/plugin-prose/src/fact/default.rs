//! Finds default values.
//!
//! Source: `docs/design/calls-in-prose.md`, "Labels", rule 8. Only a literal is a default. Words (`默认使用用户配置`), expressions
//! and two different values are not, and neither is a sample.

use serde_json::Value;

use crate::lex::chars::{find_word, in_name, is_cjk, strip_word};
use crate::lex::group;
use crate::param::{Default, Type};

/// Returns true if an attribute begins with a word for a default.
pub(crate) fn starts(attr: &str) -> bool {
    let attr = attr.trim();
    ["默认", "缺省", "default", "预设", "デフォルト", "既定値"]
        .iter()
        .any(|word| strip_word(attr, word).is_some())
}

/// Returns the default that a text states.
pub(crate) fn read(text: &str) -> Option<Default> {
    let mut literals: Vec<Default> = Vec::new();
    let mut prose = None;
    for (start, end) in markers(text) {
        let found = literal(&text[end..]).or_else(|| marked_before(&text[..start], &text[end..]));
        match found {
            Some(Default::Prose(words)) => {
                let stated = begins_clause(&text[..start]).then_some(Default::Prose(words));
                prose = prose.or(stated);
            }
            Some(found) if !literals.iter().any(|other| same(other, &found)) => {
                literals.push(found);
            }
            _ => {}
        }
    }
    match literals.len() {
        0 => prose,
        1 => literals.pop(),
        _ => Some(Default::Prose("several defaults".to_owned())),
    }
}

/// Returns true if a clause begins here: `店里默认茶壶` does not state a default.
fn begins_clause(before: &str) -> bool {
    before
        .chars()
        .next_back()
        .is_none_or(|c| !is_cjk(c) || matches!(c, '则' | '时' | '将' | '会'))
}

fn same(a: &Default, b: &Default) -> bool {
    match (a, b) {
        (Default::Bare(a) | Default::Quoted(a), Default::Bare(b) | Default::Quoted(b)) => a == b,
        _ => a == b,
    }
}

/// Returns the start and the end of each word that introduces a default.
fn markers(text: &str) -> Vec<(usize, usize)> {
    let mut res = Vec::new();
    // One search for a first character is much cheaper than a search for each word.
    let words: &[&str] = if text.contains(['默', '缺', 'デ', '既']) {
        &["默认", "缺省", "デフォルト", "既定値"]
    } else {
        &[]
    };
    for word in words {
        for (at, _) in text.match_indices(word) {
            let denied = text[..at].ends_with('不') || text[..at].ends_with('非');
            if !denied {
                res.push((at, after_cjk(text, at + word.len())));
            }
        }
    }
    res.extend(omission_ranges(text));
    let mut from = 0;
    while let Some(at) = find_word(text, "default", from) {
        from = at + "default".len();
        if text[..at].to_ascii_lowercase().ends_with("by ") {
            let before = text[..at - "by ".len()].trim_end();
            if before.ends_with(['`', '"', '\'', '”', '」']) {
                res.push((before.len(), text.len()));
            }
            continue;
        }
        let inside = text[..at].ends_with(in_name);
        let end = after_english(text, from);
        if !inside && let Some(end) = end {
            res.push((at, end));
        }
    }
    res.sort_unstable();
    res
}

/// Returns ranges from a word for an omitted argument to the value that then applies: `不填则为 x`,
/// `留空则使用 x`, `省略时取 x`. Only a literal is a value; `留空则不限` states none.
fn omission_ranges(text: &str) -> Vec<(usize, usize)> {
    let mut res = Vec::new();
    if !text.contains(['不', '留', '省', '未']) {
        return res;
    }
    for cue in [
        "不填",
        "留空",
        "不传",
        "省略",
        "未填",
        "未传",
        "不写",
        "不指定",
        "未指定",
        "不提供",
    ] {
        for (at, _) in text.match_indices(cue) {
            let rest = &text[at + cue.len()..];
            let rest = ["时则", "则", "时", "就", "即"]
                .iter()
                .find_map(|word| rest.strip_prefix(word))
                .unwrap_or(rest);
            let rest = rest.trim_start_matches(['，', ' ']);
            let value = ["为", "使用", "用", "取", "按", "是"]
                .iter()
                .find_map(|word| rest.strip_prefix(word));
            if let Some(value) = value
                .map(str::trim_start)
                .filter(|value| !value.starts_with(is_cjk))
            {
                res.push((at, text.len() - value.len()));
            }
        }
    }
    res
}

/// Skips `值`, `为`, `是`, a colon and blanks.
fn after_cjk(text: &str, at: usize) -> usize {
    let rest = text[at..].trim_start_matches(' ');
    let rest = rest
        .strip_prefix("值")
        .unwrap_or(rest)
        .trim_start_matches(' ');
    let rest = rest
        .strip_prefix(['为', '是', '：', ':', '='])
        .unwrap_or(rest);
    text.len() - rest.trim_start_matches([' ', ':', '：']).len()
}

/// Skips `s to`, `value`, `is`, `:` and `=`; returns `None` if the word is part of another.
fn after_english(text: &str, at: usize) -> Option<usize> {
    let mut rest = &text[at..];
    rest = strip_word(rest, "s").unwrap_or(rest);
    if rest.starts_with(in_name) {
        return None;
    }
    rest = rest.trim_start_matches([' ', '`', '*']);
    for word in ["value", "to", "is", "of"] {
        if let Some(after) =
            strip_word(rest, word).filter(|after| after.starts_with([' ', ':', '=']))
        {
            rest = after.trim_start_matches(' ');
        }
    }
    let rest = rest.trim_start_matches([':', '=', ' ', '：']);
    Some(text.len() - rest.len())
}

/// Returns the literal at the start of `text`, or the words there.
fn literal(text: &str) -> Option<Default> {
    let first = text.chars().next()?;
    if let Some((inner, rest)) = group::take_quote(text) {
        let continued = rest.trim_start().starts_with('或') || rest.trim_start().starts_with("or ");
        return (!continued).then(|| Default::Quoted(inner.to_owned()));
    }
    if matches!(first, '[' | '{') {
        return json(text).map(Default::Json);
    }
    if is_cjk(first) {
        return Some(Default::Prose(words(text)));
    }
    let token = token(text);
    if token.is_empty() {
        return None;
    }
    let (token, rest) = (token.trim_end_matches('.'), &text[token.len()..]);
    if matches!(
        token.to_ascii_lowercase().as_str(),
        "null" | "none" | "undefined" | "nil"
    ) {
        return Some(Default::Prose(token.to_owned()));
    }
    if let Some(number) = grouped(text) {
        return Some(Default::Bare(number));
    }
    if is_literal(token, rest) {
        return Some(Default::Bare(token.to_owned()));
    }
    Some(Default::Prose(words(text)))
}

/// Reads a number with digit groups, such as `1,000`.
fn grouped(text: &str) -> Option<String> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != ',')
        .unwrap_or(text.len());
    let mut parts = text[..end].trim_end_matches(',').split(',');
    let first = parts.next()?;
    let rest: Vec<&str> = parts.collect();
    let whole = (1..=3).contains(&first.len())
        && !rest.is_empty()
        && rest.iter().all(|part| part.len() == 3);
    whole.then(|| format!("{first}{}", rest.concat()))
}

/// Returns a run of signs of a bare value. A comma belongs to it if no blank follows and the value
/// is not a number: `md,txt`.
fn token(text: &str) -> &str {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let comma = c == ',' && at > 0 && listed(&text[..at], &text[at + 1..]);
        if c.is_ascii_alphanumeric() || "_-.#+%:/@$*~<>=×\\".contains(c) || comma {
            end = at + c.len_utf8();
        } else {
            break;
        }
    }
    text[..end].trim_end_matches([':', '/', '='])
}

fn listed(before: &str, after: &str) -> bool {
    let first = before.split(',').next().unwrap_or(before);
    let plain = first.parse::<f64>().is_err() && !matches!(first, "true" | "false");
    plain && after.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Returns true if a bare token is a value and not the beginning of a sentence or an expression.
fn is_literal(token: &str, rest: &str) -> bool {
    let number = is_figure(token);
    let next = rest.chars().next();
    let blank = rest.starts_with(' ');
    let after = rest.trim_start().chars().next();
    match next {
        Some('(') if !number && !matches!(token, "true" | "false") => false,
        Some(c) if is_cjk(c) => number,
        _ if !blank => true,
        _ => match after {
            Some(c) if c.is_ascii_alphabetic() => {
                number || rest.trim_start().starts_with("if ") && matches!(token, "true" | "false")
            }
            Some(c) if is_cjk(c) => number || matches!(token, "true" | "false"),
            _ => true,
        },
    }
}

/// Returns true for a number, with or without a unit: `10`, `-1`, `0.5`, `10000ms`.
fn is_figure(token: &str) -> bool {
    figure(token).parse::<f64>().is_ok()
}

fn figure(token: &str) -> &str {
    let body = token.trim_start_matches('+');
    ["ms", "s", "px", "kb", "mb", "KB", "MB", "min", "h", "%"]
        .iter()
        .find_map(|unit| body.strip_suffix(unit))
        .unwrap_or(body)
}

/// Reads a JSON value, also with single quotes.
fn json(text: &str) -> Option<Value> {
    let (_, rest) = group::take(text)?;
    let raw = &text[..text.len() - rest.len()];
    serde_json::from_str(raw)
        .or_else(|_| serde_json::from_str(&raw.replace('\'', "\"")))
        .ok()
}

/// Returns the clause at the start of `text`.
fn words(text: &str) -> String {
    let end = text
        .find(['，', '。', '；', ',', ';', '、', ')', '）', '\n'])
        .unwrap_or(text.len());
    text[..end].trim().to_owned()
}

/// Reads a value before the word for a default: `'a' 默认，` and `a（默认）`.
fn marked_before(before: &str, after: &str) -> Option<Default> {
    let closed =
        after.is_empty() || after.starts_with([')', '）', '，', ',', '。', '；', ';', ']', '】']);
    if !closed {
        return None;
    }
    let before = before
        .trim_end()
        .trim_end_matches(['(', '（', '[', '【', ' ']);
    let last = before.chars().next_back()?;
    if matches!(last, '\'' | '"' | '`' | '」' | '”') {
        let body = &before[..before.len() - last.len_utf8()];
        let open = body.rfind(['\'', '"', '`', '「', '“'])?;
        let inner = body[open..].trim_start_matches(['\'', '"', '`', '「', '“']);
        return Some(Default::Quoted(inner.to_owned()));
    }
    let length = before
        .chars()
        .rev()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        .count();
    let word = &before[before.len() - length..];
    (!word.is_empty()).then(|| Default::Bare(word.to_owned()))
}

/// Returns the default as JSON of the declared type, or `None` if it is not a literal of that type.
pub(crate) fn to_json(default: &Default, types: &[Type], choices: &[Value]) -> Option<Value> {
    let text = match default {
        Default::Json(Value::String(text)) if !types.is_empty() => {
            let found = types.iter().find_map(|&found| typed(text, found));
            return found.or_else(|| Some(Value::from(text.as_str())));
        }
        Default::Json(value) => return Some(value.clone()),
        Default::Prose(words) => {
            return choices
                .iter()
                .find(|choice| choice.as_str() == Some(words))
                .cloned();
        }
        Default::Bare(text) | Default::Quoted(text) => text.trim(),
    };
    match types {
        [] if matches!(default, Default::Quoted(_)) && !matches!(text, "true" | "false") => {
            Some(Value::from(text))
        }
        [] => Some(natural(text)),
        types => types.iter().find_map(|&found| typed(text, found)),
    }
}

/// Returns a literal of one type.
fn typed(text: &str, found: Type) -> Option<Value> {
    match found {
        Type::String => Some(Value::from(text)),
        Type::Boolean => match text.to_ascii_lowercase().as_str() {
            "true" => Some(Value::from(true)),
            "false" => Some(Value::from(false)),
            _ => None,
        },
        Type::Integer | Type::Number => number(text),
        Type::Array | Type::Object => serde_json::from_str(text)
            .ok()
            .filter(|value: &Value| value.is_array() || value.is_object()),
    }
}

fn natural(text: &str) -> Value {
    typed(text, Type::Boolean)
        .or_else(|| number(text))
        .unwrap_or_else(|| Value::from(text))
}

/// Reads a number; a whole number has no fraction.
pub(crate) fn number(text: &str) -> Option<Value> {
    let body = figure(text);
    if let Ok(whole) = body.parse::<i64>() {
        return Some(Value::from(whole));
    }
    let shaped = body
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'e' | b'E' | b'+'));
    let found = body
        .parse::<f64>()
        .ok()
        .filter(|found| shaped && found.is_finite())?;
    serde_json::Number::from_f64(found).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Checks the default of a text without a declared type.
    #[track_caller]
    fn check(text: &str, expected: &Value) {
        let found = read(text).and_then(|found| to_json(&found, &[], &[]));
        assert_eq!(&found.unwrap_or_default(), expected);
    }

    #[track_caller]
    fn check_typed(text: &str, found: Type, expected: &Value) {
        let read = read(text).and_then(|read| to_json(&read, &[found], &[]));
        assert_eq!(&read.unwrap_or_default(), expected);
    }

    #[test]
    fn literals() {
        check("杯数，默认10", &json!(10));
        check("默认值为 0.5。", &json!(0.5));
        check("可选, 默认'oolong'", &json!("oolong"));
        check("默认 false（不过滤）", &json!(false));
        check("默认：auto", &json!("auto"));
        check("默认 10000ms。", &json!(10000));
        check("默认1024x1024。可选值", &json!("1024x1024"));
        check("默认['a','b']", &json!(["a", "b"]));
        check("默认 #ffffff。", &json!("#ffffff"));
        check("默认100条", &json!(100));
    }

    #[test]
    fn english() {
        check("Defaults to 10.", &json!(10));
        check("default: true", &json!(true));
        check("The unit (default \"metric\")", &json!("metric"));
        check("Default is auto, see below", &json!("auto"));
        check("Defaults to the current directory", &Value::Null);
        check("sorted by default", &Value::Null);
    }

    #[test]
    fn the_word_behind_the_value() {
        check("'fast' 默认，快泡；'slow' 慢泡", &json!("fast"));
        check("steep（默认）/ boil", &json!("steep"));
        check("`a` (default), `b`", &json!("a"));
    }

    #[test]
    fn words_and_expressions_are_not_defaults() {
        check("默认使用用户配置", &Value::Null);
        check("默认min(9,n×2)", &Value::Null);
        check("默认加热时 steel，否则 glass", &Value::Null);
        check("普通默认 9；精修默认 4", &Value::Null);
        check("没有写明则默认为tea/leaf目录", &Value::Null);
    }

    #[test]
    fn the_declared_type_decides() {
        check_typed("默认 10", Type::String, &json!("10"));
        check_typed("默认 auto", Type::Integer, &Value::Null);
        check_typed("默认 'true'", Type::Boolean, &json!(true));
    }
}
