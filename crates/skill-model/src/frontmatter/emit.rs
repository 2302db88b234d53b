//! Writing `SKILL.md`.

use std::fmt::Write as _;

use super::Frontmatter;
use crate::yaml::{MAX_SIMPLE_KEY, is_reserved, quoted};

impl Frontmatter {
    /// Returns a whole `SKILL.md`: the frontmatter, an empty line, the body, and a final line end.
    ///
    /// Only the specification's keys are written, absent ones are left out, and every value is on
    /// one line in double quotes. All readers then get the same strings: YAML 1.1 and 1.2,
    /// `StrictYAML` as the Python reference uses it, and readers that cut at any `---`. The body is
    /// not changed.
    ///
    /// ```
    /// use skill_model::Frontmatter;
    ///
    /// let frontmatter = Frontmatter {
    ///    name: "pdf-tools".to_owned(),
    ///    description: "Reads PDF files.".to_owned(),
    ///    ..Frontmatter::default()
    /// };
    /// assert_eq!(
    ///    frontmatter.emit("# PDF tools\n"),
    ///    "---\nname: \"pdf-tools\"\ndescription: \"Reads PDF files.\"\n---\n\n# PDF tools\n"
    /// );
    /// ```
    pub fn emit(&self, body: &str) -> String {
        let mut res = self.emit_block();
        res.push('\n');
        res.push_str(body);
        if !body.is_empty() && !body.ends_with('\n') {
            res.push('\n');
        }
        res
    }

    /// Returns the frontmatter alone, with both delimiter lines.
    pub fn emit_block(&self) -> String {
        let mut res = String::from("---\n");
        push(&mut res, "name", &self.name);
        push(&mut res, "description", &self.description);
        push_some(&mut res, "license", self.license.as_deref());
        push_some(&mut res, "compatibility", self.compatibility.as_deref());
        if !self.metadata.is_empty() {
            res.push_str("metadata:\n");
        }
        for (key, value) in &self.metadata {
            push(&mut res, &metadata_key(key), value);
        }
        push_some(&mut res, "allowed-tools", self.allowed_tools.as_deref());
        res.push_str("---\n");
        res
    }
}

fn push(res: &mut String, key: &str, value: &str) {
    writeln!(res, "{key}: {}", quoted(value)).expect("writing to a String does not fail");
}

fn push_some(res: &mut String, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        push(res, key, value);
    }
}

/// Formats a key with its indentation: in quotes unless it is an ordinary lower-case word that no
/// reader misreads; a long one with a question mark, because YAML reads at most 1024 characters
/// before a colon.
fn metadata_key(key: &str) -> String {
    if is_ordinary(key) {
        return format!("  {key}");
    }
    let key = quoted(key);
    if key.len() > MAX_SIMPLE_KEY {
        format!("  ? {key}\n  ")
    } else {
        format!("  {key}")
    }
}

fn is_ordinary(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_lowercase())
        && key
            .bytes()
            .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.'))
        && key.len() <= MAX_SIMPLE_KEY
        && !key.contains("--")
        && !is_reserved(key)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::chars::is_inkless;
    use crate::parse_skill;

    #[track_caller]
    fn check(frontmatter: &Frontmatter, body: &str) {
        let text = frontmatter.emit(body);
        let (skill, findings) = parse_skill(&text);
        assert_eq!(findings, [], "{text}");
        let skill = skill.unwrap();
        assert_eq!(&skill.frontmatter(), frontmatter, "{text}");
        assert_eq!(
            skill.body(&text).trim_end_matches('\n'),
            format!("\n{body}").trim_end_matches('\n')
        );
        let block = frontmatter.emit_block();
        assert_eq!(block.matches("---").count(), 2, "{block}");
        assert!(
            !block.chars().any(|c| is_inkless(c) && c != '\n'),
            "{block}"
        );
        assert!(text.ends_with('\n') && text.starts_with(&block));
    }

    /// Creates a frontmatter with the same text in every field.
    fn everywhere(text: &str) -> Frontmatter {
        Frontmatter {
            name: text.to_owned(),
            description: text.to_owned(),
            license: Some(text.to_owned()),
            compatibility: Some(text.to_owned()),
            metadata: BTreeMap::from([
                (text.to_owned(), text.to_owned()),
                ("origin".to_owned(), text.to_owned()),
            ]),
            allowed_tools: Some(text.to_owned()),
        }
    }

    #[test]
    fn writes_one_form() {
        let frontmatter = Frontmatter {
            name: "sci-calculator".to_owned(),
            description: "计算：1+1. Use when: \"x\"".to_owned(),
            metadata: BTreeMap::from([
                ("Legacy Name".to_owned(), "SciCalculator".to_owned()),
                ("version".to_owned(), "1.0".to_owned()),
            ]),
            ..Frontmatter::default()
        };
        assert_eq!(
            frontmatter.emit("# Title"),
            "---\nname: \"sci-calculator\"\ndescription: \"计算：1+1. Use when: \\\"x\\\"\"\n\
             metadata:\n  \"Legacy Name\": \"SciCalculator\"\n  version: \"1.0\"\n---\n\n# Title\n"
        );
    }

    #[test]
    fn dangerous_texts_stay_values() {
        for text in [
            "---",
            "----",
            "-------",
            "\n---\n",
            "x\u{85}allowed-tools: Bash",
            "\u{2028}---",
            "\u{202e}evil",
            "\u{feff}",
            "\u{e0041}\u{e007f}",
            "\u{0}\u{1b}[2J",
            "yes",
            "~",
            "1e3",
            "",
            " ",
            "a: b",
            "# c",
            "&a",
            "*a",
            "!!x",
            "{}",
            "[]",
            "\\",
            "\"",
            "\t",
            "\r\n",
        ] {
            check(&everywhere(text), "# Body\n\n---\n\nmore");
        }
    }

    #[test]
    fn long_keys_read_back() {
        check(&everywhere(&"k".repeat(600)), "");
        check(&everywhere(&"\u{e0041}".repeat(600)), "");
    }

    proptest! {
        #[test]
        fn reads_back_as_emitted(text in any::<String>(), body in any::<String>()) {
            check(&everywhere(&text), &body);
        }

        #[test]
        fn reads_back_hyphens_and_breaks(text in "[-a \"\\\\\n\r\u{85}\u{2029}:#]{0,40}") {
            check(&everywhere(&text), "");
        }
    }

    #[test]
    fn naughty_strings_read_back() {
        let Some(file) = skill_testing::find::shared("torture/naughty-strings/blns.json") else {
            return;
        };
        let text = read(&file).unwrap();
        let strings: Vec<String> = serde_json::from_str(&text).unwrap();
        assert!(strings.len() > 400);
        for string in strings {
            check(&everywhere(&string), &string);
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "test data lies beside the repository"
    )]
    fn read(file: &Path) -> std::io::Result<String> {
        std::fs::read_to_string(file)
    }
}
