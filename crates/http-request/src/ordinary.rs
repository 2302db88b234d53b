//! Values that are not secrets although their name may be one of a secret: the `key` of a song, `next` as the
//! `page_token`, a switch.

use crate::encode::percent_decoded;
use crate::secret_names::{Strength, name_words, strength};

/// Values that switch something, which are secrets of no name.
const SWITCHES: [&str; 18] = [
    "true", "false", "yes", "no", "on", "off", "none", "null", "nil", "auto", "default", "enabled",
    "disabled", "enable", "disable", "optional", "never", "always",
];

/// Last words of names that are about a secret or about anything else: the value decides.
const AMBIGUOUS: [&str; 12] = [
    "key", "keys", "session", "sessions", "sign", "code", "cookie", "cookies", "auth", "sess",
    "bearer", "ticket",
];

/// Values of a token that says where a list goes on.
const OF_PAGES: [&str; 14] = [
    "start", "begin", "first", "last", "end", "next", "prev", "previous", "more", "done",
    "initial", "latest", "earliest", "empty",
];

/// Longest value of words, and longest word, in bytes: passphrases and keys are longer.
const MAX_VALUE: usize = 40;
const MAX_WORD: usize = 14;
/// Longest word in capitals, such as `JSON`, and longest number, in bytes: longer ones may be keys.
const MAX_CAPITALS: usize = 5;
const MAX_DIGITS: usize = 3;
/// Longest word that need not be pronounceable, in bytes: `C`, `en`, `xml`.
const MAX_SHORT: usize = 3;

/// Returns whether a value is an ordinary one, so that it is not a secret of this name: a switch, or words where
/// the name is not only about secrets. Of a `password`, only a switch is ordinary.
///
/// ```
/// assert!(http_request::is_ordinary("key", "C major"));
/// assert!(!http_request::is_ordinary("key", "k4j8s0"));
/// assert!(!http_request::is_ordinary("password", "sunshine"));
/// ```
pub fn is_ordinary(name: &str, value: &str) -> bool {
    let lower = value.trim().to_ascii_lowercase();
    if SWITCHES.contains(&lower.as_str()) {
        return true;
    }
    if strength(name) == Some(Strength::Strong) {
        return false;
    }
    let words = name_words(name);
    match words.last().map(String::as_str) {
        Some("token" | "tokens") => OF_PAGES.contains(&lower.as_str()),
        Some(last) => AMBIGUOUS.contains(&last) && has_words_only(value),
        None => false,
    }
}

/// Returns whether a value, which may be percent-encoded, is a few words and small numbers.
fn has_words_only(value: &str) -> bool {
    let plain = String::from_utf8_lossy(&percent_decoded(value)).into_owned();
    let is_sign = |c: char| " -_.,/:+#".contains(c);
    let mut parts = plain.split(is_sign).filter(|part| !part.is_empty());
    let has_words = plain.contains(char::is_alphanumeric);
    has_words && plain.len() <= MAX_VALUE && parts.all(is_word)
}

fn is_word(part: &str) -> bool {
    if part.bytes().all(|byte| byte.is_ascii_digit()) {
        return part.len() <= MAX_DIGITS;
    }
    // Keys are in ASCII; words of other scripts are none.
    if !part.is_ascii() {
        return part.chars().all(char::is_alphabetic);
    }
    if !part.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    if part.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return part.len() <= MAX_CAPITALS;
    }
    let humps = name_words(part);
    let is_one = humps.len() == 1;
    let mut humps = humps.iter().enumerate();
    // `createdAt` is a word, and `AbCdEf` is none.
    humps.all(|(at, hump)| {
        let is_short = (is_one || at > 0) && hump.len() <= MAX_SHORT;
        is_short || hump.len() <= MAX_WORD && is_spoken(hump)
    })
}

/// Returns whether a word in lower case mixes vowels and consonants like a natural word.
///
/// ```
/// assert!(http_request::is_spoken("morning") && !http_request::is_spoken("xkqzvt"));
/// ```
pub fn is_spoken(word: &str) -> bool {
    let is_vowel = |byte: u8| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u');
    let n_vowels =
        word.bytes().filter(|byte| is_vowel(*byte)).count() + usize::from(word.ends_with('y'));
    let runs = word.as_bytes().split(|byte| is_vowel(*byte));
    let longest = runs.map(<[u8]>::len).max().unwrap_or(0);
    word.len() >= 3 && 6 * n_vowels >= word.len() && 4 * n_vowels <= 3 * word.len() && longest <= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares rows of `name = value`.
    #[track_caller]
    fn check(expected: bool, rows: &str) {
        for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
            let (name, value) = row.split_once(" = ").unwrap();
            assert_eq!(is_ordinary(name, value), expected, "{row}");
        }
    }

    #[test]
    fn words_of_ambiguous_names_are_no_secrets() {
        check(
            true,
            "key = C major
             key = name
             key = F#
             key = C%20major
             key = sort-by-date
             SONG_KEY = A minor
             MAP_KEY = Größe
             key = 城市
             key = createdAt
             key = GET
             keys = id,name,title
             session = morning
             session = default
             WORKSHOP_SESSION = day 2
             trading_session = NYSE
             sign = aries
             sign = plus
             code = en
             code = US
             lang.code = pt-BR
             status code = 404
             cookie = chocolate chip
             COOKIE_CONSENT_COOKIE = accepted
             auth = basic
             --auth = oauth
             ticket = adult
             page_token = start
             nextPageToken = first
             token = next
             SECRET_SANTA = true
             key = oslo
             PASSWORD = none
             API_KEY = false
             client_secret = optional
             USE_TOKEN = Yes",
        );
    }

    #[test]
    fn other_values_may_be_secrets() {
        check(
            false,
            "key = k1
             key = abc123
             key = f3a9
             key = CANARY
             key = SUNSHINEROAD
             key = 20481
             key = xkqzvtwp
             key = AbCdEfGhIjKl
             key = aBcDeFgH
             key = q7Zt3LmW9xRb2VfYk8
             key = correcthorsebatterystaple
             key = d0c5-11ea
             code = 4711
             code = a8b3
             session = c3
             session = deadbeef01
             cookie = uid=1; sid=4
             auth = f3a9
             sign = 9ab3
             token = abc
             token = sesame
             github_token = letmein
             pat = orange
             password = sunshine
             passwd = tiger
             db_pass = orange
             secret = sauce
             client_secret = banana
             api_key = name
             access_token = start
             refresh_token = next
             pin = 4711
             sig = plus
             jwt = none.of.it
             apiKey = demo
             appkey = C major
             credentials = ann
             密码 = sunshine
             passphrase = correct horse battery
             auth_token = first
             bot_token = start
             smtp_pass = yellow",
        );
    }
}
