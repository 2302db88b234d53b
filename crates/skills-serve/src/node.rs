//! A node: skills that other machines may call.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use skill_executor::Runner;
use skill_executor::configure::is_enabled;
use skill_executor::package::SkillPackage;
use skill_loader::catalog::Catalog;
use skill_nats::LocalSkills;
use skill_nats::node::{Node, NodeSettings};

use crate::args::Args;
use crate::settings::{catalog, config, host};
use skill_interrupt::Signals;
use skill_model::wildcard;
use skills_cli::output::Streams;
use skills_nodes::nats;
use skills_run::executors::executors;

/// The time that running calls have after the node was asked to stop.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time that the process has to end after the node has stopped.
const END: Duration = Duration::from_secs(2);

/// Serves until a signal stops the process, or another node takes the name.
///
/// After the first signal, running calls have [`PATIENCE`] to end; the second signal cancels them.
/// Neither waits for the NATS server, which may not answer.
pub(super) fn run(args: &Args, url: &str, name: &str, streams: &mut Streams) -> anyhow::Result<()> {
    let skills = skills(args)?;
    let offers = skills.offers();
    ensure!(
        !offers.is_empty(),
        "no skill that can run matches --allow-run; skills-run says why a skill cannot run"
    );
    let mut settings = NodeSettings::new(name);
    if let Some(slots) = args.slots {
        ensure!(slots > 0, "--slots takes 1 or more");
        (settings.slots, settings.queue) = (slots, slots * 64);
    }
    let runtime = nats::runtime()?;
    let served = runtime.block_on(async {
        let mut signals = Signals::new()?;
        let n_skills = offers.len();
        let skills = Arc::new(skills);
        preload(&skills, args.preload);
        let started = async {
            let connection = nats::server(&args.roots.nodes.login, url)
                .connect(name)
                .await?;
            Node::start(&connection, settings, offers, skills).await
        };
        let mut node = tokio::select! {
            node = started => node?,
            _ = signals.next() => return Ok(()),
        };
        let skills = format!("{n_skills} skills of the node {name}");
        writeln!(streams.stderr, "{}", streams.language.say(&skills))?;
        streams.stderr.flush()?;
        tokio::select! {
            _ = signals.next() => {}
            error = node.failed() => return Err(error.into()),
        }
        stop(node, signals).await;
        anyhow::Ok(())
    });
    // A thread that runs a skill may be impossible to end.
    runtime.shutdown_timeout(END);
    served
}

/// Stops a node: gracefully, or at once after another signal.
async fn stop(node: Node, mut signals: Signals) {
    let hurry = node.hurry();
    let stopped = node.stop(PATIENCE);
    tokio::pin!(stopped);
    tokio::select! {
        () = &mut stopped => return,
        _ = signals.next() => hurry.cancel_calls(),
    }
    let _ = tokio::time::timeout(END, stopped).await;
}

/// Starts the processes of the most used skills in the background.
fn preload(skills: &Arc<LocalSkills>, n: usize) {
    if n == 0 {
        return;
    }
    let skills = Arc::clone(skills);
    tokio::task::spawn_blocking(move || {
        for (skill, failure) in skills.preload(n) {
            tracing::warn!(%skill, "not preloaded: {}", failure.message);
        }
    });
}

/// Returns the skills that are allowed and able to run.
fn skills(args: &Args) -> anyhow::Result<LocalSkills> {
    let fits =
        |globs: &[String], name: &str| globs.iter().any(|glob| wildcard::matches(glob, name));
    let found = Catalog::read(&catalog(args, None)?);
    let (host, _) = host(args)?;
    let packages = found.skills.values().filter_map(|skill| {
        let package = SkillPackage::from_place(&skill.place).ok()?;
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
