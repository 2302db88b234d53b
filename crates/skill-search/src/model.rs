//! The coefficients of the confidence: a data file with a version, written by the program that fits
//! them (`cargo xtask fit`).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::broken_line::BrokenLine;

/// The model file that is compiled in.
const SHIPPED: &str = include_str!("../data/model.json");
/// The version of the file format and of the features' meaning.
const VERSION: u32 = 4;

/// The names of the features, in the order of [`Features`]. The last four compare a skill with the
/// other candidates.
pub const FEATURES: [&str; 35] = [
    "bias",
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
    "trigger",
    "priority",
    "negated",
    "phrase",
    "cosine",
    "bm25-body",
    "bm25-sum",
    "soft-sum",
    "phrase-sum",
    "cosine-sum",
    "concept",
    "density",
    "lone",
    "likeness",
    "body-likeness",
    "word-likeness",
    "score",
    "margin",
    "share",
    "log-share",
];

/// The features of a request and a skill, in the order of [`FEATURES`].
pub type Features = [f32; FEATURES.len()];

/// The positions of the features.
pub(crate) mod at {
    pub(crate) const BIAS: usize = 0;
    pub(crate) const BM25: usize = 1;
    pub(crate) const HEAD: usize = 2;
    pub(crate) const BODY: usize = 3;
    pub(crate) const SOFT: usize = 4;
    pub(crate) const RAREST: usize = 5;
    pub(crate) const PAIRS: usize = 6;
    pub(crate) const EXPLICIT: usize = 7;
    pub(crate) const NAME: usize = 8;
    pub(crate) const TERMS: usize = 9;
    pub(crate) const SIZE: usize = 10;
    pub(crate) const CJK: usize = 11;
    pub(crate) const UNKNOWN: usize = 12;
    pub(crate) const HITS: usize = 13;
    pub(crate) const EXCLUSION: usize = 14;
    pub(crate) const TRIGGER: usize = 15;
    pub(crate) const PRIORITY: usize = 16;
    pub(crate) const NEGATED: usize = 17;
    pub(crate) const PHRASE: usize = 18;
    pub(crate) const COSINE: usize = 19;
    pub(crate) const BM25_BODY: usize = 20;
    pub(crate) const BM25_SUM: usize = 21;
    pub(crate) const SOFT_SUM: usize = 22;
    pub(crate) const PHRASE_SUM: usize = 23;
    pub(crate) const COSINE_SUM: usize = 24;
    pub(crate) const CONCEPT: usize = 25;
    pub(crate) const DENSITY: usize = 26;
    pub(crate) const LONE: usize = 27;
    pub(crate) const LIKENESS: usize = 28;
    pub(crate) const BODY_LIKENESS: usize = 29;
    pub(crate) const WORD_LIKENESS: usize = 30;
    pub(crate) const SCORE: usize = 31;
    pub(crate) const MARGIN: usize = 32;
    pub(crate) const SHARE: usize = 33;
    pub(crate) const LOG_SHARE: usize = 34;
}

/// The coefficients of the ranking and of the two factors of the confidence.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    pub(crate) bm25: Bm25,
    /// The share of the background in the inverse document frequency.
    pub(crate) background: f32,
    /// The weight of a single character of a run; a pair has 1.
    pub(crate) single: f32,
    /// Coefficients of the score that orders the skills.
    pub(crate) rank: Features,
    /// Coefficients of the relatedness of a skill to a request.
    pub(crate) relatedness: Features,
    /// Coefficients of the choice among similar skills.
    pub(crate) choice: Features,
    /// The line from the sum of the choice to its log-odds.
    pub(crate) bend: BrokenLine,
}

/// The parameters of BM25 over fields.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bm25 {
    pub(crate) b: f32,
    pub(crate) k1: f32,
    pub(crate) name: f32,
    pub(crate) description: f32,
    pub(crate) extra: f32,
    pub(crate) exclusion: f32,
    pub(crate) body: f32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    bm25: Bm25,
    background: f32,
    single: f32,
    rank: BTreeMap<String, f32>,
    relatedness: BTreeMap<String, f32>,
    choice: BTreeMap<String, f32>,
    #[serde(default, skip_serializing_if = "BrokenLine::is_straight")]
    bend: BrokenLine,
}

/// The reason why a text is not a model.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ModelError {
    /// The text is not the expected JSON.
    #[error("cannot read the model: {0}")]
    Syntax(String),
    /// The model was written for another version of the features.
    #[error("the model has version {0}, expected {VERSION}")]
    Version(u32),
    /// The model has a coefficient for a feature that does not exist.
    #[error("the model has a coefficient for `{0}`, which is not a feature")]
    UnknownFeature(String),
    /// A number is infinite or not a number.
    #[error("the model has a number that is not finite")]
    NotFinite,
    /// The corners of the line of the choice do not rise.
    #[error("the corners of `bend` do not rise: each must be above the one before in both numbers")]
    Bend,
}

impl Model {
    /// Returns the model that is compiled in.
    pub fn shipped() -> &'static Self {
        static MODEL: OnceLock<Model> = OnceLock::new();
        MODEL.get_or_init(|| Self::parse(SHIPPED).expect("the shipped model is tested"))
    }

    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// Returns a [`ModelError`] if the text is not JSON of the expected shape, has another version,
    /// names an unknown feature or holds a number that is not finite.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let file: File =
            serde_json::from_str(text).map_err(|error| ModelError::Syntax(error.to_string()))?;
        if file.version != VERSION {
            return Err(ModelError::Version(file.version));
        }
        Ok(Self {
            bm25: file.bm25,
            background: file.background,
            single: file.single,
            rank: features(&file.rank)?,
            relatedness: features(&file.relatedness)?,
            choice: features(&file.choice)?,
            bend: file.bend.checked().ok_or(ModelError::Bend)?,
        })
    }

    /// Returns the text of a model file.
    pub fn to_json(&self) -> String {
        let file = File {
            version: VERSION,
            bm25: self.bm25,
            background: self.background,
            single: self.single,
            rank: named(&self.rank),
            relatedness: named(&self.relatedness),
            choice: named(&self.choice),
            bend: self.bend.clone(),
        };
        let text = serde_json::to_string_pretty(&file).expect("numbers and names are JSON");
        text + "\n"
    }

    /// Returns the model with other coefficients, for programs that fit them. `rank` orders the
    /// skills; `relatedness` and `choice` give the two factors.
    #[must_use]
    pub fn with(&self, rank: Features, relatedness: Features, choice: Features) -> Self {
        Self {
            rank,
            relatedness,
            choice,
            ..self.clone()
        }
    }

    /// Returns the model with another line from the sum of the choice to its log-odds.
    #[must_use]
    pub fn with_bend(&self, bend: BrokenLine) -> Self {
        Self {
            bend,
            ..self.clone()
        }
    }

    /// Returns the line from the sum of the choice to its log-odds.
    pub fn bend(&self) -> &BrokenLine {
        &self.bend
    }

    /// Returns the three sets of coefficients, in the order of the parameters of [`Model::with`].
    pub fn coefficients(&self) -> [Features; 3] {
        [self.rank, self.relatedness, self.choice]
    }
}

fn features(named: &BTreeMap<String, f32>) -> Result<Features, ModelError> {
    let mut res = [0.0; FEATURES.len()];
    for (name, value) in named {
        let at = FEATURES.iter().position(|feature| feature == name);
        let at = at.ok_or_else(|| ModelError::UnknownFeature(name.clone()))?;
        if !value.is_finite() {
            return Err(ModelError::NotFinite);
        }
        res[at] = *value;
    }
    Ok(res)
}

fn named(features: &Features) -> BTreeMap<String, f32> {
    let pairs = FEATURES.iter().zip(features);
    let pairs = pairs.filter(|(_, value)| **value != 0.0);
    pairs
        .map(|(name, value)| ((*name).to_owned(), *value))
        .collect()
}

/// Returns the sum of the features, each multiplied by its coefficient.
pub(crate) fn dot(features: &Features, coefficients: &Features) -> f32 {
    features.iter().zip(coefficients).map(|(x, w)| x * w).sum()
}

/// The logistic function.
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
