//! Searches an index for a request.
//!
//! - `query`: turns the request into weighted terms; `scan`: turns postings into candidates.
//! - `weigh`: turns a candidate into features; `rank`: turns features into confidences.
//! - `mention`: finds skills that a request names.

#[cfg(feature = "embedding")]
mod embedding;
mod explain;
mod grams;
mod mention;
mod query;
mod rank;
mod scan;
mod synonyms;
mod weigh;

#[cfg(test)]
mod tests;

#[cfg(feature = "embedding")]
pub use embedding::Embedding;
pub use explain::{Explanation, TermHit};
pub use mention::{Mention, MentionKind};
pub use rank::Observation;
pub(crate) use scan::damped;

use crate::Index;

/// A search request with its filters.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The request in the user's words.
    pub text: String,
    /// If set, only skills of this domain match, in any case.
    pub domain: Option<String>,
    /// Only skills match that have each of these as a keyword, a tag or a command, in any case.
    pub required_keywords: Vec<String>,
    /// The maximum number of matches. The search weighs at least 32 skills, or `limit` if that is
    /// more.
    pub limit: usize,
    /// The minimum confidence of a match, from 0 to 1.
    pub min_confidence: f32,
}

impl Request {
    /// Creates a request without filters and with at most ten matches.
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
    /// The name of the skill.
    pub skill: String,
    /// The confidence that it is the right skill, from 0 to 1.
    pub confidence: f32,
    /// The probability that the skill has anything to do with the request.
    pub relatedness: f32,
    /// The probability that it is the right one among similar skills.
    pub choice: f32,
    /// The reasons for the match.
    pub explanation: Explanation,
}

impl Index {
    /// Returns the skills that fit a request, best first; equal ones are ordered by name. The
    /// result is empty if nothing matches.
    pub fn search(&self, request: &Request) -> Vec<Match> {
        rank::search(self, request, &rank::NoScorer)
    }
}
