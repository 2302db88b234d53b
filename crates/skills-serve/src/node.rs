//! A node: skills that other machines may call.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, ensure};
use skill_executor::Runner;
use skill_executor::call::Host;
use skill_executor::environment::HostEnvironment;
use skill_executor::package::SkillPackage;
use skill_executor::state::State;
use skill_loader::catalog::Catalog;
use skill_nats::LocalSkills;
use skill_nats::node::{Node, NodeSettings};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::args::Args;
use super::settings::{catalog, world};
use skill_model::wildcard;
use skills_cli::output::Streams;
use skills_nodes::nats;
use skills_run::executors::executors;
use skills_run::settings::{read_file, state_dir};

/// How long calls that run may go on when the node is told to stop.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the process may take to end once the node has stopped.
const END: Duration = Duration::from_secs(2);

/// Serves until the process is told to stop, or another node takes the name.
///
/// The first signal lets calls that run end, for [`PATIENCE`] at most; the second cancels them.
/// Neither waits for the NATS server, which may be gone.
pub(super) fn run(args: &Args, url: &str, name: &str, streams: &mut Streams) -> anyhow::Result<()> {
    let skills = skills(args)?;
    let offers = skills.offers();
    ensure!(
        !offers.is_empty(),
        "no skill that can run fits --allow-run; skills-run tells why one cannot"
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
            () = signals.next() => return Ok(()),
        };
        writeln!(streams.stderr, "{n_skills} skills of the node {name}")?;
        streams.stderr.flush()?;
        tokio::select! {
            () = signals.next() => {}
            error = node.failed() => return Err(error.into()),
        }
        stop(node, signals).await;
        anyhow::Ok(())
    });
    // A thread that runs a skill may be one that nobody can end.
    runtime.shutdown_timeout(END);
    served
}

/// Stops a node: properly, or at once when there is another signal.
async fn stop(node: Node, mut signals: Signals) {
    let hurry = node.hurry();
    let stopped = node.stop(PATIENCE);
    tokio::pin!(stopped);
    tokio::select! {
        () = &mut stopped => return,
        () = signals.next() => hurry.cancel_calls(),
    }
    let _ = tokio::time::timeout(END, stopped).await;
}

/// Starts the processes of the most used skills, beside the rest.
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

/// The signals that ask the process to end, one after another.
struct Signals {
    terminated: Signal,
    interrupted: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminated: signal(SignalKind::terminate())?,
            interrupted: signal(SignalKind::interrupt())?,
        })
    }

    /// Comes true with the next of them.
    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminated.recv() => (),
            _ = self.interrupted.recv() => (),
        }
    }
}

/// The skills that may be run and can be.
fn skills(args: &Args) -> anyhow::Result<LocalSkills> {
    let fits =
        |globs: &[String], name: &str| globs.iter().any(|glob| wildcard::matches(glob, name));
    let found = Catalog::read(&catalog(args, None)?);
    let packages = found.skills.values().filter_map(|skill| {
        let package = SkillPackage::from_place(&skill.place).ok()?;
        let metadata = &package.metadata;
        let can = metadata.runnable && metadata.enabled;
        (can && fits(&args.allow_run, &metadata.name)).then_some(package)
    });
    let environment = world(args);
    let state = state_dir(args.state.clone(), &environment)?;
    let state = State::open(&state).map_err(|failure| anyhow!(failure.message))?;
    let config = args.config.as_deref().map(read_file).transpose();
    let config = config.context("cannot read the configuration")?;
    let host = Host {
        allow_shell: args.allow_shell,
        sandbox: args.sandbox.sandbox(),
        strict: true,
        ..Host::new(
            state,
            HostEnvironment::from_caller(environment, &args.allow_env),
        )
    };
    let idempotent = args.idempotent.clone();
    Ok(LocalSkills::new(
        packages.collect(),
        Runner::new(executors(None), host).with_config(config),
        move |name| fits(&idempotent, name),
    )?)
}
