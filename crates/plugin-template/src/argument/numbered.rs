//! Hints that explain the numbers of a text: `$1 = create|update (mode), $2 = context (optional)`.

use super::parts::{Argument, choices, slug};

/// The most words that name an argument; more of them describe it.
const MAX_WORDS: usize = 3;

/// Reads a hint that says what each number means; `None` for other hints. The numbers begin with 0 or 1
/// and have no gap.
pub(super) fn read(hint: &str) -> Option<Vec<Argument>> {
    if !hint.starts_with('$') {
        return None;
    }
    let mut res: Vec<Argument> = Vec::new();
    let mut first = None;
    for part in parts(hint) {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = part[..digits].parse().ok()?;
        let first = *first.get_or_insert(number);
        if first > 1 || number != first + res.len() {
            return None;
        }
        let mut argument = one(&part[digits..], res.len() + 1);
        let is_same = |other: &&Argument| other.name == argument.name;
        let n_same = res.iter().filter(is_same).count();
        if n_same > 0 {
            argument.name = format!("{}-{}", argument.name, n_same + 1);
        }
        res.push(argument);
    }
    (!res.is_empty()).then_some(res)
}

/// Splits a hint before each number, without the dollar signs.
fn parts(hint: &str) -> Vec<&str> {
    let is_number = |at: &usize| hint[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let starts = hint.match_indices('$').map(|(at, _)| at);
    let starts: Vec<usize> = starts.filter(is_number).collect();
    let ends = starts.iter().skip(1).copied().chain([hint.len()]);
    let ranges = starts.iter().zip(ends);
    ranges.map(|(start, end)| &hint[start + 1..end]).collect()
}

/// Reads what a hint says about one number. `position` is the place of the argument, from 1.
fn one(text: &str, position: usize) -> Argument {
    let mut label = None;
    let mut is_optional = false;
    let mut rest = String::new();
    let mut open = text;
    while let Some((before, inner, after)) = bracketed(open) {
        rest.push_str(before);
        match inner.trim() {
            word if word.starts_with("optional") => is_optional = true,
            "required" => {}
            word => label = label.or(Some(word)),
        }
        open = after;
    }
    rest.push_str(open);
    let is_edge = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '=' | ':' | '-');
    let rest = rest.trim_matches(is_edge).trim();
    let values = choices(rest);
    let is_list = !values.is_empty() && values.iter().all(|value| !value.contains(' '));
    let is_name = !is_list && rest.split_whitespace().count() <= MAX_WORDS;
    let name = match label {
        Some(label) => slug(label),
        None if is_name => slug(rest),
        None => String::new(),
    };
    let mut res = Argument::new(name, !is_optional);
    if res.name.is_empty() {
        res.name = format!("argument-{position}");
    }
    if is_list {
        res.choices = values;
    } else if label.is_some() || !is_name {
        rest.clone_into(&mut res.description);
    }
    res
}

/// Splits a text around its first brackets: the text before them, in them and behind them.
fn bracketed(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('(')?;
    let (inner, after) = rest.split_once(')')?;
    Some((before, inner, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares names, with `?` behind optional ones, choices in brackets and descriptions.
    #[track_caller]
    fn check(hint: &str, expected: Option<&str>) {
        let shown = read(hint).map(|all| {
            let all = all.iter().map(|it| {
                let need = if it.required { "" } else { "?" };
                let choices = match it.choices.join("|") {
                    choices if choices.is_empty() => choices,
                    choices => format!("[{choices}]"),
                };
                let colon = if it.description.is_empty() { "" } else { ": " };
                format!("{}{need}{choices}{colon}{}", it.name, it.description)
            });
            all.collect::<Vec<_>>().join(", ")
        });
        assert_eq!(shown.as_deref(), expected, "{hint}");
    }

    #[test]
    fn hints_explain_numbers() {
        for (hint, expected) in [
            (
                "$1 = add|drop (mode), $2 = what to think of (optional)",
                Some("mode[add|drop], argument-2?: what to think of"),
            ),
            (
                "$1 (mode) = add|drop, $2 (tea)",
                Some("mode[add|drop], tea"),
            ),
            ("$1: cup (optional)", Some("cup?")),
            ("$0 cup, $1 cup", Some("cup, cup-2")),
            ("$1 $2", Some("argument-1, argument-2")),
            ("$1 (size) how much of it", Some("size: how much of it")),
            ("$1 = cup, $3 = tea", None),
            ("$2 = cup", None),
            ("<cup> $1", None),
            ("$CUP", None),
        ] {
            check(hint, expected);
        }
    }
}
