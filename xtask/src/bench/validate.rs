//! The time of a validation, as a multiple of `find -exec cat` over the same tree in the same
//! minute, and the cost of one skill in process.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::measure::{Measure, measure, median};
use super::{WorkDir, number, promise, ratio, row};
use crate::repo::Repo;
use crate::{crosscheck, shell};

/// The promised maximum.
const MAX_RATIO: f64 = 1.0;

/// Words for descriptions.
const WORDS: [&str; 16] = [
    "reports",
    "tables",
    "invoices",
    "charts",
    "images",
    "schedules",
    "notes",
    "indexes",
    "queries",
    "models",
    "reviews",
    "letters",
    "videos",
    "calendars",
    "contacts",
    "routes",
];

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let n_skills = number(args, "--copies", 10_000)?;
    let tool = crosscheck::build(repo)?.with_file_name("skills-validate");
    let work = WorkDir::new()?;
    let skills = work.path("skills");
    for n in 0..n_skills {
        lay_out(&skills, n)?;
    }
    println!("{n_skills} skills of 2 kB, page cache warm, median of 7 rounds");
    let (mut read, mut checked) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        read.push(cat(&work, &skills)?);
        checked.push(measure(
            &work.path("memory"),
            &[tool.clone().into(), skills.clone().into()],
            &[0],
        )?);
    }
    let (read, checked) = (median(&read), median(&checked));
    print!(
        "{:<14} {:>8} {:>8} {:>9}   promise\n{}{}",
        "what",
        "seconds",
        "÷ cat",
        "peak MB",
        row("find, cat", read, "", ""),
        row(
            "validate",
            checked,
            &ratio(checked, read),
            &promise(checked, read, MAX_RATIO, "find, cat")
        ),
    );
    shell::run(shell::cargo(repo).args([
        "run",
        "--release",
        "--quiet",
        "-p",
        "skill-validator",
        "--example",
        "cost",
    ]))
}

fn cat(work: &WorkDir, skills: &Path) -> Result<Measure> {
    let words = [
        "find".as_ref(),
        skills.as_os_str(),
        "-name".as_ref(),
        "SKILL.md".as_ref(),
        "-exec".as_ref(),
        "cat".as_ref(),
        "{}".as_ref(),
        "+".as_ref(),
    ];
    measure(&work.path("memory"), &words.map(Into::into), &[0])
}

/// Writes one skill of 2 kB.
pub(super) fn lay_out(skills: &Path, n: usize) -> Result<()> {
    let name = format!("skill-{n}");
    let directory = skills.join(&name);
    fs::create_dir_all(&directory)?;
    // Five words that few other skills have, so that descriptions differ.
    let word = |at: usize| {
        format!(
            "{}{}",
            WORDS[(n + at * 5) % WORDS.len()],
            n * 5 / 3 + at * 7
        )
    };
    let step = "## Step\n\nRun the command, read its output and mend what it complains of; then go on.\n\n";
    let text = format!(
        "---\nname: {name}\ndescription: Sorts {}, {} and {} into {}. Use when {} are asked for.\nlicense: MIT\n---\n\n# Skill {n}\n\n{}",
        word(0),
        word(1),
        word(2),
        word(3),
        word(4),
        step.repeat(21)
    );
    Ok(fs::write(directory.join("SKILL.md"), text)?)
}
