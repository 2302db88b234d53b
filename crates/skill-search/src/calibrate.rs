//! Calibrates the confidence with recorded use: the reliability curve, and coefficients and
//! thresholds that fit it better.
//!
//! Each factor is refitted as a whole, by a slope and a shift of its log-odds (Platt 1999). A prior
//! keeps the slope near 1 and the shift near 0, so that a few dozen requests move little and
//! thousands decide.

use crate::model::{Features, Model, sigmoid};

/// The minimum number of requests for a proposal.
pub const MIN_LISTINGS: usize = 50;
/// The minimum number of requests with a use for a proposal.
pub const MIN_USED: usize = 20;
/// The number of bins of the curve.
const N_BINS: usize = 10;
/// The weight of the prior, in observations.
const PRIOR: f64 = 10.0;
/// The maximum number of steps of Newton's method, which converges much sooner.
const STEPS: usize = 50;
/// The precision that the first matches at or above the upper threshold should have.
const TARGET_PRECISION: f64 = 0.9;
/// The maximum share of used skills with a confidence below the lower threshold.
const MISSED: f64 = 0.05;

/// A skill that was listed for a request.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ListedSkill {
    /// The confidence at that time.
    pub confidence: f32,
    /// The relatedness at that time.
    pub relatedness: f32,
    /// The choice at that time.
    pub choice: f32,
    /// True if the skill was read or run afterwards.
    pub is_used: bool,
}

/// A bin of the reliability curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bin {
    /// The lower bound of the confidences in this bin, up to the bound of the next bin.
    pub from: f32,
    /// The number of listed skills in this bin.
    pub n: usize,
    /// The mean of their confidences.
    pub mean: f64,
    /// The share of them that was used, which equals `mean` if the confidence is well calibrated.
    pub used: f64,
}

/// The proposal of a calibration.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    /// The model with refitted factors.
    pub model: Model,
    /// The proposed threshold for the brief phase, with the new model.
    pub to_brief: Option<f32>,
    /// The proposed threshold for the full phase, with the new model.
    pub to_full: Option<f32>,
}

/// The error for too few recorded requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{n_listings} requests, {n_used} of them with a use, are too few: {MIN_LISTINGS} and {MIN_USED} are needed"
)]
pub struct TooFew {
    /// The number of requests with matches.
    pub n_listings: usize,
    /// The number of requests after which a listed skill was used.
    pub n_used: usize,
}

/// Returns the reliability curve in ten bins; empty bins are omitted.
pub fn curve(listings: &[Vec<ListedSkill>]) -> Vec<Bin> {
    #[expect(clippy::cast_precision_loss, reason = "ten parts")]
    let edges: [f32; N_BINS] = std::array::from_fn(|bin| bin as f32 / N_BINS as f32);
    let mut parts = [(0_usize, 0_usize, 0.0_f64); N_BINS];
    for one in listings.iter().flatten() {
        let bin = edges.iter().rposition(|edge| one.confidence >= *edge);
        let Some((n, n_used, sum)) = bin.map(|bin| &mut parts[bin]) else {
            continue;
        };
        *n += 1;
        *n_used += usize::from(one.is_used);
        *sum += f64::from(one.confidence);
    }
    let bins = edges.into_iter().zip(parts);
    let bins = bins.map(|(from, (n, n_used, sum))| Bin {
        from,
        n,
        mean: share(sum, n),
        used: ratio(n_used, n),
    });
    bins.filter(|bin| bin.n > 0).collect()
}

/// Returns the expected calibration error: the mean distance between the confidence and the share
/// that was used, weighted by the numbers in the bins (Naeini et al. 2015).
pub fn error(curve: &[Bin]) -> f64 {
    let n = curve.iter().map(|bin| bin.n).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of requests")]
    let sums = curve
        .iter()
        .map(|bin| (bin.mean - bin.used).abs() * bin.n as f64);
    share(sums.sum(), n)
}

/// Refits a model to recorded use. Each listing is one request with its matches, the best one
/// first.
///
/// # Errors
///
/// Returns [`TooFew`] below [`MIN_LISTINGS`] requests or [`MIN_USED`] requests with a use.
pub fn calibrate(listings: &[Vec<ListedSkill>], model: &Model) -> Result<Calibration, TooFew> {
    let listings: Vec<&Vec<ListedSkill>> = listings.iter().filter(|it| !it.is_empty()).collect();
    let with_use: Vec<&&Vec<ListedSkill>> = listings
        .iter()
        .filter(|it| it.iter().any(|one| one.is_used))
        .collect();
    let (n_listings, n_used) = (listings.len(), with_use.len());
    if n_listings < MIN_LISTINGS || n_used < MIN_USED {
        return Err(TooFew { n_listings, n_used });
    }
    // Relatedness is about the request as a whole, choice about a skill among those that fit it.
    let first = listings
        .iter()
        .map(|it| (it[0].relatedness, it.iter().any(|one| one.is_used)));
    let relatedness = Line::fit(first);
    let each = with_use
        .iter()
        .flat_map(|it| it.iter())
        .map(|one| (one.choice, one.is_used));
    let choice = Line::fit(each);
    let recalibrated =
        |one: &ListedSkill| relatedness.apply(one.relatedness) * choice.apply(one.choice);
    let firsts: Vec<(f32, bool)> = listings
        .iter()
        .map(|it| (recalibrated(&it[0]), it[0].is_used))
        .collect();
    let used: Vec<f32> = listings
        .iter()
        .flat_map(|it| it.iter())
        .filter(|one| one.is_used)
        .map(recalibrated)
        .collect();
    let [rank, of_relatedness, of_choice] = model.coefficients();
    let scaled = model.with(
        rank,
        relatedness.scaled(of_relatedness),
        choice.scaled(of_choice),
    );
    Ok(Calibration {
        model: scaled.with_bend(model.bend().moved(|x| choice.at(x))),
        to_brief: lower(&used),
        to_full: upper(&firsts),
    })
}

/// The slope and shift of log-odds.
#[derive(Clone, Copy, Debug)]
struct Line {
    slope: f64,
    shift: f64,
}

impl Line {
    /// Returns the most likely line under the prior, by Newton's method.
    fn fit(seen: impl Iterator<Item = (f32, bool)>) -> Self {
        let seen: Vec<(f64, f64)> = seen
            .map(|(p, is_used)| (log_odds(p), f64::from(u8::from(is_used))))
            .collect();
        let mut res = Self {
            slope: 1.0,
            shift: 0.0,
        };
        for _ in 0..STEPS {
            let (mut g, mut h) = (
                [PRIOR * (res.slope - 1.0), PRIOR * res.shift],
                [PRIOR, 0.0, PRIOR],
            );
            for (x, y) in &seen {
                let p = 1.0 / (1.0 + (-(res.slope * x + res.shift)).exp());
                let (error, weight) = (p - y, p * (1.0 - p));
                g = [g[0] + error * x, g[1] + error];
                h = [h[0] + weight * x * x, h[1] + weight * x, h[2] + weight];
            }
            let det = h[0] * h[2] - h[1] * h[1];
            let step = [
                (h[2] * g[0] - h[1] * g[1]) / det,
                (h[0] * g[1] - h[1] * g[0]) / det,
            ];
            res = Self {
                slope: (res.slope - step[0]).max(0.05),
                shift: res.shift - step[1],
            };
            if step[0].abs() + step[1].abs() < 1e-9 {
                break;
            }
        }
        res
    }

    #[expect(clippy::cast_possible_truncation, reason = "log-odds have few digits")]
    fn at(self, log_odds: f32) -> f32 {
        (self.slope * f64::from(log_odds) + self.shift) as f32
    }

    #[expect(clippy::cast_possible_truncation, reason = "a share from 0 to 1")]
    fn apply(self, p: f32) -> f32 {
        sigmoid((self.slope * log_odds(p) + self.shift) as f32)
    }

    /// Returns the coefficients whose sum is the old sum moved along this line.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "coefficients have few digits"
    )]
    fn scaled(self, coefficients: Features) -> Features {
        let mut res = coefficients.map(|it| it * self.slope as f32);
        res[crate::model::at::BIAS] += self.shift as f32;
        res
    }
}

fn log_odds(p: f32) -> f64 {
    let p = f64::from(p).clamp(1e-6, 1.0 - 1e-6);
    (p / (1.0 - p)).ln()
}

/// Returns the lowest confidence from which first matches are right often enough, if enough matches
/// reach it.
fn upper(firsts: &[(f32, bool)]) -> Option<f32> {
    steps().find(|limit| {
        let above: Vec<&(f32, bool)> = firsts.iter().filter(|(it, _)| it >= limit).collect();
        let n_right = above.iter().filter(|(_, is_used)| *is_used).count();
        above.len() >= MIN_USED && ratio(n_right, above.len()) >= TARGET_PRECISION
    })
}

/// Returns the greatest confidence with few used skills below it.
fn lower(used: &[f32]) -> Option<f32> {
    let res = steps().filter(|limit| {
        let n_missed = used.iter().filter(|it| *it < limit).count();
        ratio(n_missed, used.len()) <= MISSED
    });
    res.last()
}

/// Returns the steps 0.05, 0.10 … 0.95.
fn steps() -> impl Iterator<Item = f32> {
    (1..20_u8).map(|step| f32::from(step) * 0.05)
}

fn ratio(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of requests")]
    share(part as f64, whole)
}

fn share(sum: f64, n: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of requests")]
    let n = n.max(1) as f64;
    sum / n
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns 100 requests whose first match has the confidence `confidence` and is right in
    /// `right` cases.
    fn listings(confidence: f32, right: usize) -> Vec<Vec<ListedSkill>> {
        let one = |confidence: f32, is_used| ListedSkill {
            confidence,
            relatedness: 0.9,
            choice: confidence,
            is_used,
        };
        (0..100)
            .map(|n| vec![one(confidence, n < right), one(0.1, n >= right)])
            .collect()
    }

    #[test]
    fn confidence_moves_to_what_was_seen() {
        let model = Model::shipped();
        for (confidence, right, is_raised) in [(0.5, 95, true), (0.9, 40, false)] {
            let found = calibrate(&listings(confidence, right), model).unwrap();
            let [_, _, before] = model.coefficients();
            let [_, _, after] = found.model.coefficients();
            let x = log_odds(confidence);
            // The coefficients describe a line over log-odds: its slope is their ratio.
            let at = crate::model::at::SHARE;
            let slope = f64::from(after[at] / before[at]);
            let shift = f64::from(after[0]) - slope * f64::from(before[0]);
            assert_eq!(
                slope * x + shift > x,
                is_raised,
                "{confidence} {right}: {slope} {shift}"
            );
            // The bend moves along: the new log-odds are the old ones on the line.
            let line = Line { slope, shift };
            let moved = found.model.bend().at(line.at(1.5));
            let expected = line.at(model.bend().at(1.5));
            assert!((moved - expected).abs() < 1e-3, "{moved} {expected}");
        }
    }

    #[test]
    fn the_curve_counts_what_was_used() {
        let found = curve(&listings(0.65, 80));
        let seen: Vec<(f32, usize, f64)> = found
            .iter()
            .map(|bin| (bin.from, bin.n, bin.used))
            .collect();
        assert_eq!(seen, [(0.1, 100, 0.2), (0.6, 100, 0.8)]);
        assert!((error(&found) - 0.125).abs() < 1e-6);
    }

    #[test]
    fn little_data_proposes_nothing() {
        let few = &listings(0.8, 90)[..30];
        let expected = TooFew {
            n_listings: 30,
            n_used: 30,
        };
        assert_eq!(calibrate(few, Model::shipped()), Err(expected));
    }

    #[test]
    fn thresholds_follow_precision() {
        let good = calibrate(&listings(0.8, 97), Model::shipped()).unwrap();
        let bad = calibrate(&listings(0.8, 50), Model::shipped()).unwrap();
        assert!(good.to_full.is_some() && bad.to_full.is_none(), "{good:?}");
    }
}
