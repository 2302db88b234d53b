//! The fields that the specification defines.

use std::collections::BTreeMap;

use super::Skill;
use crate::yaml::{Content, Node};

/// Maximum number of code points in a description
/// (<https://agentskills.io/specification#description-field>).
pub const DESCRIPTION_MAX: usize = 1024;
/// Maximum number of code points in `compatibility`
/// (<https://agentskills.io/specification#compatibility-field>).
pub const COMPATIBILITY_MAX: usize = 500;

/// The frontmatter fields of the specification
/// (<https://agentskills.io/specification#frontmatter>).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Frontmatter {
    /// Name; a [`SkillName`](crate::SkillName) in a valid skill.
    pub name: String,
    /// The function of the skill, and when to use it.
    pub description: String,
    /// Name of a license or of a license file.
    pub license: Option<String>,
    /// Requirements on the environment.
    pub compatibility: Option<String>,
    /// Any other data, as strings.
    pub metadata: BTreeMap<String, String>,
    /// Tools that may run without a confirmation, separated by spaces. Experimental.
    pub allowed_tools: Option<String>,
}

impl Frontmatter {
    /// The keys of the specification, in its order.
    pub const KEYS: [&str; 6] = [
        "name",
        "description",
        "license",
        "compatibility",
        "metadata",
        "allowed-tools",
    ];
}

impl Skill {
    /// Returns the specification's fields as a lenient client reads them: numbers and booleans as
    /// written, a list of tools joined with spaces, absent fields as `None` or empty, other shapes
    /// as JSON text.
    pub fn frontmatter(&self) -> Frontmatter {
        let field = |key| self.get(key).and_then(lenient_text);
        Frontmatter {
            name: field("name").unwrap_or_default(),
            description: field("description").unwrap_or_default(),
            license: field("license"),
            compatibility: field("compatibility"),
            metadata: self.get("metadata").map(lenient_map).unwrap_or_default(),
            allowed_tools: self.get("allowed-tools").and_then(lenient_words),
        }
    }
}

fn lenient_text(node: &Node) -> Option<String> {
    match (&node.content, node.to_value()) {
        (_, serde_json::Value::Null) => None,
        (Content::Scalar { text, .. }, _) => Some(text.clone()),
        (_, other) => Some(other.to_string()),
    }
}

fn lenient_map(node: &Node) -> BTreeMap<String, String> {
    let entries = node.entries().unwrap_or_default().iter();
    entries
        .map(|(key, value)| {
            let key = lenient_text(key).unwrap_or_default();
            (key, lenient_text(value).unwrap_or_default())
        })
        .collect()
}

fn lenient_words(node: &Node) -> Option<String> {
    match &node.content {
        Content::Sequence { items, .. } => {
            let words: Vec<String> = items.iter().filter_map(lenient_text).collect();
            Some(words.join(" "))
        }
        _ => lenient_text(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_skill;

    #[test]
    fn reads_leniently() {
        let text = "---\nname: 123\ndescription: null\nlicense: [MIT]\nmetadata:\n  v: 1.0\n  \
                    n:\nallowed-tools:\n  - Read\n  - Bash(git:*)\n---\n";
        let frontmatter = parse_skill(text).0.unwrap().frontmatter();
        let expected = Frontmatter {
            name: "123".to_owned(),
            license: Some("[\"MIT\"]".to_owned()),
            metadata: BTreeMap::from([
                ("n".to_owned(), String::new()),
                ("v".to_owned(), "1.0".to_owned()),
            ]),
            allowed_tools: Some("Read Bash(git:*)".to_owned()),
            ..Frontmatter::default()
        };
        assert_eq!(frontmatter, expected);
    }
}
