//! The decisions of the Python reference `skills-ref` 0.1.1, bug for bug.
//!
//! Modeled on its `validator.py` and `parser.py` (<https://pypi.org/project/skills-ref/0.1.1/>); a
//! differential test compares verdicts if the reference is installed.

mod flaw;
mod name;
mod strict_yaml;

use skill_model::yaml::Node;

use crate::input::SkillFiles;
pub(crate) use flaw::Flaw;

const MAX_DESCRIPTION: usize = 1024;
const MAX_COMPATIBILITY: usize = 500;
const FIELDS: [&str; 6] = [
    "name",
    "description",
    "license",
    "allowed-tools",
    "metadata",
    "compatibility",
];

/// Returns every error of the reference; it stops at the first syntax error.
pub(crate) fn flaws(files: &SkillFiles) -> Vec<Flaw> {
    let bytes = ["SKILL.md", "skill.md"]
        .iter()
        .find_map(|path| files.bytes(path));
    let Some(bytes) = bytes else {
        return vec![Flaw::new("missing required file `SKILL.md`")];
    };
    match header(bytes) {
        Ok(header) => field_flaws(&header, &files.directory),
        Err(flaw) => vec![flaw],
    }
}

/// Reproduces `parse_frontmatter`: cuts at any `---`, reads `StrictYAML`.
fn header(bytes: &[u8]) -> Result<Node, Flaw> {
    let text = std::str::from_utf8(bytes).map_err(|_| Flaw::new("the file is not UTF-8"))?;
    // `read_text` translates line ends.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let rest = text
        .strip_prefix("---")
        .ok_or_else(|| Flaw::at("`SKILL.md` must start with `---`", 1))?;
    let end = rest
        .find("---")
        .ok_or_else(|| Flaw::at("the frontmatter is not closed with `---`", 1))?;
    strict_yaml::load(&rest[..end])
}

/// Reproduces `validate_metadata`.
fn field_flaws(header: &Node, directory: &str) -> Vec<Flaw> {
    let entries = header.entries().unwrap_or_default().iter();
    let unknown = entries
        .filter_map(|(key, _)| key.text())
        .filter(|key| !FIELDS.contains(key));
    let unknown: Vec<String> = unknown
        .map(|key| format!("`{}`", key.escape_debug()))
        .collect();
    let mut flaws = Vec::new();
    if !unknown.is_empty() {
        flaws.push(Flaw::new(format!(
            "unexpected fields {}",
            unknown.join(", ")
        )));
    }
    match header.get("name") {
        None => flaws.push(Flaw::new("missing required field `name`")),
        Some(node) => flaws.extend(
            name::flaws(node.text(), directory)
                .into_iter()
                .map(Flaw::new),
        ),
    }
    match header.get("description") {
        None => flaws.push(Flaw::new("missing required field `description`")),
        Some(node) => flaws.extend(description_flaw(node.text())),
    }
    if let Some(node) = header.get("compatibility") {
        flaws.extend(compatibility_flaw(node.text()));
    }
    flaws
}

/// Measures the length before stripping blanks, as the reference does.
fn description_flaw(text: Option<&str>) -> Option<Flaw> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Some(Flaw::new("`description` must be a non-empty string"));
    };
    let length = text.chars().count();
    (length > MAX_DESCRIPTION).then(|| {
        Flaw::new(format!(
            "the description has {length} characters, expected at most {MAX_DESCRIPTION}"
        ))
    })
}

/// Accepts an empty text, as the reference does.
fn compatibility_flaw(text: Option<&str>) -> Option<Flaw> {
    let Some(text) = text else {
        return Some(Flaw::new("`compatibility` must be a string"));
    };
    let length = text.chars().count();
    (length > MAX_COMPATIBILITY).then(|| {
        Flaw::new(format!(
            "`compatibility` has {length} characters, expected at most {MAX_COMPATIBILITY}"
        ))
    })
}
