//! Files that the host writes beside a program: its manifest and its configuration.

use serde_json::{Map, Value};

use crate::envelope::{ErrorCode, Failure};
use crate::json;
use crate::package::SkillPackage;
use crate::state::State;

/// Returns the manifest that the plugin had; `None` if it was not kept.
pub(super) fn manifest(skill: &SkillPackage) -> Option<String> {
    let map: &Map<String, Value> = skill.manifest.as_ref()?.as_object()?;
    let text = skill.manifest_text();
    Some(text.unwrap_or_else(|| json::stringify(&Value::Object(map.clone()))))
}

/// Writes a file that is not the skill's into the view; without a text, what the skill has stays.
pub(super) fn put(
    state: &State,
    dir: &str,
    name: &str,
    text: Option<String>,
) -> Result<(), Failure> {
    let Some(text) = text else { return Ok(()) };
    if state.read_text(&format!("{dir}/{name}")).as_deref() == Some(&text) {
        return Ok(());
    }
    state.write(dir, name, &text).map_err(|failure| {
        Failure::new(
            ErrorCode::Io,
            format!("cannot prepare {name}: {}", failure.message),
        )
    })
}
