//! Real MCP servers at pinned versions as skills: they are migrated, installed and asked for their tools as a
//! user does it, and their tools and answers are the same when they are asked directly, by `skills-run`, and
//! through `skills-serve`.
//!
//! - `table`: the servers and their calls.
//! - `ways`: the three ways, and their comparison.

mod table;
mod ways;

use std::fs;

use anyhow::{Result, bail, ensure};

use crate::agents::install::{PLACE, Package, install};
use crate::repo::Repo;
use crate::shell;
use table::{SERVERS, Server};
use ways::{Trial, compare};

const SDK: Package = Package::Npm("@modelcontextprotocol/sdk@1.32.2");

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    if args.iter().any(|arg| arg.starts_with('-')) {
        bail!("usage: cargo xtask servers [NAME]…");
    }
    let is_chosen = |server: &&Server| args.is_empty() || args.iter().any(|it| it == server.name);
    let chosen: Vec<&Server> = SERVERS.iter().filter(is_chosen).collect();
    ensure!(
        !chosen.is_empty(),
        "no server has this name; `cargo xtask servers` tries all"
    );
    shell::run(shell::cargo(repo).args(["build", "--quiet", "--workspace", "--bin", "skills"]))?;
    let mut n_failed = 0;
    for server in &chosen {
        let (name, version) = (server.name, server.package.version());
        match try_server(repo, server) {
            Ok(found) => println!("   {name} {version}: {found}"),
            Err(error) => {
                n_failed += 1;
                println!("   FAILED {name} {version}: {error:#}");
            }
        }
    }
    ensure!(
        n_failed == 0,
        "{n_failed} of {} servers differ",
        chosen.len()
    );
    Ok(())
}

fn try_server(repo: &Repo, server: &Server) -> Result<String> {
    let place = repo.path(PLACE).join("servers").join(server.name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place)?;
    let trial = Trial {
        server,
        installed: &install(repo, server.package)?,
        sdk: &install(repo, SDK)?,
        program: &repo.path("target/debug/skills").canonicalize()?,
        place: place.canonicalize()?,
    };
    trial.prepare()?;
    let direct = trial.directly()?;
    let (n_tools, n_calls) = compare(&direct, &trial.run()?, &trial.served()?)?;
    Ok(format!(
        "{n_tools} tools with their schemas and hints, {n_calls} calls: the same directly, by skills-run and by skills-serve"
    ))
}
