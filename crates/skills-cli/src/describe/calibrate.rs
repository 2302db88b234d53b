//! `skills-describe calibrate FILE`: how well the confidence held, and what would hold better.

use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};
use skill_loader::fs::write_new;
use skill_search::Model;
use skill_search::calibrate::{Bin, Calibration, TooFew, calibrate, curve};

use crate::output::Streams;
use crate::{ExitStatus, usage};

/// Compare the confidence with recorded use, and propose coefficients and thresholds
///
/// FILE is what --usage of skills-describe, skills-read and skills-run recorded. Nothing is
/// changed: the proposed model is written with --write and used with --model.
#[derive(Debug, clap::Args)]
pub(super) struct CalibrateArgs {
    /// Record of the use
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the proposed model to FILE
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand. Too little data is a finding.
pub(super) fn run(args: &CalibrateArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let listings = usage::read(&args.file)?.listings;
    let curve = curve(&listings);
    let proposed = calibrate(&listings, Model::shipped());
    if args.json {
        let value = value(&curve, &proposed);
        writeln!(streams.stdout, "{value:#}")?;
    } else {
        people(&curve, &proposed, streams)?;
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

fn value(curve: &[Bin], proposed: &Result<Calibration, TooFew>) -> Value {
    let bins = curve.iter().map(|bin| {
        json!({"from": hundredths(bin.from.into()), "n": bin.n, "mean": hundredths(bin.mean), "used": hundredths(bin.used)})
    });
    let bins: Vec<Value> = bins.collect();
    match proposed {
        Ok(found) => json!({
            "curve": bins,
            "to_brief": found.to_brief.map(|it| hundredths(it.into())),
            "to_full": found.to_full.map(|it| hundredths(it.into())),
            "model": serde_json::from_str::<Value>(&found.model.to_json()).unwrap_or_default(),
        }),
        Err(few) => json!({"curve": bins, "too_few": few.to_string()}),
    }
}

fn people(
    curve: &[Bin],
    proposed: &Result<Calibration, TooFew>,
    streams: &mut Streams,
) -> io::Result<()> {
    writeln!(streams.stdout, "confidence from   listed   said   used")?;
    for bin in curve {
        let (from, n, mean, used) = (bin.from, bin.n, bin.mean, bin.used);
        writeln!(
            streams.stdout,
            "{from:>15.1} {n:>8} {mean:>6.2} {used:>6.2}"
        )?;
    }
    match proposed {
        Ok(found) => {
            let shown = |it: Option<f32>| it.map_or("as it is".to_owned(), |it| format!("{it:.2}"));
            let (brief, full) = (shown(found.to_brief), shown(found.to_full));
            writeln!(
                streams.stdout,
                "\nproposed, with the proposed model: --to-brief {brief}, --to-full {full}"
            )?;
            writeln!(
                streams.stdout,
                "the model is written with --write FILE and used with --model FILE"
            )
        }
        Err(few) => writeln!(streams.stdout, "\nnothing is proposed: {few}"),
    }
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
