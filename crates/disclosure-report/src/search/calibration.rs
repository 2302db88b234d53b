//! Comparison of the confidence with recorded use.

use std::io::{self, Write};

use serde_json::{Value, json};
use skill_language::{Language, say};
use skill_search::calibrate::{Bin, Calibration, TooFew};

/// Writes the curve and the proposal, as one object for programs or for people.
///
/// # Errors
///
/// The output cannot be written.
pub fn write(
    curve: &[Bin],
    proposed: &Result<Calibration, TooFew>,
    is_json: bool,
    language: Language,
    out: &mut dyn Write,
) -> io::Result<()> {
    if is_json {
        writeln!(out, "{:#}", json(curve, proposed))
    } else {
        text(curve, proposed, language, out)
    }
}

/// Returns one object for programs.
fn json(curve: &[Bin], proposed: &Result<Calibration, TooFew>) -> Value {
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

/// Writes a table and the proposal for people.
fn text(
    curve: &[Bin],
    proposed: &Result<Calibration, TooFew>,
    language: Language,
    out: &mut dyn Write,
) -> io::Result<()> {
    let heads = language.say("confidence from   listed   said   used");
    writeln!(out, "{heads}")?;
    for bin in curve {
        let (from, n, mean, used) = (bin.from, bin.n, bin.mean, bin.used);
        writeln!(out, "{from:>15.1} {n:>8} {mean:>6.2} {used:>6.2}")?;
    }
    match proposed {
        Ok(found) => {
            let shown = |it: Option<f32>| {
                it.map_or_else(
                    || language.say("as it is").into_owned(),
                    |it| format!("{it:.2}"),
                )
            };
            let (brief, full) = (shown(found.to_brief), shown(found.to_full));
            let proposed = say!(
                language,
                "proposed, with the proposed model: --to-brief {brief}, --to-full {full}"
            );
            let use_it =
                language.say("the model is written with --write FILE and used with --model FILE");
            writeln!(out, "\n{proposed}\n{use_it}")
        }
        Err(few) => writeln!(out, "\n{}", say!(language, "nothing is proposed: {few}")),
    }
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
