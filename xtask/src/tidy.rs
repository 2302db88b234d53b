//! The repository rules that no compiler checks, one file each.
//!
//! A rule examines the checkout and returns problems; an empty list means success. A rule that
//! cannot run is a problem like any other.

mod ci_script;
pub(crate) mod circles;
mod citations;
mod crate_docs;
mod dependencies;
mod fixtures;
mod forbidden;
mod generated;
mod language;
mod layers;
mod links;
mod lockfile;
mod paths;
mod size;
mod skips;
mod snapshots;
mod test_modules;
mod tools;
mod translations;

use anyhow::{Result, ensure};

use crate::repo::Repo;

struct Rule {
    name: &'static str,
    check: fn(&Repo) -> Result<Vec<String>>,
}

const RULES: &[Rule] = &[
    Rule {
        name: "layers",
        check: layers::check,
    },
    Rule {
        name: "circles",
        check: circles::check,
    },
    Rule {
        name: "test-modules",
        check: test_modules::check,
    },
    Rule {
        name: "forbidden",
        check: forbidden::check,
    },
    Rule {
        name: "size",
        check: size::check,
    },
    Rule {
        name: "tools",
        check: tools::check,
    },
    Rule {
        name: "translations",
        check: translations::check,
    },
    Rule {
        name: "lockfile",
        check: lockfile::check,
    },
    Rule {
        name: "dependencies",
        check: dependencies::check,
    },
    Rule {
        name: "snapshots",
        check: snapshots::check,
    },
    Rule {
        name: "skips",
        check: skips::check,
    },
    Rule {
        name: "crate-docs",
        check: crate_docs::check,
    },
    Rule {
        name: "ci-script",
        check: ci_script::check,
    },
    Rule {
        name: "links",
        check: links::check,
    },
    Rule {
        name: "language",
        check: language::check,
    },
    Rule {
        name: "citations",
        check: citations::check,
    },
    Rule {
        name: "paths",
        check: paths::check,
    },
    Rule {
        name: "fixtures",
        check: fixtures::check,
    },
    Rule {
        name: "generated",
        check: |repo| Ok(generated::check(repo)),
    },
];

pub(crate) fn run(repo: &Repo, _args: &[String]) -> Result<()> {
    let mut n_problems = 0;
    for rule in RULES {
        let problems = (rule.check)(repo).unwrap_or_else(|err| vec![format!("{err:#}")]);
        for problem in &problems {
            println!("{}: {problem}", rule.name);
        }
        n_problems += problems.len();
    }
    ensure!(n_problems == 0, "tidy found {n_problems} problem(s)");
    println!("   {} rules hold", RULES.len());
    Ok(())
}
