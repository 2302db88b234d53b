//! A root that is built before the job is known equals the root that the job would have got.

use std::path::Path;
use std::time::Duration;

use skill_sandbox::{Host, HostPort, Network, Spec, run};

use crate::common::{confined, held, is_full, policy};

/// Lists everything that is mounted, with its flags, and everything in the root itself. If that is
/// the root of the machine, other processes create files in it meanwhile.
const VIEW: &str = "cut -d' ' -f4-6 /proc/self/mountinfo | sort
    case $(stat -f -c %T /) in tmpfs) find / -xdev -maxdepth 3 | sort; echo own;; esac";

type Change = fn(&mut Spec);

const CHANGES: &[(&str, Change)] = &[
    ("the same job", |_| {}),
    ("another program", |spec| {
        policy(spec).programs = vec!["python3".into(), "node".into()];
    }),
    ("no other program", |spec| policy(spec).search = None),
    ("what lies around places of the system", |spec| {
        policy(spec).read = vec![held("/etc")];
    }),
    ("what lies around them, to be written", |spec| {
        policy(spec).write.push(held("/usr"));
    }),
    ("what lies in them", |spec| {
        policy(spec).write.push(held("/usr/share"));
    }),
    ("the real /tmp", |spec| {
        policy(spec).write.push(held("/tmp"));
    }),
    ("everything", |spec| policy(spec).write.push(held("/"))),
    ("an allow-list", listed),
];

fn listed(spec: &mut Spec) {
    let host = Host::Name("localhost".to_owned());
    policy(spec).network = Network::Hosts(vec![HostPort { host, port: 9 }]);
}

fn view(directory: &Path, change: Change) -> String {
    let mut spec = confined(VIEW, directory);
    change(&mut spec);
    let outcome = run(&spec).expect("it starts");
    let mut said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    said += &outcome.confinement.missing.join("\n");
    said
}

/// Each kind of job sees the same after a job of another kind, after one of its own kind, and after
/// one with a relay, for which nothing is prepared.
#[test]
fn every_job_gets_its_own_root() {
    if !is_full("roots built ahead") {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    for (name, change) in CHANGES {
        view(directory.path(), listed);
        let expected = view(directory.path(), *change);
        let has_names = expected.ends_with("\nown\n");
        assert_eq!(has_names, *name != "everything", "{name}: {expected}");
        assert_eq!(view(directory.path(), *change), expected, "{name}, again");
        view(directory.path(), |_| {});
        assert_eq!(
            view(directory.path(), *change),
            expected,
            "{name}, after another"
        );
    }
}

/// A root that was built for a job that did not arrive is not used for a later one.
#[test]
fn a_root_does_not_grow_old() {
    if !is_full("roots built ahead, and left") {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let expected = view(directory.path(), |_| {});
    view(directory.path(), |_| {});
    // Longer than a prepared root is kept.
    std::thread::sleep(Duration::from_millis(2500));
    assert_eq!(view(directory.path(), |_| {}), expected);
}

/// Mounts beneath a path of the system cannot be changed either.
#[test]
fn inner_mounts_are_restricted() {
    if !is_full("inner mounts") {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    for _ in 0..3 {
        let view = view(directory.path(), |_| {});
        let mut fields = view.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let changeable = fields.find(|fields| {
            let is_system = fields.len() == 3
                && ["/usr", "/sys", "/etc"]
                    .iter()
                    .any(|at| Path::new(fields[1]).starts_with(at));
            is_system && !fields[2].starts_with("ro,nosuid,nodev")
        });
        assert_eq!(changeable, None, "{view}");
    }
}
