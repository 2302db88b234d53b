//! Seven ways to outlive a timeout; after the answer no process is left.
//!
//! `SKILL_SANDBOX_ESCAPES` sets how often each is tried (100 for the full measurement), 5 by
//! default. The times of the answers are printed, not asserted.
#![expect(
    clippy::disallowed_methods,
    reason = "a test that looks at the processes of the machine from outside"
)]

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::fs::FlockOperation;

use crate::common::{confined, is_full, setting, without_namespaces};
use skill_sandbox::{AtExit, Lease, run};
use skill_testing::find;

/// Each form, with `MARK` for the mark that identifies survivors: an argument of `sleep` that no
/// other process has.
const FORMS: &[(&str, &str)] = &[
    ("plain", "exec sleep MARK"),
    ("grandchild", "sh -c 'sleep MARK; true'; true"),
    ("background", "sleep MARK & sleep MARK & wait"),
    ("setsid", "setsid sleep MARK & wait"),
    (
        "double fork",
        "python3 -S -c 'import os\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0: os.execvp(\"sleep\", [\"sleep\", \"MARK\"])\n os._exit(0)\nos.wait()\nos.execvp(\"sleep\", [\"sleep\", \"MARK\"])'",
    ),
    (
        "ignores TERM",
        "trap '' TERM HUP INT; sleep MARK & sleep MARK; sleep MARK",
    ),
    (
        "holds stdout",
        "setsid sh -c 'echo held; sleep MARK; echo held' & exec sleep MARK",
    ),
];

const TIMEOUT: Duration = Duration::from_millis(300);

/// The number that run at once: load on every core.
const WORKERS: usize = 8;

#[test]
fn nobody_survives() {
    if !is_full("seven escape forms") {
        return;
    }
    let rounds = setting("SKILL_SANDBOX_ESCAPES").unwrap_or(5);
    let has_program = |form: &str| !form.starts_with("python3") || find::python().is_some();
    let forms: Vec<_> = FORMS.iter().filter(|(_, form)| has_program(form)).collect();
    let total = rounds * forms.len();
    let next = AtomicUsize::new(0);
    let late = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(number) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < total)
                {
                    let took = escape(number, forms[number % forms.len()]);
                    late.lock().expect("no panic").push(took);
                }
            });
        }
    });
    let mut late = late.into_inner().expect("no panic");
    late.sort();
    eprintln!(
        "{total} runs, 0 survivors; after the timeout of {TIMEOUT:?}: median {:?}, slowest {:?}",
        late[late.len() / 2],
        late[late.len() - 1]
    );
}

/// Runs one form; returns how long after the timeout the answer came.
fn escape(number: usize, (name, form): &(&str, &str)) -> Duration {
    let mark = format!("9{:05}{number:05}", std::process::id());
    let directory = tempfile::tempdir().expect("a scratch directory");
    let mut spec = confined(&form.replace("MARK", &mark), directory.path());
    spec.limits.timeout = Some(TIMEOUT);
    let outcome = run(&spec).expect("it starts");
    assert!(outcome.timed_out, "{name}: {outcome:?}");
    // A killed process that a loaded machine has not reaped yet is not a survivor: survivors sleep
    // for years.
    let patience = Instant::now() + Duration::from_secs(20);
    let mut left = with_argument(&mark);
    while !left.is_empty() && Instant::now() < patience {
        std::thread::yield_now();
        left = with_argument(&mark);
    }
    assert!(left.is_empty(), "{name}: {left:?}");
    outcome.elapsed.saturating_sub(TIMEOUT)
}

/// Returns the command lines that contain `mark`.
fn with_argument(mark: &str) -> Vec<String> {
    let processes = std::fs::read_dir(Path::new("/proc")).expect("there is a /proc");
    processes
        .filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .filter(|line| line.contains(mark))
        .collect()
}

/// Waits until a process with `mark` is seen: for an instant of its `exec` a process has no command
/// line.
fn wait_for(mark: &str) {
    let patience = Instant::now() + Duration::from_secs(20);
    while with_argument(mark).is_empty() {
        assert!(Instant::now() < patience, "no process has {mark}");
        std::thread::yield_now();
    }
}

/// The search for survivors finds one without confinement.
#[test]
fn a_survivor_would_be_seen() {
    let mark = format!("8{}", std::process::id());
    let mut spec = confined(&format!("exec sleep {mark}"), Path::new("/"));
    spec.confinement = None;
    let child = skill_sandbox::spawn(&spec).expect("it starts");
    wait_for(&mark);
    drop(child);
}

/// Processes that are left behind continue if that is wanted, and not for longer.
#[test]
fn what_is_left_has_its_time() {
    if !is_full("what is left has its time") {
        return;
    }
    let mark = format!("6{}", std::process::id());
    let directory = tempfile::tempdir().expect("a scratch directory");
    let line = format!("(sleep 0.1; echo x >done; exec sleep {mark}) & true");
    let mut spec = confined(&line, directory.path());
    spec.at_exit = AtExit::LeaveFor(Duration::from_secs(2));
    let outcome = run(&spec).expect("it starts");
    assert!(outcome.exit.success());
    wait_for(&mark);
    while !with_argument(&mark).is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(directory.path().join("done").exists());
}

/// A caller that needs the files of a child for itself ends what the child left behind, and notices
/// when that is gone.
fn check_lease() {
    let [directory, locks] = [(); 2].map(|()| tempfile::tempdir().expect("a scratch directory"));
    let open = |name| {
        let file = File::create(locks.path().join(name)).expect("a new file");
        Arc::new(file)
    };
    let lock = |file: &File, how| rustix::fs::flock(file, how).is_ok();
    let mark = format!("5{}", std::process::id());
    let line = format!("sleep {mark} & exec 3>&-; true");
    let mut spec = confined(&line, directory.path());
    spec.at_exit = AtExit::LeaveFor(Duration::from_hours(1));
    let (alive, ending) = (open("alive"), open("start"));
    assert!(lock(&alive, FlockOperation::LockShared));
    spec.confinement.as_mut().expect("it is confined").lease = Some(Lease { alive, ending });
    let outcome = run(&spec).expect("it starts");
    assert!(outcome.exit.success());
    drop(spec);
    let (start, alive) = (open("start"), open("alive"));
    let at_once = FlockOperation::NonBlockingLockExclusive;
    assert!(!lock(&alive, at_once), "what is left behind is there");
    wait_for(&mark);
    assert!(lock(&start, FlockOperation::LockExclusive));
    assert!(lock(&alive, FlockOperation::LockExclusive));
    let patience = Instant::now() + Duration::from_secs(20);
    while !with_argument(&mark).is_empty() {
        assert!(Instant::now() < patience, "it was ended");
        std::thread::yield_now();
    }
}

#[test]
fn what_is_left_ends_for_one_who_is_to_be_alone() {
    if is_full("a lease") {
        check_lease();
    }
}

#[test]
fn what_is_left_ends_without_namespaces_too() {
    let name = "escapes::what_is_left_ends_without_namespaces_too";
    without_namespaces(name, check_lease);
}

/// Processes that are left by a child that exits by itself are ended too.
#[test]
fn nobody_stays_behind() {
    if !is_full("what is left behind") {
        return;
    }
    let mark = format!("7{}", std::process::id());
    let directory = tempfile::tempdir().expect("a scratch directory");
    let line = format!("setsid sleep {mark} & sleep {mark} & sleep 0.1");
    let outcome = run(&confined(&line, directory.path())).expect("it starts");
    assert!(outcome.exit.success() && !outcome.timed_out);
    assert_eq!(with_argument(&mark), Vec::<String>::new());
}
