//! The skills of other machines, as one more directory of skills behind all others.
//!
//! What living nodes offer is written into a directory of the user's caches before the skills are
//! read. A local skill hides one of its name, as in any two directories.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args as ClapArgs;
use skill_loader::Digest;
use skill_nats::catalog::{self, Mirrored};
use skill_nats::{Error, Server};

use crate::caches::CacheArgs;
use crate::nats::{self, NatsArgs};
use crate::output::Streams;

/// Where they are kept beneath the directory of caches.
const CACHE: &str = "skills-nodes";
/// How often a server looks what nodes offer.
const EVERY: Duration = Duration::from_secs(5);
/// How long a server goes on with what it knows while the NATS server does not answer: as long as
/// three times the grace of nodes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Which other machines.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct NodesArgs {
    /// Also the skills that living nodes offer through this NATS server; local names win
    #[arg(long, value_name = "URL", help_heading = "Other machines")]
    nodes: Option<String>,
    /// Keep what they offer in DIR [default: in the user's directory of caches]
    #[arg(
        long,
        value_name = "DIR",
        requires = "nodes",
        help_heading = "Other machines"
    )]
    nodes_dir: Option<PathBuf>,
    /// Node whose skill is meant where two nodes differ (can be repeated)
    #[arg(
        long,
        value_name = "NODE",
        requires = "nodes",
        help_heading = "Other machines"
    )]
    pub(crate) prefer: Vec<String>,
    #[command(flatten)]
    pub(crate) login: NatsArgs,
    #[command(flatten)]
    pub(crate) caches: CacheArgs,
}

/// Other machines, and the directory that has their skills.
#[derive(Debug)]
pub(crate) struct Nodes {
    server: Server,
    dir: PathBuf,
    /// Nodes whose skills are meant where nodes differ.
    prefer: Vec<String>,
}

impl NodesArgs {
    /// What was meant, if anything was.
    pub(crate) fn resolve(&self) -> anyhow::Result<Option<Nodes>> {
        let Some(server) = self.server() else {
            return Ok(None);
        };
        let dir = match &self.nodes_dir {
            Some(dir) => dir.clone(),
            None => {
                let caches = self.caches.find(CACHE);
                let (root, dir) =
                    caches.context("there is no directory of caches, expected --nodes-dir DIR")?;
                // What one sees there depends on who one is.
                let who = format!("{} {:?}", server.url, server.inbox);
                let name = &Digest::from_content(who.as_bytes()).hex()[..16];
                root.path().join(dir).join(name)
            }
        };
        let prefer = self.prefer.clone();
        Ok(Some(Nodes {
            server,
            dir,
            prefer,
        }))
    }

    /// The server that was named.
    pub(crate) fn server(&self) -> Option<Server> {
        self.nodes.as_deref().map(|url| self.login.server(url))
    }
}

impl Nodes {
    /// The directory of their skills.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    async fn refresh(&self) -> Result<Mirrored, Error> {
        let connection = self.server.connect("skills-nodes").await?;
        catalog::mirror(&connection, &self.dir, &BTreeSet::new(), &self.prefer).await
    }

    /// Brings the directory to what nodes offer, once. Where that fails it is said, and the skills
    /// of nodes are left out: nobody knows whether they are still there.
    pub(crate) fn bring(&self, streams: &mut Streams) -> anyhow::Result<Option<&Path>> {
        match nats::runtime()?.block_on(self.refresh()) {
            Ok(done) => {
                for (name, why) in &done.refused {
                    writeln!(streams.stderr, "warning: the skill {name} of a node: {why}")?;
                }
                for entry in &done.malformed {
                    writeln!(streams.stderr, "warning: {entry}")?;
                }
                Ok(Some(&self.dir))
            }
            Err(error) => {
                writeln!(
                    streams.stderr,
                    "warning: the skills of nodes are left out: {error}"
                )?;
                Ok(None)
            }
        }
    }

    /// Brings the directory to what nodes offer, now and every few seconds as long as the process
    /// lives. Where the NATS server is silent for long, the skills of nodes go.
    pub(crate) fn keep(self) -> anyhow::Result<()> {
        let runtime = nats::runtime()?;
        let mut said = BTreeSet::new();
        let mut heard = runtime.block_on(self.told(&mut said)).then(Instant::now);
        self.forget_after(heard)?;
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(EVERY);
                if runtime.block_on(self.told(&mut said)) {
                    heard = Some(Instant::now());
                } else if let Err(error) = self.forget_after(heard) {
                    tracing::warn!("the skills of nodes cannot be taken away: {error}");
                }
            }
        });
        Ok(())
    }

    /// Refreshes; false when that failed. What is wrong goes to the log, once as long as it lasts.
    async fn told(&self, said: &mut BTreeSet<String>) -> bool {
        let done = self.refresh().await;
        let now: BTreeSet<String> = match &done {
            Ok(done) => {
                let refused = done.refused.iter();
                let refused = refused
                    .map(|(name, why)| format!("the skill {name} of a node is left out: {why}"));
                let malformed = done.malformed.iter().map(ToString::to_string);
                refused.chain(malformed).collect()
            }
            Err(error) => BTreeSet::from([format!("what nodes offer is not known: {error}")]),
        };
        for line in now.difference(said) {
            tracing::warn!("{line}");
        }
        *said = now;
        done.is_ok()
    }

    fn forget_after(&self, heard: Option<Instant>) -> Result<(), Error> {
        if heard.is_some_and(|heard| heard.elapsed() < PATIENCE) {
            return Ok(());
        }
        catalog::forget(&self.dir)
    }
}
