//! The skills of other machines, as one more directory of skills behind all others.
//!
//! What living nodes offer is written into a directory of the user's caches before the skills are
//! read. A local skill hides one of its name, as in any two directories.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use skill_loader::Digest;
use skill_nats::catalog::{self, Mirrored};
use skill_nats::{Error, Server};
use skills_cli::nodes::NodesArgs;
use skills_cli::output::Streams;

use crate::nats;

/// Name of the directory beneath the user's directory of caches.
const CACHE: &str = "skills-nodes";
/// Time between two looks at what nodes offer.
const INTERVAL: Duration = Duration::from_secs(5);
/// How long a server goes on with what it knows while the NATS server does not answer: three times
/// the grace of nodes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Other machines, and the directory that has their skills.
#[derive(Debug)]
pub struct Nodes {
    server: Server,
    dir: PathBuf,
    /// Nodes whose skills are meant where nodes differ.
    prefer: Vec<String>,
}

impl Nodes {
    /// Returns the nodes that the flags name, if they name any.
    ///
    /// # Errors
    ///
    /// No directory was named, and the user has no directory of caches.
    pub fn from_args(args: &NodesArgs) -> anyhow::Result<Option<Self>> {
        let Some(server) = server(args) else {
            return Ok(None);
        };
        let dir = match &args.nodes_dir {
            Some(dir) => dir.clone(),
            None => {
                let caches = args.caches.find(CACHE);
                let (root, dir) =
                    caches.context("found no directory of caches, expected --nodes-dir DIR")?;
                // A server shows each user something else.
                let who = format!("{} {:?}", server.url, server.inbox);
                let name = &Digest::from_content(who.as_bytes()).hex()[..16];
                root.path().join(dir).join(name)
            }
        };
        let prefer = args.prefer.clone();
        Ok(Some(Self {
            server,
            dir,
            prefer,
        }))
    }

    /// Returns the directory of their skills.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    async fn refresh(&self) -> Result<Mirrored, Error> {
        let connection = self.server.connect("skills-nodes").await?;
        catalog::mirror(&connection, &self.dir, &BTreeSet::new(), &self.prefer).await
    }

    /// Writes what nodes offer into the directory, once, and returns it. Where that fails, the
    /// skills of nodes are left out with a warning: nobody knows whether they still exist.
    ///
    /// # Errors
    ///
    /// A stream is closed, or the system has no threads for the network.
    pub fn bring(&self, streams: &mut Streams) -> anyhow::Result<Option<&Path>> {
        match nats::runtime()?.block_on(self.refresh()) {
            Ok(mirrored) => {
                for (name, reason) in &mirrored.refused {
                    writeln!(
                        streams.stderr,
                        "warning: the skill {name} of a node: {reason}"
                    )?;
                }
                for entry in &mirrored.malformed {
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

    /// Writes what nodes offer into the directory, now and every few seconds as long as the process
    /// lives. Where the NATS server is silent for long, the skills of nodes are removed.
    ///
    /// # Errors
    ///
    /// The system has no threads for the network, or the directory cannot be written.
    pub fn keep(self) -> anyhow::Result<()> {
        let runtime = nats::runtime()?;
        let mut logged = BTreeSet::new();
        let mut heard = runtime
            .block_on(self.refresh_and_log(&mut logged))
            .then(Instant::now);
        self.forget_after(heard)?;
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(INTERVAL);
                if runtime.block_on(self.refresh_and_log(&mut logged)) {
                    heard = Some(Instant::now());
                } else if let Err(error) = self.forget_after(heard) {
                    tracing::warn!("the skills of nodes cannot be removed: {error}");
                }
            }
        });
        Ok(())
    }

    /// Refreshes, and returns whether that was possible. A problem is logged once as long as it
    /// lasts.
    async fn refresh_and_log(&self, logged: &mut BTreeSet<String>) -> bool {
        let mirrored = self.refresh().await;
        let problems: BTreeSet<String> = match &mirrored {
            Ok(mirrored) => {
                let refused = mirrored.refused.iter();
                let refused = refused
                    .map(|(name, why)| format!("the skill {name} of a node is left out: {why}"));
                let malformed = mirrored.malformed.iter().map(ToString::to_string);
                refused.chain(malformed).collect()
            }
            Err(error) => BTreeSet::from([format!("what nodes offer is not known: {error}")]),
        };
        for line in problems.difference(logged) {
            tracing::warn!("{line}");
        }
        *logged = problems;
        mirrored.is_ok()
    }

    fn forget_after(&self, heard: Option<Instant>) -> Result<(), Error> {
        if heard.is_some_and(|heard| heard.elapsed() < PATIENCE) {
            return Ok(());
        }
        catalog::forget(&self.dir)
    }
}

/// Returns the server that the flags name.
pub fn server(args: &NodesArgs) -> Option<Server> {
    let url = args.nodes.as_deref()?;
    Some(nats::server(&args.login, url))
}
