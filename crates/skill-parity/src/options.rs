//! Options of a verification.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use emulated_internet::{Internet, Table, Upstream};
use emulated_runs::{Deck, NetworkKind};
use skill_executor::cancel::Cancel;
use skill_executor::sandbox::Sandbox;
use skill_executor::zone::Zone;

use crate::cases::Case;
use crate::error::Error;

/// Options of a comparison.
#[derive(Clone, Debug)]
pub struct VerifyOptions {
    /// The input of the runs. A plugin without a case gets the examples of its commands.
    pub cases: Vec<Case>,
    /// The plugins that may run, and their limits.
    pub policy: RunPolicy,
    /// The environment that is used as the old host's.
    pub environment: BTreeMap<String, String>,
    /// Settings for all plugins and skills, as the text of a `config.env`. The plugin's own count first.
    pub config: Option<String>,
    /// The time zone of the runs.
    pub zone: Zone,
    /// The user's state directory, whose installed packages and stored settings both sides find.
    pub packages: PathBuf,
    /// The directory in which the runs get directories of their own, which are removed afterwards.
    pub temporary: PathBuf,
    /// The network in place of the real one; the programs run with access to it.
    pub network: Option<ReplacedNetwork>,
    /// The time at which each program begins, in milliseconds since 1970 [default: now].
    pub start_ms: Option<i64>,
    /// The number of threads; 0 for one per processor.
    pub jobs: usize,
    /// Interrupts the runs.
    pub cancel: Cancel,
}

/// A network in place of the real one.
#[derive(Clone, Debug)]
pub struct ReplacedNetwork {
    /// The server that every connection leads to.
    pub internet: Arc<Internet>,
    /// The source of its answers.
    pub answers: Answers,
}

impl ReplacedNetwork {
    /// Starts a network. `cassettes` is the directory of what is replayed, and `table` has answers that an emulated
    /// network gives first.
    ///
    /// # Errors
    ///
    /// The server cannot be started, or there is no such directory.
    pub fn start(kind: NetworkKind, cassettes: &Path, table: Table) -> Result<Self, Error> {
        let answers = match kind {
            NetworkKind::Emulate => Answers::Emulated,
            NetworkKind::Record => {
                Answers::Recorded(Arc::new(Upstream::new(skill_sandbox::addresses)))
            }
            NetworkKind::Replay => Answers::Replayed(Arc::new(Deck::open(cassettes)?)),
        };
        let internet = Arc::new(Internet::start(table)?);
        Ok(Self { internet, answers })
    }
}

/// The source of the answers that both programs get.
#[derive(Clone, Debug)]
pub enum Answers {
    /// They are made up.
    Emulated,
    /// Real services answer the plugin once; then both get these answers.
    Recorded(Arc<Upstream>),
    /// The answers of a recording.
    Replayed(Arc<Deck>),
}

/// The plugins that the user allows to run, and the limits of both sides.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a permit of its own")]
pub struct RunPolicy {
    /// Run plugins that use the network.
    pub network: bool,
    /// Run plugins whose command is a line for a shell.
    pub shell: bool,
    /// Run plugins that ask for approval or for an administrator.
    pub approval: bool,
    /// Run plugins and skills that are switched off.
    pub disabled: bool,
    /// The confinement of plugins and skills.
    pub sandbox: Sandbox,
    /// The time limit of each call.
    pub timeout: Option<Duration>,
}
