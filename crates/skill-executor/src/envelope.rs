//! The common format of every answer.
//!
//! Source: `docs/running.md`, "The answer".

use std::fmt;

use serde_json::{Map, Value, json};
use skill_loader::contents::ContentsError;

use crate::answer_file::AnswerFile;
use crate::error_text::error_text;

/// The answer of an executor.
///
/// ```
/// use skill_executor::envelope::{Envelope, ErrorCode, Failure};
///
/// let failure = Failure::new(ErrorCode::NotFound, "no skill is called `dise`");
/// let envelope = Envelope::failed("dise", "none", failure);
/// assert_eq!(envelope.to_value()["error"]["code"], "not-found");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Envelope {
    /// The value, or the reason for its absence.
    pub outcome: Result<Success, Failure>,
    /// Warnings for the caller.
    pub warnings: Vec<Warning>,
    /// The executor, and details of the call.
    pub meta: Meta,
}

/// A call that was answered.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Success {
    /// The value that the old host passed to the model.
    pub value: Value,
    /// Parts for a model: text and images, as the value holds them.
    pub content: Vec<Value>,
    /// Texts that the skill asks to be remembered.
    pub memory_writes: Vec<Value>,
    /// The steps by which the skill found its answer.
    pub intermediate_steps: Vec<Value>,
    /// The file of an answer that is long or not text; `value` describes it.
    pub file: Option<AnswerFile>,
}

impl Success {
    /// Returns a success with this value. Parts for models are taken from it: `content` or
    /// `data.content`, an array of typed parts (`docs/design/legacy-host.md` §1.3, rich content).
    pub fn new(value: Value) -> Self {
        Self {
            content: parts(&value),
            value,
            ..Self::default()
        }
    }
}

fn parts(value: &Value) -> Vec<Value> {
    let places = ["/content", "/data/content"];
    let found = places.iter().find_map(|at| value.pointer(at)?.as_array());
    let is_part = |part: &Value| part.get("type").is_some_and(Value::is_string);
    match found {
        Some(items) if !items.is_empty() && items.iter().all(is_part) => items.clone(),
        _ => Vec::new(),
    }
}

/// A call that failed.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// The error code, for programs.
    pub code: ErrorCode,
    /// The message, for people; for failures that the old host knew, in its words.
    pub message: String,
    /// Further details: `code` is the plugin's own, `result` what it returned with the error,
    /// `suggestions` are names.
    pub details: Map<String, Value>,
}

impl Failure {
    /// Returns a failure without details.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Map::new(),
        }
    }

    /// Returns the failure of a file system, with all causes of the error.
    pub(crate) fn io(error: &dyn std::error::Error) -> Self {
        Self::new(ErrorCode::Io, error_text(error))
    }

    /// Returns the failure of a call that could not begin, with all causes of the error: what the caller
    /// gave is wrong, or the system refused.
    pub fn unstarted(error: &(dyn std::error::Error + 'static)) -> Self {
        let mut causes = std::iter::successors(Some(error), |error| error.source());
        let code = if causes.any(|it| it.downcast_ref::<std::io::Error>().is_some()) {
            ErrorCode::Io
        } else {
            ErrorCode::InvalidInput
        };
        Self::new(code, error_text(error))
    }

    /// Adds a detail.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }
}

impl From<ContentsError> for Failure {
    fn from(error: ContentsError) -> Self {
        Self::io(&error)
    }
}

/// The reason for a failed call: a closed set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ErrorCode {
    /// No skill, command or result has this name.
    NotFound,
    /// More than one skill has this name.
    Ambiguous,
    /// The input does not fit what the skill takes.
    InvalidInput,
    /// The time limit has passed; the process and its group were killed.
    Timeout,
    /// The caller cancelled the call; the process and its group were killed.
    Cancelled,
    /// The output was not a reply: no JSON, no `status`, or nothing at all.
    Protocol,
    /// The process ended with a code or a signal and no reply.
    ExitCode,
    /// The skill itself said that it failed.
    PluginError,
    /// The program could not be started.
    SpawnFailed,
    /// The skill cannot be called, or not in this way.
    NotRunnable,
    /// Policy or a person forbids it.
    Denied,
    /// More output than is allowed.
    TooLarge,
    /// Something that the skill needs could not be reached.
    Unavailable,
    /// A package that the program loads is not installed.
    MissingPackage,
    /// Files of ours could not be read or written.
    Io,
}

impl ErrorCode {
    /// All codes, each with its meaning in one line.
    pub const ALL: [(Self, &'static str); 15] = [
        (Self::NotFound, "no skill, command or result has this name"),
        (Self::Ambiguous, "more than one skill has this name"),
        (
            Self::InvalidInput,
            "the input does not fit what the skill takes",
        ),
        (
            Self::Timeout,
            "the time was over, and the process group was killed",
        ),
        (
            Self::Cancelled,
            "the caller gave the call up, and the process group was killed",
        ),
        (Self::Protocol, "what the program printed is not a reply"),
        (Self::ExitCode, "the program failed without a reply"),
        (Self::PluginError, "the skill says that it failed"),
        (Self::SpawnFailed, "the program could not be started"),
        (
            Self::NotRunnable,
            "the skill cannot be called, or not in this way",
        ),
        (Self::Denied, "a policy or a person forbids the call"),
        (Self::TooLarge, "the program printed more than is allowed"),
        (
            Self::Unavailable,
            "something that the skill needs cannot be reached",
        ),
        (
            Self::MissingPackage,
            "a package that the program loads is not installed",
        ),
        (
            Self::Io,
            "the state directory or the skill cannot be read or written",
        ),
    ];

    /// Returns the word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::Ambiguous => "ambiguous",
            Self::InvalidInput => "invalid-input",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Protocol => "protocol",
            Self::ExitCode => "exit-code",
            Self::PluginError => "plugin-error",
            Self::SpawnFailed => "spawn-failed",
            Self::NotRunnable => "not-runnable",
            Self::Denied => "denied",
            Self::TooLarge => "too-large",
            Self::Unavailable => "unavailable",
            Self::MissingPackage => "missing-package",
            Self::Io => "io",
        }
    }
}

/// A problem that did not stop the call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// Kind of warning.
    pub code: &'static str,
    /// The message, for people.
    pub message: String,
    /// A JSON Pointer into the input, if the warning is about one place.
    pub pointer: Option<String>,
}

/// The maximum length of the diagnostics in an answer, in UTF-16 units.
pub(crate) const MAX_DIAGNOSTICS: usize = 4_000;

/// The executor, and details of the call.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Meta {
    /// Name of the skill.
    pub skill: String,
    /// The command that was asked for.
    pub command: Option<String>,
    /// The executor: a type of METADATA.yml, or the word of a custom one.
    pub executor: String,
    /// From the call to the answer.
    pub elapsed_ms: u64,
    /// The exit code of the process; below a shell, signals appear as 128 + n.
    pub exit_code: Option<i32>,
    /// Diagnostics of the program, cut and masked.
    pub stderr: Option<String>,
    /// Further information of the executor.
    pub extra: Map<String, Value>,
}

/// The target of a call: a skill, and a command of it if one was named.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    skill: &'a str,
    command: Option<&'a str>,
}

impl<'a> From<&'a str> for Asked<'a> {
    fn from(skill: &'a str) -> Self {
        Self::from((skill, None))
    }
}

impl<'a> From<&'a String> for Asked<'a> {
    fn from(skill: &'a String) -> Self {
        Self::from(skill.as_str())
    }
}

impl<'a> From<(&'a str, Option<&'a str>)> for Asked<'a> {
    fn from((skill, command): (&'a str, Option<&'a str>)) -> Self {
        Self { skill, command }
    }
}

impl Envelope {
    /// Adds the warning that something about the call, which was made, could not be kept: its recording, or
    /// the line about its use.
    pub fn warn_unrecorded(&mut self, why: &dyn fmt::Display) {
        let message = format!("the call was made, but its record could not be kept: {why}");
        self.warnings.push(Warning::new("unrecorded", message));
    }

    /// Returns the answer for a failure before anything ran.
    pub fn failed<'a>(asked: impl Into<Asked<'a>>, executor: &str, failure: Failure) -> Self {
        let Asked { skill, command } = asked.into();
        Self {
            outcome: Err(failure),
            warnings: Vec::new(),
            meta: Meta {
                skill: skill.to_owned(),
                command: command.map(str::to_owned),
                executor: executor.to_owned(),
                ..Meta::default()
            },
        }
    }

    /// Returns true if there is a value.
    pub fn is_ok(&self) -> bool {
        self.outcome.is_ok()
    }

    /// The JSON object, keys in fixed order.
    pub fn to_value(&self) -> Value {
        let mut res = Map::new();
        res.insert("ok".to_owned(), self.is_ok().into());
        match &self.outcome {
            Ok(success) => {
                res.insert("value".to_owned(), success.value.clone());
                res.insert("content".to_owned(), success.content.clone().into());
                for (key, items) in [
                    ("memory_writes", &success.memory_writes),
                    ("intermediate_steps", &success.intermediate_steps),
                ] {
                    if !items.is_empty() {
                        res.insert(key.to_owned(), items.clone().into());
                    }
                }
            }
            Err(failure) => {
                let error = json!({
                    "code": failure.code.word(),
                    "message": failure.message,
                    "details": failure.details,
                });
                res.insert("error".to_owned(), error);
            }
        }
        let warnings = self.warnings.iter().map(Warning::to_value).collect();
        res.insert("warnings".to_owned(), Value::Array(warnings));
        res.insert("meta".to_owned(), self.meta.to_value());
        Value::Object(res)
    }
}

impl Warning {
    /// Returns a warning about the whole call.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            pointer: None,
        }
    }

    /// The JSON object.
    pub fn to_value(&self) -> Value {
        let mut res = json!({"code": self.code, "message": self.message});
        if let Some(pointer) = &self.pointer {
            res["pointer"] = pointer.as_str().into();
        }
        res
    }
}

impl Meta {
    fn to_value(&self) -> Value {
        let mut res = json!({
            "skill": self.skill,
            "command": self.command,
            "executor": self.executor,
            "elapsed_ms": self.elapsed_ms,
        });
        if let Some(code) = self.exit_code {
            res["exit_code"] = code.into();
        }
        if let Some(stderr) = &self.stderr {
            res["stderr"] = stderr.as_str().into();
        }
        for (key, value) in &self.extra {
            res[key] = value.clone();
        }
        res
    }
}
