//! The shortest description: the name and what the skill does.

use skill_tokens::TokenCounter;

use crate::Facts;
use crate::description::Omissions;
use crate::sentence::{FittedText, fit, join};

/// Returns the name and what the skill does.
pub(crate) fn write(
    facts: &Facts,
    budget: usize,
    counter: &dyn TokenCounter,
) -> (String, Omissions) {
    let head = head(facts);
    let what = fitted_what(facts, budget, counter);
    let left_out = Omissions {
        chars: what.n_left_out,
        ..Omissions::default()
    };
    (format!("{head}{}\n", what.text), left_out)
}

/// Returns the name and the display name.
pub(crate) fn head(facts: &Facts) -> String {
    match &facts.display_name {
        Some(display_name) => format!("**{}** ({display_name}): ", facts.name),
        None => format!("**{}**: ", facts.name),
    }
}

/// Returns what the skill does, as much as metadata has room for.
pub(crate) fn fitted_what(facts: &Facts, budget: usize, counter: &dyn TokenCounter) -> FittedText {
    let (what, _) = facts.what_and_when();
    let room = budget.saturating_sub(counter.count(&head(facts)) + 1);
    fit(&join(&what), room, counter)
}
