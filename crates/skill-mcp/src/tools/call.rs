//! A call of a tool that only reads, with what it needs from the disk.

use std::sync::{Arc, Mutex, PoisonError};

use skill_loader::catalog::CatalogSkill;

use super::arguments::Arguments;
use crate::names::ToolKind;
use crate::session::Session;
use crate::shared::Shared;
use crate::store::Freshness;

/// A call of a tool that only reads.
pub(crate) struct Call {
    pub(crate) shared: Arc<Shared>,
    pub(crate) session: Arc<Mutex<Session>>,
    pub(crate) arguments: Arguments,
}

impl Call {
    /// Returns the state of what the answer needs from the disk.
    pub(crate) fn freshness(&self, kind: ToolKind) -> Freshness {
        match self.skill() {
            _ if kind == ToolKind::SearchSkills => Freshness::Stale,
            Some(skill) => self.shared.store.freshness(&skill),
            None => Freshness::Fresh,
        }
    }

    /// Checks what the answer needs from the disk. Blocks on the disk.
    pub(crate) fn revalidate(&self) {
        if let Some(skill) = self.skill() {
            self.shared.store.revalidate(&skill);
        }
    }

    /// Returns the skill that was asked for, if it exists.
    fn skill(&self) -> Option<Arc<CatalogSkill>> {
        self.shared.store.skill(self.name()).ok()
    }

    /// Returns the name of the skill that was passed, or an empty string.
    pub(crate) fn name(&self) -> &str {
        let name = self.arguments.text("skill_name").ok().flatten();
        name.unwrap_or_default()
    }

    /// Runs `work` with the session, which stays locked for that time only.
    pub(super) fn session<T>(&self, work: impl FnOnce(&mut Session) -> T) -> T {
        work(&mut self.session.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
