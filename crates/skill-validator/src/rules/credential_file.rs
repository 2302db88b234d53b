//! A file stores credentials, by its name or its first bytes.

use crate::input::{Entry, Kind};
use skill_diagnostics::{Code, Diagnostic};
use skill_model::{PrivateKind, PrivateName, private_content, private_path};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("credential-file"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "A file stores credentials, by its name or its first bytes.",
    why: "Two leading installers copied `.env` files into skills.",
    example: ".env",
    source: "https://github.com/gitleaks/gitleaks; https://github.com/github/gitignore",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let files = cx
        .files
        .entries
        .iter()
        .filter(|entry| matches!(entry.kind, Kind::File { .. }));
    let found = files.filter_map(|entry| Some((entry, credentials(entry)?)));
    found
        .map(|(entry, row)| {
            let message = format!(
                "`{}` stores credentials: {}",
                entry.name().escape_debug(),
                row.reason
            );
            cx.finding(RULE.code, message)
                .in_file(entry.path.clone())
                .with_help("leave the file out and document the keys that it needs")
        })
        .collect()
}

/// Returns the row for a file with credentials, by its name or its content.
fn credentials(entry: &Entry) -> Option<&'static PrivateName> {
    let holds =
        |row: &&PrivateName| matches!(row.kind, PrivateKind::Credentials | PrivateKind::Settings);
    let by_name = private_path(&entry.path)
        .filter(holds)
        .filter(|_| !is_certificate(entry));
    by_name.or_else(|| private_content(entry.head()?).filter(holds))
}

/// Returns true for a `.pem` file that contains only public data.
fn is_certificate(entry: &Entry) -> bool {
    let head = entry.head().map(String::from_utf8_lossy);
    head.is_some_and(|head| {
        head.contains("-----BEGIN CERTIFICATE-----") && !head.contains("PRIVATE KEY")
    })
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
        let message = |path: &str, name: &str, what: &str| {
            format!("{path} `{name}` stores credentials: {what}")
        };
        check_rule(
            &RULE,
            &files,
            &[
                &message("assets/id_rsa", "id_rsa", "keys"),
                &message(
                    "config.env",
                    "config.env",
                    "settings and keys of one installation",
                ),
                &message("server.key", "server.key", "keys"),
            ],
        );
    }
}
