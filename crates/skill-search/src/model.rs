//! The coefficients of the confidence: a data file with a version, and the program that fits them
//! (`cargo xtask fit`).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What is shipped.
const SHIPPED: &str = include_str!("../data/model.json");
/// Version of the file's form, and of the features' meaning.
const VERSION: u32 = 1;

/// Names of the features, in the order of [`Features`]. The last four compare a skill with the
/// others that were found.
pub const FEATURES: [&str; 30] = [
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
    "similarity",
    "phrase",
    "cosine",
    "bm25-body",
    "bm25-sum",
    "soft-sum",
    "phrase-sum",
    "cosine-sum",
    "concept",
    "score",
    "margin",
    "share",
    "log-share",
];

/// What is known of a request and a skill, by [`FEATURES`].
pub type Features = [f32; FEATURES.len()];

/// Where a feature stands.
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
    pub(crate) const SIMILARITY: usize = 17;
    pub(crate) const PHRASE: usize = 18;
    pub(crate) const COSINE: usize = 19;
    pub(crate) const BM25_BODY: usize = 20;
    pub(crate) const BM25_SUM: usize = 21;
    pub(crate) const SOFT_SUM: usize = 22;
    pub(crate) const PHRASE_SUM: usize = 23;
    pub(crate) const COSINE_SUM: usize = 24;
    pub(crate) const CONCEPT: usize = 25;
    pub(crate) const SCORE: usize = 26;
    pub(crate) const MARGIN: usize = 27;
    pub(crate) const SHARE: usize = 28;
    pub(crate) const LOG_SHARE: usize = 29;
}

/// Coefficients.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    pub(crate) bm25: Bm25,
    /// Share of the background in the inverse document frequency.
    pub(crate) background: f32,
    /// Weight of a single character of a run, where a pair has 1.
    pub(crate) single: f32,
    /// What orders the skills.
    pub(crate) rank: Features,
    /// What says whether a skill has to do with a request.
    pub(crate) relatedness: Features,
    /// What says whether it is the one.
    pub(crate) choice: Features,
    /// What is left of the relatedness of a skill that is surely not the one.
    pub(crate) floor: f32,
}

/// Parameters of BM25 over fields.
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
    floor: f32,
    rank: BTreeMap<String, f32>,
    relatedness: BTreeMap<String, f32>,
    choice: BTreeMap<String, f32>,
}

/// Why a text is no model.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ModelError {
    /// It is not the JSON that was expected.
    #[error("the model cannot be read: {0}")]
    Syntax(String),
    /// It was written for other features.
    #[error("the model has version {0}, expected {VERSION}")]
    Version(u32),
    /// It has a coefficient for something unheard of.
    #[error("the model has a coefficient for `{0}`, which is no feature")]
    UnknownFeature(String),
    /// A number that no calculation can use.
    #[error("the model has a number that is not finite")]
    NotFinite,
}

impl Model {
    /// The model that is shipped.
    pub fn shipped() -> &'static Self {
        static MODEL: OnceLock<Model> = OnceLock::new();
        MODEL.get_or_init(|| Self::parse(SHIPPED).expect("the shipped model is tested"))
    }

    /// Reads a model file.
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
            floor: file.floor,
        })
    }

    /// The text of a model file.
    pub fn to_json(&self) -> String {
        let file = File {
            version: VERSION,
            bm25: self.bm25,
            background: self.background,
            single: self.single,
            floor: self.floor,
            rank: named(&self.rank),
            relatedness: named(&self.relatedness),
            choice: named(&self.choice),
        };
        let text = serde_json::to_string_pretty(&file).expect("numbers and names are JSON");
        text + "\n"
    }

    /// The same with other coefficients, for programs that fit them. `rank` orders, `relatedness`
    /// and `choice` are the two factors.
    #[must_use]
    pub fn with(&self, rank: Features, relatedness: Features, choice: Features) -> Self {
        Self {
            rank,
            relatedness,
            choice,
            ..self.clone()
        }
    }

    /// The three sets of coefficients, as [`Model::with`] takes them.
    pub fn coefficients(&self) -> [Features; 3] {
        [self.rank, self.relatedness, self.choice]
    }

    /// The confidence that two factors give.
    pub(crate) fn confidence(&self, relatedness: f32, choice: f32) -> f32 {
        relatedness * (self.floor + (1.0 - self.floor) * choice)
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

/// The sum of features by their coefficients.
pub(crate) fn dot(features: &Features, coefficients: &Features) -> f32 {
    features.iter().zip(coefficients).map(|(x, w)| x * w).sum()
}

/// The logistic function.
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
