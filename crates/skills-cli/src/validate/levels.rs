//! Levels by rule, as users write them.

use std::collections::BTreeMap;

use anyhow::{anyhow, bail};
use skill_diagnostics::nearest;
use skill_validator::{Level, RULES, find_rule};

/// Checks rules and levels.
pub(super) fn parse_levels(
    written: &BTreeMap<String, String>,
) -> anyhow::Result<BTreeMap<String, Level>> {
    let pairs = written.iter().map(|(rule, level)| {
        if find_rule(rule).is_none() {
            bail!("there is no rule `{rule}`{}", suggestion(rule));
        }
        let found = Level::ALL.into_iter().find(|l| l.word() == level);
        let level =
            found.ok_or_else(|| anyhow!("`{level}` is none of off, note, warning, error"))?;
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
