//! `read_skill_resource`: returns a file of a skill, or a part of it.

use std::fmt::Write as _;

use serde_json::{Value, json};
use skill_loader::load::LoadedText;

use super::answer::{Answer, Refusal, ToolOutput};
use super::call::Call;
use crate::names::ToolKind;
use crate::session::{Active, Level};
use crate::wrapper::{Next, inside, open};

pub(super) fn answer(call: &Call) -> Answer {
    let name = call.arguments.needed("skill_name")?;
    let path = call.arguments.needed("path")?;
    let selection = call.arguments.selection()?;
    let path = path.strip_prefix("./").unwrap_or(path);
    let loaded = call.shared.store.resource(name, path, &selection);
    let (skill, loaded) = loaded.map_err(|error| {
        let mut refusal = Refusal::from(error);
        if refusal.nearest.is_empty() {
            refusal.nearest = nearest_paths(call, name, path);
        }
        refusal
    })?;
    let tokens = call.shared.tokens(&loaded.text);
    let returned = Active {
        name: skill.name.clone(),
        digest: skill.digest,
        level: Level::Part,
        tokens,
    };
    call.session(|session| session.record(returned, call.shared.settings.max_active));
    call.shared.count_tokens(tokens);
    Ok(output(call, name, &loaded, tokens))
}

fn nearest_paths(call: &Call, name: &str, path: &str) -> Vec<String> {
    let (files, _) = call.shared.store.listed(name);
    let file = path.rsplit('/').next().unwrap_or(path);
    let same: Vec<String> = files
        .iter()
        .filter(|known| known.path != path && known.path.rsplit('/').next() == Some(file))
        .map(|known| known.path.clone())
        .take(3)
        .collect();
    if !same.is_empty() {
        return same;
    }
    let known = files.iter().map(|known| known.path.as_str());
    let known = known.filter(|known| *known != path);
    skill_diagnostics::nearest(path, known)
        .map(str::to_owned)
        .into_iter()
        .collect()
}

fn output(call: &Call, skill: &str, loaded: &LoadedText, tokens: usize) -> ToolOutput {
    let report = &loaded.report;
    let next = report.next_cursor.as_ref().map(|cursor| Next {
        tool: call
            .shared
            .settings
            .names
            .name(ToolKind::ReadSkillResource)
            .to_owned(),
        arguments: json!({"skill_name": skill, "path": report.path, "cursor": cursor}),
    });
    let fields = [
        ("skill", skill.to_owned()),
        ("path", report.path.clone()),
        ("digest", report.sha256.to_string()),
        (
            "lines",
            format!("{}-{}", report.lines.first, report.lines.last),
        ),
        ("total_bytes", report.total_bytes.to_string()),
        ("truncated", report.truncated.to_string()),
    ];
    let mut text = open("skill_resource", &fields);
    for finding in &loaded.findings {
        let help = finding.help.as_deref().unwrap_or_default();
        let _ = write!(text, "\nnote: {} {help}", finding.message);
    }
    let end = if loaded.text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    let _ = write!(
        text,
        "\n{}{end}</skill_resource>",
        inside("skill_resource", &loaded.text)
    );
    if let Some(next) = &next {
        let _ = write!(
            text,
            "\nthis is only a part; continue with: {}",
            next.line()
        );
    }
    if !loaded.sections.is_empty() {
        let _ = write!(text, "\nsections: {}", loaded.sections.join(" | "));
    }
    let mut data = self::report(loaded, tokens);
    data["skill_name"] = json!(skill);
    data["path"] = json!(report.path);
    data["next"] = next.map_or(Value::Null, |next| next.data());
    ToolOutput { text, data }
}

/// Returns what is known about a text, for programs.
pub(super) fn report(loaded: &LoadedText, tokens: usize) -> Value {
    let report = &loaded.report;
    json!({
        "digest": report.sha256.to_string(),
        "truncated": report.truncated,
        "total_bytes": report.total_bytes,
        "lines": [report.lines.first, report.lines.last],
        "strategy": report.strategy.word(),
        "section": report.section,
        "sections": loaded.sections,
        "next_cursor": report.next_cursor,
        "tokens": tokens,
        "findings": loaded.findings.iter().map(|finding| json!({
            "code": finding.code.0,
            "message": finding.message,
            "help": finding.help,
        })).collect::<Vec<Value>>(),
    })
}
