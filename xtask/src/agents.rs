//! Real agents and loaders, at pinned versions and without a model or a key: each of them lists the
//! skills that the tools make of the fixtures, or of other plugins, and nothing else.
//!
//! - `install`: packages from npm and `PyPI`, below `target/clients/agents`.
//! - `collection`: the skills, their package, a project that contains them, a server.
//! - `protocol`, `sdks`, `hosts`, `packages`, `installers`, `libraries`: the checks.
//! - `document`: the table in `docs/clients.md`.

mod collection;
mod conformance;
mod document;
mod hosts;
pub(crate) mod install;
mod installers;
mod libraries;
mod packages;
mod protocol;
mod sdks;

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail, ensure};

use crate::repo::Repo;
use collection::Collection;
use install::{Installed, Package};

/// The plugins whose skills agents are given.
const FIXTURES: &str = "fixtures/plugins";

/// An agent, or a program that loads skills, and what is tried with it.
#[derive(Clone, Copy)]
struct Agent {
    name: &'static str,
    package: Package,
    /// The command, for people.
    way: &'static str,
    /// True if it is a small download, which CI can afford.
    is_small: bool,
    /// Returns what was found; an error is a failure of the agent or of the skills.
    check: fn(&Installed, &Collection) -> Result<String>,
}

/// All agents, in the order of the table.
fn agents() -> Vec<Agent> {
    let all = [
        protocol::AGENTS,
        sdks::AGENTS,
        hosts::AGENTS,
        packages::AGENTS,
        installers::AGENTS,
        libraries::AGENTS,
    ];
    all.concat()
}

/// A row of the table.
struct Row {
    agent: Agent,
    /// The result; `None` if the package cannot be installed here.
    result: Option<Result<String>>,
}

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let mut names = BTreeSet::new();
    let [mut few, mut write] = [false, false];
    let mut plugins = None;
    let mut args = args.iter().map(String::as_str);
    while let Some(arg) = args.next() {
        match arg {
            "--few" => few = true,
            "--write" => write = true,
            "--plugins" => plugins = Some(args.next().context("--plugins takes a directory")?),
            name if !name.starts_with('-') => drop(names.insert(name)),
            _ => bail!("usage: cargo xtask agents [--few] [--write] [--plugins DIR] [NAME]…"),
        }
    }
    ensure!(
        !write || (names.is_empty() && !few),
        "--write needs the results of all agents; leave out --few and names"
    );
    let chosen = agents().into_iter();
    let chosen = chosen.filter(|agent| !few || agent.is_small);
    let chosen = chosen.filter(|agent| names.is_empty() || names.contains(agent.name));
    let chosen: Vec<Agent> = chosen.collect();
    ensure!(
        !chosen.is_empty(),
        "no agent has this name; `cargo xtask agents` lists all"
    );
    let collection = Collection::make(repo, plugins.unwrap_or(FIXTURES))?;
    let rows: Vec<Row> = chosen
        .into_iter()
        .map(|agent| try_agent(repo, &collection, agent))
        .collect();
    if write {
        document::write(repo, plugins.is_some(), &rows)?;
    }
    let n_failed = rows.iter().filter(|row| row.has_failed()).count();
    ensure!(n_failed == 0, "{n_failed} of {} checks failed", rows.len());
    Ok(())
}

/// Tries one agent and prints its row.
fn try_agent(repo: &Repo, collection: &Collection, agent: Agent) -> Row {
    let result = match install::install(repo, agent.package) {
        Ok(installed) => Some((agent.check)(&installed, collection)),
        Err(error) => {
            let (name, version) = (agent.name, agent.package.version());
            println!("   {name} {version}: cannot be installed: {error:#}");
            None
        }
    };
    let row = Row { agent, result };
    if let Some(result) = &row.result {
        let (name, way) = (row.agent.name, row.agent.way);
        let version = row.agent.package.version();
        match result {
            Ok(found) => println!("   {name} {version}, {way}: {found}"),
            Err(error) => println!("   FAILED {name} {version}, {way}: {error:#}"),
        }
    }
    row
}

impl Row {
    fn has_failed(&self) -> bool {
        self.result.as_ref().is_some_and(Result::is_err)
    }
}
