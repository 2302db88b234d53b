//! Finds the file that the name of a program means.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::spec::{ChannelPlace, Program, Spec};

/// The `PATH` of a child without one, as for `execvp` of glibc.
pub(crate) const DEFAULT_PATH: &str = if cfg!(windows) {
    r"C:\Windows\System32;C:\Windows"
} else {
    "/bin:/usr/bin"
};

/// Returns the absolute path of the executable file that `name` means: relative to `cwd` if it
/// contains a `/`, else in the directories of `path` (separated by colons). Without `path`,
/// `/bin:/usr/bin` is searched.
///
/// On Windows, directories are separated by semicolons, `\` separates names too, and the extensions
/// `.com`, `.exe`, `.bat` and `.cmd` are tried for a name that has none of them.
pub fn find_program(name: &OsStr, path: Option<&OsStr>, cwd: &Path) -> Option<PathBuf> {
    if has_directory(name) {
        return executable(cwd.join(name));
    }
    std::env::split_paths(path.unwrap_or(OsStr::new(DEFAULT_PATH)))
        .find_map(|directory| executable(cwd.join(directory).join(name)))
}

fn has_directory(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    bytes.contains(&b'/') || cfg!(windows) && bytes.contains(&b'\\')
}

#[cfg(unix)]
fn executable(file: PathBuf) -> Option<PathBuf> {
    use rustix::fs::{Access, AtFlags, CWD, FileType, accessat, stat};
    let is_file = stat(&file).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_file());
    let is_executable = accessat(CWD, &file, Access::EXEC_OK, AtFlags::EACCESS).is_ok();
    (is_file && is_executable).then_some(file)
}

#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "programs of the system")]
fn executable(file: PathBuf) -> Option<PathBuf> {
    candidates(file).into_iter().find(|file| file.is_file())
}

/// Returns the files that `file` may mean on Windows, best first.
#[cfg_attr(unix, cfg(test))]
fn candidates(file: PathBuf) -> Vec<PathBuf> {
    const EXTENSIONS: [&str; 4] = ["com", "exe", "bat", "cmd"];
    let own = file.extension().and_then(OsStr::to_str);
    if own.is_some_and(|own| EXTENSIONS.iter().any(|one| one.eq_ignore_ascii_case(own))) {
        return vec![file];
    }
    let with = |extension: &&str| {
        let mut res = file.clone().into_os_string();
        res.push(".");
        res.push(extension);
        PathBuf::from(res)
    };
    EXTENSIONS.iter().map(with).collect()
}

/// A program that was found, with its arguments.
pub(crate) struct Command {
    pub(crate) program: PathBuf,
    /// `argv[0]`: the name as it was given.
    #[cfg_attr(windows, expect(dead_code, reason = "Windows has no `argv[0]`"))]
    pub(crate) name: OsString,
    pub(crate) args: Vec<OsString>,
}

/// Returns the shell line that moves the channel from descriptor 0, which any process can be given.
fn channel_line(place: ChannelPlace) -> OsString {
    let line = match place {
        ChannelPlace::Descriptor3 => r#"exec "$0" "$@" 3<&0 </dev/null"#,
        ChannelPlace::StandardStreams => r#"exec "$0" "$@" >&0"#,
    };
    line.into()
}

pub(crate) fn command(spec: &Spec) -> Result<Command> {
    let found = match &spec.program {
        Program::Argv(argv) => resolve(argv.clone(), spec)?,
        Program::Shell(line) if cfg!(windows) => resolve(by_cmd(line), spec)?,
        Program::Shell(line) => resolve(vec!["/bin/sh".into(), "-c".into(), line.clone()], spec)?,
    };
    if let Some(place) = spec.channel {
        return Ok(behind_channel(found, place));
    }
    Ok(found)
}

/// Returns the words of a shell line on Windows, as `child_process.exec` of Node starts it
/// (<https://nodejs.org/api/child_process.html#shell-requirements>): `cmd.exe` removes the outer
/// quotes and takes everything between them as it is. These words must not be quoted again.
fn by_cmd(line: &OsStr) -> Vec<OsString> {
    let mut quoted = OsString::from("\"");
    quoted.push(line);
    quoted.push("\"");
    let words = ["cmd.exe", "/d", "/s", "/c"].map(OsString::from);
    words.into_iter().chain([quoted]).collect()
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

fn behind_channel(found: Command, place: ChannelPlace) -> Command {
    let mut args = vec!["-c".into(), channel_line(place), found.program.into()];
    args.extend(found.args);
    Command {
        program: "/bin/sh".into(),
        name: "sh".into(),
        args,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_cmd_is_quoted_once() {
        let words = by_cmd(OsStr::new(r#"python "a b.py" & echo %PATH%"#));
        let expected = [
            "cmd.exe",
            "/d",
            "/s",
            "/c",
            r#""python "a b.py" & echo %PATH%""#,
        ];
        assert_eq!(words, expected);
    }

    #[track_caller]
    fn check(file: &str, expected: &[&str]) {
        let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
        assert_eq!(candidates(file.into()), expected);
    }

    #[test]
    fn programs_of_windows_have_extensions() {
        check("node", &["node.com", "node.exe", "node.bat", "node.cmd"]);
        check("a/npx.CMD", &["a/npx.CMD"]);
        let versioned = [
            "python3.12.com",
            "python3.12.exe",
            "python3.12.bat",
            "python3.12.cmd",
        ];
        check("python3.12", &versioned);
    }
}
