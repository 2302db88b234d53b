//! `unload_skill`: removes a skill from the session.

use serde_json::json;

use super::answer::{Answer, Refusal, ToolOutput};
use super::call::Call;

pub(super) fn answer(call: &Call) -> Answer {
    let name = call.arguments.needed("skill_name")?;
    let unloaded = call.session(|session| session.unload(name));
    let report = call.session(|session| session.report());
    match unloaded {
        Some(active) => Ok(ToolOutput {
            text: format!("The skill {} is no longer active.", active.name),
            data: json!({"skill_name": active.name, "session": report}),
        }),
        None => {
            let message = format!("the skill `{}` is not active", name.escape_debug());
            let mut refusal = Refusal::new("not-active", message);
            refusal.nearest = call.session(|session| {
                session
                    .names()
                    .into_iter()
                    .rev()
                    .take(3)
                    .map(str::to_owned)
                    .collect()
            });
            Err(refusal)
        }
    }
}
