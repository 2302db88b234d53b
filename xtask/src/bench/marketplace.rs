//! The time of a migration of a marketplace of prompts, as a multiple of copying it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{migrate, number};
use crate::repo::Repo;

const N_PLUGINS: usize = 100;
const N_COMMANDS: usize = 6;

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let n_rounds = number(args, "--rounds", 5)?;
    migrate::compare(repo, n_rounds, &|plugins| {
        lay_out(plugins, N_PLUGINS, N_COMMANDS)
    })
}

/// Writes a marketplace of Claude Code whose plugins have that many commands each, and returns what
/// it wrote.
fn lay_out(root: &Path, n_plugins: usize, n_commands: usize) -> Result<String> {
    let entries = (0..n_plugins).map(|plugin| {
        format!(r#"{{"name":"plugin-{plugin}","source":"./plugins/plugin-{plugin}"}}"#)
    });
    let entries: Vec<String> = entries.collect();
    let marketplace = format!(
        r#"{{"name":"market","owner":{{"name":"Somebody"}},"plugins":[{}]}}"#,
        entries.join(",")
    );
    write(&root.join(".claude-plugin/marketplace.json"), &marketplace)?;
    write(&root.join("LICENSE"), &"MIT License ".repeat(90))?;
    for plugin in 0..n_plugins {
        let directory = root.join(format!("plugins/plugin-{plugin}"));
        let manifest = format!(
            r#"{{"name":"plugin-{plugin}","version":"1.0.0","description":"A plugin","license":"MIT"}}"#
        );
        write(&directory.join(".claude-plugin/plugin.json"), &manifest)?;
        for command in 0..n_commands {
            let name = format!("commands/do-{plugin}-{command}.md");
            write(&directory.join(name), &text(plugin, command))?;
        }
    }
    let n_all = n_plugins * n_commands;
    Ok(format!(
        "a marketplace of {n_plugins} plugins with {n_all} commands"
    ))
}

/// Returns a command of the usual length, with arguments, a program and a name of another command.
fn text(plugin: usize, command: usize) -> String {
    let prose = "Explain what you see in a few sentences, with care. ".repeat(30);
    format!(
        "---\ndescription: Does thing {command} of plugin {plugin}\nargument-hint: [file] [level]\n\
         allowed-tools: Read, Bash(git:*)\n---\n\n# Thing {command}\n\n\
         Look at $ARGUMENTS and at !`git status`. Then call /plugin-{plugin}:do-{plugin}-0.\n\n{prose}\n"
    )
}

fn write(path: &Path, text: &str) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lays_out_a_marketplace() {
        let repo = Repo::here().unwrap();
        let root = repo.path("target/xtask-test-marketplace");
        let _ = fs::remove_dir_all(&root);
        let what = lay_out(&root, 3, 2).unwrap();
        assert_eq!(what, "a marketplace of 3 plugins with 6 commands");
        let commands = fs::read_dir(root.join("plugins/plugin-2/commands")).unwrap();
        assert_eq!(commands.count(), 2);
    }
}
