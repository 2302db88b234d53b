//! The README of a package.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;
use skill_model::{ExecutorKind, Metadata};

use crate::manifests::{About, marketplace};
use crate::select::PackedSkill;

/// Returns the text: the skills, what they need, and how hosts install the package.
pub(crate) fn readme(about: &About<'_>, skills: &BTreeMap<String, PackedSkill>) -> String {
    let name = about.name;
    let market = marketplace(name);
    let mut res = format!("# {name}\n\n{}\n\n", about.description);
    let _ = writeln!(
        res,
        "Version {}. The package follows [Agent Plugins](https://agent-plugins.org) 1.0.\n\n\
         | host | installation from this directory |\n|---|---|\n\
         | Claude Code | `claude plugin marketplace add DIRECTORY`, then `claude plugin install {name}@{market}` |\n\
         | Codex | `codex plugin marketplace add DIRECTORY`, then `codex plugin add {name}@{market}` |\n\
         | Gemini CLI | `gemini extensions install DIRECTORY` |\n\
         | others | copy the directories in `skills/` to where the host looks for skills |\n",
        about.version
    );
    if about.server {
        res.push_str(
            "Hosts also start `skills-serve`, which must be on `PATH`. It lets an agent search the \
             skills and read their files.\n\n",
        );
    }
    res.push_str("| skill | what it does | can be run | needs |\n|---|---|---|---|\n");
    for (name, skill) in skills {
        let metadata = skill.metadata.as_deref();
        let _ = writeln!(
            res,
            "| `{name}` | {} | {} | {} |",
            cell(&skill.description),
            runs(metadata),
            cell(&needs(metadata)),
        );
    }
    res
}

fn runs(metadata: Option<&Metadata>) -> &'static str {
    match metadata {
        None => "instructions only",
        Some(metadata) if !metadata.enabled => "no, switched off",
        Some(metadata) if metadata.executor == ExecutorKind::Prompt && metadata.runnable => {
            "instructions only"
        }
        Some(metadata) if metadata.can_run() => "yes",
        Some(_) => "no",
    }
}

fn needs(metadata: Option<&Metadata>) -> String {
    let Some(metadata) = metadata else {
        return String::new();
    };
    let requires = &metadata.requires;
    let mut programs = requires.bin.clone();
    if runs(Some(metadata)) == "yes" {
        programs.insert(0, RUNNER.to_owned());
    }
    let kinds = [
        ("programs", &programs),
        ("settings", &settings(metadata)),
        ("npm", &requires.npm),
        ("pip", &requires.pip),
        ("skills", &requires.skills),
    ];
    let kinds = kinds.into_iter().filter(|(_, names)| !names.is_empty());
    let texts = kinds.map(|(kind, names)| format!("{kind}: {}", names.join(", ")));
    texts.collect::<Vec<_>>().join("; ")
}

/// The tool that runs a skill.
const RUNNER: &str = "skills-run";

/// Returns the settings without which a skill does not work, and its secrets.
fn settings(metadata: &Metadata) -> Vec<String> {
    let schema = metadata.config.schema.as_ref();
    let required = schema.and_then(|schema| schema.get("required")?.as_array());
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let mut res: Vec<String> = required.map(str::to_owned).collect();
    for key in &metadata.config.secret {
        if !res.contains(key) {
            res.push(key.clone());
        }
    }
    res
}

/// Returns a text for a cell of a table: one line, without a separator or an HTML tag.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace('\\', "\\\\").replace('|', "\\|");
    line.replace('<', "&lt;").replace('`', "'")
}
