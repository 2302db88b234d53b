//! Secrets in a text, which must not be copied, served or published.
//!
//! The scanner finds tokens of known issuers by their prefixes ([`issuers`]), secrets by their
//! context (PEM, passwords in URLs and commands), values of names that indicate a secret
//! ([`named`]), and all of these in base64 ([`encoded`]). Placeholders in documentation are not
//! secrets ([`placeholder`]).
//!
//! Each kind takes one pass of a multi-pattern matcher and then a bounded scan of what follows:
//! linear, without backtracking.
//!
//! Source of shapes: the issuers' documentation and gitleaks' rule set
//! (<https://github.com/gitleaks/gitleaks>, MIT); `docs/design/security.md`, "Files".

mod columns;
mod encoded;
mod forms;
mod hit;
mod issuers;
mod named;
mod placeholder;
mod pointed;
mod rows;
mod shapes;
mod value;

pub use forms::{percent_encoded, secret_forms};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

pub use hit::SecretHit;
pub use http_request::{is_ordinary, is_secret_name, is_session_name};
use issuers::SHAPES;
pub use placeholder::is_secret_placeholder;

/// The word in place of a secret that was taken out of a file.
pub const REDACTED: &str = "REDACTED";

static PREFIXES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        // With more than a hundred patterns the default is an automaton half as fast.
        .kind(Some(AhoCorasickKind::DFA))
        .build(SHAPES.iter().map(|shape| shape.prefix))
        .expect("the prefixes are few and short")
});

/// Finds secrets, in text order and without overlaps.
pub fn scan_secrets(text: &str) -> Vec<SecretHit> {
    let mut hits = scan_plain(text);
    encoded::scan(text, |plain| !scan_plain(plain).is_empty(), &mut hits);
    in_order(hits)
}

/// Finds only tokens of known issuers. In compiled programs, strings are adjacent, so a name is not
/// related to the text that follows it.
pub fn scan_issuers(text: &str) -> Vec<SecretHit> {
    let mut hits = Vec::new();
    scan_shapes(text, &mut hits);
    in_order(hits)
}

/// Returns the kind of a value if its name indicates a secret and the value can be one. The caller
/// knows that the two belong together, as in a JSON tree.
pub fn named_secret(name: &str, value: &str) -> Option<&'static str> {
    named::judge(name, value)
}

/// Returns the kind of a value if the description of its setting mentions a secret and the value
/// looks like one. Descriptions often mention keys incidentally, so only random values count.
pub fn described_secret(description: &str, value: &str) -> Option<&'static str> {
    named::judge_described(description, value)
}

fn scan_plain(text: &str) -> Vec<SecretHit> {
    let mut hits = Vec::new();
    scan_shapes(text, &mut hits);
    named::scan(text, &mut hits);
    pointed::scan(text, &mut hits);
    columns::scan(text, &mut hits);
    hits
}

fn scan_shapes(text: &str, hits: &mut Vec<SecretHit>) {
    for found in PREFIXES.find_iter(text) {
        let shape = &SHAPES[found.pattern().as_usize()];
        if let Some(range) = shape.secret_at(text, found.range()) {
            let kind = shape.kind;
            hits.push(SecretHit { kind, range });
        }
    }
}

/// Sorts hits and merges overlapping ones.
fn in_order(mut hits: Vec<SecretHit>) -> Vec<SecretHit> {
    hits.sort_by_key(|hit| (hit.range.start, std::cmp::Reverse(hit.range.end)));
    let mut res: Vec<SecretHit> = Vec::with_capacity(hits.len());
    for hit in hits {
        match res.last_mut() {
            Some(last) if last.range.end > hit.range.start => {
                last.range.end = last.range.end.max(hit.range.end);
            }
            _ => res.push(hit),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts are joined at run time, so that secret scanners find nothing in this repository.
    #[track_caller]
    fn check(parts: &[&str], expected: Option<&str>) {
        let text = parts.concat();
        let hits = scan_secrets(&text);
        assert_eq!(hits.first().map(|hit| hit.kind), expected, "{text}");
        assert!(hits.len() <= 1, "{hits:?}");
    }

    const RANDOM: &str = "q7Zt3LmW9xRb2VfYk8Nc4HsJd6GpTe1AuXw5";

    #[test]
    fn finds_tokens_of_known_issuers() {
        check(
            &["k = 'sk", "-proj-", RANDOM, "'"],
            Some("an API key (sk-…)"),
        );
        check(&["sk-ant-", "api03-", RANDOM], Some("an API key (sk-…)"));
        check(&["gh", "p_", RANDOM], Some("a GitHub token"));
        check(
            &["github", "_pat_11ABCDEFG0", RANDOM],
            Some("a GitHub token"),
        );
        check(&["AKI", "AQ3Z7M2XW9RB4VFYK"], Some("an AWS access key id"));
        check(&["AIz", "aSy", RANDOM], Some("a Google API key"));
        check(&["xox", "b-2489371056-", RANDOM], Some("a Slack token"));
        check(&["npm", "_", RANDOM], Some("an npm token"));
        check(&["glp", "at-", &RANDOM[..20]], Some("a GitLab token"));
        check(&["sk_", "live_", RANDOM], Some("a Stripe key"));
    }

    #[test]
    fn numbers_of_a_workspace_do_not_make_a_token_an_example() {
        let numbers = "123456789012-1234567890123-";
        for start in ["xoxb-", "xoxp-", "xoxe-"] {
            let (x, rest) = start.split_at(2);
            let token = [x, rest, numbers, &RANDOM[..24]].concat();
            check(
                &["Call it with ", &token, " please."],
                Some("a Slack token"),
            );
            check(&[x, rest, numbers, "abcdefghijklmnopqrstuvwx"], None);
            check(&[x, rest, numbers, "your-token"], None);
            check(&[x, rest, "1234567890-slack-token"], None);
        }
    }

    #[test]
    fn a_web_token_in_a_sentence_is_found() {
        let token = [
            "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9",
            ".eyJzdWIiOiJ1c2VyXzgxIiwiaWF0IjoxNzYwMDAwMDAwfQ.",
            RANDOM,
        ];
        let text = format!("Call it with {} please.", token.concat());
        check(&[&text], Some("a JSON web token"));
        let short = [
            "eyJhbGciOiJIUzI1NiJ9",
            ".eyJzdWIiOiJhbm4ifQ.",
            "c2lnbmF0dXJl",
        ];
        check(&short, Some("a JSON web token"));
    }

    #[test]
    fn steps_through_the_alphabet_show_a_secret() {
        let steps = "123abc456def789ghi";
        check(&["const apiKey = \"sk", "_live_", steps, "\";"], None);
        check(&["const SECRET_TOKEN = 'abc", "123xyz';"], None);
        check(&["password = 'abc", "123'"], Some("a secret (by its name)"));
        check(
            &["password = 'abc", "123xyq'"],
            Some("a secret (by its name)"),
        );
    }

    #[test]
    fn finds_secrets_by_what_stands_around_them() {
        check(&["Authorization: Bearer ", RANDOM], Some("a bearer token"));
        check(
            &["postgres://app:", "9vK2mQ7x@db.internal/x"],
            Some("a password in a URL"),
        );
        check(
            &["https://app:", "SecretInUrl1234@api.example/v1"],
            Some("a password in a URL"),
        );
        for key in ["\"url\": \"", "url: ", "    baseUrl: '"] {
            check(
                &[key, "https://app:", "tiger@api.example/v1"],
                Some("a password in a URL"),
            );
        }
        check(
            &["//registry/:_auth", "Token=CANARY-7f3a-DO-NOT"],
            Some("an npm token"),
        );
        check(
            &["-----BEGIN RSA PRIVATE", " KEY-----\nMIIEpAIBAAKCAQEA7b\n"],
            Some("a private key"),
        );
        check(
            &[
                "\"private_key\": \"-----BEGIN PRIVATE",
                " KEY-----\\nMIIEvQIBADANBgkq\\n",
            ],
            Some("a private key"),
        );
        check(
            &["eyJhbGciOiJIUzI1NiJ9.", "eyJpZCI6InE3WnQzTG1XIn0.", RANDOM],
            Some("a JSON web token"),
        );
    }

    #[test]
    fn finds_tokens_of_more_issuers() {
        for (start, end, kind) in [
            ("tv", "ly-dev-", "a Tavily key"),
            ("nvap", "i-", "an NVIDIA key"),
            ("xke", "ysib-", "a Brevo key"),
            ("dckr_", "pat_", "a Docker token"),
            ("SC", "T123T", "a ServerChan key"),
            ("LTA", "I5t", "an Alibaba Cloud key id"),
        ] {
            let rest = if kind.contains("Brevo") {
                "4f9c".repeat(5) + &"7a1e0c3b".repeat(6)
            } else {
                RANDOM.to_owned()
            };
            check(&["X=\"", start, end, &rest, "\""], Some(kind));
        }
        check(
            &["BOT='", "812734", "9571:A", "A", &RANDOM[..33], "'"],
            Some("a Telegram bot token"),
        );
    }

    #[test]
    fn finds_tokens_without_digits_and_with_points() {
        let letters = "qwmxkztrplvbnhgfdsjcywqzxkvmtrpbnlhgfdsjcwqzxkvm";
        let sk = "an API key (sk-…)";
        check(&["Bearer sk", "-", letters], Some(sk));
        check(&["x hf", "_", &letters[..34]], Some("a Hugging Face token"));
        check(&["x secret", "_", &letters[..43]], Some("a Notion token"));
        check(
            &["f3a9c1e07b6d4a5e9c2b8d7f6a1e0c3b", ".q7Zt3LmW9xRb2VfY"],
            Some("a Zhipu key"),
        );
        check(
            &["MTA4NzY1NDMyMTA5ODc2NTQz", ".GxYz1a.", &RANDOM[..36]],
            Some("a Discord bot token"),
        );
    }

    #[test]
    fn finds_secrets_by_their_names() {
        let by_name = Some("a secret (by its name)");
        for text in [
            r#"[{"user": "root", "password": "Tr0ub4dor&3xyz"}]"#,
            r#"{"apiKey":"f3a9c1e07b6d4a5e9c2b8d7f6a1e0c3b"}"#,
            "const apiKey = \"f3a9c1e07b6d4a5e9c2b8d7f6a1e0c3b\";",
            "password = \"correcthorsebattery\"",
            "config.appsecret:'f3a9c1e07b6d4a5e9c2b8d7f6a1e0c3b'",
            "smtp_pass=hunter2hunter2",
            "smtp_pass=olgyAesrGEqj\n",
            "set API_KEY=0123456789abcdef0123456789abcdef",
            "fetch('https://api.x/y?key=0a1b2c3d4e5f60718293a4b5c6d7e8f9&q=1')",
            "aws_secret=\"q7Zt3LmW9xRb2VfYk8Nc4HsJd6GpTe1AuXw5abcd\"",
            "os.getenv('MAIL_PASSWORD', 'n4Vq-77x!')",
            "const token = process.env.API_TOKEN || 'q7Zt3LmW9xRb2VfYk8'",
            "<password>n4Vq77xLm</password>",
            "\\\"password\\\": \\\"n4Vq77xLm\\\"",
            "my key is CANARY50q8Zk3vT1",
            "数据库密码：n4Vq77xLm",
            "mysqldump --password n4Vq77xLm db",
            "client.login('x', password='n4Vq77xLm')",
            "password: 'abcd efgh ijkl mnop'",
            "const WEBHOOK='https://a.org/send?access_token=0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9'",
            "const WEBHOOK='https://qyapi.a.org/cgi-bin/webhook/send?key=3f2a91c4-7b6d-4a5e-9c2b-8d7f6a1e0c3b'",
            "os.getenv('BOT_TOKEN') or 'q7Zt3LmW9xRb2VfYk8'",
            "os.environ.get('X_KEY', 'q7Zt3LmW9xRb2VfYk8')",
            "p.add_argument('--api-key', type=str, default='q7Zt3LmW9xRb2VfYk8')",
            "var apiKey string = \"q7Zt3LmW9xRb2VfYk8\"",
            "https://a.org/weather?appid=f3a9c1e07b6d4a5e9c2b8d7f6a1e0c3b&q=1",
            "user,password\nroot,Sonne77blume!x\n",
            "名称;密码\r\nroot;Sonne77blume!x\r\n",
            "密码 Sonne77blume!x\n",
            "密码：Sonne77blume!x\n",
            "密码:「始」Sonne77blume!x「末」",
        ] {
            check(&[text], by_name);
        }
    }

    #[test]
    fn finds_secrets_of_commands_headers_and_encodings() {
        check(
            &["curl -u admin:Passw0rd", "123 https://x"],
            Some("a password of a command"),
        );
        check(
            &[
                "Cookie: \"uid=1; bili",
                "_jct=f3a9c1e07b6d4a5e9c2b8d7f6a1e0c3b\"",
            ],
            Some("a cookie"),
        );
        check(
            &["Authorization: Basic cm9vd", "DpuNFZxNzd4TG0="],
            Some("basic credentials"),
        );
        check(
            &[
                "Buffer.from(\"q7Zt3LmW9xRb2V",
                "fYk8Nc4HsJd6GpTe1AuXw5xVb1\", 'base64')",
            ],
            Some("a key in base 64"),
        );
        // Base64 of a token with a known prefix.
        check(
            &[
                "x = 'Z2hwX3E3WnQzTG1XOXhSYj",
                "JWZllrOE5jNEhzSmQ2R3BUZTFBdVh3NQ=='",
            ],
            Some("a secret in base 64"),
        );
    }

    #[test]
    fn names_of_secrets_and_placeholders_are_no_secrets() {
        for text in [
            "const apiKey = process.env.API_KEY || '';",
            "\"password\": \"your_password\"",
            "password: 'required'",
            "token: string;",
            "API_KEY=",
            "apiKey: 'OPENAI_API_KEY'",
            "headers['Authorization'] = `Bearer ${token}`",
            "tokenType: 'application/json'",
            "const key = aliases[String(rawKey)]",
            "{ fileKey: \"uploads/abc123.jpg\" }",
            "('urllib', 'HTTPPasswordMgr', 'urllib2')",
            "if (key === 'MultiModalPrompt') {",
            "if (key === 'MultiModalModelAsynchronousLimit') {",
            "private_key: ed25519.Ed25519PrivateKey,",
            "password = getPassword(user1)",
            "password=hashlib.sha256(x)",
            "curl -u user:pass https://x",
            "grep -u a:b.txt",
            "secret: 密码错误",
            "\"tool_password\": \"123456\"",
            "type: 'password', placeholder: '请输入密码'",
            "the password is required",
            "writer.encrypt(password=\"userpassword\", owner_password=\"ownerpassword\")",
            "{\"password\": \"testpass123\"}",
            "password: \"securepass123\",",
            "'password': 'wrongpassword'",
            "\"new_password\": \"newpass123\"",
            "const apiKey = \"sk-abc123\";",
            "X-API-Key: sk_live_abc123",
            "password: 'Test123!@#'",
            "password: 'User2024!'",
            "API_KEY = \"sk-12345\"",
            "api_key=\"sk-test\"",
            "password = \"hunter2\"",
            "user,password\nname,string\n",
            "密码 6-16位字符",
            "密码 sha256加密存储",
            "if not os.getenv('BOT_TOKEN'):\n    'q7Zt3LmW9xRb2VfYk8'",
            "appid: 'wx1a2b3c4d5e6f7a8b'",
            "p.add_argument('--token-file', default='data/tokens1.json')",
            "https://a.org/jquery.min.js?v=3f2a91c4 MainWindowConfiguration.widget.PropertiesOfTheMainWindows",
            "maxTokens = 4096, cacheKey = 'a1b2c3d4e5f6a7b8c9d0'",
        ] {
            check(&[text], None);
        }
    }

    #[test]
    fn all_of_a_private_key_is_the_secret() {
        let body = format!("{RANDOM}\n").repeat(4);
        let text = [
            "-----BEGIN RSA PRIVATE",
            " KEY-----\nProc-Type: 4,ENCRYPTED\n\n",
        ]
        .concat();
        let whole = format!("{text}{body}-----END RSA PRIVATE KEY-----\n");
        let hits = scan_secrets(&whole);
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].range, text.len()..text.len() + body.len() - 1);
    }

    #[test]
    fn one_secret_is_found_once() {
        check(
            &["-H 'Authorization: Bearer sk", "-proj-", RANDOM, "'"],
            Some("a bearer token"),
        );
    }

    #[test]
    fn leaves_placeholders_alone() {
        for text in [
            "sk-YourGeminiKeyHere1234567890abc",
            "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "sk-1234567890abcdef1234567890abcdef",
            "sk-proj-abc123def456ghi789jkl012mno",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "AKIAIOSFODNN7EXAMPLE",
            "AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
            "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_1",
            "Authorization: Bearer ${process.env.API_KEY_1}",
            "Authorization: Bearer <token-goes-in-here-12>",
            "Authorization: Bearer eyJhbGciOiJIUzI1NiIs...",
            "postgres://user:password@localhost:5432/db",
            "https://user:pass@example.com",
            "mongodb://admin:changeme123@localhost",
            "redis://:${REDIS_PASSWORD1}@host",
            "postgres://postgres:mysecretpassword1@localhost:5432/db",
            "url: https://user:password@host",
            "url: postgres://postgres:{password}@host",
            "see https://app:tiger@api.example",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
            "if key.startswith(\"-----BEGIN RSA PRIVATE KEY-----\"):",
            "-----BEGIN PRIVATE KEY-----\\nYOUR_KEY_HERE_PLEASE\\n",
        ] {
            check(&[text], None);
        }
    }

    #[test]
    fn leaves_other_text_alone() {
        for text in [
            "const id=\"123e4567-e89b-12d3-a456-426614174000\"",
            "a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3",
            "\"integrity\": \"sha512-Ab1+Ab1+Ab1+Ab1+Ab1+Ab1+Ab1+Ab1+Ab1+Ab1+==\"",
            "a task-list-of-many-things-that-1-has-to-do",
            "class=\"sk-fading-circle sk-circle-fade-dot-number12\"",
            "http://[::1]:8080/@scope and mailto:a:b@c",
            "https://example.org/path:with@signs",
            "Bearer authentication is described in RFC 6750",
            "the prefix is ghp_ or sk-",
            "npm_config_registry_of_the_whole_company",
            "npm_package_config_something_or_other_1",
        ] {
            check(&[text], None);
        }
    }

    #[test]
    fn hostile_text_is_scanned_in_linear_time() {
        for part in [
            "sk-",
            "://a:",
            "eyJ",
            "key=",
            "key=\"",
            "key:'x",
            "-u a:",
            "token is ",
            "Basic YTpi",
            "AAAA",
            ":AA1",
            "-----BEGIN PRIVATE KEY-----\n",
        ] {
            let hits = scan_secrets(&part.repeat(60_000));
            assert!(hits.len() <= 60_000, "{part}");
        }
    }
}
