//! The limits of the APIs that take skills as archives.

use std::collections::BTreeMap;

use crate::files::Content;

/// The maximum number of files of a skill.
///
/// Source of the limits: <https://github.com/openai/openai-cookbook>, `examples/skills_in_api.ipynb`:
/// exactly one manifest, 500 files, 25 MB a file, an archive of 50 MB.
pub const FILES: usize = 500;
/// The maximum size of a file, in bytes.
pub const FILE_BYTES: usize = 25_000_000;
/// The maximum size of an archive, in bytes.
pub const ARCHIVE_BYTES: usize = 50_000_000;
/// The maximum length of a description, in characters (<https://agentskills.io/specification>).
pub const DESCRIPTION: usize = 1_024;

/// Words that a name cannot contain (<https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview>,
/// which also forbids XML tags in descriptions).
const RESERVED: [&str; 2] = ["anthropic", "claude"];

/// Returns whether a text has something that looks like a tag of XML.
fn has_tag(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let inside = &text[at + 1..];
        let inside = inside.strip_prefix('/').unwrap_or(inside);
        inside.starts_with(|c: char| c.is_ascii_alphabetic()) && inside.contains('>')
    })
}

/// Returns the reasons why an API would refuse a skill, each as a phrase; `archive` is the size of its
/// archive in bytes.
pub fn upload_flaws(
    name: &str,
    description: &str,
    files: &BTreeMap<String, Content>,
    archive: usize,
) -> Vec<String> {
    let mut res = Vec::new();
    if let Some(word) = RESERVED.iter().find(|word| name.contains(**word)) {
        res.push(format!("a name with the reserved word `{word}`"));
    }
    if has_tag(description) {
        res.push("a description with an XML tag (`<…>`)".to_owned());
    }
    let n = description.chars().count();
    if n > DESCRIPTION {
        res.push(format!(
            "a description of {n} characters, expected at most {DESCRIPTION}"
        ));
    }
    let is_manifest = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.eq_ignore_ascii_case("SKILL.md")
    };
    let nested: Vec<&str> = files
        .keys()
        .filter(is_manifest)
        .map(String::as_str)
        .filter(|path| *path != "SKILL.md")
        .collect();
    if let [first, ..] = nested[..] {
        let n = nested.len() + 1;
        res.push(format!("{n} manifests, expected one (`{first}`)"));
    }
    if files.len() > FILES {
        res.push(format!("{} files, expected at most {FILES}", files.len()));
    }
    for (path, content) in files {
        let n = content.bytes.len();
        if n > FILE_BYTES {
            res.push(format!(
                "`{path}` has {n} bytes, expected at most {FILE_BYTES}"
            ));
        }
    }
    if archive > ARCHIVE_BYTES {
        res.push(format!(
            "an archive of {archive} bytes, expected at most {ARCHIVE_BYTES}"
        ));
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[(&str, usize)], archive: usize, expected: &[&str]) {
        let files = files.iter().map(|(path, size)| {
            let content = Content {
                bytes: vec![0; *size],
                executable: false,
            };
            ((*path).to_owned(), content)
        });
        assert_eq!(upload_flaws("x", "x", &files.collect(), archive), expected);
    }

    #[test]
    fn each_limit_is_checked() {
        check(&[("SKILL.md", 1)], 1, &[]);
        check(
            &[("SKILL.md", 1), ("scripts/a/skill.md", 1)],
            1,
            &["2 manifests, expected one (`scripts/a/skill.md`)"],
        );
        check(
            &[("SKILL.md", 1), ("big", FILE_BYTES + 1)],
            FILE_BYTES + 2,
            &["`big` has 25000001 bytes, expected at most 25000000"],
        );
        check(
            &[("SKILL.md", 1)],
            ARCHIVE_BYTES + 1,
            &["an archive of 50000001 bytes, expected at most 50000000"],
        );
        assert_eq!(
            upload_flaws("x", &"ü".repeat(1_025), &BTreeMap::new(), 1),
            ["a description of 1025 characters, expected at most 1024"]
        );
        assert_eq!(
            upload_flaws("claude-helper", "makes <b>tea</b>", &BTreeMap::new(), 1),
            [
                "a name with the reserved word `claude`",
                "a description with an XML tag (`<…>`)"
            ]
        );
        assert_eq!(
            upload_flaws("x", "for a < b and 3 <4", &BTreeMap::new(), 1),
            [""; 0]
        );
        let names: Vec<String> = (0..=FILES).map(|n| n.to_string()).collect();
        let many: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 0)).collect();
        check(&many, 1, &["501 files, expected at most 500"]);
    }
}
