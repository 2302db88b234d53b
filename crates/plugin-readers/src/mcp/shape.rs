//! The shape of values in command lines and addresses: what is a word, a number or a name, and what only a
//! secret looks like.

use http_request::is_session_name;

/// The shortest secret after a flag of one letter.
const MIN_SHORT: usize = 6;
/// The shortest code that is taken once, such as a PIN.
const MIN_CODE: usize = 4;
/// The shortest part of a path that may be a secret.
const MIN_PART: usize = 24;

/// Flags of one letter, with the name of the secret that their value may be. What it looks like decides.
const SHORT_FLAGS: [(&str, &str); 4] = [
    ("-p", "password"),
    ("-P", "password"),
    ("-k", "key"),
    ("-t", "token"),
];

/// Returns true for a value that people choose as a name: words and numbers, joined by signs, each word with
/// a number at its end at most: `project-name`, `server01`, `oauth2`, `8080`.
pub(super) fn is_plain(value: &str) -> bool {
    const MAX_DIGITS: usize = 4;
    let is_word = |part: &str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let n_digits = part.len() - word.len();
        let is_lower = word.bytes().skip(1).all(|it| it.is_ascii_lowercase());
        let is_upper = word.bytes().all(|it| it.is_ascii_uppercase());
        let is_letters = word.bytes().all(|it| it.is_ascii_alphabetic());
        // `Geheim123` is a password, and `MyProject` a name.
        let is_number = word.is_empty() || n_digits <= MAX_DIGITS;
        let is_cased = n_digits == 0 || is_upper || is_lower && !starts_upper(word);
        is_letters && is_number && is_cased
    };
    value
        .split(['-', '_', '.', '/', ':', ',', '+', '@', ' '])
        .all(is_word)
}

fn starts_upper(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Returns the name of the secret that a flag of one letter has, if its value looks like one: `-p Geheim12346`
/// is a password, and `-p 8080`, `-p project-name` and `-p ./dir` are none.
pub(super) fn short_secret(flag: &str, value: &str) -> Option<&'static str> {
    let is_other = value.contains(['/', ':', '\\', '=', ',', '.']);
    let name = short_flag(flag)?;
    (value.len() >= MIN_SHORT && !is_other && !is_plain(value)).then_some(name)
}

/// Returns the name of the secret that a flag of one letter may have: `-p` is a password, or a port.
fn short_flag(flag: &str) -> Option<&'static str> {
    let found = SHORT_FLAGS.iter().find(|(known, _)| *known == flag);
    found.map(|(_, name)| *name)
}

/// Returns the flag and the value of a word that has both, such as `-pGeheim12346`.
pub(super) fn glued(word: &str) -> Option<(&str, &str)> {
    let (flag, value) = word.split_at_checked(2)?;
    short_flag(flag).map(|_| (flag, value))
}

/// Returns true for the value of a name such as `PIN` or `OTP` that is a code: `LED_PIN=13` is not.
pub(super) fn is_code(name: &str, value: &str) -> bool {
    let is_number = value.bytes().all(|it| it.is_ascii_digit());
    is_session_name(name) && value.len() >= MIN_CODE && (is_number || !is_plain(value))
}

/// Returns the parts of the path of an address that are secrets: long random ones, as services give out with
/// the address. UUIDs and words are none.
pub(super) fn secret_parts(url: &str) -> impl Iterator<Item = &str> {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    path.split('/').skip(1).filter(|part| is_random(part))
}

fn is_random(part: &str) -> bool {
    let has = |is_one: fn(&u8) -> bool| part.bytes().any(|it| is_one(&it));
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"-_=~".contains(&byte);
    let is_hex = part.bytes().all(|it| it.is_ascii_hexdigit());
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let is_all = part.bytes().all(is_sign);
    part.len() >= MIN_PART
        && is_all
        && has(u8::is_ascii_digit)
        && (is_mixed || is_hex && has(u8::is_ascii_alphabetic))
        && !is_plain(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_secrets_are_not() {
        for name in [
            "8080",
            "project-name",
            "my_project_2024",
            "server01",
            "oauth2",
            "MyProject",
            "stdio",
            "JIRA-123",
            "v1.2",
            "ann@example",
            "HTTP2",
        ] {
            assert!(is_plain(name), "{name}");
        }
        for secret in [
            "f3a9",
            "Geheim12346",
            "s3cr3t!",
            "Hunter2",
            "a1b2c3",
            "p@ss!word",
        ] {
            assert!(!is_plain(secret), "{secret}");
        }
    }

    #[test]
    fn flags_of_one_letter_have_secrets_by_their_shape() {
        for (flag, value, expected) in [
            ("-p", "Geheim12346", Some("password")),
            ("-k", "k4y-f00bar", Some("key")),
            ("-p", "8080", None),
            ("-p", "127.0.0.1:8080:80", None),
            ("-p", "project-name", None),
            ("-k", "./overlays", None),
            ("-v", "Geheim12346", None),
        ] {
            assert_eq!(short_secret(flag, value), expected, "{flag} {value}");
        }
        assert_eq!(glued("-pGeheim12346"), Some(("-p", "Geheim12346")));
        assert_eq!(glued("--port"), None);
    }

    #[test]
    fn long_random_parts_of_a_path_are_secrets() {
        let random = "NzI3Zjk1ZDItYTQ2NC00MDUx";
        let url = format!("https://mcp.example/api/mcp/s/{random}/mcp?x={random}");
        assert_eq!(secret_parts(&url).collect::<Vec<_>>(), [random]);
        for url in [
            "https://a.example/api/v1/mcp",
            "https://a.example/0b9f4c1e-5d7a-4e2b-9c3d-1f2e3a4b5c6d/mcp",
            "https://a.example/getting-started-with-model-context-2024",
            "https://a.example/ThisIsOnlyALongNameOfAPage",
        ] {
            assert_eq!(secret_parts(url).next(), None, "{url}");
        }
    }

    #[test]
    fn codes_have_digits() {
        assert!(is_code("PIN", "4711") && is_code("OTP", "a1b2"));
        assert!(!is_code("LED_PIN", "13") && !is_code("TICKET", "JIRA-123"));
    }
}
