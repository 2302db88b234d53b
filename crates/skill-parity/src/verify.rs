//! Verifies all pairs in parallel.

use parity_record::record;
use rayon::prelude::*;
use skill_loader::fs::{Scratch, resolve};

use crate::error::Error;
use crate::judge::{Verification, judge};
use crate::options::VerifyOptions;
use crate::pairs::Pairs;
use crate::result::PluginResult;

impl Pairs {
    /// Runs every plugin and its skill, compares them, and records the result beside the skills.
    /// `on_done` receives each result as soon as it is complete, from many threads.
    ///
    /// # Errors
    ///
    /// When there is no directory for the runs, the caller interrupts them, or the results cannot be
    /// recorded.
    pub fn verify(
        &self,
        options: &VerifyOptions,
        on_done: &(dyn Fn(&PluginResult) + Sync),
    ) -> Result<Vec<PluginResult>, Error> {
        let work = Scratch::make(&options.temporary, "skills-verify-");
        let work = work.map_err(Error::NoDirectory)?;
        let verification = Verification {
            pairs: self,
            options,
            work: resolve(work.path())?,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs);
        let pool = pool.build()?;
        let one = |pair| {
            let result = judge(&verification, pair);
            on_done(&result);
            result
        };
        let results: Vec<_> = pool.install(|| self.pairs.par_iter().map(one).collect());
        drop(work);
        if options.cancel.is_cancelled() {
            return Err(Error::Interrupted);
        }
        record(
            &self.out,
            results.iter().filter_map(PluginResult::to_record),
        )
        .map_err(Box::new)?;
        Ok(results)
    }
}
