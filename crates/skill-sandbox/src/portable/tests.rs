//! Real children. On Linux these tests run the code of macOS, without its sandbox.
//!
//! Numbers are sizes and counts; no test asserts a duration.

use std::time::{Duration, Instant};

use super::{run, spawn};
use crate::error::Error;
use crate::outcome::{Exit, Outcome, WaitEvent};
use crate::spec::{AtExit, Program, Spec, Stdin};

const MEBIBYTE: usize = 1 << 20;

#[cfg(unix)]
fn shell(line: &str) -> Spec {
    let mut spec = Spec::new(Program::Shell(line.into()), "/");
    spec.env.insert("PATH".into(), "/usr/bin:/bin".into());
    spec
}

#[cfg(windows)]
fn shell(line: &str) -> Spec {
    let mut spec = Spec::new(Program::Shell(line.into()), r"C:\");
    spec.env
        .insert("PATH".into(), r"C:\windows\system32".into());
    spec.env.insert("SYSTEMROOT".into(), r"C:\windows".into());
    spec
}

fn outcome(line: &str, change: impl FnOnce(&mut Spec)) -> Outcome {
    let mut spec = shell(line);
    change(&mut spec);
    run(&spec).expect("the shell starts")
}

#[track_caller]
fn check(line: &str, exit: Exit, stdout: &str) {
    let outcome = outcome(line, |_| {});
    let printed = String::from_utf8(outcome.stdout).unwrap();
    let got = (outcome.exit, printed.replace("\r\n", "\n"));
    assert_eq!(got, (exit, stdout.to_owned()), "{line}");
    assert!(!outcome.timed_out);
}

#[test]
fn ends() {
    check("exit 3", Exit::Code(3), "");
    check("echo a", Exit::Code(0), "a\n");
    check("echo a&& echo b 1>&2&& exit 4", Exit::Code(4), "a\n");
}

#[cfg(windows)]
#[test]
fn quotes_reach_the_program_as_they_are() {
    check(
        r#"echo "a b" %SYSTEMROOT%"#,
        Exit::Code(0),
        "\"a b\" C:\\windows\n",
    );
}

#[cfg(unix)]
#[test]
fn signals_are_reported() {
    check("kill -KILL $$", Exit::Signal(9), "");
}

#[cfg(unix)]
#[test]
fn input_and_output_at_once() {
    let input = vec![b'y'; 4 * MEBIBYTE];
    let outcome = outcome("cat", |spec| spec.stdin = Stdin::Bytes(input.clone()));
    assert!(outcome.stdout == input && !outcome.stdout_truncated);
}

#[cfg(unix)]
#[test]
fn output_beyond_the_limit_is_dropped() {
    let outcome = outcome("yes | head -c 3000000; echo e >&2", |spec| {
        spec.limits.stdout = MEBIBYTE;
        spec.limits.stderr = 1;
    });
    assert_eq!(outcome.exit, Exit::Code(0));
    assert_eq!(
        (outcome.stdout.len(), outcome.stderr),
        (MEBIBYTE, b"e".to_vec())
    );
    assert!(outcome.stdout_truncated && outcome.stderr_truncated);
}

/// A line that waits for input, which never comes.
const WAITS: &str = if cfg!(windows) { "set /p x=" } else { "read x" };

#[test]
fn a_timeout_kills() {
    let outcome = outcome(WAITS, |spec| {
        spec.stdin = Stdin::Open;
        spec.limits.timeout = Some(Duration::from_millis(50));
    });
    assert!(outcome.timed_out);
    assert_eq!(outcome.exit, Exit::Signal(9));
}

#[test]
fn another_thread_kills() {
    let mut spec = shell(WAITS);
    spec.stdin = Stdin::Open;
    let child = spawn(&spec).unwrap();
    let killer = child.killer();
    let killing = std::thread::spawn(move || killer.kill());
    let outcome = child.finish().unwrap();
    killing.join().unwrap();
    assert_eq!((outcome.exit, outcome.timed_out), (Exit::Signal(9), false));
}

/// A process that was left behind holds the pipes. With [`AtExit::Kill`] it is ended, otherwise the
/// answer does not wait for it.
#[cfg(unix)]
#[test]
fn an_answer_does_not_wait_for_what_is_left() {
    for at_exit in [AtExit::Kill, AtExit::Leave] {
        let outcome = outcome("sleep 1000 & echo $!", |spec| spec.at_exit = at_exit);
        assert_eq!(outcome.exit, Exit::Code(0));
        let id: i32 = String::from_utf8(outcome.stdout)
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        let id = rustix::process::Pid::from_raw(id).unwrap();
        let killed = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        if at_exit == AtExit::Leave {
            killed.expect("it is running");
        }
    }
}

#[test]
fn output_can_be_taken_while_the_child_runs() {
    let line = if cfg!(windows) {
        "echo a& set /p x="
    } else {
        "echo a; read x"
    };
    let mut spec = shell(line);
    spec.stdin = Stdin::Open;
    let mut child = spawn(&spec).unwrap();
    while !child.stdout().starts_with(b"a") {
        assert_eq!(child.wait(None).unwrap(), WaitEvent::Output);
    }
    assert_eq!(child.wait(Some(Instant::now())).unwrap(), WaitEvent::Until);
    child.kill().unwrap();
    assert_eq!(child.wait(None).unwrap(), WaitEvent::Exited);
}

#[test]
fn a_program_that_is_missing_is_an_error() {
    let words = Program::Argv(vec!["no-such-program".into()]);
    let spec = Spec::new(words, if cfg!(windows) { r"C:\" } else { "/" });
    assert!(matches!(run(&spec), Err(Error::NotFound(_))));
}

#[cfg(unix)]
#[test]
fn a_channel_is_descriptor_3() {
    use std::io::{Read as _, Write as _};
    let mut spec = shell("read x <&3; echo \"got $x\" >&3");
    spec.channel = Some(crate::ChannelPlace::Descriptor3);
    let mut child = spawn(&spec).unwrap();
    let mut channel = child.take_channel().unwrap();
    channel.write_all(b"hello\n").unwrap();
    let mut answer = String::new();
    channel.read_to_string(&mut answer).unwrap();
    assert_eq!(answer, "got hello\n");
    assert!(child.finish().unwrap().exit.success());
}
