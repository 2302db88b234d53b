//! All skills in one text, within a budget for the whole.
//!
//! What does not fit is shortened fairly: first descriptions, all to the same length; then they
//! are left out; then whole skills, those that were used least first. Pinned skills come last in
//! each of these. What was done stands in the text and in the [`Report`].

mod budget;
mod render;

use crate::tokens::TokenCounter;
use crate::{Facts, Parts};
use budget::{Shown, settle};
use render::render;

pub use render::Format;

/// What the specification calls the tool that gives a body.
pub const READ_TOOL: &str = "read_skill";

/// One skill of a listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its description, on one line.
    pub description: String,
    /// What it has besides instructions.
    pub parts: Parts,
    /// Where its `SKILL.md` lies; shown if the settings say so.
    pub location: Option<String>,
    /// How often it was used, as far as that is known.
    pub n_uses: u64,
    /// Its place in the order of precedence, the first one being the most important.
    pub precedence: usize,
    /// Whether it is shortened last.
    pub is_pinned: bool,
}

impl Item {
    /// The item of a skill that is neither pinned nor known to be used.
    pub fn of(facts: &Facts) -> Self {
        Self {
            name: facts.name.clone(),
            description: facts.description.clone(),
            parts: facts.parts,
            location: facts.location.clone(),
            n_uses: 0,
            precedence: 0,
            is_pinned: false,
        }
    }
}

/// How skills are listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The form of the text.
    pub format: Format,
    /// Most tokens of the whole text.
    pub budget: Option<usize>,
    /// Whether it is said where each skill lies.
    pub has_locations: bool,
    /// Name of the tool that gives a body; nothing if there is none.
    pub read_tool: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            format: Format::Xml,
            budget: None,
            has_locations: false,
            read_tool: Some(READ_TOOL.to_owned()),
        }
    }
}

/// The text and its account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// Empty if there is no skill; as JSON an empty list.
    pub text: String,
    /// How it was made.
    pub report: Report,
}

/// What was done to fit a budget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Skills that there are.
    pub total: usize,
    /// Skills that are named.
    pub included: usize,
    /// Skills with a shortened description.
    pub trimmed: Vec<String>,
    /// Skills without their description.
    pub names_only: Vec<String>,
    /// Skills that are not named.
    pub omitted: Vec<String>,
    /// Characters of descriptions that are missing.
    pub n_chars_left_out: usize,
    /// Tokens of the text.
    pub tokens: usize,
    /// Tokens that it may have.
    pub budget: Option<usize>,
    /// Who counted.
    pub counter: &'static str,
}

impl Report {
    /// The strongest thing that was done: `whole`, `trimmed`, `names-only` or `omitted`.
    pub fn stage(&self) -> &'static str {
        if !self.omitted.is_empty() {
            "omitted"
        } else if !self.names_only.is_empty() {
            "names-only"
        } else if !self.trimmed.is_empty() {
            "trimmed"
        } else {
            "whole"
        }
    }

    /// Whether not even the marker fits.
    pub fn is_over_budget(&self) -> bool {
        self.budget.is_some_and(|budget| self.tokens > budget)
    }
}

/// Lists skills by name.
pub fn list(items: &[Item], settings: &Settings, counter: &dyn TokenCounter) -> Listing {
    let mut items: Vec<&Item> = items.iter().collect();
    items.sort_by(|a, b| (&a.name, a.precedence).cmp(&(&b.name, b.precedence)));
    let shown = settle(&items, settings, counter);
    let text = render(&items, &shown, settings);
    let report = report(&items, &shown, settings, counter, &text);
    Listing { text, report }
}

fn report(
    items: &[&Item],
    shown: &[Shown],
    settings: &Settings,
    counter: &dyn TokenCounter,
    text: &str,
) -> Report {
    let names = |wanted: fn(&Item, Shown) -> bool| -> Vec<String> {
        let all = items.iter().zip(shown);
        let found = all.filter(|(item, shown)| wanted(item, **shown));
        found.map(|(item, _)| item.name.clone()).collect()
    };
    let omitted = names(|_, shown| shown == Shown::Omitted);
    let chars = items.iter().zip(shown);
    Report {
        total: items.len(),
        included: items.len() - omitted.len(),
        trimmed: names(
            |item, shown| matches!(shown, Shown::Until(at) if at > 0 && at < item.description.len()),
        ),
        names_only: names(|item, shown| shown == Shown::Until(0) && !item.description.is_empty()),
        n_chars_left_out: chars.map(|(item, shown)| shown.n_missing(item)).sum(),
        tokens: counter.count(text),
        budget: settings.budget,
        counter: counter.name(),
        omitted,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tokens::Estimator;

    fn item(name: &str, description: &str) -> Item {
        Item::of(&Facts::from_parts(name, description, None))
    }

    fn items() -> Vec<Item> {
        let mut items = vec![
            item(
                "long",
                &"Many words about one and the same thing. ".repeat(20),
            ),
            item("other", &"Other words, and some of them again. ".repeat(20)),
            item("short", "Few words."),
        ];
        items[0].n_uses = 3;
        items[1].precedence = 1;
        items[2].precedence = 2;
        items
    }

    fn listed(items: &[Item], budget: usize) -> Listing {
        let settings = Settings {
            budget: Some(budget),
            ..Settings::default()
        };
        list(items, &settings, &Estimator::default())
    }

    #[track_caller]
    fn check(budget: usize, expected: &str, included: usize) {
        let Listing { text, report } = listed(&items(), budget);
        assert_eq!(
            (report.stage(), report.included),
            (expected, included),
            "{text}"
        );
        assert!(report.tokens <= budget, "{report:?}");
    }

    #[test]
    fn a_budget_takes_descriptions_before_names() {
        check(1_000, "whole", 3);
        check(300, "trimmed", 3);
        check(200, "trimmed", 3);
        check(118, "names-only", 3);
        let least = listed(&items(), 118).report.tokens;
        check(least, "names-only", 3);
        check(least - 1, "omitted", 1);
    }

    #[test]
    fn trimming_is_fair() {
        let Listing { text, report } = listed(&items(), 280);
        assert_eq!(report.trimmed, ["long", "other"]);
        let lengths: Vec<usize> = text
            .lines()
            .filter(|line| line.ends_with("…</description>"))
            .map(|line| Estimator::default().count(line))
            .collect();
        assert!(
            lengths.len() == 2 && lengths[0].abs_diff(lengths[1]) <= 4,
            "{text}"
        );
        assert!(text.contains("<description>Few words.</description>"));
    }

    #[test]
    fn the_most_used_and_the_pinned_stay() {
        let mut all = items();
        let report = listed(&all, 58).report;
        assert_eq!(report.omitted, ["other", "short"]);
        all[2].is_pinned = true;
        let Listing { text, report } = listed(&all, 84);
        assert_eq!(report.omitted, ["long", "other"], "{text}");
        assert!(text.contains("Few words."), "{text}");
        assert!(text.contains("2 more skills are not listed"), "{text}");
    }

    #[test]
    fn without_skills_there_is_nothing() {
        assert_eq!(listed(&[], 100).text, "");
    }

    proptest! {
        #[test]
        fn no_budget_is_passed_and_nobody_is_forgotten(
            words in prop::collection::vec("([a-z<&]{1,9} |好的，|句。|End\\. ){0,30}", 0..12),
            pins in prop::collection::vec(any::<bool>(), 12),
            budget in 70_usize..600,
            format in 0_usize..3,
        ) {
            let mut all: Vec<Item> = words.iter().enumerate().map(|(at, text)| item(&format!("s{at}"), text)).collect();
            for (item, pin) in all.iter_mut().zip(pins) {
                item.is_pinned = pin;
            }
            let settings = Settings { budget: Some(budget), format: Format::ALL[format], ..Settings::default() };
            let Listing { text, report } = list(&all, &settings, &Estimator::default());
            prop_assert!(!report.is_over_budget(), "{} {:?}", text, report);
            prop_assert_eq!(report.included + report.omitted.len(), all.len());
            for item in &all {
                let is_named = text.contains(&item.name) || report.omitted.contains(&item.name);
                prop_assert!(is_named, "{}", text);
            }
        }
    }
}
