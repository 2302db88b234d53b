//! The text protocol of existing agents: `docs/protocols.md`.

use serde_json::json;
use skill_loader::catalog::Catalog;
use skill_loader::fs::shown;
use skill_loader::load::LoadError;
use skill_loader::request::parse_request;

use disclosure_report::reading::error_text;

use super::answer::write_json;
use super::settings::Settings;
use super::{load, status};
use skills_cli::{ExitStatus, output::Streams};

/// Answers one request.
pub(super) fn answer(
    text: &str,
    catalog: &Catalog,
    settings: &Settings,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let available: Vec<&String> = catalog.skills.keys().collect();
    let Some(request) = parse_request(text) else {
        let message = "expected <skill_request><skill_name>NAME</skill_name></skill_request>";
        write_json(
            &json!({"error": message, "availableSkills": available}),
            streams,
        )?;
        return Ok(ExitStatus::Findings);
    };
    let (mut answer, status) = match load(catalog, settings, &request.skill_name) {
        Ok((skill, loaded)) => {
            let answer = json!({
                "result": loaded.text,
                "skillName": skill.name,
                "skillDescription": skill.description,
                "skillLocation": shown(&skill.place.location()).to_string(),
                "contentLength": loaded.report.chars_returned,
            });
            (answer, ExitStatus::Fine)
        }
        Err(error) => {
            let answer = json!({"error": sentence(&error), "availableSkills": available});
            (answer, status(&error))
        }
    };
    if let Some(progress) = request.task_progress {
        answer["taskProgress"] = progress.into();
    }
    write_json(&answer, streams)?;
    Ok(status)
}

fn sentence(error: &LoadError) -> String {
    let help = error.help().map(|help| format!("; {help}"));
    format!(
        "{}: {}{}",
        error.code(),
        error_text(error),
        help.unwrap_or_default()
    )
}
