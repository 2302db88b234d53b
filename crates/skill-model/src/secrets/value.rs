//! Rating whether the value of a secret's name can be a secret.

use super::placeholder::{entropy, is_secret_placeholder};
use http_request::{Strength, name_words as words};

/// Minimum length of a password, in characters.
const MIN_STRONG: usize = 6;
/// Minimum length of a password made only of letters, in characters: shorter ones are words such as
/// `required` or `string`.
const MIN_LETTERS: usize = 12;
/// Minimum length of a random value after a weak name, in characters.
const MIN_WEAK: usize = 16;
/// The same for a value without digits.
const MIN_WEAK_LETTERS: usize = 24;
/// Minimum information of a random value, in bits per character (Shannon).
const MIN_ENTROPY: f64 = 2.8;

/// Words that names are made of: a value made of such words is the name of a secret, not a secret.
const NAME_WORDS: [&str; 63] = [
    "password",
    "passwd",
    "passphrase",
    "pass",
    "pwd",
    "token",
    "tokens",
    "key",
    "keys",
    "secret",
    "secrets",
    "api",
    "auth",
    "authorization",
    "access",
    "user",
    "username",
    "name",
    "cookie",
    "cookies",
    "session",
    "credential",
    "credentials",
    "bearer",
    "basic",
    "value",
    "input",
    "field",
    "header",
    "config",
    "configuration",
    "param",
    "missing",
    "invalid",
    "required",
    "expired",
    "error",
    "code",
    "type",
    "default",
    "string",
    "number",
    "boolean",
    "optional",
    "current",
    "new",
    "old",
    "data",
    "plugin",
    "placeholder",
    "login",
    "file",
    "text",
    "id",
    "cache",
    "event",
    "result",
    "memory",
    "admin",
    "model",
    "manager",
    "storage",
    "generated",
];

/// The notation of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Between quotes.
    Quoted,
    /// Without quotes, directly after `=`, up to the end of its line: as in settings.
    Setting,
    /// Without quotes, up to the end of its line.
    WholeLine,
    /// Without quotes, within a line.
    Bare,
}

/// Returns whether the value can be the secret that its name indicates.
pub(super) fn is_secret(value: &str, strength: Strength, form: Form) -> bool {
    if !value
        .bytes()
        .all(|byte| byte.is_ascii_graphic() || byte == b' ')
        || is_secret_placeholder(value)
        || is_place(value)
        || is_expression(value, form)
    {
        return false;
    }
    if value.contains(' ') {
        return strength == Strength::Strong && is_app_password(value);
    }
    match (strength, form) {
        (Strength::Weak, _) => is_random(value),
        (Strength::Strong, Form::Quoted | Form::Setting | Form::WholeLine) => {
            is_password(value, form)
        }
        (Strength::Strong, Form::Bare) => {
            // A capital at the beginning is that of a word.
            let is_mixed = is_mixed(value)
                && (is_mixed(value.get(1..).unwrap_or_default()) || has_digit(value));
            value.len() >= 8 && is_mixed && !is_wordlike(value) && !is_name(value)
        }
    }
}

fn is_password(value: &str, form: Form) -> bool {
    let has_letters_only = value.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_single_word = value
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.' | b':'));
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    if value.len() < MIN_STRONG || is_name(value) {
        return false;
    }
    if has_letters_only {
        let is_variable = form != Form::Setting && is_camel(value) && is_wordlike(value);
        return value.len() >= MIN_LETTERS && !is_variable
            || value.len() >= 8 && !is_wordlike(value);
    }
    if is_single_word {
        // `some-word_of.names` is a name.
        return !is_wordlike(value);
    }
    if form != Form::Quoted {
        return has_digit && (value.len() >= 8 || !is_wordlike(value));
    }
    true
}

/// Returns whether a value looks like the output of a generator.
fn is_random(value: &str) -> bool {
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    value.len() >= MIN_WEAK
        && (has_digit || value.len() >= MIN_WEAK_LETTERS)
        && !value.to_ascii_lowercase().contains("abc123")
        && is_mixed(value)
        && !is_wordlike(value)
        && entropy(value.as_bytes()) >= MIN_ENTROPY
}

fn has_digit(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit())
}

/// Returns true for letters with digits, or both cases.
fn is_mixed(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
        || has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase)
}

/// Recognizes four groups of four letters, the form of mail providers' app passwords.
fn is_app_password(value: &str) -> bool {
    let groups: Vec<&str> = value.split(' ').collect();
    let is_group = |group: &str| group.len() == 4 && group.bytes().all(|b| b.is_ascii_lowercase());
    groups.len() == 4 && groups.iter().all(|group| is_group(group))
}

/// Returns whether it is the name of a secret or a setting: `user_password`, `OPENAI_API_KEY`.
fn is_name(value: &str) -> bool {
    let is_constant = value.contains('_')
        && value
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let words = words(value);
    let n_letters: usize = words.iter().map(String::len).sum();
    let n_named: usize = words
        .iter()
        .filter(|word| NAME_WORDS.contains(&word.as_str()))
        .map(String::len)
        .sum();
    is_constant && is_wordlike(value)
        || n_named > 0 && (2 * n_named >= n_letters || is_wordlike(value))
}

fn has_name(value: &str) -> bool {
    words(value)
        .iter()
        .any(|word| NAME_WORDS.contains(&word.as_str()))
}

/// Returns whether it is a path, a URL, a selector or a file name.
fn is_place(value: &str) -> bool {
    let is_file = value.rsplit_once('.').is_some_and(|(stem, ending)| {
        (1..=5).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_lowercase())
            && (stem.contains('/') || is_wordlike(stem))
    });
    value.contains("://")
        || value.starts_with(['/', '.', '#', '~', '@', '\\', '<', '['])
        || value.contains('/') && is_wordlike(value)
        || is_file
}

/// Returns whether it is code or a template.
fn is_expression(value: &str, form: Form) -> bool {
    let calls = value.find(['(', '[']).is_some_and(|at| {
        let is_open = form != Form::Quoted || value.contains([')', ']']);
        at > 0 && value.as_bytes()[at - 1].is_ascii_alphanumeric() && is_open
    });
    let is_identifier = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    let is_chain = value.contains('.')
        && value.split('.').all(is_identifier)
        && value
            .split('.')
            .any(|part| is_wordlike(part) || form != Form::Quoted && has_name(part));
    calls
        || is_chain
        || is_pattern(value)
        || value.starts_with(['$', '{', '%', '(', '=', '+', '?', '&', '|'])
}

/// Recognizes a regular expression with a repeated class of characters: `ghp_[0-9a-zA-Z]{36}`.
fn is_pattern(value: &str) -> bool {
    value.split('[').skip(1).any(|part| {
        part.split_once(']').is_some_and(|(class, rest)| {
            let count = rest.strip_prefix('{').unwrap_or_default();
            let is_repeated =
                rest.starts_with(['+', '*']) || count.starts_with(|c: char| c.is_ascii_digit());
            class.contains('-') && is_repeated
        })
    })
}

/// Recognizes `camelCase`: a name in code.
fn is_camel(value: &str) -> bool {
    value
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// Returns whether most of a value is pronounceable words, with few digits between.
pub(super) fn is_wordlike(value: &str) -> bool {
    let n_digits = value.bytes().filter(u8::is_ascii_digit).count();
    let words = words(value);
    let n_letters: usize = words.iter().map(String::len).sum();
    let n_spoken: usize = words
        .iter()
        .filter(|word| is_spoken(word))
        .map(String::len)
        .sum();
    5 * n_digits <= value.len() && n_letters > 0 && 10 * n_spoken >= 8 * n_letters
}

/// Returns whether a word mixes vowels and consonants like a natural word.
fn is_spoken(word: &str) -> bool {
    http_request::is_spoken(word)
        || matches!(
            word,
            "api"
                | "db"
                | "id"
                | "my"
                | "js"
                | "py"
                | "vcp"
                | "ai"
                | "url"
                | "html"
                | "in"
                | "at"
                | "by"
        )
}
