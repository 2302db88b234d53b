//! Requests of existing agents for a skill: `docs/protocols.md`.

/// The request of an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Name of the skill, without blanks around it.
    pub skill_name: String,
    /// The progress of the agent's task; returned as it came.
    pub task_progress: Option<String>,
}

/// Reads the first request of a text; the text around it is ignored. Returns `None` where
/// there is no request, or one without a name.
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
