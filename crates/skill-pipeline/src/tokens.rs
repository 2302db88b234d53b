//! The tokens of a skill in each phase of disclosure.

use skill_disclosure::{Budgets, Facts, FullError, FullSource, Phase, describe};
use skill_migrator::Migration;
use skill_model::parse_skill;
use skill_tokens::Estimator;

use crate::outcome::Tokens;

/// A body that is already in memory.
struct InMemory<'a>(&'a str);

impl FullSource for InMemory<'_> {
    fn body(&self, _skill: &str) -> Result<String, FullError> {
        Ok(self.0.to_owned())
    }
}

/// Estimates the tokens of a planned skill, and returns them with its description; `None` if it has
/// no SKILL.md.
pub(crate) fn tokens(migration: &Migration) -> Option<(Tokens, String)> {
    let mut files = migration.generated.iter();
    let text = &files.find(|file| file.path == "SKILL.md")?.text;
    let skill = parse_skill(text).0?;
    let frontmatter = skill.frontmatter();
    let body = skill.split.body.clone();
    let body = text.get(body)?;
    let metadata = Some(&migration.metadata);
    let facts =
        Facts::from_parts(&frontmatter.name, &frontmatter.description, metadata).with_body(body);
    let (budgets, counter) = (Budgets::default(), Estimator::default());
    let count = |phase| {
        let description = describe(&facts, phase, &budgets, &InMemory(body), &counter);
        Some(description.ok()?.tokens)
    };
    let tokens = [
        count(Phase::Metadata)?,
        count(Phase::Brief)?,
        count(Phase::Full)?,
    ];
    Some((tokens, frontmatter.description.clone()))
}
