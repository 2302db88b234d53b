//! A whole run: search, write, report. [`migrate`] does all of it; [`Pipeline`] and [`Run`] are its
//! steps, for callers that share the work among machines or stop in between.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use rayon::prelude::*;
use skill_diagnostics::Diagnostic;
use skill_loader::fs::{Root, WalkLimits, resolve};
use skill_loader::store::{Recovery, Store, StoreOptions};
use skill_loader::{Digest, Hasher};
use skill_migrator::Templates;
use skill_polish::{Job, PolishLock};
use skill_settings::{HostSettings, Import, import, read_host};

use crate::carry::{self, IdlePattern};
use crate::collect::survey;
use crate::context::Context;
use crate::discover::{Candidate, Collection, discover, has_errors};
use crate::host_tree::HostTree;
use crate::last_time::options_text;
use crate::outcome::{Outcome, Status, Totals};
use crate::reading::Reading;
use crate::work::work;
use crate::{Error, MigrateOptions, no_plugins, polish_jobs, polishing, reconcile};

/// An event of a run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Another process writes to this output; the run waits for it.
    Waiting(&'a Path),
    /// An earlier run was interrupted; its changes were recovered.
    Recovered(&'a Recovery),
    /// A pattern of [`MigrateOptions::carry`] has no effect.
    IdlePattern(&'a IdlePattern),
    /// `polish.lock.json` has texts for a skill of this name, which no plugin gives.
    IdlePolish(&'a str),
    /// The migration of the plugins starts.
    Started {
        /// The number of plugins.
        n_plugins: usize,
    },
    /// A plugin is done. The events come from several threads, in any order.
    Done(&'a Outcome),
}

/// Receives the events of a run, from several threads.
pub type Observer<'o> = dyn Fn(Event<'_>) + Sync + 'o;

/// The result of a run.
#[derive(Debug)]
pub struct Migrated {
    /// The outcomes: one for each plugin, by directory, then one for each skill whose plugin is
    /// gone.
    pub outcomes: Vec<Outcome>,
    /// Findings about directories that were not searched; errors if they should have been.
    pub not_searched: Vec<Diagnostic>,
    /// The counts of outcomes and findings.
    pub totals: Totals,
    /// True if the output changed.
    pub changed: bool,
    /// The settings of the old host that were stored; `None` if that was not requested, or nothing was
    /// written.
    pub settings: Option<Import>,
}

impl Migrated {
    /// Returns true if a part of the input could not be searched.
    pub fn is_incomplete(&self) -> bool {
        has_errors(&self.not_searched)
    }
}

/// Migrates all plugins that the options select.
///
/// # Errors
///
/// Fails if the input cannot be searched, or the output cannot be read or written. A plugin that
/// cannot be migrated is an [`Outcome`].
pub fn migrate(options: MigrateOptions, observer: &Observer<'_>) -> Result<Migrated, Error> {
    let pipeline = Pipeline::open(options)?;
    let run = pipeline.start(observer)?;
    let outcomes = run.all(observer)?;
    run.finish(outcomes)
}

/// A collection of plugins that was searched and named.
#[derive(Debug)]
pub struct Pipeline {
    options: MigrateOptions,
    input: Root,
    host: Option<HostTree>,
    templates: Templates,
    collection: Collection,
    /// The settings of the old host.
    settings: Option<HostSettings>,
}

impl Pipeline {
    /// Searches the input, and checks that input and output are not inside one another.
    ///
    /// # Errors
    ///
    /// Fails if input and output are inside one another, the input cannot be searched, or a
    /// template cannot be used.
    pub fn open(options: MigrateOptions) -> Result<Self, Error> {
        let options = options.settle_input()?;
        let input = resolve(&options.input)?;
        let out = resolve(&options.out)?;
        // Beside a document, a directory for its skills is usual.
        let is_inside = out.starts_with(&input) && options.only_file.is_none();
        if is_inside || input.starts_with(&out) {
            return Err(Error::Nested {
                out: options.out,
                input: options.input,
            });
        }
        if let Some(from) = &options.settings {
            check_state(&from.state, &[&input, &out])?;
        }
        Self::search(options)
    }

    /// Searches the input, for a caller that writes nothing; the output is not checked.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be searched, or a template cannot be used.
    pub fn search(options: MigrateOptions) -> Result<Self, Error> {
        let options = options.settle_input()?;
        let input = Root::open_following(&options.input)?.with_stored_names();
        let host = HostTree::open(options.host.as_deref(), &options.input)?;
        let templates = load_templates(options.templates.as_deref())?;
        let settings = options.settings.as_ref();
        let settings = settings.map(|from| read_host(&from.host)).transpose()?;
        let collection = discover(&input, &options)?;
        Ok(Self {
            options,
            input,
            host,
            templates,
            collection,
            settings,
        })
    }

    /// Returns the plugins that were found.
    pub fn collection(&self) -> &Collection {
        &self.collection
    }

    #[cfg(test)]
    pub(crate) fn plugins_mut(&mut self) -> &mut [Candidate] {
        &mut self.collection.plugins
    }

    /// Returns the error for an input without any plugin, or without a selected one. Parts of a
    /// collection may be empty, and with `prune` the input may be, because its last plugin is gone.
    pub fn no_plugins(&self) -> Option<Diagnostic> {
        let may_be_empty = self.options.prune || self.options.shard.is_some();
        let only = (self.options.format, self.options.only_file.as_deref());
        let found = (!may_be_empty).then(|| no_plugins::find(&self.input, &self.collection, only));
        found.flatten()
    }

    /// Returns the result for an input without plugins: nothing was done.
    pub fn nothing(&self) -> Migrated {
        Migrated {
            outcomes: Vec::new(),
            not_searched: self.collection.not_searched.clone(),
            totals: Totals::default(),
            changed: false,
            settings: None,
        }
    }

    /// Returns the options.
    pub fn options(&self) -> &MigrateOptions {
        &self.options
    }

    /// Returns the directory of plugins.
    pub fn input(&self) -> &Root {
        &self.input
    }

    /// Returns the directory of the old host that the input is in, or that the options name.
    pub fn host(&self) -> Option<&Root> {
        self.host.as_ref().map(HostTree::root)
    }

    /// Returns the digest of everything that determines the output: the options and every name.
    /// Machines that share a migration must agree on it.
    pub fn digest(&self) -> String {
        let mut hasher = Hasher::default();
        hasher.update(options_text(&self.options, &self.templates).as_bytes());
        for found in &self.collection.plugins {
            let host = found.host.digest();
            let parts = [
                host.as_str(),
                found.key.as_str(),
                found.manifest_file.as_str(),
                found.skill_name().unwrap_or_default(),
                if found.is_skipped { "skipped" } else { "" },
            ];
            for part in parts {
                hasher.update(&[0]);
                hasher.update(part.as_bytes());
            }
        }
        hasher.finish().to_string()
    }

    /// Returns the digest of a plugin as it is now, in the form of `skills.lock`.
    ///
    /// # Errors
    ///
    /// Fails with a finding if the plugin cannot be read.
    pub fn source_digest(&self, found: &Candidate) -> Result<Digest, Box<Diagnostic>> {
        let survey = survey(&self.input, found)?;
        let collected = survey.collect(found, self.options.choice(), self.host.as_ref())?;
        Ok(collected.digest)
    }

    /// Returns true for a package that has only parts that no skill can have, such as hooks.
    pub fn has_nothing(&self, found: &Candidate) -> bool {
        let (choice, host) = (self.options.choice(), self.host.as_ref());
        let survey = survey(&self.input, found);
        let files = survey.and_then(|survey| survey.collect(found, choice, host));
        files.is_ok_and(|files| Reading::new(found, &files).has_nothing())
    }

    /// Stores the settings of the old host for the skills of these outcomes, if the options say so.
    fn store_settings(&self, outcomes: &[Outcome]) -> Result<Option<Import>, Error> {
        let from = self.options.settings.as_ref().zip(self.settings.as_ref());
        let Some((from, host)) = from.filter(|_| self.options.mode.writes()) else {
            return Ok(None);
        };
        let state = Root::make(&from.state)?;
        let migrated = outcomes
            .iter()
            .filter(|outcome| outcome.status.is_migrated());
        let pairs =
            migrated.filter_map(|outcome| Some((&*outcome.directory, outcome.skill.as_deref()?)));
        let places = (&*self.options.input, &*self.options.out);
        Ok(Some(import(host, places, pairs, &state)?))
    }

    /// Opens the output.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be read, or cannot be written to in a mode that writes.
    pub fn start(&self, observer: &Observer<'_>) -> Result<Run<'_>, Error> {
        let store = open_store(&self.options, observer)?;
        if let Some(recovery) = store.recovery() {
            observer(Event::Recovered(recovery));
        }
        let polish = polishing::read_lock(store.root())?;
        Ok(Run {
            pipeline: self,
            store,
            polish,
        })
    }
}

/// A started run: its output is open and locked against other processes.
pub struct Run<'p> {
    pipeline: &'p Pipeline,
    store: Store,
    polish: PolishLock,
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("pipeline", self.pipeline)
            .finish_non_exhaustive()
    }
}

impl Run<'_> {
    /// Migrates all plugins, in parallel, and retires the skills whose plugin is gone.
    ///
    /// # Errors
    ///
    /// Fails if threads cannot be started, or a skill cannot be retired.
    pub fn all(&self, observer: &Observer<'_>) -> Result<Vec<Outcome>, Error> {
        let Pipeline {
            options,
            input,
            collection,
            ..
        } = self.pipeline;
        for idle in carry::idle(options, input, collection) {
            observer(Event::IdlePattern(&idle));
        }
        self.report_idle_polish(observer);
        let plugins = &collection.plugins;
        observer(Event::Started {
            n_plugins: plugins.len(),
        });
        let context = self.context();
        let done = |outcome: &Outcome| observer(Event::Done(outcome));
        let packages: Vec<&[Candidate]> = plugins.chunk_by(|a, b| a.package == b.package).collect();
        let package = |units: &&[Candidate]| work(&context, units, &done);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs);
        let pool = pool.build()?;
        let mut outcomes: Vec<_> = pool.install(|| packages.par_iter().flat_map(package).collect());
        outcomes.extend(self.stale(&outcomes)?);
        Ok(outcomes)
    }

    /// Migrates one plugin of the collection.
    pub fn one(&self, found: &Candidate) -> Outcome {
        let outcome = work(&self.context(), std::slice::from_ref(found), &|_| ()).pop();
        outcome.expect("one outcome for one unit")
    }

    /// Records the run and returns its result.
    ///
    /// # Errors
    ///
    /// Fails if `skills.lock` or the settings of the old host cannot be written.
    pub fn finish(self, outcomes: Vec<Outcome>) -> Result<Migrated, Error> {
        let Self {
            pipeline, store, ..
        } = self;
        let writes = pipeline.options.mode.writes();
        if writes {
            store.mark_incomplete(pipeline.collection.is_incomplete())?;
        }
        let changed = writes && store.finish()?;
        Ok(Migrated {
            settings: pipeline.store_settings(&outcomes)?,
            totals: Totals::new(&outcomes),
            outcomes,
            not_searched: pipeline.collection.not_searched.clone(),
            changed,
        })
    }

    fn context(&self) -> Context<'_> {
        Context {
            options: &self.pipeline.options,
            input: &self.pipeline.input,
            host: self.pipeline.host.as_ref(),
            store: &self.store,
            templates: &self.pipeline.templates,
            polish: &self.polish,
        }
    }

    /// Returns the texts of a model in the output.
    pub fn polish_lock(&self) -> &PolishLock {
        &self.polish
    }

    /// Returns the jobs for a model: one for each skill whose texts are written here. Their texts are
    /// those without a model.
    pub fn polish_jobs(&self) -> Vec<Job> {
        let context = Context {
            polish: &PolishLock::default(),
            ..self.context()
        };
        polish_jobs::jobs(&context, &self.pipeline.collection.plugins)
    }

    /// Uses these texts of a model from now on, and stores them in the output.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn set_polish_lock(&mut self, polish: PolishLock) -> Result<(), Error> {
        if let Some(out) = self.store.root() {
            polishing::write_lock(out, &polish)?;
        }
        self.polish = polish;
        Ok(())
    }

    /// Reports texts of a model for skills that no plugin gives.
    fn report_idle_polish(&self, observer: &Observer<'_>) {
        let Pipeline {
            options,
            collection,
            ..
        } = self.pipeline;
        let plugins = collection.plugins.iter();
        let names: BTreeSet<&str> = plugins.filter_map(Candidate::skill_name).collect();
        let is_known =
            |name: &str| names.contains(name) || collection.names_passed_over.contains(name);
        if options.shard.is_none() {
            let idle = self.polish.names().filter(|name| !is_known(name));
            idle.for_each(|name| observer(Event::IdlePolish(name)));
        }
    }

    /// Removes the skills of the lock whose plugin is gone, or is a part of a host that was not asked
    /// for, if the options say so, or reports them. An input of one file says nothing about the skills of
    /// other files.
    fn stale(&self, outcomes: &[Outcome]) -> Result<Vec<Outcome>, Error> {
        if self.pipeline.options.only_file.is_some() {
            return Ok(Vec::new());
        }
        let collection = &self.pipeline.collection;
        let plugins = collection.plugins.iter();
        let mut names: BTreeSet<&str> = plugins.filter_map(Candidate::skill_name).collect();
        let parts = outcomes.iter().filter(|it| it.status == Status::HostPart);
        let parts: BTreeSet<&str> = parts.filter_map(|it| it.skill.as_deref()).collect();
        names.retain(|name| !parts.contains(name));
        let shard = self.pipeline.options.shard;
        let stale = self.store.lock().skills.iter().filter(|(name, locked)| {
            let directory = &locked.source.directory;
            shard.is_none_or(|shard| shard.holds(directory))
                && !names.contains(name.as_str())
                && !collection.names_passed_over.contains(name.as_str())
                && !collection.passed_over.contains(directory)
        });
        stale
            .map(|(name, locked)| {
                let directory = &locked.source.directory;
                let why = if parts.contains(name.as_str()) {
                    reconcile::Absence::HostPart
                } else if collection.agents_left.contains(directory) {
                    reconcile::Absence::Agent
                } else if collection.is_incomplete() {
                    reconcile::Absence::Unknown
                } else {
                    reconcile::Absence::Gone
                };
                reconcile::retire(&self.context(), name, directory, why)
            })
            .collect()
    }
}

impl Outcome {
    /// Creates the outcome for a directory that a machine was asked for and did not find.
    pub fn unknown(directory: &str) -> Self {
        Self::new(directory, Status::Failed)
    }
}

/// Refuses a state directory, which gets the settings of the old host, that is inside one of these
/// directories or contains it: they are passed on, and the state must not be.
fn check_state(state: &Path, others: &[&Path]) -> Result<(), Error> {
    let real = resolve(state)?;
    let nested = |other: &&&Path| real.starts_with(other) || other.starts_with(&real);
    match others.iter().find(nested) {
        None => Ok(()),
        Some(other) => Err(Error::StateInside {
            state: state.to_owned(),
            other: other.to_path_buf(),
        }),
    }
}

fn load_templates(directory: Option<&Path>) -> Result<Templates, Error> {
    let mut overrides = Vec::new();
    if let Some(directory) = directory {
        let root = Root::open_following(directory)?;
        let limits = WalkLimits {
            depth: 0,
            entries: 100,
        };
        for entry in root.walk("", &limits, &|_| true)?.entries {
            if entry.path.ends_with(".jinja") {
                let bytes = root.read(&entry.path, 1 << 20)?;
                let text = String::from_utf8(bytes).map_err(|source| Error::TemplateEncoding {
                    path: entry.path.clone(),
                    source,
                })?;
                overrides.push((entry.path, text));
            }
        }
        if overrides.is_empty() {
            return Err(Error::NoTemplate {
                directory: directory.to_owned(),
            });
        }
    }
    Ok(Templates::new(&overrides)?)
}

fn open_store(options: &MigrateOptions, observer: &Observer<'_>) -> Result<Store, Error> {
    let out = &options.out;
    if !options.mode.writes() {
        return Ok(Store::open_read_only(out)?);
    }
    let store = StoreOptions { sync: options.sync };
    let mut on_wait = || observer(Event::Waiting(out));
    Ok(Store::open_with(out, store, &mut on_wait)?)
}
