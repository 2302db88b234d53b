//! A call: the skill, its input and its environment.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Map, Value};
use skill_loader::fs::Prefer;

use crate::cancel::Cancel;
use crate::clock;
use crate::config::Config;
use crate::envelope::{Envelope, ErrorCode, Failure};
use crate::environment::HostEnvironment;
use crate::module::ModuleFunction;
use crate::others::OtherSkills;
use crate::package::SkillPackage;
use crate::progress::{Log, Progress};
use crate::sandbox::{Level, Sandbox};
use crate::state::State;
use crate::zone::Zone;

/// The longest time limit: the maximum of a timer of the old host, 2³¹−1 ms.
pub(crate) const LONGEST: Duration = Duration::from_millis(0x7fff_ffff);

/// The default time limit of the old host: 60 s.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);
/// The time limit of the old host for distributed tools (`docs/design/legacy-host.md` §1.7): 60 s.
pub const DISTRIBUTED_TIMEOUT: Duration = Duration::from_mins(1);

/// Everything that an executor needs to know about a call.
#[derive(Clone, Copy, Debug)]
pub struct Call<'c> {
    /// The skill that is called.
    pub skill: &'c SkillPackage,
    /// The command, if the caller named one that the skill has.
    pub command: Option<&'c str>,
    /// Arguments (an object), messages or requests (an array), or null for none.
    pub input: &'c Value,
    /// The skill's configuration.
    pub config: &'c Config,
    /// Additional options of the caller.
    pub options: &'c Options,
    /// The environment of the call.
    pub host: &'c Host,
    /// Calls other skills for it; without it, it can call none.
    pub others: Option<&'c dyn OtherSkills>,
}

impl Call<'_> {
    /// Returns the time limit of this call: the caller's, else the skill's, else `default`.
    pub fn timeout(&self, default: Duration) -> Duration {
        let own = self.skill.metadata.time_limit();
        self.options.timeout.or(own).unwrap_or(default).min(LONGEST)
    }

    /// Returns the failure of a call that was cancelled.
    pub(crate) fn cancelled(&self) -> Failure {
        let name = self.skill.legacy_name();
        Failure::new(
            ErrorCode::Cancelled,
            format!("the call of \"{name}\" was cancelled"),
        )
    }

    /// Returns the answer, or the failure of a cancelled call, whose result is dropped.
    pub(crate) fn unless_cancelled(&self, mut envelope: Envelope) -> Envelope {
        if self.options.cancel.is_cancelled() {
            envelope.outcome = Err(self.cancelled());
        }
        envelope
    }
}

/// Options of a caller besides the arguments.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a choice of its own, and any combination is possible"
)]
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Options {
    /// The time limit, instead of the skill's.
    pub timeout: Option<Duration>,
    /// Address of the requester, given to the program as `VCP_REQUEST_IP`.
    pub request_ip: Option<String>,
    /// Fire and forget: an asynchronous skill that stays silent has succeeded.
    pub no_reply: bool,
    /// The time for which it may stay silent; the old host used 3 s.
    pub no_reply_grace: Option<Duration>,
    /// Values that a request lays over the configuration of a preprocessor.
    pub request_config: Map<String, Value>,
    /// Preferences of the user: values for arguments that neither the caller nor the schema sets.
    pub preferences: Map<String, Value>,
    /// The time for which a static skill is refreshed by its cron expression.
    pub watch: Option<Duration>,
    /// Shut a service down and wait until it has finished.
    pub shutdown: bool,
    /// Wait for the result of an asynchronous skill, at most this long.
    pub wait: Option<Duration>,
    /// The function of a module to call; without it, the shape of the input decides.
    pub function: Option<ModuleFunction>,
    /// The file that is used if both the skill's file and its copy in the state changed.
    pub state_from: StateFrom,
    /// The skill replaces another one that failed; approvals of that one do not apply.
    pub is_substitute: bool,
    /// The number of skills that called one another before this call.
    pub depth: u32,
    /// The purpose of the call.
    pub purpose: Purpose,
    /// The approval that comes with the call.
    pub approval: Approval,
    /// The URL at which a server receives the results of asynchronous skills; each call appends its
    /// own secret ([`crate::results::expect`]).
    pub callbacks: Option<String>,
    /// True if the service behind the skill checks the arguments itself: a mismatch is then a warning,
    /// even if the host is strict.
    pub is_checked_by_service: bool,
    /// Receives the progress of the call, from executors that know it.
    pub progress: Option<Progress>,
    /// Receives the log of the MCP server behind the skill.
    pub log: Option<Log>,
    /// Numbers of the input that a value cannot keep, as they are written; a service that would get
    /// other numbers is not asked.
    pub changed_numbers: Vec<String>,
    /// Cancels the call from another thread; the answer is then [`Cancelled`].
    ///
    /// [`Cancelled`]: crate::envelope::ErrorCode::Cancelled
    pub cancel: Cancel,
}

impl Options {
    /// Reads the object of `--options`: `timeout_ms`, `request_ip`, `no_reply`,
    /// `no_reply_grace_ms`, `request_config`, `preferences`, `watch_ms`, `shutdown`, `wait_ms`,
    /// `facet`, `state_from`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use serde_json::json;
    /// use skill_executor::call::Options;
    ///
    /// let options = Options::read(&json!({"timeout_ms": 500})).unwrap();
    /// assert_eq!(options.timeout, Some(Duration::from_millis(500)));
    /// assert!(Options::read(&json!({"timeout": 500})).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// A key is unknown, or its value has the wrong type.
    pub fn read(value: &Value) -> Result<Self, String> {
        let map = match value {
            Value::Null => return Ok(Self::default()),
            Value::Object(map) => map,
            _ => return Err("options: expected an object".to_owned()),
        };
        let mut res = Self::default();
        for (key, value) in map {
            let wrong = |what: &str| format!("options: `{key}` should be {what}");
            let flag = || value.as_bool().ok_or_else(|| wrong("true or false"));
            let time = || {
                let ms = value
                    .as_u64()
                    .ok_or_else(|| wrong("a number of milliseconds"))?;
                Ok::<_, String>(Some(Duration::from_millis(ms)))
            };
            match key.as_str() {
                "timeout_ms" => res.timeout = time()?,
                "request_ip" => {
                    let text = value.as_str().ok_or_else(|| wrong("text"))?;
                    res.request_ip = Some(text.to_owned());
                }
                "no_reply" => res.no_reply = flag()?,
                "no_reply_grace_ms" => res.no_reply_grace = time()?,
                "request_config" => {
                    let map = value.as_object().ok_or_else(|| wrong("an object"))?;
                    res.request_config.clone_from(map);
                }
                "preferences" => {
                    let map = value.as_object().ok_or_else(|| wrong("an object"))?;
                    res.preferences.clone_from(map);
                }
                "watch_ms" => res.watch = time()?,
                "facet" => {
                    let function = value.as_str().and_then(ModuleFunction::from_word);
                    let function =
                        function.ok_or_else(|| wrong("tool, messages, requests or routes"))?;
                    res.function = Some(function);
                }
                "state_from" => {
                    let from = value.as_str().and_then(|word| word.parse().ok());
                    res.state_from = from.ok_or_else(|| wrong("skill or copy"))?;
                }
                "shutdown" => res.shutdown = flag()?,
                "wait_ms" => res.wait = time()?,
                _ => return Err(format!("options: nothing is called `{key}`")),
            }
        }
        Ok(res)
    }
}

/// The purpose of a call.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Purpose {
    /// To run a command.
    #[default]
    Run,
    /// To ask the MCP server of the skill for its tools. No command is reached, so that none is approved,
    /// and nothing can be run.
    Introspect,
}

/// The approval that comes with a call.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Approval {
    /// None: a skill that needs an approval must have a stored one.
    #[default]
    Missing,
    /// For this call, whatever the skill is now.
    Granted,
    /// For the code that a person was asked about, by its digest ([`crate::approval::digest`]); the
    /// skill is refused if its digest differs now.
    GrantedFor(String),
}

/// The file that is used if both a file of the skill and its copy in the state changed since it was
/// copied.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum StateFrom {
    /// The copy, with a warning.
    #[default]
    Undecided,
    /// The skill's file; the copy is renamed.
    Skill,
    /// The copy, until the skill's file changes again.
    Copy,
}

impl FromStr for StateFrom {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "skill" => Ok(Self::Skill),
            "copy" => Ok(Self::Copy),
            _ => Err("expected skill or copy"),
        }
    }
}

impl StateFrom {
    pub(crate) fn prefer(self) -> Prefer {
        match self {
            Self::Undecided => Prefer::Undecided,
            Self::Skill => Prefer::Source,
            Self::Copy => Prefer::Copy,
        }
    }
}

/// The environment of calls, which is the same for all calls of a process.
#[derive(Debug)]
pub struct Host {
    /// The environment variables that replace those of the old host. They are not inherited: see
    /// [`crate::environment`].
    pub environment: HostEnvironment,
    /// The directory of state, results and metrics.
    pub state: State,
    /// Allow command lines with shell syntax.
    pub allow_shell: bool,
    /// Refuse arguments that do not fit instead of warning.
    pub strict: bool,
    /// The confinement of child processes.
    pub sandbox: Sandbox,
    /// The local time zone.
    pub zone: Zone,
    /// Variables for loaders and interpreters (`NODE_OPTIONS`) that every program gets. The calling
    /// program sets them: they never come from a skill or from the environment.
    pub loaders: BTreeMap<String, String>,
    /// The time in the answers, in milliseconds since 1970 [default: that of the clock].
    pub fixed_ms: Option<i64>,
}

impl Host {
    /// Returns the safe settings: no shell lines, warnings about arguments that do not fit, and a
    /// sandbox that at least confines files. The time zone is that of the environment.
    pub fn new(state: State, environment: HostEnvironment) -> Self {
        Self {
            zone: Zone::from_environment(&environment),
            environment,
            state,
            allow_shell: false,
            strict: false,
            sandbox: Sandbox::at_least(Level::Partial),
            loaders: BTreeMap::new(),
            fixed_ms: None,
        }
    }

    /// Returns the time stamp of an answer that is given now.
    pub fn timestamp(&self) -> String {
        let now = self.fixed_ms.unwrap_or_else(clock::now_ms);
        clock::local_iso(now, self.zone.offset(now.div_euclid(1_000)))
    }
}
