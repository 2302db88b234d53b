//! `read_skill`: returns the instructions of a skill and the calls that continue from there.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};
use skill_loader::catalog::CatalogSkill;
use skill_loader::load::{LoadedText, Strategy};
use skill_packages::files::PublicFile;

use super::answer::{Refusal, ToolOutput};
use super::call::Call;
use super::encode::Encode;
use super::usage::Usage;
use crate::bodies::Body;
use crate::media;
use crate::names::ToolKind;
use crate::reply::evicted_line;
use crate::session::{Active, Level};
use crate::store::SkillFiles;
use crate::wrapper::{Next, inside, open};

/// The outcome of reading a skill.
enum ReadOutcome {
    /// The skill is active and unchanged.
    AlreadyActive(Arc<CatalogSkill>, Active),
    /// A text or a part of it, and the names of the skills that were evicted.
    Text {
        skill: Arc<CatalogSkill>,
        body: Arc<Body>,
        evicted: Vec<String>,
    },
}

pub(super) fn answer<E: Encode>(call: &Call) -> E {
    match read(call) {
        Ok(ReadOutcome::AlreadyActive(skill, active)) => {
            let required = super::required::texts(call, &skill);
            E::from_answer(required.map(|required| {
                let mut output = already(call, &active);
                if !required.texts.is_empty() {
                    super::required::append(&mut output, &required);
                }
                output
            }))
        }
        Ok(ReadOutcome::Text {
            skill,
            body,
            evicted,
        }) => {
            let files = call.shared.store.files_of(&skill);
            let make = |evicted: &[String]| text(call, &skill, &body, &files, evicted);
            match super::required::texts(call, &skill) {
                Ok(required) if required.texts.is_empty() => {
                    E::from_text(&body, &files, &evicted, make)
                }
                required => E::from_answer(required.map(|required| {
                    let mut output = make(&evicted);
                    super::required::append(&mut output, &required);
                    output
                })),
            }
        }
        Err(refusal) => E::from_answer(Err(refusal)),
    }
}

/// Reads the skill and records the text in the session.
fn read(call: &Call) -> Result<ReadOutcome, Refusal> {
    let name = call.arguments.needed("skill_name")?;
    let selection = call.arguments.selection()?;
    let force = call.arguments.flag("force")?;
    let (skill, body) = call.shared.store.body(name, &selection)?;
    let loaded = &body.loaded;
    let is_whole = selection.section.is_none() && selection.cursor.is_none();
    if is_whole && !force {
        let digest = &loaded.report.sha256;
        let held = call.session(|session| session.holds(&skill.name, digest).cloned());
        if let Some(active) = held {
            return Ok(ReadOutcome::AlreadyActive(skill, active));
        }
    }
    let tokens = body.tokens;
    let returned = Active {
        name: skill.name.clone(),
        digest: loaded.report.sha256,
        level: match loaded.report.strategy {
            Strategy::Whole => Level::Body,
            _ => Level::Part,
        },
        tokens,
    };
    let evicted = call.session(|session| session.record(returned, call.shared.settings.max_active));
    call.shared.count_tokens(tokens);
    Ok(ReadOutcome::Text {
        skill,
        body,
        evicted,
    })
}

fn already(call: &Call, active: &Active) -> ToolOutput {
    let again = Next {
        tool: call
            .shared
            .settings
            .names
            .name(ToolKind::ReadSkill)
            .to_owned(),
        arguments: json!({"skill_name": active.name, "force": true}),
    };
    ToolOutput {
        text: format!(
            "The skill {} is already active and has not changed ({}). If you can no longer see its instructions: {}",
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

fn text(
    call: &Call,
    skill: &CatalogSkill,
    body: &Body,
    files: &SkillFiles,
    evicted: &[String],
) -> ToolOutput {
    let (loaded, tokens) = (&body.loaded, body.tokens);
    let (files, n_more) = files.listed();
    let resources: Vec<(&PublicFile, Option<Next>)> = files
        .iter()
        .map(|file| (file, resource_call(call, &skill.name, &file.path)))
        .collect();
    let mut text = opening_tag(skill, loaded, tokens);
    text.push_str(&resources_text(&resources, n_more));
    let usage = Usage::new(&call.shared, skill);
    text.push_str(&inside("skill_content", &usage.text()));
    let next = next(call, &skill.name, loaded);
    text.push_str(&part_text(loaded, next.as_ref()));
    if !evicted.is_empty() {
        text.push_str(&evicted_line(evicted));
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
    usage.add_to(&mut data);
    data["unloaded"] = json!(evicted);
    data["next"] = next.map_or(Value::Null, |next| next.data());
    ToolOutput { text, data }
}

fn opening_tag(skill: &CatalogSkill, loaded: &LoadedText, tokens: usize) -> String {
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

/// Returns the call that reads a file, if it is a text.
fn resource_call(call: &Call, skill: &str, path: &str) -> Option<Next> {
    let names = &call.shared.settings.names;
    media::is_text(path).then(|| Next {
        tool: names.name(ToolKind::ReadSkillResource).to_owned(),
        arguments: json!({"skill_name": skill, "path": path}),
    })
}

fn resources_text(resources: &[(&PublicFile, Option<Next>)], n_more: usize) -> String {
    if resources.is_empty() {
        return "<resources>none: this skill has no other files</resources>\n".to_owned();
    }
    let mut res = "<resources>\n".to_owned();
    for (file, next) in resources {
        let line = match next {
            Some(next) => next.line(),
            None => format!("{} (not a text file)", file.path),
        };
        let _ = writeln!(res, "- {} bytes: {}", file.size, inside("resources", &line));
    }
    if n_more > 0 {
        let _ = writeln!(res, "- and {n_more} more files that are not listed");
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
            .name(ToolKind::ReadSkill)
            .to_owned(),
        arguments: json!({"skill_name": skill, "cursor": cursor}),
    })
}

/// Returns the notes on what is left out and the call that continues.
fn part_text(loaded: &LoadedText, next: Option<&Next>) -> String {
    let mut res = String::new();
    for finding in &loaded.findings {
        let help = finding.help.as_deref().unwrap_or_default();
        let _ = writeln!(res, "note: {} {help}", finding.message);
    }
    if let Some(next) = next {
        let _ = writeln!(res, "this is only a part; continue with: {}", next.line());
    }
    if !loaded.sections.is_empty() {
        let _ = writeln!(res, "sections: {}", loaded.sections.join(" | "));
    }
    res
}
