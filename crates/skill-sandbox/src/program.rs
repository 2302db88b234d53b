//! Finds the file that the name of a program means.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, FileType, accessat, stat};

use crate::error::{Error, Result};
use crate::spec::{Program, Spec};

/// The `PATH` of a child without one, as for `execvp` of glibc.
pub(crate) const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// Returns the absolute path of the executable file that `name` means: relative to `cwd` if it
/// contains a `/`, else in the directories of `path` (separated by colons). Without `path`,
/// `/bin:/usr/bin` is searched.
pub fn find_program(name: &OsStr, path: Option<&OsStr>, cwd: &Path) -> Option<PathBuf> {
    if name.as_encoded_bytes().contains(&b'/') {
        let file = cwd.join(name);
        return is_executable(&file).then_some(file);
    }
    std::env::split_paths(path.unwrap_or(OsStr::new(DEFAULT_PATH)))
        .map(|directory| cwd.join(directory).join(name))
        .find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    let is_file = stat(file).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_file());
    is_file && accessat(CWD, file, Access::EXEC_OK, AtFlags::EACCESS).is_ok()
}

/// A program that was found, with its arguments.
pub(crate) struct Command {
    pub(crate) program: PathBuf,
    /// `argv[0]`: the name as it was given.
    pub(crate) name: OsString,
    pub(crate) args: Vec<OsString>,
}

/// Moves the channel from descriptor 0, which any process can be given, to descriptor 3.
const CHANNEL_LINE: &str = r#"exec "$0" "$@" 3<&0 </dev/null"#;

pub(crate) fn command(spec: &Spec) -> Result<Command> {
    let argv = match &spec.program {
        Program::Argv(argv) => argv.clone(),
        Program::Shell(line) => vec!["/bin/sh".into(), "-c".into(), line.clone()],
    };
    let found = resolve(argv, spec)?;
    if spec.channel {
        return Ok(behind_channel(found));
    }
    Ok(found)
}

fn resolve(argv: Vec<OsString>, spec: &Spec) -> Result<Command> {
    let mut args = argv.into_iter();
    let name = args.next().ok_or(Error::Empty)?;
    let path = spec.env.get(OsStr::new("PATH")).map(OsString::as_os_str);
    let Some(program) = find_program(&name, path, &spec.cwd) else {
        return Err(Error::NotFound(name));
    };
    Ok(Command {
        program,
        name,
        args: args.collect(),
    })
}

fn behind_channel(found: Command) -> Command {
    let mut args = vec!["-c".into(), CHANNEL_LINE.into(), found.program.into()];
    args.extend(found.args);
    Command {
        program: "/bin/sh".into(),
        name: "sh".into(),
        args,
    }
}
