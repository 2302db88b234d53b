//! A request and its matches.

use super::explain::Explanation;

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
    /// True if another match fits equally well. Neither of the two has 0.7 then.
    pub is_ambiguous: bool,
    /// The part of the request that the skill answers, if the request has several wishes.
    pub wish: Option<String>,
    /// The reasons for the match.
    pub explanation: Explanation,
}
