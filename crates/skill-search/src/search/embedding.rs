//! A second opinion from a model that somebody else brings.

use super::rank::{self, Scorer};
use super::{Match, Request};
use crate::Index;

/// A model that compares texts by meaning. None is shipped; its opinion enters as the feature
/// `similarity`, whose coefficients are fitted with it.
pub trait Embedding {
    /// Names of the skills nearest to a request, so that those without a common word are found.
    fn nearest(&self, request: &str) -> Vec<String>;

    /// How alike a request and a skill are, from 0 to 1.
    fn similarity(&self, request: &str, skill: &str) -> f32;
}

impl Index {
    /// The same as [`Index::search`] with a second opinion.
    pub fn search_with(&self, request: &Request, embedding: &dyn Embedding) -> Vec<Match> {
        rank::search(self, request, &Adapter(embedding))
    }
}

struct Adapter<'e>(&'e dyn Embedding);

impl Scorer for Adapter<'_> {
    fn nearest(&self, index: &Index, text: &str) -> Vec<u32> {
        let names = self.0.nearest(text).into_iter();
        let places = names.filter_map(|name| index.names.find(&name));
        places
            .filter_map(|place| u32::try_from(place).ok())
            .collect()
    }

    fn similarity(&self, text: &str, skill: &str) -> f32 {
        self.0.similarity(text, skill).clamp(0.0, 1.0)
    }
}
