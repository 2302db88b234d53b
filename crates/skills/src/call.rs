//! Running one skill of a library.

use std::time::Duration;

use serde_json::Value;
use skill_executor::Request;
use skill_executor::envelope::{Success, Warning};
use skill_executor::names::Names;
use skill_executor::package::SkillPackage;

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
        request.options.approval = library.approval();
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

    /// Runs the skill and waits for its answer.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotInitialized`] where [`init`](crate::init) was not called.
    /// - [`ErrorKind::Io`] where the state directory cannot be opened.
    /// - [`ErrorKind::NotFound`] where no skill or command has the name.
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
        let hit = Names::new(self.library.catalog()).find_skill(self.name)?;
        let skill = SkillPackage::from_place(&hit.skill.place)?;
        self.request.command = self.request.command.or(hit.command);
        let envelope = runner.run(&skill, self.request);
        let whole = envelope.to_value();
        let warnings = envelope.warnings;
        let outcome = envelope.outcome;
        let Success { value, content, .. } =
            outcome.map_err(|failure| Error::from_call(failure, &warnings))?;
        Ok(Answer {
            value,
            content,
            warnings,
            envelope: whole,
        })
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
