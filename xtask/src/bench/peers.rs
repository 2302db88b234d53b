//! Third-party tools for the same work on the same skills, if `cargo xtask peers` has installed
//! them. They check and print different things: the time is for the result that a user of each
//! gets.

use std::ffi::OsString;
use std::fs;

use anyhow::Result;

use super::measure::{Measure, measure, median};
use super::validate::lay_out;
use super::{WorkDir, number};
use crate::repo::Repo;
use crate::{crosscheck, peers};

const N_ROUNDS: usize = 5;

/// Work that several tools do. `{one}` is a skill, `{all}` the directory of skills, `{list}` a file
/// with the path of each.
struct Work {
    name: &'static str,
    /// The fastest possible program, our tool, and then the peers: a program and its arguments.
    ways: &'static [(&'static str, &'static [&'static str])],
}

const WORKS: &[Work] = &[
    Work {
        name: "validate one skill",
        ways: &[
            ("cat", &["{one}/SKILL.md"]),
            ("skills-validate", &["{one}"]),
            ("skref", &["validate", "{one}"]),
            ("agent-skills", &["validate", "{one}"]),
            ("skills-ref", &["validate", "{one}"]),
        ],
    },
    Work {
        name: "validate all skills",
        ways: &[
            (
                "find",
                &["{all}", "-name", "SKILL.md", "-exec", "cat", "{}", "+"],
            ),
            ("skills-validate", &["{all}"]),
            // These take one skill at a time.
            ("skref", &["<each", "validate"]),
            ("agent-skills", &["<each", "validate"]),
            // In one process, so that the start of Python is paid for once.
            ("python", &["-c", PYTHON, "{list}"]),
        ],
    },
    Work {
        name: "list all skills for a prompt",
        ways: &[
            (
                "find",
                &["{all}", "-name", "SKILL.md", "-exec", "cat", "{}", "+"],
            ),
            ("skills-describe", &["{all}", "--format", "xml"]),
            ("skref", &["<all", "to-prompt"]),
            ("agent-skills", &["<all", "to-prompt"]),
            ("skills-ref", &["<all", "to-prompt"]),
        ],
    },
];

/// The work of `skills-ref validate`, for many skills.
const PYTHON: &str = "import sys, pathlib, skills_ref.validator as v
sys.exit(any([v.validate(pathlib.Path(p)) for p in open(sys.argv[1]).read().split()]))";

/// Our tools; all others are peers, or part of the system.
const OURS: &str = "skills-validate skills-describe";

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let n_skills = number(args, "--copies", 1_000)?;
    crosscheck::build(repo)?;
    let work = WorkDir::new()?;
    let skills = work.path("skills");
    for n in 0..n_skills {
        lay_out(&skills, n)?;
    }
    let list = (0..n_skills).map(|n| format!("{}/skill-{n}\n", skills.display()));
    fs::write(work.path("list"), list.collect::<String>())?;
    println!("{n_skills} skills of 2 kB, page cache warm, median of {N_ROUNDS} rounds");
    for one in WORKS {
        println!(
            "\n{:<30} {:>8} {:>8} {:>9}",
            one.name, "seconds", "÷ ours", "peak MB"
        );
        let rows = one
            .ways
            .iter()
            .map(|(tool, words)| (*tool, way(repo, &work, tool, words)));
        print!("{}", table(&rows.collect::<Vec<_>>()));
    }
    Ok(())
}

/// Returns the median, or the reason why there is none.
fn way(repo: &Repo, work: &WorkDir, tool: &str, words: &[&str]) -> Result<Measure, String> {
    let command = command(repo, work, tool, words)?;
    let rounds: Result<Vec<Measure>> = (0..N_ROUNDS)
        .map(|_| measure(&work.path("memory"), &command, &[0]))
        .collect();
    match rounds {
        Ok(rounds) => Ok(median(&rounds)),
        Err(err) => Err(format!("not comparable: {err:#}")),
    }
}

fn command(
    repo: &Repo,
    work: &WorkDir,
    tool: &str,
    words: &[&str],
) -> Result<Vec<OsString>, String> {
    let program = match tool {
        "cat" | "find" => tool.into(),
        "python" => peers::program(repo, "skills-ref").with_file_name("python"),
        _ if OURS.contains(tool) => repo.path("target/release").join(tool),
        _ => peers::program(repo, tool),
    };
    if program.is_absolute() && !program.is_file() {
        return Err("not installed: cargo xtask peers".to_owned());
    }
    let mut res: Vec<OsString> = match words.first() {
        Some(&"<each") => vec!["xargs".into(), "-n".into(), "1".into(), "-a".into()],
        Some(&"<all") => vec!["xargs".into(), "-a".into()],
        _ => Vec::new(),
    };
    let is_listed = !res.is_empty();
    if is_listed {
        res.push(work.path("list").into());
    }
    res.push(program.into());
    let words = words.iter().skip(usize::from(is_listed));
    res.extend(words.map(|word| match *word {
        "{one}" => work.path("skills/skill-0").into(),
        "{one}/SKILL.md" => work.path("skills/skill-0/SKILL.md").into(),
        "{all}" => work.path("skills").into(),
        "{list}" => work.path("list").into(),
        word => word.into(),
    }));
    Ok(res)
}

fn table(rows: &[(&str, Result<Measure, String>)]) -> String {
    let ours = rows.iter().find(|(tool, _)| OURS.contains(tool));
    let ours = ours.and_then(|(_, measure)| measure.as_ref().ok());
    let lines = rows.iter().map(|(tool, measure)| match measure {
        Ok(one) => {
            let ratio = ours.map_or(f64::NAN, |ours| one.seconds / ours.seconds);
            format!(
                "  {tool:<28} {:>8.4} {ratio:>8.2} {:>9.1}\n",
                one.seconds, one.megabytes
            )
        }
        Err(reason) => format!("  {tool:<28} {reason}\n"),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_missing_is_named() {
        let measure = |seconds| Measure {
            seconds,
            megabytes: 1.0,
        };
        let rows = [
            ("skills-validate", Ok(measure(0.5))),
            ("skref", Ok(measure(1.0))),
            ("skills-ref", Err("not installed".to_owned())),
        ];
        let text = table(&rows);
        assert!(
            text.contains("skref                          1.0000     2.00"),
            "{text}"
        );
        assert!(
            text.ends_with("  skills-ref                   not installed\n"),
            "{text}"
        );
    }
}
