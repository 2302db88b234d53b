//! The time of a migration, as a multiple of copying the same tree in the same minute.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::measure::{Measure, measure, median};
use super::{WorkDir, input, promise, ratio, row};
use crate::repo::Repo;
use crate::{crosscheck, shell};

/// The promised maximum.
const MAX_FIRST: f64 = 1.5;
const MAX_SECOND: f64 = 0.3;
const MAX_MEMORY_MB: f64 = 150.0;

#[derive(Debug, PartialEq)]
struct Options {
    copies: usize,
    rounds: usize,
}

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let options = parse(args)?;
    let lay_out = |plugins: &Path| input::lay_out(repo, plugins, options.copies);
    compare(repo, options.rounds, &lay_out)
}

/// Compares migrations of a directory, which `lay_out` fills, with copies of it. `lay_out` returns
/// what it wrote.
pub(super) fn compare(
    repo: &Repo,
    n_rounds: usize,
    lay_out: &dyn Fn(&Path) -> Result<String>,
) -> Result<()> {
    let tool = crosscheck::build(repo)?;
    let work = WorkDir::new()?;
    let origin = lay_out(&work.path("plugins"))?;
    println!("{origin}; {n_rounds} rounds, page cache warm, median");
    let times = rounds(repo, &tool, &work, n_rounds)?;
    print!("{}", table(&times));
    Ok(())
}

fn parse(args: &[String]) -> Result<Options> {
    let mut res = Options {
        copies: 5000,
        rounds: 3,
    };
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut rest = &words[..];
    while let [flag, value, tail @ ..] = rest {
        let number = value
            .parse()
            .with_context(|| format!("`{value}` is not a number"))?;
        match *flag {
            "--copies" => res.copies = number,
            "--rounds" => res.rounds = number,
            _ => bail!("bench migrate knows --copies and --rounds, not `{flag}`"),
        }
        rest = tail;
    }
    match rest {
        [] => Ok(res),
        [flag, ..] => bail!("`{flag}` lacks its number"),
    }
}

/// One list per row of the table.
#[derive(Default)]
struct Times {
    copy: Vec<Measure>,
    /// Copies of the output: no program that writes it takes less.
    copy_of_output: Vec<Measure>,
    first: Vec<Measure>,
    second: Vec<Measure>,
}

/// Measures all rounds. Each writes directories of its own, which are removed at the end: after a removal,
/// ext4 takes longer to create files.
fn rounds(repo: &Repo, tool: &Path, work: &WorkDir, n_rounds: usize) -> Result<Times> {
    let mut res = Times::default();
    let plugins = work.path("plugins");
    copy(repo, work, &plugins, &work.path("warm"))?;
    for round in 0..n_rounds {
        let copied = work.path(&format!("copy-{round}"));
        if round % 2 == 0 {
            res.copy.push(copy(repo, work, &plugins, &copied)?);
        }
        let skills = work.path(&format!("skills-{round}"));
        res.first.push(migrate(repo, tool, work, &skills)?);
        res.second.push(migrate(repo, tool, work, &skills)?);
        let output = work.path(&format!("output-{round}"));
        res.copy_of_output.push(copy(repo, work, &skills, &output)?);
        if round % 2 == 1 {
            res.copy.push(copy(repo, work, &plugins, &copied)?);
        }
    }
    Ok(res)
}

fn copy(repo: &Repo, work: &WorkDir, from: &Path, to: &Path) -> Result<Measure> {
    let words = ["cp".into(), "-r".into(), from.into(), to.into()];
    shell::run(&mut shell::program(repo, "sync"))?;
    measure(&work.path("memory"), &words, &[0])
}

fn migrate(repo: &Repo, tool: &Path, work: &WorkDir, skills: &Path) -> Result<Measure> {
    let mut words = vec![
        tool.into(),
        work.path("plugins").into(),
        "--out".into(),
        skills.into(),
    ];
    words.push("--quiet".into());
    shell::run(&mut shell::program(repo, "sync"))?;
    measure(&work.path("memory"), &words, &[0, 1])
}

fn table(times: &Times) -> String {
    let copy = median(&times.copy);
    let output = median(&times.copy_of_output);
    let first = median(&times.first);
    let second = median(&times.second);
    let rows = [
        row("cp -r", copy, "", ""),
        row("cp -r, output", output, &ratio(output, copy), ""),
        row(
            "first run",
            first,
            &ratio(first, copy),
            &promise(first, copy, MAX_FIRST, "cp -r"),
        ),
        row(
            "again",
            second,
            &ratio(second, copy),
            &promise(second, first, MAX_SECOND, "first run"),
        ),
    ];
    format!(
        "{:<14} {:>8} {:>8} {:>9}   promise\n{}{}",
        "what",
        "seconds",
        "÷ cp -r",
        "peak MB",
        rows.concat(),
        memory(first.megabytes.max(second.megabytes)),
    )
}

fn memory(megabytes: f64) -> String {
    let verdict = match megabytes {
        0.0 => "not measured, /usr/bin/time is missing",
        mb if mb <= MAX_MEMORY_MB => "kept",
        _ => "BROKEN",
    };
    format!("memory: {verdict}, at most {MAX_MEMORY_MB} MB\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn reads_options() {
        let options = parse(&words("--copies 90 --rounds 1")).unwrap();
        assert_eq!(
            options,
            Options {
                copies: 90,
                rounds: 1
            }
        );
        assert_eq!(
            parse(&words("")).unwrap(),
            Options {
                copies: 5000,
                rounds: 3
            }
        );
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert!(parse(&words("--copies")).is_err());
        assert!(parse(&words("--speed 3")).is_err());
    }
}
