//! One skill for each name, out of the entries of all nodes.
//!
//! An entry counts while its node is alive. A remote entry is text to display, never a permission:
//! `allowed-tools` and similar keys are dropped when it is read.
//!
//! **Invariant:** a remote skill never takes the place of a local one of its name.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_loader::Digest;
use skill_model::DESCRIPTION_MAX;

use super::malformed::MalformedEntry;
use crate::error::Error;
use crate::{protocol, version};

/// The keys of the metadata that are permissions in a local skill.
const PERMISSIONS: [&str; 5] = [
    "allowed-tools",
    "allowed_tools",
    "hooks",
    "permissions",
    "model",
];

/// The entry of a skill.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) skill: String,
    pub(super) digest: String,
    #[serde(default)]
    pub(super) version: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) idempotent: bool,
    #[serde(default)]
    pub(super) metadata: Value,
    #[serde(default = "version::first")]
    pub(super) protocol: u32,
}

/// A skill that can be called on other machines.
#[derive(Clone, PartialEq, Debug)]
pub struct RemoteSkill {
    /// The name of the skill.
    pub name: String,
    /// The digest of everything that runs: `sha256:` and 64 hex digits.
    pub digest: String,
    /// The version of the skill.
    pub version: String,
    /// The description, at most 1,024 characters.
    pub description: String,
    /// True if a call may run again when it is unknown whether it ran.
    pub idempotent: bool,
    /// Further metadata, without permissions.
    pub metadata: Value,
    /// The living nodes that have exactly this skill, sorted.
    pub nodes: Vec<String>,
}

/// A skill that is hidden by another skill of its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shadowed {
    /// The name of both skills.
    pub name: String,
    /// The digest of the hidden skill.
    pub digest: String,
    /// The nodes that offer the hidden skill.
    pub nodes: Vec<String>,
    /// True if a local skill hides it, false if a skill of another node does.
    pub by_local: bool,
}

/// The skills of all living nodes, and those that cannot be called.
#[derive(Default, Debug)]
pub struct Union {
    /// The remote skills by name.
    pub skills: BTreeMap<String, RemoteSkill>,
    /// The hidden skills, sorted.
    pub shadowed: Vec<Shadowed>,
    /// The entries that cannot be used, sorted by subject.
    pub malformed: Vec<MalformedEntry>,
    /// The refused names with the reason: nodes offer different skills under them and none of the
    /// nodes is preferred, or the nodes use another version of the protocol.
    pub refused: BTreeMap<String, Error>,
}

/// Returns the skills of all living nodes. `local` are names that are taken; of different skills with
/// one name, that of the first node in `prefer` wins.
pub(super) fn union(
    entries: &[(String, Vec<u8>)],
    alive: &BTreeSet<String>,
    local: &BTreeSet<String>,
    prefer: &[String],
) -> Union {
    let mut by_name: BTreeMap<String, Vec<RemoteSkill>> = BTreeMap::new();
    let mut res = Union::default();
    for (key, bytes) in entries {
        let Some((skill, node)) = key.split_once('.') else {
            continue;
        };
        if !alive.contains(node) {
            continue;
        }
        // A malformed entry of one node must not hide the entries of the others.
        let entry = match checked(skill, bytes) {
            Ok(entry) => entry,
            Err(problem) => {
                let subject = format!("$KV.{}.{key}", protocol::CATALOG);
                res.malformed
                    .push(MalformedEntry::new(node, &subject, &problem));
                continue;
            }
        };
        if entry.protocol == version::PROTOCOL {
            add(by_name.entry(entry.skill.clone()).or_default(), entry, node);
        } else if !local.contains(skill) {
            let error = Error::Protocol {
                node: node.to_owned(),
                skill: skill.to_owned(),
                theirs: entry.protocol,
            };
            res.refused.insert(skill.to_owned(), error);
        }
    }
    res.malformed.sort_by(|a, b| a.subject.cmp(&b.subject));
    for (name, skills) in by_name {
        // One node with this version of the protocol is enough.
        res.refused.remove(&name);
        choose(name, skills, local, prefer, &mut res);
    }
    res
}

/// Returns the entry of a skill, or the reason why it cannot be used.
fn checked(skill: &str, bytes: &[u8]) -> Result<Entry, String> {
    let entry: Entry = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if entry.skill != skill {
        let found = entry.skill;
        return Err(format!("expected the skill `{skill}`, found `{found}`"));
    }
    if Digest::parse(&entry.digest).is_none() {
        let found = entry.digest;
        return Err(format!(
            "expected a digest (`sha256:` and 64 hex digits), found `{found}`"
        ));
    }
    Ok(entry)
}

/// Chooses one of the skills of a name, or refuses the name.
fn choose(
    name: String,
    mut skills: Vec<RemoteSkill>,
    local: &BTreeSet<String>,
    prefer: &[String],
    res: &mut Union,
) {
    let preferred = |skill: &RemoteSkill| {
        let position = prefer.iter().position(|node| skill.nodes.contains(node));
        position.unwrap_or(usize::MAX)
    };
    skills.sort_by_key(|skill| (preferred(skill), skill.nodes[0].clone()));
    let is_local = local.contains(&name);
    if !is_local && skills.len() > 1 && preferred(&skills[0]) == usize::MAX {
        let offers: Vec<String> = skills.iter().map(offered).collect();
        let error = Error::Differ {
            skill: name.clone(),
            offers: offers.join(", "),
        };
        res.refused.insert(name, error);
        return;
    }
    for hidden in skills.drain(usize::from(!is_local)..) {
        res.shadowed.push(Shadowed {
            name: name.clone(),
            digest: hidden.digest,
            nodes: hidden.nodes,
            by_local: is_local,
        });
    }
    res.skills.extend(skills.pop().map(|skill| (name, skill)));
}

/// Returns the nodes of a skill and its digest, for a message.
fn offered(skill: &RemoteSkill) -> String {
    let nodes: Vec<String> = skill.nodes.iter().map(|node| format!("`{node}`")).collect();
    format!("{} has {}", nodes.join(" and "), skill.digest)
}

fn add(skills: &mut Vec<RemoteSkill>, entry: Entry, node: &str) {
    let same = skills.iter_mut().find(|skill| skill.digest == entry.digest);
    if let Some(same) = same {
        same.nodes.push(node.to_owned());
        // If the nodes disagree, the careful one is right.
        same.idempotent &= entry.idempotent;
        return;
    }
    let mut metadata = entry.metadata;
    if let Some(map) = metadata.as_object_mut() {
        map.retain(|key, _| !PERMISSIONS.contains(&key.as_str()));
    }
    skills.push(RemoteSkill {
        name: entry.skill,
        digest: entry.digest,
        version: entry.version.chars().take(64).collect(),
        description: entry.description.chars().take(DESCRIPTION_MAX).collect(),
        idempotent: entry.idempotent,
        metadata,
        nodes: vec![node.to_owned()],
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(node: &str, skill: &str, bytes: &str, metadata: &Value) -> (String, Vec<u8>) {
        let entry = json!({
            "skill": skill,
            "digest": Digest::from_content(bytes.as_bytes()).to_string(),
            "description": format!("of {node}"),
            "metadata": metadata,
            "protocol": version::PROTOCOL,
        });
        (format!("{skill}.{node}"), protocol::encode(&entry))
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Checks the skills, as `name@nodes`, and the hidden ones, as `name@nodes by whom`.
    #[track_caller]
    fn check(
        entries: &[(String, Vec<u8>)],
        local: &[&str],
        prefer: &[&str],
        expected: &[&str],
        hidden: &[&str],
    ) {
        let prefer: Vec<String> = prefer.iter().map(|node| (*node).to_owned()).collect();
        let union = union(entries, &names(&["a", "b", "c"]), &names(local), &prefer);
        let found: Vec<String> = union
            .skills
            .values()
            .map(|skill| format!("{}@{}", skill.name, skill.nodes.join("+")))
            .collect();
        assert_eq!(found, expected);
        let found: Vec<String> = union
            .shadowed
            .iter()
            .map(|skill| {
                let by = if skill.by_local { "local" } else { "node" };
                format!("{}@{} by {by}", skill.name, skill.nodes.join("+"))
            })
            .collect();
        assert_eq!(found, hidden);
    }

    #[test]
    fn nodes_with_the_same_bytes_are_one_skill() {
        let entries = ["a", "b"].map(|node| entry(node, "x", "same", &json!({})));
        check(&entries, &[], &[], &["x@a+b"], &[]);
    }

    #[test]
    fn a_local_skill_hides_all_remote_ones_of_its_name() {
        let entries = ["a", "b"].map(|node| entry(node, "x", node, &json!({})));
        check(
            &entries,
            &["x"],
            &[],
            &[],
            &["x@a by local", "x@b by local"],
        );
    }

    /// Checks the reason why the name `x` is refused.
    #[track_caller]
    fn check_refused(entries: &[(String, Vec<u8>)], prefer: &[&str], expected: &str) {
        let prefer: Vec<String> = prefer.iter().map(|node| (*node).to_owned()).collect();
        let union = union(entries, &names(&["a", "b", "c"]), &names(&[]), &prefer);
        assert_eq!(union.skills.keys().next(), None);
        assert_eq!(union.refused["x"].to_string(), expected);
    }

    #[test]
    fn of_two_the_preferred_node_wins() {
        let entries = ["a", "b"].map(|node| entry(node, "x", node, &json!({})));
        check(&entries, &[], &["b"], &["x@b"], &["x@a by node"]);
        check(&entries, &[], &["c", "a"], &["x@a"], &["x@b by node"]);
    }

    #[test]
    fn of_two_none_is_taken_when_none_is_preferred() {
        let entries = ["a", "b"].map(|node| entry(node, "x", node, &json!({})));
        let [a, b] = ["a", "b"].map(|node| Digest::from_content(node.as_bytes()));
        let expected = format!(
            "the nodes differ on the skill `x`: `a` has {a}, `b` has {b}; name the node whose skill is meant (--prefer NODE), or offer it on one of them only"
        );
        check_refused(&entries, &[], &expected);
        check_refused(&entries, &["c"], &expected);
    }

    #[test]
    fn a_node_of_another_protocol_is_named() {
        let mut old = entry("a", "x", "1", &json!({}));
        let text = String::from_utf8(old.1).unwrap();
        old.1 = text
            .replace(r#""protocol":2"#, r#""protocol":1"#)
            .into_bytes();
        check_refused(
            std::slice::from_ref(&old),
            &[],
            "the node `a` offers the skill `x` with version 1 of the protocol, and this is version 2; update the older of the two",
        );
        // Another node has it in this version.
        let new = entry("b", "x", "1", &json!({}));
        check(&[old, new], &[], &[], &["x@b"], &[]);
    }

    #[test]
    fn a_dead_node_offers_nothing() {
        let entries = [
            ("y.dead".to_owned(), b"{".to_vec()),
            entry("c", "x", "1", &json!({})),
            entry("dead", "x", "1", &json!({})),
        ];
        check(&entries, &[], &[], &["x@c"], &[]);
        check_malformed(&entries, &[]);
    }

    /// Checks the messages about malformed entries.
    #[track_caller]
    fn check_malformed(entries: &[(String, Vec<u8>)], expected: &[&str]) {
        let union = union(entries, &names(&["a", "b", "c"]), &names(&[]), &[]);
        let found: Vec<String> = union.malformed.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_malformed_entry_is_reported_and_hides_nothing() {
        let with = |key: &str, from: &str, to: &str| {
            let (_, bytes) = entry("c", "x", "1", &json!({}));
            let text = String::from_utf8(bytes).unwrap();
            (key.to_owned(), text.replace(from, to).into_bytes())
        };
        let digest = Digest::from_content(b"1").to_string();
        let entries = [
            ("y.a".to_owned(), b"{".to_vec()),
            with("other.b", "", ""),
            with("x.a", &digest, r"sha256:1\u001b[2J"),
            with("x.b", r#""protocol":2"#, r#""protocol":"\u001b[2J""#),
            ("z.a".to_owned(), b"[[]]".to_vec()),
            entry("c", "x", "1", &json!({})),
        ];
        check(&entries, &[], &[], &["x@c"], &[]);
        let node = |node, skill, problem: &str| {
            format!(
                "the catalog entry $KV.skills-catalog.{skill}.{node} of the node `{node}` is malformed: {problem}"
            )
        };
        let expected = [
            node("b", "other", "expected the skill `other`, found `x`"),
            node(
                "a",
                "x",
                r"expected a digest (`sha256:` and 64 hex digits), found `sha256:1\u{1b}[2J`",
            ),
            node(
                "b",
                "x",
                r#"invalid type: string "\u{1b}[2J", expected u32 at line 1 column 153"#,
            ),
            node("a", "y", "EOF while parsing an object at line 1 column 1"),
            node(
                "a",
                "z",
                "invalid type: sequence, expected a string at line 1 column 1",
            ),
        ];
        check_malformed(&entries, &expected.each_ref().map(String::as_str));
    }

    #[test]
    fn permissions_of_remote_skills_are_dropped() {
        let metadata = json!({"allowed-tools": "Bash", "permissions": {}, "tags": ["t"]});
        let union = union(
            &[entry("a", "x", "1", &metadata)],
            &names(&["a"]),
            &names(&[]),
            &[],
        );
        assert_eq!(union.skills["x"].metadata, json!({"tags": ["t"]}));
    }
}
