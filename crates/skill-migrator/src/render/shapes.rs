//! The forms of results in a text: an object of names and types, `{ "tea": string, "cups": number[] }`.
//!
//! Two commands return some of the same members, so a form is never shortened by what is above it.

use super::items::{Item, fences};

/// The maximum number of lines of a form, and its maximum length in one line, in characters.
const MAX_LINES: usize = 24;
const MAX_LENGTH: usize = 400;

/// Returns true for a line with an object of several members.
pub(super) fn is_shape(line: &str) -> bool {
    let inner = line
        .split_once('{')
        .and_then(|(_, rest)| rest.rsplit_once('}'));
    inner.is_some_and(|(inner, _)| {
        inner.contains([',', ':']) && inner.chars().any(char::is_alphanumeric)
    })
}

/// Writes each form that has several lines in one, as code.
pub(super) fn in_one_line(items: &[Item]) -> Vec<Item> {
    let is_code = fences(items);
    let mut res: Vec<Item> = Vec::new();
    let mut at = 0;
    while at < items.len() {
        match shape(items, at).filter(|_| !is_code[at]) {
            Some((line, end)) => {
                res.push(Item::Line(line));
                at = end;
            }
            None => {
                res.push(items[at].clone());
                at += 1;
            }
        }
    }
    res
}

/// Returns the form that begins with a line, and the place of the line after it.
fn shape(items: &[Item], at: usize) -> Option<(String, usize)> {
    let Item::Line(first) = items.get(at)? else {
        return None;
    };
    if first.trim() != "{" {
        return None;
    }
    let mut depth = 0_usize;
    let mut words: Vec<&str> = Vec::new();
    for (n, item) in items[at..].iter().take(MAX_LINES).enumerate() {
        let Item::Line(line) = item else {
            return None;
        };
        let line = line.split(" //").next().unwrap_or_default().trim();
        for c in line.chars() {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        words.push(line);
        if depth == 0 {
            let text = words.join(" ").replace('`', "");
            let indent = &first[..first.len() - first.trim_start().len()];
            let is_short = text.chars().count() <= MAX_LENGTH && n > 0;
            return is_short.then(|| (format!("{indent}`{text}`"), at + n + 1));
        }
    }
    None
}

/// Writes a form on the line of the label that it follows, `返回：`, without a label of JSON between them.
pub(super) fn behind_labels(items: Vec<Item>) -> Vec<Item> {
    const MAX_LABEL: usize = 24;
    let mut res: Vec<Item> = Vec::new();
    let is_code = fences(&items);
    for (item, is_code) in items.into_iter().zip(is_code) {
        let Item::Line(line) = &item else {
            res.push(item);
            continue;
        };
        let form = line.trim();
        let is_form = form.starts_with("`{") && form.ends_with("}`") && is_shape(form);
        if is_code || !is_form {
            res.push(item);
            continue;
        }
        if matches!(res.last(), Some(Item::Line(label)) if is_label_of_json(label)) {
            res.pop();
        }
        match res.last_mut() {
            Some(Item::Line(label))
                if label.trim_end().ends_with(['：', ':'])
                    && label.chars().count() <= MAX_LABEL
                    && !label.trim_start().starts_with('#') =>
            {
                let joined = format!("{} {form}", label.trim_end());
                *label = joined.replace("： ", "：");
            }
            _ => res.push(item),
        }
    }
    let begins = |res: &[Item], at: usize| matches!(res[..at].last(), Some(Item::Line(line)) if line.trim_end().ends_with(['：', ':']));
    for at in (1..res.len()).rev() {
        let is_needless = matches!(&res[at], Item::Line(line) if is_label_of_json(line));
        if is_needless && begins(&res, at) {
            res.remove(at);
        }
    }
    res
}

/// Returns true for a label that says only that a form follows: `- JSON 字段：`.
fn is_label_of_json(line: &str) -> bool {
    const LABELS: [&str; 8] = [
        "JSON字段",
        "字段",
        "返回字段",
        "JSON结构",
        "JSON格式",
        "JSON对象",
        "结构",
        "JSONfields",
    ];
    let bare: String = line.chars().filter(|c| c.is_alphanumeric()).collect();
    line.trim_end().ends_with(['：', ':']) && LABELS.contains(&bare.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_in_one_line() {
        let check = |text: &str, expected: &[&str]| {
            let items = text.lines().map(|it| Item::Line(it.to_owned()));
            let items: Vec<Item> = items.collect();
            let found = in_one_line(&items).into_iter();
            let lines = found.map(|item| match item {
                Item::Line(line) => line,
                Item::Call(_) | Item::Cut => String::new(),
            });
            assert_eq!(lines.collect::<Vec<_>>(), expected);
        };
        check(
            "返回：\n  {\n    \"tea\": string, // name\n    \"cups\": {a, b}\n  }\n完。",
            &[
                "返回：",
                "  `{ \"tea\": string, \"cups\": {a, b} }`",
                "完。",
            ],
        );
        let behind = |lines: &[&str], expected: &[&str]| {
            let items = |lines: &[&str]| -> Vec<Item> {
                let lines = lines.iter().map(|it| Item::Line((*it).to_owned()));
                lines.collect()
            };
            assert_eq!(behind_labels(items(lines)), items(expected));
        };
        behind(
            &["返回：", "- JSON 字段：", "  `{ a, b }`"],
            &["返回：`{ a, b }`"],
        );
        behind(&["- 成功:", "  `{ a, b }`"], &["- 成功: `{ a, b }`"]);
        behind(
            &["返回：", "- JSON 字段：", "  - 成功: `{ a, b }`"],
            &["返回：", "  - 成功: `{ a, b }`"],
        );
        behind(&["茶。", "`{ a, b }`"], &["茶。", "`{ a, b }`"]);
        behind(&["## 返回：", "`{ a, b }`"], &["## 返回：", "`{ a, b }`"]);
        check("{\na", &["{", "a"]);
        check("{ a }", &["{ a }"]);
        check("```\n{\na: b\n}\n```", &["```", "{", "a: b", "}", "```"]);
        assert!(is_shape("- UPDATE -> { status, rows }"));
        assert!(!is_shape("the set {a}") && !is_shape("a}, {b"));
    }
}
