//! The full description: all facts, and the body.

use std::fmt::Write as _;

use crate::description::{Budgets, Omissions};
use crate::metadata::head;
use crate::safe::without_controls;
use crate::{CommandFacts, Facts};
use skill_tokens::TokenCounter;

pub(crate) fn write(
    facts: &Facts,
    body: &str,
    budgets: &Budgets,
    counter: &dyn TokenCounter,
) -> (String, Omissions) {
    let body = without_controls(body.trim());
    let head = full_head(facts, &body);
    let whole = format!("{head}\n{body}\n");
    let Some(budget) = budgets
        .full
        .filter(|budget| counter.count(&whole) > *budget)
    else {
        return (whole, Omissions::default());
    };
    let (kept, n_left_out) = cut(&body, budget.saturating_sub(counter.count(&head)), counter);
    let left_out = Omissions {
        chars: n_left_out,
        ..Omissions::default()
    };
    (format!("{head}\n{kept}\n"), left_out)
}

/// Returns the description, and the commands that the body does not mention.
fn full_head(facts: &Facts, body: &str) -> String {
    let mut res = format!("{}{}\n", head(facts), facts.description);
    let is_mentioned = |command: &&CommandFacts| {
        let mut parameters = command.parameters.iter();
        is_named(body, &command.id) && parameters.all(|it| is_named(body, &it.name))
    };
    for command in facts
        .commands
        .iter()
        .filter(|command| !is_mentioned(command))
    {
        let _ = writeln!(
            res,
            "- {}{}",
            command.signature(),
            after_colon(&command.description)
        );
    }
    for (key, description) in &facts.placeholders {
        if !body.contains(key) {
            let _ = writeln!(res, "- provides {{{{{key}}}}}{}", after_colon(description));
        }
    }
    res
}

/// Returns true if a body names an identifier as one: in code, in quotes or in a heading. The same
/// word in a sentence does not count.
fn is_named(body: &str, identifier: &str) -> bool {
    let is_delimiter = |c: char| matches!(c, '`' | '"' | '\'');
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    body.match_indices(identifier).any(|(at, _)| {
        let (before, after) = (&body[..at], &body[at + identifier.len()..]);
        let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        let line = before.rsplit('\n').next().unwrap_or_default();
        is_whole && (before.ends_with(is_delimiter) || line.starts_with('#'))
    })
}

fn after_colon(description: &str) -> String {
    match description {
        "" => String::new(),
        description => format!(": {description}"),
    }
}

/// Returns the paragraphs of a body that fit, never a part of a code block, and the number of
/// characters left out.
fn cut(body: &str, budget: usize, counter: &dyn TokenCounter) -> (String, usize) {
    let mut fitting = 0;
    for end in paragraph_ends(body) {
        let mark = mark(&body[end..]);
        if counter.count(&body[..end]) + counter.count(&mark) > budget {
            break;
        }
        fitting = end;
    }
    let (kept, rest) = body.split_at(fitting);
    let kept = format!("{}\n\n{}", kept.trim_end(), mark(rest));
    (kept.trim_start().to_owned(), rest.chars().count())
}

fn mark(rest: &str) -> String {
    format!(
        "[cut: {} characters; read the sections]",
        rest.chars().count()
    )
}

/// Returns the positions where a blank line outside of code ends a paragraph.
fn paragraph_ends(body: &str) -> Vec<usize> {
    let (mut at, mut fence) = (0, None);
    let mut res = Vec::new();
    for line in body.split_inclusive('\n') {
        at += line.len();
        let bare = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) if bare.is_empty() => res.push(at),
            _ => {}
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_a_sentence_names_no_command() {
        for (body, identifier, expected) in [
            ("Give it a text.", "text", false),
            ("Call `text` first.", "text", true),
            ("{\"command\": \"FindArtist\"}", "FindArtist", true),
            ("### FindArtist\n", "FindArtist", true),
            ("### FindArtists\n", "FindArtist", false),
            ("| `url_1` | …", "url", false),
            ("查询`城市`的天气", "城市", true),
        ] {
            assert_eq!(is_named(body, identifier), expected, "{body}");
        }
    }
}
