//! Programs that install skills, from a directory and from the index that `skills-serve` serves.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::Agent;
use super::collection::{Collection, directories};
use super::install::{Installed, Package};
use crate::shell;

pub(super) const SKILLS: Package = Package::Npm("skills@1.7.4");

pub(super) const AGENTS: &[Agent] = &[
    Agent {
        name: "skills",
        package: SKILLS,
        way: "`npx skills add DIR --list`",
        is_small: true,
        check: list,
    },
    Agent {
        name: "skills",
        package: SKILLS,
        way: "`npx skills add URL`, from the index of `skills-serve`",
        is_small: true,
        check: install_from_index,
    },
    Agent {
        name: "openskills",
        package: Package::Npm("openskills@1.5.0"),
        way: "`.claude/skills`, `openskills list`",
        is_small: true,
        check: openskills,
    },
];

fn list(agent: &Installed, skills: &Collection) -> Result<String> {
    let mut command = agent.program("skills", &skills.home, &skills.place);
    command
        .arg("add")
        .arg(skills.project.join(".agents/skills"))
        .arg("--list");
    let text = shell::capture(&mut command)?;
    let listed = text
        .split_once("Available Skills")
        .map_or("", |(_, listed)| listed);
    // A name has four blanks before it, a description six.
    let name = |line: &str| {
        let name = line.strip_prefix("│    ")?.trim_end();
        let is_name = !name.is_empty() && !name.starts_with(' ');
        is_name.then(|| name.to_owned())
    };
    skills.compare(&listed.lines().filter_map(name).collect())
}

fn install_from_index(agent: &Installed, skills: &Collection) -> Result<String> {
    let (home, project) = skills.fresh("installed")?;
    install_for(agent, skills.url(), "codex", &home, &project)?;
    skills.compare_served(&directories(&project.join(".agents/skills"))?)
}

/// Installs all skills of a server for an agent into a project.
pub(super) fn install_for(
    skills: &Installed,
    url: &str,
    agent: &str,
    home: &Path,
    project: &Path,
) -> Result<()> {
    let url = url.trim_end_matches("/mcp");
    let mut command = skills.program("skills", home, project);
    command.args(["add", url, "--skill", "*", "-a", agent, "--copy", "-y"]);
    shell::capture(&mut command).map(drop)
}

fn openskills(agent: &Installed, skills: &Collection) -> Result<String> {
    let mut command = agent.program("openskills", &skills.home, &skills.project);
    let text = shell::capture(command.arg("list"))?;
    let names = text
        .lines()
        .filter_map(|line| line.strip_suffix("(project)"));
    let names: BTreeSet<String> = names.map(|name| name.trim().to_owned()).collect();
    skills.compare(&names)
}
