//! The scenarios of the official conformance suite.

use anyhow::{Context, Result, ensure};

use super::collection::Collection;
use super::install::Installed;

const SESSIONS: &str = "2025-11-25";
const STATELESS: &str = "2026-07-28";
const BOTH: &[&str] = &[SESSIONS, STATELESS];

/// A scenario and the revisions that have it.
type Scenario = (&'static str, &'static [&'static str]);

/// The scenarios about skills.
pub(super) const SKILLS: [Scenario; 3] = [
    ("sep-2640-skills-directory", BOTH),
    ("sep-2640-skills-enumeration", BOTH),
    ("sep-2640-skills-manifest", BOTH),
];

/// The scenarios that any server can pass. The others call tools, prompts and resources that only
/// the suite's own test server has, or test features that this server does not have.
pub(super) const CORE: [Scenario; 14] = [
    ("server-initialize", &[SESSIONS]),
    ("server-session-lifecycle", &[SESSIONS]),
    ("ping", &[SESSIONS]),
    ("logging-set-level", &[SESSIONS]),
    ("tools-list", BOTH),
    ("resources-list", BOTH),
    ("prompts-list", BOTH),
    ("completion-complete", BOTH),
    ("server-sse-multiple-streams", BOTH),
    ("dns-rebinding-protection", BOTH),
    ("sep-2164-resource-not-found", &[STATELESS]),
    ("caching", &[STATELESS]),
    ("http-header-validation", &[STATELESS]),
    ("input-required-result-unsupported-methods", &[STATELESS]),
];

/// The checks that fail, with the words of the reason that the suite gives.
const KNOWN: [(&str, &str, usize, &str); 4] = [
    (
        "server-stateless",
        STATELESS,
        4,
        "Not testable: server does not list the diagnostic tool",
    ),
    (
        "resources-templates-read",
        SESSIONS,
        1,
        "no resource is served at test://template/123/data",
    ),
    (
        "prompts-get-simple",
        SESSIONS,
        1,
        "no prompt is called `test_simple_prompt`",
    ),
    ("resources-subscribe", SESSIONS, 1, "resources/subscribe"),
];

/// Runs scenarios, all checks of which must pass.
pub(super) fn pass(
    agent: &Installed,
    skills: &Collection,
    scenarios: &[Scenario],
) -> Result<String> {
    let (mut n_scenarios, mut n_checks) = (0, 0);
    for (name, revisions) in scenarios {
        for revision in *revisions {
            let text = scenario(agent, skills, name, revision)?;
            let (passed, all) = result(&text).with_context(|| format!("{name}: {text}"))?;
            ensure!(
                passed == all && all > 0,
                "{name} in {revision}: {passed} of {all} checks pass\n{text}"
            );
            n_scenarios += 1;
            n_checks += all;
        }
    }
    Ok(format!(
        "{n_scenarios} runs of scenarios, all {n_checks} checks pass"
    ))
}

/// Runs the scenarios with known failures. Others, or fewer, are an error.
pub(super) fn known(agent: &Installed, skills: &Collection) -> Result<String> {
    let mut n_failures = 0;
    for (name, revision, expected, reason) in KNOWN {
        let text = scenario(agent, skills, name, revision)?;
        let (passed, all) = result(&text).with_context(|| format!("{name}: {text}"))?;
        let found = all - passed;
        ensure!(
            found == expected && text.contains(reason),
            "{name} in {revision}: {found} checks fail, expected {expected} with `{reason}`\n{text}"
        );
        n_failures += found;
    }
    Ok(format!(
        "{n_failures} checks of {} scenarios fail as expected: they need fixtures of a test server, or subscriptions, which this server does not offer",
        KNOWN.len()
    ))
}

/// Returns the checks that passed, and all checks, of `Passed: 3/4, 1 failed, 0 warnings`.
fn result(text: &str) -> Option<(usize, usize)> {
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("Passed: "))?;
    let (passed, all) = line.split_once(',')?.0.split_once('/')?;
    Some((passed.parse().ok()?, all.parse().ok()?))
}

/// Runs a scenario of the conformance suite and returns its output.
fn scenario(agent: &Installed, skills: &Collection, name: &str, revision: &str) -> Result<String> {
    let mut command = agent.program("conformance", &skills.home, &skills.place);
    command.args(["server", "--url", skills.url(), "--scenario", name]);
    command.args(["--spec-version", revision]);
    if name.starts_with("sep-2640") {
        command.arg("--force");
    }
    let output = command.output().context("cannot start the suite")?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_read() {
        assert_eq!(
            result("a\nPassed: 24/28, 4 failed, 2 warnings\n"),
            Some((24, 28))
        );
        assert_eq!(result("SKIPPED: not applicable"), None);
    }
}
