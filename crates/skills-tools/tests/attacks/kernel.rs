//! Abilities that the kernel gives to every process, and machines whose kernel gives fewer.

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use skill_testing::Need;

use super::place::{CANARY, Place, answer, said};

/// Starts a program without Landlock and without namespaces, as on a machine that has neither.
const WITHOUT: &str = r"
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
step = lambda code, yes, no, value: struct.pack('HBBI', code, yes, no, value)
rules = [step(0x20, 0, 0, 0)]
for number, error in ((444, 38), (272, 1)):
    rules += [step(0x15, 0, 1, number), step(0x06, 0, 0, 0x50000 | error)]
rules.append(step(0x06, 0, 0, 0x7fff0000))
bytes_ = ctypes.create_string_buffer(b''.join(rules))
program = ctypes.create_string_buffer(struct.pack('HxxxxxxQ', len(rules), ctypes.addressof(bytes_)))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program) == 0
os.execv(sys.argv[1], sys.argv[1:])
";

#[test]
fn row_12_without_a_wall_around_files_nothing_runs() {
    let Some(place) = Place::confined(12) else {
        return;
    };
    if !cfg!(target_arch = "x86_64") {
        return super::place::skip(
            Need::Sandbox,
            12,
            "the numbers of the system calls are those of x86-64",
        );
    }
    let input = place.input("out = read('$OUT/home/.ssh/id_rsa')");
    let run = |more: &[&str]| {
        let runner = place.runner(&[&["probe", "--input", &input][..], more].concat());
        let mut python = Command::new("python3");
        python.args(["-c", WITHOUT]).arg(runner.get_program());
        python.args(runner.get_args());
        answer(&mut python)
    };
    let open = run(&["--sandbox", "none"]);
    assert_eq!(said(&open), CANARY, "the probe does not work: {open}");
    let found = run(&[]);
    assert!(!found.to_string().contains(CANARY), "{found}");
    assert_eq!(found["error"]["code"], "denied", "{found}");
}

const WATCHES: &str = r"
import ctypes, select
libc = ctypes.CDLL(None)
def watch(path):
    fd = libc.inotify_init()
    if libc.inotify_add_watch(fd, path.encode(), 0xfff) < 0:
        return 'refused'
    append('own-file', 'x')
    return os.read(fd, 4096) if select.select([fd], [], [], 3)[0] else 'nothing'
out = (watch('.'), watch('$OUT/home/.ssh'))
";

#[test]
fn row_29_a_directory_outside_cannot_be_watched() {
    let Some(place) = Place::confined(29) else {
        return;
    };
    let file = place.path("outside/home/.ssh/secret-name");
    let is_over = AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        // Files come and go for as long as the skill looks.
        scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) {
                fs::write(&file, "x").unwrap();
                fs::remove_file(&file).unwrap();
                std::thread::yield_now();
            }
        });
        let answer = place.run("probe", WATCHES, &[]);
        is_over.store(true, Ordering::SeqCst);
        said(&answer)
    });
    assert!(seen.contains("own-file"), "the probe does not work: {seen}");
    assert!(!seen.contains("secret-name"), "{seen}");
}

const FORKS: &str = r"
import time
n = 0
try:
    while n < 1500:
        if os.fork() == 0:
            for fd in (0, 1, 2):
                os.close(fd)
            time.sleep(5)
            os._exit(0)
        n += 1
except OSError:
    pass
out = n
";

#[test]
fn row_30_processes_are_bounded() {
    let Some(place) = Place::confined(30) else {
        return;
    };
    let answer = place.run("probe", FORKS, &[]);
    let n = said(&answer).parse::<usize>();
    let n = n.unwrap_or_else(|_| panic!("no number of processes: {answer}"));
    assert!(n >= 16, "the probe does not work: {answer}");
    assert!(n <= 512, "{n} processes");
}
