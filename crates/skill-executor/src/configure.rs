//! Shows and stores the settings of skills (`skills-run configure`).

use std::path::{Path, PathBuf};

use serde_json::Value;
use skill_loader::fs::{Root, resolve};
use skill_model::{Transport, read_env_file};
use skill_settings::names::{DEBUG_MODE, is_identifier, is_provided};
use skill_settings::{
    Configured, GuardPolicy, KeyStatus, SkillId, SkillStatus, Source, Store, Stored, StoredSkill,
    Switch, Taken, Values, WantedKey, find, pairs_in, read_host, take, wanted, with_named,
};

use crate::call::Host;
use crate::envelope::{ErrorCode, Failure};
use crate::environment::has_own_settings;
use crate::package::SkillPackage;
use crate::state::State;
use crate::view;

/// The request of a user.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Request {
    /// The names of skills; empty for all.
    pub skills: Vec<String>,
    /// The values to store for each of them.
    pub set: Values,
    /// The key whose value is on standard input.
    pub from_input: Option<String>,
    /// The keys whose values are removed.
    pub unset: Vec<String>,
    /// A file, an old host, or a state directory with values.
    pub from: Option<PathBuf>,
    /// True to switch on skills that their METADATA.yml switches off, false to undo that.
    pub enable: Option<bool>,
}

impl Request {
    /// Reads the words of a command line: names of skills, and `KEY=VALUE`.
    ///
    /// # Errors
    ///
    /// More than one value is `-`, which stands for standard input.
    pub fn read(words: Vec<String>) -> Result<Self, Failure> {
        let mut res = Self::default();
        for word in words {
            let pair = word.split_once('=').filter(|(key, _)| is_identifier(key));
            match pair {
                None => res.skills.push(word),
                Some((key, "-")) => {
                    if let Some(first) = res.from_input.replace(key.to_owned()) {
                        let message = format!(
                            "`{first}` and `{key}` are both `-`, expected one: standard input is one value"
                        );
                        return Err(invalid(message));
                    }
                }
                Some((key, value)) => {
                    res.set.insert(key.to_owned(), value.to_owned());
                }
            }
        }
        Ok(res)
    }

    /// Takes the value that came from standard input, without the end of its last line.
    pub fn set_input(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let value = text.strip_suffix('\n').unwrap_or(&text);
        let value = value.strip_suffix('\r').unwrap_or(value);
        if let Some(key) = self.from_input.take() {
            self.set.insert(key, value.to_owned());
        }
    }

    /// Returns true if something is stored or removed.
    pub fn is_change(&self) -> bool {
        let changes_values = !self.set.is_empty() || !self.unset.is_empty() || self.from.is_some();
        changes_values || self.enable.is_some()
    }
}

/// Does what was asked for, and returns the keys of the skills and where their values are: of all skills
/// only those with keys, and after a change of all, those that it concerns. `file` is the text of the
/// user's configuration file.
///
/// # Errors
///
/// A skill does not declare a key, or a file cannot be read or written. Nothing is stored then. Of
/// several skills, one whose plugin's own file cannot be read only gets the values of the host.
pub fn run(
    skills: &[SkillPackage],
    request: &Request,
    host: &Host,
    file: Option<&str>,
) -> Result<Configured, Failure> {
    if request.skills.is_empty() && request.enable.is_some() {
        return Err(invalid(
            "--enable comes without a skill, expected `configure SKILL --enable`".to_owned(),
        ));
    }
    if request.skills.is_empty() && !(request.set.is_empty() && request.unset.is_empty()) {
        return Err(invalid(
            "values come without a skill, expected `configure SKILL KEY=VALUE`".to_owned(),
        ));
    }
    let guards = if request.skills.len() == 1 {
        GuardPolicy::Take
    } else {
        GuardPolicy::Leave
    };
    for (key, value) in request.set.iter() {
        check_value(key, value)?;
    }
    let mut plans = Vec::new();
    for skill in skills {
        let wanted = wanted(&skill.metadata, skill.manifest.as_ref());
        if wanted.is_empty() && request.skills.is_empty() {
            continue;
        }
        let named = request.set.keys().chain(&request.unset);
        named
            .into_iter()
            .try_for_each(|key| check(skill, &wanted, key))?;
        for (key, value) in request.set.iter() {
            check_choice(skill, key, value)?;
        }
        let taken = match &request.from {
            Some(from) => taken(skill, &wanted, from, guards)?,
            None => Taken::default(),
        };
        if let (Some(problem), GuardPolicy::Take) = (&taken.problem, guards) {
            return Err(Failure::new(ErrorCode::Io, problem.clone()));
        }
        for (key, value) in taken.values.iter() {
            check_value(key, value)?;
        }
        plans.push((skill, wanted, taken));
    }
    let mut res = Configured::default();
    for (skill, wanted, taken) in plans {
        let stored = store(skill, request, &taken, host)?;
        let values = self::stored(skill, &host.state)?.values;
        let keys = with_named(wanted, values.keys()).into_iter();
        let keys = keys.map(|key| status(skill, key, host, file));
        res.skills.push(SkillStatus {
            skill: skill.metadata.name.clone(),
            keys: keys.collect::<Result<_, Failure>>()?,
            changed: stored.changed,
            guards: taken.guards,
            others: taken.others,
            problem: taken.problem,
            switch: match (skill.metadata.enabled, is_enabled(skill, &host.state)?) {
                (true, _) => Switch::On,
                (false, true) => Switch::OnByUser,
                (false, false) => Switch::Off,
            },
            is_switched: stored.is_switched,
        });
    }
    if request.skills.is_empty() && request.is_change() {
        res.retain_changed();
    }
    Ok(res)
}

/// Returns true if a skill may run: its METADATA.yml does not switch it off, or the user switched it on.
///
/// # Errors
///
/// The user's settings of a skill that is switched off cannot be read.
pub fn is_enabled(skill: &SkillPackage, state: &State) -> Result<bool, Failure> {
    Ok(skill.metadata.enabled || stored(skill, state)?.is_enabled)
}

/// Returns why a skill that is switched off does not run, and the command that switches it on.
pub fn switched_off(name: &str) -> String {
    format!(
        "skill `{name}` is switched off, as its plugin was; `skills-run configure {name} --enable` switches it on"
    )
}

/// Returns the keys of a skill that have no value, and that are required or secret.
///
/// # Errors
///
/// The user's settings cannot be read.
pub fn lacking(skill: &SkillPackage, host: &Host) -> Result<Vec<String>, Failure> {
    let keys = wanted(&skill.metadata, skill.manifest.as_ref()).into_iter();
    let keys = keys.filter(|key| key.is_settable() && (key.is_required || key.is_secret));
    let keys = keys.map(|key| status(skill, key, host, None));
    let keys: Vec<KeyStatus> = keys.collect::<Result<_, Failure>>()?;
    let unset = keys.into_iter().filter(|key| !key.is_set());
    Ok(unset.map(|key| key.wanted.key).collect())
}

/// Returns what the user stored for a skill.
pub(crate) fn stored(skill: &SkillPackage, state: &State) -> Result<StoredSkill, Failure> {
    let id = SkillId::new(&skill.dir, &skill.metadata);
    Store::new(state.root())
        .read(&id)
        .map_err(|error| Failure::io(&error))
}

fn store(
    skill: &SkillPackage,
    request: &Request,
    taken: &Taken,
    host: &Host,
) -> Result<Stored, Failure> {
    if !request.is_change() {
        return Ok(Stored::default());
    }
    let id = SkillId::new(&skill.dir, &skill.metadata);
    let stored = Store::new(host.state.root()).update(&id, |stored| {
        let new = taken.values.iter().chain(request.set.iter());
        let values = &mut stored.values;
        values.extend(new.map(|(key, value)| (key.clone(), value.clone())));
        values.retain(|key, _| !request.unset.contains(key));
        let is_on = request
            .enable
            .unwrap_or(stored.is_enabled || taken.is_enabled);
        // Only a skill that is switched off can be switched on.
        stored.is_enabled = is_on && !skill.metadata.enabled;
    });
    let stored = stored.map_err(|error| Failure::io(&error))?;
    let keys = stored.changed.iter().chain(&request.unset);
    let keys: Vec<String> = keys.cloned().collect();
    view::update_config(skill, &host.state, &keys, &stored.values)?;
    Ok(stored)
}

/// Refuses a value that no program can get: variables of the environment end at a NUL character.
fn check_value(key: &str, value: &str) -> Result<(), Failure> {
    if !value.contains('\0') {
        return Ok(());
    }
    let key = key.escape_debug();
    Err(invalid(format!(
        "the value of `{key}` has a NUL character, expected text that an environment variable can have"
    )))
}

/// Refuses a value that a service does not list among those of a setting, such as a region.
fn check_choice(skill: &SkillPackage, key: &str, value: &str) -> Result<(), Failure> {
    let schema = skill.metadata.config.schema.as_ref();
    let is_service = skill.metadata.transport == Some(Transport::Http);
    let choices = schema.map(|schema| &schema["properties"][key]["enum"]);
    let Some(choices) = choices.and_then(Value::as_array).filter(|_| is_service) else {
        return Ok(());
    };
    let choices: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
    if choices.contains(&value) {
        return Ok(());
    }
    let (key, value) = (key.escape_debug(), value.escape_debug());
    let choices = choices.join(", ");
    Err(invalid(format!(
        "`{value}` is not a value of `{key}`, expected one of {choices}"
    )))
}

/// Refuses a key that the skill does not declare, or that it can never get.
fn check(skill: &SkillPackage, wanted: &[WantedKey], key: &str) -> Result<(), Failure> {
    let name = &skill.metadata.name;
    let known = find(wanted, key);
    if known.map_or(key == DEBUG_MODE, WantedKey::is_settable) {
        return Ok(());
    }
    let why = match known {
        Some(_) => "is set for each call or decides what code programs load, and is never stored",
        None => "is not a key of the skill",
    };
    let settable = wanted.iter().filter(|wanted| wanted.is_settable());
    let keys: Vec<&str> = settable.map(|wanted| wanted.key.as_str()).collect();
    let expected = if keys.is_empty() {
        "it has no settings".to_owned()
    } else {
        format!("expected one of {}", keys.join(", "))
    };
    let message = format!(
        "`{}` of skill `{name}` {why}; {expected}",
        key.escape_debug()
    );
    Err(invalid(message).with("keys", keys))
}

/// Returns the values at a path for one skill. In a state directory they are the user's own and were
/// stored for this skill, so that those of guards count.
fn taken(
    skill: &SkillPackage,
    wanted: &[WantedKey],
    from: &Path,
    guards: GuardPolicy,
) -> Result<Taken, Failure> {
    let real = resolve(from).map_err(|error| Failure::io(&error))?;
    let Ok(root) = Root::open_real(&real) else {
        return Ok(take(
            &pairs_in(&real).map_err(|error| Failure::io(&error))?,
            wanted,
            guards,
        ));
    };
    let store = Store::new(&root);
    if store.exists() {
        let id = SkillId::new(&skill.dir, &skill.metadata);
        let stored = store
            .read_of_other_machine(&id)
            .map_err(|error| Failure::io(&error))?;
        let pairs = stored.values.iter();
        let pairs: Vec<_> = pairs
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        return Ok(Taken {
            is_enabled: stored.is_enabled,
            ..take(&pairs, wanted, GuardPolicy::Stored)
        });
    }
    let host = read_host(&real).map_err(|error| Failure::io(&error))?;
    Ok(host.for_skill(&root, skill.legacy_directory(), wanted, guards))
}

/// Returns where the value of a key comes from.
fn status(
    skill: &SkillPackage,
    key: WantedKey,
    host: &Host,
    file: Option<&str>,
) -> Result<KeyStatus, Failure> {
    let name = key.key.as_str();
    let is_in = |pairs: &[(String, String)]| {
        let mut pairs = pairs.iter();
        pairs.any(|(known, value)| known == name && !value.trim().is_empty())
    };
    let stored = stored(skill, &host.state)?.values;
    let is_stored = stored
        .get(name)
        .is_some_and(|value| !value.trim().is_empty());
    let is_given = host
        .environment
        .setting_of(&skill.metadata, name)
        .is_some_and(|value| !value.trim().is_empty());
    let is_unrelated = has_own_settings(&skill.metadata) && host.environment.contains_key(name);
    let source = if !key.is_settable() {
        is_provided(name).then_some(Source::Provided)
    } else if file.is_some_and(|text| is_in(&read_env_file(text))) {
        Some(Source::File)
    } else if is_stored {
        Some(Source::Store)
    } else if is_given {
        Some(Source::Environment)
    } else if is_provided(name) {
        Some(Source::Provided)
    } else if is_unrelated || host.environment.withholds(name) {
        Some(Source::Withheld)
    } else if file.is_none() && stored.is_empty() && is_in(&view::config_pairs(skill, &host.state))
    {
        Some(Source::State)
    } else {
        None
    };
    Ok(KeyStatus {
        wanted: key,
        source,
    })
}

fn invalid(message: String) -> Failure {
    Failure::new(ErrorCode::InvalidInput, message)
}
