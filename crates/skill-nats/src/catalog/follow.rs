//! A directory that follows the catalog as long as a process lives.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use super::mirror::{Mirrored, forget, mirror};
use crate::{Error, Server};

/// The time between two refreshes.
const INTERVAL: Duration = Duration::from_secs(5);
/// The time for which skills are kept while the NATS server does not answer: three times the grace
/// of nodes.
const PATIENCE: Duration = Duration::from_secs(30);

/// A directory with the skills of all living nodes.
#[derive(Debug)]
pub struct CatalogDirectory {
    server: Server,
    dir: PathBuf,
    prefer: Vec<String>,
}

impl CatalogDirectory {
    /// Returns the directory `dir` for the catalog on a server. If nodes offer different skills of one
    /// name, the first node in `prefer` wins.
    pub fn new(server: Server, dir: PathBuf, prefer: Vec<String>) -> Self {
        Self {
            server,
            dir,
            prefer,
        }
    }

    /// Returns the path of the directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes the skills that nodes offer now, and removes the others.
    ///
    /// # Errors
    ///
    /// The server does not answer, or the directory cannot be written.
    pub async fn refresh(&self) -> Result<Mirrored, Error> {
        let connection = self.server.connect("skills-nodes").await?;
        mirror(&connection, &self.dir, &BTreeSet::new(), &self.prefer).await
    }

    /// Refreshes the directory now, and then every few seconds in a thread of its own. Removes all
    /// skills if the server has not answered for 30 seconds. `log` gets each new problem once.
    ///
    /// # Errors
    ///
    /// The directory cannot be written.
    pub fn follow(
        self,
        runtime: Runtime,
        mut log: impl FnMut(&str) + Send + 'static,
    ) -> Result<(), Error> {
        let mut known = BTreeSet::new();
        let mut last_answer = runtime
            .block_on(self.refresh_and_log(&mut known, &mut log))
            .then(Instant::now);
        self.forget_after(last_answer)?;
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(INTERVAL);
                if runtime.block_on(self.refresh_and_log(&mut known, &mut log)) {
                    last_answer = Some(Instant::now());
                } else if let Err(error) = self.forget_after(last_answer) {
                    log(&format!("cannot remove the skills of nodes: {error}"));
                }
            }
        });
        Ok(())
    }

    /// Refreshes, and returns true if that was possible. `known` are the problems of the last
    /// refresh, which are not logged again.
    async fn refresh_and_log(
        &self,
        known: &mut BTreeSet<String>,
        log: &mut impl FnMut(&str),
    ) -> bool {
        let mirrored = self.refresh().await;
        let problems: BTreeSet<String> = match &mirrored {
            Ok(mirrored) => {
                let refused = mirrored.refused.iter();
                let refused = refused.map(|(name, reason)| {
                    format!("the skill {name} of a node is left out: {reason}")
                });
                let malformed = mirrored.malformed.iter().map(ToString::to_string);
                refused.chain(malformed).collect()
            }
            Err(error) => BTreeSet::from([format!("cannot read the skills of nodes: {error}")]),
        };
        for line in problems.difference(known) {
            log(line);
        }
        *known = problems;
        mirrored.is_ok()
    }

    fn forget_after(&self, last_answer: Option<Instant>) -> Result<(), Error> {
        if last_answer.is_some_and(|instant| instant.elapsed() < PATIENCE) {
            return Ok(());
        }
        forget(&self.dir)
    }
}
