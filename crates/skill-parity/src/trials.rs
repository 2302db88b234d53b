//! The runs of one case: the plugin, the skill and the plugin, and again while there is a difference.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use emulated_internet::{Cassette, Internet, Mask, Reads, Recording, Source, Upstream};
use emulated_runs::settings::{self, Recorded};
use parity_record::{Level, Verdict};
use serde_json::Value;
use skill_executor::clock;
use skill_executor::environment::Environment;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::{self, Sandbox};
use skill_settings::{Values, WantedKey};
use tempfile::TempDir;

use crate::cases::Case;
use crate::conclusion::{Trials, mean};
use crate::evidence::Evidence;
use crate::options::{Answers, VerifyOptions};
use crate::program_clock::ProgramClock;
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
    /// The code that both sides get from an administrator who permits these runs; `None` for others.
    pub(crate) auth_code: Option<String>,
    /// The values that the user stored for the skill.
    pub(crate) stored: Values,
    /// The texts that the code of the plugin has for failures.
    pub(crate) excuses: Vec<String>,
    /// The keys that the code of the plugin reads of answers.
    pub(crate) reads: Reads,
    /// METADATA.yml or settings let the skill write outside its own directories.
    pub(crate) reaches_out: bool,
    /// Both run without a network although they use one: nobody has allowed it.
    pub(crate) is_cut_off: bool,
    /// The ports at which the hosts of an emulated internet answer.
    pub(crate) ports: BTreeSet<u16>,
    /// The settings that the skill wants.
    pub(crate) wanted: Vec<WantedKey>,
    /// The settings of a recording: those that are recorded, or those of the cassette.
    pub(crate) recorded: Recorded,
    /// The mask that takes secrets out of a recording.
    pub(crate) mask: Arc<Mask>,
    /// The recording that is replayed.
    pub(crate) cassette: Option<Cassette>,
    /// The clock that the programs have.
    pub(crate) clock: ProgramClock,
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

    /// Returns the source of the answers of the network; `None` for the real one, or none.
    fn answers(&self) -> Option<&Answers> {
        let network = self.options.network.as_ref();
        network.map(|network| &network.answers)
    }

    fn is_emulated(&self) -> bool {
        matches!(self.answers(), Some(Answers::Emulated))
    }

    /// Returns the recording of a case; an empty one if the cassette has none.
    fn recording(&self, case: &Case) -> Recording {
        let cassette = self.cassette.as_ref();
        let recording = cassette.and_then(|cassette| cassette.cases.get(&case.id));
        recording.cloned().unwrap_or_else(|| Recording {
            start_ms: self.start_ms(),
            takes: Vec::new(),
        })
    }

    /// Returns the time at which programs begin: a whole second, which programs print without its fraction.
    fn start_ms(&self) -> i64 {
        self.options.start_ms.unwrap_or_else(clock::now_ms) / 1_000 * 1_000
    }
}

/// The conditions of the runs that are compared.
#[derive(Clone, Debug)]
struct Setup<'s> {
    /// The configuration of both sides.
    config: Option<&'s str>,
    /// The source of the answers of a network in place of the real one.
    source: Source,
}

impl<'s> Setup<'s> {
    /// Returns conditions with made-up answers of the first shape.
    fn new(config: Option<&'s str>) -> Self {
        let source = Source::Emulated(0);
        Self { config, source }
    }
}

/// Compares both sides on one case. A plugin that fails without settings is tried with the example of
/// its settings; one that fails in an emulated internet, with answers of other shapes.
pub(crate) fn judge(comparison: &Comparison<'_>, case: &Case) -> CaseResult {
    let config = config(comparison, case);
    let setup = Setup::new(config.as_deref());
    let res = judge_with(comparison, case, &setup);
    let is_weak = |res: &CaseResult| matches!(res.verdict, Verdict::FailsAlike | Verdict::Unproven);
    let is_late = comparison.is_emulated() && is_too_long(res.reason.as_deref());
    if !is_weak(&res) && !is_late {
        return res;
    }
    if comparison.answers().is_some() {
        let others = other_answers(comparison, res.n_requests > 0, is_late);
        let others = others.map(|source| Setup { source, ..setup });
        let others = others.filter(|setup| works(comparison, case, setup));
        let others = others.map(|setup| judge_with(comparison, case, &setup));
        let mut decided = others.into_iter().filter(|other| !is_weak(other));
        return decided.next().unwrap_or(res);
    }
    if config.is_some() {
        return res;
    }
    let Some(example) = trial::example_config(&comparison.plugin) else {
        return res;
    };
    let mut again = judge_with(comparison, case, &Setup::new(Some(&example)));
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

fn judge_with(comparison: &Comparison<'_>, case: &Case, setup: &Setup<'_>) -> CaseResult {
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
        asked: Vec::new(),
        is_recorded: comparison.answers().is_some() && !comparison.is_emulated(),
        recording: None,
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
            _ => {
                trials.conclude(&mut res);
                // A replay is the same on every machine.
                let is_replay = matches!(comparison.answers(), Some(Answers::Replayed(_)));
                res.ms = (!is_replay).then(|| (mean(&trials.plugin), mean(&trials.skill)));
                res.recording = trials.recording;
            }
        },
        Err(why) => {
            res.needs_network = why == USES_NETWORK;
            res.reason = Some(why);
        }
    }
    res
}

/// The beginning of the reason for a plugin that was not waited for.
const TOO_LONG: &str = "the plugin took longer than";

/// Returns true for that reason.
pub(crate) fn is_too_long(reason: Option<&str>) -> bool {
    reason.is_some_and(|reason| reason.starts_with(TOO_LONG))
}

/// Returns the other forms of answers that a plugin gets that asked and did not succeed. One that waits for
/// something gets only those that its code names: each may cost as long again.
fn other_answers(
    comparison: &Comparison<'_>,
    asks: bool,
    is_late: bool,
) -> impl Iterator<Item = Source> {
    let has_asked = comparison.is_emulated() && asks;
    let variants = 1..if has_asked { Internet::VARIANTS } else { 0 };
    let reads = &comparison.reads;
    let has_keys = (has_asked || is_late) && !reads.is_empty();
    let by_code = [Reads::clone, Reads::with_lists, Reads::with_numbers].into_iter();
    let by_code = by_code.filter(move |_| has_keys);
    let by_code = by_code.map(|form| Source::Read(Arc::new(form(reads))));
    variants.map(Source::Emulated).chain(by_code)
}

/// Returns true if the plugin does its work under these conditions: nothing else needs a comparison.
fn works(comparison: &Comparison<'_>, case: &Case, setup: &Setup<'_>) -> bool {
    let trial = run(
        comparison,
        case,
        setup,
        (Side::Plugin, comparison.start_ms()),
    );
    trial.is_ok_and(|trial| trial.evidence == Evidence::Worked)
}

/// Returns the text of the `config.env` of both sides.
pub(crate) fn config(comparison: &Comparison<'_>, case: &Case) -> Option<String> {
    let common = comparison.options.config.as_deref();
    let config = trial::config(case, &comparison.plugin, common);
    // A program without settings may fail before it tries to connect.
    let example = || trial::example_config(&comparison.plugin);
    let is_emulated = comparison.is_emulated();
    let config = config.or_else(|| (comparison.is_cut_off || is_emulated).then(example)?);
    match comparison.answers() {
        None | Some(Answers::Recorded(_)) => config,
        Some(Answers::Emulated) => {
            let config = config.unwrap_or_default();
            Some(settings::with_settings(&config, &comparison.wanted))
        }
        Some(Answers::Replayed(_)) => {
            let config = config.unwrap_or_default();
            Some(settings::with_recorded(&config, &comparison.recorded))
        }
    }
}

/// Returns true if the skill gives an answer.
pub(crate) fn answers(comparison: &Comparison<'_>, case: &Case) -> bool {
    let config = config(comparison, case);
    let trial = run(
        comparison,
        case,
        &Setup::new(config.as_deref()),
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
        &Setup::new(config.as_deref()),
        (Side::Plugin, clock::now_ms()),
    )?;
    match trial.evidence {
        Evidence::Failed(why) => Err(why),
        _ => Ok(trial.observed["answer"]["value"].clone()),
    }
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
    setup: &Setup<'_>,
    (side, start_ms): (Side, i64),
) -> Result<Trial, String> {
    let options = comparison.options;
    let internet = options.network.as_ref().map(|network| InternetSettings {
        server: &network.internet,
        ports: &comparison.ports,
        source: &setup.source,
    });
    // The same path for every run: it may decide where a line breaks or a message is cut.
    let scratch = tempfile::Builder::new()
        .prefix("run")
        .rand_bytes(0)
        .tempdir_in(&comparison.work);
    let scratch = scratch.map_err(|error| error.to_string())?;
    let settings = TrialSettings {
        environment: (&comparison.environment.0, &comparison.environment.1),
        auth_code: comparison.auth_code.as_deref(),
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
        clock: &comparison.clock,
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
    if comparison.is_cut_off || comparison.answers().is_some() {
        res.at_least = Some(sandbox::Level::Full);
    }
    res
}

fn run_rounds(
    comparison: &Comparison<'_>,
    case: &Case,
    setup: &Setup<'_>,
) -> Result<Trials, String> {
    let recording = match comparison.answers() {
        Some(Answers::Recorded(upstream)) => Some(record(comparison, case, setup, upstream)?),
        Some(Answers::Replayed(_)) => Some(comparison.recording(case)),
        Some(Answers::Emulated) | None => None,
    };
    let mut setup = setup.clone();
    let mut start_ms = comparison.start_ms();
    if let Some(recording) = &recording {
        start_ms = recording.start_ms;
        setup.source = Source::Replayed(recording.takes.clone(), Arc::clone(&comparison.mask));
    }
    let run = |side| run(comparison, case, &setup, (side, start_ms));
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
        recording,
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

/// Runs the plugin once with real services, and returns what these answered. The comparison uses the same
/// answers: both sides could get others from the services, which may have done something.
fn record(
    comparison: &Comparison<'_>,
    case: &Case,
    setup: &Setup<'_>,
    upstream: &Arc<Upstream>,
) -> Result<Recording, String> {
    let start_ms = comparison.start_ms();
    let setup = Setup {
        source: Source::Real(Arc::clone(upstream), Arc::clone(&comparison.mask)),
        ..setup.clone()
    };
    let trial = run(comparison, case, &setup, (Side::Plugin, start_ms))?;
    match trial.gap {
        Some(gap) => Err(format!("a request could not be recorded: {gap}")),
        None => Ok(Recording {
            start_ms,
            takes: trial.takes,
        }),
    }
}
