//! The index by which clients find the skills of a website: Agent Skills Discovery 0.2.0
//! (<https://github.com/cloudflare/agent-skills-discovery-rfc>).

use serde_json::{Value, json};

use crate::upload::DESCRIPTION;

/// The directory of the index and of what it names.
pub const PATH: &str = "/.well-known/agent-skills/";
/// The name of the index.
pub const INDEX: &str = "index.json";
/// The version of the index.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/// A skill of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The name.
    pub name: String,
    /// The description.
    pub description: String,
    /// The digest of the archive: `sha256:` and 64 hex digits.
    pub digest: String,
}

/// Returns the path of an archive, which names its digest, so that it never changes.
pub fn archive_path(name: &str, digest: &str) -> String {
    let hex = digest.trim_start_matches("sha256:");
    format!("{PATH}{name}/{hex}.zip")
}

/// Returns the name and the digest of an archive from its path below [`PATH`].
pub fn parse_archive(path: &str) -> Option<(&str, String)> {
    let (name, file) = path.split_once('/')?;
    let hex = file.strip_suffix(".zip")?;
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (hex.len() == 64 && hex.bytes().all(is_hex)).then(|| (name, format!("sha256:{hex}")))
}

/// Returns the index.
pub fn index(skills: &[Listed]) -> Value {
    let skills = skills.iter().map(|skill| {
        let description: String = skill.description.chars().take(DESCRIPTION).collect();
        json!({
            "name": skill.name,
            "type": "archive",
            "description": description,
            "url": archive_path(&skill.name, &skill.digest),
            "digest": skill.digest,
        })
    });
    json!({"$schema": SCHEMA, "skills": skills.collect::<Vec<_>>()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_found_by_its_path() {
        let digest = format!("sha256:{}", "0a".repeat(32));
        let path = archive_path("tea", &digest);
        let inside = path.strip_prefix(PATH).unwrap();
        assert_eq!(parse_archive(inside), Some(("tea", digest)));
        for bad in [
            "tea",
            "tea/x.zip",
            "tea/SKILL.md",
            &format!("tea/{}.zip", "0A".repeat(32)),
        ] {
            assert_eq!(parse_archive(bad), None, "{bad}");
        }
    }
}
