//! Choices of a parameter that a list below the parameters has: `支持的泡法:` above `- hot: 热泡`.

use serde_json::{Value, json};

/// The beginnings of the label of such a list.
const STARTS: [&str; 8] = [
    "支持的",
    "可用的",
    "可选的",
    "有效的",
    "支持以下",
    "Supported ",
    "Available ",
    "Valid ",
];
/// Maximum number of choices.
const MAX: usize = 24;

/// Gives the parameter that a label names the values of the list below it.
pub(crate) fn apply(text: &str, schema: &mut Value) {
    let text = text.replace("\\n", "\n");
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let Some(noun) = labelled(line) else { continue };
        let below = lines[at + 1..].iter();
        let below = below.skip_while(|line| line.trim().is_empty());
        let values: Option<Vec<&str>> = below
            .take_while(|line| is_item(line))
            .map(|line| value(line))
            .collect();
        let values = values.unwrap_or_default();
        if (2..=MAX).contains(&values.len()) {
            set(schema, noun, &values);
        }
    }
}

/// Returns what a label names: `**支持的编辑类型:**` is of `编辑类型`.
fn labelled(line: &str) -> Option<&str> {
    let bare = line.trim().trim_matches(|c: char| "#*【】 ".contains(c));
    let label = bare.strip_suffix([':', '：']).unwrap_or(bare);
    let is_label = label.len() < bare.len() || bare.len() + 4 <= line.trim().len();
    let noun = STARTS.iter().find_map(|it| label.strip_prefix(it))?;
    let noun = noun.trim().trim_matches(['*', '`']);
    (is_label && noun.chars().count() > 1).then_some(noun)
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with(['-', '*', '•'])
}

/// Reads the value of an item: `` - `hot`: 热泡 ``.
fn value(line: &str) -> Option<&str> {
    let bare = line
        .trim()
        .trim_start_matches(['-', '*', '•', '`', ' ', '\'']);
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let end = bare.find(|c| !is_word(c)).unwrap_or(bare.len());
    let rest = bare[end..].trim_start_matches(['`', '*', '\'', ' ']);
    let is_alone = rest.is_empty() || rest.starts_with([':', '：', '(', '（', '-', '–', '—']);
    (end > 0 && is_alone).then(|| &bare[..end])
}

/// Writes the values of the only parameter with this name or description.
fn set(schema: &mut Value, noun: &str, values: &[&str]) {
    let Some(properties) = schema["properties"].as_object_mut() else {
        return;
    };
    let is_it = |name: &str, property: &Value| {
        let text = property["description"].as_str().unwrap_or_default();
        let first = text.split(['，', ',', '。', '（', '(', '；']).next();
        name == noun || first.is_some_and(|it| it.trim().eq_ignore_ascii_case(noun))
    };
    let mut found = properties
        .iter_mut()
        .filter(|(name, property)| is_it(name, property));
    let (Some((_, property)), None) = (found.next(), found.next()) else {
        return;
    };
    let default = property.get("default").and_then(Value::as_str);
    let is_text = property["type"].is_null() || property["type"] == "string";
    if is_text && property["enum"].is_null() && default.is_none_or(|it| values.contains(&it)) {
        property["enum"] = json!(values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_below_parameters() {
        let check = |text: &str, expected: &Value| {
            let mut schema = json!({ "properties": {
                "way": { "description": "泡法" },
                "cups": { "type": "integer", "description": "杯数" },
            } });
            apply(text, &mut schema);
            assert_eq!(&schema["properties"]["way"]["enum"], expected, "{text}");
            assert!(schema["properties"]["cups"]["enum"].is_null(), "{text}");
        };
        let both = json!(["hot", "cold_brew"]);
        check(
            "**支持的泡法:**\n- hot: 热泡\n- `cold_brew`: 冷泡\n\n- x: y",
            &both,
        );
        check("支持的way：\n\n- hot\n- cold_brew (慢)\n水要热。", &both);
        check("支持的泡法:\n- hot: 热泡\n- 冷泡", &Value::Null);
        check("支持的泡法:\n- hot: 热泡", &Value::Null);
        check("支持的茶:\n- hot: 热泡\n- cold_brew: 冷泡", &Value::Null);
        check("支持的杯数:\n- one: 一\n- two: 二", &Value::Null);
        check("泡法:\n- hot: 热泡\n- cold_brew: 冷泡", &Value::Null);
    }
}
