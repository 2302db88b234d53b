//! The keys of a skill that have a value, and where it comes from.

use serde_json::{Value, json};

use crate::WantedKey;

/// The place of a value, in the order of precedence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The file of `--config`.
    File,
    /// The user's store.
    Store,
    /// The environment of the tool.
    Environment,
    /// The environment of the tool, which no skill gets without `--allow-env`.
    Withheld,
    /// The `config.env` that an earlier call left in the skill's state. Only a program that reads the
    /// file finds the value.
    State,
    /// The tool itself, in place of the old host.
    Provided,
}

impl Source {
    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Store => "store",
            Self::Environment => "environment",
            Self::Withheld => "withheld",
            Self::State => "state",
            Self::Provided => "provided",
        }
    }
}

/// A key, and the place of its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyStatus {
    /// The key.
    pub wanted: WantedKey,
    /// The place of its value; `None` if it has none that is not blank.
    pub source: Option<Source>,
}

impl KeyStatus {
    /// Returns true if a call gets a value.
    pub fn is_set(&self) -> bool {
        self.source.is_some_and(|source| source != Source::Withheld)
    }

    /// Returns true if a value is required and absent. A guard that only the state sets is open: the
    /// program itself can write there.
    pub fn is_missing(&self) -> bool {
        let is_by_program = self.wanted.is_guard && self.source == Some(Source::State);
        self.wanted.is_required && (!self.is_set() || is_by_program)
    }
}

/// The keys of a skill, and what was just done to them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SkillStatus {
    /// The name of the skill.
    pub skill: String,
    /// Its keys.
    pub keys: Vec<KeyStatus>,
    /// The keys whose stored value changed.
    pub changed: Vec<String>,
    /// The guards of a file for many skills, which were not taken.
    pub guards: Vec<String>,
    /// The keys of a file that the skill does not declare.
    pub others: Vec<String>,
    /// The reason why the file that an old host has for it could not be read.
    pub problem: Option<String>,
    /// The state of its switch.
    pub switch: Switch,
    /// True if it was just switched on or off.
    pub is_switched: bool,
}

/// The switch of a skill, which its METADATA.yml may have switched off.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Switch {
    /// It was never switched off.
    #[default]
    On,
    /// Its METADATA.yml says that it does not run.
    Off,
    /// The user switched it on.
    OnByUser,
}

impl SkillStatus {
    /// Returns true if no required value is missing.
    pub fn is_whole(&self) -> bool {
        self.missing().is_empty()
    }

    /// Returns the keys that are required and have no value.
    pub fn missing(&self) -> Vec<&str> {
        let missing = self.keys.iter().filter(|key| key.is_missing());
        missing.map(|key| key.wanted.key.as_str()).collect()
    }
}

/// The status of skills.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Configured {
    /// The skills.
    pub skills: Vec<SkillStatus>,
    /// The keys of a file for many skills that none of them declares.
    pub unused: Vec<String>,
}

impl Configured {
    /// Returns true if nothing is left to do: after a change, if every file of an old host was read;
    /// otherwise if no required value is missing.
    pub fn is_fine(&self, is_change: bool) -> bool {
        let mut skills = self.skills.iter();
        if is_change {
            skills.all(|skill| skill.problem.is_none())
        } else {
            skills.all(SkillStatus::is_whole)
        }
    }

    /// Keeps the skills that a change of all skills concerns, and the keys that none of them declares.
    pub fn retain_changed(&mut self) {
        let others = self
            .skills
            .iter_mut()
            .map(|skill| std::mem::take(&mut skill.others));
        let common = others.reduce(|mut all, other| {
            all.retain(|key| other.contains(key));
            all
        });
        self.unused = common.unwrap_or_default();
        self.skills.retain(|skill| {
            skill.is_switched
                || skill.problem.is_some()
                || !skill.changed.is_empty()
                || !skill.guards.is_empty()
                || !skill.is_whole()
        });
    }
}

/// Returns the status of skills for programs.
pub fn report(configured: &Configured) -> Value {
    let of_skill = |skill: &SkillStatus| {
        json!({
            "skill": skill.skill,
            "enabled": skill.switch != Switch::Off,
            "keys": skill.keys.iter().map(of_key).collect::<Vec<_>>(),
            "missing": skill.missing(),
            "changed": skill.changed,
            "problem": skill.problem,
            "not_taken": {"guards": skill.guards, "undeclared": skill.others},
        })
    };
    let skills: Vec<Value> = configured.skills.iter().map(of_skill).collect();
    json!({"ok": true, "skills": skills, "unused": configured.unused})
}

fn of_key(key: &KeyStatus) -> Value {
    let wanted = &key.wanted;
    json!({
        "key": wanted.key,
        "description": wanted.description,
        "kind": wanted.kind.word(),
        "required": wanted.is_required,
        "guard": wanted.is_guard,
        "secret": wanted.is_secret,
        "has_default": wanted.has_default,
        "set": key.is_set(),
        "from": key.source.map(Source::word),
    })
}
