//! The list of a client has no room for all descriptions.

use client_listings::{Client, Extent, Item, Listing, Row};
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Tree;
use crate::level::{Level, Levels};
use crate::profile::Profile;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("listing-budget"),
    group: Group::Quality,
    levels: Levels::everywhere(Level::Off)
        .claude_code(Level::Warning)
        .codex(Level::Warning),
    what: "The list of skills that a client begins a session with does not contain all descriptions of these skills.",
    why: "An agent chooses skills by their descriptions: one that was cut or dropped is not chosen. Claude Code drops whole descriptions beyond 1 % of the context and cuts each at 1,536 characters; Codex cuts all of them to the same length beyond 2 %.",
    example: "80 skills with descriptions of 200 characters each, for Claude Code",
    source: "https://code.claude.com/docs/en/settings, `skillListingBudgetFraction` and `skillListingMaxDescChars`; https://github.com/openai/codex/blob/main/codex-rs/core-skills/src/render.rs; both compared with the clients",
    check: Check::Tree(check),
};

/// The number of skills that the message names.
const N_NAMED: usize = 3;

fn check(tree: &Tree<'_>) -> Vec<Diagnostic> {
    let client = match tree.settings.profile {
        Profile::ClaudeCode => Client::ClaudeCode,
        Profile::Codex => Client::Codex,
        // A user can choose the level, but these profiles are not clients with a list.
        Profile::Spec | Profile::SkillsRef | Profile::Lenient => return Vec::new(),
    };
    let item = |at: usize| Item {
        name: tree.skills[at].name.clone(),
        description: tree.skills[at].description.clone(),
    };
    let items: Vec<Item> = (0..tree.skills.len()).map(item).collect();
    let listing = Listing::new(client, &items, None);
    let Some(worst) = listing.rows.iter().max_by_key(|row| row.extent) else {
        return Vec::new();
    };
    if listing.is_whole() {
        return Vec::new();
    }
    let at = tree
        .skills
        .iter()
        .position(|skill| skill.name == worst.name)
        .unwrap_or_default();
    let (title, n_tokens, n_skills) = (client.title(), listing.context, listing.rows.len());
    let message = format!(
        "the list of {title} for a model with {n_tokens} tokens does not contain all of these {n_skills} skills: {}",
        losses(&listing)
    );
    let help = format!(
        "write shorter descriptions, or give the client fewer skills; `skills-describe DIR --client {client}` shows what it lists"
    );
    vec![tree.finding(RULE.code, at, message).with_help(help)]
}

/// Returns what the list lacks, the worst first.
fn losses(listing: &Listing) -> String {
    let kinds = [
        (Extent::Missing, "not listed"),
        (Extent::NameOnly, "by name only"),
        (Extent::Cut, "with a shortened description"),
    ];
    let parts = kinds.iter().filter_map(|(extent, word)| {
        let n = listing.count(*extent);
        (n > 0).then(|| format!("{n} {word} ({})", named(listing.of(*extent), n)))
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn named<'a>(rows: impl Iterator<Item = &'a Row>, n: usize) -> String {
    let mut names: Vec<&str> = rows.take(N_NAMED).map(|row| &*row.name).collect();
    if n > N_NAMED {
        names.push("…");
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use crate::summary::SkillSummary;
    use crate::validate_tree;

    #[track_caller]
    fn check(profile: Profile, n_skills: usize, length: usize, expected: &[&str]) {
        let skills: Vec<SkillSummary> = (0..n_skills)
            .map(|at| SkillSummary {
                path: format!("s{at:03}"),
                name: format!("s{at:03}"),
                description: format!("{at:03} ").repeat(length / 4),
                ..SkillSummary::default()
            })
            .collect();
        let settings = Settings {
            profile,
            ..Settings::default()
        };
        let findings = validate_tree(&skills, &[], &[], &settings);
        let found = findings.iter().filter(|it| it.code == RULE.code);
        let found: Vec<String> = found
            .map(|it| format!("{} {}", it.place.file.as_deref().unwrap_or("-"), it.message))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn claude_code_drops_descriptions() {
        check(Profile::ClaudeCode, 8, 200, &[]);
        check(
            Profile::ClaudeCode,
            10,
            200,
            &[
                "s009/SKILL.md the list of Claude Code for a model with 200000 tokens does not contain all of these 10 skills: 1 by name only (s009)",
            ],
        );
    }

    #[test]
    fn codex_shortens_all() {
        check(Profile::Codex, 40, 200, &[]);
        check(
            Profile::Codex,
            200,
            200,
            &[
                "s199/SKILL.md the list of Codex for a model with 272000 tokens does not contain all of these 200 skills: 200 with a shortened description (s000, s001, s002, …)",
            ],
        );
    }

    #[test]
    fn the_specification_has_no_budget() {
        check(Profile::Spec, 200, 200, &[]);
    }
}
