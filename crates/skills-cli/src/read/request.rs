//! The text protocol of existing agents: `docs/protocols.md`.

use serde_json::json;
use skill_loader::catalog::Catalog;
use skill_loader::fs::shown;
use skill_loader::load::LoadError;

use skill_report::reading::error_text;

use super::answer::write_json;
use super::settings::Settings;
use super::{load, status};
use crate::{ExitStatus, output::Streams};

/// What an agent asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Name of the skill, without blanks around it.
    pub skill_name: String,
    /// How far the agent's task is; given back as it came.
    pub task_progress: Option<String>,
}

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

/// Reads the first request of a text; what stands around it is not looked at. None where there is
/// no request, or one without a name.
pub fn parse_request(text: &str) -> Option<Request> {
    let request = element(text, "skill_request")?;
    let skill_name = element(request, "skill_name")?.trim();
    let task_progress = element(request, "task_progress").map(str::trim);
    (!skill_name.is_empty()).then(|| Request {
        skill_name: unescape(skill_name),
        task_progress: task_progress.map(unescape),
    })
}

fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (inner, _) = rest.split_once(&format!("</{name}>"))?;
    Some(inner)
}

fn unescape(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, Option<&str>)>) {
        let found = parse_request(text);
        let found = found
            .as_ref()
            .map(|r| (r.skill_name.as_str(), r.task_progress.as_deref()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn takes_the_request_out_of_a_text() {
        check(
            "I need it.\n<skill_request>\n  <skill_name> a&amp;b </skill_name>\n</skill_request>",
            Some(("a&b", None)),
        );
        check(
            "<skill_request><task_progress>- [x] 一</task_progress><skill_name>x</skill_name></skill_request>",
            Some(("x", Some("- [x] 一"))),
        );
        for bad in [
            "",
            "<skill_name>x</skill_name>",
            "<skill_request><skill_name>x</skill_name>",
            "<skill_request></skill_request>",
            "<skill_request><skill_name> </skill_name></skill_request>",
        ] {
            check(bad, None);
        }
    }
}
