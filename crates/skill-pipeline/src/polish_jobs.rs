//! The jobs for a model.

use std::sync::OnceLock;

use rayon::prelude::*;
use skill_migrator::{host_part, plugin_texts};
use skill_polish::{Job, Sources};

use crate::{
    context::Context, discover::Candidate, reading::Reading, shared_files::SharedFiles,
    work::plan_guarded,
};

/// Returns the jobs for the units that become skills with texts of ours. Units that cannot be migrated
/// have none; the migration reports them.
pub(crate) fn jobs(context: &Context<'_>, plugins: &[Candidate]) -> Vec<Job> {
    let packages: Vec<&[Candidate]> = plugins.chunk_by(|a, b| a.package == b.package).collect();
    let of_package = |units: &&[Candidate]| {
        let shared = SharedFiles::default();
        let reading = OnceLock::new();
        let units = units.iter();
        let jobs = units.filter_map(|found| job(context, found, &shared, &reading));
        jobs.collect::<Vec<Job>>()
    };
    packages.par_iter().flat_map(of_package).collect()
}

fn job<'s>(
    context: &Context<'_>,
    found: &Candidate,
    shared: &'s SharedFiles,
    reading: &OnceLock<Reading<'s>>,
) -> Option<Job> {
    if found.is_skipped {
        return None;
    }
    let survey = shared.survey(context, found).ok()?;
    let collected = shared.collect(context, found, survey).ok()?;
    let reading = reading.get_or_init(|| Reading::new(found, collected));
    reading.taken.skip_finding();
    let (migration, redacted) = plan_guarded(context, found, collected, reading).ok()?;
    let language = migration.language?;
    if host_part(&migration.metadata).is_some() {
        return None;
    }
    // A secret in a text of the plugin is not sent either.
    let again = redacted.as_ref().map(|files| Reading::new(found, files));
    let reading = again.as_ref().unwrap_or(reading);
    let package = reading.package.as_ref()?;
    let texts = plugin_texts(&found.source(package, reading.unit(found)?, &reading.mentions))?;
    let mut files = migration.generated.into_iter();
    Some(Job {
        skill: migration.name.to_string(),
        language,
        skill_md: files.find(|file| file.path == "SKILL.md")?.text,
        sources: Sources::new(&texts),
    })
}
