//! The needs that tests may not skip on this machine, and the list of what they skipped.
//!
//! A need is required when this machine has it: a test that skips all the same is then an error,
//! so that a passing run has run what it could. A person can set `SKILLS_TEST_REQUIRE` instead.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use skill_testing::{Need, find, skip};

use crate::repo::Repo;
use crate::{nats_server, shell};

/// The file in which the tests record what they skip.
const SKIPPED: &str = "target/skipped-tests.txt";

/// The reference corpora, all of which must be there for the need to be required.
const CORPORA: [&str; 4] = [
    "corpus/vcp",
    "eval/routing",
    "eval/conformance",
    "torture/naughty-strings",
];

/// Returns the words for `SKILLS_TEST_REQUIRE`: those of the environment, or what is found here.
pub(super) fn required(repo: &Repo) -> Result<String> {
    if let Ok(words) = env::var(skip::REQUIRE) {
        return Ok(words);
    }
    let mut words = Vec::new();
    for need in Need::ALL {
        if is_met(repo, *need)? {
            words.push(need.word());
        }
    }
    Ok(words.join(","))
}

fn is_met(repo: &Repo, need: Need) -> Result<bool> {
    let works =
        |program: &str, args: &[&str]| shell::works(shell::program(repo, program).args(args));
    Ok(match need {
        Need::Nats => nats_server::get(repo)?.is_some(),
        Need::Node => works("node", &["--version"]),
        Need::Python => works("python3", &["-c", "import yaml"]),
        Need::Sandbox => works("unshare", &["-Urmpnf", "true"]),
        Need::Browser => find::BROWSERS.iter().any(|path| Path::new(path).exists()),
        Need::Corpora => repo
            .shared()
            .is_some_and(|shared| CORPORA.iter().all(|path| shared.join(path).exists())),
        Need::Clients => ["python", "node"]
            .iter()
            .all(|kind| repo.has(&format!("target/clients/{kind}.installed"))),
        Need::Strace => works("strace", &["-qq", "-o", "/dev/null", "true"]),
        Need::Zones => Path::new("/usr/share/zoneinfo/Asia/Shanghai").exists(),
        // Interpreters that hardly any machine has all of.
        Need::Programs => false,
    })
}

/// Empties the record and returns its path.
pub(super) fn begin(repo: &Repo) -> Result<PathBuf> {
    let path = repo.path(SKIPPED);
    fs::create_dir_all(repo.path("target"))?;
    fs::write(&path, "").with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// Prints which tests were skipped, and why.
pub(super) fn report(repo: &Repo) {
    if let Ok(record) = repo.read(SKIPPED) {
        print!("{}", summary(&record));
    }
}

/// One line for each reason, then the tests that it stopped.
fn summary(record: &str) -> String {
    let mut reasons: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for line in record.lines() {
        if let [test, need, reason] = line.splitn(3, '\t').collect::<Vec<_>>()[..] {
            reasons.entry((need, reason)).or_default().insert(test);
        }
    }
    if reasons.is_empty() {
        return "no test was skipped\n".to_owned();
    }
    let mut res = String::from("skipped tests:\n");
    for ((need, reason), tests) in reasons {
        let remedy = Need::from_word(need).map_or("", Need::remedy);
        let _ = writeln!(res, "   {need}: {reason} ({remedy})");
        for test in tests {
            let _ = writeln!(res, "      {test}");
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_are_grouped_by_reason() {
        let record = "a one\tnode\tthere is none\nb two\tnode\tthere is none\n\
                      a one\tnode\tthere is none\nc\tstrace\tit may not\ttrace\n";
        let expected = "skipped tests:\n   \
                        node: there is none (install Node.js 22 or later)\n      \
                        a one\n      b two\n   \
                        strace: it may not\ttrace (apt-get install strace, and allow ptrace)\n      \
                        c\n";
        assert_eq!(summary(record), expected);
    }

    #[test]
    fn a_run_without_skips_says_so() {
        assert_eq!(summary(""), "no test was skipped\n");
    }
}
