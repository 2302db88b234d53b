//! All pairs, in parallel.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;
use skill_executor::cancel::Cancel;
use skill_executor::zone::Zone;
use skill_loader::fs::{Scratch, resolve};

use crate::judge::{Account, Bench, Permits, judge};
use crate::{Case, Error, Pairs, record};

/// How plugins and skills are compared.
#[derive(Clone, Debug)]
pub struct VerifyOptions {
    /// The input of the runs. A plugin without a case gets the examples of its commands.
    pub cases: Vec<Case>,
    /// What the runs may do.
    pub permits: Permits,
    /// The environment that stands for the old host's.
    pub environment: BTreeMap<String, String>,
    /// The time zone of the runs.
    pub zone: Zone,
    /// Directory in which the runs get directories of their own, which are removed afterwards.
    pub temporary: PathBuf,
    /// Number of threads; 0 for one per processor.
    pub jobs: usize,
    /// Gives up the runs.
    pub cancel: Cancel,
}

impl Pairs {
    /// Runs every plugin and its skill, compares them, and records the result beside the skills.
    /// `on_done` gets each account as soon as it is complete, from many threads.
    ///
    /// # Errors
    ///
    /// When the runs have no place for their files, the caller gave up, or nothing can be recorded.
    pub fn verify(
        &self,
        options: &VerifyOptions,
        on_done: &(dyn Fn(&Account) + Sync),
    ) -> Result<Vec<Account>, Error> {
        let work = Scratch::make(&options.temporary, "skills-verify-");
        let work = work.map_err(Error::NoDirectory)?;
        let bench = Bench {
            pairs: self,
            options,
            work: resolve(work.path())?,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs);
        let pool = pool.build()?;
        let one = |pair| {
            let account = judge(&bench, pair);
            on_done(&account);
            account
        };
        let accounts: Vec<_> = pool.install(|| self.pairs.par_iter().map(one).collect());
        drop(work);
        if options.cancel.is_cancelled() {
            return Err(Error::Interrupted);
        }
        record::write(&self.out, &accounts)?;
        Ok(accounts)
    }
}
