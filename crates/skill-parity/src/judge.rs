//! Compares one plugin with its skill, case by case.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use emulated_internet::{Cassette, Reads};
use emulated_runs::settings::Recorded;
use parity_record::{Level, Verdict};
use serde_json::Value;
use skill_executor::package::SkillPackage;
use skill_executor::view;
use skill_loader::fs::Root;
use skill_loader::{dir_in, tree_of};
use skill_model::{Transport, read_env_file};
use skill_settings::{SkillId, Store, Values};
use tempfile::TempDir;

use crate::cases::{self, Case};
use crate::cause::{self, Cause};
use crate::conclusion::NOT_RECORDED;
use crate::excuses;
use crate::obstacle::{self, Obstacle};
use crate::options::VerifyOptions;
use crate::pairs::{Pair, Pairs};
use crate::program_clock::ProgramClock;
use crate::recording;
use crate::reference;
use crate::resorts;
use crate::result::{CaseResult, PluginResult};
use crate::sources::{self, Source};
use crate::surroundings::Surroundings;
use crate::trial;
use crate::trials::{self, Comparison};

/// The beginning of the reason for an answer that came after a connection failed.
const UNREACHED: &str = "the plugin could not connect to";

/// The remedy where packages are missing.
const PACKAGES: &str = "its packages, installed (--prepare)";
/// The remedy where there is no input.
const CASE_IN_FILE: &str = "a case in a file (--cases FILE)";

/// The input that is the same for all plugins.
pub(crate) struct Verification<'b> {
    pub(crate) pairs: &'b Pairs,
    pub(crate) options: &'b VerifyOptions,
    /// The directory in which the pairs get directories of their own.
    pub(crate) work: PathBuf,
}

/// Compares one plugin with its skill.
pub(crate) fn judge(verification: &Verification<'_>, pair: &Pair) -> PluginResult {
    let mut res = PluginResult::not_run(pair.found.directory.clone(), pair.skill.clone());
    let judged = if verification.options.cancel.is_cancelled() {
        Err(Obstacle::new(Cause::Time, "interrupted", "another run"))
    } else {
        judge_pair(verification, pair, &mut res)
    };
    if let Err(obstacle) = judged {
        res.verdict = Verdict::NotRun;
        res.reason = Some(obstacle.why);
        res.cause = Some(obstacle.cause);
        res.would_prove = Some(obstacle.would_prove);
    }
    res
}

/// Prepares both sides, and records their digests.
fn comparison<'v>(
    verification: &Verification<'v>,
    pair: &Pair,
    res: &mut PluginResult,
) -> Result<Comparison<'v>, Obstacle> {
    let options = verification.options;
    if pair.found.is_skipped && !options.policy.disabled {
        let why = format!("switched off ({})", pair.found.manifest_file);
        return Err(Obstacle::new(Cause::SwitchedOff, why, "--include-disabled"));
    }
    let name = pair.skill.as_ref().ok_or_else(|| {
        let flag = if pair.found.is_skipped {
            ", with --include-disabled"
        } else {
            ""
        };
        let remedy = format!("a migration{flag}");
        Obstacle::new(Cause::NotMigrated, "not migrated", remedy)
    })?;
    let unreadable = |why| Obstacle::new(Cause::Broken, why, "files that can be read");
    let mut skill = SkillPackage::read(&dir_in(&verification.pairs.out, name))
        .map_err(|why| unreadable(why.message))?;
    obstacle::check(&skill, &options.policy, &options.environment)?;
    let is_cut_off = obstacle::is_cut_off(&skill, &options.policy);
    if is_cut_off {
        "none".clone_into(&mut skill.metadata.permissions.network);
    }
    skill.metadata.enabled = true;
    let surroundings = Surroundings::new(verification.pairs, &skill);
    res.without_secrets = surroundings.taken_out();
    let environment = surroundings.environment(&options.environment);
    let plugin = reference::package(
        &verification.pairs.plugin_dir(&pair.found),
        &pair.found.manifest_file,
        &skill,
        options.policy.network,
        environment.0.keys(),
    )
    .map_err(|why| Obstacle::new(Cause::Broken, why, "a plugin that the old host could start"))?;
    res.digests = Some((
        verification.pairs.digest(&pair.found).map_err(unreadable)?,
        skill.digest().map_err(|why| unreadable(why.message))?,
    ));
    res.requires = required(&skill, &verification.pairs.out);
    let sources = sources::read(&plugin.root);
    let mut stored = stored(&skill, options).map_err(unreadable)?;
    let cassette = recording::read(options, name).map_err(unreadable)?;
    if cassette.is_some() {
        // Only the settings of the recording count.
        stored = Values::default();
    }
    let reaches_out = obstacle::reaches_out(&skill);
    let clock = ProgramClock::of(&skill);
    res.clock = Some(clock.clone());
    let auth_code = cases::auth_code(&skill);
    let auth_code = options.policy.approval.then_some(auth_code);
    let work = TempDir::with_prefix_in("pair-", &verification.work);
    let work = work.map_err(|error| unreadable(error.to_string()))?;
    Ok(Comparison {
        options,
        excuses: excuses::texts(&sources),
        reads: Reads::new(sources.iter().map(|source| source.text.as_str())),
        ports: ports(
            &sources,
            &plugin,
            &environment.0,
            options,
            cassette.as_ref(),
        ),
        wanted: skill_settings::wanted(&skill.metadata, skill.manifest.as_ref()),
        plugin,
        skill,
        surroundings,
        environment,
        stored,
        reaches_out,
        is_cut_off,
        auth_code,
        clock,
        work,
        recorded: Recorded::default(),
        mask: Arc::default(),
        cassette,
    })
}

fn judge_pair(
    verification: &Verification<'_>,
    pair: &Pair,
    res: &mut PluginResult,
) -> Result<(), Obstacle> {
    let options = verification.options;
    let mut comparison = comparison(verification, pair, res)?;
    let unset = unset(&comparison.skill, &comparison.stored, options);
    let mut cases = cases::for_pair(
        pair,
        (&comparison.plugin, &comparison.skill),
        &options.cases,
    );
    let mut ignored = Value::Null;
    if cases.is_empty() && comparison.plugin.metadata.transport == Some(Transport::Module) {
        let table = trials::ask(&comparison, &cases::table_of_routes());
        let table = table.map_err(|why| {
            let (cause, remedy) = remedy_of(&why, &unset);
            Obstacle::new(cause, format!("the plugin itself fails: {why}"), remedy)
        })?;
        cases = cases::for_routes(&table["routes"]);
        ignored = table["ignored"].clone();
        if cases.is_empty() && trials::answers(&comparison, &cases::table_of_routes()) {
            // The module was loaded, and said that it has no routes.
            res.level = Level::Loads;
        }
    }
    if cases.is_empty() && ignored[0].is_string() {
        let why = "nothing to send: its `registerApiRoutes` is not called, because the manifest has no `hasApiRoutes: true`";
        return Err(Obstacle::new(Cause::Case, why, CASE_IN_FILE));
    }
    if cases.is_empty() {
        let why = "nothing to send: no example, no route and no case";
        return Err(Obstacle::new(Cause::Case, why, CASE_IN_FILE));
    }
    recording::prepare(&mut comparison, &cases);
    for case in &cases {
        res.cases.push(trials::judge(&comparison, case));
    }
    if options.cases.is_empty() {
        try_resorts(&comparison, &mut cases, &mut res.cases);
    }
    let is_repeatable = |it: &CaseResult| {
        !it.needs_network && matches!(it.verdict, Verdict::Verified | Verdict::FailsAlike)
    };
    let pairs = cases.iter().zip(&res.cases);
    let pairs = pairs.filter(|(_, result)| is_repeatable(result));
    let pairs = pairs.map(|(case, result)| (case, result.changes_files));
    if let Some(case) = cases::one_after_the_other(pairs).filter(|_| options.cases.is_empty()) {
        res.cases.push(trials::judge(&comparison, &case));
        cases.push(case);
    }
    res.cassette = recording::cassette(&comparison, &mut res.cases);
    (res.verdict, res.reason) = conclude(&cases, &res.cases);
    let is_open = !matches!(res.verdict, Verdict::Verified | Verdict::Differs);
    if is_open && recording::is_missing(options, &comparison.skill.metadata.name) {
        res.digests = None;
        let why = "there is no recording of it";
        return Err(Obstacle::new(
            Cause::Case,
            why,
            "a recording (--network record)",
        ));
    }
    if let Some((cause, remedy)) = would_prove(res.verdict, &res.cases, &unset) {
        res.cause = cause;
        res.would_prove = Some(remedy);
    }
    let reached = res.cases.iter().map(|case| case.level);
    res.level = match res.verdict {
        Verdict::Verified => Level::Proven,
        // A proof of one case proves nothing if another one differs.
        _ => reached.max().unwrap_or_default().min(Level::Runs),
    };
    Ok(())
}

/// Tries other input if what was tried proves nothing; the case that does is added.
fn try_resorts(comparison: &Comparison<'_>, cases: &mut Vec<Case>, results: &mut Vec<CaseResult>) {
    let is_weak = |it: &CaseResult| matches!(it.verdict, Verdict::Unproven | Verdict::FailsAlike);
    if !results.iter().all(|it| is_weak(it) && !it.needs_network) {
        return;
    }
    for case in resorts::cases(&comparison.skill) {
        let result = trials::judge(comparison, &case);
        if !is_weak(&result) {
            cases.push(case);
            results.push(result);
            return;
        }
    }
}

/// Returns the ports at which the hosts of an emulated internet answer: those that the code and the settings
/// name.
fn ports(
    sources: &[Source],
    plugin: &SkillPackage,
    environment: &BTreeMap<String, String>,
    options: &VerifyOptions,
    cassette: Option<&Cassette>,
) -> BTreeSet<u16> {
    let files = [trial::own_config(plugin), trial::example_config(plugin)];
    let recorded = cassette.into_iter().flat_map(Cassette::urls);
    let settings = environment.values().map(String::as_str);
    let texts = sources
        .iter()
        .map(|source| source.text.as_str())
        .chain(settings);
    let files = files.iter().filter_map(Option::as_deref);
    let texts = texts.chain(options.config.as_deref()).chain(files);
    emulated_runs::ports(texts.chain(recorded))
}

/// Returns the digests of the skills beside this one that it requires.
fn required(skill: &SkillPackage, skills: &Path) -> BTreeMap<String, String> {
    let others = view::neighbours(skill).into_iter();
    let others = others.filter(|other| tree_of(&other.dir) == Some(skills));
    let digest = |other: SkillPackage| {
        let name = other.dir.file_name()?.to_string_lossy().into_owned();
        Some((name, other.digest().ok()?))
    };
    others.filter_map(digest).collect()
}

/// Returns the keys that a skill wants and for which nothing has a value.
fn unset(skill: &SkillPackage, stored: &Values, options: &VerifyOptions) -> Vec<String> {
    let wanted = skill_settings::wanted(&skill.metadata, skill.manifest.as_ref());
    let in_file = read_env_file(options.config.as_deref().unwrap_or_default());
    let has = |key: &String| {
        let file = in_file
            .iter()
            .any(|(known, value)| known == key && !value.is_empty());
        file || stored.contains_key(key) || options.environment.contains_key(key)
    };
    let keys = wanted.into_iter().map(|wanted| wanted.key);
    keys.filter(|key| !has(key)).collect()
}

/// Returns the values that the user stored for a skill; none without a state directory.
fn stored(skill: &SkillPackage, options: &VerifyOptions) -> Result<Values, String> {
    let Ok(state) = Root::open_real(&options.packages) else {
        return Ok(Values::default());
    };
    let id = SkillId::new(&skill.dir, &skill.metadata);
    let stored = Store::new(&state).read(&id);
    stored
        .map(|stored| stored.values)
        .map_err(|error| error.to_string())
}

/// Concludes from all cases: the worst one decides, except that an example that proves nothing does not
/// count if another one is verified.
fn conclude(cases: &[Case], results: &[CaseResult]) -> (Verdict, Option<String>) {
    let is_of = |it: &&CaseResult, verdict| it.verdict == verdict && !it.needs_network;
    let n = |verdict| results.iter().filter(|it| is_of(it, verdict)).count();
    let first = |verdict| {
        let result = results.iter().find(|it| is_of(it, verdict));
        result.and_then(|it| it.reason.clone()).unwrap_or_default()
    };
    let all = cases.len();
    if n(Verdict::Differs) > 0 {
        return (Verdict::Differs, None);
    }
    if n(Verdict::NotRun) > 0 {
        let why = first(Verdict::NotRun);
        let why = match n(Verdict::NotRun) {
            not_run if not_run < all => format!("{not_run} of {all} cases could not be run: {why}"),
            _ => why,
        };
        return (Verdict::NotRun, Some(why));
    }
    if n(Verdict::Verified) > 0 {
        return (Verdict::Verified, None);
    }
    if results.iter().any(|it| it.needs_network) {
        return (Verdict::NotRun, Some(trials::USES_NETWORK.to_owned()));
    }
    let weak = [Verdict::Unproven, Verdict::Unchanged, Verdict::FailsAlike];
    let verdict = weak.into_iter().find(|verdict| n(*verdict) > 0);
    let verdict = verdict.unwrap_or(Verdict::FailsAlike);
    (verdict, Some(first(verdict)))
}

/// Returns the one thing that would prove a plugin that was run and is not verified, and the kind of
/// what is missing.
fn would_prove(
    verdict: Verdict,
    cases: &[CaseResult],
    unset: &[String],
) -> Option<(Option<Cause>, String)> {
    let (cause, res) = match verdict {
        Verdict::Verified => return None,
        Verdict::Differs => return Some((None, of_difference(cases)?)),
        Verdict::NotRun if cases.iter().any(|case| case.needs_network) => {
            (Cause::Permit, "--allow-network")
        }
        Verdict::NotRun
            if cases
                .iter()
                .any(|case| trials::is_too_long(case.reason.as_deref())) =>
        {
            (Cause::Time, "more time (--timeout MS)")
        }
        Verdict::NotRun => (Cause::Machine, "a machine where all cases can run"),
        Verdict::Unproven if has_reason(cases, NOT_RECORDED) => {
            (Cause::Case, "a new recording (--network record)")
        }
        Verdict::Unproven if has_reason(cases, UNREACHED) => {
            (Cause::Machine, "a machine that can connect to it")
        }
        Verdict::Unproven if has_reason(cases, "its answer") => {
            let of_doubt = cases.iter().filter_map(|case| case.reason.as_deref());
            let of_doubt = of_doubt.map(|why| cause::of_failure(why, unset));
            let mut settings = of_doubt.filter(|(cause, _)| *cause == Cause::Setting);
            if let Some((cause, key)) = settings.next() {
                return Some((Some(cause), setting(key)));
            }
            if let Some(remedy) = answer_to(cases) {
                return Some((Some(Cause::Answer), remedy));
            }
            (Cause::Case, "a case that shows its work (--cases FILE)")
        }
        Verdict::Unproven => (
            Cause::Case,
            "a plugin that gives the same kind of answer twice",
        ),
        Verdict::Unchanged => (
            Cause::Case,
            "a conversation with what it looks for (--cases FILE)",
        ),
        Verdict::FailsAlike => {
            let reasons = cases.iter().filter_map(|case| case.reason.as_deref());
            let (cause, remedy) = remedy_of(&reasons.collect::<Vec<_>>().join("\n"), unset);
            return Some(match answer_to(cases) {
                Some(answer) if cause == Cause::Case => (Some(Cause::Answer), answer),
                _ => (Some(cause), remedy),
            });
        }
    };
    Some((Some(cause), res.to_owned()))
}

/// Returns the remedy where a plugin asked an emulated internet and does not understand the answer: one to
/// its last request.
fn answer_to(cases: &[CaseResult]) -> Option<String> {
    let weak = [Verdict::FailsAlike, Verdict::Unproven];
    let made_up = cases.iter().filter(|case| !case.is_recorded);
    let mut weak = made_up.filter(|case| weak.contains(&case.verdict));
    let asked = weak.find_map(|case| case.asked.last())?;
    Some(format!(
        "an answer that it understands to {asked} (--answers DIR)"
    ))
}

/// Returns what would mend a skill that fails where its plugin answers; `None` for other differences,
/// which the report lists.
fn of_difference(cases: &[CaseResult]) -> Option<String> {
    let differs = cases.iter().filter(|case| case.verdict == Verdict::Differs);
    let answers = differs.filter_map(|case| case.answers.as_ref());
    let mut failures = answers.filter(|(plugin, _)| plugin.get("value").is_some());
    let message = failures.find_map(|(_, skill)| skill["error"]["message"].as_str())?;
    if cause::is_missing_module(message) {
        return Some(PACKAGES.to_owned());
    }
    let message: String = message.lines().next().unwrap_or_default().to_owned();
    Some(format!("a skill that does not fail with: {message}"))
}

/// Returns true if the reason of a case begins like this.
fn has_reason(cases: &[CaseResult], start: &str) -> bool {
    let mut reasons = cases.iter().filter_map(|case| case.reason.as_deref());
    reasons.any(|reason| reason.starts_with(start))
}

/// Returns what would make a plugin succeed that fails with this message, and the kind of what is missing.
fn remedy_of(why: &str, unset: &[String]) -> (Cause, String) {
    let (cause, key) = cause::of_failure(why, unset);
    let remedy = match cause {
        Cause::Package if cause::is_missing_module(why) => PACKAGES.to_owned(),
        Cause::Package => "its packages, built (skills-run prepare --allow-scripts)".to_owned(),
        Cause::HostPart => "the old host beside it (--host DIR)".to_owned(),
        Cause::Time => "more time (--timeout MS)".to_owned(),
        Cause::Setting => setting(key),
        Cause::Program => "the program that it starts".to_owned(),
        _ => "its settings in config.env, or a case that succeeds (--cases FILE)".to_owned(),
    };
    (cause, remedy)
}

/// Returns the remedy for a setting without a value.
fn setting(key: Option<&str>) -> String {
    match key {
        Some(key) => {
            format!("a value for {key} (config.env, --config FILE or skills-run configure)")
        }
        None => "its settings (config.env, --config FILE or skills-run configure)".to_owned(),
    }
}
