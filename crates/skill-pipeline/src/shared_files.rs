//! The files of a package, listed and read once for all of its units.

use std::sync::OnceLock;

use skill_diagnostics::Diagnostic;
use skill_migrator::mask;

use crate::{
    collect::{Survey, survey},
    context::Context,
    discover::Candidate,
    plugin_files::PluginFiles,
};

/// The files of a package. The first unit that needs them reads them; the others wait for it.
#[derive(Debug, Default)]
pub(crate) struct SharedFiles {
    survey: OnceLock<Result<Survey, Box<Diagnostic>>>,
    collected: OnceLock<Result<PluginFiles, Box<Diagnostic>>>,
}

impl SharedFiles {
    /// Lists the package of a unit.
    pub(crate) fn survey(
        &self,
        context: &Context<'_>,
        found: &Candidate,
    ) -> Result<&Survey, Box<Diagnostic>> {
        let list = || survey(context.input, found);
        self.survey.get_or_init(list).as_ref().map_err(Clone::clone)
    }

    /// Reads the package of a unit.
    pub(crate) fn collect(
        &self,
        context: &Context<'_>,
        found: &Candidate,
        survey: &Survey,
    ) -> Result<&PluginFiles, Box<Diagnostic>> {
        let read = || survey.collect(found, context.options.choice(), context.host);
        self.collected
            .get_or_init(read)
            .as_ref()
            .map_err(Clone::clone)
    }

    /// Returns the text of the manifest for excerpts, if the package was read. An excerpt must not
    /// show a secret that is next to the reported place.
    pub(crate) fn manifest_text(&self) -> Option<String> {
        let collected = self.collected.get()?.as_ref().ok()?;
        let manifest = &collected.manifest;
        let manifest = manifest.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(manifest);
        Some(mask(&String::from_utf8_lossy(manifest)))
    }
}
