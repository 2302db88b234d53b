//! The flags for skills of other machines, which are one more directory of skills behind all others.
//!
//! The tools that only read skills do not speak to a NATS server themselves: `skills-nodes mirror`
//! writes what living nodes offer into a directory of the user's caches before they read it.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args as ClapArgs;

use crate::caches::CacheArgs;
use crate::nats::NatsArgs;
use crate::output::Streams;
use crate::sibling;

/// Which other machines.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct NodesArgs {
    /// Also the skills that living nodes offer through this NATS server; local names win
    #[arg(long, value_name = "URL", help_heading = "Other machines")]
    pub nodes: Option<String>,
    /// Keep what they offer in DIR [default: in the user's directory of caches]
    #[arg(
        long,
        value_name = "DIR",
        requires = "nodes",
        help_heading = "Other machines"
    )]
    pub nodes_dir: Option<PathBuf>,
    /// Node whose skill is meant where two nodes differ (can be repeated)
    #[arg(
        long,
        value_name = "NODE",
        requires = "nodes",
        help_heading = "Other machines"
    )]
    pub prefer: Vec<String>,
    /// How to log in
    #[command(flatten)]
    pub login: NatsArgs,
    /// The user's directory of caches
    #[command(flatten)]
    pub caches: CacheArgs,
}

impl NodesArgs {
    /// Writes what nodes offer into their directory and returns it. Returns nothing where no server
    /// was named, and where it does not answer, which is a warning.
    ///
    /// # Errors
    ///
    /// `skills-nodes` cannot be started, or it could not run.
    pub fn bring(&self, streams: &mut Streams) -> anyhow::Result<Option<PathBuf>> {
        if self.nodes.is_none() {
            return Ok(None);
        }
        let output = sibling::output("skills-nodes", &self.to_flags())?;
        streams.stderr.write_all(&output.stderr)?;
        if !output.status.success() {
            return Ok(None);
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
