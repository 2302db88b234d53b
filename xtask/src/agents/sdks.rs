//! The official SDKs as clients of the server: over HTTP in both generations of the protocol, and over
//! standard input and output.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::Agent;
use super::collection::Collection;
use super::install::{Installed, Package};

pub(super) const AGENTS: &[Agent] = &[
    Agent {
        name: "Python SDK (mcp)",
        package: Package::Pip("mcp==2.3.0"),
        way: "`list_skills` and each SKILL.md, HTTP and stdio, both generations",
        is_small: true,
        check: python,
    },
    Agent {
        name: "TypeScript SDK (@modelcontextprotocol/sdk)",
        package: Package::Npm("@modelcontextprotocol/sdk@1.32.2"),
        way: "`list_skills` and each SKILL.md, HTTP and stdio",
        is_small: true,
        check: typescript,
    },
];

fn python(agent: &Installed, skills: &Collection) -> Result<String> {
    let mut res = String::new();
    for mode in ["auto", "legacy"] {
        for target in targets(skills) {
            let mut command = agent.program("python", &skills.home, &skills.place);
            command.arg(file("sdk.py")).arg(mode).args(target);
            res = skills.compare(&names(&mut command)?)?;
        }
    }
    Ok(res)
}

fn typescript(agent: &Installed, skills: &Collection) -> Result<String> {
    let mut res = String::new();
    for target in targets(skills) {
        let mut command = agent.program("node", &skills.home, &skills.place);
        command
            .arg(file("sdk.mjs"))
            .arg(agent.modules())
            .args(target);
        res = skills.compare(&names(&mut command)?)?;
    }
    Ok(res)
}

/// Returns the address of the server, and the command that serves the same skills.
fn targets(skills: &Collection) -> [Vec<String>; 2] {
    [vec![skills.url().to_owned()], skills.stdio_command()]
}

fn file(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"));
    place.join("src/agents").join(name)
}

/// Runs a client; anything that it complains about is an error.
fn names(command: &mut Command) -> Result<std::collections::BTreeSet<String>> {
    let output = command.output()?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{complaint}");
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(str::to_owned).collect())
}
