//! Compares one plugin with its skill, case by case.

use std::path::PathBuf;

use parity_record::{Level, Verdict};
use serde_json::Value;
use skill_executor::package::SkillPackage;
use skill_model::Transport;
use tempfile::TempDir;

use crate::cases::{self, Case};
use crate::obstacle::{self, Obstacle};
use crate::options::VerifyOptions;
use crate::pairs::{Pair, Pairs};
use crate::reference;
use crate::result::{CaseResult, PluginResult};
use crate::surroundings::Surroundings;
use crate::trials::{self, Comparison};

/// The beginning of the reason for an answer that came after a connection failed.
const UNREACHED: &str = "the plugin could not connect to";

/// The input that is the same for all plugins.
pub(crate) struct Verification<'b> {
    pub(crate) pairs: &'b Pairs,
    pub(crate) options: &'b VerifyOptions,
    /// The directory in which the pairs get directories of their own.
    pub(crate) work: PathBuf,
}

/// Compares one plugin with its skill.
pub(crate) fn judge(verification: &Verification<'_>, pair: &Pair) -> PluginResult {
    let mut res = PluginResult {
        directory: pair.found.directory.clone(),
        skill: pair.skill.clone(),
        verdict: Verdict::NotRun,
        reason: None,
        would_prove: None,
        level: Level::Read,
        digests: None,
        cases: Vec::new(),
    };
    let judged = if verification.options.cancel.is_cancelled() {
        Err(Obstacle::new("interrupted", "another run"))
    } else {
        judge_pair(verification, pair, &mut res)
    };
    if let Err(obstacle) = judged {
        res.verdict = Verdict::NotRun;
        res.reason = Some(obstacle.why);
        res.would_prove = Some(obstacle.would_prove);
    }
    res
}

fn judge_pair(
    verification: &Verification<'_>,
    pair: &Pair,
    res: &mut PluginResult,
) -> Result<(), Obstacle> {
    let options = verification.options;
    if pair.found.is_skipped && !options.policy.disabled {
        let why = format!("switched off ({})", pair.found.manifest_file);
        return Err(Obstacle::new(why, "--include-disabled"));
    }
    let name = pair.skill.as_ref().ok_or_else(|| {
        let flag = if pair.found.is_skipped {
            ", with --include-disabled"
        } else {
            ""
        };
        Obstacle::new("not migrated", format!("a migration{flag}"))
    })?;
    let unreadable = |why| Obstacle::new(why, "files that can be read");
    let mut skill = SkillPackage::read(&verification.pairs.out.join(name))
        .map_err(|why| unreadable(why.message))?;
    obstacle::check(&skill, &options.policy, &options.environment)?;
    let is_cut_off = obstacle::is_cut_off(&skill, &options.policy);
    if is_cut_off {
        "none".clone_into(&mut skill.metadata.permissions.network);
    }
    skill.metadata.enabled = true;
    let surroundings = Surroundings::new(verification.pairs, &skill);
    let environment = surroundings.environment(&options.environment);
    let plugin = reference::package(
        &verification.pairs.plugin_dir(&pair.found),
        pair.found.manifest_file,
        &skill,
        options.policy.network,
        environment.0.keys(),
    )
    .map_err(|why| Obstacle::new(why, "a plugin that the old host could start"))?;
    res.digests = Some((
        verification.pairs.digest(&pair.found).map_err(unreadable)?,
        skill.digest().map_err(|why| unreadable(why.message))?,
    ));
    let work = TempDir::with_prefix_in("pair-", &verification.work);
    let work = work.map_err(|error| unreadable(error.to_string()))?;
    let comparison = Comparison {
        options,
        plugin,
        skill,
        surroundings,
        environment,
        is_cut_off,
        work,
    };
    let mut cases = cases::for_pair(
        pair,
        (&comparison.plugin, &comparison.skill),
        &options.cases,
    );
    let mut ignored = Value::Null;
    if cases.is_empty() && comparison.plugin.metadata.transport == Some(Transport::Module) {
        let table = trials::ask(&comparison, &cases::table_of_routes());
        let table = table.map_err(|why| {
            let remedy = remedy_of(&why);
            Obstacle::new(format!("the plugin itself fails: {why}"), remedy)
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
        return Err(Obstacle::new(why, "a case in a file (--cases FILE)"));
    }
    if cases.is_empty() {
        let why = "nothing to send: no example, no route and no case";
        return Err(Obstacle::new(why, "a case in a file (--cases FILE)"));
    }
    for case in &cases {
        res.cases.push(trials::judge(&comparison, case));
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
    (res.verdict, res.reason) = conclude(&cases, &res.cases);
    res.would_prove = would_prove(res.verdict, &res.cases);
    let reached = res.cases.iter().map(|case| case.level);
    res.level = match res.verdict {
        Verdict::Verified => Level::Proven,
        // A proof of one case proves nothing if another one differs.
        _ => reached.max().unwrap_or_default().min(Level::Runs),
    };
    Ok(())
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

/// Returns the one thing that would prove a plugin that was run and is not verified.
fn would_prove(verdict: Verdict, cases: &[CaseResult]) -> Option<String> {
    let res = match verdict {
        Verdict::Verified => return None,
        Verdict::Differs => return of_difference(cases),
        Verdict::NotRun if cases.iter().any(|case| case.needs_network) => "--allow-network",
        Verdict::NotRun => "a machine where all cases can run",
        Verdict::Unproven if has_reason(cases, UNREACHED) => "a machine that can connect to it",
        Verdict::Unproven if has_reason(cases, "its answer") => {
            "a case that shows its work (--cases FILE)"
        }
        Verdict::Unproven => "a plugin that gives the same kind of answer twice",
        Verdict::Unchanged => "a conversation with what it looks for (--cases FILE)",
        Verdict::FailsAlike => {
            let reasons = cases.iter().filter_map(|case| case.reason.as_deref());
            remedy_of(&reasons.collect::<Vec<_>>().join("\n"))
        }
    };
    Some(res.to_owned())
}

/// Returns what would mend a skill that fails where its plugin answers; `None` for other differences,
/// which the report lists.
fn of_difference(cases: &[CaseResult]) -> Option<String> {
    let differs = cases.iter().filter(|case| case.verdict == Verdict::Differs);
    let answers = differs.filter_map(|case| case.answers.as_ref());
    let mut failures = answers.filter(|(plugin, _)| plugin.get("value").is_some());
    let message = failures.find_map(|(_, skill)| skill["error"]["message"].as_str())?;
    if trials::is_missing_module(message) {
        return Some("its packages, installed".to_owned());
    }
    let message: String = message.lines().next().unwrap_or_default().to_owned();
    Some(format!("a skill that does not fail with: {message}"))
}

/// Returns true if the reason of a case begins like this.
fn has_reason(cases: &[CaseResult], start: &str) -> bool {
    let mut reasons = cases.iter().filter_map(|case| case.reason.as_deref());
    reasons.any(|reason| reason.starts_with(start))
}

/// Returns what would make a plugin succeed that fails with this message.
fn remedy_of(why: &str) -> &'static str {
    if trials::is_missing_module(why) {
        "its packages, installed"
    } else if why.contains("timed out") {
        "more time (--timeout MS)"
    } else {
        "its settings in config.env, or a case that succeeds (--cases FILE)"
    }
}
