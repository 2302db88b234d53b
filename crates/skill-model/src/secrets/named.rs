//! Secrets that are found by the name before them: `"password": "…"`, `apiKey = "…"`, `?key=…`,
//! `smtp_pass=…`, `Cookie: …`.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use http_request::{Strength, TRIGGERS, is_ordinary, strength};

use super::hit::SecretHit;
use super::issuers::issuer_of;
use super::value::{Form, is_secret};

/// Longest examined part of a name, in bytes to each side of the matched word.
const MAX_NAME: usize = 48;
/// Longest examined value, in bytes.
const MAX_VALUE: usize = 2048;
/// Longest examined value without quotes, in bytes.
const MAX_BARE: usize = 256;
/// Maximum white space between a name, the operator and the value.
const MAX_BLANKS: usize = 40;

/// Shortest value that follows a name with only white space between, in bytes.
const MIN_GAP: usize = 8;

pub(super) const KIND: &str = "a secret (by its name)";
const COOKIE: &str = "a cookie";

static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .ascii_case_insensitive(true)
        .build(TRIGGERS)
        .expect("the words are few and short")
});

/// Adds the values of names that indicate a secret.
pub(super) fn scan(text: &str, hits: &mut Vec<SecretHit>) {
    let mut seen = 0;
    for found in WORDS.find_iter(text) {
        if found.start() < seen {
            continue;
        }
        let name = whole_name(text, found.range());
        seen = name.end;
        let Some(strength) = strength(&text[name.clone()]) else {
            continue;
        };
        let Some(value) = value_of(text, name) else {
            continue;
        };
        if let Some(kind) = value.kind(text, strength) {
            seen = value.range.end;
            let range = value.range;
            hits.push(SecretHit { kind, range });
        } else if value.range.len() > MAX_NAME {
            // A value that was judged as a whole is not judged again for each word in it, except
            // for the parameters of a URL.
            let whole = &text[value.range.clone()];
            let query = whole.find('?').filter(|_| whole.contains("://"));
            seen = query.map_or(value.range.end, |at| value.range.start + at);
        }
    }
}

/// Returns the kind of a value, judged by the name of its key.
pub(super) fn judge(name: &str, value: &str) -> Option<&'static str> {
    if value.len() > MAX_VALUE || !WORDS.is_match(name) {
        return None;
    }
    let strength = strength(name).filter(|_| !is_ordinary(name, value))?;
    issuer_of(value).or_else(|| is_secret(value, strength, Form::Quoted).then_some(KIND))
}

/// Returns the kind of a value, judged by the description of its key.
pub(super) fn judge_described(description: &str, value: &str) -> Option<&'static str> {
    const TOPICS: [&str; 11] = [
        "密码",
        "口令",
        "密钥",
        "秘钥",
        "令牌",
        "授权码",
        "password",
        "api key",
        "apikey",
        "secret",
        "token",
    ];
    let lower = description.to_lowercase();
    let is_named = value.len() <= MAX_VALUE && TOPICS.iter().any(|topic| lower.contains(topic));
    // `gpt-4o-mini-2024-07-18` is a model name, not a key.
    let mut parts = value.split(|c: char| !c.is_ascii_alphanumeric());
    let is_key = parts.any(|part| part.len() >= 16);
    (is_named && is_key && is_secret(value, Strength::Weak, Form::Quoted)).then_some(KIND)
}

/// Returns the identifier that contains a matched word.
fn whole_name(text: &str, word: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let floor = word.start.saturating_sub(MAX_NAME);
    let before = bytes[floor..word.start].iter().rev();
    let n_before = before.take_while(|byte| is_part(byte)).count();
    let n_after = bytes[word.end..]
        .iter()
        .take(MAX_NAME)
        .take_while(|byte| is_part(byte))
        .count();
    word.start - n_before..word.end + n_after
}

/// The value that follows a name.
struct Value {
    range: Range<usize>,
    form: Form,
    /// True if the name ends with `cookie`.
    is_cookie: bool,
    /// True if it follows a word of a sentence.
    is_prose: bool,
}

fn value_of(text: &str, name: Range<usize>) -> Option<Value> {
    if is_in_resource_name(text, name.start) {
        return None;
    }
    let operator = operator(text, &name)?;
    let before = name.start.checked_sub(1).map(|at| text.as_bytes()[at]);
    let is_in_url = operator.is_tight && matches!(before, Some(b'?' | b'&' | b'#'));
    // An application id is a key only if it is the only credential of a request.
    if !is_in_url && text[name.clone()].eq_ignore_ascii_case("appid") {
        return None;
    }
    let (form, range) = value(text, operator.end, is_in_url)?;
    // The keys of an object are compared with names: `key === 'MaxItems'`.
    let is_key = text[name.clone()].eq_ignore_ascii_case("key") && operator.is_comparison;
    if is_key
        && text[range.clone()]
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic())
    {
        return None;
    }
    let is_sentence = operator.is_gap && range.len() < MIN_GAP;
    if is_sentence {
        return None;
    }
    let form = match form {
        Form::WholeLine if operator.is_tight => Form::Setting,
        form => form,
    };
    (!operator.needs_quotes || form == Form::Quoted).then(|| Value {
        range,
        form,
        is_cookie: text[name].to_ascii_lowercase().ends_with("cookie"),
        is_prose: operator.is_word,
    })
}

/// Returns whether a position is inside of the name of a resource of AWS, which can have `secret:NAME`:
/// `arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-AbCdEf`.
fn is_in_resource_name(text: &str, at: usize) -> bool {
    /// Longest part before the kind of the resource, in bytes.
    const MAX: usize = 100;
    let before = text.as_bytes()[..at].iter().rev().take(MAX);
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'*');
    let n_before = before.take_while(is_part).count();
    let before = &text[at - n_before..at];
    before.starts_with("arn:") && before.matches(':').count() == 5 && before.ends_with(':')
}

impl Value {
    /// Returns the kind of the value if it is a secret.
    fn kind(&self, text: &str, strength: Strength) -> Option<&'static str> {
        let value = text.get(self.range.clone())?;
        if let Some(kind) = issuer_of(value) {
            return Some(kind);
        }
        if self.is_cookie && is_cookie(value) {
            return Some(COOKIE);
        }
        let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
        let is_said = !self.is_prose || self.form == Form::Quoted || has_digit;
        (is_said && is_secret(value, strength, self.form)).then_some(KIND)
    }
}

/// The text between a name and its value.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Operator {
    end: usize,
    /// True for `name=value` without white space.
    is_tight: bool,
    /// True for a word of a sentence: `is`.
    is_word: bool,
    /// True if only a quoted text is a value.
    needs_quotes: bool,
    /// True for only white space.
    is_gap: bool,
    /// True for `===` and the like.
    is_comparison: bool,
}

fn operator(text: &str, name: &Range<usize>) -> Option<Operator> {
    let bytes = text.as_bytes();
    let closing = closing_marks(&bytes[name.end..]);
    let mut at = name.end + closing;
    let n_blanks = blanks(&bytes[at..], false);
    at += n_blanks;
    let rest = text.get(at..)?;
    let is_flag = text[name.clone()].starts_with("--");
    let table: [(&str, bool, bool); 21] = [
        // text, is a word, needs quotes
        ("===", false, true),
        ("!==", false, true),
        ("==", false, true),
        ("!=", false, true),
        ("=>", false, false),
        (":=", false, false),
        ("+=", false, true),
        ("?=", false, false),
        ("||", false, true),
        ("??", false, true),
        ("=", false, false),
        (": string =", false, true),
        (": str =", false, true),
        (": &str =", false, true),
        ("string =", false, true),
        (":", false, false),
        ("：", false, false),
        ("is ", true, false),
        ("是", true, false),
        ("为", true, false),
        ("or ", false, true),
    ];
    let found = table.iter().find(|(text, ..)| rest.starts_with(text));
    if let Some((text, is_word, needs_quotes)) = found {
        return Some(Operator {
            end: at + text.len(),
            is_tight: n_blanks == 0 && *text == "=",
            is_word: *is_word,
            needs_quotes: *needs_quotes,
            is_gap: false,
            is_comparison: text.ends_with("=="),
        });
    }
    if let Some(end) = call_default(text, name, closing) {
        return Some(Operator {
            end,
            is_tight: false,
            is_word: false,
            needs_quotes: true,
            is_gap: false,
            is_comparison: false,
        });
    }
    let is_gap = n_blanks > 0 && closing == 0 && !text[name.clone()].is_ascii();
    let is_element = name.start > 0 && bytes[name.start - 1] == b'<' && rest.starts_with('>');
    let opener = name.start.checked_sub(2).map(|at| bytes[at]);
    let is_argument =
        closing > 0 && rest.starts_with(',') && matches!(opener, Some(b'(' | b'[' | b'{'));
    let end = at + usize::from(is_element || is_argument);
    (is_element || is_argument || is_gap || is_flag && n_blanks > 0).then_some(Operator {
        end,
        is_tight: false,
        is_word: is_gap,
        needs_quotes: is_argument,
        is_gap,
        is_comparison: false,
    })
}

/// Returns the start of the default value in a call that reads a setting: `getenv('X') or '…'`,
/// `add_argument('--x', default='…')`.
fn call_default(text: &str, name: &Range<usize>, closing: usize) -> Option<usize> {
    const DEFAULT: &str = "default=";
    /// Maximum distance of a default from its name, in bytes.
    const MAX: usize = 160;
    let at = name.end + closing;
    let rest = text.get(at..).filter(|_| closing > 0)?;
    if let Some(after) = rest.strip_prefix(')') {
        let after = after.trim_start_matches([' ', '\t']);
        let found = ["or ", "||", "??"]
            .iter()
            .find(|or| after.starts_with(**or))?;
        return Some(text.len() - after.len() + found.len());
    }
    let is_flag = text[name.clone()].starts_with("--");
    let window = rest.as_bytes().get(..MAX.min(rest.len()))?;
    let window = window.split(|byte| *byte == b')').next()?;
    let found = window
        .windows(DEFAULT.len())
        .position(|part| part == DEFAULT.as_bytes());
    found
        .filter(|_| is_flag && rest.starts_with(','))
        .map(|n| at + n + DEFAULT.len())
}

/// Returns the length of the quotes and brackets that close a name: `"`, `\"`, `']`.
fn closing_marks(rest: &[u8]) -> usize {
    rest.iter()
        .take(4)
        .take_while(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b']' | b'*'))
        .count()
}

fn blanks(rest: &[u8], lines: bool) -> usize {
    rest.iter()
        .take(MAX_BLANKS)
        .take_while(|byte| matches!(byte, b' ' | b'\t') || lines && matches!(byte, b'\n' | b'\r'))
        .count()
}

/// Returns the value that begins at or soon after `at`.
fn value(text: &str, at: usize, is_in_url: bool) -> Option<(Form, Range<usize>)> {
    let bytes = text.as_bytes();
    let here = at + blanks(&bytes[at..], false);
    let below = at + blanks(&bytes[at..], true);
    let start = if is_opening(bytes, below) {
        below
    } else {
        here
    };
    if let Some(range) = marked(text, start) {
        return Some((Form::Quoted, range));
    }
    let start = start + prefix(&bytes[start..]);
    if let Some((quote_length, quote)) = quote(&bytes[start..]) {
        return quoted(text, start + quote_length, quote, quote_length > 1);
    }
    let rest = &bytes[start..];
    let n = run(rest, |byte| is_bare(byte, is_in_url));
    let n_padding = if n == 0 {
        0
    } else {
        run(&rest[n..], |byte| byte == b'=').min(2)
    };
    let range = start..start + n + n_padding;
    (n > 0 && n < MAX_BARE).then(|| (form_of(bytes, &range), range))
}

/// Returns the length of the longest prefix whose bytes all satisfy `test`, at most [`MAX_BARE`].
fn run(bytes: &[u8], test: impl Fn(u8) -> bool) -> usize {
    let start = bytes.iter().take(MAX_BARE);
    start.take_while(|byte| test(**byte)).count()
}

fn is_opening(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b'"' | b'\'' | b'`'))
}

/// Returns the length of a prefix of a literal: `b`, `r`, `Buffer.from(`, `*`.
fn prefix(rest: &[u8]) -> usize {
    const CALLS: [&[u8]; 8] = [
        b"Buffer.from(",
        b"String(",
        b"bytes(",
        b"**",
        b"new SecretKey(",
        b"Some(",
        b"[",
        b"(",
    ];
    let n_call = CALLS
        .iter()
        .find(|call| rest.starts_with(call))
        .map_or(0, |call| call.len());
    let rest = &rest[n_call..];
    let n_letters = rest
        .iter()
        .take(2)
        .take_while(|byte| matches!(byte.to_ascii_lowercase(), b'r' | b'b' | b'f' | b'u' | b'@'))
        .count();
    let has_quote = matches!(rest.get(n_letters), Some(b'"' | b'\'' | b'`' | b'\\'));
    if has_quote {
        n_call + n_letters
    } else if matches!(rest.first(), Some(b'"')) {
        n_call
    } else {
        0
    }
}

/// Returns the length of an opening quote, and the quote.
fn quote(rest: &[u8]) -> Option<(usize, u8)> {
    let n = rest
        .iter()
        .take(3)
        .take_while(|byte| **byte == b'\\')
        .count();
    match rest.get(n) {
        Some(quote @ (b'"' | b'\'' | b'`')) => Some((n + 1, *quote)),
        _ => None,
    }
}

/// Returns the value between the marks of an old host call: `「始」…「末」`, also if one of the two is
/// `「始exp」`.
fn marked(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?.strip_prefix("「始")?;
    let label = rest.bytes().take(12).take_while(u8::is_ascii_alphanumeric);
    let label = label.count();
    let rest = rest[label..].strip_prefix('」')?;
    let first = text.len() - rest.len();
    let bytes = &rest.as_bytes()[..rest.len().min(MAX_VALUE)];
    let n = bytes
        .iter()
        .position(|byte| !byte.is_ascii_graphic() && *byte != b' ')?;
    rest[n..].starts_with("「末").then_some(first..first + n)
}

fn quoted(text: &str, start: usize, quote: u8, is_escaped: bool) -> Option<(Form, Range<usize>)> {
    let rest = &text.as_bytes()[start..];
    let is_end = |byte: &u8| *byte == quote || *byte == b'\n' || is_escaped && *byte == b'\\';
    let n = rest.iter().take(MAX_VALUE).position(is_end)?;
    let closes = rest[n] == quote || rest[n] == b'\\';
    closes.then_some((Form::Quoted, start..start + n))
}

/// Returns whether a byte belongs to a value without quotes.
fn is_bare(byte: u8, is_in_url: bool) -> bool {
    let ends = matches!(
        byte,
        b'"' | b'\'' | b'`' | b',' | b';' | b')' | b']' | b'}' | b'<' | b'>' | b'\\' | b'='
    ) || is_in_url && matches!(byte, b'&' | b'#');
    byte.is_ascii_graphic() && !ends
}

fn form_of(bytes: &[u8], range: &Range<usize>) -> Form {
    let n_blanks = blanks(&bytes[range.end..], false);
    match bytes.get(range.end + n_blanks) {
        None | Some(b'\n' | b'\r') => Form::WholeLine,
        _ => Form::Bare,
    }
}

/// Recognizes `a=b; c=d` in which a value is long and has digits.
fn is_cookie(value: &str) -> bool {
    let is_long = |part: &str| {
        part.split_once('=').is_some_and(|(name, value)| {
            !name.is_empty() && is_secret(value.trim(), Strength::Weak, Form::Quoted)
        })
    };
    value.split(';').any(|part| is_long(part.trim()))
}
