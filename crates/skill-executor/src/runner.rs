//! Runs a skill from a request to an answer: the one home for how a call is run.
//!
//! A [`Runner`] holds what all calls of a process share. For each [`Request`] it finds the command,
//! resolves the skill's configuration, checks the conditions of the call, runs it, and tries the
//! skills of `fallback` if it fails.

use std::borrow::Cow;
use std::fmt;
use std::sync::mpsc;
use std::time::Instant;

use serde_json::Value;
use skill_model::Transport;

use crate::call::{Approval, Call, Host, Options};
use crate::config::{Config, Given, resolve};
use crate::envelope::{Envelope, Failure, Warning};
use crate::environment::has_own_settings;
use crate::package::SkillPackage;
use crate::state::State;
use crate::{
    Registry, approval, configure, fallback, http, json, mcp, metrics, names, placeholder,
    selection,
};

/// The number of static skills that may feed one another in a row.
const MAX_FEEDERS: u32 = 4;

/// The parts of a call that its caller chooses.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Request {
    /// A command of the skill, in any case.
    pub command: Option<String>,
    /// The arguments (an object), messages or requests (an array), or null for none.
    pub input: Value,
    /// Time limit, cancellation, approval and other options.
    pub options: Options,
    /// True if the configuration file was written for this skill alone. Its program then also finds
    /// keys in `config.env` that it uses without declaring them.
    pub has_own_config: bool,
}

impl Request {
    /// Returns a request with these arguments and default options.
    pub fn new(input: Value) -> Self {
        Self {
            input,
            ..Self::default()
        }
    }
}

/// Finds the skill that may replace another one by a name in its `fallback`, or says why it may
/// not.
type Substitutes = dyn Fn(&SkillPackage, &str) -> Result<SkillPackage, Failure> + Send + Sync;

/// Says whether a skill of this name may run because of a call of another one, or why it may not.
type Permits = dyn Fn(&str) -> Result<(), Failure> + Send + Sync;

/// Runs skills with the same executors, state, environment and configuration file.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # std::fs::create_dir_all(dir.path().join("skills/skill-catalog"))?;
/// # std::fs::write(dir.path().join("skills/skill-catalog/METADATA.yml"),
/// #     "schema: 1\nname: skill-catalog\nversion: '1'\ntype: internal\n")?;
/// use skill_executor::call::Host;
/// use skill_executor::package::SkillPackage;
/// use skill_executor::state::State;
/// use skill_executor::{Request, Runner, standard};
///
/// # let fail = |failure: skill_executor::envelope::Failure| failure.message;
/// let state = State::open(&dir.path().join("state")).map_err(fail)?;
/// let runner = Runner::new(standard(), Host::new(state, [].into()));
/// let skill = SkillPackage::read(&dir.path().join("skills/skill-catalog")).map_err(fail)?;
/// let envelope = runner.run(&skill, Request::default());
/// assert!(envelope.is_ok());
/// # Ok(())
/// # }
/// ```
pub struct Runner {
    registry: Registry,
    host: Host,
    /// The text of the user's configuration file.
    config: Option<String>,
    substitutes: Box<Substitutes>,
    permits: Box<Permits>,
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

/// The result of [`Runner::preload`].
#[derive(Clone, PartialEq, Default, Debug)]
pub struct PreloadReport {
    /// The number of skills that have a running process now.
    pub n_started: usize,
    /// The skills that could not be started, and the reasons.
    pub failures: Vec<(String, Failure)>,
}

impl Runner {
    /// Returns a runner without a configuration file. In place of a skill that failed, it runs those
    /// next to it that its METADATA.yml names.
    pub fn new(registry: Registry, host: Host) -> Self {
        Self {
            registry,
            host,
            config: None,
            substitutes: Box::new(fallback::beside),
            permits: Box::new(|_| Ok(())),
        }
    }

    /// Sets the text of a `config.env`, of which each skill gets the keys that it declares.
    #[must_use]
    pub fn with_config(mut self, text: Option<String>) -> Self {
        self.config = text;
        self
    }

    /// Sets the function that finds the skill which may replace another one, by a name in the
    /// `fallback` of that one.
    #[must_use]
    pub fn with_substitutes(
        mut self,
        find: impl Fn(&SkillPackage, &str) -> Result<SkillPackage, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.substitutes = Box::new(find);
        self
    }

    /// Sets the check of the skills that run because of a call of another one: those that it calls,
    /// those that feed it, and those that replace it. By default each of them may run.
    #[must_use]
    pub fn with_permits(
        mut self,
        permits: impl Fn(&str) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        self.permits = Box::new(permits);
        self
    }

    /// Runs a skill because of a call of another one, if that is permitted.
    pub(crate) fn run_other(&self, skill: &SkillPackage, request: Request) -> Envelope {
        match (self.permits)(&skill.metadata.name) {
            Ok(()) => self.run(skill, request),
            Err(failure) => Envelope::failed(
                (&*skill.metadata.name, request.command.as_deref()),
                "none",
                failure,
            ),
        }
    }

    /// Returns the settings that all calls share.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Returns the state directory.
    pub fn state(&self) -> &State {
        &self.host.state
    }

    /// Runs a skill and waits for its answer. Every failure is an answer.
    pub fn run(&self, skill: &SkillPackage, request: Request) -> Envelope {
        let command = request.command.clone();
        match self.prepare(skill, request) {
            Ok(prepared) => prepared.run(),
            Err(failure) => {
                Envelope::failed((&*skill.metadata.name, command.as_deref()), "none", failure)
            }
        }
    }

    /// Finds the command of a request and resolves the skill's configuration. Nothing is started.
    ///
    /// # Errors
    ///
    /// The skill has no such command, or the user's settings for it cannot be read.
    pub fn prepare<'r>(
        &'r self,
        skill: &'r SkillPackage,
        mut request: Request,
    ) -> Result<PreparedCall<'r>, Failure> {
        if !keeps_numbers(skill) {
            json::make_doubles(&mut request.input);
        }
        let command = match request.command.as_deref() {
            Some(id) => match names::command(&skill.metadata, id) {
                Ok(id) => Some(id),
                Err(failure) => return Err(selection::check_tools(skill).err().unwrap_or(failure)),
            },
            None => None,
        };
        Ok(PreparedCall {
            runner: self,
            skill,
            command,
            config: self.config(skill, request.has_own_config)?,
            request,
        })
    }

    /// Prepares the same request for many skills.
    ///
    /// # Errors
    ///
    /// A skill has no such command, or the user's settings for it cannot be read.
    pub fn prepare_all<'r>(
        &'r self,
        skills: &'r [SkillPackage],
        request: &Request,
    ) -> Result<Vec<PreparedCall<'r>>, Failure> {
        let prepared = skills.iter();
        prepared
            .map(|skill| self.prepare(skill, request.clone()))
            .collect()
    }

    /// Starts the processes of modules before they are called: of the `n` most used skills that
    /// have one. `find` returns the skill of a name, or `None` for one that is to be left out.
    /// Blocks until they have started.
    pub fn preload<'p>(
        &self,
        n: usize,
        mut find: impl FnMut(&str) -> Option<Result<Cow<'p, SkillPackage>, Failure>>,
    ) -> PreloadReport {
        let mut res = PreloadReport::default();
        for name in metrics::most_used(&self.host.state) {
            if res.n_started == n {
                break;
            }
            let Some(found) = find(&name) else { continue };
            match found.and_then(|skill| self.start(&skill)) {
                Ok(is_started) => res.n_started += usize::from(is_started),
                Err(failure) => res.failures.push((name, failure)),
            }
        }
        res
    }

    fn start(&self, skill: &SkillPackage) -> Result<bool, Failure> {
        let prepared = self.prepare(skill, Request::default())?;
        self.registry.preload(&prepared.call())
    }

    /// Lets unfinished work of skills continue after the end of this process. Without this call,
    /// dropping the runner kills the processes that outlive a call.
    pub fn release(&self) {
        self.registry.release();
    }

    /// Ends the processes of all executors.
    pub fn into_host(self) -> Host {
        self.host
    }

    fn config(&self, skill: &SkillPackage, is_own_file: bool) -> Result<Config, Failure> {
        let stored = configure::stored(skill, &self.host.state)?.values;
        let given = Given {
            file: self.config.as_deref(),
            is_own_file,
            stored: Some(&stored),
        };
        let (metadata, manifest) = (&skill.metadata, skill.manifest.as_ref());
        let host = &self.host.environment;
        if !has_own_settings(metadata) {
            return Ok(resolve(metadata, manifest, given, host));
        }
        let own = host.keys().filter_map(|name| {
            let value = host.setting_of(metadata, name)?;
            Some((name.clone(), value.clone()))
        });
        Ok(resolve(metadata, manifest, given, &own.collect()))
    }
}

/// Returns true for services of other machines and programs, which get numbers as they are written.
/// Plugins of the old host got those of JavaScript.
fn keeps_numbers(skill: &SkillPackage) -> bool {
    matches!(
        skill.metadata.transport,
        Some(Transport::Http | Transport::Mcp)
    )
}

/// Runs each call as [`PreparedCall::follow`] does, each in a thread of its own, and passes the answers
/// to `each` as they come. An error of `each` ends all of them.
///
/// # Errors
///
/// The first error of `each`.
pub fn follow_all<E>(
    calls: &[PreparedCall<'_>],
    until: Option<Instant>,
    mut each: impl FnMut(Envelope) -> Result<(), E>,
) -> Result<(), E> {
    let (sender, answers) = mpsc::channel::<Envelope>();
    std::thread::scope(|scope| {
        for call in calls {
            let sender = sender.clone();
            scope.spawn(move || {
                call.follow(until, &mut |envelope| sender.send(envelope).is_ok());
            });
        }
        drop(sender);
        answers.into_iter().try_for_each(&mut each)
    })
}

/// A call that can be run: its command exists and its configuration is resolved.
/// [`Runner::prepare`] returns it.
#[derive(Debug)]
pub struct PreparedCall<'r> {
    runner: &'r Runner,
    skill: &'r SkillPackage,
    command: Option<&'r str>,
    config: Config,
    request: Request,
}

impl<'r> PreparedCall<'r> {
    pub(crate) fn runner(&self) -> &'r Runner {
        self.runner
    }

    pub(crate) fn skill(&self) -> &'r SkillPackage {
        self.skill
    }

    pub(crate) fn options(&self) -> &Options {
        &self.request.options
    }

    /// Returns the call as executors get it.
    pub fn call(&self) -> Call<'_> {
        Call {
            skill: self.skill,
            command: self.command,
            input: &self.request.input,
            config: &self.config,
            options: &self.request.options,
            host: &self.runner.host,
            others: Some(self),
        }
    }

    /// Returns the parts of the call that need an approval which was neither given nor stored, as
    /// sentences for a person.
    pub fn needs(&self) -> Vec<String> {
        approval::needs(&self.call())
    }

    /// Returns true if an approval of this call holds for no other one.
    pub fn asks_each_time(&self) -> bool {
        approval::asks_each_time_in(&self.call())
    }

    /// Approves this call of the skill as it is now.
    ///
    /// # Errors
    ///
    /// The skill or its state cannot be read completely.
    pub fn approve(&mut self) -> Result<(), Failure> {
        let digest = approval::digest(self.skill, &self.runner.host.state)?;
        self.request.options.approval = Approval::GrantedFor(digest);
        Ok(())
    }

    /// Returns the request of a service over HTTP as one JSON object, and sends nothing: `method`,
    /// `url`, `headers`, `body`. Secrets are masked; `missing` names settings without a value, and
    /// `approval` the reasons for which the call would ask a person first.
    ///
    /// # Errors
    ///
    /// The skill has no requests of its own, or the arguments do not fit the operation.
    pub fn dry_run(&self) -> Result<Value, Failure> {
        let mut res = http::dry_run(&self.call())?;
        let needs = self.needs();
        if !needs.is_empty() {
            res["approval"] = needs.into();
        }
        Ok(res)
    }

    /// Asks the MCP server behind the skill for its tools, under the same conditions as a call. The
    /// questions of [`needs`](Self::needs) are those about this only if the purpose of the request is
    /// [`Purpose::Introspect`](crate::call::Purpose::Introspect).
    ///
    /// # Errors
    ///
    /// The call is not permitted, or the server cannot be asked.
    pub fn introspect(&self) -> Result<mcp::Introspection, Failure> {
        mcp::introspect(&self.call())
    }

    /// Runs the call; if that fails, runs the skills that may replace this one. Static skills that feed
    /// this one are run before, if their values are too old.
    pub fn run(&self) -> Envelope {
        let fed = self.refresh_feeders();
        let find = |name: &str| {
            let other = (self.runner.substitutes)(self.skill, name)?;
            (self.runner.permits)(&other.metadata.name)?;
            let config = self.runner.config(&other, false)?;
            Ok((other, config))
        };
        let registry = &self.runner.registry;
        let mut envelope = registry.execute_or_fall_back(&self.call(), &find);
        envelope.warnings.extend(fed);
        envelope
    }

    /// Runs the static skills that feed this one and whose values are too old, under their own policies
    /// and stored approvals, and with their own time limits.
    fn refresh_feeders(&self) -> Vec<Warning> {
        let own = &self.request.options;
        if own.depth >= MAX_FEEDERS {
            return Vec::new();
        }
        let options = Options {
            request_ip: own.request_ip.clone(),
            cancel: own.cancel.clone(),
            depth: own.depth + 1,
            ..Options::default()
        };
        let run = |skill: &SkillPackage| {
            let request = Request {
                options: options.clone(),
                ..Request::default()
            };
            self.runner.run_other(skill, request)
        };
        placeholder::feed::refresh(self.skill, &self.runner.host, &run)
    }

    /// Runs the call, and no other skill in its place.
    pub fn run_alone(&self) -> Envelope {
        self.runner.registry.execute(&self.call())
    }

    /// Runs a static skill at every moment of its schedule until `until`, or without end; `each`
    /// returns false to stop. Does nothing for a skill that needs an approval.
    pub fn follow(&self, until: Option<Instant>, each: &mut dyn FnMut(Envelope) -> bool) {
        if self.needs().is_empty() {
            placeholder::follow(&self.call(), until, each);
        }
    }
}
