//! Fits a model to labelled requests.

use skill_search::{BrokenLine, FEATURES, Features, Likeness, Model, Vector};

use crate::score::{Judgement, TO_BRIEF, TO_FULL};
use crate::solve::{Choice, Row, choose, logistic};

/// The origin of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// `dev.jsonl`, among the skills of its repository.
    Labelled,
    /// `dev.jsonl`, among all skills.
    Global,
    /// `requests.jsonl`.
    Own,
    /// `written.jsonl`.
    Written,
    /// The requests of the writer in `written.jsonl` who only tests.
    Test,
}

impl Source {
    /// Returns the weight of a request in all fits.
    fn weight(self) -> f64 {
        match self {
            Self::Labelled | Self::Own => 1.0,
            Self::Global | Self::Written => 0.3,
            Self::Test => 0.0,
        }
    }

    /// Returns true for the requests over which the thresholds keep their promises.
    pub(crate) fn is_promised(self) -> bool {
        matches!(self, Self::Labelled | Self::Own)
    }
}

/// A request with everything that a search sees.
pub(crate) struct Sample {
    pub(crate) source: Source,
    pub(crate) kind: &'static str,
    pub(crate) lang: String,
    /// The part of the request's repository, which is on one side of a split only.
    pub(crate) fold: usize,
    pub(crate) rows: Vec<Features>,
    /// The vectors of the request, and of the short fields and the body of each row.
    pub(crate) request: Vector,
    pub(crate) vectors: Vec<[Vector; 2]>,
    pub(crate) right: Vec<bool>,
    /// Marks the near miss.
    pub(crate) near: Vec<bool>,
    pub(crate) mentioned: Vec<bool>,
    /// The maximum confidence of each row.
    pub(crate) limits: Vec<f32>,
    /// The text of the request; `skills` has the names in the order of the rows.
    pub(crate) text: String,
    pub(crate) skills: Vec<String>,
    /// The number of skills of the catalog, and of the right ones among them.
    pub(crate) n_skills: usize,
    pub(crate) n_right: usize,
    /// The repository of the request.
    pub(crate) repo: String,
}

/// Features of the score that orders the skills.
pub(crate) const RANK: [&str; 13] = [
    "bm25-sum",
    "soft-sum",
    "phrase-sum",
    "cosine-sum",
    "pairs",
    "explicit",
    "name",
    "concept",
    "density",
    "likeness",
    "body-likeness",
    "word-likeness",
    "lone",
];
/// Features of relatedness.
const RELATEDNESS: [&str; 23] = [
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
    "density",
    "lone",
    "likeness",
    "body-likeness",
    "word-likeness",
];
/// Further features of the choice.
const COMPARED: [&str; 5] = ["negated", "score", "margin", "share", "log-share"];
/// Coefficients chosen by judgement for features that the labelled requests do not have: a whole
/// trigger is worth as much as a strong match, the author's rating little.
const BY_JUDGEMENT: [(&str, f32, f32); 2] = [("trigger", 3.0, 3.0), ("priority", 0.3, 0.0)];
/// The regularization of the coefficients of the score; the other two follow.
const RANK_RIDGE: f64 = 0.001;
const RELATEDNESS_RIDGE: f64 = 0.01;
const CHOICE_RIDGE: f64 = 0.005;
/// The weight of a quoted phrase, a single word, the name of a file or an address for the order.
const SHORT_RANK: f64 = 0.03;
/// The weight of a quoted phrase for relatedness; `SHORT_CHOICE` is that for the choice.
const SHORT: f64 = 1.0;
const SHORT_CHOICE: f64 = 0.5;
/// The same for a single word, the name of a file or an address.
const WORD: f64 = 0.6;
const WORD_CHOICE: f64 = 0.25;
/// The weight of each of the best matches for relatedness if no skill fits.
const UNFIT_RELATEDNESS: f64 = 0.7;
/// The weight of a skill in second or later place when the choice is fitted: the choice is mostly
/// about the best match.
const AFTER_FIRST: f64 = 0.1;
/// The weight of a near miss for the choice; `UNFIT_CHOICE` is that of the best match of a request
/// that no skill fits, which relatedness should reject.
const NEAR_CHOICE: f64 = 0.8;
const UNFIT_CHOICE: f64 = 0.15;
/// The factor by which relatedness is steeper than its regression. Relatedness separates right from
/// wrong best matches less well than the choice does, so it should reject what is unrelated and
/// leave the rest alone.
const STEEPNESS: f32 = 5.0;
/// The same for the choice. It is flatter than its regression, so that the one number serves both
/// thresholds: few right skills are below the lower one.
const CHOICE_STEEPNESS: f32 = 0.4;
/// The number of skills of a request that are used.
const N_FIRST: usize = 5;
/// The number of best skills by a first fit among which the order is fitted again. The others are in their
/// place already, and what tells them from the right one differs from what tells its rivals from it.
const N_CONTENDERS: usize = 5;
/// The precision that the upper threshold promises, with a reserve for unseen requests. `UNRELATED`
/// is the share of unrelated requests below the lower threshold.
const PRECISION: f64 = 0.92;
const UNRELATED: f64 = 0.94;
/// The same share among more than a thousand skills, where words coincide more often.
const UNRELATED_GLOBAL: f64 = 0.84;
/// The maximum share of near misses at or above the upper threshold. Precision is the narrower limit today.
const NEAR: f64 = 0.13;

/// Fits all coefficients, without the last step.
pub(crate) fn fit(base: &Model, seen: &[&Sample]) -> Model {
    let [_, relatedness, choice] = base.coefficients();
    let model = base.with(rank(seen, &RANK), relatedness, choice);
    let compared: Vec<Vec<Features>> = seen.iter().map(|one| compared(&model, one)).collect();
    let [rank, ..] = model.coefficients();
    let rows = related(seen, &compared);
    let mut relatedness = factor(&RELATEDNESS, &rows, RELATEDNESS_RIDGE);
    for (name, _, judged) in BY_JUDGEMENT {
        relatedness[place(name)] = judged;
    }
    let relatedness = relatedness.map(|coefficient| coefficient * STEEPNESS);
    let rows = chosen(seen, &compared);
    let choice = factor(&of_choice(), &rows, CHOICE_RIDGE);
    let choice = choice.map(|coefficient| coefficient * CHOICE_STEEPNESS);
    model
        .with(rank, relatedness, choice)
        .with_bend(BrokenLine::default())
}

/// Returns how far the biases of relatedness and choice are to be moved, so that the thresholds keep their
/// promises on requests that the coefficients were not fitted to. Relatedness becomes as high as the
/// unrelated requests allow, then the choice as high as precision and near misses allow.
pub(crate) fn shift(held_out: &[Judgement]) -> [f32; 2] {
    let (mut related, mut choice) = (0.0, 0.0);
    for _ in 0..N_TURNS {
        let keeps_out = |by: &f32| keeps_out(held_out, *by, choice);
        related = steps().rev().find(keeps_out).unwrap_or(related);
        let seen: Vec<Outcome> = steps().map(|by| outcome(held_out, related, by)).collect();
        let is_kept = |at: &usize| keeps_promises(&seen, *at);
        let found = (0..seen.len()).rev().find(is_kept);
        choice = found.and_then(|at| steps().nth(at)).unwrap_or(choice);
    }
    [related, choice]
}

/// The number of rounds over both biases, after which nothing moves.
const N_TURNS: usize = 4;
/// The number of steps on each side over which precision is averaged, because it jumps from one
/// step to the next.
const N_BESIDE: usize = 3;

fn steps() -> impl DoubleEndedIterator<Item = f32> {
    (-120..=120_i16).map(|step| f32::from(step) / 20.0)
}

/// Returns true if enough of the unrelated requests stay below [`TO_BRIEF`], in both sizes.
fn keeps_out(held_out: &[Judgement], related: f32, choice: f32) -> bool {
    let share = |is_small: bool| {
        let asked = held_out.iter().filter(|one| one.kind == "unrelated");
        let asked = asked.filter(|one| one.source.is_promised() == is_small);
        ratio(asked.map(|one| one.moved(one.first, related, choice) < TO_BRIEF))
    };
    share(true) >= UNRELATED && share(false) >= UNRELATED_GLOBAL
}

/// The results of a shift among the skills of one repository.
struct Outcome {
    precision: f64,
    near: f64,
}

fn outcome(held_out: &[Judgement], related: f32, choice: f32) -> Outcome {
    let of = |kind: &'static str| {
        let asked = held_out.iter().filter(move |one| one.kind == kind);
        asked.filter(|one| one.source.is_promised())
    };
    let is_high = |one: &&Judgement| one.moved(one.first, related, choice) >= TO_FULL;
    Outcome {
        precision: ratio(of("positive").filter(is_high).map(|one| one.is_right)),
        near: ratio(of("near").map(|one| one.moved(one.near_logits, related, choice) >= TO_FULL)),
    }
}

fn keeps_promises(seen: &[Outcome], at: usize) -> bool {
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

/// Returns the features of all candidates, compared by a model.
pub(crate) fn compared(model: &Model, one: &Sample) -> Vec<Features> {
    let mut rows = one.rows.clone();
    model.compare(&mut rows);
    rows
}

pub(crate) fn place(name: &str) -> usize {
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

impl Sample {
    /// Compares the meanings by this map.
    pub(crate) fn compare_meanings(&mut self, map: &Likeness) {
        let places = [place("likeness"), place("body-likeness")];
        let request = map.turned(&self.request);
        for (row, vectors) in self.rows.iter_mut().zip(&self.vectors) {
            for (place, vector) in places.iter().zip(vectors) {
                row[*place] = map.compare(&request, vector);
            }
        }
    }
}

/// Fits the order.
pub(crate) fn rank(seen: &[&Sample], names: &[&str]) -> Features {
    let is_open = |one: &&&Sample| one.right.contains(&true) && one.right.contains(&false);
    let weight = |one: &Sample| match one.kind {
        "positive" => one.source.weight(),
        "short" | "word" | "shape" => one.source.weight() * SHORT_RANK,
        _ => 0.0,
    };
    let asked = seen.iter().filter(|one| weight(one) > 0.0);
    let choices: Vec<Choice> = asked
        .filter(is_open)
        .map(|one| Choice {
            rows: one.rows.iter().map(|row| pick(row, names)).collect(),
            right: one.right.clone(),
            weight: weight(one),
        })
        .collect();
    let all = choose(&choices, RANK_RIDGE);
    let best: Vec<Choice> = choices.iter().filter_map(|one| best(one, &all)).collect();
    let weights = choose(&best, RANK_RIDGE);
    let mut res = named(names, &weights, 0.0);
    for (name, judged, _) in BY_JUDGEMENT {
        res[place(name)] = judged;
    }
    res
}

/// Returns the best rows of a request by these weights, if a right one and a wrong one are among them.
fn best(choice: &Choice, weights: &[f64]) -> Option<Choice> {
    let score = |row: &[f64]| row.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>();
    let mut places: Vec<usize> = (0..choice.rows.len()).collect();
    places.sort_by(|a, b| score(&choice.rows[*b]).total_cmp(&score(&choice.rows[*a])));
    places.truncate(N_CONTENDERS);
    let right: Vec<bool> = places.iter().map(|at| choice.right[*at]).collect();
    let rows = places.iter().map(|at| choice.rows[*at].clone()).collect();
    let is_open = right.contains(&true) && right.contains(&false);
    is_open.then_some(Choice {
        rows,
        right,
        weight: choice.weight,
    })
}

/// Fits a logistic regression over the named features.
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

/// Returns the features of the choice.
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

/// Returns rows of right skills against the best matches of requests that no skill fits.
fn related(seen: &[&Sample], compared: &[Vec<Features>]) -> Vec<Row> {
    let mut res = Vec::new();
    for (one, rows) in seen.iter().zip(compared) {
        match one.kind {
            "positive" | "short" | "word" | "shape" => {
                let weight = match one.kind {
                    "short" => SHORT,
                    "word" | "shape" => WORD,
                    _ => 1.0,
                } * one.source.weight();
                let right = rows
                    .iter()
                    .zip(&one.right)
                    .filter(|(_, is_right)| **is_right);
                let right = right.take(3);
                res.extend(right.map(|(own, _)| row(own, &RELATEDNESS, true, weight)));
            }
            "unrelated" | "stray" | "unword" | "none" => {
                let first = firsts(rows).into_iter().take(3);
                res.extend(first.map(|at| row(&rows[at], &RELATEDNESS, false, UNFIT_RELATEDNESS)));
            }
            _ => {}
        }
    }
    res
}

/// Returns rows of right skills against the other best matches, and against near misses.
fn chosen(seen: &[&Sample], compared: &[Vec<Features>]) -> Vec<Row> {
    let names = of_choice();
    let mut res = Vec::new();
    for (one, rows) in seen.iter().zip(compared) {
        let first = firsts(rows);
        let take = |at: usize, is_hit: bool, weight: f64| {
            row(&rows[at], &names, is_hit, weight * one.source.weight())
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
            "short" | "word" | "shape" => {
                let weight = if one.kind == "short" {
                    SHORT_CHOICE
                } else {
                    WORD_CHOICE
                };
                let rows = first.iter().take(1);
                res.extend(rows.map(|at| take(*at, one.right[*at], weight)));
            }
            "across" => {}
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
