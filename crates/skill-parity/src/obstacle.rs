//! The reasons why a plugin and its skill are not run, each with the one thing that would prove them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use skill_executor::entry::shell_line;
use skill_executor::package::SkillPackage;
use skill_model::{ExecutorKind, Transport};

use crate::options::RunPolicy;

/// A reason why nothing is proven, and the remedy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Obstacle {
    /// The reason.
    pub(crate) why: String,
    /// The one thing that would prove it.
    pub(crate) would_prove: String,
}

impl Obstacle {
    pub(crate) fn new(why: impl Into<String>, would_prove: impl Into<String>) -> Self {
        Self {
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
    check_skill(skill, policy)?;
    check_machine(skill, environment)?;
    check_policy(skill, policy)
}

/// Checks what the skill itself says.
fn check_skill(skill: &SkillPackage, policy: &RunPolicy) -> Result<(), Obstacle> {
    let metadata = &skill.metadata;
    if !metadata.enabled && !policy.disabled {
        return Err(Obstacle::new(
            "switched off in METADATA.yml",
            "--include-disabled",
        ));
    }
    if !metadata.runnable {
        let findings = metadata.findings.iter().map(|it| it.message.as_str());
        let findings = findings.collect::<Vec<_>>().join("; ");
        let lacks = match metadata.host_requires.as_slice() {
            [] => "mend what the findings of METADATA.yml name".to_owned(),
            parts => format!("a replacement for {} of the old host", parts.join(", ")),
        };
        return Err(Obstacle::new(format!("cannot run: {findings}"), lacks));
    }
    let is_elsewhere = matches!(
        (metadata.executor, metadata.transport),
        (ExecutorKind::Distributed | ExecutorKind::Internal, _)
            | (_, Some(Transport::Http | Transport::Mcp | Transport::Nats))
    );
    if is_elsewhere {
        let why = "its program is not here: it runs on another machine or inside the host";
        return Err(Obstacle::new(why, "a run on the machine of its program"));
    }
    Ok(())
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
        return Err(Obstacle::new(why, remedy));
    }
    let path = environment.get("PATH").map(OsStr::new);
    let is_missing = |bin: &&String| {
        skill_sandbox::find_program(OsStr::new(bin.as_str()), path, Path::new("/")).is_none()
    };
    match requires.bin.iter().find(is_missing) {
        Some(bin) => {
            let why = format!("there is no `{bin}` here");
            Err(Obstacle::new(why, format!("an installed `{bin}`")))
        }
        None => Ok(()),
    }
}

/// Checks what the user allows.
fn check_policy(skill: &SkillPackage, policy: &RunPolicy) -> Result<(), Obstacle> {
    let metadata = &skill.metadata;
    let permissions = &metadata.permissions;
    let uses_network = metadata.requires.network || permissions.network != "none";
    let asks = permissions.admin || permissions.approval == "required";
    let is_shell_line = shell_line(skill).is_some();
    let rows = [
        (
            uses_network && !policy.network,
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
        Some((_, why, flag)) => Err(Obstacle::new(format!("{why} ({flag})"), flag)),
        None => Ok(()),
    }
}
