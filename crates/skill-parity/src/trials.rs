//! The runs of one case: the plugin, the skill and the plugin, and again while there is a difference.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use emulated_internet::Internet;
use parity_record::{Level, Verdict};
use plugin_model::escape_pointer;
use serde_json::Value;
use skill_executor::clock;
use skill_executor::environment::Environment;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::{self, Sandbox};
use skill_settings::{Values, WantedKey};
use tempfile::TempDir;

use crate::cases::Case;
use crate::cause::is_missing_module;
use crate::compare::{Compared, Difference, compare};
use crate::emulation;
use crate::evidence::Evidence;
use crate::options::VerifyOptions;
use crate::result::CaseResult;
use crate::surroundings::Surroundings;
use crate::trial::{self, InternetSettings, Trial, TrialSettings};

/// The default time limit of a call. The old host's limit of 60 s, with seven runs for each case,
/// would cost an hour in a collection where a few plugins wait for input that never comes.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(20);
/// The number of times that the skill runs before a difference counts. Values that change by
/// themselves are recognised when the plugin runs again.
const MAX_ROUNDS: usize = 3;

/// The reason why a case proves nothing without a network.
pub(crate) const USES_NETWORK: &str = "uses the network (--allow-network)";
/// A plugin and a skill that are compared.
pub(crate) struct Comparison<'v> {
    pub(crate) options: &'v VerifyOptions,
    pub(crate) plugin: SkillPackage,
    pub(crate) skill: SkillPackage,
    /// The parts of the old host around the plugin.
    pub(crate) surroundings: Surroundings<'v>,
    /// The environment of the host, and the names of its variables that programs may get although they
    /// look like secrets.
    pub(crate) environment: (Environment, Vec<String>),
    /// The values that the user stored for the skill.
    pub(crate) stored: Values,
    /// The texts that the code of the plugin has for failures.
    pub(crate) excuses: Vec<String>,
    /// METADATA.yml or settings let the skill write outside its own directories.
    pub(crate) reaches_out: bool,
    /// Both run without a network although they use one: nobody has allowed it.
    pub(crate) is_cut_off: bool,
    /// The ports at which the hosts of an emulated internet answer.
    pub(crate) ports: BTreeSet<u16>,
    /// The settings that the skill wants.
    pub(crate) wanted: Vec<WantedKey>,
    /// The directory in which every run has the same path, one after the other.
    pub(crate) work: TempDir,
}

impl Comparison<'_> {
    /// Returns the time limit of this verification if it is shorter than that of the plugin.
    fn own_limit(&self, case: &Case) -> Option<Duration> {
        let limit = self.options.policy.timeout.unwrap_or(DEFAULT_TIMEOUT);
        let own = case.options.timeout.or(self.plugin.metadata.time_limit());
        own.is_none_or(|own| own > limit).then_some(limit)
    }
}

/// The conditions of the runs that are compared.
#[derive(Clone, Copy, Debug)]
struct Setup<'s> {
    /// The configuration of both sides.
    config: Option<&'s str>,
    /// The shape of the answers of an emulated internet.
    variant: u8,
}

/// Compares both sides on one case. A plugin that fails without settings is tried with the example of
/// its settings; one that fails in an emulated internet, with answers of other shapes.
pub(crate) fn judge(comparison: &Comparison<'_>, case: &Case) -> CaseResult {
    let config = config(comparison, case);
    let setup = Setup {
        config: config.as_deref(),
        variant: 0,
    };
    let res = judge_with(comparison, case, setup);
    let is_weak = |res: &CaseResult| matches!(res.verdict, Verdict::FailsAlike | Verdict::Unproven);
    if !is_weak(&res) {
        return res;
    }
    if comparison.options.internet.is_some() {
        let variants = 1..if res.n_requests > 0 {
            Internet::VARIANTS
        } else {
            0
        };
        let others =
            variants.map(|variant| judge_with(comparison, case, Setup { variant, ..setup }));
        let mut decided = others.into_iter().filter(|other| !is_weak(other));
        return decided.next().unwrap_or(res);
    }
    if config.is_some() {
        return res;
    }
    let Some(example) = trial::example_config(&comparison.plugin) else {
        return res;
    };
    let setup = Setup {
        config: Some(&example),
        variant: 0,
    };
    let mut again = judge_with(comparison, case, setup);
    let has_answered = |it: &CaseResult| {
        let answers = it.answers.as_ref();
        answers.is_some_and(|(plugin, _)| plugin.get("value").is_some())
    };
    match again.verdict {
        Verdict::Verified | Verdict::Differs if has_answered(&again) => {
            again.id = format!("{}, with config.env.example", case.id);
            again
        }
        _ => res,
    }
}

fn judge_with(comparison: &Comparison<'_>, case: &Case, setup: Setup<'_>) -> CaseResult {
    let mut res = CaseResult {
        id: case.id.clone(),
        verdict: Verdict::NotRun,
        reason: None,
        level: Level::Read,
        needs_network: false,
        input: case.input.clone(),
        answers: None,
        changes_files: false,
        differences: Vec::new(),
        masked: BTreeSet::new(),
        n_requests: 0,
        ms: None,
    };
    if !case.then.is_empty() {
        let inputs = std::iter::once(&case.input).chain(&case.then);
        res.input = inputs.cloned().collect();
    }
    match run_rounds(comparison, case, setup) {
        Ok(trials) => match trials.unreached() {
            Some(_) if comparison.is_cut_off => {
                res.level = trials.level();
                res.needs_network = true;
                res.reason = Some(USES_NETWORK.to_owned());
            }
            _ => trials.conclude(&mut res),
        },
        Err(why) => {
            res.needs_network = why == USES_NETWORK;
            res.reason = Some(why);
        }
    }
    res
}

fn config(comparison: &Comparison<'_>, case: &Case) -> Option<String> {
    let common = comparison.options.config.as_deref();
    let config = trial::config(case, &comparison.plugin, common);
    // A program without settings may fail before it tries to connect.
    let example = || trial::example_config(&comparison.plugin);
    let is_emulated = comparison.options.internet.is_some();
    let config = config.or_else(|| (comparison.is_cut_off || is_emulated).then(example)?);
    if !is_emulated {
        return config;
    }
    let config = config.unwrap_or_default();
    Some(emulation::with_settings(&config, &comparison.wanted))
}

/// Returns true if the skill gives an answer.
pub(crate) fn answers(comparison: &Comparison<'_>, case: &Case) -> bool {
    let config = config(comparison, case);
    let trial = run(
        comparison,
        case,
        Setup {
            config: config.as_deref(),
            variant: 0,
        },
        (Side::Skill, clock::now_ms()),
    );
    trial.is_ok_and(|trial| !matches!(trial.evidence, Evidence::Failed(_)))
}

/// Runs the plugin once, and returns the value of its answer. The error is the reason of its failure.
pub(crate) fn ask(comparison: &Comparison<'_>, case: &Case) -> Result<Value, String> {
    let config = config(comparison, case);
    let trial = run(
        comparison,
        case,
        Setup {
            config: config.as_deref(),
            variant: 0,
        },
        (Side::Plugin, clock::now_ms()),
    )?;
    match trial.evidence {
        Evidence::Failed(why) => Err(why),
        _ => Ok(trial.observed["answer"]["value"].clone()),
    }
}

/// The runs of one case.
struct Trials {
    plugin: Vec<Trial>,
    skill: Vec<Trial>,
}

/// One of the two that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Plugin,
    /// The plugin, with other numbers of processes.
    PluginAgain,
    Skill,
}

/// Returns a plugin whose shell starts another process first, so that its own has another number: in a
/// sandbox, the numbers are the same in all runs, and those of the skill differ from them, because it has
/// no shell.
fn with_other_numbers(plugin: &SkillPackage) -> SkillPackage {
    let mut res = plugin.clone();
    let line = res
        .metadata
        .entry
        .as_mut()
        .and_then(|entry| entry.shell.as_mut());
    if let Some(line) = line.filter(|_| cfg!(unix)) {
        line.insert_str(0, "(:); ");
    }
    res
}

/// Runs one side once. The error is the reason why nothing can be concluded.
fn run(
    comparison: &Comparison<'_>,
    case: &Case,
    setup: Setup<'_>,
    (side, start_ms): (Side, i64),
) -> Result<Trial, String> {
    let options = comparison.options;
    let internet = options.internet.as_deref().map(|server| InternetSettings {
        server,
        ports: &comparison.ports,
        variant: setup.variant,
    });
    // The same path for every run: it may decide where a line breaks or a message is cut.
    let scratch = tempfile::Builder::new()
        .prefix("run")
        .rand_bytes(0)
        .tempdir_in(&comparison.work);
    let scratch = scratch.map_err(|error| error.to_string())?;
    let settings = TrialSettings {
        environment: (&comparison.environment.0, &comparison.environment.1),
        stored: &comparison.stored,
        excuses: &comparison.excuses,
        zone: &options.zone,
        packages: &options.packages,
        sandbox: sandbox(comparison),
        shell: options.policy.shell,
        approval: options.policy.approval,
        timeout: options.policy.timeout.unwrap_or(DEFAULT_TIMEOUT),
        surroundings: &comparison.surroundings,
        is_reference: side != Side::Skill,
        start_ms,
        internet,
    };
    let mut case = case.clone();
    case.options.cancel = options.cancel.clone();
    let package = match side {
        Side::Plugin => Cow::Borrowed(&comparison.plugin),
        Side::PluginAgain => Cow::Owned(with_other_numbers(&comparison.plugin)),
        Side::Skill => Cow::Borrowed(&comparison.skill),
    };
    let trial = trial::run(&package, &case, setup.config, scratch.path(), &settings);
    let trial = trial.map_err(|failure| failure.message)?;
    match &trial.hindrance {
        // A sandbox that cannot refuse the network.
        Some(_) if comparison.is_cut_off => Err(USES_NETWORK.to_owned()),
        Some(why) if side != Side::Skill => Err(why.clone()),
        _ => Ok(trial),
    }
}

/// Returns the confinement. A program that could write the user's files never runs without one, and
/// without a permit for the network, nothing less than all restrictions will do for programs that use it.
fn sandbox(comparison: &Comparison<'_>) -> Sandbox {
    let mut res = comparison.options.policy.sandbox.clone();
    if comparison.reaches_out {
        res.at_least.get_or_insert(sandbox::Level::Partial);
    }
    if comparison.is_cut_off || comparison.options.internet.is_some() {
        res.at_least = Some(sandbox::Level::Full);
    }
    res
}

fn run_rounds(
    comparison: &Comparison<'_>,
    case: &Case,
    setup: Setup<'_>,
) -> Result<Trials, String> {
    // A whole second: programs print it without its fraction.
    let start_ms = clock::now_ms() / 1_000 * 1_000;
    let run = |side| run(comparison, case, setup, (side, start_ms));
    let mut first = run(Side::Plugin)?;
    if first.is_late {
        // The first start of a large library fills the caches of the system.
        first = run(Side::Plugin)?;
    }
    if let Some(limit) = comparison.own_limit(case).filter(|_| first.is_late) {
        return Err(format!(
            "the plugin took longer than the {} s of this verification (--timeout MS)",
            limit.as_secs()
        ));
    }
    let mut res = Trials {
        plugin: vec![first],
        skill: Vec::new(),
    };
    if comparison.is_cut_off && res.unreached().is_some() {
        res.skill.push(run(Side::Skill)?);
        return Ok(res);
    }
    while res.skill.len() < MAX_ROUNDS {
        res.skill.push(run(Side::Skill)?);
        res.plugin.push(run(Side::PluginAgain)?);
        if res.differences().is_none() {
            break;
        }
    }
    Ok(res)
}

impl Trials {
    /// Compares a run of the skill with all runs of the plugin. The order of requests counts if it is the
    /// same in all of these.
    fn compared(&self, skill: &Trial) -> Compared {
        let plugin = self.plugin.iter().map(|trial| &trial.observed);
        let mut sequences = plugin.clone().map(emulation::sequence);
        let first = sequences.next();
        if sequences.all(|other| Some(&other) == first.as_ref()) {
            return compare(&plugin.collect::<Vec<_>>(), &skill.observed);
        }
        let sorted = |observed: &Value| {
            let mut observed = observed.clone();
            emulation::sort(&mut observed);
            observed
        };
        let plugin: Vec<Value> = plugin.map(sorted).collect();
        compare(&plugin.iter().collect::<Vec<_>>(), &sorted(&skill.observed))
    }

    /// Returns the first place that one of the programs could not connect to.
    fn unreached(&self) -> Option<&str> {
        let mut all = self.plugin.iter().chain(&self.skill);
        all.find_map(|trial| trial.unreached.as_deref())
    }

    /// Returns the differences of the last run if every run has some.
    fn differences(&self) -> Option<Vec<Difference>> {
        let all = self.skill.iter();
        let mut all: Vec<_> = all.map(|trial| self.compared(trial).differences).collect();
        let last = all.pop()?;
        (!last.is_empty() && all.iter().all(|it| !it.is_empty())).then_some(last)
    }

    /// Returns true if nothing of the answer was compared: each of its values is masked, and none is a
    /// text, of which the stable words are compared.
    fn is_all_masked(&self, masked: &BTreeSet<String>) -> bool {
        let mut leaves = Vec::new();
        append_leaves(
            "/answer/value",
            &self.plugin[0].observed["answer"]["value"],
            &mut leaves,
        );
        let is_masked = |(at, value): &(String, &Value)| !value.is_string() && masked.contains(at);
        !leaves.is_empty() && leaves.iter().all(is_masked)
    }

    /// Returns the level that the skill reached in its last run.
    fn level(&self) -> Level {
        match self.skill.last().map(|trial| &trial.evidence) {
            Some(Evidence::Worked | Evidence::Unchanged | Evidence::Doubtful(_)) => Level::Runs,
            Some(Evidence::Failed(why)) if !is_missing_module(why) => Level::Loads,
            _ => Level::Read,
        }
    }

    fn conclude(&self, res: &mut CaseResult) {
        res.level = self.level();
        res.ms = Some((mean(&self.plugin), mean(&self.skill)));
        if let Some(last) = self.skill.last() {
            let answer = |trial: &Trial| trial.observed["answer"].clone();
            let files = self.plugin[0].observed["files"].as_object();
            res.changes_files = files.is_some_and(|files| !files.is_empty());
            res.answers = Some((answer(&self.plugin[0]), answer(last)));
            res.masked = self.compared(last).masked;
            res.n_requests = emulation::sequence(&self.plugin[0].observed).len();
        }
        if let Some(differences) = self.differences() {
            res.differences = differences;
            res.verdict = Verdict::Differs;
            return;
        }
        let has_failed = |trial: &Trial| matches!(trial.evidence, Evidence::Failed(_));
        let n_failed = self.plugin.iter().filter(|trial| has_failed(trial)).count();
        let (verdict, reason) = match &self.plugin[0].evidence {
            _ if n_failed > 0 && n_failed < self.plugin.len() => {
                let reason = "the plugin fails now and then".to_owned();
                (Verdict::Unproven, Some(reason))
            }
            Evidence::Worked if self.unreached().is_some() => {
                let place = self.unreached().unwrap_or_default();
                let reason = format!(
                    "the plugin could not connect to {place}, and its answer may only say so"
                );
                (Verdict::Unproven, Some(reason))
            }
            Evidence::Worked if self.is_all_masked(&res.masked) => {
                let reason = "its whole answer differs from run to run".to_owned();
                (Verdict::Unproven, Some(reason))
            }
            Evidence::Worked => (Verdict::Verified, None),
            Evidence::Doubtful(why) => (Verdict::Unproven, Some(why.clone())),
            Evidence::Unchanged => {
                let reason = "the conversation passes unchanged through both".to_owned();
                (Verdict::Unchanged, Some(reason))
            }
            Evidence::Failed(why) => {
                let reason = format!("the plugin itself fails: {why}");
                (Verdict::FailsAlike, Some(reason))
            }
        };
        (res.verdict, res.reason) = (verdict, reason);
    }
}

/// Appends the values of a tree that contain no others, each with its JSON Pointer.
fn append_leaves<'v>(at: &str, value: &'v Value, leaves: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                append_leaves(&format!("{at}/{}", escape_pointer(key)), value, leaves);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (n, value) in items.iter().enumerate() {
                append_leaves(&format!("{at}/{n}"), value, leaves);
            }
        }
        value => leaves.push((at.to_owned(), value)),
    }
}

/// Returns the mean duration of some runs, in milliseconds.
fn mean(trials: &[Trial]) -> f64 {
    let sum: f64 = trials.iter().map(|trial| trial.time.as_secs_f64()).sum();
    #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
    let n = trials.len() as f64;
    sum * 1_000.0 / n
}
