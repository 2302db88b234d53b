//! The shapes: a prefix, and what has to follow it.

use std::ops::Range;

use super::placeholder::is_placeholder;

/// Longest secret that is looked at; real ones are shorter, hostile ones cost no more.
const MAX_SECRET: usize = 4096;
/// Longest user name and password in a URL.
const MAX_USERINFO: usize = 256;

/// One shape.
pub(super) struct Shape {
    /// What it is, with its article.
    pub(super) kind: &'static str,
    /// Where it is looked for.
    pub(super) prefix: &'static str,
    tail: Tail,
}

/// What follows the prefix.
enum Tail {
    /// At least so many characters of a token, letters and digits mixed.
    Token(usize),
    /// A token of `A-Z0-9` of exactly this length.
    Upper(usize),
    /// A token of hexadecimal digits of at least this length.
    Hex(usize),
    /// A token with at least one stretch of this many letters and digits without `-` or `_`.
    Stretch(usize),
    /// Any value of at least this length, up to white space or a quote.
    Value(usize),
    /// The rest of a PEM header and the start of a key.
    Pem,
    /// `user:password@`.
    UserInfo,
    /// The rest of three parts in base 64 with points between.
    Jwt,
}

const fn shape(kind: &'static str, prefix: &'static str, tail: Tail) -> Shape {
    Shape { kind, prefix, tail }
}

const GITHUB: &str = "a GitHub token";
const SLACK: &str = "a Slack token";
const STRIPE: &str = "a Stripe key";
const NPM: &str = "an npm token";
const BEARER: &str = "a bearer token";

/// All shapes.
pub(super) static SHAPES: [Shape; 36] = [
    shape("an API key (sk-…)", "sk-", Tail::Stretch(16)),
    shape(GITHUB, "ghp_", Tail::Token(36)),
    shape(GITHUB, "gho_", Tail::Token(36)),
    shape(GITHUB, "ghu_", Tail::Token(36)),
    shape(GITHUB, "ghs_", Tail::Token(36)),
    shape(GITHUB, "ghr_", Tail::Token(36)),
    shape(GITHUB, "github_pat_", Tail::Token(40)),
    shape("a GitLab token", "glpat-", Tail::Token(20)),
    shape("an AWS access key id", "AKIA", Tail::Upper(16)),
    shape("an AWS access key id", "ASIA", Tail::Upper(16)),
    shape("a Google API key", "AIza", Tail::Token(35)),
    shape("a Google OAuth secret", "GOCSPX-", Tail::Token(28)),
    shape("a Google OAuth token", "ya29.", Tail::Token(40)),
    shape(SLACK, "xoxb-", Tail::Token(24)),
    shape(SLACK, "xoxp-", Tail::Token(24)),
    shape(SLACK, "xoxa-", Tail::Token(24)),
    shape(SLACK, "xoxr-", Tail::Token(24)),
    shape(SLACK, "xoxs-", Tail::Token(24)),
    shape(SLACK, "xapp-", Tail::Token(24)),
    shape(NPM, "npm_", Tail::Stretch(36)),
    shape(NPM, "_authToken=", Tail::Value(16)),
    shape("a PyPI token", "pypi-AgEI", Tail::Token(50)),
    shape("a Hugging Face token", "hf_", Tail::Stretch(30)),
    shape("a Groq key", "gsk_", Tail::Stretch(40)),
    shape("a Replicate token", "r8_", Tail::Stretch(36)),
    shape("a DigitalOcean token", "dop_v1_", Tail::Hex(64)),
    shape("a SendGrid key", "SG.", Tail::Token(60)),
    shape(STRIPE, "sk_live_", Tail::Token(24)),
    shape(STRIPE, "rk_live_", Tail::Token(24)),
    shape(
        "a Slack webhook",
        "hooks.slack.com/services/T",
        Tail::Value(30),
    ),
    shape(
        "a Discord webhook",
        "discord.com/api/webhooks/",
        Tail::Value(70),
    ),
    shape("a JSON web token", "eyJ", Tail::Jwt),
    shape(BEARER, "Bearer ", Tail::Value(16)),
    shape(BEARER, "bearer ", Tail::Value(16)),
    shape("a private key", "-----BEGIN ", Tail::Pem),
    shape("a password in a URL", "://", Tail::UserInfo),
];

impl Shape {
    /// The bytes of the secret whose prefix stands at `prefix`, if there is one.
    pub(super) fn secret_at(&self, text: &str, prefix: Range<usize>) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let end = bytes.len().min(prefix.end + MAX_SECRET);
        let rest = &bytes[prefix.end..end];
        let starts_word = prefix.start == 0 || !is_token(bytes[prefix.start - 1]);
        let secret = match self.tail {
            Tail::Pem => pem(rest)?,
            Tail::UserInfo => user_info(rest)?,
            Tail::Value(min) => value(rest, min)?,
            _ if !starts_word => return None,
            Tail::Token(min) => token(rest, min)?,
            Tail::Upper(length) => exact(rest, length)?,
            Tail::Hex(min) => hex(rest, min)?,
            Tail::Stretch(min) => stretch(rest, min)?,
            Tail::Jwt => jwt(rest)?,
        };
        let part_of_it = !matches!(self.tail, Tail::Value(_) | Tail::Pem | Tail::UserInfo);
        let first = if part_of_it {
            prefix.start
        } else {
            prefix.end + secret.start
        };
        let secret = first..prefix.end + secret.end;
        let shown = String::from_utf8_lossy(&bytes[secret.clone()]);
        let cut = text.get(secret.end..).unwrap_or_default();
        let is_cut = cut.starts_with("...") || cut.starts_with('…');
        (!is_cut && !is_placeholder(&shown)).then_some(secret)
    }
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Length of the longest start whose bytes all satisfy `test`.
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
        .any(|part| part.len() >= min && is_mixed(part));
    whole.then_some(0..n)
}

fn value(rest: &[u8], min: usize) -> Option<Range<usize>> {
    let n = run(rest, |b| {
        b.is_ascii_graphic() && !matches!(b, b'"' | b'\'' | b'`' | b'\\')
    });
    (n >= min && is_mixed(&rest[..n])).then_some(0..n)
}

/// `RSA PRIVATE KEY-----`, line ends (also escaped ones), then at least 16 characters of a key.
fn pem(rest: &[u8]) -> Option<Range<usize>> {
    const END: &[u8] = b"PRIVATE KEY";
    let label = &rest[..run(rest, |b| b.is_ascii_uppercase() || b == b' ')];
    let found = label.windows(END.len()).any(|window| window == END);
    let after = rest.get(label.len()..)?.strip_prefix(b"-----".as_slice())?;
    let mut at = rest.len() - after.len();
    loop {
        at += match rest.get(at..)? {
            [b'\\', b'n' | b'r' | b't', ..] => 2,
            [b'\n' | b'\r' | b' ' | b'\t', ..] => 1,
            _ => break,
        };
    }
    let n = run(&rest[at..], |b| {
        is_token(b) || matches!(b, b'+' | b'/' | b'=')
    });
    (found && n >= 16).then_some(at..at + n)
}

/// `user:password@`, the password of at least 8 characters with letters and digits.
fn user_info(rest: &[u8]) -> Option<Range<usize>> {
    let rest = &rest[..rest.len().min(MAX_USERINFO)];
    let n = run(rest, |b| {
        b.is_ascii_graphic() && !matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'\\')
    });
    let at = rest[..n].iter().rposition(|b| *b == b'@')?;
    let colon = rest[..at].iter().position(|b| *b == b':')?;
    let password = colon + 1..at;
    (password.len() >= 8 && is_mixed(&rest[password.clone()])).then_some(password)
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
    (header >= 10 && payload_length >= 10 && n >= 20).then_some(0..end)
}
