//! The origin of a prompt: the directories of its paths, and the settings that it names.

use std::collections::BTreeMap;

use plugin_template::{PathPlaces, place_line, setting_words};
use serde_json::Value;
use skill_model::Metadata;

use super::SkillPlace;

/// The origin of a prompt.
#[derive(Clone, Default, Debug)]
pub(super) struct Origin {
    skill: String,
    /// The directory of the skill on this machine.
    path: String,
    /// The directory of the text in the user's project, such as `.github/prompts`; empty if it was in none.
    home: String,
    /// Words for the settings of its package: `user_config.KEY`.
    pub(super) settings: BTreeMap<String, String>,
}

impl Origin {
    pub(super) fn new(name: &str, place: &SkillPlace, metadata: Option<&Metadata>) -> Self {
        let legacy = metadata.and_then(|metadata| metadata.legacy.as_ref());
        let home = legacy.filter(|legacy| legacy.directory.starts_with('.'));
        let home = home.map(|legacy| {
            let file = legacy.file.as_deref().unwrap_or_default();
            let below = file.rsplit_once('/').map_or("", |(below, _)| below);
            format!("{}/{below}", legacy.directory)
        });
        let root = place.root.path();
        let path = place.dir.as_deref().map_or_else(
            || root.to_owned(),
            |dir| {
                if dir.is_empty() {
                    root.to_owned()
                } else {
                    root.join(dir)
                }
            },
        );
        Self {
            skill: name.to_owned(),
            path: path.display().to_string(),
            home: home.unwrap_or_default(),
            settings: metadata.map(settings).unwrap_or_default(),
        }
    }

    /// Returns the line about the paths of a text. A reader elsewhere gets no directory of this machine.
    pub(super) fn place_line(&self, places: &PathPlaces, is_here: bool) -> String {
        place_line(places, &self.skill, is_here.then_some(&*self.path))
    }

    /// Writes the paths that begin at the directory of the text as paths of the project.
    pub(super) fn resolve(&self, places: &mut PathPlaces) {
        for path in std::mem::take(&mut places.beside) {
            let mut parts: Vec<&str> = self.home.split('/').filter(|it| !it.is_empty()).collect();
            for part in path.split('/') {
                match part {
                    "" | "." => {}
                    ".." => {
                        parts.pop();
                    }
                    part => parts.push(part),
                }
            }
            places.project.push(parts.join("/"));
        }
    }
}

/// Returns words for the settings of a package, with what is known about them.
fn settings(metadata: &Metadata) -> BTreeMap<String, String> {
    let schema = metadata.config.schema.as_ref();
    let properties = schema.and_then(|schema| schema["properties"].as_object());
    let found = properties.into_iter().flatten().map(|(key, about)| {
        let texts = ["title", "description"].map(|key| about[key].as_str().unwrap_or_default());
        let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let is_secret = metadata.config.secret.contains(key);
        let default = about.get("default").filter(|_| !is_secret);
        let default = default.map(|value| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        });
        let words = setting_words(key, &texts, default.as_deref());
        (format!("user_config.{key}"), words)
    });
    found.collect()
}
