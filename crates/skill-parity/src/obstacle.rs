//! The reasons why a plugin and its skill are not run, each with the one thing that would prove them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use skill_executor::entry::shell_line;
use skill_executor::package::SkillPackage;
use skill_executor::view;
use skill_loader::instructions_in;
use skill_model::{ExecutorKind, FindingRecord, GuardKind, Runtime, Transport, skill_file};

use crate::cause::Cause;
use crate::options::RunPolicy;

/// The largest SKILL.md, in bytes, as for all tools.
const MAX_INSTRUCTIONS: u64 = 2_000_000;

/// A reason why nothing is proven, and the remedy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Obstacle {
    /// The kind of the reason.
    pub(crate) cause: Cause,
    /// The reason.
    pub(crate) why: String,
    /// The one thing that would prove it.
    pub(crate) would_prove: String,
}

impl Obstacle {
    pub(crate) fn new(
        cause: Cause,
        why: impl Into<String>,
        would_prove: impl Into<String>,
    ) -> Self {
        Self {
            cause,
            why: why.into(),
            would_prove: would_prove.into(),
        }
    }
}

/// Checks that a skill may run.
pub(crate) fn check(
    skill: &SkillPackage,
    policy: &RunPolicy,
    environment: &BTreeMap<String, String>,
) -> Result<(), Obstacle> {
    check_instructions(skill)?;
    check_skill(skill, policy)?;
    check_machine(skill, environment)?;
    check_policy(skill, policy)
}

/// Checks that agents and tools can load the instructions.
fn check_instructions(skill: &SkillPackage) -> Result<(), Obstacle> {
    let refuse = |why: String| {
        let why = format!("the skill cannot be loaded: {why}");
        Err(Obstacle::new(
            Cause::Broken,
            why,
            "a SKILL.md without errors (skills-validate)",
        ))
    };
    let file = instructions_in(&skill.root).unwrap_or(skill_file(false));
    let bytes = match skill.root.read(file, MAX_INSTRUCTIONS) {
        Ok(bytes) => bytes,
        Err(error) => return refuse(error.to_string()),
    };
    let text = match skill_model::decode(&bytes) {
        Ok(text) => text,
        Err(finding) => return refuse(finding.message),
    };
    if skill_model::conflict::first_conflict(text).is_some() {
        return refuse("SKILL.md contains a conflict that nobody has resolved".to_owned());
    }
    let (parsed, findings) = skill_model::parse_skill(text);
    let Some(parsed) = parsed else {
        let first = findings.first().map(|finding| finding.message.clone());
        return refuse(first.unwrap_or_default());
    };
    let name = parsed.frontmatter().name;
    let directory = skill.dir.file_name().unwrap_or_default();
    if directory != OsStr::new(&*name) {
        return refuse(format!(
            "its name is `{name}`, expected that of its directory"
        ));
    }
    Ok(())
}

/// Checks what the skill itself says.
fn check_skill(skill: &SkillPackage, policy: &RunPolicy) -> Result<(), Obstacle> {
    let metadata = &skill.metadata;
    if !metadata.enabled && !policy.disabled {
        return Err(Obstacle::new(
            Cause::SwitchedOff,
            "switched off in METADATA.yml",
            "--include-disabled",
        ));
    }
    if !metadata.runnable {
        let findings = blockers(&metadata.findings);
        let messages = findings.iter().map(|it| it.message.as_str());
        let messages = messages.collect::<Vec<_>>().join("; ");
        let is_of = |code: &str| findings.iter().any(|it| it.code == code);
        let (cause, lacks) = match metadata.host_requires.as_slice() {
            [] if is_of("entry-platform") => (Cause::Machine, "a run on that system".to_owned()),
            [] if is_of("entry-missing") => (
                Cause::Broken,
                "the file of its program, which is not in the plugin's directory".to_owned(),
            ),
            [] => (
                Cause::Broken,
                "mend what the findings of METADATA.yml name".to_owned(),
            ),
            parts => (
                Cause::HostPart,
                format!("a replacement for {} of the old host", parts.join(", ")),
            ),
        };
        let why = format!("cannot run: {messages}");
        return Err(Obstacle::new(cause, why, lacks));
    }
    let is_elsewhere = matches!(
        (metadata.executor, metadata.transport),
        (ExecutorKind::Distributed | ExecutorKind::Internal, _)
            | (_, Some(Transport::Http | Transport::Mcp | Transport::Nats))
    );
    if is_elsewhere {
        let why = "its program is not here: it runs on another machine or inside the host";
        let remedy = "a run on the machine of its program";
        return Err(Obstacle::new(Cause::Machine, why, remedy));
    }
    Ok(())
}

/// Returns the findings that keep a skill from running. The migration records them before the others
/// (`skill_migrator::codes`: those of the entry and of the host).
fn blockers(findings: &[FindingRecord]) -> &[FindingRecord] {
    let is_blocker = |finding: &FindingRecord| {
        let code = finding.code.as_str();
        code.starts_with("entry-") || ["host-module", "host-feature"].contains(&code)
    };
    let others = findings.iter().position(|finding| !is_blocker(finding));
    let n_blockers = others.unwrap_or(findings.len());
    &findings[..n_blockers.max(1).min(findings.len())]
}

/// Checks what this machine has.
fn check_machine(
    skill: &SkillPackage,
    environment: &BTreeMap<String, String>,
) -> Result<(), Obstacle> {
    let requires = &skill.metadata.requires;
    let os = &requires.os;
    if !os.is_empty() && !os.iter().any(|os| os == std::env::consts::OS) {
        let os = os.join(", ");
        let (why, remedy) = (format!("runs on {os} only"), format!("a run on {os}"));
        return Err(Obstacle::new(Cause::Machine, why, remedy));
    }
    let path = environment.get("PATH").map(OsStr::new);
    let is_missing = |bin: &&String| {
        skill_sandbox::find_program(OsStr::new(bin.as_str()), path, Path::new("/")).is_none()
    };
    match requires.bin.iter().find(is_missing) {
        Some(bin) => {
            let why = format!("there is no `{bin}` here");
            let remedy = format!("an installed `{bin}`");
            Err(Obstacle::new(Cause::Program, why, remedy))
        }
        None => Ok(()),
    }
}

/// Returns true if METADATA.yml, or directories in the settings, let a skill write outside its own
/// directories, or if it may call a skill for which that is true.
pub(crate) fn reaches_out(skill: &SkillPackage) -> bool {
    let is_open = |skill: &SkillPackage| {
        let metadata = &skill.metadata;
        let mut guards = metadata.config.guards.iter();
        metadata.permissions.filesystem == "any"
            || guards.any(|guard| guard.kind == GuardKind::AllowDirectories)
            || metadata
                .host_answered
                .iter()
                .any(|it| it == "plugin-manager")
    };
    is_open(skill) || view::neighbours(skill).iter().any(is_open)
}

/// Returns true if a skill uses the network and the user has not allowed it.
pub(crate) fn is_cut_off(skill: &SkillPackage, policy: &RunPolicy) -> bool {
    let metadata = &skill.metadata;
    let uses_network = metadata.requires.network || metadata.permissions.network != "none";
    uses_network && !policy.network
}

/// Returns true if a skill that uses the network can be run without one: the sandbox refuses
/// connections, and its program is one whose attempts are recorded.
fn can_be_cut_off(skill: &SkillPackage, policy: &RunPolicy) -> bool {
    let runtime = skill.metadata.entry.as_ref().map(|entry| entry.runtime);
    let is_recorded = match runtime {
        Some(Runtime::Node | Runtime::Python) => true,
        Some(Runtime::Native) => is_local_script(skill),
        _ => false,
    };
    // What an asynchronous program does after its first answer is seen by nobody.
    let answers_last = skill.metadata.asynchronous.is_none();
    let is_confined = cfg!(target_os = "linux") && policy.sandbox.at_least.is_some();
    is_confined && is_recorded && answers_last
}

/// Returns true if the program is a shell script that names no program of the network and no other
/// interpreter.
fn is_local_script(skill: &SkillPackage) -> bool {
    const REMOTE: [&str; 24] = [
        "curl", "wget", "nc", "ncat", "socat", "ssh", "scp", "sftp", "rsync", "ftp", "telnet",
        "ping", "dig", "nslookup", "git", "npm", "npx", "pip", "node", "python", "python3", "perl",
        "ruby", "tcp",
    ];
    let Some(entry) = &skill.metadata.entry else {
        return false;
    };
    let file = entry.argv.first().map_or("", String::as_str);
    let path = format!("{}/{}", entry.dir, file.trim_start_matches("./"));
    let Ok(bytes) = skill.root.read(&path, MAX_INSTRUCTIONS) else {
        return false;
    };
    let text = String::from_utf8_lossy(&bytes);
    let first = text.lines().next().unwrap_or_default();
    let is_script = first.starts_with("#!") && first.trim_end().ends_with("sh");
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    is_script && !words.any(|word| REMOTE.contains(&word))
}

/// Checks what the user allows.
fn check_policy(skill: &SkillPackage, policy: &RunPolicy) -> Result<(), Obstacle> {
    let metadata = &skill.metadata;
    let permissions = &metadata.permissions;
    let asks = permissions.admin || permissions.approval == "required";
    let is_shell_line = shell_line(skill).is_some();
    let rows = [
        (
            is_cut_off(skill, policy) && !can_be_cut_off(skill, policy),
            "uses the network",
            "--allow-network",
        ),
        (asks && !policy.approval, "asks for approval", "--approve"),
        (
            is_shell_line && !policy.shell,
            "its command is a line for a shell",
            "--allow-shell",
        ),
    ];
    match rows.into_iter().find(|(is_obstacle, ..)| *is_obstacle) {
        Some((_, why, flag)) => {
            let why = format!("{why} ({flag})");
            Err(Obstacle::new(Cause::Permit, why, flag))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stops_a_skill_is_its_reason() {
        let finding = |code: &str| FindingRecord {
            code: code.to_owned(),
            message: String::new(),
            pointer: None,
        };
        let check = |codes: &[&str], n_blockers: usize| {
            let findings: Vec<_> = codes.iter().map(|code| finding(code)).collect();
            assert_eq!(blockers(&findings).len(), n_blockers, "{codes:?}");
        };
        check(&["entry-missing", "entry-platform", "dispatch-assumed"], 2);
        check(&["host-feature"], 1);
        check(&["dispatch-assumed", "entry-missing"], 1);
        check(&[], 0);
    }
}
