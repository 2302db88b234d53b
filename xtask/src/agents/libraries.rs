//! Python libraries for agents that load skills.

use std::path::Path;

use anyhow::Result;

use super::Agent;
use super::collection::Collection;
use super::install::{Installed, Package};
use crate::shell;

pub(super) const AGENTS: &[Agent] = &[
    Agent {
        name: "Google ADK",
        package: Package::Pip("google-adk==2.13.0"),
        way: "`load_skill_from_dir`",
        is_small: false,
        check: |agent, skills| load(agent, skills, "adk"),
    },
    Agent {
        name: "pydantic-ai-harness",
        package: Package::Pip("pydantic-ai-harness[skills]==0.62.0"),
        way: "`Skills.load`",
        is_small: false,
        check: |agent, skills| load(agent, skills, "pydantic-ai"),
    },
    Agent {
        name: "deepagents",
        package: Package::Pip("deepagents==0.7.32"),
        way: "`_list_skills`, which is private",
        is_small: false,
        check: |agent, skills| load(agent, skills, "deepagents"),
    },
    Agent {
        name: "Microsoft agent-framework",
        package: Package::Pip("agent-framework-core==1.23.0"),
        way: "`FileSkillsSource`",
        is_small: false,
        check: |agent, skills| load(agent, skills, "agent-framework"),
    },
];

fn load(agent: &Installed, skills: &Collection, library: &str) -> Result<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/agents/loaders.py");
    let mut command = agent.program("python", &skills.home, &skills.place);
    command
        .arg(script)
        .arg(library)
        .arg(skills.project.join(".agents/skills"));
    let text = shell::capture(&mut command)?;
    skills.compare(&text.lines().map(str::to_owned).collect())
}
