//! Attempts of a confined child that its policy must stop.
//!
//! Each attempt is a real program that prints `got` if it succeeds. The same attempts succeed
//! without confinement.

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use crate::common::{confined, held, is_full, policy};
use skill_sandbox::{Exit, Program, Spec, run, spawn};
use skill_testing::find;

/// Runs `line` in a fresh directory; returns its output, how it ended, and its diagnostics.
fn attempt(line: &str, change: impl Fn(&mut Spec, &Path)) -> (String, Exit, String) {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a scratch directory");
    let mut spec = confined(line, directory.path());
    change(&mut spec, directory.path());
    let outcome = run(&spec).expect("it starts");
    assert!(!outcome.timed_out, "{line}");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    (text(&outcome.stdout), outcome.exit, text(&outcome.stderr))
}

#[track_caller]
fn stopped(line: &str) {
    if !is_full(line) {
        return;
    }
    let (stdout, _, stderr) = attempt(line, |_, _| {});
    assert!(!stdout.contains("got"), "{line}: {stdout} {stderr}");
    eprintln!("stopped: {line}: {stderr}");
}

#[track_caller]
fn allowed(line: &str) {
    let (stdout, exit, stderr) = attempt(line, |_, _| {});
    assert_eq!(
        (stdout.as_str(), exit),
        ("got", Exit::Code(0)),
        "{line}: {stderr}"
    );
}

#[test]
fn what_the_policy_gives() {
    if find::python().is_none() {
        return;
    }
    allowed("echo got");
    allowed("echo text >file && cat file >/dev/null && echo got");
    allowed("mkdir a && mv a b && ln -s b c && rmdir b && rm c && echo got");
    allowed("python3 -c 'import json, ssl, subprocess, tempfile; print(\"got\")'");
    allowed("node -e 'require(\"crypto\"); require(\"https\"); console.log(\"got\")'");
    allowed("bash -c 'echo got > >(cat)'; sleep 0.1");
    allowed("cat /proc/self/status >/dev/null && echo got");
    allowed("(sleep 0.05; echo got) | cat");
    allowed(
        "python3 -c 'import tempfile; f = tempfile.TemporaryFile(); f.write(b\"x\"); print(\"got\")'",
    );
}

#[test]
fn reading_outside() {
    stopped("cat /etc/shadow && echo got");
    stopped("ls /root/.ssh /root/.bashrc && echo got");
    stopped("cat ../../*/* && echo got");
    stopped("ls / | grep -x -e home -e boot -e var && echo got");
    stopped("stat /home /var && echo got");
    stopped("ln -s /etc/shadow link && cat link && echo got");
    stopped("cat /proc/self/root/etc/shadow && echo got");
    stopped("head -c 1 /dev/vda && echo got");
    stopped("python3 -c 'open(\"/etc/shadow\"); print(\"got\")'");
    stopped("node -e 'require(\"fs\").readFileSync(\"/etc/shadow\"); console.log(\"got\")'");
}

/// Processes of others are not visible, and their environment cannot be read.
#[test]
fn other_processes() {
    let mut other = Spec::new(Program::Shell("echo; exec sleep 86399".into()), "/");
    other.env.insert("CANARY".into(), "feathers".into());
    let mut other = spawn(&other).expect("the shell starts");
    other.wait(None).expect("it is followed");
    stopped("cat /proc/*/environ | grep -q feathers && echo got");
    stopped("cat /proc/*/cmdline | grep -q 'slee[p].86399' && echo got");
    stopped("cat /proc/1/environ && echo got");
    stopped("head -c 1 /proc/1/mem && echo got");
    stopped("echo >/proc/1/oom_score_adj && echo got");
    for process in [std::process::id(), other.id()] {
        stopped(&format!("kill -0 {process} && echo got"));
        stopped(&format!("cat /proc/{process}/environ && echo got"));
    }
    stopped("kill -9 1; sleep 0.1; cat /proc/1/status >/dev/null || echo got");
}

#[test]
fn writing_outside() {
    stopped("echo x >/var/tmp/sandbox-test && echo got");
    stopped("echo x >../sandbox-test && echo got");
    stopped("touch /usr/bin/sandbox-test && echo got");
    stopped("ln -s /var/tmp out && echo x >out/sandbox-test && echo got");
    stopped(
        "mkdir d && echo x >d/f && rm -r d && ln -s /var/tmp d && echo x >d/sandbox-test && echo got",
    );
    stopped("ln /etc/passwd hard && echo got");
    stopped("mknod disk b 254 0 && echo got");
    stopped("cp /bin/true t && chmod u+s t && echo got");
    stopped("chmod 755 /usr && echo got");
    stopped("touch -c /etc/hosts && echo got");
    stopped("chmod 666 /dev/null && echo got");
    stopped("echo 1 >/proc/sys/kernel/panic && echo got");
    stopped("mount -t tmpfs none . && echo got");
    stopped("python3 -c 'import os; os.rename(\"/etc/hosts\", \"x\"); print(\"got\")'");
}

/// Files in a private `/tmp` are reported, because they end with the child.
#[test]
fn files_that_end_with_the_child() {
    if !is_full("files that end with the child") {
        return;
    }
    for (line, names, count) in [
        ("true", &[][..], 0),
        (
            "touch /tmp/a && rm /tmp/a && mkfifo /tmp/b && touch here",
            &[],
            0,
        ),
        ("mkdir /tmp/b && touch /tmp/b/c /tmp/a", &["a", "b"], 2),
        (
            "cd /tmp && touch 9 8 7 6 5 4 3 2 1",
            &["1", "2", "3", "4", "5"],
            9,
        ),
        // Files in a granted directory are not lost.
        ("touch \"$HOME/kept\"", &[], 0),
    ] {
        let directory = tempfile::tempdir_in("/tmp").expect("a scratch directory");
        let outcome = run(&confined(line, directory.path())).expect("it starts");
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(
            (outcome.lost.names, outcome.lost.count),
            (names, count),
            "{line}"
        );
    }
}

/// All restrictions also apply if the real `/tmp` may be read.
#[test]
fn the_real_tmp_can_be_given_for_reading() {
    if !is_full("the real /tmp") {
        return;
    }
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a scratch directory");
    let line = "ls /tmp >/dev/null && touch here && ! touch /tmp/sandbox-test";
    let mut spec = confined(line, directory.path());
    policy(&mut spec).read.push(held("/tmp"));
    let outcome = run(&spec).expect("it starts");
    assert!(outcome.exit.success(), "{outcome:?}");
    assert_eq!(outcome.confinement.level, skill_sandbox::Level::Full);
}

/// If the directory is beneath `/tmp`, its parent is private and may have any time; the real one
/// keeps its own.
#[test]
#[expect(clippy::disallowed_methods, reason = "the time of a real directory")]
fn times_outside() {
    let line = "touch -c -d 2001-01-01 ../..";
    if !is_full(line) {
        return;
    }
    attempt(line, |_, _| {});
    let above = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("it has one");
    let modified = std::fs::metadata(above)
        .and_then(|it| it.modified())
        .expect("it has a time");
    assert!(
        modified > UNIX_EPOCH + Duration::from_secs(1_000_000_000),
        "{modified:?}"
    );
}

#[test]
fn connecting() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a loopback port");
    let port = listener.local_addr().expect("it is bound").port();
    stopped(&format!(
        "bash -c 'echo x >/dev/tcp/127.0.0.1/{port}' && echo got"
    ));
    stopped(&format!(
        "bash -c 'echo x >/dev/udp/127.0.0.1/{port}' && echo got"
    ));
    stopped(&format!(
        "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {port})); print(\"got\")'"
    ));
    stopped(
        "python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b\"x\", (\"127.0.0.1\", 9)); print(\"got\")'",
    );
    stopped("python3 -c 'import socket; socket.socket(socket.AF_INET6); print(\"got\")'");
    stopped(
        "python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); print(\"got\")'",
    );
    stopped(&format!(
        "node -e 'require(\"net\").connect({port}, \"127.0.0.1\", () => console.log(\"got\")).on(\"error\", e => console.error(e.code))'"
    ));
    stopped("python3 -c 'import socket; socket.create_server((\"127.0.0.1\", 0)); print(\"got\")'");
    let directory = tempfile::tempdir().expect("a scratch directory");
    let socket = directory.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    let line = format!(
        "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"{}\"); print(\"got\")'",
        socket.display()
    );
    stopped(&line);
}

/// Descriptors that the tool inherited stay with the tool.
#[test]
#[expect(clippy::disallowed_methods, reason = "a descriptor is left open")]
fn inherited_descriptors() {
    use std::os::fd::AsRawFd as _;
    let directory = tempfile::tempdir().expect("a scratch directory");
    let secret = directory.path().join("secret");
    std::fs::write(&secret, "got").expect("a file");
    let left_open = std::fs::File::open(&secret).expect("it is there");
    rustix::io::fcntl_setfd(&left_open, rustix::io::FdFlags::empty()).expect("a flag");
    stopped(&format!("bash -c 'cat <&{}'", left_open.as_raw_fd()));
    stopped("ls -l /proc/self/fd | grep -q secret && echo got");
}

/// Terminals are private; those of others, and the one of the caller, do not exist.
#[test]
fn terminals() {
    if find::python().is_none() {
        return;
    }
    stopped("ls /dev/pts | grep -qv ptmx && echo got");
    stopped("for n in 0 1 2 3 4 5 6 7 8 9; do : <>/dev/pts/$n && echo got; done");
    stopped("echo x >/dev/tty && echo got");
    allowed(
        "python3 -c 'import pty, os; m, s = pty.openpty(); os.write(m, b\"x\\n\"); print(\"got\" if os.read(s, 9) == b\"x\\n\" else os.ttyname(s))'",
    );
    allowed("python3 -c 'import pty; pty.spawn([\"printf\", \"got\"])'");
}

/// A directory outside cannot be watched: its path does not exist.
#[test]
fn watching() {
    let outside = tempfile::tempdir_in("/var/tmp").expect("a scratch directory");
    for directory in [outside.path(), Path::new("/var/lib"), Path::new("/home")] {
        stopped(&format!(
            "python3 -c 'import ctypes; c = ctypes.CDLL(None); print(\"got\" if c.inotify_add_watch(c.inotify_init(), b\"{}\", 0xfff) >= 0 else \"\")'",
            directory.display()
        ));
    }
}

#[test]
fn forking() {
    if find::python().is_none() {
        return;
    }
    let bomb = "import os, time\nn = 0\ntry:\n  while n < 5000:\n    if os.fork() == 0: time.sleep(1000)\n    n += 1\nexcept OSError: pass\nprint(n)";
    if !is_full("forking") {
        return;
    }
    let (stdout, ..) = attempt(&format!("python3 -c '{bomb}'"), |spec, _| {
        policy(spec).processes = Some(50);
    });
    // The process that forks is one of them.
    let made: u32 = stdout.parse().expect("it prints how many it made");
    assert!((40..50).contains(&made), "{made}");
}

#[test]
fn memory() {
    if find::python().is_none() {
        return;
    }
    let hog = "python3 -c 'x = bytearray(400 << 20); print(\"got\")'";
    let with = |mebibytes: u64| {
        attempt(hog, |spec, _| {
            policy(spec).memory = Some(mebibytes << 20);
        })
    };
    assert_eq!(with(1024).0, "got");
    assert!(!with(128).0.contains("got"));
    let (stdout, ..) = attempt("node -e 'console.log(\"got\")'", |spec, _| {
        policy(spec).memory = Some(256 << 20);
    });
    assert_eq!(stdout, "got");
}

#[test]
fn disk() {
    let line = "head -c 5000000 /dev/zero >file; stat -c %s file";
    let (stdout, ..) = attempt(line, |spec, _| {
        policy(spec).file_size = Some(1 << 20);
    });
    assert_eq!(stdout, (1 << 20).to_string());
    if !is_full("a full /tmp") {
        return;
    }
    let line =
        "for n in 1 2 3 4; do head -c 900000 /dev/zero >/tmp/$n; done; du -sk /tmp | cut -f1";
    let (stdout, ..) = attempt(line, |spec, _| {
        policy(spec).file_size = Some(1 << 20);
    });
    let kibibytes: u32 = stdout.parse().expect("du prints a number");
    assert!(kibibytes <= 2 << 10, "{kibibytes}");
}

#[test]
fn open_files() {
    if find::python().is_none() {
        return;
    }
    let line = "python3 -c 'import os\nn = 0\ntry:\n  while n < 5000: os.dup(1); n += 1\nexcept OSError: pass\nprint(n)'";
    let (stdout, ..) = attempt(line, |spec, _| {
        policy(spec).open_files = Some(100);
    });
    assert!(stdout.parse::<u32>().is_ok_and(|n| n < 100), "{stdout}");
}

#[test]
fn an_endless_output_is_cut() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let mut spec = confined("yes", directory.path());
    spec.limits.timeout = Some(Duration::from_millis(300));
    spec.limits.stdout = 1000;
    let outcome = run(&spec).expect("it starts");
    assert!(outcome.timed_out && outcome.stdout_truncated);
    assert_eq!(outcome.stdout.len(), 1000);
}

#[test]
fn other_ways_out() {
    stopped("unshare -Ur true && echo got");
    stopped("nsenter -t 1 -m true && echo got");
    stopped("strace -V >/dev/null && strace -o /dev/null true && echo got");
    stopped(
        "python3 -c 'import ctypes; print(\"got\" if ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0 else \"\")'",
    );
    stopped(
        "python3 -c 'import ctypes; print(\"got\" if ctypes.CDLL(None).syscall(425, 1, ctypes.create_string_buffer(200)) >= 0 else \"\")'",
    );
    stopped("python3 -c 'import os; os.chown(\"/usr\", -1, -1); print(\"got\")'");
    stopped("grep -q 'CapEff:.*[1-9a-f]$' /proc/self/status && echo got");
    stopped("grep -q 'NoNewPrivs:.*0' /proc/self/status && echo got");
}

/// A granted read-only directory beneath `/tmp` keeps its path, and stays read-only beneath the
/// private `/tmp`.
#[test]
fn a_private_tmp() {
    let outside = tempfile::tempdir().expect("a scratch directory");
    let shown = tempfile::tempdir_in("/tmp").expect("a scratch directory");
    let give = |spec: &mut Spec, _: &Path| policy(spec).read.push(held(shown.path()));
    let line = format!(
        "ls -d {0} && ! touch {0}/x 2>/dev/null && touch /tmp/x && [ $TMPDIR = /tmp ] && ! ls {1} 2>/dev/null && echo got",
        shown.path().display(),
        outside.path().display()
    );
    if !is_full("a private /tmp") {
        return;
    }
    let (stdout, exit, stderr) = attempt(&line, give);
    assert!(stdout.ends_with("got"), "{exit:?} {stdout} {stderr}");
}

/// Beneath the private `/tmp`, parents of granted directories cannot be written.
#[test]
fn ways_beneath_a_private_tmp() {
    let given = tempfile::tempdir_in("/tmp").expect("a scratch directory");
    let inner = given.path().join("inner");
    rustix::fs::mkdir(&inner, rustix::fs::Mode::RWXU).expect("a directory");
    let line = format!(
        "cd {} && touch x && ! touch ../x && echo got",
        inner.display()
    );
    if !is_full(&line) {
        return;
    }
    let (stdout, exit, stderr) = attempt(&line, |spec, _| policy(spec).write.push(held(&inner)));
    assert_eq!(stdout, "got", "{exit:?} {stderr}");
}

/// A path that may be both read and written, or is read inside a writable one, is writable.
#[test]
fn read_and_written() {
    let both = |spec: &mut Spec, directory: &Path| {
        policy(spec).read.push(held(directory));
        policy(spec).read.push(held(directory.join("sub")));
    };
    let shared = tempfile::tempdir_in("/tmp").expect("a scratch directory");
    rustix::fs::mkdir(shared.path().join("sub"), rustix::fs::Mode::RWXU).expect("a directory");
    let mut spec = confined(
        "echo x >file && echo x >sub/file && echo got",
        shared.path(),
    );
    both(&mut spec, shared.path());
    let outcome = run(&spec).expect("it starts");
    assert_eq!(outcome.stdout, b"got\n", "{outcome:?}");
}

/// A protected part of a writable directory stays unchanged, except for what is granted inside it.
#[test]
fn written_around_what_is_protected() {
    let parts = |spec: &mut Spec, directory: &Path| {
        for part in ["all", "all/own"] {
            let made = rustix::fs::mkdir(directory.join(part), rustix::fs::Mode::RWXU);
            made.expect("a directory");
        }
        policy(spec).protect.push(held(directory.join("all")));
        policy(spec).write.push(held(directory.join("all/own")));
    };
    let line = "! touch all/x 2>/dev/null && touch all/own/x new && echo got";
    if !is_full(line) {
        return;
    }
    let (stdout, exit, stderr) = attempt(line, parts);
    assert_eq!(stdout, "got", "{exit:?} {stderr}");
}

/// With everything granted, another directory hides what it covers, except for what is granted inside
/// it.
#[test]
fn what_is_covered_is_hidden() {
    let parts = |spec: &mut Spec, directory: &Path| {
        for part in ["all", "all/own", "all/others", "cover", "cover/own"] {
            let made = rustix::fs::mkdir(directory.join(part), rustix::fs::Mode::RWXU);
            made.expect("a directory");
        }
        let cover = held(directory.join("cover")).shown_at(directory.join("all"));
        policy(spec).protect.push(cover);
        policy(spec).write.push(held("/"));
        policy(spec).write.push(held(directory.join("all/own")));
    };
    let line = "! ls all/others 2>/dev/null && ! mkdir all/new 2>/dev/null && touch all/own/x new && echo got";
    if !is_full(line) {
        return;
    }
    let (stdout, exit, stderr) = attempt(line, parts);
    assert_eq!(stdout, "got", "{exit:?} {stderr}");
}

/// With everything granted, devices work and stay in their places.
#[test]
fn devices_are_not_replaced() {
    let line = "name=/dev/skills-test-$$; touch $name 2>/dev/null && rm $name && echo made; \
                shared=/dev/shm/skills-test-$$; touch $shared && rm $shared && echo x >/dev/null && echo got";
    if !is_full(line) {
        return;
    }
    let parts = |spec: &mut Spec, _: &Path| policy(spec).write.push(held("/"));
    let (stdout, exit, stderr) = attempt(line, parts);
    assert_eq!(stdout, "got", "{exit:?} {stderr}");
}
