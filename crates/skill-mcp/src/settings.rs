//! What a server serves, and how.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use skill_diagnostics::Diagnostic;
use skill_disclosure::{Disclosure, Mode};
use skill_loader::catalog::CatalogSettings;
use skill_loader::load::{Limits, SkillPlace};

use crate::names::ToolNames;
use crate::run::Runner;

/// Everything that a server is told when it is made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the skills are.
    pub catalog: CatalogSettings,
    /// How much of a skill is given at a time.
    pub limits: Limits,
    /// What the tools are called.
    pub names: ToolNames,
    /// Which bodies stand in the catalogue.
    pub mode: Mode,
    /// Whether the catalogue stands in the server's instructions.
    pub instructions: bool,
    /// How long a snapshot is taken as fresh before the directories are looked at again.
    pub recheck: Duration,
    /// Skills that a session holds active; the one used longest ago gives way.
    pub max_active: usize,
    /// What runs skills; nothing if none may be run.
    pub run: Option<Arc<Runner>>,
    /// How much is told of a skill at which confidence.
    pub disclosure: Disclosure,
    /// What the page for people tells beside the snapshot.
    pub about: Option<Arc<dyn About>>,
}

/// What is known of a skill from other tools.
pub trait About: Send + Sync + fmt::Debug {
    /// What its validation finds now. Blocks on the disk.
    fn findings(&self, place: &SkillPlace) -> Vec<Diagnostic>;

    /// Whether it was seen to do what its plugin did: `verified`, `differs`, …; nothing where
    /// nobody looked, or where it has changed since.
    fn parity(&self, place: &SkillPlace) -> Option<String>;
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            catalog: CatalogSettings::default(),
            limits: Limits::default(),
            names: ToolNames::default(),
            mode: Mode::default(),
            instructions: false,
            recheck: Duration::from_secs(2),
            max_active: 32,
            run: None,
            disclosure: Disclosure::default(),
            about: None,
        }
    }
}

/// Which skills may be run, by name.
#[derive(Clone)]
pub struct RunPolicy(Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl RunPolicy {
    /// A policy out of a predicate over names.
    pub fn new(allows: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(allows))
    }

    /// Whether the skill of this name may be run.
    pub fn allows(&self, name: &str) -> bool {
        (self.0)(name)
    }
}

impl fmt::Debug for RunPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RunPolicy")
    }
}
