//! `skills-describe test FILE`: whether requests trigger the skills that they should.

use crate::args::{TestArgs, TestFormat};
use crate::index;
use skills_cli::ExitStatus;
use skills_cli::output::{ColorChoice, Streams};

/// Runs the subcommand. If a test fails, the exit status is that of findings.
pub(super) fn run(args: &TestArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let cases = trigger_tests::load(&args.file)?;
    let skills = trigger_tests::catalog(&args.file, &args.skills);
    let indexed = index::load(&skills, &args.index, streams)?;
    let results = trigger_tests::run(&cases, indexed.index());
    match args.format {
        TestFormat::Text => {
            let text = trigger_tests::text(&results, &skills, streams.paint(ColorChoice::Auto));
            write!(streams.stdout, "{text}")?;
        }
        TestFormat::Json => streams.write_json(&trigger_tests::json(&results))?,
        TestFormat::Junit => write!(streams.stdout, "{}", trigger_tests::junit(&results))?,
    }
    let is_fine = results.iter().all(|result| result.passed);
    Ok(ExitStatus::fine_if(is_fine))
}
