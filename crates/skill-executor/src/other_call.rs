//! A call of another skill by a running one.
//!
//! The skill that is called runs under its own policy, with its own configuration and its own stored
//! approvals; an approval of the calling skill does not count for it. Where the caller's runner
//! permits only some skills, it has to be one of them.

use std::time::Duration;

use serde_json::Value;

use crate::beside::beside;
use crate::call::Options;
use crate::names::Names;
use crate::others::OtherSkills;
use crate::package::SkillPackage;
use crate::runner::{PreparedCall, Request};

/// The part of the old host that a skill declares (`host_answered`) to call others.
const PART: &str = "plugin-manager";
/// The number of skills that may call one another in a row.
const MAX_DEPTH: u32 = 4;

impl OtherSkills for PreparedCall<'_> {
    fn call(&self, name: &str, args: Value, limit: Duration) -> Result<Value, String> {
        let (caller, options) = (self.skill(), self.options());
        let answered = &caller.metadata.host_answered;
        if !answered.iter().any(|part| part == PART) {
            let own = &caller.metadata.name;
            return Err(format!(
                "skill `{own}` may not call others: its METADATA.yml has no `{PART}` in `host_answered`"
            ));
        }
        if options.depth >= MAX_DEPTH {
            return Err(format!(
                "\"{name}\" is not called: {MAX_DEPTH} skills call one another already"
            ));
        }
        let catalog = beside(caller);
        let hit = Names::new(&catalog).find(name);
        let hit = hit.map_err(|failure| failure.message)?;
        let skill = SkillPackage::from_catalog(&catalog, &hit.skill);
        let skill = skill.map_err(|failure| failure.message)?;
        let request = Request {
            command: hit.command,
            input: args,
            options: Options {
                timeout: Some(options.timeout.map_or(limit, |own| own.min(limit))),
                request_ip: options.request_ip.clone(),
                callbacks: options.callbacks.clone(),
                cancel: options.cancel.clone(),
                depth: options.depth + 1,
                ..Options::default()
            },
            has_own_config: false,
        };
        let envelope = self.runner().run_other(&skill, request);
        match envelope.outcome {
            Ok(success) => Ok(success.value),
            Err(failure) => Err(failure.message),
        }
    }
}
