//! Nested cross-validation: the repositories of each part test a model that has not seen them in any step.
//!
//! The last two steps, the biases and the bend, need answers to requests that the coefficients were not
//! fitted to. For the model of one part these come from models that were fitted without that part and
//! without the part of the request.

use std::collections::BTreeMap;

use skill_search::Model;

use crate::bend::bend;
use crate::score::{Judgement, judge};
use crate::train::{Sample, fit, shift};

/// The number of parts that requests are divided into by repository.
pub(crate) const N_FOLDS: usize = 6;

/// The models of a cross-validation.
pub(crate) struct Fitted {
    /// For each part, the model that has not seen it.
    pub(crate) without: Vec<Model>,
    /// The model that has seen all.
    pub(crate) whole: Model,
}

/// Fits a model without each part, and one to everything.
pub(crate) fn fitted(base: &Model, seen: &[Sample]) -> Fitted {
    let without = |parts: [usize; 2]| {
        let others: Vec<&Sample> = seen
            .iter()
            .filter(|one| !parts.contains(&one.fold))
            .collect();
        fit(base, &others)
    };
    let mut pairs: BTreeMap<[usize; 2], Model> = BTreeMap::new();
    for part in 0..N_FOLDS {
        for other in part..N_FOLDS {
            pairs.insert([part, other], without([part, other]));
        }
    }
    let pair = |a: usize, b: usize| &pairs[&[a.min(b), a.max(b)]];
    let finished = |part: usize| {
        let others: Vec<&Sample> = seen.iter().filter(|one| one.fold != part).collect();
        finish(pair(part, part), &others, |one| pair(part, one.fold))
    };
    let all: Vec<&Sample> = seen.iter().collect();
    Fitted {
        without: (0..N_FOLDS).map(finished).collect(),
        whole: finish(&fit(base, &all), &all, |one| pair(one.fold, one.fold)),
    }
}

/// Takes the last two steps of a model by the answers of others, which have not seen the requests.
fn finish<'m>(model: &Model, seen: &[&Sample], other: impl Fn(&Sample) -> &'m Model) -> Model {
    let judged = |by: [f32; 2]| -> Vec<Judgement> {
        let judged = seen.iter().map(|one| judge(&moved(other(one), by), one));
        judged.collect()
    };
    let by = shift(&judged([0.0; 2]));
    bend(&moved(model, by), &judged(by))
}

/// Returns a model with other biases of relatedness and choice.
fn moved(model: &Model, [related, choice]: [f32; 2]) -> Model {
    let [rank, mut relatedness, mut of_choice] = model.coefficients();
    relatedness[0] += related;
    of_choice[0] += choice;
    model.with(rank, relatedness, of_choice)
}
