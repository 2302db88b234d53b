//! Starts the program of a skill, and translates its end as the old host would have seen it.

use std::time::Duration;

use skill_sandbox::{Child, Error, Exit, Limits, Program, Spec, Stdin};

use crate::call::Call;
use crate::cancel::{Cancel, Watch};
use crate::direct::Ending;
use crate::entry;
use crate::envelope::{ErrorCode, Failure};
use crate::environment::Environment;
use crate::policy;
use crate::shell::Shell;
use crate::view::View;

/// Bytes of output that are kept; the old host had no bound.
const MAX_STDOUT: usize = 64 << 20;
/// Bytes of diagnostics that are kept.
const MAX_STDERR: usize = 1 << 20;
/// "Exec format error": a script without a first line, which a shell runs itself.
const ENOEXEC: i32 = 8;

/// A started program, and whether a shell runs between it and us.
#[derive(Debug)]
pub(crate) struct RunningProgram {
    pub(crate) child: Child,
    through_shell: bool,
}

impl RunningProgram {
    /// Kills it when the call is cancelled, while the guard exists.
    pub(crate) fn killed_by(&self, cancel: &Cancel) -> Watch {
        let killer = self.child.killer();
        cancel.on_cancel(move || killer.kill())
    }

    /// Returns true if a shell line was started.
    pub(crate) fn through_shell(&self) -> bool {
        self.through_shell
    }
}

/// Below the shell that the old host started, a signal is 128 + n; a line that replaced the shell
/// shows it (`docs/design/legacy-host.md` §1.9).
pub(crate) fn ending(exit: Exit, through_shell: bool) -> Ending {
    match exit {
        Exit::Code(code) => Ending::Code(code),
        Exit::Signal(signal) if through_shell => Ending::Signal(signal),
        Exit::Signal(signal) => Ending::Code(128 + signal),
    }
}

/// Starts the program of a call.
pub(crate) fn start(
    call: &Call<'_>,
    view: &View,
    env: &Environment,
    stdin: Stdin,
    timeout: Option<Duration>,
) -> Result<RunningProgram, Failure> {
    let program = entry::program(call.skill)?;
    let through_shell = matches!(program, Program::Shell(_));
    let mut spec = Spec::new(program, &view.cwd);
    spec.env = env
        .iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    spec.stdin = stdin;
    spec.at_exit = policy::at_exit(timeout);
    spec.limits = Limits {
        timeout,
        stdout: MAX_STDOUT,
        stderr: MAX_STDERR,
    };
    let _start = policy::confine(call, view, &mut spec)?;
    let child = match skill_sandbox::spawn(&spec) {
        Err(Error::Start { source, .. })
            if cfg!(unix) && source.raw_os_error() == Some(ENOEXEC) =>
        {
            spec.program = by_shell(spec.program);
            skill_sandbox::spawn(&spec)
        }
        res => res,
    };
    let child = child.map_err(|error| not_started(call, view, &error))?;
    Ok(RunningProgram {
        child,
        through_shell,
    })
}

/// Runs a script that names no interpreter, as a shell does.
fn by_shell(program: Program) -> Program {
    match program {
        Program::Argv(words) => {
            let shell = std::iter::once("/bin/sh".into());
            Program::Argv(shell.chain(words).collect())
        }
        line @ Program::Shell(_) => line,
    }
}

/// In the words of the old host, whose shell said so.
fn not_started(call: &Call<'_>, view: &View, error: &Error) -> Failure {
    if let Some(denied) = policy::too_low(error) {
        return denied;
    }
    let name = call.skill.legacy_name();
    let (code, why) = match error {
        Error::NotFound(program) => {
            let program = program.to_string_lossy();
            let is_file_there =
                program.contains('/') && crate::state::is_there(&view.cwd, &program);
            if is_file_there {
                Shell::HERE.not_executable(&program)
            } else {
                Shell::HERE.not_found(&program)
            }
        }
        Error::Start {
            program, source, ..
        } if source.kind() == std::io::ErrorKind::NotFound => {
            // The interpreter of its first line, which is not there.
            Shell::HERE.not_found(&program.to_string_lossy())
        }
        other => (126, other.to_string()),
    };
    let message = format!("Plugin \"{name}\" exited with code {code}. Stderr: {why}");
    Failure::new(ErrorCode::SpawnFailed, message).with("exit_code", code)
}
