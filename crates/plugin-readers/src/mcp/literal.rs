//! Secrets that the entry of a server has literally. Entries are command lines and requests that someone
//! used, so a name decides by itself, also about a value that is too plain to be a secret in a text.

use std::ops::Range;

use http_request::{broken_login, is_ordinary, is_secret_query};
use skill_model::{is_secret_name, named_secret};

use super::keys::{is_blank, setting_key};
use super::shape::{self, is_code, is_plain};

/// The ends of names whose value is a secret, whatever it looks like, in the form of settings.
const CERTAIN: [&str; 14] = [
    "KEY",
    "PAT",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PASS",
    "PWD",
    "SECRET",
    "TOKEN",
    "API_KEY",
    "APIKEY",
    "SECRET_KEY",
    "ACCESS_KEY",
    "AUTHORIZATION",
];
/// The words before the secret of a header.
pub(super) const SCHEMES: [&str; 5] = ["Bearer", "Basic", "Token", "token", "bearer"];
/// The quotes and separators around the words of a line for a shell.
const MARKS: [char; 5] = ['"', '\'', '`', ';', ','];

/// A secret in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    pub(super) range: Range<usize>,
    /// The name in the text, if there is one.
    pub(super) name: Option<String>,
    /// True for the password in an address.
    pub(super) is_password: bool,
}

impl Literal {
    fn new(range: Range<usize>, name: Option<&str>) -> Self {
        Self {
            range,
            name: name.map(|name| name.trim_start_matches('-').to_owned()),
            is_password: false,
        }
    }
}

/// Returns true for a value that is one: no switch, no path, and nothing that the user has to replace.
fn is_literal(value: &str) -> bool {
    const MIN_PADDED: usize = 16;
    // Base64 may begin with a slash.
    let is_base64 = |it: char| it.is_ascii_alphanumeric() || "+/=".contains(it);
    if value.len() >= MIN_PADDED && value.ends_with('=') && value.chars().all(is_base64) {
        return true;
    }
    let is_word = matches!(value, "true" | "false" | "none" | "null");
    let is_place = value.starts_with(['-', '/', '.', '~', '$', '<', '{', '%']);
    let is_file = [".pem", ".key", ".crt", ".json", ".txt", ".pub"]
        .iter()
        .any(|end| value.ends_with(end));
    let is_other = value.contains("${") || value.contains("://") || is_blank(value);
    !(is_word || is_place || is_file || is_other)
}

/// Returns the place of the password in the value of a flag for a login: `--user name:password`.
pub(super) fn password_of(flag: &str, value: &str) -> Option<Range<usize>> {
    const LOGINS: [&str; 8] = [
        "-u",
        "--user",
        "--proxy-user",
        "--login",
        "--auth",
        "--basic-auth",
        "--credentials",
        "--userpass",
    ];
    let (user, password) = value.split_once(':').filter(|_| LOGINS.contains(&flag))?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_login = !user.is_empty() && !password.is_empty() && is_literal(value);
    // `--user 1000:1000` is about the accounts of a system.
    (is_login && !is_number(value.replace(':', "").as_str())).then_some(user.len() + 1..value.len())
}

/// Returns the secret of a flag of one letter, also of one that is glued to its value: its name, and where it
/// begins in the word. Beside a flag for a user, `-p` is about a password, whatever the value looks like.
pub(super) fn short_secret(words: &[String], at: usize) -> Option<(&'static str, usize)> {
    const USERS: [&str; 6] = ["-u", "-U", "--user", "--username", "--login", "-l"];
    let is_user = |word: &String| {
        let name = word.split('=').next().unwrap_or_default();
        USERS.contains(&name)
    };
    let word = words[at].as_str();
    if is_of_launcher(words, at) {
        return None;
    }
    if let Some((flag, value)) = shape::glued(word) {
        let name = shape::short_secret(flag, value).filter(|_| is_literal(value))?;
        return Some((name, flag.len()));
    }
    let flag = at.checked_sub(1).map(|at| words[at].as_str())?;
    if !is_literal(word) {
        return None;
    }
    let is_named = flag == "-p" && word.parse::<u16>().is_err() && words.iter().any(is_user);
    let name = is_named.then_some("password");
    Some((name.or_else(|| shape::short_secret(flag, word))?, 0))
}

/// Returns true for a word of `npx`, `uvx` and the like, before the package that they start: `npx -p PACKAGE`.
fn is_of_launcher(words: &[String], at: usize) -> bool {
    const LAUNCHERS: [&str; 10] = [
        "npx", "npm", "bunx", "bun", "pnpm", "yarn", "uvx", "uv", "pipx", "docker",
    ];
    const COMMANDS: [&str; 5] = ["run", "dlx", "exec", "x", "tool"];
    let [first, others @ ..] = &words[..at] else {
        return false;
    };
    let name = first.rsplit(['/', '\\']).next().unwrap_or(first);
    let is_package = |word: &String| !word.starts_with('-') && !COMMANDS.contains(&word.as_str());
    LAUNCHERS.contains(&name) && !others.iter().any(is_package)
}

/// Returns true for the value of a name in the query of an address that is a secret.
fn is_in_query(name: &str, value: &str) -> bool {
    let is_secret = is_secret_query(name) && !is_ordinary(name, value);
    !value.is_empty() && is_literal(value) && is_secret || is_value_of(name, value)
}

/// Returns true for the value of a name that indicates a secret: a flag, a variable, or a header.
pub(super) fn is_value_of(name: &str, value: &str) -> bool {
    if !is_literal(value) || is_ordinary(name, value) {
        return false;
    }
    let key = setting_key(name.trim_start_matches('-'));
    let ends = |word: &str| {
        key.strip_suffix(word)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
    };
    let is_certain = CERTAIN.iter().any(|word| ends(word));
    let is_secret = is_secret_name(name) || key.ends_with("AUTHORIZATION");
    is_secret && (is_certain || !is_plain(value))
        || named_secret(name, value).is_some()
        || is_random(name, value)
        || is_code(name, value)
}

/// Returns true for a value that is random, whatever its name says. Identifiers of documents and
/// accounts are also random, and no secrets.
pub(super) fn is_random(name: &str, value: &str) -> bool {
    const MIN: usize = 24;
    let key = setting_key(name.trim_start_matches('-'));
    let ends = ["ID", "IDS", "UUID", "HASH", "SHA256", "DIGEST", "CHECKSUM"];
    let is_public = key.rsplit('_').next().is_some_and(|it| ends.contains(&it));
    let has = |is_one: fn(&u8) -> bool| value.bytes().any(|byte| is_one(&byte));
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase);
    let is_mixed = is_mixed && has(u8::is_ascii_uppercase);
    value.len() >= MIN
        && is_mixed
        && !is_public
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && named_secret("api_key", value).is_some()
}

/// Returns true for the name of a flag, a variable or a header.
pub(super) fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.contains(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_part)
}

/// Finds the secrets in a text, in its order.
pub(super) fn find(text: &str) -> Vec<Literal> {
    let mut res = passwords(text);
    // The name of a flag or header whose value is the next word.
    let mut before: Option<&str> = None;
    for range in words(text) {
        let word = &text[range.clone()];
        let part = |part: &str| {
            let start = part.as_ptr() as usize - word.as_ptr() as usize + range.start;
            start..start + part.len()
        };
        let name = before.take();
        if name.is_some() && SCHEMES.contains(&word) {
            before = name;
        } else if word.contains("://") {
            let (_, query) = word.split_once('?').unwrap_or_default();
            let query = query.split('#').next().unwrap_or_default();
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let secrets = pairs.filter(|(name, value)| is_name(name) && is_in_query(name, value));
            res.extend(secrets.map(|(name, value)| Literal::new(part(value), Some(name))));
        } else if is_web_token(word) {
            res.push(Literal::new(range, name));
        } else if let Some(name) = name.filter(|name| is_value_of(name, word)) {
            res.push(Literal::new(range, Some(name)));
        } else if let Some((name, value)) = word.split_once('=').filter(|(name, _)| is_name(name)) {
            let value = value.trim_matches(MARKS);
            if is_value_of(name, value) {
                res.push(Literal::new(part(value), Some(name)));
            }
        } else if let Some((name, value)) = word.split_once(':').filter(|(name, _)| is_name(name)) {
            if value.is_empty() || SCHEMES.contains(&value) {
                before = Some(name);
            } else if is_value_of(name, value) {
                res.push(Literal::new(part(value), Some(name)));
            }
        } else if word.starts_with('-') && is_name(word) {
            before = Some(word);
        }
    }
    res.sort_by_key(|it| it.range.start);
    res
}

/// Returns the words of a text, without the quotes around them. Each pair of a connection string is a word:
/// `Endpoint=https://a.example;AccountKey=…`.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let words = text.split_whitespace();
    let pairs = words.flat_map(|word| {
        let is_pair = |it: &str| it.split_once('=').is_some_and(|(name, _)| is_name(name));
        let are_pairs = word.split(';').filter(|it| !it.is_empty()).all(is_pair);
        word.split(move |c: char| c == ';' && are_pairs)
    });
    pairs.filter_map(move |word| {
        let inner = word.trim_matches(MARKS);
        let start = inner.as_ptr() as usize - text.as_ptr() as usize;
        (!inner.is_empty()).then(|| start..start + inner.len())
    })
}

/// Returns the passwords in the addresses of a text: `postgres://user:password@host`.
fn passwords(text: &str) -> Vec<Literal> {
    let found = text.match_indices("://").filter_map(|(at, mark)| {
        let login = login(&text[at..])?;
        let start = at + mark.len();
        let colon = text[login.start + at..login.end + at].find(':')?;
        let range = start + colon + 1..login.end + at;
        let is_literal = !range.is_empty() && !text[range.clone()].contains("${");
        is_literal.then_some(Literal {
            range,
            name: None,
            is_password: true,
        })
    });
    found.collect()
}

/// Returns the place of user name and password in an address; `None` if it has none.
pub(super) fn login(address: &str) -> Option<Range<usize>> {
    let start = address.find("://")? + 3;
    let is_end = |c: char| c.is_whitespace() || "/?#,\"'`\\".contains(c);
    let end = address[start..].find(is_end);
    let end = end.map_or(address.len(), |end| start + end);
    let Some(at) = address[start..end].rfind('@') else {
        let is_blank = |c: char| c.is_whitespace() || ",\"'`\\".contains(c);
        let end = address[start..].find(is_blank);
        return broken_login(&address[..end.map_or(address.len(), |end| start + end)]);
    };
    Some(start..start + at)
}

/// Returns true for a JSON web token, also one with a short payload, such as those of examples.
fn is_web_token(word: &str) -> bool {
    const MIN: usize = 8;
    let is_part = |part: &str| {
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        part.len() >= MIN && part.bytes().all(is_base64)
    };
    let parts: Vec<&str> = word.split('.').collect();
    let is_json = |part: &&str| part.starts_with("eyJ");
    parts.len() == 3 && parts[..2].iter().all(is_json) && parts.iter().all(|it| is_part(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the secrets, as `name value`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = find(text).into_iter().map(|it| {
            let name = it.name.unwrap_or_default();
            format!("{name} {}", &text[it.range])
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn secrets_of_command_lines() {
        check("postgres://u:PwSecret78@db/x", &[" PwSecret78"]);
        check("http://me:123/45@host", &[" 123/45"]);
        check("postgres://u:Pw@db:5432,https://a.example", &[" Pw"]);
        check("https://a.example?q=1&token=abc#x", &["token abc"]);
        check(
            "https://a.example?sig=a1&code=b2&session=c3&AWSAccessKeyId=d4&zip_code=5",
            &["sig a1", "code b2", "session c3", "AWSAccessKeyId d4"],
        );
        check("--key k1 --pat p1 --sort-key name", &["key k1", "pat p1"]);
        check(
            "Authorization: Bearer abcDEF123456789",
            &["Authorization abcDEF123456789"],
        );
        check("Authorization:Bearer abc", &["Authorization abc"]);
        check("X-Api-Key: abc", &["X-Api-Key abc"]);
        check("API_KEY=a1 npx x", &["API_KEY a1"]);
        check(
            "export API_KEY='a1'; npx x --password Pw1",
            &["API_KEY a1", "password Pw1"],
        );
        check(
            "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=/9x+ab1QwErTy1Z==;EndpointSuffix=x",
            &["AccountKey /9x+ab1QwErTy1Z=="],
        );
        check("Server=db;User=sa;Password=Pw1;", &["Password Pw1"]);
        check("curl -H \"X-Token: a1\" x", &["X-Token a1"]);
        let random = "9fK2mQ7xV4bN8sL1pR6tW3zD5gH0jC2y";
        check(&format!("-e BAR={random}"), &[&format!("BAR {random}")]);
        check(&format!("-e SHEET_ID={random}"), &[]);
        let token = [
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0",
            ".dozjgNryP4J3",
        ]
        .concat();
        check(&token, &[&format!(" {token}")]);
    }

    #[test]
    fn ordinary_words() {
        for text in [
            "postgres://u@db/x",
            "postgres://u:${PW}@db/x",
            "https://a.example:8080/@scope?page=2",
            "Authorization: Bearer ${TOKEN}",
            "Content-Type: application/json",
            "API_KEY=$KEY npx x --token-file ./token --password -v",
            "--max-tokens 4096 --auth none",
            "--token <token>",
            "a.b.c",
            "--key major --session morning --key=C",
            "https://a.example/mcp?key=name&code=en&sign=aries&page_token=x1",
            "SECRET_SANTA=true",
            "http://npm:4873/lodash@4.17.21",
        ] {
            check(text, &[]);
        }
        assert!(is_value_of("--api-key", "f3a9"));
        for (name, value, expected) in [
            ("--auth", "f3a9", true),
            ("--auth", "oauth2", false),
            ("--auth", "basic", false),
            ("PIN", "4711", true),
            ("LED_PIN", "13", false),
            ("OTP_SEED", "JBSWY3DPEHPK3PXP", true),
            ("RANDOM_SEED", "42", false),
            ("auth.token", "abc", true),
            ("authorization_token", "abc", true),
            ("--session", "default", false),
        ] {
            assert_eq!(is_value_of(name, value), expected, "{name} {value}");
        }
        assert!(!is_value_of("--key", "server.pem"));
        assert_eq!(password_of("--user", "ann:pw1"), Some(4..7));
        assert_eq!(password_of("--user", "1000:1000"), None);
        assert_eq!(password_of("--url", "a:b"), None);
        for (line, expected) in [
            ("x -u ann -p pw1", Some(("password", 0))),
            ("x -p pw1", None),
            ("x -p Geheim12346", Some(("password", 0))),
            ("x -pGeheim12346", Some(("password", 2))),
            ("x -port", None),
            ("npx -p h5p-server2x", None),
            ("npx -y server -p Geheim12346", Some(("password", 0))),
            ("x -u ann -p 3306", None),
            ("x -u ann -p ./dir", None),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(short_secret(&words, words.len() - 1), expected, "{line}");
        }
        assert!(!is_value_of("--verbose", "f3a9"));
    }
}
