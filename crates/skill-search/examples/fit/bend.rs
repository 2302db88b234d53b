//! Bends the choice so that the confidence of a first match is how often such a match is right.
//!
//! The line from the sum of the choice to its log-odds has corners at both thresholds, which keep their
//! values: whatever reaches them still does. Between and above them, its slope is what makes the held-out
//! answers most likely. The choice is fitted flat (see `CHOICE_STEEPNESS`), so without this step a match
//! at 0.85 is right in 0.92 of the cases, and one at 0.55 in 0.41.

use skill_search::{BrokenLine, Corner, Model};

use crate::score::{Judgement, TO_BRIEF, TO_FULL};

/// The corners beside the thresholds: one between them, and one above both.
const MIDDLE: f32 = 0.5;
const HIGH: f32 = 0.95;
/// The steps of the search, in log-odds.
const STEP: f32 = 0.05;
const N_STEPS: u16 = 100;

/// Bends a model by answers of coefficients that were not fitted to them.
pub(crate) fn bend(model: &Model, held_out: &[Judgement]) -> Model {
    let counted = held_out
        .iter()
        .filter(|one| matches!(one.kind, "positive" | "short"));
    let firsts: Vec<&Judgement> = counted.filter(|one| !one.is_mentioned).collect();
    let low = [log_odds(TO_BRIEF); 2];
    let full = [log_odds(TO_FULL); 2];
    let corners = |middle: f32, high: f32| {
        vec![
            low,
            [log_odds(MIDDLE), middle],
            full,
            [log_odds(HIGH), high],
        ]
    };
    let between = |from: f32, to: f32| {
        let steps = (1..N_STEPS).map(move |step| from + f32::from(step) * STEP);
        steps.take_while(move |value| *value < to)
    };
    let likeliest = |values: &[Vec<Corner>]| {
        let lines = values.iter().cloned().filter_map(BrokenLine::new);
        let losses = lines
            .zip(values)
            .map(|(line, corners)| (loss(&line, &firsts), corners));
        let best = losses.min_by(|a, b| a.0.total_cmp(&b.0));
        best.map(|(_, corners)| corners.clone()).unwrap_or_default()
    };
    let above: Vec<Vec<Corner>> = between(full[1], f32::MAX)
        .map(|high| corners(log_odds(MIDDLE), high))
        .collect();
    let high = likeliest(&above)[3][1];
    let inner: Vec<Vec<Corner>> = between(low[1], full[1])
        .map(|middle| corners(middle, high))
        .collect();
    let corners = likeliest(&inner).into_iter().map(rounded).collect();
    model.with_bend(BrokenLine::new(corners).expect("corners rise"))
}

/// Returns the mean loss of the first matches.
fn loss(line: &BrokenLine, firsts: &[&Judgement]) -> f64 {
    let each = firsts.iter().map(|one| {
        let [related, sum] = one.first;
        let p = one.capped(probability(related) * probability(line.at(sum)));
        let p = f64::from(p).clamp(1e-6, 1.0 - 1e-6);
        if one.is_right {
            -p.ln()
        } else {
            -(1.0 - p).ln()
        }
    });
    each.sum::<f64>() / firsts.len().max(1) as f64
}

fn rounded([x, y]: Corner) -> Corner {
    [x, y].map(|value| (value * 1e4).round() / 1e4)
}

fn probability(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn log_odds(p: f32) -> f32 {
    (p / (1.0 - p)).ln()
}
