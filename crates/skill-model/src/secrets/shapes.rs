//! The form of the text after a prefix that makes the two a secret.

use std::ops::Range;

use super::placeholder::{
    is_placeholder, is_placeholder_password, is_secret_placeholder, is_shown,
};
use super::value::is_wordlike;
use crate::base64;

/// Longest examined secret; real ones are shorter, and hostile ones cost no more.
const MAX_SECRET: usize = 4096;
/// Longest private key in PEM; RSA with 8192 bits takes 6,400 bytes.
const MAX_PEM: usize = 16 * 1024;
/// Distance before an option in which the name of its command is searched, in bytes.
const MAX_COMMAND: usize = 400;
/// Longest user name and password in a URL, in bytes.
const MAX_USERINFO: usize = 256;

/// The shape of a secret.
pub(super) struct Shape {
    /// The kind of secret, with its article.
    pub(super) kind: &'static str,
    /// The prefix that is searched for.
    pub(super) prefix: &'static str,
    pub(super) tail: Tail,
}

/// The form of the text after the prefix.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tail {
    /// At least this many token characters, letters and digits mixed.
    Token(usize),
    /// A token of at least this length whose last part, after a `-`, is the secret. Those before it
    /// are numbers of a workspace and a user.
    Parts(usize),
    /// A token of `A-Z0-9` of exactly this length.
    Upper(usize),
    /// A token of hexadecimal digits of at least this length.
    Hex(usize),
    /// A token with at least one stretch of this many letters and digits without `-` or `_`.
    Stretch(usize),
    /// Any value of at least this length, up to white space or a quote.
    Value(usize),
    /// The rest of the address of a webhook, of at least this length: who knows it can post.
    Webhook(usize),
    /// The rest of a PEM header and the start of a key.
    Pem,
    /// `user:password@`.
    UserInfo,
    /// The rest of three base64 parts separated by dots.
    Jwt,
    /// `user:password` after an option of `curl`.
    Login,
    /// Base 64 of `user:password`.
    Basic,
    /// The second half of a token whose first half is 8 to 12 digits.
    Telegram,
}

impl Shape {
    /// Returns whether a prefix can follow this byte. Prefixes of three letters occur by chance in
    /// long base64 texts.
    fn starts_word(&self, before: Option<u8>) -> bool {
        before.is_none_or(|byte| {
            !is_token(byte) && (self.prefix.len() > 4 || !matches!(byte, b'+' | b'/'))
        })
    }

    /// Returns the byte range of the secret with this prefix, if there is one.
    pub(super) fn secret_at(&self, text: &str, prefix: Range<usize>) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let longest = if matches!(self.tail, Tail::Pem) {
            MAX_PEM
        } else {
            MAX_SECRET
        };
        let end = bytes.len().min(prefix.end + longest);
        let rest = &bytes[prefix.end..end];
        let starts_word = self.starts_word(prefix.start.checked_sub(1).map(|at| bytes[at]));
        let secret = match self.tail {
            Tail::Login if !names_curl(bytes, prefix.start) => return None,
            Tail::Telegram => {
                let n_digits = digits_before(bytes, prefix.start)?;
                let secret = token(rest, 30)?;
                return Some(prefix.start - n_digits..prefix.end + secret.end);
            }
            Tail::UserInfo => user_info(rest, is_value_of_url(bytes, prefix.start))
                .or_else(|| broken_user_info(&text[prefix.start..], prefix.len()))?,
            tail => tail.secret_in(rest, starts_word)?,
        };
        let first = if self.tail.is_token() {
            prefix.start
        } else {
            prefix.end + secret.start
        };
        let secret = first..prefix.end + secret.end;
        let shown = String::from_utf8_lossy(&bytes[secret.clone()]);
        let cut = text.get(secret.end..).unwrap_or_default();
        let is_cut = cut.starts_with("...") || cut.starts_with('…');
        let is_example = match self.tail {
            Tail::Login => is_secret_placeholder(&shown) || is_word_for_it(&shown),
            Tail::Basic => false,
            Tail::UserInfo => is_placeholder_password(&shown),
            Tail::Pem => is_placeholder(shown.get(..64.min(shown.len())).unwrap_or(&shown)),
            // `secret_` is a prefix here and does not indicate an example.
            Tail::Stretch(_) => is_placeholder(shown.get(self.prefix.len()..).unwrap_or(&shown)),
            // What has the prefix and the length of a token is one, also if its rest goes on as `1234567890abc`.
            Tail::Token(_) => is_shown(&shown),
            Tail::Webhook(_) => is_shown(&shown) || !is_mixed(shown.as_bytes()),
            Tail::Parts(_) => is_secret_placeholder(&shown) || is_placeholder(last_part(&shown)),
            _ => is_placeholder(&shown),
        };
        (!is_cut && !is_example).then_some(secret)
    }
}

impl Tail {
    /// Returns whether the prefix is a part of the secret.
    pub(super) fn is_token(self) -> bool {
        matches!(
            self,
            Self::Token(_)
                | Self::Parts(_)
                | Self::Upper(_)
                | Self::Hex(_)
                | Self::Stretch(_)
                | Self::Jwt
        )
    }

    pub(super) fn secret_in(self, rest: &[u8], starts_word: bool) -> Option<Range<usize>> {
        match self {
            Self::Pem => pem(rest),
            Self::Value(min) => value(rest, min),
            Self::Webhook(min) => webhook(rest, min),
            Self::Login => login(rest),
            Self::Basic => basic(rest),
            Self::UserInfo | Self::Telegram => None,
            _ if !starts_word => None,
            Self::Token(min) | Self::Parts(min) => token(rest, min),
            Self::Upper(length) => exact(rest, length),
            Self::Hex(min) => hex(rest, min),
            Self::Stretch(min) => stretch(rest, min),
            Self::Jwt => jwt(rest),
        }
    }
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Returns the length of the longest prefix whose bytes all satisfy `test`.
fn run(bytes: &[u8], test: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|b| !test(*b)).unwrap_or(bytes.len())
}

fn is_mixed(bytes: &[u8]) -> bool {
    bytes.iter().any(u8::is_ascii_digit) && bytes.iter().any(u8::is_ascii_alphabetic)
}

fn token(rest: &[u8], min: usize) -> Option<Range<usize>> {
    let n = run(rest, |b| is_token(b) || b == b'.');
    (n >= min && is_mixed(&rest[..n])).then_some(0..n)
}

/// Returns the last part of a token, or all of it if that is too short for a secret.
fn last_part(token: &str) -> &str {
    const MIN: usize = 20;
    let last = token.rsplit('-').next().unwrap_or(token);
    if last.len() < MIN { token } else { last }
}

fn exact(rest: &[u8], length: usize) -> Option<Range<usize>> {
    let n = run(rest, |b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let ends = rest.get(n).is_none_or(|b| !is_token(*b));
    (n == length && ends && is_mixed(&rest[..n])).then_some(0..n)
}

fn hex(rest: &[u8], min: usize) -> Option<Range<usize>> {
    let n = run(rest, |b| b.is_ascii_hexdigit());
    (n >= min).then_some(0..n)
}

fn stretch(rest: &[u8], min: usize) -> Option<Range<usize>> {
    let n = run(rest, is_token);
    let whole = rest[..n]
        .split(|b| !b.is_ascii_alphanumeric())
        .any(|part| part.len() >= min && (is_mixed(part) || is_letters(part)));
    whole.then_some(0..n)
}

/// Returns true for letters only, too many for a name and not pronounceable: generators produce
/// such tokens too.
fn is_letters(part: &[u8]) -> bool {
    const MIN: usize = 30;
    part.len() >= MIN && std::str::from_utf8(part).is_ok_and(|part| !is_wordlike(part))
}

fn value(rest: &[u8], min: usize) -> Option<Range<usize>> {
    let n = run(rest, |b| {
        b.is_ascii_graphic() && !matches!(b, b'"' | b'\'' | b'`' | b'\\')
    });
    let is_mixed = is_mixed(&rest[..n]) || rest[..n].contains(&b'/');
    (n >= min && is_mixed).then_some(0..n)
}

/// Matches the path and the query of an address up to what ends it in a text.
fn webhook(rest: &[u8], min: usize) -> Option<Range<usize>> {
    let is_part = |b: u8| is_token(b) || b"/?&=.%+~@".contains(&b);
    let n = run(rest, is_part);
    let end = rest[..n].iter().rposition(|b| *b != b'.' && *b != b'?')? + 1;
    (end >= min).then_some(0..end)
}

/// Matches `user:password@` with an unescaped slash in the password: `me:123/45@host`.
fn broken_user_info(url: &str, n_mark: usize) -> Option<Range<usize>> {
    let bytes = &url.as_bytes()[..url.len().min(MAX_USERINFO)];
    let is_part = |b: u8| b.is_ascii_graphic() && !b"\"'`\\,<>()".contains(&b);
    let url = std::str::from_utf8(&bytes[..run(bytes, is_part)]).ok()?;
    let login = http_request::broken_login(url)?;
    let colon = url[login.clone()].find(':')? + login.start;
    (colon + 1 < login.end).then_some(colon + 1 - n_mark..login.end - n_mark)
}

/// Matches `RSA PRIVATE KEY-----`, line ends (also escaped ones), then at least 16 characters of a
/// key.
fn pem(rest: &[u8]) -> Option<Range<usize>> {
    const END: &[u8] = b"PRIVATE KEY";
    let label = &rest[..run(rest, |b| b.is_ascii_uppercase() || b == b' ')];
    let found = label.windows(END.len()).any(|window| window == END);
    let after = rest.get(label.len()..)?.strip_prefix(b"-----".as_slice())?;
    let mut at = rest.len() - after.len();
    let gap = &rest[at..at + pem_gap(&rest[at..])];
    at += gap.len();
    at += pem_headers(&rest[at..]);
    let n = run(&rest[at..], |b| {
        is_token(b) || matches!(b, b'+' | b'/' | b'=')
    });
    let is_item = gap.iter().any(|b| b"\"'-".contains(b));
    let is_key = n >= 16 && (!is_item || is_base64(&rest[at..at + n]));
    (found && is_key).then(|| at..at + pem_length(&rest[at..]).max(n))
}

/// Returns true for what is base64 and no name: letters of both cases with digits, or that nobody can pronounce.
fn is_base64(text: &[u8]) -> bool {
    let has = |is_one: fn(&u8) -> bool| text.iter().any(is_one);
    let is_word = !has(u8::is_ascii_digit) && std::str::from_utf8(text).is_ok_and(is_wordlike);
    has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && !is_word
}

/// Returns the length of what is between the header and the key: line ends, also escaped ones, and what
/// divides the items of a list that has a line in each (`"…",`, `- …`).
fn pem_gap(rest: &[u8]) -> usize {
    const LONGEST: usize = 80;
    let mut at = 0;
    while at < LONGEST {
        at += match &rest[at..] {
            [b'\\', b'n' | b'r' | b't', ..] => 2,
            [b'-', b' ', ..] => 2,
            [
                b'\n' | b'\r' | b' ' | b'\t' | b'"' | b'\'' | b',' | b'+' | b'\\',
                ..,
            ] => 1,
            _ => break,
        };
    }
    at
}

/// Returns the length of `Proc-Type: …` and `DEK-Info: …`, which precede an encrypted key.
fn pem_headers(rest: &[u8]) -> usize {
    let is_header = |line: &[u8]| {
        let name = run(line, |b| b.is_ascii_alphabetic() || b == b'-');
        line.get(name) == Some(&b':')
    };
    let mut at = 0;
    for line in rest.split_inclusive(|b| *b == b'\n').take(8) {
        if !is_header(line) && !line.trim_ascii().is_empty() {
            break;
        }
        at += line.len();
    }
    at
}

/// Returns the length of a key up to its end mark: base64, line ends, and the quotes and operators
/// between the parts of a literal. All of it is the secret.
fn pem_length(rest: &[u8]) -> usize {
    let is_part =
        |b: u8| b.is_ascii_alphanumeric() || b.is_ascii_whitespace() || b"+/=\\\"',_".contains(&b);
    let mut at = run(rest, is_part);
    // The next item of a list in YAML.
    while rest[..at].ends_with(b" ") && rest[at..].starts_with(b"- ") {
        let n = run(&rest[at + 2..], is_part);
        at += 2 + n;
        if n == 0 {
            break;
        }
    }
    let is_between = |b: &&u8| b.is_ascii_whitespace() || b"\"',-".contains(b);
    at - rest[..at].iter().rev().take_while(is_between).count()
}

/// Returns whether the line before an option runs a program that takes a user and a password with
/// it.
fn names_curl(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[at.saturating_sub(MAX_COMMAND)..at];
    let line = before
        .rsplit(|b| *b == b'\n')
        .find(|line| !line.trim_ascii().is_empty());
    let is_continued = |line: &[u8]| {
        line.windows(4)
            .any(|window| window.eq_ignore_ascii_case(b"curl"))
    };
    line.is_some_and(is_continued) || is_continued(before) && before.contains(&b'\\')
}

/// Matches `user:password`, quoted or not, with a password of at least 4 characters.
fn login(rest: &[u8]) -> Option<Range<usize>> {
    let n_quotes = run(&rest[..rest.len().min(3)], |b| {
        matches!(b, b'"' | b'\'' | b'\\' | b',' | b' ')
    });
    let bytes = &rest[n_quotes..rest.len().min(MAX_USERINFO)];
    let n = run(bytes, |b| {
        b.is_ascii_graphic() && !matches!(b, b'"' | b'\'' | b'`' | b'\\')
    });
    let colon = bytes[..n].iter().position(|b| *b == b':')?;
    let password = n_quotes + colon + 1..n_quotes + n;
    let is_address = rest[password.clone()].starts_with(b"//");
    let is_variable = rest[password.clone()].starts_with(b"$");
    (colon > 0 && password.len() >= 4 && !is_address && !is_variable).then_some(password)
}

/// Returns whether a text is a word for a password, as used in manuals.
fn is_word_for_it(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "pass" | "password" | "passwd" | "pwd" | "token" | "secret" | "api_key" | "apikey" | "key"
    )
}

/// Matches base64 of `user:password`.
fn basic(rest: &[u8]) -> Option<Range<usize>> {
    let n = run(rest, |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')
    });
    let decoded = base64::decode(&rest[..n])?;
    let colon = decoded.iter().position(|b| *b == b':')?;
    let password = std::str::from_utf8(&decoded[colon + 1..]).ok()?;
    let is_text = decoded.iter().all(u8::is_ascii_graphic);
    (is_text
        && password.len() >= 6
        && !is_secret_placeholder(password)
        && !is_word_for_it(password))
    .then_some(0..n)
}

/// Returns the number of digits before `at` if they can be a bot id.
fn digits_before(bytes: &[u8], at: usize) -> Option<usize> {
    let before = bytes[at.saturating_sub(16)..at].iter().rev();
    let n = before.take_while(|b| b.is_ascii_digit()).count();
    (8..=12).contains(&n).then_some(n)
}

/// Returns true if an address of HTTP is the value of the key `url`, of a document or a configuration. It is one that
/// is used, and not a part of a text, so that whatever is in the place of the password is one.
fn is_value_of_url(bytes: &[u8], scheme_end: usize) -> bool {
    const LONGEST: usize = 24;
    let before = &bytes[scheme_end.saturating_sub(LONGEST)..scheme_end];
    let is_scheme = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let n_scheme = before.iter().rev().take_while(|b| is_scheme(b)).count();
    let (before, scheme) = before.split_at(before.len() - n_scheme);
    if !matches!(scheme, b"http" | b"https") {
        return false;
    }
    let before = before.trim_ascii_end();
    let before = before
        .strip_suffix(b"\"")
        .or(before.strip_suffix(b"'"))
        .unwrap_or(before);
    let Some(key) = before.trim_ascii_end().strip_suffix(b":") else {
        return false;
    };
    let key = key.trim_ascii_end();
    let key = key
        .strip_suffix(b"\"")
        .or(key.strip_suffix(b"'"))
        .unwrap_or(key);
    key.len() >= 3 && key[key.len() - 3..].eq_ignore_ascii_case(b"url")
}

/// Matches `user:password@`, with a password of at least 8 characters with letters and digits, or any
/// password of the address that is a value of its own.
fn user_info(rest: &[u8], is_value: bool) -> Option<Range<usize>> {
    const MIN: usize = 3;
    let rest = &rest[..rest.len().min(MAX_USERINFO)];
    let n = run(rest, |b| {
        b.is_ascii_graphic() && !matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'\\')
    });
    let at = rest[..n].iter().rposition(|b| *b == b'@')?;
    let colon = rest[..at].iter().position(|b| *b == b':')?;
    let password = colon + 1..at;
    let is_long = password.len() >= 8 && is_mixed(&rest[password.clone()]);
    let is_default = rest[..colon] == rest[password.clone()];
    let is_own = is_value && password.len() >= MIN && !is_default;
    (is_long || is_own).then_some(password)
}

fn jwt(rest: &[u8]) -> Option<Range<usize>> {
    let header = run(rest, is_token);
    let payload = rest.get(header..)?.strip_prefix(b".eyJ".as_slice())?;
    let payload_length = run(payload, is_token);
    let signature = payload
        .get(payload_length..)?
        .strip_prefix(b".".as_slice())?;
    let n = run(signature, is_token);
    let end = rest.len() - signature.len() + n;
    // A signature that was cut or made up is at least as long as a short word.
    (header >= 10 && payload_length >= 6 && n >= 8).then_some(0..end)
}
