//! The skills that a skill builds on, given together with it.

use std::fmt::Write as _;

use serde_json::{Value, json};
use skill_loader::catalog::{CatalogSkill, RequiredText};
use skill_loader::load::Strategy;

use super::answer::{Refusal, ToolOutput};
use super::call::Call;
use crate::reply::evicted_line;
use crate::session::{Active, Level};
use crate::wrapper::{inside, open};

/// The maximum number of characters of all required skills together.
const ROOM: usize = 40_000;

/// The texts of required skills.
#[derive(Default)]
pub(super) struct RequiredTexts {
    /// The skills, and their texts.
    pub(super) texts: Vec<RequiredText>,
    /// The names of the skills that they evicted.
    evicted: Vec<String>,
}

/// Returns the texts of the required skills if the caller wants them. Those that are active and unchanged
/// are left out; the others become active.
pub(super) fn texts(call: &Call, skill: &CatalogSkill) -> Result<RequiredTexts, Refusal> {
    if !call.arguments.flag("with_required")? {
        return Ok(RequiredTexts::default());
    }
    let catalog = call.shared.store.catalog();
    let mut res = catalog.read_required(skill, &call.shared.settings.limits, ROOM)?;
    res.retain(|one| {
        call.session(|session| session.holds(&one.skill.name, &digest(one)).is_none())
    });
    let mut evicted = Vec::new();
    for one in &res {
        let Some(loaded) = &one.loaded else { continue };
        let tokens = call.shared.tokens(&loaded.text);
        let active = Active {
            name: one.skill.name.clone(),
            digest: digest(one),
            level: match loaded.report.strategy {
                Strategy::Whole => Level::Body,
                _ => Level::Part,
            },
            tokens,
        };
        let max = call.shared.settings.max_active;
        evicted.extend(call.session(|session| session.record(active, max)));
        call.shared.count_tokens(tokens);
    }
    Ok(RequiredTexts {
        texts: res,
        evicted,
    })
}

fn digest(one: &RequiredText) -> skill_model::Digest {
    let loaded = one.loaded.as_ref();
    loaded.map_or(one.skill.digest, |loaded| loaded.report.sha256)
}

/// Appends the texts to an answer.
pub(super) fn append(output: &mut ToolOutput, required: &RequiredTexts) {
    for one in &required.texts {
        let fields = [
            ("name", one.skill.name.clone()),
            ("version", one.skill.version().to_owned()),
        ];
        let text = match &one.loaded {
            Some(loaded) => inside("required_skill", loaded.text.trim_end()),
            None => format!("it has no room here; read `{}`", one.skill.versioned_name()),
        };
        let tag = open("required_skill", &fields);
        let _ = write!(output.text, "\n{tag}\n{text}\n</required_skill>");
    }
    if !required.evicted.is_empty() {
        let line = evicted_line(&required.evicted);
        let _ = write!(output.text, "\n{}", line.trim_end());
    }
    let names = required.texts.iter().map(|one| {
        json!({"name": one.skill.name, "version": one.skill.version(), "given": one.loaded.is_some()})
    });
    output.data["required"] = names.collect::<Vec<Value>>().into();
}
