//! The settings of a server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use skill_diagnostics::Diagnostic;
use skill_disclosure::{Disclosure, Mode};
use skill_language::Language;
use skill_loader::catalog::CatalogSettings;
use skill_loader::load::{Limits, SkillPlace};

use crate::names::{ToolNames, ToolSet};
use crate::run::Runner;

/// Server configuration.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The directories that hold the skills, and the limits for reading them.
    pub catalog: CatalogSettings,
    /// The longest text of a skill that one answer contains.
    pub limits: Limits,
    /// The names of the tools.
    pub names: ToolNames,
    /// The tools that a client lists.
    pub tools: ToolSet,
    /// Tells agents the directory of a skill that they read: for agents on this machine.
    pub directories: bool,
    /// The skills whose bodies are included in the catalog.
    pub mode: Mode,
    /// Includes the catalog in the instructions of the server.
    pub instructions: bool,
    /// The age from which a snapshot is compared with the directories again.
    pub recheck: Duration,
    /// The maximum number of active skills in a session; the least recently used one is evicted.
    pub max_active: usize,
    /// Runs skills; `None` if skills may not be run.
    pub run: Option<Arc<Runner>>,
    /// The confidence from which each phase of a description is given.
    pub disclosure: Disclosure,
    /// Further facts for the web page: findings and parity.
    pub about: Option<Arc<dyn About>>,
    /// The language of questions to a person, and of the page for browsers that prefer none of ours.
    pub language: Language,
}

/// Facts about a skill that other tools provide.
pub trait About: Send + Sync + fmt::Debug {
    /// Validates the skill and returns the findings. Blocks on the disk.
    fn findings(&self, place: &SkillPlace) -> Vec<Diagnostic>;

    /// Returns the recorded comparison of the skill with its plugin: `verified`, `differs`, ….
    /// Returns `None` if the skill was not compared, or has changed since.
    fn parity(&self, place: &SkillPlace) -> Option<String>;
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            catalog: CatalogSettings::default(),
            limits: Limits::default(),
            names: ToolNames::default(),
            tools: ToolSet::default(),
            directories: false,
            mode: Mode::default(),
            instructions: false,
            recheck: Duration::from_secs(2),
            max_active: 32,
            run: None,
            disclosure: Disclosure::default(),
            about: None,
            language: Language::default(),
        }
    }
}
