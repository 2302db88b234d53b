//! Starting and following real children: input, output, exits, kills.
//!
//! Numbers are sizes and counts; no test asserts a duration.
#![cfg(unix)]

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use skill_sandbox::{AtExit, Error, Exit, Outcome, Program, Spec, Stdin, WaitEvent, run, spawn};

const MEBIBYTE: usize = 1 << 20;

fn shell(line: &str) -> Spec {
    let mut spec = Spec::new(Program::Shell(line.into()), "/");
    spec.env
        .insert("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into());
    spec
}

/// Returns the outcome of a shell line with `input`, with the specification changed by `change`.
fn outcome(line: &str, input: &[u8], change: impl FnOnce(&mut Spec)) -> Outcome {
    let mut spec = shell(line);
    spec.stdin = Stdin::Bytes(input.to_vec());
    change(&mut spec);
    run(&spec).expect("the shell starts")
}

#[track_caller]
fn check(line: &str, input: &[u8], exit: Exit, stdout: &[u8]) {
    let outcome = outcome(line, input, |_| {});
    assert_eq!((outcome.exit, outcome.stdout.as_slice()), (exit, stdout));
    assert!(!outcome.timed_out);
}

#[test]
fn ends() {
    check("exit 3", b"", Exit::Code(3), b"");
    check("kill -KILL $$", b"", Exit::Signal(9), b"");
    check("printf a; printf b >&2", b"", Exit::Code(0), b"a");
}

#[test]
fn input() {
    check("cat", b"a\0b", Exit::Code(0), b"a\0b");
    check("wc -c </dev/stdin", b"", Exit::Code(0), b"0\n");
    check(
        "exec <&-; sleep 0.1; exit 4",
        &vec![b'x'; MEBIBYTE],
        Exit::Code(4),
        b"",
    );
}

#[test]
fn input_and_output_at_once() {
    let input = vec![b'y'; 4 * MEBIBYTE];
    check("cat", &input, Exit::Code(0), &input);
}

#[test]
fn output_beyond_the_limit_is_taken_and_dropped() {
    let outcome = outcome(
        "head -c 3000000 /dev/zero; head -c 2000 /dev/zero >&2",
        b"",
        |spec| {
            spec.limits.stdout = 1000;
            spec.limits.stderr = 2000;
        },
    );
    assert_eq!(
        (outcome.stdout.len(), outcome.stdout_truncated),
        (1000, true)
    );
    assert_eq!(
        (outcome.stderr.len(), outcome.stderr_truncated),
        (2000, false)
    );
    assert_eq!(outcome.exit, Exit::Code(0));
}

#[test]
fn the_environment_is_the_one_given() {
    let outcome = outcome("env", b"", |spec| {
        spec.env.insert("ONE".into(), "1".into());
    });
    let text = String::from_utf8(outcome.stdout).expect("env prints text");
    let ours: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("PWD=") && !line.starts_with("_="))
        .collect();
    assert_eq!(ours, ["ONE=1", "PATH=/usr/local/bin:/usr/bin:/bin"]);
}

#[test]
fn a_held_pipe_does_not_delay_the_end() {
    let outcome = outcome("sleep 1000 & echo done", b"", |_| {});
    assert_eq!(outcome.stdout, b"done\n");
    assert_eq!(outcome.exit, Exit::Code(0));
}

#[test]
fn a_timeout_kills_the_group() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let outcome = outcome("echo $$ >pid; sleep 1000 | sleep 1000", b"", |spec| {
        spec.cwd = directory.path().into();
        spec.limits.timeout = Some(Duration::from_millis(200));
    });
    assert!(outcome.timed_out);
    assert_eq!(outcome.exit, Exit::Signal(9));
}

/// Processes that are left in the background continue to print after us, and are not killed by
/// that.
#[test]
fn left_children_go_on() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let line = "mkfifo done; (sleep 0.2; echo late; echo later; echo x >done) & echo now";
    let first = outcome(line, b"", |spec| {
        spec.cwd = directory.path().into();
        spec.at_exit = AtExit::Leave;
    });
    assert_eq!(first.stdout, b"now\n");
    let second = outcome("cat done", b"", |spec| {
        spec.cwd = directory.path().into();
        spec.limits.timeout = Some(Duration::from_mins(1));
    });
    assert_eq!(second.stdout, b"x\n");
}

#[test]
fn a_child_is_followed_in_steps() {
    let mut spec = shell("echo one; read line <&3; echo \"$line\" >&3; exit 5");
    spec.channel = Some(skill_sandbox::ChannelPlace::Descriptor3);
    let mut child = spawn(&spec).expect("the shell starts");
    let mut channel = child.take_channel().expect("a channel was asked for");
    while child.stdout() != b"one\n" {
        assert_eq!(child.wait(None).expect("it is followed"), WaitEvent::Output);
    }
    let now = Instant::now();
    assert_eq!(
        child.wait(Some(now)).expect("it is followed"),
        WaitEvent::Until
    );
    channel.write_all(b"ping\n").expect("it reads");
    let mut answer = String::new();
    channel.read_to_string(&mut answer).expect("it answers");
    assert_eq!(answer, "ping\n");
    assert_eq!(child.finish().expect("it ends").exit, Exit::Code(5));
}

#[test]
fn another_thread_may_kill() {
    let child = spawn(&shell("sleep 1000")).expect("the shell starts");
    let killer = child.killer();
    let waiting = std::thread::spawn(move || child.finish());
    killer.kill();
    let outcome = waiting.join().expect("no panic").expect("it is followed");
    assert_eq!((outcome.exit, outcome.timed_out), (Exit::Signal(9), false));
}

#[test]
fn standard_input_may_stay_open() {
    let outcome = outcome("read line; exit 6", b"", |spec| {
        spec.stdin = Stdin::Open;
        spec.limits.timeout = Some(Duration::from_millis(200));
    });
    assert!(outcome.timed_out);
}

#[test]
fn what_cannot_start_is_an_error() {
    let argv = |words: &[&str]| Program::Argv(words.iter().map(Into::into).collect());
    let missing = run(&Spec::new(argv(&["no-such-program"]), "/"));
    assert!(matches!(missing, Err(Error::NotFound(_))));
    assert!(matches!(run(&Spec::new(argv(&[]), "/")), Err(Error::Empty)));
    let nowhere = run(&Spec::new(argv(&["/bin/true"]), "/no/such/directory"));
    assert!(matches!(nowhere, Err(Error::Start { .. })));
}

#[test]
fn five_hundred_at_once() {
    let threads: Vec<_> = (0..500)
        .map(|number: u32| {
            std::thread::spawn(move || outcome("cat", number.to_string().as_bytes(), |_| {}))
        })
        .collect();
    for (number, thread) in threads.into_iter().enumerate() {
        let outcome = thread.join().expect("no panic");
        assert_eq!(outcome.stdout, number.to_string().as_bytes());
    }
}
