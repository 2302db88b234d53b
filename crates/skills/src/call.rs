//! Running one skill of a library.

use std::time::Duration;

use serde_json::Value;
use skill_executor::Request;
use skill_executor::approval::is_required;
use skill_executor::call::Approval;
use skill_executor::cancel::Cancel;
use skill_executor::entry::shell_line;
use skill_executor::envelope::{ErrorCode, Success, Warning};
use skill_executor::names::Names;
use skill_executor::package::SkillPackage;

use crate::run_settings::approval;
use crate::{Error, ErrorKind, Library};

/// The answer of a skill.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The value that the skill returned.
    pub value: Value,
    /// Parts for a model, text and images, where the value holds them.
    pub content: Vec<Value>,
    /// Remarks that did not stop the call, such as a sandbox that is incomplete.
    pub warnings: Vec<Warning>,
    /// The whole answer as `skills-run` prints it.
    pub envelope: Value,
}

/// A call of a skill that can be completed and run; [`Library::call`] makes one.
#[derive(Debug)]
#[must_use = "a call does nothing until `run`"]
pub struct CallBuilder<'l> {
    library: &'l Library,
    name: &'l str,
    request: Request,
}

impl<'l> CallBuilder<'l> {
    pub(crate) fn new(library: &'l Library, name: &'l str) -> Self {
        let mut request = Request::default();
        request.options.approval = approval(library.approves_all());
        Self {
            library,
            name,
            request,
        }
    }

    /// Names one of the commands of the skill.
    pub fn command(mut self, id: impl Into<String>) -> Self {
        self.request.command = Some(id.into());
        self
    }

    /// Sets the arguments: an object, or an array of messages or requests for skills that take those.
    pub fn input(mut self, input: Value) -> Self {
        self.request.input = input;
        self
    }

    /// Limits the time of the call; the default is the skill's own limit.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.request.options.timeout = Some(limit);
        self
    }

    /// Waits for the result of an asynchronous skill, at most this long.
    pub fn wait(mut self, limit: Duration) -> Self {
        self.request.options.wait = Some(limit);
        self
    }

    /// Sets whether this call is approved, whatever [`LibraryBuilder::approve_all`] says. An approval
    /// does not allow shell syntax.
    ///
    /// [`LibraryBuilder::approve_all`]: crate::LibraryBuilder::approve_all
    pub fn approve(mut self, is_approved: bool) -> Self {
        self.request.options.approval = approval(is_approved);
        self
    }

    /// Sets the handle with which another thread cancels the call. The call then fails with
    /// [`ErrorCode::Cancelled`](crate::ErrorCode::Cancelled).
    ///
    /// ```no_run
    /// # fn main() -> Result<(), skills::Error> {
    /// # skills::init();
    /// # let library = skills::Library::open(["skills"])?;
    /// let cancel = skills::Cancel::new();
    /// let other = cancel.clone();
    /// std::thread::spawn(move || {
    ///     std::thread::sleep(std::time::Duration::from_secs(1));
    ///     other.cancel();
    /// });
    /// let answer = library.call("weather-card").cancel(&cancel).run();
    /// # Ok(())
    /// # }
    /// ```
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.request.options.cancel = cancel.clone();
        self
    }

    /// Runs the skill and waits for its answer.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotInitialized`] where [`init`](crate::init) was not called.
    /// - [`ErrorKind::Io`] where the state directory cannot be opened.
    /// - [`ErrorKind::NotFound`] where no skill or command has the name, and
    ///   [`ErrorKind::Unreadable`] where the skill is broken.
    /// - [`ErrorKind::Call`] where the skill cannot run, needs an approval, takes too long or fails
    ///   itself; the code says which.
    pub fn run(mut self) -> Result<Answer, Error> {
        if !crate::is_initialized() {
            let error = Error::new(
                ErrorKind::NotInitialized,
                "skills::init() was not called, and the sandbox cannot start",
            );
            return Err(error.with_hint("call skills::init() first in main"));
        }
        let runner = self.library.runner()?;
        let hit = Names::new(self.library.catalog()).find_skill(self.name);
        let hit = hit.map_err(|failure| match self.library.find(self.name) {
            // The list of names leaves broken skills out.
            Err(error) if error.kind() == ErrorKind::Unreadable => error,
            _ => failure.into(),
        })?;
        let skill = SkillPackage::from_catalog(self.library.catalog(), &hit.skill)?;
        self.request.command = self.request.command.or(hit.command);
        let allowed = Allowed {
            shell: runner.host().allow_shell,
            call: self.request.options.approval != Approval::Missing,
        };
        let envelope = runner.run(&skill, self.request);
        let whole = envelope.to_value();
        let warnings = envelope.warnings;
        let outcome = envelope.outcome;
        let Success { value, content, .. } = outcome.map_err(|failure| {
            let remedy = (failure.code == ErrorCode::Denied).then(|| allowed.remedy(&skill));
            let error = Error::from_call(failure, &warnings);
            remedy.flatten().into_iter().fold(error, Error::with_hint)
        })?;
        Ok(Answer {
            value,
            content,
            warnings,
            envelope: whole,
        })
    }
}

const APPROVE: &str = "CallBuilder::approve approves a call";
const ADMIN: &str = "it needs the variable DECRYPTED_AUTH_CODE, allowed by LibraryBuilder::allow_secret, and CallBuilder::approve";

/// The permissions that the program gives to a call.
struct Allowed {
    shell: bool,
    call: bool,
}

impl Allowed {
    /// Returns what the program can do where a call is denied, if it is one of its options.
    fn remedy(&self, skill: &SkillPackage) -> Option<&'static str> {
        if shell_line(skill).is_some() && !self.shell {
            return Some("LibraryBuilder::allow_shell allows shell lines");
        }
        if skill.metadata.permissions.admin {
            return Some(ADMIN);
        }
        (is_required(skill) && !self.call).then_some(APPROVE)
    }
}

impl Library {
    /// Runs a skill with these arguments and waits for its answer.
    ///
    /// # Errors
    ///
    /// See [`CallBuilder::run`].
    pub fn run(&self, name: &str, input: Value) -> Result<Answer, Error> {
        self.call(name).input(input).run()
    }

    /// Returns a call of a skill, to be completed and run. `name` may also be the name that the old
    /// host knew, or the name of an ApexBridge tool.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), skills::Error> {
    /// skills::init();
    /// let library = skills::Library::open(["skills"])?;
    /// let answer = library
    ///     .call("weather-card")
    ///     .command("today")
    ///     .input(serde_json::json!({"city": "Oslo"}))
    ///     .timeout(std::time::Duration::from_secs(10))
    ///     .run()?;
    /// println!("{}", answer.value);
    /// # Ok(())
    /// # }
    /// ```
    pub fn call<'l>(&'l self, name: &'l str) -> CallBuilder<'l> {
        CallBuilder::new(self, name)
    }
}
