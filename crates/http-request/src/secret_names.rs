//! Names that indicate whether their value is a secret: `apiKey`, `smtp_pass`, `SESSDATA`. What else counts
//! depends on the place:
//!
//! - [`is_secret_name`]: a setting, a variable, a flag or a header;
//! - `session_names`: what a service gives out for one session, and the query of an address.

use crate::open_names::{is_about, is_open};

/// The strength of the indication that a name gives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// The value may be a secret: `key`, `token`, `session`. Only a random value counts.
    Weak,
    /// The value is a secret unless it is a placeholder or a name: `password`, `appsecret`.
    Strong,
}

/// Substrings that trigger the examination of a name in a text; every name that [`strength`] rates
/// contains one of these, except `pat` alone, which is a part of too many words.
pub const TRIGGERS: [&str; 28] = [
    "seed",
    "mnemonic",
    "_pat",
    "-pat",
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "cookie",
    "credential",
    "auth",
    "sess",
    "_jct",
    "sig",
    "jwt",
    "bearer",
    "sid",
    "csrf",
    "webhook",
    "appid",
    "密码",
    "口令",
    "密钥",
    "秘钥",
    "令牌",
    "授权码",
    "パスワード",
];

/// Words that indicate a secret by themselves, also at the end of a longer word.
const STRONG: [&str; 36] = [
    "password",
    "passwords",
    "passwd",
    "passwort",
    "pwd",
    "passphrase",
    "passcode",
    "secret",
    "secrets",
    "apikey",
    "apikeys",
    "appkey",
    "secretkey",
    "accesskey",
    "privatekey",
    "sendkey",
    "authkey",
    "signkey",
    "masterkey",
    "accountkey",
    "encryptionkey",
    "licensekey",
    "apitoken",
    "accesstoken",
    "authtoken",
    "refreshtoken",
    "bottoken",
    "authcode",
    "dbpass",
    "smtppass",
    "mailpass",
    "userpass",
    "credential",
    "credentials",
    "pass",
    "sharedkey",
];

/// Words that turn a following `key` into a secret.
const KEY_OF: [&str; 30] = [
    "api",
    "app",
    "access",
    "secret",
    "private",
    "auth",
    "send",
    "sign",
    "signing",
    "encryption",
    "encrypt",
    "decrypt",
    "master",
    "license",
    "account",
    "shared",
    "subscription",
    "push",
    "client",
    "admin",
    "server",
    "consumer",
    "aes",
    "des",
    "hmac",
    "rsa",
    "jwt",
    "robot",
    "openai",
    "service",
];

/// Words that turn a following `token` into a secret.
const TOKEN_OF: [&str; 12] = [
    "access",
    "refresh",
    "auth",
    "authorization",
    "bearer",
    "bot",
    "api",
    "personal",
    "security",
    "admin",
    "secret",
    "session",
];

/// Words that turn a following `seed` into a secret; the seed of random numbers is none.
const SEED_OF: [&str; 6] = ["otp", "totp", "hotp", "mfa", "wallet", "secret"];

/// Last words of names whose value may be a secret.
const WEAK: [&str; 28] = [
    "pat",
    "key",
    "keys",
    "token",
    "tokens",
    "auth",
    "authorization",
    "sid",
    "sig",
    "signature",
    "session",
    "sessionid",
    "sessid",
    "phpsessid",
    "jsessionid",
    "sessdata",
    "jct",
    "cookie",
    "cookies",
    "jwt",
    "bearer",
    "csrf",
    "csrftoken",
    "xsrf",
    "webhook",
    "sess",
    "sessionkey",
    "appid",
];

/// Returns whether the name of a setting, a variable, a flag or a header indicates that its value is, or may
/// be, a secret: `smtpPass`, `SENDKEY`, `session`.
pub fn is_secret_name(name: &str) -> bool {
    strength(name).is_some()
}

/// Rates a name. The caller bounds the length of `name`.
pub fn strength(name: &str) -> Option<Strength> {
    // Words of other scripts have no space between them: `数据库密码`.
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut others = TRIGGERS.iter().filter(|word| !word.is_ascii());
    if others.any(|word| bare.ends_with(word)) {
        return Some(Strength::Strong);
    }
    let words = name_words(name);
    let last = words.last()?.as_str();
    let before = words.iter().rev().nth(1).map_or("", String::as_str);
    if is_about(&words) {
        return None;
    }
    let is_strong = |word: &String| {
        STRONG.contains(&word.as_str())
            || STRONG
                .iter()
                .any(|strong| strong.len() > 4 && word.ends_with(strong))
    };
    let pair = (matches!(last, "key" | "keys") && KEY_OF.contains(&before))
        || (matches!(last, "token" | "tokens") && TOKEN_OF.contains(&before))
        || (last == "seed" && SEED_OF.contains(&before))
        || (last == "phrase" && before == "seed")
        || last == "mnemonic"
        || (last == "code" && before == "auth");
    if pair || words.iter().any(is_strong) {
        return Some(Strength::Strong);
    }
    let is_weak = WEAK.contains(&last)
        || ["key", "token", "cookie", "sessid"]
            .iter()
            .any(|weak| last.len() > weak.len() + 2 && last.ends_with(weak));
    (is_weak && !is_open(&words)).then_some(Strength::Weak)
}

/// Splits a name into lower-case words: `smtpPass`, `smtp_pass` and `SMTP-PASS` have two. Trailing
/// numbers are dropped.
pub fn name_words(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut res = vec![String::new()];
    for (i, byte) in bytes.iter().enumerate() {
        let previous = i.checked_sub(1).map_or(b'_', |i| bytes[i]);
        let next = bytes.get(i + 1).copied().unwrap_or(b'_');
        let starts_word = byte.is_ascii_uppercase()
            && (previous.is_ascii_lowercase()
                || previous.is_ascii_uppercase() && next.is_ascii_lowercase());
        if starts_word || !byte.is_ascii_alphabetic() {
            res.push(String::new());
        }
        if byte.is_ascii_alphabetic()
            && let Some(word) = res.last_mut()
        {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    res.retain(|word| !word.is_empty());
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: Option<Strength>, names: &[&str]) {
        for name in names {
            assert_eq!(strength(name), expected, "{name}");
        }
    }

    #[test]
    fn a_name_says_how_secret_its_value_is() {
        check(
            Some(Strength::Strong),
            &[
                "password",
                "apiKey",
                "API_KEY",
                "APIKey",
                "appsecret",
                "smtp_pass",
                "smtppass",
                "DB-PASSWORD",
                "aws_secret_access_key",
                "aws_secret",
                "clientSecret",
                "bot_token",
                "PASSWORD1",
                "sendkey",
                "x-api-key",
                "authCode",
                "OTP_SEED",
                "seed_phrase",
                "authorization_token",
                "数据库密码",
                "密码1",
            ],
        );
        check(
            Some(Strength::Weak),
            &[
                "key",
                "token",
                "bili_jct",
                "SESSDATA",
                "WeatherKey",
                "githubToken",
                "Cookie",
                "sig",
            ],
        );
        check(
            None,
            &[
                "publicKey",
                "cacheKey",
                "password_file",
                "tokenType",
                "keyboard",
                "monkey_business",
                "API_KEY_NAME",
                "access_key_id",
                "tokenizer",
                "author",
                "passed",
                "RANDOM_SEED",
                "seed",
                "page_token",
                "nextPageToken",
                "NEXT_TOKEN",
                "continuation-token",
                "maxTokens",
                "SECRET_SANTA",
                "pass_rate",
                "PASSWORD_MAX_AGE",
                "TOKEN_TTL",
                "secret_rotation_days",
                "城市",
                "密码长度",
                "größe",
            ],
        );
    }
}
