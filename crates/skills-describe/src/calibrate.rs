//! `skills-describe calibrate FILE`: compares the confidence with recorded use, or with tests.

use disclosure_report::search;
use skill_disclosure::read_usage;
use skill_loader::fs::write_new;
use skill_search::Model;
use skill_search::calibrate::{calibrate, curve};

use crate::args::CalibrateArgs;
use crate::index;
use skills_cli::ExitStatus;
use skills_cli::output::Streams;

/// Runs the subcommand. If there is too little data, the exit status is that of findings.
pub(super) fn run(args: &CalibrateArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    if !args.skills.is_empty() {
        let indexed = index::load(&args.skills, &args.index, streams)?;
        let results = trigger_tests::run(&trigger_tests::load(&args.file)?, indexed.index());
        let found = trigger_tests::Reliability::new(&results, indexed.index().len());
        found.write(args.json, streams.language, &mut streams.stdout)?;
        return Ok(ExitStatus::Fine);
    }
    let listings = read_usage(&args.file)?.listings;
    let proposed = calibrate(&listings, Model::shipped());
    let (curve, out) = (curve(&listings), &mut streams.stdout);
    search::calibration(&curve, &proposed, args.json, streams.language, out)?;
    if let (Ok(found), Some(path)) = (&proposed, &args.write) {
        write_new(path, found.model.to_json().as_bytes())?;
    }
    Ok(ExitStatus::fine_if(proposed.is_ok()))
}
