//! Agents that read skills of a project or of a package.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Agent;
use super::collection::Collection;
use super::install::{Installed, Package};
use crate::repo::items;
use crate::shell;

pub(super) const CLAUDE_CODE: Package = Package::Npm("@anthropic-ai/claude-code@2.1.330");
pub(super) const CODEX: Package = Package::Npm("@openai/codex@0.169.0");

pub(super) const GEMINI: Package = Package::Npm("@google/gemini-cli@0.61.0");

pub(super) const AGENTS: &[Agent] = &[
    Agent {
        name: "Claude Code",
        package: CLAUDE_CODE,
        way: "`claude plugin validate --strict` on the package",
        is_small: false,
        check: validate_package,
    },
    Agent {
        name: "Claude Code",
        package: CLAUDE_CODE,
        way: "`.claude/skills`, `claude -p /context`",
        is_small: false,
        check: claude_code,
    },
    Agent {
        name: "Codex",
        package: CODEX,
        way: "`.agents/skills`, app server, `skills/list`",
        is_small: false,
        check: codex,
    },
    Agent {
        name: "Codex",
        package: CODEX,
        way: "the list in `codex debug prompt-input`, as `skills-describe --client codex` says",
        is_small: false,
        check: codex_listing,
    },
    Agent {
        name: "opencode",
        package: Package::Npm("opencode-ai@1.18.33"),
        way: "`.agents/skills`, `opencode debug skill`",
        is_small: false,
        check: opencode,
    },
    Agent {
        name: "Gemini CLI",
        package: GEMINI,
        way: "`.agents/skills` of a trusted folder, `gemini skills list --all`",
        is_small: false,
        check: gemini,
    },
];

fn validate_package(agent: &Installed, skills: &Collection) -> Result<String> {
    let mut command = agent.program("claude", &skills.home, &skills.place);
    command
        .args(["plugin", "validate", "--strict"])
        .arg(&skills.package);
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success(), "{text}");
    let listed = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("❯ skills: "));
    let listed = listed.filter_map(|name| name.rsplit(':').next());
    let n_listed = listed.filter(|name| skills.names.contains(*name)).count();
    ensure!(
        n_listed == skills.names.len(),
        "it lists {n_listed} of {} skills\n{text}",
        skills.names.len()
    );
    Ok(format!("passes, without a warning; all {n_listed} skills"))
}

fn claude_code(agent: &Installed, skills: &Collection) -> Result<String> {
    skills.compare(&listed_by_claude(
        agent,
        &skills.home,
        &skills.project,
        "Project",
    )?)
}

/// Returns the skills from a source that Claude Code lists in a project.
pub(super) fn listed_by_claude(
    agent: &Installed,
    home: &Path,
    project: &Path,
    source: &str,
) -> Result<BTreeSet<String>> {
    let mut command = agent.program("claude", home, project);
    let text = shell::capture(command.args(["-p", "/context"]))?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let is_ours = cells.get(2).is_some_and(|cell| cell.starts_with(source));
        is_ours.then(|| cells[1].to_owned())
    };
    Ok(text.lines().filter_map(row).collect())
}

fn codex(agent: &Installed, skills: &Collection) -> Result<String> {
    skills.compare(&codex_skills(agent, &skills.home, &skills.project, "repo")?)
}

/// Asks the app server of Codex, which speaks JSON-RPC in lines, for the skills of a scope.
pub(super) fn codex_skills(
    agent: &Installed,
    home: &Path,
    project: &Path,
    scope: &str,
) -> Result<BTreeSet<String>> {
    let mut command = agent.program("codex", home, project);
    command.arg("app-server").stderr(Stdio::null());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().context("it was requested")?;
    let stdout = child.stdout.take().context("it was requested")?;
    let client = json!({"name": "xtask", "title": "xtask", "version": "1"});
    for message in [
        json!({"id": 0, "method": "initialize", "params": {"clientInfo": client}}),
        json!({"method": "initialized"}),
        json!({"id": 1, "method": "skills/list", "params": {"cwds": [project]}}),
    ] {
        writeln!(stdin, "{message}")?;
    }
    let mut answer = Value::Null;
    for line in BufReader::new(stdout).lines() {
        let message: Value = serde_json::from_str(&line?)?;
        if message["id"] == 1 {
            answer = message["result"]["data"][0].clone();
            break;
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    ensure!(
        items(&answer["errors"]).count() == 0,
        "{}",
        answer["errors"]
    );
    let ours = items(&answer["skills"]).filter(|skill| skill["scope"] == scope);
    let names = ours.filter_map(|skill| skill["name"].as_str().map(str::to_owned));
    Ok(names.collect())
}

/// Compares the characters of each description with those that `skills-describe` says, in a context
/// window that is too small for all.
fn codex_listing(agent: &Installed, skills: &Collection) -> Result<String> {
    const CONTEXT: &str = "100000";
    let mut command = agent.program("codex", &skills.home, &skills.project);
    let window = format!("model_context_window={CONTEXT}");
    command.args(["debug", "prompt-input", "-c", &window, "hello"]);
    let prompt: Value = serde_json::from_str(&shell::capture(&mut command)?)?;
    let mut texts = Vec::new();
    strings(&prompt, &mut texts);
    let listed = texts
        .iter()
        .find_map(|text| text.split_once("### Available skills\n"));
    let (_, listed) = listed.context("the prompt has no list of skills")?;
    let expected = skills.shown_by_codex(CONTEXT)?;
    for (name, n_chars) in &expected {
        let line = listed
            .lines()
            .find_map(|line| line.strip_prefix(&format!("- {name}: ")));
        let line = line.with_context(|| format!("{name} is not in the list"))?;
        let shown = line.rsplit_once("(file: ").map_or("", |(shown, _)| shown);
        let shown = shown.strip_suffix(' ').unwrap_or(shown).chars().count();
        ensure!(
            shown == *n_chars,
            "{name}: {shown} characters are listed, expected {n_chars}"
        );
    }
    Ok(format!(
        "the same characters of each of {} descriptions",
        expected.len()
    ))
}

/// Collects all texts of a value.
fn strings<'a>(value: &'a Value, acc: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => acc.push(text),
        Value::Array(all) => all.iter().for_each(|it| strings(it, acc)),
        Value::Object(all) => all.values().for_each(|it| strings(it, acc)),
        _ => {}
    }
}

fn opencode(agent: &Installed, skills: &Collection) -> Result<String> {
    // Into a pipe, it does not write everything before it ends.
    let path = skills.place.join("opencode.json");
    let mut command = agent.program("opencode", &skills.home, &skills.project);
    command
        .args(["debug", "skill"])
        .stdout(fs::File::create(&path)?);
    shell::run(command.stderr(Stdio::null()))?;
    let found: Value = serde_json::from_slice(&fs::read(&path)?)?;
    let ours = items(&found).filter(|skill| skill["location"] != "<built-in>");
    let names = ours.filter_map(|skill| skill["name"].as_str().map(str::to_owned));
    skills.compare(&names.collect())
}

fn gemini(agent: &Installed, skills: &Collection) -> Result<String> {
    skills.compare(&gemini_skills(agent, &skills.home, &skills.project)?)
}

/// Returns the skills that Gemini CLI lists in a trusted folder.
pub(super) fn gemini_skills(
    agent: &Installed,
    home: &Path,
    project: &Path,
) -> Result<BTreeSet<String>> {
    let mut command = agent.program("gemini", home, project);
    command.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    let text = shell::capture(command.args(["skills", "list", "--all"]))?;
    let names = text
        .lines()
        .filter_map(|line| line.strip_suffix(" [Enabled]"));
    Ok(names.map(str::to_owned).collect())
}
