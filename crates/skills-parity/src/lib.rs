//! `skills-parity`: proves that skills do what their plugins did, and shows which plugins are no
//! longer needed. People call it as `skills-migrate verify` and `skills-migrate status`.
//!
//! [`skill_parity`] does the work; this crate has the command lines, the progress and the reports.

mod args;
mod progress;

use std::io::Write as _;
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, anyhow};
use emulated_internet::{Internet, Table};
use skill_executor::envelope::Failure;
use skill_executor::environment::{HostEnvironment, from_process};
use skill_executor::prepare;
use skill_executor::state::{State, directory};
use skill_executor::zone::Zone;
use skill_loader::fs::{Root, WalkLimits};
use skill_parity::{Pairs, PluginResult, VerifyOptions};

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
    let results = results?;
    let unused = skill_parity::unused(&options.cases, &pairs.pairs);
    if let Some(path) = &args.report {
        let text = parity_report::json(&results, &unused);
        skill_loader::fs::write_new(path, text.as_bytes())
            .with_context(|| format!("cannot write the report {}", path.display()))?;
    }
    for case in &unused {
        streams.remark(&format!("warning: no plugin here matches the case {case}"))?;
    }
    let text = parity_report::text(&results, streams.language);
    write!(streams.stdout, "{text}")?;
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
        internet: args.network.map(|_| internet(args)).transpose()?,
        jobs: args.jobs.unwrap_or(0),
        cancel: skill_interrupt::handle()?,
    })
}

/// Starts the emulated internet, with the user's answers in the order of the names of their files.
fn internet(args: &VerifyArgs) -> anyhow::Result<Arc<Internet>> {
    let mut table = Table::default();
    if let Some(dir) = &args.answers {
        let context = || format!("cannot read the answers in {}", dir.display());
        let root = Root::open_real(&skill_loader::fs::resolve(dir)?).with_context(context)?;
        let listing = root.walk("", &WalkLimits::default(), &|_| false);
        let entries = listing.with_context(context)?.entries;
        let names = entries.iter().map(|entry| entry.path.as_str());
        for name in names.filter(|name| name.ends_with(".json")) {
            let text = read_file(&dir.join(name)).with_context(context)?;
            table.append(name, &text).with_context(context)?;
        }
    }
    Ok(Arc::new(Internet::start(table)?))
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
