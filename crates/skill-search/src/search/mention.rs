//! Finds skills that a request mentions by name: `$name`, `/name`, "use the X skill", a tool name.
//!
//! A name that belongs to several skills, or occurs next to another plain name, is ignored. A name
//! counts as a wish only if the request asks for the skill: "use X", not "disable X".

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

/// Words shortly before a name by which a request asks for the skill itself.
const USES: [&str; 24] = [
    "use", "using", "used", "with", "via", "run", "running", "invoke", "invoking", "call",
    "calling", "activate", "apply", "trigger", "try", "start", "resume", "continue", "launch",
    "want", "load", "through", "by", "are",
];
/// The same in scripts without spaces, directly before a name.
const RUN_USES: [&str; 14] = [
    "用",
    "使用",
    "调用",
    "通过",
    "借助",
    "运行",
    "启动",
    "启用",
    "让",
    "以",
    "执行",
    "使って",
    "사용",
    "请",
];
/// Words that turn a name after them, or before them, into the subject of a request.
const SUBJECTS: [&str; 5] = ["tool", "tools", "这个插件", "这个工具", "这个技能"];
/// The maximum confidence of a skill that is the subject of a request but is not asked for:
/// "disable the X plugin".
const SUBJECT: f32 = 0.5;
/// The maximum confidence of a skill that the request refuses: "do not use the X skill".
const REFUSED: f32 = 0.1;

/// The skills that a request names.
#[derive(Default, Debug)]
pub(super) struct Mentions {
    /// The skills that the request asks for, in its order.
    pub(super) wanted: Vec<(u32, Mention)>,
    /// The maximum confidences of skills that it names without asking for them.
    pub(super) limits: Vec<(u32, f32)>,
}

impl Mentions {
    /// Returns the maximum confidence of a skill.
    pub(super) fn limit(&self, document: u32) -> f32 {
        let own = self.limits.iter().filter(|(known, _)| *known == document);
        own.map(|(_, limit)| *limit).fold(1.0, f32::min)
    }
}

/// The role of a name in a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Wanted,
    Subject,
    Refused,
}

/// Returns the role of a name that begins at the word `at`.
fn role(words: &[Word<'_>], at: usize) -> Role {
    if is_negated(words, at) {
        return Role::Refused;
    }
    let before = words[at.saturating_sub(3)..at].iter();
    let is_use = |word: &Word<'_>| {
        USES.contains(&&folded(word.text)[..])
            || RUN_USES.iter().any(|use_| word.text.ends_with(use_))
    };
    if at == 0 || before.rev().any(is_use) {
        Role::Wanted
    } else {
        Role::Subject
    }
}

/// Returns the skills that a request names.
pub(super) fn mentions(index: &Index, text: &str) -> Mentions {
    let words = words(text);
    let mut res = Mentions::default();
    strong(index, text, &words, &mut res);
    if !res.wanted.is_empty() {
        return res;
    }
    // Names that are written side by side are compared, not asked for.
    let mut plain: Vec<(u32, Mention, Role)> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for (document, mention) in owners(index, &folded(word.text)) {
            let is_distinctive = is_distinctive(word.text, mention.kind);
            let role = role(&words, at);
            if role == Role::Refused && (is_distinctive || is_used(&words, at)) {
                res.limits.push((document, REFUSED));
                continue;
            }
            if role == Role::Subject && is_subject(&words, at) {
                res.limits.push((document, SUBJECT));
            }
            let is_known = plain.iter().any(|(known, ..)| *known == document);
            if role != Role::Refused && !is_known && (is_distinctive || words.len() == 1) {
                plain.push((document, mention, role));
            }
        }
    }
    if let [(document, mention, Role::Wanted)] = &plain[..] {
        res.limits.retain(|(limited, _)| limited != document);
        res.wanted = vec![(*document, mention.clone())];
    }
    res
}

/// Returns true if a verb of use precedes a name: "do not invoke X".
fn is_used(words: &[Word<'_>], at: usize) -> bool {
    let mut before = words[at.saturating_sub(2)..at].iter();
    before.any(|word| USES.contains(&&folded(word.text)[..]))
}

/// Returns true if a name that is not asked for is written like a program, or called one.
fn is_subject(words: &[Word<'_>], at: usize) -> bool {
    let word = words[at].text;
    let has_capital = word.chars().skip(1).any(char::is_uppercase);
    let is_program = has_capital && word.contains(char::is_lowercase) || word.contains('_');
    let next = words.get(at + 1).map(|next| folded(next.text));
    let is_called = next.is_some_and(|next| {
        let mut all = SUBJECTS.iter().chain(&MARKERS);
        all.any(|marker| next.starts_with(marker))
    });
    is_program || is_called
}

/// Finds the mentions that leave no doubt: by a sign, or as "the X skill".
fn strong(index: &Index, text: &str, words: &[Word<'_>], res: &mut Mentions) {
    for (at, word) in words.iter().enumerate() {
        if word.has_sign {
            add(index, word.text, role_of_sign(words, at), res);
        }
        let is_marker = MARKERS.contains(&&folded(word.text)[..]);
        if is_marker {
            let longest = (1..=MAX_WORDS.min(at)).rev();
            let mut starts = longest.map(|n_words| at - n_words);
            starts.find(|start| add_joined(index, words, *start..at, res));
        }
    }
    for marker in RUN_MARKERS {
        for (end, _) in text.match_indices(marker) {
            add_before(index, &text[..end], res);
        }
    }
}

/// A sign asks for a skill wherever it occurs.
fn role_of_sign(words: &[Word<'_>], at: usize) -> Role {
    if is_negated(words, at) {
        Role::Refused
    } else {
        Role::Wanted
    }
}

/// Adds the skill with this name in a role if there is exactly one; returns true if there is.
fn add(index: &Index, name: &str, role: Role, acc: &mut Mentions) -> bool {
    let mut owners = owners(index, &folded(name));
    let (Some(found), true) = (owners.pop(), owners.is_empty()) else {
        return false;
    };
    match role {
        Role::Wanted if acc.wanted.iter().any(|(known, _)| *known == found.0) => {}
        Role::Wanted => acc.wanted.push(found),
        Role::Subject => acc.limits.push((found.0, SUBJECT)),
        Role::Refused => acc.limits.push((found.0, REFUSED)),
    }
    true
}

fn add_joined(index: &Index, words: &[Word<'_>], range: Range<usize>, acc: &mut Mentions) -> bool {
    let role = role(words, range.start);
    let words: Vec<&str> = words[range].iter().map(|word| word.text).collect();
    ["-", "_", " ", ""]
        .iter()
        .any(|joint| add(index, &words.join(joint), role, acc))
}

/// Adds a skill whose name in a script without spaces ends directly before a marker.
fn add_before(index: &Index, before: &str, acc: &mut Mentions) {
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
        if is_cut || name.chars().count() < 2 {
            continue;
        }
        let role = match () {
            () if RUN_NEGATIONS.iter().any(|no| rest.ends_with(no)) => Role::Refused,
            () if rest.is_empty() || RUN_USES.iter().any(|use_| rest.ends_with(use_)) => {
                Role::Wanted
            }
            () => Role::Subject,
        };
        if add(index, name, role, acc) {
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
