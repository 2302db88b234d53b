//! From a name to a skill: exact, never a guess.
//!
//! Names are: the skill's, the plugin's, the one for people, and the ids of its commands (which
//! for skills of ApexBridge are the names of its tools). Case does not count; a skill's own name
//! comes before everything else. A person who names a skill does not mean a command of another one
//! ([`Names::find_skill`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use skill_diagnostics::nearest;
use skill_loader::catalog::{Catalog, CatalogSkill};

use crate::envelope::{ErrorCode, Failure};

/// The number of similar names that are suggested.
const N_NEAREST: usize = 3;

/// The number of commands that a message names.
const SHOWN: usize = 20;

/// The first part of the words for the two hosts of VCP in `legacy.host`.
const VCP: &str = "vcp-";

/// The meaning of a name.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The skill.
    pub skill: Arc<CatalogSkill>,
    /// The command, if the name means a command.
    pub command: Option<String>,
}

/// All names of a catalog.
#[derive(Debug)]
pub struct Names<'c> {
    catalog: &'c Catalog,
    /// Folded name, name as written, skill, command.
    entries: Vec<(String, String, &'c Arc<CatalogSkill>, Option<String>)>,
}

impl<'c> Names<'c> {
    /// Takes the names of all skills of a catalog.
    pub fn new(catalog: &'c Catalog) -> Self {
        let mut entries = Vec::new();
        for skill in catalog.all() {
            let mut add = |name: &str, command: Option<&str>| {
                let command = command.map(str::to_owned);
                entries.push((name.to_lowercase(), name.to_owned(), skill, command));
            };
            let Some(metadata) = &skill.metadata else {
                continue;
            };
            let names = [
                metadata.legacy.as_ref().map(|legacy| legacy.name.as_str()),
                metadata.display_name.as_deref(),
            ];
            for name in names.into_iter().flatten().filter(|name| !name.is_empty()) {
                add(name, None);
            }
            for command in &metadata.commands {
                add(&command.id, Some(&command.id));
            }
        }
        Self { catalog, entries }
    }

    /// The one skill of that name.
    pub fn find(&self, name: &str) -> Result<Hit, Failure> {
        let folded = name.to_lowercase();
        let mut own = self
            .catalog
            .all()
            .filter(|skill| skill.name.to_lowercase() == folded);
        if let Some(skill) = own.next() {
            return Ok(Hit {
                skill: skill.clone(),
                command: None,
            });
        }
        let found: Vec<_> = self
            .entries
            .iter()
            .filter(|entry| entry.0 == folded)
            .collect();
        let skills: BTreeSet<&str> = found.iter().map(|entry| entry.2.name.as_str()).collect();
        match (&found[..], skills.len()) {
            ([], _) => Err(self.unknown(name)),
            ([first, rest @ ..], 1) => Ok(Hit {
                skill: first.2.clone(),
                // The name of the whole skill, where it is also that of a command.
                command: if rest.iter().any(|entry| entry.3.is_none()) {
                    None
                } else {
                    first.3.clone()
                },
            }),
            _ => Err(ambiguous(name, &skills)),
        }
    }

    /// Returns the one skill of that name. A name of a command is enough only if the host of the skill
    /// called commands by name. VCP did not, and its commands have general names such as `list`.
    pub fn find_skill(&self, name: &str) -> Result<Hit, Failure> {
        let hit = self.find(name)?;
        let legacy = hit
            .skill
            .metadata
            .as_ref()
            .and_then(|it| it.legacy.as_ref());
        match &hit.command {
            Some(id) if legacy.is_some_and(|it| it.host.starts_with(VCP)) => {
                Err(command_only(name, id, &hit.skill.name))
            }
            _ => Ok(hit),
        }
    }

    fn unknown(&self, name: &str) -> Failure {
        let mut near: Vec<&str> = Vec::new();
        let own = self.catalog.skills.keys().map(String::as_str);
        let all: Vec<&str> = own
            .chain(self.entries.iter().map(|entry| entry.1.as_str()))
            .collect();
        while near.len() < N_NEAREST {
            let rest = all.iter().copied().filter(|name| !near.contains(name));
            match nearest(name, rest) {
                Some(found) => near.push(found),
                None => break,
            }
        }
        let mut message = format!(
            "no skill, plugin or command is called `{}`",
            name.escape_debug()
        );
        if let Some(first) = near.first() {
            message = format!("{message}; did you mean `{first}`?");
        }
        Failure::new(ErrorCode::NotFound, message).with("suggestions", near)
    }
}

fn command_only(name: &str, id: &str, skill: &str) -> Failure {
    let name = name.escape_debug();
    let message = format!(
        "`{name}` is a command of the skill `{skill}`, expected the name of a skill; for this command: `{skill} --command {id}`"
    );
    Failure::new(ErrorCode::NotFound, message).with("suggestions", vec![skill])
}

fn ambiguous(name: &str, skills: &BTreeSet<&str>) -> Failure {
    let names: Vec<&str> = skills.iter().copied().collect();
    let message = format!(
        "`{}` is a name of {} skills: {}",
        name.escape_debug(),
        names.len(),
        names.join(", ")
    );
    Failure::new(ErrorCode::Ambiguous, message).with("suggestions", names)
}

/// Finds the id of a command of a skill, ignoring case. A command with a request of its own is also
/// found by its method and path: `get /pets/{id}`.
pub fn command<'m>(metadata: &'m skill_model::Metadata, id: &str) -> Result<&'m str, Failure> {
    let ids = || metadata.commands.iter().map(|command| command.id.as_str());
    let folded = id.to_lowercase();
    let exact = ids().find(|known| *known == id);
    let found = exact.or_else(|| ids().find(|known| known.to_lowercase() == folded));
    let by_request = || {
        let (method, path) = id.split_once(' ')?;
        let mut commands = metadata.commands.iter();
        let found = commands.find(|command| {
            let http = command.http.as_ref();
            http.is_some_and(|it| it.method.eq_ignore_ascii_case(method) && it.path == path)
        })?;
        Some(found.id.as_str())
    };
    found.or_else(by_request).ok_or_else(|| {
        let near: Vec<&str> = nearest(id, ids()).into_iter().collect();
        let skill = &metadata.name;
        let known: Vec<String> = ids().take(SHOWN).map(|id| format!("`{id}`")).collect();
        let known = match (&known[..], ids().count().saturating_sub(SHOWN)) {
            ([], _) => "it has none".to_owned(),
            (known, 0) => format!("it has {}", known.join(", ")),
            (known, n_more) => format!("it has {} and {n_more} more", known.join(", ")),
        };
        let id = id.escape_debug();
        let message = format!("skill `{skill}` has no command `{id}`; {known}");
        Failure::new(ErrorCode::NotFound, message).with("suggestions", near)
    })
}

#[cfg(test)]
mod tests {
    use skill_loader::catalog::{CatalogSettings, SkillRoot};
    use skill_loader::load::Source;

    use super::*;

    const SKILLS: [(&str, &str); 3] = [
        (
            "notes",
            "legacy: {host: vcp-main, name: NoteKeeper, directory: N, plugin_type: synchronous}\n\
             commands: [{id: list}, {id: drop}]\n",
        ),
        (
            "tasks",
            "legacy: {host: vcp-main, name: TaskDesk, directory: T, plugin_type: synchronous}\n\
             commands: [{id: drop}, {id: TaskDesk}]\n",
        ),
        (
            "units",
            "legacy: {host: apexbridge, name: Units, directory: U, plugin_type: direct}\n\
             commands: [{id: convert}]\n",
        ),
    ];

    #[expect(clippy::disallowed_methods, reason = "the test lays out skills")]
    fn catalog(directory: &std::path::Path) -> Catalog {
        for (name, rest) in SKILLS {
            let skill = directory.join(name);
            std::fs::create_dir(&skill).unwrap();
            let head = format!("---\nname: {name}\ndescription: A skill.\n---\n\n# It\n");
            std::fs::write(skill.join("SKILL.md"), head).unwrap();
            let text = format!("name: {name}\ntype: direct\nrunnable: true\nenabled: true\n{rest}");
            std::fs::write(skill.join("METADATA.yml"), text).unwrap();
        }
        Catalog::read(&CatalogSettings {
            roots: vec![SkillRoot {
                path: directory.to_owned(),
                source: Source::Project,
            }],
            ..CatalogSettings::default()
        })
    }

    fn shown(found: Result<Hit, Failure>) -> String {
        match found {
            Ok(hit) => match hit.command {
                Some(command) => format!("{} {command}", hit.skill.name),
                None => hit.skill.name.clone(),
            },
            Err(failure) => failure.message,
        }
    }

    #[test]
    fn a_command_of_vcp_is_not_a_skill() {
        let directory = tempfile::tempdir().unwrap();
        let catalog = catalog(directory.path());
        let names = Names::new(&catalog);
        for (name, expected) in [
            ("notes", "notes"),
            ("notekeeper", "notes"),
            // Also a command of the same skill.
            ("TaskDesk", "tasks"),
            ("convert", "units convert"),
            ("drop", "`drop` is a name of 2 skills: notes, tasks"),
            (
                "List",
                "`List` is a command of the skill `notes`, expected the name of a skill; for this \
                 command: `notes --command list`",
            ),
            (
                "lst",
                "no skill, plugin or command is called `lst`; did you mean `list`?",
            ),
        ] {
            assert_eq!(shown(names.find_skill(name)), expected, "{name}");
        }
        assert_eq!(shown(names.find("list")), "notes list");
    }
}
