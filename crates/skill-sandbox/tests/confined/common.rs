//! Helpers of the tests of confined children.
#![expect(
    clippy::disallowed_methods,
    reason = "tests find interpreters and their own settings in their environment"
)]

use std::ffi::OsString;

use std::time::Duration;

use skill_sandbox::{Confinement, Launcher, Level, OpenPath, Outcome, Policy, Program, Spec, run};
use skill_testing::{Need, skip};

/// Returns a number from the environment of the tests.
pub(crate) fn setting(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

/// Returns the `PATH` of the test, so that interpreters are found on this machine.
fn path() -> OsString {
    std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into())
}

/// Returns a shell line in `directory`, which it may write.
pub(crate) fn confined(line: &str, directory: &std::path::Path) -> Spec {
    let mut spec = Spec::new(Program::Shell(line.into()), directory);
    spec.env.insert("PATH".into(), path());
    spec.env.insert("HOME".into(), directory.into());
    spec.env.insert("TMPDIR".into(), directory.into());
    spec.limits.timeout = Some(Duration::from_mins(1));
    spec.confinement = Some(Confinement {
        policy: Policy {
            write: vec![held(directory)],
            search: Some(path()),
            ..Policy::default()
        },
        at_least: Level::None,
        launcher: Launcher::at(env!("CARGO_BIN_EXE_skill-sandbox-launcher")),
        lease: None,
    });
    spec
}

/// Opens a file or directory for a policy.
pub(crate) fn held(path: impl Into<std::path::PathBuf>) -> OpenPath {
    OpenPath::open(path).expect("it is there, and no link leads to it")
}

/// Returns the policy of a confined child.
pub(crate) fn policy(spec: &mut Spec) -> &mut Policy {
    &mut spec.confinement.as_mut().expect("it is confined").policy
}

/// Returns true if this kernel can apply all restrictions; otherwise the test is skipped.
pub(crate) fn is_full(test: &str) -> bool {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let outcome: Outcome = run(&confined("true", directory.path())).expect("the launcher starts");
    let report = outcome.confinement;
    let missing = format!("{test}: {}", report.missing.join("; "));
    skip::unless_so(Need::Sandbox, report.level == Level::Full, &missing)
}

/// Set in a test that runs itself as a confined child.
const INSIDE: &str = "SKILL_SANDBOX_TEST_INSIDE";

/// Runs `body` where no namespace can be created, as on a machine without that permission: in the
/// test `name`, started again as a confined child.
pub(crate) fn without_namespaces(name: &str, body: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        return body();
    }
    if !is_full(name) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let test = std::env::current_exe().expect("a test is a program");
    let launcher = std::path::Path::new(env!("CARGO_BIN_EXE_skill-sandbox-launcher"));
    let argv = [test.as_os_str(), "--exact".as_ref(), name.as_ref()];
    let mut spec = confined("", directory.path());
    spec.program = Program::Argv(argv.map(OsString::from).to_vec());
    spec.env.insert(INSIDE.into(), "1".into());
    policy(&mut spec).network = skill_sandbox::Network::Any;
    policy(&mut spec).read = vec![held(&test), held(launcher)];
    policy(&mut spec)
        .write
        .push(held(env!("CARGO_TARGET_TMPDIR")));
    let outcome = run(&spec).expect("it starts");
    let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let said = said + &String::from_utf8_lossy(&outcome.stderr);
    assert!(
        outcome.exit.success() && said.contains("1 passed"),
        "{said}"
    );
}
