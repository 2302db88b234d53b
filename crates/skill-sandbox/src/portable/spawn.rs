//! Starting a child. On macOS and Windows, this is the single entry point that starts processes.

use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::process::{Command as SystemCommand, Stdio};
use std::sync::mpsc::sync_channel;

use super::child::{Child, Killer, Parts};
use super::group::Group;
use super::refusal::{Start, decide};
use super::{Channel, output, seatbelt};
use crate::error::{Context as _, Error, Result};
use crate::outcome::Outcome;
use crate::program::{self, Command};
use crate::report::Report;
use crate::spec::{Program, Spec, Stdin};

/// The number of pieces of output that wait to be taken; then the child has to wait, as with a full
/// pipe.
const N_PIECES: usize = 4;

/// Starts `spec`, waits until it exits or its timeout expires, and collects its output.
///
/// # Errors
///
/// The child could not be started or followed, or less could be enforced than was asked for. A
/// child that fails is an [`Outcome`].
pub fn run(spec: &Spec) -> Result<Outcome> {
    spawn(spec)?.finish()
}

/// Starts `spec` in a process group, or in a job object on Windows.
///
/// # Errors
///
/// The child could not be started, or less could be enforced than was asked for.
pub fn spawn(spec: &Spec) -> Result<Child> {
    let (found, report) = confined(spec, program::command(spec)?)?;
    let input = Input::new(spec)?;
    let [(stdout, stdout_end), (stderr, stderr_end)] = [pipe()?, pipe()?];
    let mut command = command(&found, matches!(spec.program, Program::Shell(_)));
    command
        .current_dir(&spec.cwd)
        .env_clear()
        .envs(&spec.env)
        .stdin(input.theirs)
        .stdout(stdout_end)
        .stderr(stderr_end);
    let group = Group::start(command, spec.at_exit).map_err(|source| Error::Start {
        program: found.program,
        cwd: spec.cwd.clone(),
        source,
    })?;
    let (events, received) = sync_channel(N_PIECES);
    let (fed, open) = match &spec.stdin {
        Stdin::Bytes(bytes) => (input.pipe.map(|pipe| (pipe, bytes.clone())), None),
        Stdin::Null | Stdin::Open => (None, input.pipe),
    };
    let parts = Parts {
        report,
        channel: input.channel,
        stdin: open,
        events: received,
        killer: Killer::new(events.clone()),
    };
    // From here on, dropping the child ends the process.
    let child = Child::follow(group, parts, spec);
    output::read(stdout, 0, events.clone())?;
    output::read(stderr, 1, events)?;
    if let Some((pipe, bytes)) = fed {
        feed(pipe, bytes)?;
    }
    Ok(child)
}

/// Applies the confinement of a child, if there is one.
fn confined(spec: &Spec, found: Command) -> Result<(Command, Report)> {
    let Some(confinement) = &spec.confinement else {
        return Ok((found, Report::default()));
    };
    let (launcher, at_least) = (&confinement.launcher.0, confinement.at_least);
    match decide(launcher, at_least, std::env::consts::OS) {
        Start::Free(report) => Ok((found, report)),
        Start::Seatbelt => Ok(seatbelt::confine(&confinement.policy, &spec.cwd, found)),
        Start::Refused(reached) => Err(Error::Unconfined {
            wanted: at_least,
            reached,
        }),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the single entry point that starts processes here"
)]
fn command(found: &Command, is_line: bool) -> SystemCommand {
    let mut res = SystemCommand::new(&found.program);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        let _ = is_line;
        res.arg0(&found.name).args(&found.args);
    }
    #[cfg(windows)]
    for word in &found.args {
        use std::os::windows::process::CommandExt as _;
        // A shell line is quoted already.
        let _ = if is_line {
            res.raw_arg(word)
        } else {
            res.arg(word)
        };
    }
    res
}

fn pipe() -> Result<(PipeReader, PipeWriter)> {
    io::pipe().context("cannot make a pipe")
}

/// The two sides of the child's standard input.
struct Input {
    theirs: Stdio,
    pipe: Option<PipeWriter>,
    channel: Option<Channel>,
}

impl Input {
    fn new(spec: &Spec) -> Result<Self> {
        if spec.channel.is_some() {
            return Self::with_channel();
        }
        if spec.stdin == Stdin::Null {
            return Ok(Self {
                theirs: Stdio::null(),
                pipe: None,
                channel: None,
            });
        }
        let (theirs, ours) = pipe()?;
        Ok(Self {
            theirs: theirs.into(),
            pipe: Some(ours),
            channel: None,
        })
    }

    #[cfg(unix)]
    fn with_channel() -> Result<Self> {
        let (ours, theirs) = Channel::pair().context("cannot make a socket pair")?;
        Ok(Self {
            theirs: std::os::fd::OwnedFd::from(theirs).into(),
            pipe: None,
            channel: Some(ours),
        })
    }

    #[cfg(windows)]
    fn with_channel() -> Result<Self> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
            .context("a child cannot be given a channel as descriptor 3 on Windows")
    }
}

/// Writes the input in a thread of its own.
fn feed(mut pipe: PipeWriter, bytes: Vec<u8>) -> Result<()> {
    // A child that closed its end does not want more, which is not an error.
    let write = move || drop(pipe.write_all(&bytes));
    let thread = std::thread::Builder::new().spawn(write);
    thread.map(drop).context("cannot start a thread")
}
