//! A second opinion from a model that the caller provides.

use super::rank::{self, Scorer};
use super::{Match, Request};
use crate::Index;

/// A model that compares texts by meaning. The crate ships none. Its opinion becomes the feature
/// `similarity`, whose coefficients are fitted with it.
pub trait Embedding {
    /// Returns the names of the skills nearest to a request, so that skills without a common word
    /// are found.
    fn nearest(&self, request: &str) -> Vec<String>;

    /// Returns the similarity of a request and a skill, from 0 to 1.
    fn similarity(&self, request: &str, skill: &str) -> f32;
}

impl Index {
    /// Searches like [`Index::search`], with a second opinion.
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
