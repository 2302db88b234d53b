//! Weighs the parts of a request: some ask for something, others only describe its context.
//!
//! "We sell shoes to runners. Write an email that announces our sale": the user wants a skill for
//! emails, not one for shoes. The weights were chosen with requests of other repositories than the
//! ones that tested them (`docs/design/search-fitting.md`).

use std::sync::OnceLock;

use super::negation::negations;
use super::patterns::Patterns;
use super::word_lists::list;

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

/// A piece of a request.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct RequestPiece<'t> {
    /// The share of the goal that its words reveal: 1 for the best piece, never 0.
    pub(crate) weight: f32,
    pub(crate) text: &'t str,
    /// True if it says what the user does not want.
    pub(crate) is_negated: bool,
}

/// Splits a request into pieces, in order. If nothing but negations would remain, they count as
/// wishes.
pub(crate) fn pieces(text: &str) -> Vec<RequestPiece<'_>> {
    let mut res: Vec<RequestPiece<'_>> = Vec::new();
    let mut add = |weight: f32, text, is_negated| {
        res.push(RequestPiece {
            weight,
            text,
            is_negated,
        });
    };
    for sentence in sentences(text) {
        let weight = weight(sentence);
        for (is_quoted, part) in quotations(sentence) {
            if is_quoted && part.split_whitespace().count() >= MIN_QUOTED {
                add(weight.min(OTHER), part, false);
            } else if is_quoted {
                add(weight, part, false);
            } else {
                let (before, tail) = part.split_at(tail(part));
                for (weight, text) in [(weight, before), (weight * TAIL, tail)] {
                    for (is_negated, text) in negations(text) {
                        add(weight, text, is_negated);
                    }
                }
            }
        }
    }
    res.retain(|piece| !piece.text.is_empty());
    let is_wish =
        |piece: &RequestPiece<'_>| !piece.is_negated && piece.text.contains(char::is_alphanumeric);
    let has_wish = res.iter().any(is_wish);
    let best = res.iter().filter(|piece| is_wish(piece) || !has_wish);
    let best = best.map(|piece| piece.weight).fold(0.0, f32::max);
    for piece in &mut res {
        piece.weight = (piece.weight / best).min(1.0);
        piece.is_negated &= has_wish;
    }
    res
}

pub(super) fn sentences(text: &str) -> Vec<&str> {
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

/// Returns true if a part of a request may be a wish of its own: it begins with a verb, or asks. A part
/// in a script without spaces may be one if it does not begin by describing the context.
pub(super) fn begins_wish(part: &str) -> bool {
    let lower = part.trim_start().to_lowercase();
    let words = words();
    let verb = lower.split(char::is_whitespace).next().unwrap_or_default();
    let is_command = words.verbs.contains(&verb) || words.more_verbs.contains(&verb);
    let asks = words.asks.find(&lower, 0).is_some_and(|(at, _)| at == 0);
    let is_run = lower.starts_with(|c: char| !c.is_ascii());
    let describes = words.tells.iter().any(|words| lower.starts_with(words));
    is_command && verb.len() < lower.trim_end().len() || asks || is_run && !describes
}

/// The lists of `data/intent-words.txt`.
struct Words {
    asks: Patterns,
    verbs: Vec<&'static str>,
    /// Verbs that only separate the wishes of one request.
    more_verbs: Vec<&'static str>,
    tells: Vec<&'static str>,
    tails: Patterns,
}

fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| Words {
        asks: Patterns::new(list("asks: ")),
        verbs: list("verbs: ").collect(),
        more_verbs: list("more-verbs: ").collect(),
        tells: list("tells: ").collect(),
        tails: Patterns::new(list("tails:")),
    })
}
