//! The flags for skills of other machines, which are the last directory of skills.
//!
//! The tools that only read skills do not use a NATS server themselves: `skills-nodes mirror` writes
//! the skills of living nodes into a directory of the user's caches before they read it.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args as ClapArgs;

use crate::caches::CacheArgs;
use crate::nats::NatsArgs;
use crate::output::Streams;

/// The other machines.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Other machines")]
pub struct NodesArgs {
    /// Also the skills that living nodes offer through this NATS server; local names win
    #[arg(long, value_name = "URL")]
    pub nodes: Option<String>,
    /// Write the skills of nodes into DIR [default: in the user's directory of caches]
    #[arg(long, value_name = "DIR", requires = "nodes")]
    pub nodes_dir: Option<PathBuf>,
    /// Node that wins if nodes offer different skills of one name (can be repeated)
    #[arg(long, value_name = "NODE", requires = "nodes")]
    pub prefer: Vec<String>,
    /// The login
    #[command(flatten)]
    pub login: NatsArgs,
    /// The user's directory of caches
    #[command(flatten)]
    pub caches: CacheArgs,
}

impl NodesArgs {
    /// Writes the skills of nodes into their directory and returns its path. Returns `None` if no
    /// server was named, and, with a warning, if the server does not answer.
    ///
    /// # Errors
    ///
    /// `skills-nodes` cannot be started, or it could not run.
    pub fn mirror(&self, streams: &mut Streams) -> anyhow::Result<Option<PathBuf>> {
        if self.nodes.is_none() {
            return Ok(None);
        }
        let output = other_tools::output("skills-nodes", streams.language, &self.to_flags())?;
        streams.stderr.write_all(&output.stderr)?;
        match output.status.code() {
            Some(0) => {}
            // The server does not answer, and the warning has just been written.
            Some(1) => return Ok(None),
            _ => bail!(
                "the skills of nodes were not brought: skills-nodes ended with {}",
                output.status
            ),
        }
        let text = String::from_utf8(output.stdout);
        let text = text.context("the directory of the skills of nodes is not UTF-8")?;
        let dir = text.trim_end_matches(['\r', '\n']);
        Ok((!dir.is_empty()).then(|| dir.into()))
    }

    fn to_flags(&self) -> Vec<OsString> {
        let mut res: Vec<OsString> = vec!["mirror".into()];
        let mut flag = |name: &str, value: OsString| res.extend([name.into(), value]);
        if let Some(url) = &self.nodes {
            flag("--nodes", url.into());
        }
        if let Some(dir) = &self.nodes_dir {
            flag("--nodes-dir", dir.into());
        }
        for node in &self.prefer {
            flag("--prefer", node.into());
        }
        if let Some(dir) = &self.caches.cache_home {
            flag("--cache-home", dir.into());
        }
        if let Some(dir) = &self.caches.home {
            flag("--home", dir.into());
        }
        res.extend(self.login.to_flags());
        res
    }
}
