//! Lists all skills in one text, within a budget for the whole text.
//!
//! What does not fit is shortened fairly: descriptions first, all to the same length; then
//! descriptions are omitted, except those of the most used skills; then whole skills, those with the
//! fewest uses first. Pinned skills come last in each of these steps. The text and the [`Report`] say
//! what was done.

mod budget;
mod extent;
mod item;
mod render;

use budget::fit_to_budget;
use extent::Extent;
use render::render;
use skill_tokens::TokenCounter;

pub use item::{Format, Item, READ_TOOL, Settings};

/// A listing and a report on how it was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The text; empty if there are no skills, or an empty list as JSON.
    pub text: String,
    /// The report.
    pub report: Report,
}

/// A report on what was done to fit a budget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The number of skills.
    pub total: usize,
    /// The number of skills that are named.
    pub included: usize,
    /// The skills with a shortened description.
    pub trimmed: Vec<String>,
    /// The skills without their description.
    pub names_only: Vec<String>,
    /// The skills that are not named.
    pub omitted: Vec<String>,
    /// The number of characters of descriptions that are missing.
    pub n_chars_left_out: usize,
    /// The number of tokens of the text.
    pub tokens: usize,
    /// The maximum number of tokens.
    pub budget: Option<usize>,
    /// The name of the counter.
    pub counter: &'static str,
}

impl Report {
    /// Returns the strongest measure taken: `whole`, `trimmed`, `names-only` or `omitted`.
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

    /// Returns true if not even the note about omitted skills fits.
    pub fn is_over_budget(&self) -> bool {
        self.budget.is_some_and(|budget| self.tokens > budget)
    }
}

/// Lists skills by name.
///
/// ```
/// use skill_disclosure::Facts;
/// use skill_disclosure::listing::{Format, Item, Settings, list};
/// use skill_tokens::Estimator;
///
/// let item = Item::from_facts(&Facts::from_parts("tea", "Makes tea.", None));
/// let settings = Settings { format: Format::Markdown, read_tool: None, ..Settings::default() };
/// let listing = list(&[item], &settings, &Estimator::default());
/// assert_eq!(listing.text, "- **tea**: Makes tea.\n");
/// ```
pub fn list(items: &[Item], settings: &Settings, counter: &dyn TokenCounter) -> Listing {
    let mut items: Vec<&Item> = items.iter().collect();
    items.sort_by(|a, b| (&a.name, a.precedence).cmp(&(&b.name, b.precedence)));
    let extents = fit_to_budget(&items, settings, counter);
    let text = render(&items, &extents, settings);
    let report = report(&items, &extents, settings, counter, &text);
    Listing { text, report }
}

fn report(
    items: &[&Item],
    extents: &[Extent],
    settings: &Settings,
    counter: &dyn TokenCounter,
    text: &str,
) -> Report {
    let names = |fits: fn(&Item, Extent) -> bool| -> Vec<String> {
        let all = items.iter().zip(extents);
        let found = all.filter(|(item, extent)| fits(item, **extent));
        found.map(|(item, _)| item.name.clone()).collect()
    };
    let omitted = names(|_, extent| extent == Extent::Omitted);
    let chars = items.iter().zip(extents);
    Report {
        total: items.len(),
        included: items.len() - omitted.len(),
        trimmed: names(
            |item, extent| matches!(extent, Extent::Until(at) if at > 0 && at < item.description.len()),
        ),
        names_only: names(|item, extent| {
            extent == Extent::Until(0) && !item.description.is_empty()
        }),
        n_chars_left_out: chars.map(|(item, extent)| extent.n_missing(item)).sum(),
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
    use skill_tokens::Estimator;

    fn item(name: &str, description: &str) -> Item {
        Item::from_facts(&crate::Facts::from_parts(name, description, None))
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
    fn the_most_used_keep_their_descriptions() {
        let text = "Makes tea of many kinds for many people. Use when tea is wanted.";
        let mut all: Vec<Item> = (0..40).map(|at| item(&format!("s{at:02}"), text)).collect();
        all[17].n_uses = 5;
        let budget = 700;
        let settings = Settings {
            budget: Some(budget),
            search_tool: Some("search_skills".to_owned()),
            ..Settings::default()
        };
        let Listing { text, report } = list(&all, &settings, &Estimator::default());
        assert_eq!(report.stage(), "names-only");
        assert!(!report.names_only.contains(&"s17".to_owned()), "{text}");
        assert!(report.names_only.contains(&"s39".to_owned()), "{text}");
        let n = report.names_only.len();
        let note =
            format!("{n} skills are listed without their descriptions; search_skills finds them");
        assert!(text.contains(&note), "{text}");
        // No other description has room.
        assert!(
            report.tokens <= budget && report.tokens + 60 > budget,
            "{report:?}"
        );
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
