//! Labelled requests into a model.

use skill_search::{FEATURES, Features, Model};

use crate::score::Judged;
use crate::solve::{Choice, Row, choose, logistic};

/// A request with all that a search sees.
pub(crate) struct Seen {
    pub(crate) kind: &'static str,
    pub(crate) lang: String,
    /// The repository, which is on one side only.
    pub(crate) fold: usize,
    /// How much it counts.
    pub(crate) weight: f64,
    pub(crate) rows: Vec<Features>,
    pub(crate) right: Vec<bool>,
    /// The skill that it is nearly for.
    pub(crate) near: Vec<bool>,
    pub(crate) mentioned: Vec<bool>,
    /// What was asked, and the names of the skills in the order of the rows.
    pub(crate) text: String,
    pub(crate) skills: Vec<String>,
}

/// What orders the skills.
const RANK: [&str; 8] = [
    "bm25-sum",
    "soft-sum",
    "phrase-sum",
    "cosine-sum",
    "pairs",
    "explicit",
    "name",
    "concept",
];
/// What says whether a skill has to do with a request.
const RELATEDNESS: [&str; 18] = [
    "bm25",
    "head",
    "body",
    "soft",
    "rarest",
    "pairs",
    "explicit",
    "name",
    "terms",
    "size",
    "cjk",
    "unknown",
    "hits",
    "exclusion",
    "phrase",
    "cosine",
    "bm25-body",
    "concept",
];
/// What says besides whether it is the one.
const COMPARED: [&str; 4] = ["score", "margin", "share", "log-share"];
/// Coefficients of what the labelled requests do not have, by judgement: a whole trigger is worth
/// as much as a strong match, the skill's own opinion little.
const JUDGED: [(&str, f32, f32); 3] = [
    ("trigger", 3.0, 3.0),
    ("priority", 0.3, 0.0),
    ("similarity", 3.0, 3.0),
];
/// How strongly coefficients are held back.
const RANK_RIDGE: f64 = 0.001;
const RELATEDNESS_RIDGE: f64 = 0.01;
const CHOICE_RIDGE: f64 = 0.005;
/// How much a quoted phrase counts for relatedness, and for the choice.
const SHORT: f64 = 1.0;
const SHORT_CHOICE: f64 = 0.5;
/// How much each of the first counts for relatedness where no skill fits.
const UNFIT_RELATEDNESS: f64 = 0.7;
/// How much a skill counts that comes second or later when the choice is fitted: the first one is
/// what it is asked about.
const AFTER_FIRST: f64 = 0.1;
/// How much a skill counts then that was nearly meant, and the first one of a request that no skill
/// fits, which is relatedness to tell.
const NEAR_CHOICE: f64 = 1.3;
const UNFIT_CHOICE: f64 = 0.15;
/// How much steeper relatedness rises than its regression says. It is a factor of the confidence,
/// and tells apart right and wrong first skills less well than the choice does: it is to keep out
/// what is unrelated, and to leave alone what is not.
const STEEPNESS: f32 = 2.5;
/// Skills of a request that are looked at.
const N_FIRST: usize = 5;
/// What the two thresholds promise, with a reserve for requests that nobody has seen.
const PRECISION: f64 = 0.90;
const UNRELATED: f64 = 0.95;
/// The same among more than a thousand skills, where more words meet by chance.
const UNRELATED_GLOBAL: f64 = 0.86;
/// Above the 0.12 that is promised: with it, near misses of repositories that were held out stay
/// clearly below that (`docs/search.md`).
const NEAR: f64 = 0.13;

/// Fits all coefficients, without the last step.
pub(crate) fn fit(base: &Model, seen: &[&Seen]) -> Model {
    let [_, relatedness, choice] = base.coefficients();
    let model = base.with(rank(seen), relatedness, choice);
    let compared: Vec<Vec<Features>> = seen.iter().map(|one| compared(&model, one)).collect();
    let [rank, ..] = model.coefficients();
    let rows = related(seen, &compared);
    let mut relatedness = factor(&RELATEDNESS, &rows, RELATEDNESS_RIDGE);
    for (name, _, judged) in JUDGED {
        relatedness[place(name)] = judged;
    }
    let relatedness = relatedness.map(|coefficient| coefficient * STEEPNESS);
    let rows = chosen(seen, &compared);
    let choice = factor(&of_choice(), &rows, CHOICE_RIDGE);
    model.with(rank, relatedness, choice)
}

/// Moves the two biases so that the thresholds keep their promises on requests that the
/// coefficients were not fitted to: relatedness as high as the unrelated requests allow, then the
/// choice as high as precision and near misses do.
pub(crate) fn shift(model: &Model, held_out: &[Judged]) -> Model {
    let (mut related, mut choice) = (0.0, 0.0);
    for _ in 0..N_TURNS {
        let keeps_out = |by: &f32| keeps_out(held_out, *by, choice);
        related = steps().rev().find(keeps_out).unwrap_or(related);
        let seen: Vec<Reached> = steps().map(|by| reached(held_out, related, by)).collect();
        let is_kept = |at: &usize| keeps_promises(&seen, *at);
        let found = (0..seen.len()).rev().find(is_kept);
        choice = found.and_then(|at| steps().nth(at)).unwrap_or(choice);
    }
    let [rank, mut relatedness, mut of_choice] = model.coefficients();
    relatedness[0] += related;
    of_choice[0] += choice;
    model.with(rank, relatedness, of_choice)
}

/// Turns of the two, after which nothing moves.
const N_TURNS: usize = 4;
/// Steps on each side over which precision is averaged, which jumps from one to the next.
const N_BESIDE: usize = 3;

fn steps() -> impl DoubleEndedIterator<Item = f32> {
    (-120..=120_i16).map(|step| f32::from(step) / 20.0)
}

/// Whether enough of the unrelated requests stay below 0.15, in both sizes.
fn keeps_out(held_out: &[Judged], related: f32, choice: f32) -> bool {
    let share = |is_small: bool| {
        let asked = held_out.iter().filter(|one| one.kind == "unrelated");
        let asked = asked.filter(|one| (one.weight >= 1.0) == is_small);
        ratio(asked.map(|one| one.moved(one.first, related, choice) < 0.15))
    };
    share(true) >= UNRELATED && share(false) >= UNRELATED_GLOBAL
}

/// What biases reach among the skills of one repository.
struct Reached {
    precision: f64,
    near: f64,
}

fn reached(held_out: &[Judged], related: f32, choice: f32) -> Reached {
    let of = |kind: &'static str| {
        let asked = held_out.iter().filter(move |one| one.kind == kind);
        asked.filter(|one| one.weight >= 1.0)
    };
    let is_high = |one: &&Judged| one.moved(one.first, related, choice) >= 0.7;
    Reached {
        precision: ratio(of("positive").filter(is_high).map(|one| one.is_right)),
        near: ratio(of("near").map(|one| one.moved(one.near_logits, related, choice) >= 0.7)),
    }
}

fn keeps_promises(seen: &[Reached], at: usize) -> bool {
    let beside = &seen[at.saturating_sub(N_BESIDE)..(at + N_BESIDE + 1).min(seen.len())];
    let sum: f64 = beside.iter().map(|one| one.precision).sum();
    sum / beside.len() as f64 >= PRECISION && seen[at].near <= NEAR
}

fn ratio(hits: impl Iterator<Item = bool>) -> f64 {
    let (mut n, mut n_hits) = (0.0, 0.0);
    for is_hit in hits {
        n += 1.0;
        n_hits += f64::from(u8::from(is_hit));
    }
    n_hits / f64::max(n, 1.0)
}

/// The features of all candidates, compared by a model.
pub(crate) fn compared(model: &Model, one: &Seen) -> Vec<Features> {
    let mut rows = one.rows.clone();
    model.compare(&mut rows);
    rows
}

fn place(name: &str) -> usize {
    FEATURES
        .iter()
        .position(|known| *known == name)
        .expect("a feature of the search")
}

fn pick(features: &Features, names: &[&str]) -> Vec<f64> {
    names
        .iter()
        .map(|name| f64::from(features[place(name)]))
        .collect()
}

fn rank(seen: &[&Seen]) -> Features {
    let positives = seen.iter().filter(|one| one.kind == "positive");
    let choices: Vec<Choice> = positives
        .filter(|one| one.right.contains(&true) && one.right.len() > 1)
        .map(|one| Choice {
            rows: one.rows.iter().map(|row| pick(row, &RANK)).collect(),
            right: one.right.clone(),
        })
        .collect();
    let weights = choose(&choices, RANK_RIDGE);
    let mut res = named(&RANK, &weights, 0.0);
    for (name, judged, _) in JUDGED {
        res[place(name)] = judged;
    }
    res
}

/// A logistic regression over the named features.
fn factor(names: &[&str], rows: &[Row], ridge: f64) -> Features {
    let weights = logistic(rows, ridge);
    named(names, &weights, weights[names.len()])
}

#[expect(clippy::cast_possible_truncation, reason = "four digits are kept")]
fn named(names: &[&str], weights: &[f64], bias: f64) -> Features {
    let rounded = |number: f64| ((number * 1e4).round() / 1e4) as f32;
    let mut res = [0.0; FEATURES.len()];
    res[0] = rounded(bias);
    for (name, weight) in names.iter().zip(weights) {
        res[place(name)] = rounded(*weight);
    }
    res
}

/// The features of the choice.
fn of_choice() -> Vec<&'static str> {
    RELATEDNESS.iter().chain(&COMPARED).copied().collect()
}

fn row(features: &Features, names: &[&str], is_hit: bool, weight: f64) -> Row {
    Row {
        features: pick(features, names),
        is_hit,
        weight,
    }
}

/// Right skills against the first of requests that no skill fits.
fn related(seen: &[&Seen], compared: &[Vec<Features>]) -> Vec<Row> {
    let mut res = Vec::new();
    for (one, rows) in seen.iter().zip(compared) {
        match one.kind {
            "positive" | "short" => {
                let weight = if one.kind == "short" { SHORT } else { 1.0 } * one.weight;
                let right = rows
                    .iter()
                    .zip(&one.right)
                    .filter(|(_, is_right)| **is_right);
                let right = right.take(3);
                res.extend(right.map(|(own, _)| row(own, &RELATEDNESS, true, weight)));
            }
            "unrelated" | "stray" | "none" => {
                let first = firsts(rows).into_iter().take(3);
                res.extend(first.map(|at| row(&rows[at], &RELATEDNESS, false, UNFIT_RELATEDNESS)));
            }
            _ => {}
        }
    }
    res
}

/// Right skills against the others that come first, and against those that were nearly meant.
fn chosen(seen: &[&Seen], compared: &[Vec<Features>]) -> Vec<Row> {
    let names = of_choice();
    let mut res = Vec::new();
    for (one, rows) in seen.iter().zip(compared) {
        let first = firsts(rows);
        let take = |at: usize, is_hit: bool, weight: f64| {
            row(&rows[at], &names, is_hit, weight * one.weight)
        };
        match one.kind {
            "positive" => {
                let weight = |place| if place == 0 { 1.0 } else { AFTER_FIRST };
                let rows = first.iter().enumerate();
                res.extend(rows.map(|(place, at)| take(*at, one.right[*at], weight(place))));
            }
            "near" => {
                let near = (0..rows.len()).filter(|at| one.near[*at]);
                res.extend(near.map(|at| take(at, false, NEAR_CHOICE)));
            }
            "short" => {
                let rows = first.iter().take(1);
                res.extend(rows.map(|at| take(*at, one.right[*at], SHORT_CHOICE)));
            }
            _ => res.extend(
                first
                    .iter()
                    .take(1)
                    .map(|at| take(*at, false, UNFIT_CHOICE)),
            ),
        }
    }
    res
}

fn firsts(rows: &[Features]) -> Vec<usize> {
    let score = place("score");
    let mut places: Vec<usize> = (0..rows.len()).collect();
    places.sort_by(|a, b| rows[*b][score].total_cmp(&rows[*a][score]));
    places.truncate(N_FIRST);
    places
}
