//! The use of a skill on this machine: its directory, its requirements, and the tool that runs it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skill_loader::catalog::{Catalog, CatalogSkill};

use crate::names::ToolKind;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::wrapper::Next;

/// The use of a skill on this machine.
pub(super) struct Usage {
    /// The directory of the skill, for agents on this machine.
    directory: Option<String>,
    /// The programs and packages that must be installed, as a phrase.
    needs: Option<String>,
    /// The skills that it builds on, as its METADATA.yml names them, each with the version that is used.
    requires: Vec<(String, String)>,
    /// The commands, if there is more than one.
    commands: Vec<String>,
    /// The call that runs it, or the reason why it is not run here; `None` if it has no program.
    run: Option<Result<Next, String>>,
}

impl Usage {
    pub(super) fn new(shared: &Shared, skill: &CatalogSkill) -> Self {
        let settings = &shared.settings;
        let catalog = shared.store.catalog();
        let location = skill.place.location();
        let directory = location.parent().filter(|_| settings.directories);
        let metadata = skill.metadata.as_deref();
        let commands = metadata.map_or(&[][..], |metadata| &metadata.commands);
        let ids = commands.iter().map(|command| command.id.clone());
        Self {
            directory: directory.map(|directory| absolute(directory).display().to_string()),
            needs: needs(skill),
            requires: requires(&catalog, skill),
            commands: ids.filter(|_| commands.len() > 1).collect(),
            run: metadata.and_then(|_| run(settings, skill)),
        }
    }

    /// Returns the lines of the answer for models.
    pub(super) fn text(&self) -> String {
        let mut res = String::new();
        if let Some(directory) = &self.directory {
            let _ = writeln!(res, "directory: {directory}");
        }
        if let Some(needs) = &self.needs {
            let _ = writeln!(res, "must be installed: {needs}");
        }
        if !self.requires.is_empty() {
            let names = self
                .requires
                .iter()
                .map(|(text, version)| match &**version {
                    // Without a range, only one version of it is here.
                    version if !version.is_empty() && text.contains('@') => {
                        format!("{text} (here: {version})")
                    }
                    _ => text.clone(),
                });
            let names: Vec<String> = names.collect();
            let _ = writeln!(res, "builds on the skills: {}", names.join(", "));
        }
        match &self.run {
            Some(Ok(next)) => {
                let _ = writeln!(res, "to run it: {}", next.line());
                if !self.commands.is_empty() {
                    let _ = writeln!(res, "commands: {}", self.commands.join(", "));
                }
            }
            Some(Err(why)) => {
                let _ = writeln!(res, "not run by this server: {why}");
            }
            None => {}
        }
        res
    }

    /// Adds the same to the data for programs.
    pub(super) fn add_to(&self, data: &mut Value) {
        data["directory"] = json!(self.directory);
        data["must_be_installed"] = json!(self.needs);
        let requires = self.requires.iter().map(|(text, _)| text);
        data["requires"] = requires.cloned().collect::<Vec<String>>().into();
        data["run"] = match &self.run {
            Some(Ok(next)) => next.data(),
            _ => Value::Null,
        };
        data["not_run"] = match &self.run {
            Some(Err(why)) => json!(why),
            _ => Value::Null,
        };
    }
}

/// Returns a path that works in every working directory.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn requires(catalog: &Catalog, skill: &CatalogSkill) -> Vec<(String, String)> {
    let all = catalog.requirements(skill).into_iter();
    let all = all.map(|(text, met)| {
        let version = met.map_or("", |met| met.version());
        (text.to_owned(), version.to_owned())
    });
    all.collect()
}

fn needs(skill: &CatalogSkill) -> Option<String> {
    let requires = &skill.metadata.as_deref()?.requires;
    let kinds = [
        ("programs", &requires.bin),
        ("npm packages", &requires.npm),
        ("Python packages", &requires.pip),
    ];
    let kinds = kinds.into_iter().filter(|(_, names)| !names.is_empty());
    let texts: Vec<String> = kinds
        .map(|(kind, names)| format!("{kind} {}", names.join(", ")))
        .collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// Returns the call that runs a skill, or the reason why it is not run; `None` for a prompt.
fn run(settings: &Settings, skill: &CatalogSkill) -> Option<Result<Next, String>> {
    let metadata = skill.metadata.as_deref()?;
    let Some(runner) = settings.run.as_deref() else {
        let is_program = metadata.executor != skill_model::ExecutorKind::Prompt;
        let why = format!(
            "it runs no skills; start it with --allow-run {} to allow this one",
            skill.name
        );
        return is_program.then_some(Err(why));
    };
    if let Some(why) = runner.refusal(skill) {
        return Some(Err(why));
    }
    let mut arguments = json!({"skill_name": skill.name});
    if let Some(command) = metadata.commands.first() {
        arguments["command"] = json!(command.id);
        arguments["arguments"] = command.sample_arguments();
    }
    Some(Ok(Next {
        tool: settings.names.name(ToolKind::RunSkill).to_owned(),
        arguments,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_found_from_everywhere() {
        assert!(absolute(Path::new("pkg/skills")).is_absolute());
        assert_eq!(absolute(Path::new("/a/b")), Path::new("/a/b"));
    }
}
