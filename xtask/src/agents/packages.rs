//! Hosts that install the package: from its directory, and as skills from the index of a server.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;

use super::Agent;
use super::collection::Collection;
use super::hosts::{CLAUDE_CODE, CODEX, GEMINI, codex_skills, gemini_skills, listed_by_claude};
use super::install::Installed;
use crate::shell;

pub(super) const AGENTS: &[Agent] = &[
    Agent {
        name: "Claude Code",
        package: CLAUDE_CODE,
        way: "`claude plugin marketplace add DIR`, `claude plugin install`",
        is_small: false,
        check: claude_code,
    },
    Agent {
        name: "Codex",
        package: CODEX,
        way: "`codex plugin marketplace add DIR`, `codex plugin add`",
        is_small: false,
        check: codex,
    },
    Agent {
        name: "Gemini CLI",
        package: GEMINI,
        way: "`gemini extensions install DIR`",
        is_small: false,
        check: gemini,
    },
    Agent {
        name: "Claude Code",
        package: CLAUDE_CODE,
        way: "the skills that `npx skills add URL -a claude-code` installs",
        is_small: false,
        check: claude_code_from_index,
    },
    Agent {
        name: "Codex",
        package: CODEX,
        way: "the skills that `npx skills add URL -a codex` installs",
        is_small: false,
        check: codex_from_index,
    },
    Agent {
        name: "Gemini CLI",
        package: GEMINI,
        way: "the skills that `npx skills add URL -a gemini-cli` installs",
        is_small: false,
        check: gemini_from_index,
    },
];

fn claude_code(agent: &Installed, skills: &Collection) -> Result<String> {
    let (home, project) = skills.fresh("claude-plugin")?;
    let name = skills.package_name()?;
    let call = |args: &[&str]| {
        let mut command = agent.program("claude", &home, &project);
        shell::capture(command.args(args))
    };
    let package = skills.package.to_string_lossy();
    call(&["plugin", "marketplace", "add", &package])?;
    let plugin = format!("{name}@{name}-marketplace");
    call(&["plugin", "install", &plugin])?;
    let found = listed_by_claude(agent, &home, &project, "Plugin")?;
    skills.compare(&without_package(&name, found))
}

fn codex(agent: &Installed, skills: &Collection) -> Result<String> {
    let (home, project) = skills.fresh("codex-plugin")?;
    let name = skills.package_name()?;
    let call = |args: &[&str]| {
        let mut command = agent.program("codex", &home, &project);
        shell::capture(command.args(args))
    };
    let package = skills.package.to_string_lossy();
    call(&["plugin", "marketplace", "add", &package])?;
    let plugin = format!("{name}@{name}-marketplace");
    call(&["plugin", "add", &plugin])?;
    let found = codex_skills(agent, &home, &project, "user")?;
    skills.compare(&without_package(&name, found))
}

fn gemini(agent: &Installed, skills: &Collection) -> Result<String> {
    let (home, project) = skills.fresh("gemini-extension")?;
    let package = skills.package.to_string_lossy();
    let mut command = agent.program("gemini", &home, &project);
    command.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    command.args(["extensions", "install", "--consent", &package]);
    shell::capture(&mut command)?;
    let found = gemini_skills(agent, &home, &project)?;
    skills.compare(&found)
}

fn claude_code_from_index(agent: &Installed, skills: &Collection) -> Result<String> {
    let (home, project) = from_index(skills, "claude-code")?;
    skills.compare_served(&listed_by_claude(agent, &home, &project, "Project")?)
}

fn codex_from_index(agent: &Installed, skills: &Collection) -> Result<String> {
    let (home, project) = from_index(skills, "codex")?;
    skills.compare_served(&codex_skills(agent, &home, &project, "repo")?)
}

fn gemini_from_index(agent: &Installed, skills: &Collection) -> Result<String> {
    let (home, project) = from_index(skills, "gemini-cli")?;
    skills.compare_served(&gemini_skills(agent, &home, &project)?)
}

/// Installs the skills of the server for an agent; returns a home directory and the project.
fn from_index(skills: &Collection, agent: &str) -> Result<(PathBuf, PathBuf)> {
    let (home, project) = skills.fresh(&format!("index-{agent}"))?;
    let mut git = std::process::Command::new("git");
    shell::run(git.args(["init", "--quiet"]).current_dir(&project))?;
    skills.install_from_index(agent, &home, &project)?;
    Ok((home, project))
}

/// Returns the names without that of the package, which a host writes before them.
fn without_package(package: &str, names: BTreeSet<String>) -> BTreeSet<String> {
    let prefix = format!("{package}:");
    let bare = |name: String| {
        name.strip_prefix(&prefix)
            .map(str::to_owned)
            .unwrap_or(name)
    };
    names.into_iter().map(bare).collect()
}
