//! Finds skills that a request mentions by name: `$name`, `/name`, "use the X skill", a tool name.
//!
//! A name that belongs to several skills, or occurs next to another plain name, is ignored.

use std::ops::Range;

use crate::index::{Index, MentionKind, folded};

/// A mention of a skill in a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// The word in the request, folded.
    pub text: String,
    /// The kind of name that the word is.
    pub kind: MentionKind,
}

/// Words that turn the words before them into a name.
const MARKERS: [&str; 4] = ["skill", "skills", "plugin", "plugins"];
/// The same words in scripts without spaces.
const RUN_MARKERS: [&str; 5] = ["技能", "插件", "工具", "スキル", "스킬"];
/// Words shortly before a name that negate the mention.
const NEGATIONS: [&str; 12] = [
    "not", "don't", "don’t", "dont", "without", "except", "never", "avoid", "instead", "rather",
    "skip", "than",
];
/// Negations in scripts without spaces, directly before a name.
const RUN_NEGATIONS: [&str; 5] = ["不要用", "别用", "不用", "不要使用", "不是"];
/// The maximum number of words of a name before a marker.
const MAX_WORDS: usize = 5;
/// The minimum length of a plain name that is distinctive enough, in characters.
const MIN_PLAIN: usize = 4;

/// Returns the skills that a request mentions, in the order of the request.
pub(super) fn mentions(index: &Index, text: &str) -> Vec<(u32, Mention)> {
    let words = words(text);
    let strong = strong(index, text, &words);
    if !strong.is_empty() {
        return strong;
    }
    let mut res: Vec<(u32, Mention)> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if is_negated(&words, at) {
            continue;
        }
        let is_alone = words.len() == 1;
        for owner in owners(index, &folded(word.text)) {
            let is_meant = is_alone || is_distinctive(word.text, owner.1.kind);
            if is_meant && !res.iter().any(|(known, _)| *known == owner.0) {
                res.push(owner);
            }
        }
    }
    if res.len() == 1 { res } else { Vec::new() }
}

/// Returns the mentions that leave no doubt: by a sign, or as "the X skill".
fn strong(index: &Index, text: &str, words: &[Word<'_>]) -> Vec<(u32, Mention)> {
    let mut res = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if is_negated(words, at) {
            continue;
        }
        if word.has_sign {
            add(index, word.text, &mut res);
        }
        let is_marker = MARKERS.contains(&&folded(word.text)[..]);
        if is_marker {
            let longest = (1..=MAX_WORDS.min(at)).rev();
            let mut starts = longest.map(|n_words| at - n_words);
            starts.find(|start| add_joined(index, words, *start..at, &mut res));
        }
    }
    for marker in RUN_MARKERS {
        for (end, _) in text.match_indices(marker) {
            add_before(index, &text[..end], &mut res);
        }
    }
    res
}

/// Adds the skill with this name if there is exactly one; returns true if there is.
fn add(index: &Index, name: &str, acc: &mut Vec<(u32, Mention)>) -> bool {
    let mut owners = owners(index, &folded(name));
    let (Some(found), true) = (owners.pop(), owners.is_empty()) else {
        return false;
    };
    if !acc.iter().any(|(known, _)| *known == found.0) {
        acc.push(found);
    }
    true
}

fn add_joined(
    index: &Index,
    words: &[Word<'_>],
    range: Range<usize>,
    acc: &mut Vec<(u32, Mention)>,
) -> bool {
    if is_negated(words, range.start) {
        return false;
    }
    let words: Vec<&str> = words[range].iter().map(|word| word.text).collect();
    ["-", "_", " ", ""]
        .iter()
        .any(|joint| add(index, &words.join(joint), acc))
}

/// Adds a skill whose name in a script without spaces ends directly before a marker.
fn add_before(index: &Index, before: &str, acc: &mut Vec<(u32, Mention)>) {
    let quotes = |c: char| c.is_whitespace() || "「」『』“”\"'`《》的".contains(c);
    let before = before.trim_end_matches(quotes);
    let starts: Vec<usize> = before
        .char_indices()
        .rev()
        .take(24)
        .map(|(at, _)| at)
        .collect();
    for start in starts.into_iter().rev() {
        let (rest, name) = before.split_at(start);
        let rest = rest.trim_end_matches(quotes);
        let is_cut = name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && rest.len() == start
            && rest.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if is_cut || name.chars().count() < 2 || RUN_NEGATIONS.iter().any(|no| rest.ends_with(no)) {
            continue;
        }
        if add(index, name, acc) {
            return;
        }
    }
}

/// Returns the skills that have `key` as their name, alias or command.
fn owners(index: &Index, key: &str) -> Vec<(u32, Mention)> {
    let mut at = index.keys.lower_bound(key);
    let mut res: Vec<(u32, Mention)> = Vec::new();
    while at < index.keys.len() && index.keys.get(at) == key {
        let (document, kind) = MentionKind::unpack(index.key_owners.get(at));
        if (document as usize) < index.len() {
            let text = key.to_owned();
            res.push((document, Mention { text, kind }));
        }
        at += 1;
    }
    // A skill's own name takes precedence over commands of other skills.
    let n_names = res
        .iter()
        .filter(|(_, mention)| mention.kind == MentionKind::Name)
        .count();
    if n_names == 1 {
        res.retain(|(_, mention)| mention.kind == MentionKind::Name);
    }
    res
}

/// A word that may be a name.
#[derive(Clone, Copy, Debug)]
struct Word<'t> {
    text: &'t str,
    /// True if `$` or `/` precedes the word and the word is not a part of a path.
    has_sign: bool,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '\'' | '’');
    let mut res = Vec::new();
    let mut start = None;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, c) in ends {
        match start {
            None if is_part(c) => start = Some(at),
            Some(begin) if !is_part(c) => {
                let word = text[begin..at].trim_matches(['.', ':', '\'', '’', '-']);
                if !word.is_empty() {
                    let has_sign = has_sign(&text[..begin]) && c != '/';
                    res.push(Word {
                        text: word,
                        has_sign,
                    });
                }
                start = None;
            }
            _ => {}
        }
    }
    res
}

fn has_sign(before: &str) -> bool {
    let Some(rest) = before.strip_suffix(['$', '/']) else {
        return false;
    };
    let last = rest.chars().next_back();
    last.is_none_or(|c| !(c.is_ascii_alphanumeric() || "/.~:_-$)}".contains(c)))
}

/// Returns true if a plain word is almost certainly a name: it has a hyphen or an underscore or,
/// for names of tools and commands, a capital letter inside.
fn is_distinctive(word: &str, kind: MentionKind) -> bool {
    let mut inner = word.chars().skip(1);
    let has_joint = word.contains(['-', '_']);
    let has_capital = inner.any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let is_tool = kind != MentionKind::Name;
    word.chars().count() >= MIN_PLAIN && (has_joint || is_tool && has_capital)
}

fn is_negated(words: &[Word<'_>], at: usize) -> bool {
    let before = &words[at.saturating_sub(3)..at];
    before
        .iter()
        .any(|word| NEGATIONS.contains(&&folded(word.text)[..]))
}
