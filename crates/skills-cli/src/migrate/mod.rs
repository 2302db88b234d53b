//! `skills-migrate`: a directory of legacy plugins in, a directory of Agent Skills out.
//!
//! - [`Args`]: what the user typed; [`Settings`]: what was meant.
//! - `discover`: where the plugins are and which names they get.
//! - `collect`: one plugin directory as values.
//! - `work`: one plugin, from reading to writing.
//! - `shard`, `merge_shards`: a part of a collection, and the parts put together.
//! - `shared`: one collection, many machines.
//! - `report`: what is told in the end.
//! - [`verify`]: proof that a skill does what its plugin did, and what follows from it.

mod args;
mod carry;
mod collect;
mod decode;
mod diff;
mod discover;
mod evidence;
mod last_time;
mod merge;
mod merge_shards;
mod outcome;
mod page;
mod plan;
mod report;
mod report_json;
mod secrets;
mod settle;
mod shard;
mod shared;
pub mod verify;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use skill_loader::{
    fs::{Root, resolve},
    store::{Store, StoreOptions},
};
use skill_migrator::Templates;

pub use args::{Args, Format, Mode, SecretPolicy, Settings};
use discover::{Collection, Found};
use outcome::{Outcome, Totals};
use report::Results;
pub use shard::Shard;
use work::Context;

use crate::{ExitStatus, output::Streams};

/// Runs the tool.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    if let Some(out) = args.rollback_of() {
        return rollback(out, streams);
    }
    if let Some(args) = args.merge_of() {
        return merge_shards::run(args, streams);
    }
    if let Some(args) = args.verify_of() {
        return verify::run(args, streams);
    }
    if let Some(args) = args.status_of() {
        return verify::status(args, streams);
    }
    let settings = args.into_settings()?;
    let input = open_input(&settings)?;
    let templates = load_templates(&settings)?;
    let collection = discover::discover(&input, &settings)?;
    if settings.enqueue.is_some() {
        let status = shared::enqueue(&settings, &templates, &collection, streams)?;
        report::not_searched(&settings, &collection.not_searched, streams)?;
        return Ok(if collection.is_blind() {
            ExitStatus::Findings
        } else {
            status
        });
    }
    let store = open_store(&settings, streams)?;
    report::recovery(&store, streams)?;
    carry::warn_of_idle(&settings, &input, &collection, streams)?;
    let context = Context {
        settings: &settings,
        input: &input,
        store: &store,
        templates: &templates,
    };
    let outcomes = if settings.worker.is_some() {
        shared::take_part(&context, &collection)?
    } else {
        let mut outcomes = work_all(&context, &collection, streams)?;
        outcomes.extend(stale(&context, &collection)?);
        outcomes
    };
    let changed = if settings.mode.writes() {
        store.finish()?
    } else {
        false
    };
    let totals = Totals::of(&outcomes);
    let parity = if settings.report_is_page() {
        verify::recorded(&settings.out)
    } else {
        BTreeMap::new()
    };
    report::write(
        &settings,
        &Results {
            outcomes: &outcomes,
            not_searched: &collection.not_searched,
            totals: &totals,
            changed,
            parity: &parity,
        },
        streams,
    )?;
    Ok(if collection.is_blind() {
        ExitStatus::Findings
    } else {
        exit_status(&settings, &totals)
    })
}

fn open_input(settings: &Settings) -> anyhow::Result<Root> {
    let input = resolve(&settings.input)?;
    if settings.enqueue.is_some() {
        return Ok(Root::open_following(&settings.input)?);
    }
    let out = resolve(&settings.out)?;
    if out.starts_with(&input) || input.starts_with(&out) {
        bail!(
            "the output {} and the input {} lie in one another; choose a directory beside it",
            settings.out.display(),
            settings.input.display()
        );
    }
    Ok(Root::open_following(&settings.input)?)
}

fn load_templates(settings: &Settings) -> anyhow::Result<Templates> {
    let mut overrides = Vec::new();
    if let Some(directory) = &settings.templates {
        let root = Root::open_following(directory)?;
        for entry in root
            .walk(
                "",
                &skill_loader::fs::WalkLimits {
                    depth: 0,
                    entries: 100,
                },
                &|_| true,
            )?
            .entries
        {
            if entry.path.ends_with(".hbs") {
                let bytes = root.read(&entry.path, 1 << 20)?;
                let text = String::from_utf8(bytes)
                    .with_context(|| format!("the template {} is not UTF-8", entry.path))?;
                overrides.push((entry.path, text));
            }
        }
        if overrides.is_empty() {
            bail!(
                "{} holds no template; expected SKILL.md.hbs or commands.md.hbs",
                directory.display()
            );
        }
    }
    Ok(Templates::new(&overrides)?)
}

fn open_store(settings: &Settings, streams: &mut Streams) -> anyhow::Result<Store> {
    let out = &settings.out;
    if !settings.mode.writes() {
        return Ok(Store::open_read_only(out)?);
    }
    let options = StoreOptions {
        sync: settings.sync,
    };
    let mut on_wait = || {
        let _ = writeln!(
            streams.stderr,
            "waiting: another process writes to {}",
            out.display()
        );
    };
    Ok(Store::open_with(out, options, &mut on_wait)?)
}

/// Migrates all plugins, in parallel; outcomes come in the order of the directories.
fn work_all(
    context: &Context<'_>,
    collection: &Collection,
    streams: &Streams,
) -> anyhow::Result<Vec<Outcome>> {
    let progress = progress_bar(context.settings, collection.plugins.len(), streams);
    let one = |found: &Found| {
        let outcome = work::work(context, found);
        progress.inc(1);
        outcome
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(context.settings.jobs)
        .build()?;
    let outcomes = pool.install(|| collection.plugins.par_iter().map(one).collect());
    progress.finish_and_clear();
    Ok(outcomes)
}

fn progress_bar(settings: &Settings, n_plugins: usize, streams: &Streams) -> ProgressBar {
    if !streams.is_watched || settings.verbosity < 0 {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} plugins {eta}")
        .expect("the template is a constant and well formed");
    let bar = ProgressBar::with_draw_target(Some(n_plugins as u64), ProgressDrawTarget::stderr());
    bar.with_style(style)
}

/// Skills of the lock whose plugin is gone: removed with `--prune`, else mentioned.
fn stale(context: &Context<'_>, collection: &Collection) -> anyhow::Result<Vec<Outcome>> {
    let names: BTreeSet<&str> = collection
        .plugins
        .iter()
        .filter_map(Found::skill_name)
        .collect();
    let stale = context.store.lock().skills.iter().filter(|(name, locked)| {
        let directory = &locked.source.directory;
        let is_in_shard = context
            .settings
            .shard
            .is_none_or(|shard| shard.holds(directory));
        is_in_shard
            && !names.contains(name.as_str())
            && !collection.names_passed_over.contains(name.as_str())
            && !collection.passed_over.contains(directory)
    });
    stale
        .map(|(name, locked)| settle::retire(context, name, &locked.source.directory))
        .collect()
}

fn exit_status(settings: &Settings, totals: &Totals) -> ExitStatus {
    let has_drift = settings.mode == Mode::Check && totals.has_drift();
    let is_strict = settings.strict && totals.attention > 0;
    if totals.has_failures() || has_drift || is_strict {
        ExitStatus::Findings
    } else {
        ExitStatus::Fine
    }
}

fn rollback(out: &std::path::Path, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let mut on_wait = || {
        let _ = writeln!(
            streams.stderr,
            "waiting: another process writes to {}",
            out.display()
        );
    };
    let done = Store::rollback(out, &mut on_wait)?;
    report::rollback(done.as_ref(), streams)
}
