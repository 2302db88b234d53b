//! Compares one plugin with its skill, case by case.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use skill_executor::entry::shell_line;
use skill_executor::package::SkillPackage;
use skill_model::{ExecutorKind, Transport};
use tempfile::TempDir;

use crate::cases::{self, Case};
use crate::compare::{Difference, compare};
use crate::options::VerifyOptions;
use crate::pairs::{Pair, Pairs};
use crate::reference;
use crate::result::{CaseResult, PluginResult};
use crate::trial::{self, Trial, TrialSettings};
use parity_record::Verdict;

/// The default time limit of a call. The old host's limit of 60 s, with seven runs for each case,
/// would cost an hour in a collection where a few plugins wait for input that never comes.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(20);
/// The number of times that the skill runs before a difference counts. Values that change by
/// themselves are recognised when the plugin runs again.
const MAX_ROUNDS: usize = 3;

/// The input that is the same for all plugins.
pub(crate) struct Verification<'b> {
    pub(crate) pairs: &'b Pairs,
    pub(crate) options: &'b VerifyOptions,
    /// The directory in which the runs get directories of their own.
    pub(crate) work: PathBuf,
}

/// Compares one plugin with its skill.
pub(crate) fn judge(verification: &Verification<'_>, pair: &Pair) -> PluginResult {
    let mut res = PluginResult {
        directory: pair.found.directory.clone(),
        skill: pair.skill.clone(),
        verdict: Verdict::NotRun,
        reason: None,
        digests: None,
        cases: Vec::new(),
    };
    let judged = if verification.options.cancel.is_cancelled() {
        Err("interrupted".to_owned())
    } else {
        judge_pair(verification, pair, &mut res)
    };
    if let Err(why) = judged {
        res.verdict = Verdict::NotRun;
        res.reason = Some(why);
    }
    res
}

fn judge_pair(
    verification: &Verification<'_>,
    pair: &Pair,
    res: &mut PluginResult,
) -> Result<(), String> {
    if pair.found.is_skipped {
        return Err(format!("switched off ({})", pair.found.manifest_file));
    }
    let name = pair.skill.as_ref().ok_or("not migrated")?;
    let skill =
        SkillPackage::read(&verification.pairs.out.join(name)).map_err(|why| why.message)?;
    check_may_run(&skill, verification)?;
    let dir = verification.pairs.plugin_dir(&pair.found);
    let names = verification.options.environment.keys();
    let file = pair.found.manifest_file;
    let plugin = reference::package(
        &dir,
        file,
        &skill,
        verification.options.policy.network,
        names,
    )?;
    res.digests = Some((
        verification.pairs.digest(&pair.found)?,
        skill.digest().map_err(|why| why.message)?,
    ));
    let cases = cases::for_pair(pair, &skill, &verification.options.cases);
    if cases.is_empty() {
        return Err("nothing to send: no example and no case".to_owned());
    }
    for case in &cases {
        res.cases
            .push(judge_case(verification, &plugin, &skill, case));
    }
    (res.verdict, res.reason) = conclude(&cases, &res.cases);
    Ok(())
}

/// Checks that a skill may run. The error is the reason why not, in the same words for every user.
fn check_may_run(skill: &SkillPackage, verification: &Verification<'_>) -> Result<(), String> {
    let metadata = &skill.metadata;
    let policy = &verification.options.policy;
    let refuse = |flag: bool, why: &str| if flag { Err(why.to_owned()) } else { Ok(()) };
    refuse(!metadata.enabled, "switched off in METADATA.yml")?;
    if !metadata.runnable {
        let findings = metadata.findings.iter().map(|it| it.message.as_str());
        return Err(format!(
            "cannot run: {}",
            findings.collect::<Vec<_>>().join("; ")
        ));
    }
    let is_elsewhere = matches!(
        (metadata.executor, metadata.transport),
        (ExecutorKind::Distributed | ExecutorKind::Internal, _)
            | (_, Some(Transport::Http | Transport::Mcp | Transport::Nats))
    );
    refuse(
        is_elsewhere,
        "its program is not here: it runs on another machine or inside the host",
    )?;
    let os = &metadata.requires.os;
    let is_foreign = !os.is_empty() && !os.iter().any(|os| os == std::env::consts::OS);
    refuse(is_foreign, &format!("runs on {} only", os.join(", ")))?;
    let path = verification.options.environment.get("PATH").map(OsStr::new);
    let is_missing = |bin: &&String| {
        skill_sandbox::find_program(OsStr::new(bin.as_str()), path, Path::new("/")).is_none()
    };
    if let Some(bin) = metadata.requires.bin.iter().find(is_missing) {
        return Err(format!("there is no `{bin}` here"));
    }
    let uses_network = metadata.requires.network || metadata.permissions.network != "none";
    refuse(
        uses_network && !policy.network,
        "uses the network (--allow-network)",
    )?;
    let permissions = &metadata.permissions;
    let asks = permissions.admin || permissions.approval == "required";
    refuse(asks && !policy.approval, "asks for approval (--approve)")?;
    let is_shell_line = shell_line(skill).is_some();
    refuse(
        is_shell_line && !policy.shell,
        "its command is a line for a shell (--allow-shell)",
    )
}

/// Runs the plugin, the skill and the plugin, and again while there is a difference.
fn judge_case(
    verification: &Verification<'_>,
    plugin: &SkillPackage,
    skill: &SkillPackage,
    case: &Case,
) -> CaseResult {
    let mut res = CaseResult {
        id: case.id.clone(),
        verdict: Verdict::NotRun,
        reason: None,
        differences: Vec::new(),
        masked: BTreeSet::new(),
        ms: None,
    };
    match run_rounds(verification, plugin, skill, case) {
        Ok(trials) => trials.conclude(case, &mut res),
        Err(why) => res.reason = Some(why),
    }
    res
}

/// The runs of one case.
struct Trials {
    plugin: Vec<Trial>,
    skill: Vec<Trial>,
}

fn run_rounds(
    verification: &Verification<'_>,
    plugin: &SkillPackage,
    skill: &SkillPackage,
    case: &Case,
) -> Result<Trials, String> {
    let config = trial::config(case, plugin);
    let run = |package, is_reference| {
        // Names of equal length: a path may decide where a line breaks.
        let scratch = TempDir::with_prefix_in("run-", &verification.work);
        let scratch = scratch.map_err(|error| error.to_string())?;
        let settings = TrialSettings {
            environment: &verification.options.environment,
            zone: &verification.options.zone,
            sandbox: verification.options.policy.sandbox.clone(),
            shell: verification.options.policy.shell,
            approval: verification.options.policy.approval,
            timeout: verification
                .options
                .policy
                .timeout
                .unwrap_or(DEFAULT_TIMEOUT),
            is_reference,
        };
        let mut case = case.clone();
        case.options.cancel = verification.options.cancel.clone();
        let trial = trial::run(package, &case, config.as_deref(), scratch.path(), &settings);
        let trial = trial.map_err(|failure| failure.message)?;
        match &trial.hindrance {
            Some(why) if is_reference => Err(why.clone()),
            _ => Ok(trial),
        }
    };
    let mut res = Trials {
        plugin: vec![run(plugin, true)?],
        skill: Vec::new(),
    };
    while res.skill.len() < MAX_ROUNDS {
        res.skill.push(run(skill, false)?);
        res.plugin.push(run(plugin, true)?);
        if res.differences().is_none() {
            break;
        }
    }
    Ok(res)
}

impl Trials {
    fn references(&self) -> Vec<&serde_json::Value> {
        self.plugin.iter().map(|trial| &trial.observed).collect()
    }

    /// Returns the differences of the last run if every run has some.
    fn differences(&self) -> Option<Vec<Difference>> {
        let references = self.references();
        let all = self.skill.iter();
        let mut all: Vec<_> = all
            .map(|trial| compare(&references, &trial.observed).differences)
            .collect();
        let last = all.pop()?;
        (!last.is_empty() && all.iter().all(|it| !it.is_empty())).then_some(last)
    }

    fn conclude(&self, case: &Case, res: &mut CaseResult) {
        let mean = |trials: &[Trial]| {
            let sum: f64 = trials.iter().map(|trial| trial.time.as_secs_f64()).sum();
            #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
            let n = trials.len() as f64;
            sum * 1_000.0 / n
        };
        res.ms = Some((mean(&self.plugin), mean(&self.skill)));
        if let Some(last) = self.skill.last() {
            res.masked = compare(&self.references(), &last.observed).masked;
        }
        let first = &self.plugin[0];
        if let Some(differences) = self.differences() {
            res.differences = differences;
            res.verdict = Verdict::Differs;
        } else if first.is_ok != self.plugin.iter().all(|it| it.is_ok) {
            res.verdict = Verdict::Unproven;
            res.reason = Some("the plugin fails now and then".to_owned());
        } else if first.is_ok || case.is_user_case {
            res.verdict = Verdict::Verified;
        } else {
            res.verdict = Verdict::Unproven;
            let why = first.failure.as_deref().unwrap_or_default();
            res.reason = Some(format!("the plugin itself fails: {why}"));
        }
    }
}

/// Concludes from all cases: the worst one decides, except that an example that fails on both sides
/// does not count if another one is verified.
fn conclude(cases: &[Case], results: &[CaseResult]) -> (Verdict, Option<String>) {
    let n = |verdict| results.iter().filter(|it| it.verdict == verdict).count();
    let first = |verdict| {
        let result = results.iter().find(|it| it.verdict == verdict);
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
    (Verdict::Unproven, Some(first(Verdict::Unproven)))
}
