//! Levels by rule, as users write them.

use std::collections::BTreeMap;

use skill_diagnostics::nearest;
use skill_validator::{Level, RULES, find_rule};

/// The reason why a level cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LevelError {
    /// No rule has this id.
    #[error("there is no rule `{rule}`{}", suggestion(.rule))]
    Rule {
        /// The id.
        rule: String,
    },
    /// No level has this name.
    #[error("`{level}` is none of off, note, warning, error")]
    Level {
        /// The name.
        level: String,
    },
}

/// Checks rules and levels.
///
/// # Errors
///
/// Names the first rule or level that is not known.
pub fn parse_levels(
    written: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Level>, LevelError> {
    let pairs = written.iter().map(|(rule, word)| {
        if find_rule(rule).is_none() {
            return Err(LevelError::Rule { rule: rule.clone() });
        }
        let found = Level::ALL.into_iter().find(|level| level.word() == word);
        let level = found.ok_or_else(|| LevelError::Level {
            level: word.clone(),
        })?;
        Ok((rule.clone(), level))
    });
    pairs.collect()
}

fn suggestion(rule: &str) -> String {
    let near = nearest(rule, RULES.iter().map(|rule| rule.code.0));
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: &str, level: &str, expected: &str) {
        let written = BTreeMap::from([(rule.to_owned(), level.to_owned())]);
        let res =
            parse_levels(&written).map_or_else(|error| error.to_string(), |_| "fine".to_owned());
        assert_eq!(res, expected);
    }

    #[test]
    fn rules_and_levels_must_be_known() {
        check("body-empty", "off", "fine");
        check(
            "body-emty",
            "off",
            "there is no rule `body-emty`; did you mean `body-empty`?",
        );
        check(
            "body-empty",
            "loud",
            "`loud` is none of off, note, warning, error",
        );
    }
}
