//! Selects the one skill to run from the results of a search: `executeByIntent`.

mod about;
mod request;

use crate::envelope::{ErrorCode, Failure};

pub use about::{is_about, is_named};
pub use request::{Choice, choose_for};

/// The confidence below which nothing runs: that of a full description.
pub const MIN_CONFIDENCE: f64 = skill_disclosure::TO_FULL;
/// The maximum confidence of a skill that a request is about: well below [`MIN_CONFIDENCE`], so
/// that a name alone starts nothing.
pub const MAX_OF_OBJECT: f64 = 0.3;

/// The result of a search for one skill.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// Name of the skill.
    pub skill: String,
    /// The confidence of the search, from 0 to 1.
    pub confidence: f64,
}

/// The skill that was chosen, and similar ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Choices {
    /// The skill to run.
    pub chosen: Match,
    /// The others, best first.
    pub others: Vec<Match>,
}

/// Chooses the best match, if it is sure enough and no other is as sure.
pub fn choose(mut matches: Vec<Match>, min_confidence: f64) -> Result<Choices, Failure> {
    matches.sort_by(|a, b| {
        let by_confidence = b.confidence.total_cmp(&a.confidence);
        by_confidence.then_with(|| a.skill.cmp(&b.skill))
    });
    let names = || {
        matches
            .iter()
            .take(3)
            .map(|one| one.skill.as_str())
            .collect::<Vec<_>>()
    };
    let refuse =
        |code, message: String| Err(Failure::new(code, message).with("suggestions", names()));
    match &matches[..] {
        [] => refuse(ErrorCode::NotFound, "no skill fits the request".to_owned()),
        [best, ..] if best.confidence < min_confidence => {
            let message = format!(
                "no skill fits well enough: `{}` with {:.2}, at least {min_confidence:.2} is needed",
                best.skill, best.confidence
            );
            refuse(ErrorCode::NotFound, message)
        }
        [best, next, ..] if next.confidence >= best.confidence => {
            let message = format!("`{}` and `{}` fit equally well", best.skill, next.skill);
            refuse(ErrorCode::Ambiguous, message)
        }
        [best, others @ ..] => Ok(Choices {
            chosen: best.clone(),
            others: others.to_vec(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{MIN_CONFIDENCE, Match, choose};

    #[track_caller]
    fn check(matches: &[(&str, f64)], expected: &str) {
        let matches = matches.iter().map(|(skill, confidence)| Match {
            skill: (*skill).to_owned(),
            confidence: *confidence,
        });
        let res = match choose(matches.collect(), MIN_CONFIDENCE) {
            Ok(chosen) => format!("{} over {}", chosen.chosen.skill, chosen.others.len()),
            Err(failure) => failure.code.word().to_owned(),
        };
        assert_eq!(res, expected);
    }

    #[test]
    fn choices() {
        check(&[("a", 0.2), ("b", 0.9)], "b over 1");
        check(&[("a", 0.7)], "a over 0");
        check(&[("a", 0.69)], "not-found");
        check(&[], "not-found");
        check(&[("a", 0.8), ("b", 0.8)], "ambiguous");
        check(&[("a", 0.6), ("b", 0.6)], "not-found");
    }
}
