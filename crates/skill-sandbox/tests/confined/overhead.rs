//! The cost of the confinement: the same child, plain and confined, in turn. Printed, not asserted.

use std::time::{Duration, Instant};

use crate::common::{confined, setting};
use skill_sandbox::{Program, Spec, run};

/// `SKILL_SANDBOX_ROUNDS` sets the number of rounds, 20 by default.
#[test]
fn confined_and_plain_in_turn() {
    let rounds = setting("SKILL_SANDBOX_ROUNDS").unwrap_or(20);
    let directory = tempfile::tempdir().expect("a scratch directory");
    let mut confined_spec = confined("", directory.path());
    confined_spec.program = Program::Argv(vec!["/bin/true".into()]);
    let plain = Spec {
        confinement: None,
        ..confined_spec.clone()
    };
    let mut times: [Vec<Duration>; 2] = Default::default();
    for _ in 0..rounds {
        for (spec, times) in [&plain, &confined_spec].into_iter().zip(&mut times) {
            let start = Instant::now();
            let outcome = run(spec).expect("it starts");
            times.push(start.elapsed());
            assert!(outcome.exit.success(), "{outcome:?}");
        }
    }
    for times in &mut times {
        times.sort();
    }
    let [plain, confined_spec] = times.map(|times| times[times.len() / 2]);
    eprintln!("{rounds} rounds: plain {plain:?}, confined {confined_spec:?} (medians)");
}

/// Of hundreds of confined children at once, each has its own answer.
#[test]
fn two_hundred_at_once() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..setting("SKILL_SANDBOX_AT_ONCE").unwrap_or(200))
            .map(|number| {
                let spec = confined(&format!("echo {number}"), directory.path());
                scope.spawn(move || (number, run(&spec)))
            })
            .collect();
        for thread in threads {
            let (number, outcome) = thread.join().expect("no panic");
            let outcome = outcome.expect("it starts");
            assert_eq!(outcome.stdout, format!("{number}\n").as_bytes());
        }
    });
}
