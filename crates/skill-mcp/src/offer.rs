//! The tools and instructions of a server, made once for each snapshot.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::Tool;
use skill_loader::catalog::Catalog;

use crate::names::{ToolKind, ToolSet};
use crate::run::{CommandTool, all_commands};
use crate::settings::Settings;
use crate::store::{Store, has_same_content};
use crate::{instructions, schema};

/// The tools and the instructions that a client gets at the beginning.
#[derive(Debug)]
pub(crate) struct Offer {
    /// All tools in the order of the listing: those for all skills, then the commands.
    pub(crate) tools: Vec<Tool>,
    /// The number of tools for all skills.
    n_meta: usize,
    /// The tools that are commands of skills, by name.
    pub(crate) commands: BTreeMap<String, CommandTool>,
    pub(crate) instructions: String,
}

/// The offer of the latest snapshot.
#[derive(Debug, Default)]
pub(crate) struct Offers {
    last: Mutex<Option<(Arc<Catalog>, Arc<Offer>)>>,
}

impl Offers {
    /// Returns the offer of the current snapshot.
    pub(crate) fn current(&self, settings: &Settings, store: &Store) -> Arc<Offer> {
        let catalog = store.catalog();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((snapshot, offer)) = &mut *last
            && has_same_content(snapshot, &catalog)
        {
            *snapshot = catalog;
            return offer.clone();
        }
        let offer = Arc::new(Offer::new(settings, store, &catalog));
        *last = Some((catalog, offer.clone()));
        offer
    }
}

impl Offer {
    fn new(settings: &Settings, store: &Store, catalog: &Catalog) -> Self {
        let instructions = if settings.instructions {
            instructions::instructions(settings, catalog, &store.counter)
        } else {
            String::new()
        };
        let mut res = Self {
            tools: Vec::new(),
            n_meta: 0,
            commands: BTreeMap::new(),
            instructions,
        };
        let runner = settings.run.as_deref();
        let runs = |runner: &crate::Runner| catalog.skills.values().any(|skill| runner.runs(skill));
        let can_run = runner.is_some_and(runs);
        let kinds = ToolKind::ALL.into_iter();
        let kinds = kinds.filter(|kind| *kind != ToolKind::RunSkill || can_run);
        let tools = kinds.map(|kind| schema::tool(kind, &settings.names));
        res.tools = tools.collect();
        res.n_meta = res.tools.len();
        if let Some(runner) = runner {
            let taken: Vec<&str> = settings.names.all().collect();
            res.commands = all_commands(runner, catalog, &taken);
        }
        let commands = res.commands.values().map(|command| command.tool.clone());
        res.tools.extend(commands);
        res
    }

    /// Returns the tools that a client lists whose session has received these skills.
    pub(crate) fn listed(&self, set: ToolSet, active: &[&str]) -> Vec<Tool> {
        let (meta, commands) = self.tools.split_at(self.n_meta);
        let is_active = |tool: &&Tool| {
            let command = self.commands.get(&*tool.name);
            command.is_some_and(|command| active.contains(&&*command.skill))
        };
        match set {
            ToolSet::Meta => meta
                .iter()
                .chain(commands.iter().filter(is_active))
                .cloned()
                .collect(),
            ToolSet::Commands => commands.to_vec(),
            ToolSet::Both => self.tools.clone(),
        }
    }

    /// Returns the number of commands of these skills.
    pub(crate) fn n_commands(&self, active: &[&str]) -> usize {
        let commands = self.commands.values();
        commands
            .filter(|command| active.contains(&&*command.skill))
            .count()
    }

    /// Returns the tool called `name`.
    pub(crate) fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}
