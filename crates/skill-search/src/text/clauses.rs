//! Finds the clauses of a description that say what a skill is not for.

/// Phrases that begin such a clause, in lower case.
const EXCLUSIONS: [&str; 22] = [
    "do not use",
    "don't use",
    "don’t use",
    "not for ",
    "not use for",
    "do not trigger",
    "don't trigger",
    "do not load",
    "do not activate",
    "not intended for",
    "not when ",
    "never use",
    "skip when",
    "skip if",
    "should not be used",
    "不要用",
    "不适用",
    "不用于",
    "请勿",
    "不要在",
    "不触发",
    "不适合",
];

/// Splits a description into pieces; true marks those that say what the skill is not for.
pub(crate) fn clauses(description: &str) -> Vec<(bool, &str)> {
    let lower = description.to_lowercase();
    // Positions are valid for both texts only if lower case changes no length.
    if lower.len() != description.len() {
        return vec![(false, description)];
    }
    let mut res = Vec::new();
    let mut start = 0;
    while let Some(begin) = first(&lower[start..]).map(|at| start + at) {
        if !description.is_char_boundary(begin) {
            break;
        }
        let end = begin + sentence_end(&lower[begin..]);
        if !description.is_char_boundary(end) {
            break;
        }
        res.push((false, &description[start..begin]));
        res.push((true, &description[begin..end]));
        start = end;
    }
    res.push((false, &description[start..]));
    res.retain(|(_, text)| !text.is_empty());
    res
}

/// Returns the start of the first such clause.
fn first(text: &str) -> Option<usize> {
    let found = first_exclusion(text)
        .into_iter()
        .chain(first_referral(text));
    found.min()
}

fn first_exclusion(text: &str) -> Option<usize> {
    EXCLUSIONS.iter().filter_map(|words| text.find(words)).min()
}

/// Phrases after the comma of a sentence that refers to another skill: "For tracking, see
/// analytics."
const REFERRALS: [&str; 6] = [
    ", see ",
    ", use ",
    ", defer to ",
    ", prefer ",
    ", invoke ",
    ", load ",
];

/// Returns the start of the first sentence that refers to another skill for some purpose.
fn first_referral(text: &str) -> Option<usize> {
    let mut starts = text.match_indices("for ").map(|(at, _)| at);
    starts.find(|at| {
        let before = text[..*at].trim_end();
        let begins = before.is_empty() || before.ends_with(['.', '\n', '!', ';']);
        let sentence = &text[*at..*at + sentence_end(&text[*at..])];
        begins && REFERRALS.iter().any(|words| sentence.contains(words))
    })
}

/// Returns the length of the first sentence.
fn sentence_end(text: &str) -> usize {
    let ends = [". ", ".\n", "\n\n", "。", "; use ", "！", "；"];
    let found = ends
        .iter()
        .filter_map(|end| text.find(end).map(|at| at + end.len()));
    found.min().unwrap_or(text.len())
}
