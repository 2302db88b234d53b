//! The time of a whole `skills-describe --query` with its index on disk, as a multiple of reading
//! the same files, and the cost of builds and searches in process.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::measure::{Measure, measure, median};
use super::{WorkDir, number, row};
use crate::repo::Repo;
use crate::{crosscheck, shell};

/// The promised maximum for 10,000 skills, in seconds.
const MAX_SECONDS: f64 = 0.030;
const N_ROUNDS: usize = 9;

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let n_skills = number(args, "--copies", 10_000)?;
    let tool = crosscheck::build(repo)?.with_file_name("skills-describe");
    let work = WorkDir::new()?;
    let skills = work.path("skills");
    fs::create_dir(&skills)?;
    let (dir, number) = (skills.to_string_lossy(), n_skills.to_string());
    example(repo, &["--write", &dir, &number])?;
    let (mut read, mut first, mut again) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..N_ROUNDS {
        read.push(find_cat(&work, &skills)?);
        first.push(describe(&work, &tool, &skills, "--no-index")?);
        again.push(describe(&work, &tool, &skills, "--verbose")?);
    }
    println!("{n_skills} skills, page cache warm, median of {N_ROUNDS} rounds");
    print!("{}", table(median(&read), median(&first), median(&again)));
    example(repo, &[])
}

fn table(read: Measure, first: Measure, again: Measure) -> String {
    let ratio = |one: Measure| format!("{:.2}", one.seconds / read.seconds);
    let verdict = if again.seconds <= MAX_SECONDS {
        "kept"
    } else {
        "BROKEN"
    };
    let promise = format!("{verdict}: {:.3} s, at most {MAX_SECONDS}", again.seconds);
    format!(
        "{:<14} {:>8} {:>8} {:>9}   promise\n{}{}{}",
        "what",
        "seconds",
        "÷ cat",
        "peak MB",
        row("find -exec cat", read, "", ""),
        row("without index", first, &ratio(first), ""),
        row("with index", again, &ratio(again), &promise),
    )
}

fn find_cat(work: &WorkDir, skills: &Path) -> Result<Measure> {
    let mut words = vec!["find".into(), skills.into()];
    words.extend(["-name", "SKILL.md", "-exec", "cat", "{}", "+"].map(Into::into));
    measure(&work.path("memory"), &words, &[0])
}

fn describe(work: &WorkDir, tool: &Path, skills: &Path, how: &str) -> Result<Measure> {
    let words = [
        tool.into(),
        skills.into(),
        "--query".into(),
        "minter stapre loquadel of the kavi".into(),
        "--cache-home".into(),
        work.path("").into(),
        how.into(),
    ];
    measure(&work.path("memory"), &words, &[0])
}

fn example(repo: &Repo, args: &[&str]) -> Result<()> {
    let build = [
        "run",
        "--release",
        "--quiet",
        "-p",
        "skill-search",
        "--example",
    ];
    shell::run(
        shell::cargo(repo)
            .args(build)
            .args(["search_cost", "--"])
            .args(args),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_promise_is_loud() {
        let [slow, quick] = [0.2, 0.02].map(|seconds| Measure {
            seconds,
            megabytes: 1.0,
        });
        assert!(table(slow, slow, slow).contains("BROKEN: 0.200 s, at most 0.03"));
        assert!(table(slow, slow, quick).contains("kept: 0.020 s, at most 0.03"));
    }
}
