//! The owner of a place in the state: a skill's directory, and the plugin that was migrated to it.
//!
//! The directory alone is not enough: another author's plugin of the same name becomes the skill of
//! that name when the first plugin is gone. It must not find what the user entrusted to the first
//! one.

use std::fmt;
use std::path::Path;

use serde_json::{Map, Value};
use skill_loader::Digest;

use crate::envelope::Failure;
use crate::json;
use crate::package::SkillPackage;
use crate::state::State;

/// The records, beneath the state directory.
const OWNERS: &str = "owners";

/// One skill, as a record names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Owner {
    dir: String,
    origin: Origin,
}

/// The origin of a skill.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Origin {
    /// A record of a version that did not write it down.
    Unknown,
    /// The skill was not a plugin.
    None,
    Plugin {
        name: String,
        author: String,
    },
}

impl Owner {
    /// The skill as it is now.
    pub(super) fn new(skill: &SkillPackage) -> Self {
        let metadata = &skill.metadata;
        let author = metadata.author.as_deref().unwrap_or_default().trim();
        let origin = metadata.legacy.as_ref().map(|legacy| Origin::Plugin {
            name: legacy.name.clone(),
            author: author.to_owned(),
        });
        Self {
            dir: text_of_path(&skill.dir),
            origin: origin.unwrap_or(Origin::None),
        }
    }

    /// Returns true if both are the same skill according to the records.
    pub(super) fn is(&self, other: &Self) -> bool {
        let is_unknown = self.origin == Origin::Unknown;
        self.dir == other.dir && (is_unknown || self.origin == other.origin)
    }

    /// The plugin, as a text that differs between plugins.
    pub(super) fn plugin(&self) -> String {
        match &self.origin {
            Origin::Unknown | Origin::None => String::new(),
            Origin::Plugin { name, author } => format!("{name}\0{author}"),
        }
    }

    fn parse(record: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let origin = match record.get("plugin") {
            None => Origin::Unknown,
            Some(plugin) => match (text(&plugin["name"]), text(&plugin["author"])) {
                (Some(name), Some(author)) => Origin::Plugin { name, author },
                _ => Origin::None,
            },
        };
        let dir = text(&record["dir"])?;
        Some(Self { dir, origin })
    }

    fn record(&self) -> String {
        let text = |text: &String| Value::String(text.clone());
        let plugin = match &self.origin {
            Origin::Unknown | Origin::None => Value::Null,
            Origin::Plugin { name, author } => Value::Object(Map::from_iter([
                ("name".to_owned(), text(name)),
                ("author".to_owned(), text(author)),
            ])),
        };
        json::stringify(&Value::Object(Map::from_iter([
            ("dir".to_owned(), text(&self.dir)),
            ("plugin".to_owned(), plugin),
        ])))
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the skill in {}", self.dir)?;
        match &self.origin {
            Origin::Plugin { name, author } if author.is_empty() => {
                write!(f, " (plugin `{}`)", name.escape_debug())
            }
            Origin::Plugin { name, author } => {
                let (name, author) = (name.escape_debug(), author.escape_debug());
                write!(f, " (plugin `{name}` by `{author}`)")
            }
            Origin::None => f.write_str(" (which was not a plugin)"),
            Origin::Unknown => Ok(()),
        }
    }
}

/// Claims an unowned place for this skill; returns true if it belongs to this skill.
pub(super) fn claim(key: &str, me: &Owner, state: &State) -> Result<bool, Failure> {
    match read(key, state) {
        None => {
            let written = state
                .root()
                .write_if_free(&path(key), me.record().as_bytes());
            written.map_err(|error| Failure::io(&error))?;
        }
        Some(owner) if owner.origin == Origin::Unknown && owner.dir == me.dir => {
            state.write(OWNERS, &file(key), &me.record())?;
        }
        Some(_) => {}
    }
    // Of two that claim it at once, the record names one.
    Ok(read(key, state).is_some_and(|owner| owner.is(me)))
}

/// Reads the owner of a place; `None` for a place without one.
pub(super) fn read(key: &str, state: &State) -> Option<Owner> {
    Owner::parse(&state.read(&path(key))?)
}

/// The record of a place, beneath the state directory.
pub(super) fn path(key: &str) -> String {
    format!("{OWNERS}/{}", file(key))
}

fn file(key: &str) -> String {
    format!("{key}.json")
}

/// Formats a path for records.
pub(crate) fn text_of_path(path: &Path) -> String {
    match path.to_str() {
        Some(path) => path.to_owned(),
        // Two paths that look alike are still two.
        None => format!(
            "sha256:{}",
            Digest::from_content(path.as_os_str().as_encoded_bytes()).hex()
        ),
    }
}
