//! Placeholders in place of secrets.

use std::collections::BTreeMap;

/// Parts of words that people write in place of a secret, in lower case.
const WORDS: [&str; 30] = [
    "your",
    "example",
    "placeholder",
    "dummy",
    "sample",
    "replace",
    "insert",
    "change",
    "fake",
    "redacted",
    "secret",
    "password",
    "passwd",
    "abc123",
    "xxxx",
    "****",
    "...",
    "…",
    "<",
    "${",
    "{{",
    "$(",
    "%s",
    "process.env",
    "todo",
    "deadbeef",
    "://",
    "pa$$w",
    "p@ss",
    "passw0rd",
];

/// The header and payload that RFC 7519 tutorials and jwt.io show.
const EXAMPLE_JWT: &str = "eyJzdWIiOiIxMjM0NTY3ODkw";

/// Minimum information in a secret, in bits per character (Shannon).
const MIN_ENTROPY: f64 = 2.5;

/// Longest run of one character, or of neighbours (`abcdefgh`, `12345678`), in a secret.
const MAX_RUN: usize = 7;

/// Parts of a value, in lower case, that indicate a placeholder even after the name of a secret.
const NAMED_WORDS: [&str; 34] = [
    "your",
    "example",
    "placeholder",
    "dummy",
    "sample",
    "replace",
    "insert",
    "changeme",
    "change_me",
    "change-me",
    "change_this",
    "change-this",
    "fake",
    "redacted",
    "xxxx",
    "****",
    "....",
    "...",
    "…",
    "<",
    "${",
    "{{",
    "}}",
    "$(",
    "%s",
    "%(",
    "process.env",
    "environ",
    "getenv",
    "todo",
    "_here",
    "-here",
    "secret-key",
    "secret_key",
];

/// Returns whether the value of a secret's name is a known placeholder. Its shape does not matter,
/// because people use `0123456789abcdef` as a key; only `123456…` is what manuals show.
pub fn is_secret_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let mut bytes = lower.bytes();
    let first = bytes.next();
    let counts = value.bytes().all(|byte| byte.is_ascii_digit())
        && longest_run(value.as_bytes(), 1) == value.len();
    counts
        || NAMED_WORDS.iter().any(|word| lower.contains(word))
        || bytes.all(|byte| Some(byte) == first)
        || is_counted(&lower)
        || is_sample(&lower)
}

/// Words of which manuals and tests make a password, besides those for a password itself.
const SAMPLE_WORDS: [&str; 15] = [
    "hashed",
    "encrypted",
    "test",
    "testing",
    "demo",
    "owner",
    "user",
    "secure",
    "new",
    "old",
    "wrong",
    "bad",
    "invalid",
    "incorrect",
    "correct",
];
/// Beginnings of keys, before the part that is secret.
const KEY_BEGINNINGS: [&str; 11] = [
    "sk_live_", "sk_test_", "pk_live_", "pk_test_", "sk-proj-", "sk-", "sk_", "pk-", "pk_", "key-",
    "token-",
];

/// Returns whether a value in lower case is a password that everybody types to show one: words for it
/// and a series (`testpass123`, `Test123!@#`), or the beginning of a key and a series (`sk-12345`).
fn is_sample(value: &str) -> bool {
    /// The words can be divided in several ways, which double with each.
    const MAX_WORDS: usize = 40;
    let key = KEY_BEGINNINGS
        .iter()
        .find_map(|begin| value.strip_prefix(begin));
    let core = key.unwrap_or(value);
    let letters = core.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let is_sample_word = |text: &str| {
        let words: Vec<&str> = PASSWORD_WORDS.into_iter().chain(SAMPLE_WORDS).collect();
        text.len() <= MAX_WORDS && is_made_of(text, &words)
    };
    let has_words = match letters {
        "" | "abc" => key.is_some(),
        letters => is_sample_word(letters),
    };
    value == "hunter2" || has_words && is_series(&core[letters.len()..])
}

/// Returns whether a text is the begin of the row of digits, and then of that row with the shift key.
fn is_series(text: &str) -> bool {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let signs = &text[digits.len()..];
    let is_year = digits.len() == 4 && digits.starts_with("20");
    (is_year || "1234567890".starts_with(digits)) && "!@#$%^&*".starts_with(signs)
}

/// Returns whether a value in lower case is what people type to show a secret: steps of three
/// through the alphabet and the numbers (`abc123xyz`), possibly after a prefix (`sk_live_`).
fn is_counted(value: &str) -> bool {
    const MIN_STEPS: usize = 3;
    const LENGTH: usize = 3;
    let (prefix, last) = value.rsplit_once(['_', '-']).unwrap_or(("", value));
    let is_word = |c: char| c.is_ascii_lowercase() || matches!(c, '_' | '-');
    let mut steps = last
        .as_bytes()
        .chunk_by(|a, b| a.wrapping_add(1) == *b && a.is_ascii_alphanumeric());
    prefix.chars().all(is_word)
        && steps.clone().count() >= MIN_STEPS
        && steps.all(|step| step.len() == LENGTH)
}

/// Returns whether a text with the shape of a secret is only an example.
pub(super) fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
        || text.starts_with(['$', '{', '[', '%', '('])
        || text.contains(EXAMPLE_JWT)
        || longest_run(lower.as_bytes(), 0) >= MAX_RUN
        || longest_run(lower.as_bytes(), 1) > MAX_RUN
        || entropy(text.as_bytes()) < MIN_ENTROPY
}

/// Returns whether a text with the prefix and the length of a token only shows one: a word for an example, or
/// the same sign again and again. A series such as `1234567890abcdef` does not count: nobody can tell it from
/// a token.
pub(super) fn is_shown(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    NAMED_WORDS.iter().any(|word| lower.contains(word))
        || lower.contains(':')
        || text.contains(EXAMPLE_JWT)
        || longest_run(lower.as_bytes(), 0) >= MAX_RUN
        || entropy(text.as_bytes()) < MIN_ENTROPY
}

/// Words that people write in the place of a password in a URL, alone or together.
const PASSWORD_WORDS: [&str; 21] = [
    "pass", "passwd", "password", "passwort", "pwd", "pw", "secret", "secrets", "my", "the",
    "your", "a", "user", "db", "super", "strong", "some", "very", "token", "key", "word",
];

/// Returns whether what is in the place of a password in a URL only shows where one is: words for it such
/// as `mysecretpassword1`, a template, or a series. Any other value there is a secret, whatever words are
/// in it.
pub(super) fn is_placeholder_password(text: &str) -> bool {
    /// The words can be divided in several ways, which double with each.
    const MAX_WORDS: usize = 40;
    const SHOWN: [&str; 4] = ["p@ss", "passw0rd", "pa$$w", "deadbeef"];
    let lower = text.to_ascii_lowercase();
    let letters = lower.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    is_secret_placeholder(text)
        || SHOWN.iter().any(|word| lower.contains(word))
        || text.starts_with(['$', '{', '[', '('])
        || letters.len() <= MAX_WORDS && is_made_of(letters, &PASSWORD_WORDS)
        || longest_run(lower.as_bytes(), 0) >= MAX_RUN
        || longest_run(lower.as_bytes(), 1) > MAX_RUN
        || text.len() >= MAX_RUN && entropy(text.as_bytes()) < MIN_ENTROPY
}

/// Returns whether a text is one or several of some words, with signs between them.
fn is_made_of(text: &str, words: &[&str]) -> bool {
    let rest = text.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    if rest.is_empty() {
        return !text.is_empty();
    }
    let mut rests = words.iter().filter_map(|word| rest.strip_prefix(word));
    rests.any(|rest| rest.is_empty() || is_made_of(rest, words))
}

/// Returns the length of the longest run in which each byte exceeds the previous one by `step`; `9`
/// is followed by `0`.
fn longest_run(bytes: &[u8], step: u8) -> usize {
    let mut longest = 1;
    let mut n = 1;
    for pair in bytes.windows(2) {
        let follows = pair[0].wrapping_add(step) == pair[1] || (step == 1 && pair == b"90");
        n = if follows { n + 1 } else { 1 };
        longest = longest.max(n);
    }
    longest
}

/// Returns the information of a text, in bits per byte (Shannon).
#[expect(clippy::cast_precision_loss, reason = "secrets are short")]
pub(super) fn entropy(bytes: &[u8]) -> f64 {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for byte in bytes {
        *counts.entry(*byte).or_default() += 1;
    }
    let total = bytes.len() as f64;
    let share = |n: &usize| *n as f64 / total;
    counts.values().map(|n| -share(n) * share(n).log2()).sum()
}
