//! `skills-parity`: proves that skills do what their plugins did, and shows which plugins are no
//! longer needed. People call it as `skills-migrate verify` and `skills-migrate status`.
//!
//! [`skill_parity`] does the work; this crate has the command lines, the progress and the reports.

mod args;
mod progress;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::{Context as _, anyhow};
use emulated_runs::{Deck, NetworkKind, keep, table};
use skill_executor::envelope::Failure;
use skill_executor::environment::{HostEnvironment, from_process};
use skill_executor::prepare;
use skill_executor::state::{State, directory};
use skill_executor::zone::Zone;
use skill_parity::{Pairs, PluginResult, ReplacedNetwork, VerifyOptions};

use skill_executor::config::read_file;
use skills_cli::{ExitStatus, output::Streams};

pub use args::Args;
use args::{Format, StatusArgs, Task, VerifyArgs};

/// Runs the tool.
///
/// # Errors
///
/// The run is not possible: a directory or a file cannot be read.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    match args.task {
        Task::Verify(args) => verify(&args, streams),
        Task::Status(args) => status(&args, streams),
    }
}

/// Runs `verify`.
fn verify(args: &VerifyArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let pairs = Pairs::with_host(&args.plugins, &args.skills, &args.only, args.host.clone())?;
    let options = options(args)?;
    let is_recording = args.network == Some(NetworkKind::Record);
    if is_recording {
        keep::check(keep::can_ask(args.yes))?;
    }
    if args.prepare {
        install(&pairs, &options, streams).map_err(|failure| anyhow!(failure.message))?;
    }
    let bar = progress::bar(pairs.pairs.len(), streams);
    let stderr = Mutex::new(&mut streams.stderr);
    let results = pairs.verify(&options, &|result: &PluginResult| {
        bar.inc(1);
        if args.verbose > 0 {
            progress::report(result, &bar, &stderr);
        }
    });
    bar.finish_and_clear();
    let mut results = results?;
    let unused = skill_parity::unused(&options.cases, &pairs.pairs);
    let reported = args.report.as_ref().map(|path| {
        let text = parity_report::json(&results, &unused);
        skill_loader::fs::write_new(path, text.as_bytes())
            .with_context(|| format!("cannot write the report {}", path.display()))
    });
    for case in &unused {
        streams.remark(&format!("warning: no plugin here matches the case {case}"))?;
    }
    let text = parity_report::text(&results, streams.language);
    write!(streams.stdout, "{text}")?;
    if is_recording {
        let recorded = results.iter_mut();
        let recorded =
            recorded.filter_map(|result| Some((result.skill.clone()?, result.cassette.take()?)));
        let deck = Deck::create(&cassettes(args))?;
        keep::ask(
            &deck,
            recorded.collect(),
            args.yes,
            &mut streams.stderr,
            streams.language,
        )?;
    }
    // What was found out is said, and kept, in any case.
    reported.transpose()?;
    let differs = results.iter().any(PluginResult::differs);
    Ok(if differs {
        ExitStatus::Findings
    } else {
        ExitStatus::Fine
    })
}

fn options(args: &VerifyArgs) -> anyhow::Result<VerifyOptions> {
    let cases = match &args.cases {
        Some(path) => {
            let text = read_file(path).context("cannot read the cases")?;
            let cases = skill_parity::parse(&text, &path.display().to_string());
            cases.context("cannot read the cases")?
        }
        None => Vec::new(),
    };
    let state = match directory(args.state.clone(), &from_process()) {
        // Without a home there are no installed packages, and none are asked for.
        Err(_) if !args.prepare => std::env::temp_dir(),
        state => state?,
    };
    // Neither program gets a variable that a skill would have to ask for.
    let environment = HostEnvironment::from(from_process()).into_given();
    let config = args.config.as_deref().map(read_file).transpose();
    Ok(VerifyOptions {
        cases,
        config: config.context("cannot read the configuration")?,
        policy: args.policy(),
        zone: Zone::from_environment(&environment),
        environment,
        packages: skill_loader::fs::resolve(&state)?,
        temporary: std::env::temp_dir(),
        network: network(args)?,
        start_ms: args.clock,
        jobs: args.jobs.unwrap_or(0),
        cancel: skill_interrupt::handle()?,
    })
}

/// Starts the network in place of the real one.
fn network(args: &VerifyArgs) -> anyhow::Result<Option<ReplacedNetwork>> {
    let start = |kind: NetworkKind| {
        kind.check(args.cassettes.as_deref(), args.answers.as_deref())?;
        let table = args.answers.as_deref().map(table).transpose()?;
        let res = ReplacedNetwork::start(kind, &cassettes(args), table.unwrap_or_default());
        Ok(res?)
    };
    args.network.map(start).transpose()
}

fn cassettes(args: &VerifyArgs) -> PathBuf {
    let own = args.cassettes.clone();
    own.unwrap_or_else(|| args.skills.join(".cassettes"))
}

/// Installs the packages of the skills.
fn install(pairs: &Pairs, options: &VerifyOptions, streams: &mut Streams) -> Result<(), Failure> {
    let state = State::open(&options.packages)?;
    let settings = prepare::settings(Vec::new());
    prepare::prepare(&pairs.skills(), &state, &settings, &mut streams.remarks())?;
    Ok(())
}

/// Runs `status`.
fn status(args: &StatusArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let pairs = Pairs::with_host(&args.plugins, &args.skills, &[], args.host.clone())?;
    let plugins = pairs.status();
    match args.format {
        Format::Text => {
            let text = parity_report::status_text(&plugins, streams.language);
            write!(streams.stdout, "{text}")?;
        }
        Format::Json => writeln!(streams.stdout, "{:#}", parity_report::status_json(&plugins))?,
    }
    let is_behind = plugins.iter().any(|plugin| plugin.stage.is_behind());
    Ok(if is_behind {
        ExitStatus::Findings
    } else {
        ExitStatus::Fine
    })
}
