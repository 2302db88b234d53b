//! `skills-describe calibrate FILE`: compares the confidence with recorded use.

use std::path::PathBuf;

use disclosure_report::search;
use skill_disclosure::read_usage;
use skill_loader::fs::write_new;
use skill_search::Model;
use skill_search::calibrate::{calibrate, curve};

use skills_cli::ExitStatus;
use skills_cli::output::Streams;

/// Compare the confidence with recorded use, and propose coefficients and thresholds
///
/// FILE is the record that --usage of skills-describe, skills-read and skills-run wrote. Nothing is
/// changed: --write writes the proposed model, and --model uses it.
#[derive(Debug, clap::Args)]
pub(super) struct CalibrateArgs {
    /// Record of use
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the proposed model to FILE
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand. If there is too little data, the exit status is that of findings.
pub(super) fn run(args: &CalibrateArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let listings = read_usage(&args.file)?.listings;
    let curve = curve(&listings);
    let proposed = calibrate(&listings, Model::shipped());
    if args.json {
        let value = search::calibration_json(&curve, &proposed);
        writeln!(streams.stdout, "{value:#}")?;
    } else {
        search::calibration_text(&curve, &proposed, streams.language, &mut streams.stdout)?;
    }
    match proposed {
        Ok(found) => {
            if let Some(path) = &args.write {
                write_new(path, found.model.to_json().as_bytes())?;
            }
            Ok(ExitStatus::Fine)
        }
        Err(_) => Ok(ExitStatus::Findings),
    }
}
