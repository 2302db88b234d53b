//! The facts about a skill that do not need its body.

use serde_json::{Value, json};
use skill_loader::catalog::CatalogSkill;
use skill_loader::fs::{Kind, shown};
use skill_loader::text::Outline;
use skill_model::{Command, Metadata};

use crate::safe::one_line;
use crate::sentence::sentences;

/// Phrases at the start of sentences on when to use a skill.
const WHEN_STARTS: [&str; 22] = [
    "use when",
    "use this",
    "use for",
    "use it",
    "use if",
    "use to",
    "use whenever",
    "when ",
    "trigger",
    "invoke",
    "activate",
    "apply when",
    "also use",
    "should be used",
    "ideal for",
    "suitable for",
    "当",
    "用于",
    "适用",
    "何时",
    "触发",
    "在需要",
];
/// Phrases anywhere in such a sentence.
const WHEN_INSIDE: [&str; 6] = [
    "时使用",
    "时调用",
    "时触发",
    "should be used when",
    "也用于",
    "use this skill",
];

/// The facts about a skill.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Facts {
    /// The name.
    pub name: String,
    /// The display name, if it differs from the name.
    pub display_name: Option<String>,
    /// The name in the old host, if the skill was a plugin.
    pub legacy_name: Option<String>,
    /// The whole description, on one line.
    pub description: String,
    /// The commands.
    pub commands: Vec<CommandFacts>,
    /// Values that the skill provides to prompts: the key and a description of each.
    pub placeholders: Vec<(String, String)>,
    /// The titles of the main sections of the body, if it was read.
    pub sections: Vec<String>,
    /// The files that the skill has besides instructions.
    pub parts: Parts,
    /// The skills that it builds on, with their ranges of versions.
    pub requires: Vec<String>,
    /// The location of its `SKILL.md`.
    pub location: Option<String>,
    /// The node of the skill, if it is on another machine.
    pub node: Option<String>,
    /// The priority that the skill claims, from 0 to 1.
    pub priority: f64,
}

/// The kinds of files that a skill has besides instructions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Parts {
    /// True if there are references or assets.
    pub resources: bool,
    /// True if there is a directory `scripts/`.
    pub scripts: bool,
}

/// A command of a skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandFacts {
    /// The identifier.
    pub id: String,
    /// A description on one line.
    pub description: String,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// An example of the arguments.
    pub example: Option<Value>,
}

/// A parameter of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// True if a call without it is refused.
    pub is_required: bool,
}

impl Facts {
    /// Returns the facts of a skill in a catalog. The body is not read, so there are no sections;
    /// [`Facts::with_body`] adds them.
    pub fn from_skill(skill: &CatalogSkill) -> Self {
        let metadata = skill.metadata.as_deref();
        let mut res = Self::from_parts(&skill.name, &skill.description, metadata);
        res.location = Some(one_line(&shown(&skill.place.location()).to_string()));
        res.parts = parts(skill);
        res
    }

    /// Returns the facts of a skill that is known only by its data, such as one of another node.
    pub fn from_parts(name: &str, description: &str, metadata: Option<&Metadata>) -> Self {
        let name = one_line(name);
        let display_name = metadata.and_then(|metadata| metadata.display_name.as_deref());
        let display_name = display_name
            .map(one_line)
            .filter(|it| !it.is_empty() && *it != name);
        let legacy = metadata.and_then(|metadata| metadata.legacy.as_ref());
        let placeholders = metadata.map_or(&[][..], |metadata| &metadata.placeholders);
        let commands = metadata.map_or(&[][..], |metadata| &metadata.commands);
        Self {
            display_name,
            legacy_name: legacy.map(|legacy| one_line(&legacy.name)),
            description: one_line(description),
            commands: commands.iter().map(CommandFacts::new).collect(),
            placeholders: placeholders
                .iter()
                .map(|it| (one_line(&it.key), one_line(&it.description)))
                .collect(),
            requires: metadata
                .map_or(&[][..], |metadata| &metadata.requires.skills)
                .iter()
                .map(|it| one_line(it))
                .collect(),
            priority: metadata.map_or(0.0, |metadata| metadata.triggers.priority),
            name,
            ..Self::default()
        }
    }

    /// Adds the main sections of a body, which are those below its title.
    #[must_use]
    pub fn with_body(mut self, body: &str) -> Self {
        let sections = Outline::new(body).sections;
        let n_top = sections.iter().filter(|section| section.level == 1).count();
        let levels = sections.iter().map(|section| section.level);
        let main = if n_top > 1 {
            Some(1)
        } else {
            levels.filter(|level| *level > 1).min()
        };
        let main = sections
            .iter()
            .filter(|section| Some(section.level) == main);
        let titles = main.map(|section| one_line(&section.title));
        self.sections = titles.filter(|title| !title.is_empty()).collect();
        self
    }

    /// Returns the sentences of the description in two groups: what the skill does, and when to use
    /// it.
    pub fn what_and_when(&self) -> (Vec<&str>, Vec<&str>) {
        let (mut when, mut what): (Vec<&str>, Vec<&str>) = sentences(&self.description)
            .into_iter()
            .partition(|it| says_when(it));
        if what.is_empty() {
            std::mem::swap(&mut what, &mut when);
        }
        (what, when)
    }
}

fn says_when(sentence: &str) -> bool {
    let sentence = sentence.trim_start_matches(['-', '*', ' ']).to_lowercase();
    WHEN_STARTS.iter().any(|start| sentence.starts_with(start))
        || WHEN_INSIDE.iter().any(|word| sentence.contains(word))
}

impl CommandFacts {
    fn new(command: &Command) -> Self {
        let schema = &command.input_schema;
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|it| it == name));
        let properties = schema.get("properties").and_then(Value::as_object);
        let names = properties.into_iter().flat_map(serde_json::Map::keys);
        Self {
            id: one_line(&command.id),
            description: one_line(&command.description),
            parameters: names
                .map(|name| Parameter {
                    is_required: is_required(name),
                    name: one_line(name),
                })
                .collect(),
            example: Some(command.sample_arguments()).filter(|it| *it != json!({})),
        }
    }

    /// Returns the call syntax: `find(query, limit?)`, where `?` marks optional parameters.
    pub fn signature(&self) -> String {
        let parameters = self.parameters.iter().map(|it| {
            let mark = if it.is_required { "" } else { "?" };
            format!("{}{mark}", it.name)
        });
        format!("{}({})", self.id, parameters.collect::<Vec<_>>().join(", "))
    }
}

/// Returns the kinds of files next to `SKILL.md`. A skill that is a single file has none.
fn parts(skill: &CatalogSkill) -> Parts {
    let has = |name: &str| {
        let dir = skill.place.dir.as_deref();
        let path = dir.map(|dir| format!("{dir}/{name}").trim_start_matches('/').to_owned());
        let kind = path.and_then(|path| skill.place.root.kind(&path).ok().flatten());
        matches!(kind, Some(Kind::Dir))
    };
    Parts {
        resources: has("references") || has("assets"),
        scripts: has("scripts"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(description: &str, what: &[&str], when: &[&str]) {
        let facts = Facts::from_parts("x", description, None);
        assert_eq!(facts.what_and_when(), (what.to_vec(), when.to_vec()));
    }

    #[test]
    fn what_it_does_differs_from_when_it_is_for() {
        check(
            "Does a thing. Use when asked.",
            &["Does a thing."],
            &["Use when asked."],
        );
        check(
            "做一件事。当需要时使用。",
            &["做一件事。"],
            &["当需要时使用。"],
        );
        check(
            "This skill should be used when x.",
            &["This skill should be used when x."],
            &[],
        );
        check("", &[], &[]);
    }

    #[test]
    fn the_index_has_the_main_sections() {
        let facts = Facts::default().with_body("# T\n\n## A\n\n### B\n\n```\n## C\n```\n\n## D\n");
        assert_eq!(facts.sections, ["A", "D"]);
        let facts = Facts::default().with_body("# A\n\n## B\n\n# C\n");
        assert_eq!(facts.sections, ["A", "C"]);
    }
}
