//! The text of an example as Markdown.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::prose::markdown;
use super::told::Before;

/// Returns an example as Markdown: its calls, their labels, and its sentences, without fields of calls
/// that are not whole.
pub(super) fn of_example(text: &str, before: &mut Before<'_>) -> String {
    let is_field = |line: &&str| {
        let name = line.trim().split_once(": ").map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    };
    if let Ok(arguments) = serde_json::from_str::<Map<String, Value>>(text) {
        return before.of_object(arguments);
    }
    // Fences around an example have no use around its calls, which are JSON.
    let bare = text.lines().filter(|line| !line.trim().starts_with("```"));
    let bare = bare.filter(|line| !is_speech(line));
    let bare: Vec<_> = bare.map(without_slashes).collect();
    let all = markdown(&bare.join("\n"), before);
    let mut is_code = false;
    let lines = all.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        is_code || !is_field(line)
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Returns true for a line that an agent says around its call: `我是小爱，主人想喝茶。`
fn is_speech(line: &str) -> bool {
    const STARTS: [&str; 8] = [
        "我是",
        "我将",
        "我来",
        "好的",
        "主人，",
        "I am ",
        "I'm ",
        "Sure",
    ];
    STARTS
        .iter()
        .any(|start| line.trim_start().starts_with(start))
}

/// Returns a comment between calls, `// With a picture`, as the label that it is.
fn without_slashes(line: &str) -> Cow<'_, str> {
    let Some(label) = line.trim().strip_prefix("// ") else {
        return line.into();
    };
    let colon = match label.chars().last() {
        Some(last) if last.is_ascii_alphanumeric() => ":",
        Some(last) if last.is_alphanumeric() || last == '）' => "：",
        Some(')') if label.is_ascii() => ":",
        Some(')') => "：",
        _ => "",
    };
    format!("{label}{colon}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_between_calls_are_labels() {
        for (line, expected) in [
            ("// With a picture", "With a picture:"),
            ("  // 查询进度", "查询进度："),
            ("// 异步示例 (长任务)", "异步示例 (长任务)："),
            ("// Both:", "Both:"),
            ("a // b", "a // b"),
            ("//host/share", "//host/share"),
        ] {
            assert_eq!(without_slashes(line), expected, "{line}");
        }
    }
}
