//! A search whose confidences also depend on vectors.
//!
//! Vectors have no unit: one model calls 0.8 similar, another 0.3. So the similarity of a skill counts by
//! its distance from the mean of all skills of the catalog, in standard deviations, and moves the
//! log-odds of the confidence by a bounded amount. The constants are set by judgement.

use skill_search::{Explanation, Index, Match, Request};

use crate::embeddings::Embedder;
use crate::endpoint::NoAnswer;
use crate::vectors::Vectors;

/// The distance from the mean at which a skill gains nothing.
const NEUTRAL: f32 = 1.0;
/// The maximum gain and loss of the log-odds.
const MAX_MOVE: f32 = 1.5;
/// The minimum distance of a skill that has no word of the request, from which it becomes a match.
const STRIKING: f32 = 2.0;
/// The confidence of such a skill before its gain, and its maximum: it is worth a look, and never taken
/// alone.
const WORDLESS: f32 = 0.06;
const MAX_WORDLESS: f32 = 0.5;
/// The maximum confidence of skills that fit equally well, as in a search.
const UNDECIDED: f32 = 0.69;

/// A skill with the text that its vector is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkillText {
    /// The name.
    pub name: String,
    /// The name and the description.
    pub text: String,
}

/// Returns the skills that fit a request, best first, by words and by vectors. The explanation of each
/// match has the feature `embedding`, its distance from the mean.
///
/// # Errors
///
/// The embedder has no vectors.
pub fn search(
    index: &Index,
    request: &Request,
    skills: &[SkillText],
    embedder: &dyn Embedder,
    vectors: &mut Vectors,
) -> Result<Vec<Match>, NoAnswer> {
    let texts: Vec<&str> = skills.iter().map(|skill| &skill.text[..]).collect();
    let known = vectors.of(&texts, embedder)?;
    // The request is asked for last and not stored: it may be private, and is rarely repeated.
    let asked = embedder.embed(&[&request.text])?;
    let asked = asked.first().map_or(&[][..], |vector| vector);
    let similarities: Vec<f32> = known.iter().map(|vector| cosine(vector, asked)).collect();
    let distances = distances(&similarities);
    let mut wide = request.clone();
    wide.min_confidence = 0.0;
    let mut res = index.search(&wide);
    for one in &mut res {
        let at = skills.iter().position(|skill| skill.name == one.skill);
        move_match(one, at.map_or(NEUTRAL, |at| distances[at]));
    }
    if request.domain.is_none() && request.required_keywords.is_empty() {
        let striking = skills
            .iter()
            .zip(&distances)
            .filter(|(_, distance)| **distance >= STRIKING);
        let new: Vec<Match> = striking
            .filter(|(skill, _)| res.iter().all(|one| one.skill != skill.name))
            .map(|(skill, distance)| wordless(&skill.name, *distance))
            .collect();
        res.extend(new);
    }
    // Of equal confidences, the better score by words stays before the other.
    res.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    res.retain(|one| one.confidence >= request.min_confidence);
    res.truncate(request.limit);
    Ok(res)
}

/// Moves the confidence of a match, unless the request names the skill.
fn move_match(one: &mut Match, distance: f32) {
    one.explanation.features.push(("embedding", distance));
    if one.explanation.mention.is_some() {
        return;
    }
    one.confidence = moved(one.confidence, distance);
    if one.is_ambiguous {
        one.confidence = one.confidence.min(UNDECIDED);
    }
}

/// Returns a match that only its vector speaks for.
fn wordless(name: &str, distance: f32) -> Match {
    let confidence = moved(WORDLESS, distance).min(MAX_WORDLESS);
    Match {
        skill: name.to_owned(),
        confidence,
        relatedness: confidence,
        choice: 1.0,
        is_ambiguous: false,
        wish: None,
        explanation: Explanation {
            features: vec![("embedding", distance)],
            ..Explanation::default()
        },
    }
}

fn moved(confidence: f32, distance: f32) -> f32 {
    let p = confidence.clamp(1e-6, 1.0 - 1e-6);
    let by = (distance - NEUTRAL).clamp(-MAX_MOVE, MAX_MOVE);
    1.0 / (1.0 + (-((p / (1.0 - p)).ln() + by)).exp())
}

/// Returns the distances from the mean in standard deviations; all are [`NEUTRAL`] if they are equal.
fn distances(similarities: &[f32]) -> Vec<f32> {
    #[expect(clippy::cast_precision_loss, reason = "a number of skills")]
    let n = similarities.len().max(1) as f32;
    let mean = similarities.iter().sum::<f32>() / n;
    let squares = similarities.iter().map(|one| (one - mean).powi(2));
    let deviation = (squares.sum::<f32>() / n).sqrt();
    let distance = |one: &f32| {
        if deviation > 1e-6 {
            (one - mean) / deviation
        } else {
            NEUTRAL
        }
    };
    similarities.iter().map(distance).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    let norm = (dot(a, a) * dot(b, b)).sqrt();
    if a.len() == b.len() && norm > 0.0 {
        dot(a, b) / norm
    } else {
        0.0
    }
}
