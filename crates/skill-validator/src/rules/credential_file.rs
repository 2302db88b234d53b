//! A file is, by its name, where credentials are kept.

use crate::input::{Entry, Kind};
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code("credential-file"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "A file is, by its name, where credentials are kept.",
    why: "Two leading installers copied `.env` files into skills.",
    example: ".env",
    source: "SE003",
    check: Check::Skill(check),
};

/// Names of files, in lower case.
const NAMES: [&str; 14] = [
    ".env",
    "config.env",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    "credentials.json",
    "service-account.json",
    ".htpasswd",
    "kubeconfig",
];
/// Endings of key files.
const ENDINGS: [&str; 6] = [".p12", ".pfx", ".jks", ".keystore", ".ppk", ".kdbx"];
/// What an env file that is meant to be shipped ends with.
const EXAMPLES: [&str; 5] = [".example", ".sample", ".template", ".dist", ".md"];

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let files = cx
        .files
        .entries
        .iter()
        .filter(|entry| matches!(entry.kind, Kind::File { .. }));
    let found = files.filter(|entry| is_credential(entry));
    found
        .map(|entry| {
            let message = format!(
                "`{}` is where credentials are kept",
                entry.name().escape_debug()
            );
            cx.finding(RULE.code, message)
                .in_file(entry.path.clone())
                .with_help("leave the file out and name the keys that it must have")
        })
        .collect()
}

fn is_credential(entry: &Entry) -> bool {
    let name = entry.name().to_ascii_lowercase();
    let is_env = name.starts_with(".env.") && !EXAMPLES.iter().any(|end| name.ends_with(end));
    NAMES.contains(&name.as_str())
        || is_env
        || ENDINGS.iter().any(|end| name.ends_with(end))
        || is_private_pem(entry, &name)
}

/// A `.pem` or `.key` file that is not a certificate.
fn is_private_pem(entry: &Entry, name: &str) -> bool {
    let is_pem = [".pem", ".key"].iter().any(|end| name.ends_with(end));
    let has_key = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("PRIVATE KEY-----");
    is_pem && entry.head().is_some_and(has_key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn goes_by_names() {
        let mut files = body("x");
        for (path, bytes) in [
            (".env.example", "A="),
            ("assets/id_rsa", "x"),
            ("cert.pem", "-----BEGIN CERTIFICATE-----"),
            ("config.env", "A=b"),
            ("server.key", "-----BEGIN RSA PRIVATE KEY-----"),
        ] {
            add(&mut files, path, bytes.as_bytes());
        }
        let message =
            |path: &str, name: &str| format!("{path} `{name}` is where credentials are kept");
        check_rule(
            &RULE,
            &files,
            &[
                &message("assets/id_rsa", "id_rsa"),
                &message("config.env", "config.env"),
                &message("server.key", "server.key"),
            ],
        );
    }
}
