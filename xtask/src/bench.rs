//! The cost of the tools, as a multiple of the least cost of the same work in the same minute:
//! `cp -r`, `cat`, the bare start of a program.
//!
//! The table below is the list of benchmarks. Each can be run alone with its own options; all of
//! them together take about ten minutes on two idle cores.

mod build;
mod describe;
mod growth;
mod input;
mod marketplace;
mod measure;
mod migrate;
mod nats;
mod peers;
mod read;
mod record;
mod run;
mod serve;
mod start;
mod validate;

use std::path::PathBuf;
use std::{env, fs, process};

use anyhow::{Context, Result, bail, ensure};

use crate::repo::Repo;

use self::measure::Measure;

/// A benchmark.
struct Benchmark {
    name: &'static str,
    about: &'static str,
    /// Its options when all benchmarks run.
    usual: &'static [&'static str],
    /// Its options with `--quick`.
    quick: &'static [&'static str],
    run: fn(&Repo, &[String]) -> Result<()>,
}

const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "start",
        about: "the start of each tool, and its size, against the start of `true`",
        usual: &[],
        quick: &[],
        run: start::run,
    },
    Benchmark {
        name: "migrate",
        about: "a first and a second migration against `cp -r`",
        usual: &["--copies", "2000"],
        quick: &["--copies", "200", "--rounds", "3"],
        run: migrate::run,
    },
    Benchmark {
        name: "marketplace",
        about: "a migration of 100 plugins with 600 commands against `cp -r`",
        usual: &[],
        quick: &["--rounds", "1"],
        run: marketplace::run,
    },
    Benchmark {
        name: "validate",
        about: "a validation against `find -exec cat`",
        usual: &[],
        quick: &["--copies", "1000"],
        run: validate::run,
    },
    Benchmark {
        name: "read",
        about: "a catalog against `cat`, and reads in process",
        usual: &[],
        quick: &["--copies", "1000"],
        run: read::run,
    },
    Benchmark {
        name: "describe",
        about: "a search against `find -exec cat`, and builds in process",
        usual: &[],
        quick: &["--copies", "1000"],
        run: describe::run,
    },
    Benchmark {
        name: "serve",
        about: "an MCP server with one agent and with many",
        usual: &[],
        quick: &["start", "stdio"],
        run: serve::run,
    },
    Benchmark {
        name: "run",
        about: "running a skill against spawning its program",
        usual: &[],
        quick: &[],
        run: run::run,
    },
    Benchmark {
        name: "nats",
        about: "skills on other machines, and a shared migration",
        usual: &[],
        quick: &["--calls", "1000", "--directories", "500"],
        run: nats::run,
    },
    Benchmark {
        name: "build",
        about: "the build of a tool from an empty target directory",
        usual: &[],
        quick: &["--only", "skills-validate"],
        run: build::run,
    },
    Benchmark {
        name: "peers",
        about: "other validators, on the same skills",
        usual: &[],
        quick: &["--copies", "100"],
        run: peers::run,
    },
    Benchmark {
        name: "growth",
        about: "time and memory with 100 to 100,000 skills",
        usual: &[],
        quick: &["--most", "1000"],
        run: growth::run,
    },
];

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        [] => all(repo, false),
        ["--quick"] => all(repo, true),
        ["--write"] => record::write(repo, false),
        ["--quick", "--write"] | ["--write", "--quick"] => record::write(repo, true),
        ["--write", name] => record::write_one(repo, find(name)?),
        [name, ..] => (find(name)?.run)(repo, &args[1..]),
    }
}

fn find(name: &str) -> Result<&'static Benchmark> {
    match BENCHMARKS.iter().find(|one| one.name == name) {
        Some(benchmark) => Ok(benchmark),
        None => bail!("no benchmark is called `{name}`\n\n{}", usage()),
    }
}

fn usage() -> String {
    let rows = BENCHMARKS
        .iter()
        .map(|one| format!("  {:<10} {}\n", one.name, one.about));
    format!(
        "usage: cargo xtask bench [--quick] [--write]\n       cargo xtask bench --write NAME\n       cargo xtask bench NAME [OPTIONS]\n\n{}",
        rows.collect::<String>()
    )
}

/// Runs all benchmarks one after another. A failure does not stop the others.
fn all(repo: &Repo, is_quick: bool) -> Result<()> {
    let mut failed = Vec::new();
    for one in BENCHMARKS {
        println!("── {}: {} (load {})", one.name, one.about, record::load());
        let options = one.options(is_quick);
        if let Err(err) = (one.run)(repo, &options) {
            println!("failed: {err:#}");
            failed.push(one.name);
        }
        println!();
    }
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

impl Benchmark {
    fn options(&self, is_quick: bool) -> Vec<String> {
        let words = if is_quick { self.quick } else { self.usual };
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    /// Returns the command line that runs it with those options.
    fn command(&self, is_quick: bool) -> String {
        let words = ["cargo", "xtask", "bench", self.name].map(str::to_owned);
        [&words[..], &self.options(is_quick)].concat().join(" ")
    }
}

/// Returns the number after `flag`, or `usual` if there are no arguments.
fn number(args: &[String], flag: &str, usual: usize) -> Result<usize> {
    match args {
        [] => Ok(usual),
        [given, number] if given == flag => number
            .parse()
            .with_context(|| format!("`{number}` is not a number")),
        _ => bail!("the one option is {flag} N, not `{}`", args.join(" ")),
    }
}

fn row(what: &str, measure: Measure, ratio: &str, promise: &str) -> String {
    let line = format!(
        "{what:<14} {:>8.2} {ratio:>8} {:>9.1}   {promise}",
        measure.seconds, measure.megabytes
    );
    format!("{}\n", line.trim_end())
}

fn ratio(measure: Measure, base: Measure) -> String {
    format!("{:.2}", measure.seconds / base.seconds)
}

fn promise(measure: Measure, base: Measure, limit: f64, name: &str) -> String {
    let ratio = measure.seconds / base.seconds;
    let verdict = if ratio <= limit { "kept" } else { "BROKEN" };
    format!("{verdict}: {ratio:.2} × {name}, at most {limit}")
}

/// A directory that is removed on drop.
struct WorkDir(PathBuf);

impl WorkDir {
    fn new() -> Result<Self> {
        let path = env::temp_dir().join(format!("xtask-bench-{}", process::id()));
        fs::create_dir(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self(path))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        if let Err(err) = fs::remove_dir_all(&self.0) {
            println!("left behind: {}: {err}", self.0.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_benchmark_is_told_the_known_ones() {
        let err = find("speed").map(|one| one.name).unwrap_err().to_string();
        assert!(err.starts_with("no benchmark is called `speed`"));
        for one in BENCHMARKS {
            assert!(err.contains(one.about), "{}", one.name);
        }
    }

    #[test]
    fn options_belong_to_the_command() {
        let migrate = find("migrate").unwrap();
        assert_eq!(
            migrate.command(true),
            "cargo xtask bench migrate --copies 200 --rounds 3"
        );
    }

    #[test]
    fn reads_the_one_number() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        assert_eq!(number(&[], "--copies", 7).unwrap(), 7);
        assert_eq!(number(&words("--copies 90"), "--copies", 7).unwrap(), 90);
        assert!(number(&words("--copies many"), "--copies", 7).is_err());
        assert!(number(&words("--speed 3"), "--copies", 7).is_err());
    }

    #[test]
    fn a_broken_promise_is_loud() {
        let [slow, base] = [3.0, 1.0].map(|seconds| Measure {
            seconds,
            megabytes: 1.0,
        });
        assert_eq!(
            promise(slow, base, 1.5, "cp -r"),
            "BROKEN: 3.00 × cp -r, at most 1.5"
        );
        assert_eq!(
            promise(base, base, 1.5, "cp -r"),
            "kept: 1.00 × cp -r, at most 1.5"
        );
    }
}
