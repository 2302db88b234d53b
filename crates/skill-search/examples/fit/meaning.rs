//! Fits the map of meanings: which directions of the word vectors tell the right skill from its rivals.
//!
//! The map starts as the one that changes nothing. Each step turns it so that the right skills are more
//! likely among the best candidates by words, where the likeness in meaning is added to their scores.

use skill_search::{Likeness, N_DIRECTIONS, Vector};

use crate::nested::N_FOLDS;
use crate::train::{RANK, Sample, Source, rank};

/// The weight of the likeness in a score while the map is fitted.
const FACTOR: f32 = 4.0;
/// The number of candidates of a request that count.
const N_CANDIDATES: usize = 16;
/// The number of times that all requests are used, and of those for one step.
const N_ROUNDS: usize = 2;
const BATCH: usize = 256;
/// The length of a step, and the decay of the averages of gradients and of their squares.
const STEP: f32 = 0.003;
const DECAY: f32 = 0.9;
const DECAY_OF_SQUARES: f32 = 0.98;
/// The pull towards the map that changes nothing.
const RIDGE: f32 = 0.01;

/// The maps of a cross-validation.
pub(crate) struct Meanings {
    /// For each part, the map that has not seen it.
    pub(crate) without: Vec<Likeness>,
    /// The map that has seen all.
    pub(crate) whole: Likeness,
}

/// Fits a map without each part, and one to everything.
pub(crate) fn fitted(seen: &[Sample]) -> Meanings {
    let without = |part: Option<usize>| {
        let others = seen.iter().filter(|one| Some(one.fold) != part);
        fit(&others.collect::<Vec<_>>())
    };
    Meanings {
        without: (0..N_FOLDS).map(|part| without(Some(part))).collect(),
        whole: without(None),
    }
}

/// A request with its best candidates by words.
struct Asked<'s> {
    request: &'s Vector,
    weight: f32,
    rows: Vec<(&'s Vector, f32, bool)>,
}

fn fit(seen: &[&Sample]) -> Likeness {
    let words: Vec<&str> = RANK
        .into_iter()
        .filter(|name| !matches!(*name, "likeness" | "body-likeness"))
        .collect();
    let by_words = rank(seen, &words);
    let asked = seen.iter().filter_map(|one| asked(one, &by_words));
    let asked: Vec<Asked<'_>> = asked.collect();
    let mut fit = Fit::new();
    let n_batches = asked.len() / BATCH;
    for round in 0..N_ROUNDS {
        for batch in 0..n_batches {
            // Each batch has requests of all catalogs, and another mix in each round.
            let own = (0..BATCH).map(|at| (at * n_batches + batch + round * at) % asked.len());
            fit.step(own.map(|at| &asked[at]));
        }
    }
    Likeness::new(fit.map)
}

fn asked<'s>(one: &'s Sample, by_words: &skill_search::Features) -> Option<Asked<'s>> {
    let weight = match one.source {
        Source::Labelled => 1.5,
        Source::Own => 1.0,
        Source::Written => 0.5,
        Source::Global | Source::Test => return None,
    };
    if one.kind != "positive" {
        return None;
    }
    let score = |at: usize| -> f32 {
        let row = one.rows[at].iter().zip(by_words);
        row.map(|(x, w)| x * w).sum()
    };
    let mut rows: Vec<_> = (0..one.rows.len())
        .map(|at| (&one.vectors[at][0], score(at), one.right[at]))
        .collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut place = 0;
    rows.retain(|row| {
        place += 1;
        place <= N_CANDIDATES || row.2
    });
    let is_open = rows.iter().any(|row| row.2) && rows.iter().any(|row| !row.2);
    is_open.then_some(Asked {
        request: &one.request,
        weight,
        rows,
    })
}

type Matrix = Vec<Vector>;

/// The map in the course of its fit, with the averages of Adam (Kingma and Ba 2015).
struct Fit {
    map: Matrix,
    mean: Matrix,
    square: Matrix,
    n_steps: i32,
}

impl Fit {
    fn new() -> Self {
        let zero = vec![[0.0; N_DIRECTIONS]; N_DIRECTIONS];
        Self {
            map: Likeness::identity().rows().to_vec(),
            mean: zero.clone(),
            square: zero,
            n_steps: 0,
        }
    }

    fn step<'a>(&mut self, batch: impl Iterator<Item = &'a Asked<'a>>) {
        let mut gradient = vec![[0.0; N_DIRECTIONS]; N_DIRECTIONS];
        for asked in batch {
            pull(asked, &self.map, &mut gradient);
        }
        self.n_steps += 1;
        let whole = 1.0 - DECAY.powi(self.n_steps);
        let whole_square = 1.0 - DECAY_OF_SQUARES.powi(self.n_steps);
        for (row, pulls) in gradient.iter().enumerate() {
            for (column, pull) in pulls.iter().enumerate() {
                let rest = f32::from(u8::from(row == column));
                let pull = pull / BATCH as f32 + RIDGE * (self.map[row][column] - rest);
                let mean = &mut self.mean[row][column];
                *mean += (1.0 - DECAY) * (pull - *mean);
                let square = &mut self.square[row][column];
                *square += (1.0 - DECAY_OF_SQUARES) * (pull * pull - *square);
                let length = (*square / whole_square).sqrt() + 1e-5;
                self.map[row][column] -= STEP * (*mean / whole) / length;
            }
        }
    }
}

/// Adds the gradient of the loss of one request.
fn pull(asked: &Asked<'_>, map: &Matrix, gradient: &mut Matrix) {
    let (request, length) = turned(asked.request, map);
    let turned: Vec<(Vector, f32)> = asked.rows.iter().map(|row| turned(row.0, map)).collect();
    let likeness: Vec<f32> = turned.iter().map(|own| dot(&own.0, &request)).collect();
    let scores = asked.rows.iter().zip(&likeness);
    let scores: Vec<f32> = scores.map(|(row, like)| row.1 + FACTOR * like).collect();
    let best = scores.iter().copied().fold(f32::MIN, f32::max);
    let shares: Vec<f32> = scores.iter().map(|score| (score - best).exp()).collect();
    let total: f32 = shares.iter().sum();
    let right = asked.rows.iter().zip(&shares).filter(|(row, _)| row.2);
    let right: f32 = right.map(|(_, share)| share).sum();
    let mut of_request = [0.0; N_DIRECTIONS];
    for (at, row) in asked.rows.iter().enumerate() {
        let share = shares[at] / total - if row.2 { shares[at] / right } else { 0.0 };
        let factor = share * FACTOR * asked.weight;
        let ((own, own_length), like) = (&turned[at], likeness[at]);
        let of_own: Vector = std::array::from_fn(|column| {
            of_request[column] += factor * (own[column] - like * request[column]);
            factor * (request[column] - like * own[column]) / own_length
        });
        add(gradient, row.0, &of_own);
    }
    add(gradient, asked.request, &of_request.map(|x| x / length));
}

/// Returns a vector after the map with length 1, and its length before.
fn turned(vector: &Vector, map: &Matrix) -> (Vector, f32) {
    let mut res = [0.0; N_DIRECTIONS];
    for (x, row) in vector.iter().zip(map) {
        for (acc, weight) in res.iter_mut().zip(row) {
            *acc += x * weight;
        }
    }
    let length = dot(&res, &res).sqrt().max(1e-3);
    (res.map(|x| x / length), length)
}

fn add(gradient: &mut Matrix, vector: &Vector, pulls: &Vector) {
    for (row, x) in gradient.iter_mut().zip(vector) {
        for (acc, pull) in row.iter_mut().zip(pulls) {
            *acc += x * pull;
        }
    }
}

fn dot(a: &Vector, b: &Vector) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
