//! One plugin and its skill, compared case by case.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use skill_executor::entry::shell_line;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_model::{ExecutorKind, Transport};
use tempfile::TempDir;

use crate::cases::{self, Case};
use crate::compare::{Difference, compare};
use crate::pairs::{Pair, Pairs};
use crate::reference;
use crate::trial::{self, Terms, Trial};
use crate::verify::VerifyOptions;

/// The longest that a call may take when the user does not say. The old host's 60 s, times seven runs,
/// times the cases, is an hour for a collection of which a few wait for something that never comes.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often the skill runs before a difference counts: what is fickle shows itself when the plugin
/// runs again.
const ROUNDS: usize = 3;

/// What is true of all plugins alike.
pub(crate) struct Bench<'b> {
    pub(crate) pairs: &'b Pairs,
    pub(crate) options: &'b VerifyOptions,
    /// Directory in which the runs have directories of their own.
    pub(crate) work: PathBuf,
}

/// What the user allows.
#[derive(Clone, Debug)]
pub struct Permits {
    /// Plugins that use the network.
    pub network: bool,
    /// Lines that only a shell can read.
    pub shell: bool,
    /// Plugins that ask for approval or for the administrator.
    pub approval: bool,
    /// The walls around both sides.
    pub sandbox: Sandbox,
    /// Time limit of each call.
    pub timeout: Option<Duration>,
}

/// What is known of a plugin and its skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Every case gave the same on both sides.
    Verified,
    /// At least one did not.
    Differs,
    /// Every case gave the same, but the plugin itself gave no value.
    Unproven,
    /// Nothing was run, or not everything.
    NotRun,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Verified, Self::Differs, Self::Unproven, Self::NotRun];

    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Differs => "differs",
            Self::Unproven => "unproven",
            Self::NotRun => "not run",
        }
    }
}

/// What came of one plugin.
#[derive(Debug)]
pub struct Account {
    /// Directory of the plugin.
    pub directory: String,
    /// Name of the skill, when there is one.
    pub skill: Option<String>,
    /// The result.
    pub verdict: Verdict,
    /// Why it is not verified.
    pub reason: Option<String>,
    /// Digests of the plugin and of the skill that were run.
    pub digests: Option<(String, String)>,
    /// The cases that were run.
    pub cases: Vec<CaseAccount>,
}

/// What came of one case.
#[derive(Debug)]
pub struct CaseAccount {
    /// The name of the case.
    pub id: String,
    /// The result.
    pub verdict: Verdict,
    /// Why it is not verified.
    pub reason: Option<String>,
    /// Where the skill differs.
    pub differences: Vec<Difference>,
    /// JSON Pointers to what was not compared, because it differs between runs of the plugin.
    pub masked: BTreeSet<String>,
    /// Mean time of a call, in milliseconds: plugin, skill.
    pub ms: Option<(f64, f64)>,
}

/// Verifies one plugin.
pub(crate) fn judge(bench: &Bench<'_>, pair: &Pair) -> Account {
    let mut res = Account {
        directory: pair.found.directory.clone(),
        skill: pair.skill.clone(),
        verdict: Verdict::NotRun,
        reason: None,
        digests: None,
        cases: Vec::new(),
    };
    let judged = if bench.options.cancel.is_cancelled() {
        Err("interrupted".to_owned())
    } else {
        judge_pair(bench, pair, &mut res)
    };
    if let Err(why) = judged {
        res.verdict = Verdict::NotRun;
        res.reason = Some(why);
    }
    res
}

fn judge_pair(bench: &Bench<'_>, pair: &Pair, res: &mut Account) -> Result<(), String> {
    if pair.found.is_skipped {
        return Err(format!("switched off ({})", pair.found.manifest_file));
    }
    let name = pair.skill.as_ref().ok_or("not migrated")?;
    let skill = SkillPackage::read(&bench.pairs.out.join(name)).map_err(|why| why.message)?;
    may_run(&skill, bench)?;
    let dir = bench.pairs.plugin_dir(&pair.found);
    let names = bench.options.environment.keys();
    let file = pair.found.manifest_file;
    let plugin = reference::package(&dir, file, &skill, bench.options.permits.network, names)?;
    res.digests = Some((
        bench.pairs.digest(&pair.found)?,
        skill.digest().map_err(|why| why.message)?,
    ));
    let cases = cases::of(pair, &skill, &bench.options.cases);
    if cases.is_empty() {
        return Err("nothing to send: no example and no case".to_owned());
    }
    for case in &cases {
        res.cases.push(of_case(bench, &plugin, &skill, case));
    }
    (res.verdict, res.reason) = conclude(&cases, &res.cases);
    Ok(())
}

/// Why a skill is not run; the same words for every user.
fn may_run(skill: &SkillPackage, bench: &Bench<'_>) -> Result<(), String> {
    let metadata = &skill.metadata;
    let permits = &bench.options.permits;
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
    let path = bench.options.environment.get("PATH").map(OsStr::new);
    let is_missing = |bin: &&String| {
        skill_sandbox::find_program(OsStr::new(bin.as_str()), path, Path::new("/")).is_none()
    };
    if let Some(bin) = metadata.requires.bin.iter().find(is_missing) {
        return Err(format!("there is no `{bin}` here"));
    }
    let uses_network = metadata.requires.network || metadata.permissions.network != "none";
    refuse(
        uses_network && !permits.network,
        "uses the network (--allow-network)",
    )?;
    let permissions = &metadata.permissions;
    let asks = permissions.admin || permissions.approval == "required";
    refuse(asks && !permits.approval, "asks for approval (--approve)")?;
    let is_line = shell_line(skill).is_some();
    refuse(
        is_line && !permits.shell,
        "its command is a line for a shell (--allow-shell)",
    )
}

/// Plugin, skill, plugin; and again, while there is a difference.
fn of_case(
    bench: &Bench<'_>,
    plugin: &SkillPackage,
    skill: &SkillPackage,
    case: &Case,
) -> CaseAccount {
    let mut res = CaseAccount {
        id: case.id.clone(),
        verdict: Verdict::NotRun,
        reason: None,
        differences: Vec::new(),
        masked: BTreeSet::new(),
        ms: None,
    };
    match rounds(bench, plugin, skill, case) {
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

fn rounds(
    bench: &Bench<'_>,
    plugin: &SkillPackage,
    skill: &SkillPackage,
    case: &Case,
) -> Result<Trials, String> {
    let config = trial::config(case, plugin);
    let run = |package, is_reference| {
        // Names of equal length: a path may decide where a line breaks.
        let scratch = TempDir::with_prefix_in("run-", &bench.work);
        let scratch = scratch.map_err(|error| error.to_string())?;
        let terms = Terms {
            environment: &bench.options.environment,
            zone: &bench.options.zone,
            sandbox: bench.options.permits.sandbox.clone(),
            shell: bench.options.permits.shell,
            approval: bench.options.permits.approval,
            timeout: bench.options.permits.timeout.unwrap_or(PATIENCE),
            is_reference,
        };
        let mut case = case.clone();
        case.options.cancel = bench.options.cancel.clone();
        let trial = trial::run(package, &case, config.as_deref(), scratch.path(), &terms);
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
    while res.skill.len() < ROUNDS {
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
        self.plugin.iter().map(|trial| &trial.seen).collect()
    }

    /// The differences of the last run, when every run has some.
    fn differences(&self) -> Option<Vec<Difference>> {
        let references = self.references();
        let all = self.skill.iter();
        let mut all: Vec<_> = all
            .map(|trial| compare(&references, &trial.seen).differences)
            .collect();
        let last = all.pop()?;
        (!last.is_empty() && all.iter().all(|it| !it.is_empty())).then_some(last)
    }

    fn conclude(&self, case: &Case, res: &mut CaseAccount) {
        let mean = |trials: &[Trial]| {
            let sum: f64 = trials.iter().map(|trial| trial.time.as_secs_f64()).sum();
            #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
            let n = trials.len() as f64;
            sum * 1_000.0 / n
        };
        res.ms = Some((mean(&self.plugin), mean(&self.skill)));
        if let Some(last) = self.skill.last() {
            res.masked = compare(&self.references(), &last.seen).masked;
        }
        let first = &self.plugin[0];
        if let Some(differences) = self.differences() {
            res.differences = differences;
            res.verdict = Verdict::Differs;
        } else if first.is_ok != self.plugin.iter().all(|it| it.is_ok) {
            res.verdict = Verdict::Unproven;
            res.reason = Some("the plugin fails now and then".to_owned());
        } else if first.is_ok || case.is_chosen {
            res.verdict = Verdict::Verified;
        } else {
            res.verdict = Verdict::Unproven;
            let why = first.failure.as_deref().unwrap_or_default();
            res.reason = Some(format!("the plugin itself fails: {why}"));
        }
    }
}

/// The worst case decides, but an example that fails on both sides beside one that does not.
fn conclude(cases: &[Case], accounts: &[CaseAccount]) -> (Verdict, Option<String>) {
    let n = |verdict| accounts.iter().filter(|it| it.verdict == verdict).count();
    let first = |verdict| {
        let account = accounts.iter().find(|it| it.verdict == verdict);
        account.and_then(|it| it.reason.clone()).unwrap_or_default()
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
