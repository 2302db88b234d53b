//! The time of a catalog, as a multiple of `cat` of the same files in the same minute, and the cost
//! of a reload and a read in process.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::measure::{Measure, measure, median};
use super::validate::lay_out;
use super::{WorkDir, number, promise, ratio, row};
use crate::repo::Repo;
use crate::{crosscheck, shell};

/// The promised maximum.
const MAX_RATIO: f64 = 2.5;

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let n_skills = number(args, "--copies", 10_000)?;
    let tool = crosscheck::build(repo)?.with_file_name("skills-read");
    let work = WorkDir::new()?;
    let skills = work.path("skills");
    for n in 0..n_skills {
        lay_out(&skills, n)?;
    }
    let files = (0..n_skills).map(|n| format!("{}/skill-{n}/SKILL.md\n", skills.display()));
    fs::write(work.path("files"), files.collect::<String>())?;
    println!("{n_skills} skills of 2 kB, page cache warm, median of 7 rounds");
    let (mut read, mut listed) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        read.push(cat(&work)?);
        listed.push(list(&work, &tool, &skills)?);
    }
    print!("{}", table(median(&read), median(&listed)));
    shell::run(shell::cargo(repo).args([
        "run",
        "--release",
        "--quiet",
        "-p",
        "skill-loader",
        "--example",
        "read_cost",
        "--",
        &skills.to_string_lossy(),
    ]))
}

fn table(read: Measure, listed: Measure) -> String {
    format!(
        "{:<14} {:>8} {:>8} {:>9}   promise\n{}{}",
        "what",
        "seconds",
        "÷ cat",
        "peak MB",
        row("cat", read, "", ""),
        row(
            "catalog",
            listed,
            &ratio(listed, read),
            &promise(listed, read, MAX_RATIO, "cat")
        ),
    )
}

/// Reads the files without searching for them.
fn cat(work: &WorkDir) -> Result<Measure> {
    let files = work.path("files");
    let words = [
        "xargs".into(),
        "-a".into(),
        files.into_os_string(),
        "cat".into(),
    ];
    measure(&work.path("memory"), &words, &[0])
}

fn list(work: &WorkDir, tool: &Path, skills: &Path) -> Result<Measure> {
    let words = [
        tool.into(),
        "--list".into(),
        "--max-directories".into(),
        "1000000".into(),
        "--skills".into(),
        skills.into(),
    ];
    measure(&work.path("memory"), &words, &[0])
}
