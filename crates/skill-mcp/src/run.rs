//! Runs skills for agents: only those that the policy allows, and with an approval if a person can
//! be asked.

mod approval;
mod commands;
mod content;
mod direct;
mod hidden;
mod progress;
mod start;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;
use skill_executor::call::{self, Host};
use skill_executor::cancel::Cancel;
use skill_executor::configure::{is_enabled, switched_off};
use skill_executor::envelope::{Envelope, ErrorCode, Failure};
use skill_executor::package::SkillPackage;
use skill_executor::state::State;
use skill_executor::{Registry, Request, approval as approval_of};
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::load::LoadError;
use skill_model::ExecutorKind;
use tokio::sync::Semaphore;
use tokio::time::timeout;

pub(crate) use approval::{Approval, Consent, approve, can_ask, message, name as approval_name};
pub(crate) use commands::{CommandTool, all as all_commands};
pub(crate) use progress::Forward;
pub(crate) use start::{CallContext, start};

use content::part;
use hidden::HiddenPaths;

use crate::run_policy::RunPolicy;
use crate::tools::with_data;

/// The maximum number of skills that run at the same time; further calls wait.
const SLOTS: usize = 8;
/// The time in which calls must end when the server stops. A child is killed after 0.4 s.
const STOP: Duration = Duration::from_secs(2);

/// Runs skills for all connections of a server.
pub struct Runner {
    policy: RunPolicy,
    /// Runs the calls of all skills, allowed or not.
    skills: skill_executor::Runner,
    pub(crate) slots: Arc<Semaphore>,
    /// Cancels all calls.
    stopping: Cancel,
    /// Paths that are removed from answers.
    hidden: HiddenPaths,
    /// The URL that asynchronous skills send their results to, without the secret of a call.
    callbacks: Option<String>,
    /// True if answers have the paths of their files: for agents on this machine.
    tells_paths: bool,
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Runner")
    }
}

/// A skill, and the catalog in which its requirements are resolved.
#[derive(Clone)]
pub(crate) struct Chosen {
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) skill: Arc<CatalogSkill>,
}

impl Chosen {
    /// Finds a skill by its name.
    pub(crate) fn find(catalog: Arc<Catalog>, name: &str) -> Result<Self, LoadError> {
        let skill = catalog.find(name)?.clone();
        Ok(Self { catalog, skill })
    }

    /// Reads what is run. Blocks on the disk.
    fn package(&self) -> Result<SkillPackage, Failure> {
        SkillPackage::from_catalog(&self.catalog, &self.skill)
    }
}

/// The skill, the command and the arguments of a call.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Task {
    pub(crate) skill: String,
    pub(crate) command: Option<String>,
    pub(crate) arguments: Value,
}

impl Runner {
    /// Creates a runner for the skills that `policy` allows; `config` is the text of the
    /// configuration file. The absolute paths in `hidden` are removed from answers.
    pub fn new(
        policy: RunPolicy,
        host: Host,
        config: Option<String>,
        registry: Registry,
        hidden: &[PathBuf],
    ) -> Self {
        let allowed = policy.clone();
        let skills = skill_executor::Runner::new(registry, host)
            .with_config(config)
            .with_permits(move |name| check(&allowed, name));
        Self {
            policy,
            skills,
            slots: Arc::new(Semaphore::new(SLOTS)),
            stopping: Cancel::new(),
            hidden: HiddenPaths::new(hidden),
            callbacks: None,
            tells_paths: false,
        }
    }

    /// Sets the URL below which asynchronous skills deliver their results.
    #[must_use]
    pub fn with_callbacks(mut self, url: String) -> Self {
        self.callbacks = Some(url);
        self
    }

    /// Names the files of answers, for agents on this machine. Others get their content only.
    #[must_use]
    pub fn with_paths(mut self, tells_paths: bool) -> Self {
        self.tells_paths = tells_paths;
        self
    }

    /// Returns the patterns of names that allow nothing in a catalog.
    pub(crate) fn unused_patterns(&self, catalog: &Catalog) -> Vec<&str> {
        self.policy.unused(catalog)
    }

    /// Returns true if a skill is allowed to run and can run.
    pub(crate) fn runs(&self, skill: &CatalogSkill) -> bool {
        self.refusal(skill).is_none()
    }

    /// Returns the reason why a skill is not run, for an agent; `None` if it is run.
    pub(crate) fn refusal(&self, skill: &CatalogSkill) -> Option<String> {
        let name = &skill.name;
        if !self.policy.allows(name) {
            return Some(not_allowed(name));
        }
        let Some(metadata) = skill.metadata.as_deref() else {
            return Some(format!(
                "the skill `{name}` has no METADATA.yml that describes a program"
            ));
        };
        if !self.is_enabled(skill) {
            return Some(switched_off(name));
        }
        if metadata.executor == ExecutorKind::Prompt {
            return Some(format!(
                "the skill `{name}` is a prompt, which an agent reads and nothing runs"
            ));
        }
        if metadata.runnable {
            return None;
        }
        let why = metadata.findings.iter();
        let why: Vec<&str> = why.map(|finding| finding.message.as_str()).collect();
        Some(format!(
            "the skill `{name}` cannot be run: {}",
            why.join("; ")
        ))
    }

    /// Returns true if a skill is not switched off, or the user switched it on. Blocks on the disk.
    pub(crate) fn is_enabled(&self, skill: &CatalogSkill) -> bool {
        let by_user = || {
            let package = SkillPackage::from_place(&skill.place);
            package.is_ok_and(|it| is_enabled(&it, self.state()).unwrap_or(false))
        };
        skill.metadata.as_ref().is_some_and(|it| it.enabled) || by_user()
    }

    /// Returns what a person is asked to allow for a call of this skill; fails for a call that selects no
    /// command, which nobody is asked about. Blocks on the disk.
    pub(crate) fn consent(&self, chosen: &Chosen, task: &Task) -> Result<Consent, Failure> {
        let package = chosen.package()?;
        approval_of::check_selection(&package, task.command.as_deref(), &task.arguments)?;
        let asks_each_time =
            approval_of::asks_each_time(&package, task.command.as_deref(), &task.arguments);
        Ok(Consent {
            digest: approval_of::digest(&package, self.state())?,
            is_for_one_call: approval_of::is_required(&package) || asks_each_time,
        })
    }

    /// Returns the state that holds results and placeholders.
    pub(crate) fn state(&self) -> &State {
        self.skills.state()
    }

    /// Cancels all running calls and waits until they have ended, at most for two seconds. Later
    /// calls are cancelled at once.
    pub async fn stop(&self) {
        self.stopping.cancel();
        let all = u32::try_from(SLOTS).unwrap_or(u32::MAX);
        // Calls that are late are killed with the process if the sandbox supports that.
        let _ = timeout(STOP, self.slots.acquire_many(all)).await;
    }

    /// Starts the processes of modules before they are called: those of the `n` most used skills
    /// that have one and may run. Blocks; failures are logged.
    pub(crate) fn preload(&self, catalog: &Catalog, n: usize) {
        let preloaded = self.skills.preload(n, |name| {
            let skill = catalog.skills.get(name)?;
            let runs = self.runs(skill) && !self.stopping.is_cancelled();
            runs.then(|| SkillPackage::from_catalog(catalog, skill).map(Cow::Owned))
        });
        for (skill, failure) in preloaded.failures {
            tracing::warn!(%skill, "not preloaded: {}", failure.message);
        }
        tracing::info!(modules = preloaded.n_started, "preloaded");
    }

    /// Runs a task until it ends or is cancelled. Anything that has changed since a person allowed it
    /// is not run. Blocks.
    pub(crate) fn run(
        &self,
        chosen: &Chosen,
        task: &Task,
        context: &CallContext,
        cancel: &Cancel,
    ) -> Envelope {
        let given_up = cancel.clone();
        let _watch = self.stopping.on_cancel(move || given_up.cancel());
        let envelope = self.execute(chosen, task, context, cancel);
        envelope.unwrap_or_else(|failure| {
            Envelope::failed(
                (&*chosen.skill.name, task.command.as_deref()),
                "none",
                failure,
            )
        })
    }

    fn execute(
        &self,
        chosen: &Chosen,
        task: &Task,
        context: &CallContext,
        cancel: &Cancel,
    ) -> Result<Envelope, Failure> {
        check(&self.policy, &chosen.skill.name)?;
        let package = chosen.package()?;
        let mut request = Request::new(task.arguments.clone());
        request.command.clone_from(&task.command);
        request.options.cancel = cancel.clone();
        request.options.callbacks.clone_from(&self.callbacks);
        request.options.progress.clone_from(&context.progress);
        request.options.log.clone_from(&context.log);
        request.options.is_checked_by_service = context.is_direct;
        if let Some(digest) = &context.approved {
            request.options.approval = call::Approval::GrantedFor(digest.clone());
        }
        Ok(self.skills.run(&package, request))
    }

    /// Converts a failure before execution to the result of a tool.
    pub(crate) fn refused(
        &self,
        skill: &CatalogSkill,
        task: &Task,
        failure: Failure,
    ) -> CallToolResult {
        let asked = (&*skill.name, task.command.as_deref());
        self.result(&Envelope::failed(asked, "none", failure))
    }

    /// Converts an envelope to the result of a tool: the parts for models, and everything for
    /// programs. Paths of this machine are removed. Blocks on the disk.
    pub(crate) fn result(&self, envelope: &Envelope) -> CallToolResult {
        let mut data = envelope.to_value();
        if let Some(error) = data.get_mut("error") {
            self.hidden.hide(error);
        }
        if let Some(meta) = data.get_mut("meta") {
            self.hidden.hide(meta);
        }
        let file = envelope.outcome.as_ref().ok();
        let file = file.and_then(|success| success.file.as_ref());
        if file.is_some() && !self.tells_paths {
            drop(data["value"].as_object_mut().map(|it| it.remove("file")));
        }
        let parts = data.get("content").and_then(Value::as_array);
        let mut content: Vec<ContentBlock> = parts.into_iter().flatten().filter_map(part).collect();
        let has_parts = !content.is_empty();
        if !has_parts {
            let text = match (&data["value"], &data["error"]) {
                (Value::String(text), _) => text.clone(),
                (value, _) if let Some(text) = printed(value) => text.to_owned(),
                (Value::Null, error @ Value::Object(_)) => error_text(error),
                (value, _) => value.to_string(),
            };
            content.push(ContentBlock::text(text));
        }
        content.extend(file.and_then(|file| content::file(self.state(), file)));
        let mut res = if envelope.is_ok() {
            CallToolResult::success(content)
        } else {
            CallToolResult::error(content)
        };
        // The value is not repeated, unless the parts are not made of it.
        let is_repeated = !has_parts || data["value"].is_string();
        if let Some(fields) = data.as_object_mut() {
            fields.retain(|key, _| key != "content" && !(is_repeated && key == "value"));
        }
        res.meta = Some(with_data(data));
        res
    }

    /// Returns the answer at an address that a result links. Blocks on the disk.
    pub(crate) fn answer_at(&self, uri: &str) -> Option<ResourceContents> {
        content::read(self.state(), uri)
    }

    /// Returns the values of the placeholders of a skill, or `None` if it cannot provide any.
    pub(crate) fn placeholders(&self, chosen: &Chosen) -> Option<Envelope> {
        let skill = &chosen.skill;
        let metadata = skill.metadata.as_deref()?;
        if metadata.executor != ExecutorKind::Static || !self.runs(skill) {
            return None;
        }
        let task = Task {
            skill: skill.name.clone(),
            command: None,
            arguments: Value::Null,
        };
        Some(self.run(chosen, &task, &CallContext::default(), &Cancel::new()))
    }
}

/// The most characters of what a service said about an error.
const MAX_SAID: usize = 4_000;

/// Returns the text of an error for a model: what went wrong, and what the service said about it, without
/// which the model cannot correct its call.
fn error_text(error: &Value) -> String {
    let word = |key: &str| error[key].as_str().unwrap_or_default();
    let mut res = format!("error[{}]: {}", word("code"), word("message"));
    let said = match &error["details"]["body"] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    if !said.is_empty() {
        res.push('\n');
        res.extend(said.chars().take(MAX_SAID));
    }
    if let Some(seconds) = error["details"]["retry_after_s"].as_u64() {
        res = format!("{res}\nthe service can be asked again in {seconds} seconds");
    }
    res
}

/// Refuses a skill that the policy does not allow.
fn check(policy: &RunPolicy, name: &str) -> Result<(), Failure> {
    if policy.allows(name) {
        return Ok(());
    }
    Err(Failure::new(ErrorCode::Denied, not_allowed(name)))
}

/// Returns the reason for a skill that the policy does not allow.
fn not_allowed(name: &str) -> String {
    format!(
        "the skill `{name}` is not allowed to run on this server; allow it with --allow-run {name}"
    )
}

/// Returns the text of a program if a value is the envelope in which the old host returned it.
fn printed(value: &Value) -> Option<&str> {
    let fields = value.as_object()?;
    let is_of_host = |key: &str| matches!(key, "original_plugin_output" | "timestamp" | "MaidName");
    let is_envelope = fields.keys().all(|key| is_of_host(key));
    fields
        .get("original_plugin_output")?
        .as_str()
        .filter(|_| is_envelope)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_says_what_the_service_said() {
        let error = |details: Value| json!({"code": "c", "message": "m", "details": details});
        for (details, expected) in [
            (json!({}), "error[c]: m"),
            (json!({"body": {"why": 1}}), "error[c]: m\n{\"why\":1}"),
            (
                json!({"body": "later", "retry_after_s": 5}),
                "error[c]: m\nlater\nthe service can be asked again in 5 seconds",
            ),
        ] {
            assert_eq!(error_text(&error(details)), expected);
        }
    }

    #[test]
    fn the_text_of_a_program_is_without_the_envelope_of_the_host() {
        for (value, expected) in [
            (
                json!({"original_plugin_output": "3", "timestamp": "x"}),
                Some("3"),
            ),
            (json!({"original_plugin_output": "3"}), Some("3")),
            (json!({"original_plugin_output": "3", "note": "x"}), None),
            (json!({"original_plugin_output": {"a": 1}}), None),
            (json!({"timestamp": "x"}), None),
            (json!("3"), None),
        ] {
            assert_eq!(printed(&value), expected, "{value}");
        }
    }
}
