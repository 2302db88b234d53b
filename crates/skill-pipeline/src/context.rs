//! The options and stores that all plugins of a run share.

use skill_loader::{fs::Root, store::Store};
use skill_migrator::Templates;
use skill_polish::PolishLock;

use crate::host_tree::HostTree;
use crate::options::MigrateOptions;

/// The options, input, output and templates of a run.
pub(crate) struct Context<'a> {
    pub(crate) options: &'a MigrateOptions,
    pub(crate) input: &'a Root,
    pub(crate) host: Option<&'a HostTree>,
    pub(crate) store: &'a Store,
    pub(crate) templates: &'a Templates,
    /// The texts of a model.
    pub(crate) polish: &'a PolishLock,
}
