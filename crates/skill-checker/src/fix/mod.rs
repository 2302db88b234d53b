//! Repairs of `SKILL.md` that cannot change what the author meant.
//!
//! Findings say what is to be repaired, so that a rule that is off repairs nothing. Repairs are
//! made one at a time until none is left, hence a second run finds nothing to do.

mod header;
mod repairs;

use skill_validator::{Content, Entry, Kind, Settings, SkillFiles, validate_skill};

/// The maximum number of repairs of one file, more than any file needs.
const MAX_REPAIRS: usize = 200;

/// A file before and after its repairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// Path relative to the target.
    pub path: String,
    /// The text as it is.
    pub old: String,
    /// The text without what could be repaired.
    pub new: String,
}

/// Repairs the `SKILL.md` of the skill at `path`; nothing if there is nothing to repair.
pub(crate) fn repair(path: &str, files: &SkillFiles, rules: &Settings) -> Option<Repair> {
    let (old, new) = fixed(files, rules)?;
    let path = if path.is_empty() {
        "SKILL.md".to_owned()
    } else {
        format!("{path}/SKILL.md")
    };
    Some(Repair { path, old, new })
}

/// The text of `SKILL.md` before and after all repairs, if there are any.
fn fixed(files: &SkillFiles, rules: &Settings) -> Option<(String, String)> {
    let old = std::str::from_utf8(files.bytes("SKILL.md")?)
        .ok()?
        .to_owned();
    let mut files = files.clone();
    let mut new = old.clone();
    for _ in 0..MAX_REPAIRS {
        let report = validate_skill(&files, None, rules);
        let own = report.findings.iter().filter(|finding| {
            finding
                .place
                .file
                .as_deref()
                .is_some_and(|file| file.ends_with("SKILL.md"))
        });
        let repaired = own.filter_map(|finding| repairs::repair(&new, &files.directory, finding));
        let Some(text) = repaired.into_iter().find(|text| *text != new) else {
            break;
        };
        replace(&mut files, &text);
        new = text;
    }
    (new != old).then_some((old, new))
}

fn replace(files: &mut SkillFiles, text: &str) {
    let entry = files
        .entries
        .iter_mut()
        .find(|entry| entry.path == "SKILL.md");
    if let Some(Entry {
        kind: Kind::File { content, size },
        ..
    }) = entry
    {
        *content = Content::Read(text.as_bytes().to_vec());
        *size = text.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(yaml: &str, expected: &str) {
        let whole = |yaml: &str| format!("---\n{yaml}\n---\nBody\n");
        let files = SkillFiles {
            directory: "my-skill".to_owned(),
            entries: vec![Entry::file("SKILL.md", whole(yaml))],
            hard_links: Vec::new(),
            ..SkillFiles::default()
        };
        let rules = Settings::default();
        let new = fixed(&files, &rules).map_or_else(|| whole(yaml), |(_, new)| new);
        assert_eq!(new, whole(expected));
        let again = SkillFiles {
            entries: vec![Entry::file("SKILL.md", new)],
            hard_links: Vec::new(),
            ..files
        };
        assert_eq!(fixed(&again, &rules), None);
    }

    const NAME: &str = "name: my-skill\ndescription: x";

    #[track_caller]
    fn check_more(yaml: &str, expected: &str) {
        check(&format!("{NAME}\n{yaml}"), &format!("{NAME}\n{expected}"));
    }

    #[test]
    fn quotes_values() {
        check(
            "name: my-skill\ndescription: Use: when",
            "name: my-skill\ndescription: \"Use: when\"",
        );
        check_more("metadata:\n  version: 1.0", "metadata:\n  version: \"1.0\"");
        check(
            "name: my-skill\ndescription: 12",
            "name: my-skill\ndescription: \"12\"",
        );
    }

    #[test]
    fn lists_become_strings() {
        check_more(
            "allowed-tools:\n  - Read\n  - Bash(git:*)",
            "allowed-tools: \"Read Bash(git:*)\"",
        );
        check_more(
            "allowed-tools: [Read, Write]\nlicense: MIT",
            "allowed-tools: \"Read Write\"\nlicense: MIT",
        );
        check_more(
            "allowed-tools: Read, Write",
            "allowed-tools: \"Read Write\"",
        );
        check_more(
            "compatibility:\n- git\n- node",
            "compatibility: \"git, node\"",
        );
    }

    #[test]
    fn unknown_keys_move() {
        check_more("version: 1.0", "metadata:\n  version: \"1.0\"");
        check_more(
            "version: 1.0\nlicense: MIT # own",
            "license: MIT # own\nmetadata:\n  version: \"1.0\"",
        );
        check_more(
            "metadata:\n    a: b\nauthor: Me\nlicense: MIT",
            "metadata:\n    a: b\n    author: \"Me\"\nlicense: MIT",
        );
        check_more("tags: [a, b]", "metadata:\n  tags: \"a, b\"");
        check_more("hooks:\n  a:\n    b: c", "hooks:\n  a:\n    b: c");
    }

    #[test]
    fn misspelt_keys_are_renamed() {
        check(
            "name: my-skill\ndescriptoin: x",
            "name: my-skill\ndescription: x",
        );
        check_more("allowed_tools: Read", "allowed-tools: Read");
    }

    #[test]
    fn the_name_is_the_directory() {
        check("name: other\ndescription: x", NAME);
        check("name: \"My Skill\"\ndescription: x", NAME);
        check("description: x", NAME);
        check("name:\ndescription: x", NAME);
    }

    #[test]
    fn delimiters_are_cleaned() {
        let files = |text: &str| SkillFiles {
            directory: "my-skill".to_owned(),
            entries: vec![Entry::file("SKILL.md", text)],
            hard_links: Vec::new(),
            ..SkillFiles::default()
        };
        let rules = Settings::default();
        let text = format!(
            "\u{feff}---\r\n{}\r\nversion: 1\r\n---  \r\nBody\r\n",
            NAME.replace('\n', "\r\n")
        );
        let (_, new) = fixed(&files(&text), &rules).unwrap();
        assert_eq!(
            new,
            format!(
                "---\r\n{}\r\nmetadata:\r\n  version: \"1\"\r\n---\r\nBody\r\n",
                NAME.replace('\n', "\r\n")
            )
        );
    }
}
