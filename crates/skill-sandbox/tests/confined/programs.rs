//! Programs that a skill brings: what they name does not extend what may be read, and granted files
//! stay the same files.
#![expect(clippy::disallowed_methods, reason = "files are laid out")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use skill_sandbox::{Error, Outcome, Program, Spec, run};
use skill_testing::find;
use tempfile::TempDir;

use crate::common::{confined, held, is_full, policy};

/// Creates a scratch directory that is not beneath `/tmp`.
fn directory() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a scratch directory")
}

/// Creates a directory that no policy names, with a file in it.
fn outside() -> TempDir {
    let outside = directory();
    fs::write(outside.path().join("secret"), "got").expect("a file");
    outside
}

/// Writes a program; `OUTSIDE` in its text is the directory that is not granted.
fn program(at: &Path, text: &str, outside: &Path) {
    fs::create_dir_all(at.parent().expect("it has one")).expect("a directory");
    let text = text.replace("OUTSIDE", &outside.display().to_string());
    fs::write(at, text).expect("a file");
    fs::set_permissions(at, fs::Permissions::from_mode(0o755)).expect("a mode");
}

fn started(spec: &mut Spec, name: &str) -> skill_sandbox::Result<Outcome> {
    spec.program = Program::Argv(vec![name.into()]);
    run(spec)
}

/// Checks that a program that names a directory outside reads nothing there.
#[track_caller]
fn reads_nothing(text: &str, name: &str) {
    if !is_full(text) {
        return;
    }
    let (skill, outside) = (directory(), outside());
    let fake = "#!OUTSIDE\n";
    program(&skill.path().join("fake"), fake, outside.path());
    program(&skill.path().join(name), text, outside.path());
    symlink(outside.path(), skill.path().join("share")).expect("a link");
    symlink(outside.path(), skill.path().join("lib")).expect("a link");
    let mut spec = confined("", skill.path());
    let outcome = started(&mut spec, &format!("./{name}")).expect("it starts");
    let stdout = String::from_utf8_lossy(&outcome.stdout);
    assert!(
        stdout.contains("ran") && !stdout.contains("got"),
        "{outcome:?}"
    );
}

#[test]
fn a_first_line_and_links_beside_a_program_add_nothing() {
    if find::python().is_none() {
        return;
    }
    let env =
        "#!/usr/bin/env -S -u ./fake python3\nprint('ran')\nprint(open('OUTSIDE/secret').read())\n";
    reads_nothing(env, "tool.py");
    let sh = "#!/bin/sh\necho ran; cat OUTSIDE/secret share/secret lib/secret ../share/secret\n";
    reads_nothing(sh, "tool");
    reads_nothing(sh, "bin/tool");
}

/// Checks the error for a program with that first line.
#[track_caller]
fn is_refused(text: &str, expected: &str) {
    let (skill, outside) = (directory(), outside());
    program(
        &outside.path().join("program"),
        "#!/bin/sh\necho got\n",
        outside.path(),
    );
    program(&skill.path().join("tool"), text, outside.path());
    let refused = started(&mut confined("", skill.path()), "./tool");
    let error = refused.expect_err("it is not started");
    assert!(matches!(error, Error::NoProgram { .. }), "{error}");
    let message = error.to_string();
    assert!(
        message.contains("/tool") && message.contains(expected),
        "{message}"
    );
}

#[test]
fn an_interpreter_elsewhere_is_an_error() {
    is_refused("#!OUTSIDE\n", "which is a directory");
    is_refused("#!OUTSIDE/secret\n", "which is not executable");
    is_refused(
        "#!OUTSIDE/program -x\n",
        "neither in a directory of the system nor on the PATH",
    );
    is_refused("#!/dev/null\n", "which is not a regular file");
}

/// A `PATH` that the skill could have set finds a program but does not make its libraries readable.
/// The same holds for a search path in a directory that every user may write.
#[test]
fn a_path_of_the_skill_adds_nothing() {
    let line = "cat OUTSIDE/lib/secret";
    if !is_full(line) {
        return;
    }
    let prefix = directory();
    let all_write = directory();
    // A directory with programs that is a home directory.
    let home = directory();
    fs::create_dir(home.path().join(".ssh")).expect("a directory");
    for prefix in [&prefix, &all_write, &home] {
        program(
            &prefix.path().join("bin/tool"),
            "#!/bin/sh\n",
            Path::new("/"),
        );
        fs::create_dir(prefix.path().join("lib")).expect("a directory");
        fs::write(prefix.path().join("lib/secret"), "got").expect("a file");
    }
    fs::set_permissions(all_write.path(), fs::Permissions::from_mode(0o1777)).expect("a mode");
    let read = |prefix: &Path, is_search: bool| {
        let skill = directory();
        let line = line.replace("OUTSIDE", &prefix.display().to_string());
        let mut spec = confined(&line, skill.path());
        let bin = prefix.join("bin").into_os_string();
        policy(&mut spec).programs = vec!["tool".into()];
        if is_search {
            policy(&mut spec).search = Some(bin);
        } else {
            let mut path = bin;
            path.push(":/usr/bin:/bin");
            spec.env.insert("PATH".into(), path);
        }
        run(&spec).expect("it starts").stdout
    };
    assert_eq!(read(prefix.path(), true), b"got");
    assert_eq!(read(prefix.path(), false), b"");
    assert_eq!(read(all_write.path(), true), b"");
    assert_eq!(read(home.path(), true), b"");
}

/// The child gets the file that the policy opened, even if its path has changed since.
#[test]
fn a_directory_that_was_swapped_for_a_link() {
    let line = "echo x >SHARED/file && echo y >>SHARED/secret";
    if !is_full(line) {
        return;
    }
    let (base, outside) = (directory(), outside());
    let shared = base.path().join("shared");
    fs::create_dir(&shared).expect("a directory");
    let line = line.replace("SHARED", &shared.display().to_string());
    let mut spec = confined(&line, base.path());
    spec.cwd = "/".into();
    policy(&mut spec).write = vec![held(&shared)];
    fs::rename(&shared, base.path().join("moved")).expect("a new name");
    symlink(outside.path(), &shared).expect("a link");
    let outcome = run(&spec).expect("it starts");
    assert!(outcome.exit.success(), "{outcome:?}");
    assert!(base.path().join("moved/file").exists());
    assert!(!outside.path().join("file").exists());
    let secret = fs::read_to_string(outside.path().join("secret")).expect("it is there");
    assert_eq!(secret, "got");
}
