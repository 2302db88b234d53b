//! The labels of values in texts: `Name: ${name}`.

/// Maximum length of a label, in characters.
const MAX: usize = 16;
/// Words of a label that is not one of data.
const NOT: [&str; 22] = [
    "错误",
    "失败",
    "原因",
    "提示",
    "注意",
    "异常",
    "警告",
    "建议",
    "共",
    "找到",
    "调试",
    "error",
    "Error",
    "fail",
    "Fail",
    "Warning",
    "http",
    "Note",
    "Usage",
    "Total",
    "data",
    "TypeError",
];

/// Returns the labels of a text, each before a value, also before the one that is added to the text.
pub(super) fn labels(text: &str, is_python: bool, is_sum: bool) -> Vec<&str> {
    let open = if is_python { "{" } else { "${" };
    let mut res = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(open) {
        res.extend(label(&rest[..at]));
        let value = &rest[at + open.len()..];
        rest = &value[end_of_value(value)..];
    }
    if is_sum {
        res.extend(label(rest));
    }
    res
}

/// Returns the end of a value, with the brackets in it.
fn end_of_value(text: &str) -> usize {
    let mut depth = 1_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// Returns the label at the end of a text.
fn label(before: &str) -> Option<&str> {
    let line = before.rsplit("\\n").next()?.rsplit('\n').next()?;
    let bare = line.trim_end_matches(['*', ' ', '`', '[', '"', '「']);
    let name = bare.strip_suffix([':', '：'])?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    let is_word = |c: char| is_name(c) || c == ' ';
    let name = name.trim_end_matches(['*', ' ']);
    let start = name
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c))
        .last()
        .map_or(name.len(), |(at, _)| at);
    let before = name[..start].trim_end();
    let name = name[start..]
        .trim()
        .trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
    let name = name.trim();
    let is_start = before.is_empty() || before.ends_with(|c: char| !c.is_alphanumeric());
    let is_long = name.chars().count() > MAX;
    let is_sentence = name.is_ascii() && name.split(' ').count() > 3;
    let is_other = NOT.iter().any(|it| name.contains(it));
    let has_letter = name.chars().any(char::is_alphabetic);
    let is_short = name.chars().count() < 2;
    // A name of code.
    let is_code = name.contains(['_', '/'])
        || name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    (is_start && has_letter && !is_long && !is_short && !is_sentence && !is_other && !is_code)
        .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_values() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(labels(text, false, false), expected, "{text}");
        };
        check("茶名: ${tea}", &["茶名"]);
        check(
            "- **茶名**：${tea} | 杯数: ${cups}\\n状态：${a ? `${b}` : c}",
            &["茶名", "杯数", "状态"],
        );
        check("### ${n}. 茶名：《${tea}》", &[]);
        check("1. 产地: ${place}", &["产地"]);
        check("http://${host}:${port}", &[]);
        check("错误: ${e}", &[]);
        check("茶名: 绿茶", &[]);
        assert_eq!(labels("Tea name: ", false, true), ["Tea name"]);
        assert_eq!(labels("茶名: {tea['a']}", true, false), ["茶名"]);
    }
}
