//! The list of Claude Code.
//!
//! A list that is too long loses whole descriptions: those of the skills that were used least, in
//! the order of their names if none was used. A description that is shorter than the remaining
//! characters stays, even after longer ones were dropped. Descriptions above their own maximum are
//! cut first.
//!
//! Lengths are in UTF-16 units. Found in the program (version 2.1.330) and measured with
//! `claude -p /context`.

use crate::row::{Item, Row};

/// The budget is this share of the context: 1 %, at four characters a token.
const CHARS_OF_TOKENS: (usize, usize) = (4, 100);
/// The maximum length of one description.
const MAX_DESCRIPTION: usize = 1_536;
/// The characters that the client's own skills take from the budget. Measured: of 8,000 characters,
/// 1,924 remain.
const OWN_SKILLS: usize = 6_076;
/// `- ` and the line end of an entry.
const OF_NAME: usize = 3;
/// `: ` between name and description.
const OF_DESCRIPTION: usize = 2;

pub(crate) fn list(items: &[Item], context: usize) -> Vec<Row> {
    let (chars, tokens) = CHARS_OF_TOKENS;
    let budget = context.saturating_mul(chars) / tokens;
    let names: usize = items.iter().map(|item| utf16(&item.name) + OF_NAME).sum();
    let costs: Vec<usize> = items
        .iter()
        .map(|item| OF_DESCRIPTION + utf16(&item.description).min(MAX_DESCRIPTION))
        .collect();
    let mut remaining = budget.saturating_sub(OWN_SKILLS).saturating_sub(names);
    // A description is dropped if the list is too long, or if the names alone are.
    let is_named = budget >= OWN_SKILLS + names;
    let rows = items.iter().zip(costs).map(|(item, cost)| {
        if !is_named || cost > remaining {
            return Row::new(item, 0);
        }
        remaining -= cost;
        Row::new(item, chars_within(&item.description, MAX_DESCRIPTION))
    });
    rows.collect()
}

fn utf16(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Returns the number of characters in the first `max` UTF-16 units.
fn chars_within(text: &str, max: usize) -> usize {
    let mut n_units = 0;
    let is_inside = |c: &char| {
        n_units += c.len_utf16();
        n_units <= max
    };
    text.chars().take_while(is_inside).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(items: &[(&str, usize)], context: usize, expected: &[usize]) {
        let items: Vec<Item> = items
            .iter()
            .map(|(name, length)| Item {
                name: (*name).to_owned(),
                description: "词".repeat(*length),
            })
            .collect();
        let shown: Vec<usize> = list(&items, context)
            .iter()
            .map(|row| row.n_shown)
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn descriptions_are_dropped_as_the_client_drops_them() {
        // Recorded from the client.
        check(&[("x", 1_000), ("y", 912)], 200_000, &[1_000, 912]);
        check(&[("x", 1_000), ("y", 913)], 200_000, &[1_000, 0]);
    }

    #[test]
    fn a_shorter_one_takes_what_a_longer_one_leaves() {
        check(
            &[("a", 1_500), ("b", 1_000), ("c", 100)],
            200_000,
            &[1_500, 0, 100],
        );
    }

    #[test]
    fn a_long_description_is_cut() {
        check(&[("a", 3_000)], 1_000_000, &[1_536]);
    }

    #[test]
    fn names_alone_can_take_everything() {
        check(&[("a", 10), ("b", 0)], 1_000, &[0, 0]);
    }
}
