//! Secrets of known shapes in a text: what must not be carried, served or published.
//!
//! Exact shapes only, each with a prefix that issuers chose so that scanners find it; guesses at
//! `password = "…"` are not made here. Placeholders in documentation are not secrets
//! ([`placeholder`]).
//!
//! One pass of a multi-pattern matcher over the bytes, then a bounded look at what follows each
//! prefix: linear, no back-tracking.
//!
//! Source of shapes: the issuers' documentation and gitleaks' rule set
//! (<https://github.com/gitleaks/gitleaks>, MIT); `security.md` §5 SE001.

mod placeholder;
mod shapes;

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use shapes::{SHAPES, Shape};

/// A secret in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SecretHit {
    /// What it is, with its article: `a GitHub token`.
    pub kind: &'static str,
    /// Bytes of the secret. Never show them.
    pub range: Range<usize>,
}

static PREFIXES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(SHAPES.iter().map(|shape| shape.prefix))
        .expect("the prefixes are few and short")
});

/// Finds secrets, in the order of the text, none overlapping another.
pub fn scan_secrets(text: &str) -> Vec<SecretHit> {
    let mut hits: Vec<SecretHit> = Vec::new();
    for found in PREFIXES.find_iter(text) {
        let shape: &Shape = &SHAPES[found.pattern().as_usize()];
        let covered = hits.last().is_some_and(|hit| hit.range.end > found.start());
        if let (false, Some(range)) = (covered, shape.secret_at(text, found.range())) {
            hits.push(SecretHit {
                kind: shape.kind,
                range,
            });
        }
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Joined at run time, so that scanners of this repository find nothing here.
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
    fn finds_secrets_by_what_stands_around_them() {
        check(&["Authorization: Bearer ", RANDOM], Some("a bearer token"));
        check(
            &["postgres://app:", "9vK2mQ7x@db.internal/x"],
            Some("a password in a URL"),
        );
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
        let text = "sk-".repeat(200_000) + &"://a:".repeat(100_000) + &"eyJ".repeat(100_000);
        assert_eq!(scan_secrets(&text), []);
    }
}
