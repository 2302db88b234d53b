//! The text protocol of existing agents: `docs/protocols.md`.

use serde_json::json;
use skill_loader::catalog::Catalog;
use skill_loader::request::parse_request;

use disclosure_report::reading;

use crate::load::{load, status};
use crate::settings::Settings;
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
        streams.write_json(&json!({"error": message, "availableSkills": available}))?;
        return Ok(ExitStatus::Findings);
    };
    let (mut answer, status) = match load(catalog, settings, &request.skill_name) {
        Ok((skill, loaded, _)) => (reading::answer_json(skill, &loaded), ExitStatus::Fine),
        Err(error) => {
            let sentence = reading::error_sentence(&error);
            let answer = json!({"error": sentence, "availableSkills": available});
            (answer, status(&error))
        }
    };
    if let Some(progress) = request.task_progress {
        answer["taskProgress"] = progress.into();
    }
    streams.write_json(&answer)?;
    Ok(status)
}
