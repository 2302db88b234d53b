//! The repair that the client guide asks of lenient clients: quoting values with a colon
//! (<https://agentskills.io/client-implementation/adding-skills-support>, "malformed YAML").

use super::parse::parse_skill;
use super::split::split;
use crate::yaml::quoted;

/// Returns the file with double quotes around every unquoted one-line value that contains `: `;
/// `None` if its frontmatter still cannot be parsed.
pub fn repair_frontmatter(text: &str) -> Option<String> {
    let range = split(text).ok()?.frontmatter;
    let lines = text[range.clone()].split_inclusive('\n');
    let repaired: String = lines.map(repair_line).collect();
    let text = [&text[..range.start], &repaired, &text[range.end..]].concat();
    parse_skill(&text).0.is_some().then_some(text)
}

fn repair_line(line: &str) -> String {
    let content = line.trim_end_matches(['\r', '\n']);
    let Some((key, value)) = content.split_once(": ") else {
        return line.to_owned();
    };
    let value = value.trim();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let is_plain = !value.starts_with([
        '"', '\'', '|', '>', '[', '{', '&', '*', '!', '#', '%', '@', '`',
    ]);
    if !key.chars().all(is_word) || !is_plain || !(value.contains(": ") || value.ends_with(':')) {
        return line.to_owned();
    }
    format!("{key}: {}{}", quoted(value), &line[content.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(yaml: &str, expected: Option<&str>) {
        let whole = |yaml: &str| format!("---\n{yaml}\n---\nBody: x: y\n");
        assert_eq!(repair_frontmatter(&whole(yaml)), expected.map(whole));
    }

    #[test]
    fn quotes_values_with_colons() {
        check(
            "name: a\ndescription: Use: when",
            Some("name: a\ndescription: \"Use: when\""),
        );
        check(
            "metadata:\n  a: b: \"c\"",
            Some("metadata:\n  a: \"b: \\\"c\\\"\""),
        );
        check("description: Use when:", Some("description: \"Use when:\""));
    }

    #[test]
    fn leaves_what_it_cannot_mend() {
        check("description: \"open", None);
        check("- a: b: c\n  d", None);
    }
}
