//! Time and memory of growing collections: from 100 skills to 100,000, each tool as a separate
//! process.
//!
//! If the time per skill grows with the number of skills, the row reports it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};

use super::measure::{Measure, measure, median};
use super::serve::{megabytes, stdio};
use super::validate::lay_out;
use super::{WorkDir, input, number};
use crate::crosscheck;
use crate::repo::Repo;

const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];
/// A row that is expected to take longer is skipped, in seconds.
const MAX_SECONDS: f64 = 900.0;
/// From this number of skills, and by this factor per skill, growth counts as more than linear.
/// Below it the start of the process dominates.
const MIN_SKILLS: usize = 10_000;
const MAX_FACTOR: f64 = 1.5;

/// A measurement that is repeated at every size.
struct Subject {
    name: &'static str,
    run: fn(&Place) -> Result<Measure>,
}

const SUBJECTS: &[Subject] = &[
    Subject {
        name: "find -exec cat",
        run: |place| place.measure(&place.find_cat()),
    },
    Subject {
        name: "validate",
        run: |place| place.measure(&place.tool("skills-validate", &["{skills}"])),
    },
    Subject {
        name: "read --list",
        run: |place| place.measure(&place.tool("skills-read", READ)),
    },
    Subject {
        name: "describe, no index",
        run: |place| place.describe(&["--no-index"], false),
    },
    Subject {
        name: "describe, new index",
        run: |place| place.describe(&["--index", "{index}"], true),
    },
    Subject {
        name: "describe, old index",
        run: |place| place.describe(&["--index", "{index}"], false),
    },
    Subject {
        name: "serve, first answer",
        run: Place::serve,
    },
    Subject {
        name: "migrate",
        run: Place::migrate,
    },
];

const READ: &[&str] = &[
    "--list",
    "--max-directories",
    "1000000",
    "--skills",
    "{skills}",
];

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let most = number(args, "--most", SIZES[SIZES.len() - 1])?;
    let tools = crosscheck::build(repo)?.with_file_name("");
    let place = Place {
        work: WorkDir::new()?,
        tools,
    };
    println!(
        "skills of 2 kB, plugins of our fixtures; page cache warm; median of 3, of 1 above 10,000"
    );
    println!(
        "{:<20} {:>8} {:>9} {:>9} {:>9}",
        "what", "skills", "seconds", "µs/skill", "peak MB"
    );
    let mut before: Vec<Option<Row>> = vec![None; SUBJECTS.len()];
    let mut laid_out = 0;
    for size in SIZES.into_iter().filter(|size| *size <= most) {
        for n in laid_out..size {
            lay_out(&place.skills(), n)?;
        }
        laid_out = size;
        for (subject, before) in SUBJECTS.iter().zip(&mut before) {
            *before = place.row(repo, subject, size, *before)?;
        }
    }
    Ok(())
}

/// The part of a measurement that the next larger one needs.
#[derive(Clone, Copy)]
struct Row {
    size: usize,
    seconds: f64,
}

impl Row {
    /// Returns the seconds per skill.
    fn one_skill(self) -> f64 {
        self.seconds / count(self.size)
    }
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn count(size: usize) -> f64 {
    size as f64
}

/// The directories of the skills and the tools.
struct Place {
    work: WorkDir,
    tools: PathBuf,
}

impl Place {
    fn skills(&self) -> PathBuf {
        self.work.path("skills")
    }

    /// Measures, prints and returns a row; `None` if it would take too long.
    fn row(
        &self,
        repo: &Repo,
        subject: &Subject,
        size: usize,
        before: Option<Row>,
    ) -> Result<Option<Row>> {
        let is_first = size == SIZES[0];
        let expected = before.map(|row| row.one_skill() * count(size));
        if !is_first && expected.is_none_or(|seconds| seconds > MAX_SECONDS) {
            println!(
                "{:<20} {size:>8}   not run: more than {MAX_SECONDS:.0} s expected",
                subject.name
            );
            return Ok(None);
        }
        if subject.name == "migrate" {
            // The fixtures are small: a hundred thousand of the real plugins would fill a disk.
            let plugins = self.work.path("plugins");
            remove(&plugins)?;
            input::repeat_fixtures(repo, &plugins, size)?;
        }
        let n_rounds = if size > MIN_SKILLS { 1 } else { 3 };
        let rounds: Result<Vec<Measure>> = (0..n_rounds).map(|_| (subject.run)(self)).collect();
        let measure = median(&rounds.with_context(|| format!("{} with {size}", subject.name))?);
        let row = Row {
            size,
            seconds: measure.seconds,
        };
        println!("{}", shown(subject.name, row, measure.megabytes, before));
        Ok(Some(row))
    }

    fn measure(&self, words: &[OsString]) -> Result<Measure> {
        measure(&self.work.path("memory"), words, &[0, 1])
    }

    fn tool(&self, name: &str, words: &[&str]) -> Vec<OsString> {
        let words = words.iter().map(|word| match *word {
            "{skills}" => self.skills().into(),
            "{index}" => self.work.path("index").into(),
            word => word.into(),
        });
        [self.tools.join(name).into()]
            .into_iter()
            .chain(words)
            .collect()
    }

    fn find_cat(&self) -> Vec<OsString> {
        let mut words = vec!["find".into(), self.skills().into()];
        words.extend(["-name", "SKILL.md", "-exec", "cat", "{}", "+"].map(Into::into));
        words
    }

    fn describe(&self, how: &[&str], is_new: bool) -> Result<Measure> {
        if is_new {
            remove(&self.work.path("index"))?;
        }
        let words = [&["{skills}", "--query", "sort these invoices"], how].concat();
        self.measure(&self.tool("skills-describe", &words))
    }

    /// Measures until the server has returned the first skill, including everything that it reads
    /// before.
    fn serve(&self) -> Result<Measure> {
        let start = Instant::now();
        let mut agent = stdio::Agent::start(&self.tools.join("skills-serve"), &self.skills())?;
        agent.first()?;
        let seconds = start.elapsed().as_secs_f64();
        let megabytes = megabytes(agent.pid(), "VmHWM")?;
        agent.end()?;
        Ok(Measure { seconds, megabytes })
    }

    fn migrate(&self) -> Result<Measure> {
        let out = self.work.path("migrated");
        remove(&out)?;
        let plugins = self.work.path("plugins");
        let words = [plugins.as_os_str(), "--out".as_ref(), out.as_os_str()];
        let mut words = words.map(Into::into).to_vec();
        words.push("--quiet".into());
        words.insert(0, self.tools.join("skills-migrate").into());
        let res = self.measure(&words);
        remove(&out)?;
        res
    }
}

fn shown(name: &str, row: Row, megabytes: f64, before: Option<Row>) -> String {
    let factor = before.map(|before| row.one_skill() / before.one_skill());
    let note = match factor {
        Some(factor) if row.size >= MIN_SKILLS && factor > MAX_FACTOR => {
            format!("   more than linear: {factor:.1} × for one skill")
        }
        _ => String::new(),
    };
    format!(
        "{name:<20} {:>8} {:>9.3} {:>9.1} {megabytes:>9.1}{note}",
        row.size,
        row.seconds,
        row.one_skill() * 1e6
    )
}

/// Removes a file or a directory if it exists.
fn remove(path: &Path) -> Result<()> {
    let res = if path.is_dir() {
        fs::remove_dir_all(path)
    } else if path.exists() {
        fs::remove_file(path)
    } else {
        Ok(())
    };
    res.with_context(|| format!("cannot remove {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_growth_is_more_than_linear() {
        let check = |before: (usize, f64), size, seconds| {
            let [before, row] =
                [before, (size, seconds)].map(|(size, seconds)| Row { size, seconds });
            shown("x", row, 1.0, Some(before)).contains("more than linear")
        };
        assert!(check((1_000, 1.0), 10_000, 16.0));
        assert!(!check((1_000, 1.0), 10_000, 14.0));
        assert!(!check((100, 1.0), 1_000, 99.0), "mostly the start");
    }
}
