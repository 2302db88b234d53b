//! `list_skills`: lists all skills, in pages.

use std::fmt::Write as _;

use serde_json::{Value, json};
use skill_loader::catalog::{Catalog, CatalogSkill};

use super::answer::{Answer, Refusal, ToolOutput};
use super::call::Call;
use super::search::{CANNOT_RUN, cannot_run};
use crate::names::ToolKind;
use crate::page;
use crate::wrapper::{Next, attribute};

/// The maximum number of skills on a page.
const PAGE: usize = 100;

pub(super) fn answer(call: &Call) -> Answer {
    let catalog = call.shared.store.catalog();
    let Ok(after) = page::start(call.arguments.text("cursor")?) else {
        return Err(Refusal::new(
            "bad-cursor",
            "unknown cursor; omit it to start over",
        ));
    };
    let is_rest = |name: &String| after.is_empty() || name.as_str() > after;
    let rest: Vec<_> = catalog
        .skills
        .values()
        .filter(|skill| is_rest(&skill.name))
        .collect();
    let part = &rest[..rest.len().min(PAGE)];
    let next = (rest.len() > PAGE).then(|| page::after(&part[PAGE - 1].name));
    let mut text = match catalog.skills.len() {
        1 => "1 skill".to_owned(),
        n => format!("{n} skills"),
    };
    for skill in part {
        let _ = write!(
            text,
            "\n- {}{}{}: {}{}",
            attribute(&skill.name),
            versions(&catalog, skill),
            if cannot_run(skill) { CANNOT_RUN } else { "" },
            attribute(skill.description.trim()),
            builds_on(skill)
        );
    }
    if let Some(next) = &next {
        let call = Next {
            tool: call
                .shared
                .settings
                .names
                .name(ToolKind::ListSkills)
                .to_owned(),
            arguments: json!({"cursor": next}),
        };
        let _ = write!(text, "\n{} more: {}", rest.len() - PAGE, call.line());
    }
    Ok(ToolOutput {
        text,
        data: json!({
            "skills": part.iter().map(|skill| entry(&catalog, skill)).collect::<Vec<Value>>(),
            "total": catalog.skills.len(),
            "next_cursor": next,
            "session": call.session(|session| session.report()),
        }),
    })
}

/// Returns a remark on the skills that a skill requires.
fn builds_on(skill: &CatalogSkill) -> String {
    let names = skill.requires().iter().map(|it| attribute(it));
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        return String::new();
    }
    format!(" (builds on {})", names.join(", "))
}

/// Returns the version of a skill of which there are others.
fn versions(catalog: &Catalog, skill: &CatalogSkill) -> String {
    let others = catalog.other_versions(skill);
    if others.is_empty() {
        return String::new();
    }
    let (own, others) = (attribute(skill.version()), attribute(&others.join(", ")));
    format!(" {own} (for skills that require another version: {others})")
}

fn entry(catalog: &Catalog, skill: &CatalogSkill) -> Value {
    json!({
        "name": skill.name,
        "can_run": !cannot_run(skill),
        "version": skill.version(),
        "other_versions": catalog.other_versions(skill),
        "requires": skill.requires(),
        "source": skill.source.word(),
        "digest": skill.digest.to_string(),
    })
}
