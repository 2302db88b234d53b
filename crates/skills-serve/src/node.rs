//! A node: skills that other machines may call.

use std::io::Write as _;

use anyhow::ensure;
use skill_executor::Runner;
use skill_executor::configure::is_enabled;
use skill_executor::package::SkillPackage;
use skill_loader::catalog::Catalog;
use skill_nats::node::NodeSettings;
use skill_nats::{END, LocalSkills, serve_until};

use crate::args::Args;
use crate::settings::{catalog, config, host};
use skill_interrupt::Signals;
use skill_model::wildcard;
use skills_cli::output::Streams;
use skills_nodes::nats;
use skills_run::executors::executors;

/// Serves until a signal stops the process, or another node takes the name.
pub(super) fn run(args: &Args, url: &str, name: &str, streams: &mut Streams) -> anyhow::Result<()> {
    let skills = skills(args)?;
    ensure!(
        !skills.offers().is_empty(),
        "no skill that can run matches --allow-run; skills-run says why a skill cannot run"
    );
    let mut settings = NodeSettings::new(name);
    if let Some(slots) = args.slots {
        ensure!(slots > 0, "--slots takes 1 or more");
        (settings.slots, settings.queue) = (slots, slots * 64);
    }
    let server = nats::server(&args.roots.nodes.login, url);
    let started = |n_skills| {
        let _ = streams.remark(&format!("{n_skills} skills of the node {name}"));
        let _ = streams.stderr.flush();
    };
    let runtime = nats::runtime()?;
    let served = runtime.block_on(async {
        let skills = (skills, args.preload);
        serve_until(Signals::new()?, &server, settings, skills, started).await?;
        anyhow::Ok(())
    });
    // A thread that runs a skill may be impossible to end.
    runtime.shutdown_timeout(END);
    served
}

/// Returns the skills that are allowed and able to run.
fn skills(args: &Args) -> anyhow::Result<LocalSkills> {
    let fits =
        |globs: &[String], name: &str| globs.iter().any(|glob| wildcard::matches(glob, name));
    let found = Catalog::read(&catalog(args, None)?);
    let (host, _) = host(args)?;
    let packages = found.skills.values().filter_map(|skill| {
        let package = SkillPackage::from_catalog(&found, skill).ok()?;
        let metadata = &package.metadata;
        let can = metadata.runnable && is_enabled(&package, &host.state).unwrap_or(false);
        (can && fits(&args.allow_run, &metadata.name)).then_some(package)
    });
    let idempotent = args.idempotent.clone();
    Ok(LocalSkills::new(
        packages.collect(),
        Runner::new(executors(None), host).with_config(config(args)?),
        move |name| fits(&idempotent, name),
    )?)
}
