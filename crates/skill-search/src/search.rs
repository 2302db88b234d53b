//! Searches an index for a request.
//!
//! - `query`: turns the request into weighted terms; `scan`: turns postings into candidates.
//! - `weigh`: turns a candidate into features; `rank`: turns features into confidences.
//! - `mention`: finds skills that a request names; `several`: answers each wish of a request.

mod explain;
mod grams;
mod mention;
mod near_words;
mod query;
mod rank;
mod request;
mod scan;
mod several;
mod synonyms;
mod weigh;

#[cfg(test)]
mod tests;

pub use explain::{Explanation, Precedence, TermHit};
pub use mention::Mention;
pub use rank::Observation;
pub use request::{Match, Request};
pub(crate) use scan::damped;

use crate::Index;

impl Index {
    /// Returns the skills that fit a request, best first; equal ones are ordered by name. The
    /// result is empty if nothing matches. If the request has several wishes that different skills
    /// answer, each match says which wish it answers.
    pub fn search(&self, request: &Request) -> Vec<Match> {
        several::search(self, request).unwrap_or_else(|| rank::search(self, request))
    }
}
