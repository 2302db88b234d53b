//! `read_skill`: the instructions of a skill, and how to go on from there.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};
use skill_loader::catalog::CatalogSkill;
use skill_loader::load::{LoadedText, Strategy};

use super::{Call, Form, Given, Refusal};
use crate::bodies::Body;
use crate::manifest::Listed;
use crate::media;
use crate::names::ToolKind;
use crate::session::{Active, Level};
use crate::store::FilesOf;
use crate::wrapper::{Next, inside, open};

/// What is to be given of a skill.
enum Read {
    /// It was given and has not changed since.
    Already(Active),
    /// A text, or a part of it, and what is no longer active for it.
    Text {
        skill: Arc<CatalogSkill>,
        body: Arc<Body>,
        gone: Vec<String>,
    },
}

pub(super) fn told<F: Form>(call: &Call) -> F {
    match read(call) {
        Ok(Read::Already(active)) => F::of(Ok(already(call, &active))),
        Ok(Read::Text { skill, body, gone }) => {
            let files = call.shared.store.files_of(&skill);
            let make = |gone: &[String]| text(call, &skill, &body, &files, gone);
            F::of_text(&body, &files, &gone, make)
        }
        Err(refusal) => F::of(Err(refusal)),
    }
}

/// Notes in the session what is given.
fn read(call: &Call) -> Result<Read, Refusal> {
    let name = call.arguments.needed("skill_name")?;
    let selection = call.arguments.selection()?;
    let force = call.arguments.flag("force")?;
    let (skill, body) = call.shared.store.body(name, &selection)?;
    let loaded = &body.loaded;
    let is_whole = selection.section.is_none() && selection.cursor.is_none();
    if is_whole && !force {
        let digest = &loaded.report.sha256;
        let held = call.session(|session| session.holds(name, digest).cloned());
        if let Some(active) = held {
            return Ok(Read::Already(active));
        }
    }
    let tokens = body.tokens;
    let given = Active {
        name: skill.name.clone(),
        digest: loaded.report.sha256,
        level: match loaded.report.strategy {
            Strategy::Whole => Level::Body,
            _ => Level::Part,
        },
        tokens,
    };
    let gone = call.session(|session| session.gave(given, call.shared.settings.max_active));
    call.shared.count_tokens(tokens);
    Ok(Read::Text { skill, body, gone })
}

fn already(call: &Call, active: &Active) -> Given {
    let again = Next {
        tool: call
            .shared
            .settings
            .names
            .of(ToolKind::ReadSkill)
            .to_owned(),
        arguments: json!({"skill_name": active.name, "force": true}),
    };
    Given {
        text: format!(
            "The skill {} is already active and has not changed ({}). If you do not see its instructions any more: {}",
            active.name,
            active.digest,
            again.line()
        ),
        data: json!({
            "skill_name": active.name,
            "digest": active.digest.to_string(),
            "already_active": true,
            "tokens": 0,
            "reread": again.data(),
        }),
    }
}

fn text(call: &Call, skill: &CatalogSkill, body: &Body, files: &FilesOf, gone: &[String]) -> Given {
    let (loaded, tokens) = (&body.loaded, body.tokens);
    let (files, n_more) = files.listed();
    let resources: Vec<(&Listed, Option<Next>)> = files
        .iter()
        .map(|file| (file, resource_call(call, &skill.name, &file.path)))
        .collect();
    let mut text = account(skill, loaded, tokens);
    text.push_str(&resources_text(&resources, n_more));
    let next = next(call, &skill.name, loaded);
    text.push_str(&part_text(loaded, next.as_ref()));
    if !gone.is_empty() {
        text.push_str(&gone_line(gone));
    }
    let _ = write!(
        text,
        "<instructions>\n{}\n</instructions>\n</skill_content>",
        inside(
            "instructions",
            &inside("skill_content", loaded.text.trim_end())
        )
    );
    let shown = resources
        .iter()
        .map(|(file, next)| json!({"path": file.path, "size": file.size, "call": next.as_ref().map(Next::data)}));
    let mut data = super::resource::report(loaded, tokens);
    data["skill_name"] = json!(skill.name);
    data["already_active"] = json!(false);
    data["resources"] = shown.collect::<Vec<Value>>().into();
    data["resources_total"] = json!(files.len() + n_more);
    data["unloaded"] = json!(gone);
    data["next"] = next.map_or(Value::Null, |next| next.data());
    Given { text, data }
}

/// What is no longer active, as the text says it.
pub(super) fn gone_line(gone: &[String]) -> String {
    format!("no longer active: {}\n", gone.join(", "))
}

fn account(skill: &CatalogSkill, loaded: &LoadedText, tokens: usize) -> String {
    let report = &loaded.report;
    let fields = [
        ("name", skill.name.clone()),
        ("origin", skill.source.word().to_owned()),
        ("digest", report.sha256.to_string()),
        ("total_bytes", report.total_bytes.to_string()),
        ("tokens", tokens.to_string()),
        ("truncated", report.truncated.to_string()),
    ];
    format!("{}\n", open("skill_content", &fields))
}

/// How a file is read, if it is a text.
fn resource_call(call: &Call, skill: &str, path: &str) -> Option<Next> {
    let names = &call.shared.settings.names;
    media::is_text(path).then(|| Next {
        tool: names.of(ToolKind::ReadSkillResource).to_owned(),
        arguments: json!({"skill_name": skill, "path": path}),
    })
}

fn resources_text(resources: &[(&Listed, Option<Next>)], n_more: usize) -> String {
    if resources.is_empty() {
        return "<resources>none: this skill has no other files</resources>\n".to_owned();
    }
    let mut res = "<resources>\n".to_owned();
    for (file, next) in resources {
        let line = match next {
            Some(next) => next.line(),
            None => format!("{} (no text)", file.path),
        };
        let _ = writeln!(res, "- {} bytes: {}", file.size, inside("resources", &line));
    }
    if n_more > 0 {
        let _ = writeln!(res, "- and {n_more} more files that are not listed here");
    }
    res.push_str("</resources>\n");
    res
}

fn next(call: &Call, skill: &str, loaded: &LoadedText) -> Option<Next> {
    let cursor = loaded.report.next_cursor.as_ref()?;
    Some(Next {
        tool: call
            .shared
            .settings
            .names
            .of(ToolKind::ReadSkill)
            .to_owned(),
        arguments: json!({"skill_name": skill, "cursor": cursor}),
    })
}

/// What is left out, and how to get it.
fn part_text(loaded: &LoadedText, next: Option<&Next>) -> String {
    let mut res = String::new();
    for finding in &loaded.findings {
        let help = finding.help.as_deref().unwrap_or_default();
        let _ = writeln!(res, "note: {} {help}", finding.message);
    }
    if let Some(next) = next {
        let _ = writeln!(res, "not all of it is here; read on: {}", next.line());
    }
    if !loaded.sections.is_empty() {
        let _ = writeln!(res, "sections: {}", loaded.sections.join(" | "));
    }
    res
}
