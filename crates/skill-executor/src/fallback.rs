//! Other skills in place of one that failed: `fallback` in METADATA.yml.
//!
//! Only for calls that may be made twice ([`Metadata::is_idempotent`]), because nobody knows what
//! one that failed has done, and only after failures that say nothing of the arguments: what a skill
//! itself says is an answer.
//!
//! **Invariant:** each skill is tried once, and what is approved for one is not for another.
//!
//! [`Metadata::is_idempotent`]: skill_model::Metadata::is_idempotent

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Value, json};
use skill_loader::{dir_in, tree_of};

use crate::call::{Call, Options};
use crate::config::Config;
use crate::envelope::{Envelope, ErrorCode, Failure, Warning};
use crate::package::SkillPackage;
use crate::registry::Registry;

/// The maximum number of skills that are tried for one call, including the requested one.
const MAX_TRIED: usize = 8;

/// A skill that replaces another, and its configuration.
pub type Substitute = (SkillPackage, Config);

/// Finds a skill by the name that `fallback` has, or says why it cannot be called.
pub type Find<'f> = dyn Fn(&str) -> Result<Substitute, Failure> + 'f;

/// Returns the skill with this name in the same tree: its directory is next to that of `skill`.
pub fn beside(skill: &SkillPackage, name: &str) -> Result<SkillPackage, Failure> {
    let none = || {
        let message = format!(
            "there is no skill `{name}` beside `{}`",
            skill.metadata.name
        );
        Failure::new(ErrorCode::NotFound, message)
    };
    let is_name = !name.contains('/') && !name.starts_with('.') && !name.is_empty();
    let tree = tree_of(&skill.dir).filter(|_| is_name).ok_or_else(none)?;
    let found = SkillPackage::read(&dir_in(tree, name))?;
    if found.metadata.name == name {
        Ok(found)
    } else {
        Err(none())
    }
}

impl Registry {
    /// Works as [`Registry::execute`]; if that fails and the skill names others, tries those in
    /// order with the same arguments. `meta.fallback` and the warnings list what failed before. If
    /// all fail, the answer is that of the last one that ran.
    pub fn execute_or_fall_back(&self, call: &Call<'_>, find: &Find<'_>) -> Envelope {
        let first = self.execute(call);
        let mut left = match consequence(call, &first) {
            Consequence::Others(names) if !names.is_empty() => VecDeque::from(names),
            _ => return first,
        };
        let asked = call.skill.metadata.name.as_str();
        let (mut tried, mut last) = (vec![first], 0);
        let mut seen = BTreeSet::from([asked.to_owned()]);
        while let Some(name) = left.pop_front() {
            if seen.len() == MAX_TRIED || !seen.insert(name.clone()) {
                continue;
            }
            let (envelope, next) = self.run_substitute(call, &name, find);
            tried.push(envelope);
            if matches!(next, Consequence::Nothing) {
                continue;
            }
            last = tried.len() - 1;
            let Consequence::Others(names) = next else {
                break;
            };
            for name in names.into_iter().rev() {
                left.push_front(name);
            }
        }
        let answer = tried.remove(last);
        with_failures(asked, answer, &tried)
    }

    fn run_substitute(
        &self,
        call: &Call<'_>,
        name: &str,
        find: &Find<'_>,
    ) -> (Envelope, Consequence) {
        let (skill, config) = match find(name) {
            Ok(found) => found,
            Err(failure) => {
                return (
                    Envelope::failed(name, "none", failure),
                    Consequence::Nothing,
                );
            }
        };
        let has = |id: &&str| skill.metadata.commands.iter().any(|it| it.id == **id);
        let options = Options {
            is_substitute: true,
            ..call.options.clone()
        };
        let own = Call {
            skill: &skill,
            config: &config,
            command: call.command.filter(has),
            options: &options,
            ..*call
        };
        let envelope = self.execute(&own);
        let next = consequence(&own, &envelope);
        (envelope, next)
    }
}

/// The consequence of an answer.
enum Consequence {
    /// It is the answer.
    Answer,
    /// Nothing was done, so whoever is next may try.
    Nothing,
    /// It failed and may have done its work; these may try as well.
    Others(Vec<String>),
}

fn consequence(call: &Call<'_>, envelope: &Envelope) -> Consequence {
    let Err(failure) = &envelope.outcome else {
        return Consequence::Answer;
    };
    let metadata = &call.skill.metadata;
    let command = envelope.meta.command.as_deref().or(call.command);
    match failure.code {
        ErrorCode::SpawnFailed
        | ErrorCode::Timeout
        | ErrorCode::ExitCode
        | ErrorCode::Protocol
        | ErrorCode::MissingPackage
        | ErrorCode::Unavailable
            if metadata.is_idempotent(command) =>
        {
            Consequence::Others(metadata.fallback.clone())
        }
        ErrorCode::Denied
        | ErrorCode::NotRunnable
        | ErrorCode::InvalidInput
        | ErrorCode::NotFound
            if call.options.is_substitute =>
        {
            Consequence::Nothing
        }
        _ => Consequence::Answer,
    }
}

/// Adds what failed before to the answer.
fn with_failures(asked: &str, mut answer: Envelope, failed: &[Envelope]) -> Envelope {
    let failed: Vec<(&str, &Failure)> = failed
        .iter()
        .filter_map(|envelope| {
            let failure = envelope.outcome.as_ref().err()?;
            Some((envelope.meta.skill.as_str(), failure))
        })
        .collect();
    let records = failed.iter().map(|(skill, failure)| {
        json!({"skill": skill, "code": failure.code.word(), "message": failure.message})
    });
    let record = json!({"for": asked, "failed": records.collect::<Vec<Value>>()});
    answer.meta.extra.insert("fallback".to_owned(), record);
    let warnings = failed.iter().map(|(skill, failure)| Warning {
        code: "fallback",
        message: format!(
            "`{skill}` failed ({}): {}",
            failure.code.word(),
            failure.message
        ),
        pointer: None,
    });
    answer.warnings.splice(0..0, warnings);
    answer
}
