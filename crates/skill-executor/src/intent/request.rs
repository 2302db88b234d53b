//! From a request in the user's words to the skill that runs.

use std::sync::Arc;

use serde_json::{Value, json};
use skill_disclosure::index;
use skill_loader::catalog::{Bounds, Catalog, CatalogSkill};
use skill_search::Request;

use super::{MAX_OF_OBJECT, Match, choose, is_about, is_named};
use crate::envelope::{ErrorCode, Failure};
use crate::package::SkillPackage;

/// Matches that are looked at, and reported where none is sure enough.
const N_MATCHES: usize = 5;

/// The skill that was chosen, and a report on the choice.
pub type Choice = Result<(SkillPackage, Value), Failure>;

/// Chooses among the skills of a catalog that have a `METADATA.yml`. A failure has the candidates.
pub fn choose_for(text: &str, min_confidence: f64, catalog: &Catalog) -> Choice {
    let bounds = Bounds::default();
    let runnable = catalog
        .skills
        .values()
        .map(AsRef::as_ref)
        .filter(|skill| skill.metadata.is_some());
    let request = Request {
        limit: N_MATCHES,
        ..Request::new(text)
    };
    let found = index(runnable, &bounds).search(&request);
    let mut wishes: Vec<String> = found.iter().filter_map(|one| one.wish.clone()).collect();
    wishes.sort_unstable();
    wishes.dedup();
    let mut matches: Vec<Match> = found
        .iter()
        .map(|one| Match {
            confidence: rounded(one.confidence),
            skill: one.skill.clone(),
        })
        .collect();
    let found: Vec<Found<'_>> = found
        .iter()
        .map(|one| Found::new(one, catalog.skills.get(&one.skill).map(Arc::as_ref)))
        .collect();
    lower_objects(text, &found, &mut matches);
    let candidates = matches.iter().map(object).collect::<Vec<_>>();
    if !wishes.is_empty() {
        let wishes = wishes.join("; ");
        let message =
            format!("the request has several wishes; send one request for each: {wishes}");
        let failure = Failure::new(ErrorCode::Ambiguous, message);
        return Err(failure.with("candidates", candidates));
    }
    let choice = choose(matches, min_confidence);
    let choice = choice.map_err(|failure| failure.with("candidates", candidates))?;
    let mut report = object(&choice.chosen);
    report["others"] = choice.others.iter().map(object).collect();
    let skill = &catalog.skills[&choice.chosen.skill];
    Ok((SkillPackage::from_catalog(catalog, skill)?, report))
}

/// Lowers the skills that the request only talks about. If that includes the best match, the others
/// are lowered as well, unless the request names them: "run the tests of counter-a" is not a
/// request for counter-b.
fn lower_objects(text: &str, found: &[Found<'_>], matches: &mut [Match]) {
    let objects: Vec<bool> = found.iter().map(|one| one.is_object(text)).collect();
    let is_best = objects.first().is_some_and(|is_object| *is_object);
    for ((one, is_object), found) in matches.iter_mut().zip(objects).zip(found) {
        if is_object || (is_best && !found.is_named(text)) {
            one.confidence = one.confidence.min(MAX_OF_OBJECT);
        }
    }
}

/// A match with every name that a request may have for it.
struct Found<'a> {
    names: Vec<&'a str>,
    mention: Option<&'a str>,
}

impl<'a> Found<'a> {
    fn new(found: &'a skill_search::Match, skill: Option<&'a CatalogSkill>) -> Self {
        let metadata = skill.and_then(|skill| skill.metadata.as_ref());
        let legacy = metadata.and_then(|metadata| metadata.legacy.as_ref());
        let display = metadata.and_then(|metadata| metadata.display_name.as_deref());
        let names = [found.skill.as_str()].into_iter().chain(display);
        let mention = found.explanation.mention.as_ref();
        Self {
            names: names
                .chain(legacy.map(|legacy| legacy.name.as_str()))
                .collect(),
            mention: mention.map(|mention| mention.text.as_str()),
        }
    }

    fn is_object(&self, text: &str) -> bool {
        let is_own = |name: &&str| is_about(text, name, false);
        self.mention.is_some_and(|name| is_about(text, name, true)) || self.names.iter().any(is_own)
    }

    fn is_named(&self, text: &str) -> bool {
        self.mention.is_some() || self.names.iter().any(|name| is_named(text, name))
    }
}

fn object(one: &Match) -> Value {
    json!({"skill": one.skill, "confidence": one.confidence})
}

/// To four places.
fn rounded(number: f32) -> f64 {
    (f64::from(number) * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::disallowed_methods,
        reason = "tests make directories, and a failed step is a failed test"
    )]

    use std::fs;

    use skill_loader::catalog::{CatalogSettings, SkillRoot};
    use skill_loader::load::Source;

    use super::*;

    const SKILLS: [(&str, &str); 3] = [
        ("tea-brewer", "Brews tea: green tea, black tea and oolong."),
        (
            "coffee-maker",
            "Makes coffee: espresso, cappuccino, filter.",
        ),
        ("dice", "Rolls dice with any number of sides."),
    ];

    #[track_caller]
    fn check(text: &str, min_confidence: f64, expected: &str) {
        let dir = tempfile::tempdir().unwrap();
        for (name, description) in SKILLS {
            let dir = dir.path().join(name);
            fs::create_dir(&dir).unwrap();
            let text = format!("---\nname: {name}\ndescription: \"{description}\"\n---\n# X\n");
            fs::write(dir.join("SKILL.md"), text).unwrap();
            let display = if name == "dice" { "骰子盒" } else { name };
            let text = format!(
                "schema: 1\nname: {name}\ndisplay_name: {display}\nversion: \"1.0.0\"\ntype: direct\nenabled: true\nrunnable: true\n"
            );
            fs::write(dir.join("METADATA.yml"), text).unwrap();
        }
        let catalog = Catalog::read(&CatalogSettings {
            roots: vec![SkillRoot {
                path: dir.path().to_owned(),
                source: Source::Project,
            }],
            ..CatalogSettings::default()
        });
        let choice = choose_for(text, min_confidence, &catalog);
        let res = match choice {
            Ok((skill, told)) => {
                assert_eq!(told["skill"], *skill.metadata.name);
                skill.metadata.name.clone()
            }
            Err(failure) => format!(
                "{}: {}",
                failure.code.word(),
                failure.details["candidates"].as_array().unwrap().len()
            ),
        };
        assert_eq!(res, expected, "{text}");
    }

    #[test]
    fn a_sure_match_runs_and_nothing_else_does() {
        check("use the dice skill", 0.7, "dice");
        check("brew green tea", 0.7, "tea-brewer");
        check("brew green tea", 1.0, "not-found: 1");
        check("qqq zzz", 0.0, "not-found: 0");
        check("disable the dice plugin", 0.7, "not-found: 1");
        check("show me the source of tea-brewer", 0.7, "not-found: 1");
        check("tea-brewer 怎么用", 0.7, "not-found: 1");
        check("卸载骰子盒", 0.7, "not-found: 1");
        check("用骰子盒 roll 3 dice with six sides", 0.5, "dice");
        check("run the tests of coffee-maker", 0.7, "not-found: 1");
        check("$dice and $tea-brewer", 0.99, "not-found: 2");
    }
}
