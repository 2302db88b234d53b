//! A request against an index.
//!
//! - `query`: the request into weighted terms; `scan`: the postings into candidates.
//! - `weigh`: a candidate into features; `rank`: features into confidences.
//! - `mention`: names that a request says outright.

#[cfg(feature = "embedding")]
mod embedding;
mod explain;
mod grams;
mod kin;
mod mention;
mod query;
mod rank;
mod scan;
mod weigh;

#[cfg(test)]
mod tests;

#[cfg(feature = "embedding")]
pub use embedding::Embedding;
pub use explain::{Explanation, TermHit};
pub use mention::{Mention, MentionKind};
pub use rank::Observed;
pub(crate) use scan::damped;

use crate::Index;

/// What is wanted.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The request in the user's words.
    pub text: String,
    /// Only skills of this domain, in any case.
    pub domain: Option<String>,
    /// Only skills that have each of these as a keyword, a tag or a command, in any case.
    pub required_keywords: Vec<String>,
    /// Most matches. At least 32 skills are weighed, this many where it is more.
    pub limit: usize,
    /// Only matches with at least this confidence, from 0 to 1.
    pub min_confidence: f32,
}

impl Request {
    /// A request without filters, with at most ten answers.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            domain: None,
            required_keywords: Vec::new(),
            limit: 10,
            min_confidence: 0.0,
        }
    }
}

/// A skill that fits a request.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// Its name.
    pub skill: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f32,
    /// Whether it has to do with the request at all, from 0 to 1.
    pub relatedness: f32,
    /// Whether it is the one among its siblings, from 0 to 1.
    pub choice: f32,
    /// Why.
    pub explanation: Explanation,
}

impl Index {
    /// The skills that fit a request, best first; equal ones by name. Nothing if nothing matches.
    pub fn search(&self, request: &Request) -> Vec<Match> {
        rank::search(self, request, &rank::NoScorer)
    }
}
