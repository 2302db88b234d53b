//! Weighs the parts of a request: some ask for something, others only describe its context.
//!
//! "We sell shoes to runners. Write an email that announces our sale": the user wants a skill for
//! emails, not one for shoes. The weights were chosen with requests of other repositories than the
//! ones that tested them (`docs/design/search-fitting.md`).

use std::sync::OnceLock;

use super::patterns::Patterns;

/// The weight of words in a sentence that asks; all other weights are lower.
const ASKS: f32 = 1.0;
/// The weight in a sentence that neither asks nor describes, and in a quotation.
const OTHER: f32 = 0.6;
/// The weight in a sentence that describes the context.
const TELLS: f32 = 0.47;
/// The fraction of a weight that remains after the words that begin a tail.
const TAIL: f32 = 0.5;
/// The minimum number of words before a tail.
const MIN_BEFORE_TAIL: usize = 3;
/// The minimum number of words of a quotation that is material. A shorter one is a name or a term
/// and keeps its weight.
const MIN_QUOTED: usize = 4;

/// Splits a request into pieces, in order. The weight of a piece says how much its words reveal
/// about the goal of the user: 1 for the best piece, never 0.
pub(crate) fn pieces(text: &str) -> Vec<(f32, &str)> {
    let mut res = Vec::new();
    for sentence in sentences(text) {
        let weight = weight(sentence);
        for (is_quoted, part) in quotations(sentence) {
            if is_quoted && part.split_whitespace().count() >= MIN_QUOTED {
                res.push((weight.min(OTHER), part));
            } else if is_quoted {
                res.push((weight, part));
            } else {
                let (before, tail) = part.split_at(tail(part));
                res.extend([(weight, before), (weight * TAIL, tail)]);
            }
        }
    }
    res.retain(|(_, part)| !part.is_empty());
    let best = res.iter().map(|(weight, _)| *weight).fold(0.0, f32::max);
    for (weight, _) in &mut res {
        *weight /= best;
    }
    res
}

fn sentences(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let next = text.as_bytes().get(end);
        let is_end = match c {
            '.' | '!' | '?' | ';' => next.is_none_or(u8::is_ascii_whitespace),
            '\n' | '。' | '！' | '？' | '；' | '—' | '–' => true,
            _ => false,
        };
        if is_end {
            res.push(&text[start..end]);
            start = end;
        }
    }
    res.push(&text[start..]);
    res
}

/// Splits a sentence into parts; true marks text between quotation marks.
fn quotations(sentence: &str) -> Vec<(bool, &str)> {
    let mut res = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some(open) = sentence[from..].find(['"', '“', '\'']) {
        let open = from + open;
        let mark = sentence[open..].chars().next().unwrap_or('"');
        let inner = open + mark.len_utf8();
        from = inner;
        let is_opening = !sentence[..open].ends_with(char::is_alphanumeric);
        if let (true, Some(length)) = (is_opening, closing(&sentence[inner..], mark)) {
            res.push((false, &sentence[start..open]));
            res.push((true, &sentence[inner..inner + length]));
            start = inner + length;
            from = start + sentence[start..].chars().next().map_or(0, char::len_utf8);
        }
    }
    res.push((false, &sentence[start..]));
    res
}

/// Returns the distance to the closing quotation mark. An apostrophe within a word does not close a
/// quotation.
fn closing(text: &str, opening: char) -> Option<usize> {
    let mark = if opening == '“' { '”' } else { opening };
    let mut found = text.match_indices(mark).map(|(at, _)| at);
    found.find(|at| !text[at + mark.len_utf8()..].starts_with(char::is_alphanumeric))
}

/// Returns the start of the part that says what the result is for, or the end of the text.
fn tail(text: &str) -> usize {
    let lower = text.to_ascii_lowercase();
    let tails = &words().tails;
    let mut found = tails.find(&lower, 0);
    while let Some((at, _)) = found {
        if lower[..at].split_whitespace().count() >= MIN_BEFORE_TAIL {
            return at;
        }
        found = tails.find(&lower, at + 1);
    }
    text.len()
}

fn weight(sentence: &str) -> f32 {
    let lower = sentence.to_lowercase();
    let lower = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = ["then ", "and "]
        .iter()
        .find_map(|word| lower.strip_prefix(word));
    let first = first.unwrap_or(lower);
    let words = words();
    let verb = first.split(char::is_whitespace).next().unwrap_or_default();
    let is_command = words.verbs.contains(&verb) && verb.len() < first.len();
    let is_question = lower.trim_end().ends_with(['?', '？']);
    match () {
        () if is_command || is_question => ASKS,
        () if words.asks.find(lower, 0).is_some() => ASKS,
        () if words.tells.iter().any(|words| lower.starts_with(words)) => TELLS,
        () => OTHER,
    }
}

/// The lists of `data/intent-words.txt`.
struct Words {
    asks: Patterns,
    verbs: Vec<&'static str>,
    tells: Vec<&'static str>,
    tails: Patterns,
}

fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| Words {
        asks: Patterns::new(list("asks: ")),
        verbs: list("verbs: ").collect(),
        tells: list("tells: ").collect(),
        tails: Patterns::new(list("tails:")),
    })
}

/// Returns the entries of the line that begins with `name`.
fn list(name: &str) -> impl Iterator<Item = &'static str> {
    const TABLE: &str = include_str!("../../data/intent-words.txt");
    let mut lines = TABLE.lines();
    let line = lines.find_map(|line| line.strip_prefix(name));
    line.unwrap_or_default().split('|')
}
