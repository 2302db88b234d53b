//! The files of a plugin directory that are copied into the skill.
//!
//! Source: the threat table of `SECURITY.md` (links, special files, names, credentials), and the
//! rule of the mapping that settings, packages and caches are never copied.

use skill_model::{PrivateKind, is_portable_name, private_directory, private_path};

use plugin_model::LeaveReason;

/// Returns the reason why a directory is not entered at all; `None` if it is.
pub fn leave_directory(name: &str) -> Option<LeaveReason> {
    let unportable = || (!is_portable_name(name)).then_some(LeaveReason::UnportableName);
    let private = private_directory(name).map(|row| leave_private(row.kind));
    private.or_else(unportable)
}

/// Returns the reason why a regular file is not copied; `None` if it is. Manifests are handled
/// elsewhere.
pub fn leave_file(path: &str) -> Option<LeaveReason> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if is_env_file(&name.to_ascii_lowercase()) {
        Some(LeaveReason::Settings)
    } else if let Some(row) = private_path(path) {
        Some(leave_private(row.kind))
    } else if !is_portable_name(name) {
        Some(LeaveReason::UnportableName)
    } else {
        None
    }
}

/// Returns the reason for files of a private kind.
pub fn leave_private(kind: PrivateKind) -> LeaveReason {
    match kind {
        PrivateKind::Settings => LeaveReason::Settings,
        PrivateKind::Credentials => LeaveReason::Credentials,
        PrivateKind::UserData => LeaveReason::UserData,
        PrivateKind::Regenerable => LeaveReason::Regenerable,
        PrivateKind::Tooling => LeaveReason::Tooling,
        PrivateKind::Leftover => LeaveReason::Leftover,
    }
}

/// Recognizes `.env`, `config.env` and their variants: settings and keys of one installation.
/// Examples are included, because they often contain real keys; their keys go into `assets/`.
pub fn is_env_file(lower_name: &str) -> bool {
    let parts: Vec<&str> = lower_name.split('.').collect();
    parts.len() > 1
        && parts[..].contains(&"env")
        && !has_suffix(lower_name, &[".js", ".mjs", ".cjs", ".ts", ".py", ".md"])
        || lower_name == ".envrc"
        || lower_name.starts_with(".env")
}

fn has_suffix(lower: &str, suffixes: &[&str]) -> bool {
    suffixes.iter().any(|suffix| lower.ends_with(suffix))
}

/// Returns whether the migration reads the text of a file: code, package lists, env files, documents.
pub fn wants_text(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    is_code_file(path)
        || has_suffix(&lower, &SCRIPTS)
        // The source of a compiled program or module.
        || lower.ends_with(".rs")
        || !lower.contains('/')
            && (is_env_file(name)
                || has_suffix(name, &[".md", ".txt"])
                || matches!(name, "package.json" | "package-lock.json"))
}

/// The endings of scripts of a shell, which are asked only whether they use the network.
const SCRIPTS: [&str; 4] = [".sh", ".bash", ".zsh", ".ps1"];

/// Returns whether a file is code that the migration can analyze.
pub fn is_code_file(path: &str) -> bool {
    has_suffix(
        &path.to_ascii_lowercase(),
        &[".js", ".mjs", ".cjs", ".ts", ".py"],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use LeaveReason as R;

    #[track_caller]
    fn check(expected: Option<R>, paths: &[&str]) {
        for path in paths {
            assert_eq!(leave_file(path), expected, "{path}");
        }
    }

    #[test]
    fn leaves_settings_credentials_and_litter() {
        check(
            Some(R::Settings),
            &[
                "config.env",
                ".env",
                ".env.local",
                "a/.env.production",
                "config.env.bak",
                "test.env",
                "config.env.example",
                "CONFIG.ENV",
            ],
        );
        check(
            Some(R::Credentials),
            &[
                ".npmrc",
                "cert/server.pem",
                "id_rsa",
                "id_rsa.pub",
                "service-account.json",
                "kubeconfig",
                "code.bin",
                "client_secret_1.json",
            ],
        );
        check(Some(R::Tooling), &[".mcp.json", ".gitignore"]);
        check(Some(R::Leftover), &["debug.log", "app.log.1", "x.js~"]);
        check(Some(R::Regenerable), &["x.pyc"]);
        check(
            Some(R::UserData),
            &[
                "memory.sqlite",
                "state/session.json",
                "dailynote/a.txt",
                "screenshot.png",
            ],
        );
        check(
            Some(R::UnportableName),
            &[
                "con.txt",
                "a:b",
                "x.",
                "x ",
                "aux",
                "COM1.txt",
                "a\nb",
                "git~1",
                "a\u{200B}b",
            ],
        );
        check(
            None,
            &[
                "index.js",
                "env.js",
                "environment.md",
                "-rf",
                "modules/env.py",
                "data.json",
                "a.zip",
                "console.js",
                "参数.txt",
                "key.js",
            ],
        );
    }

    /// The server, the nodes and the validator have equivalent tests. Examples of env files are
    /// left out although they are not private: their keys go into `assets/`.
    #[test]
    fn leaves_what_is_private_and_nothing_else() {
        for (path, private) in skill_model::private_cases() {
            let parts = path.split('/');
            let closed = parts.rev().skip(1).find_map(leave_directory);
            let left = closed.or_else(|| leave_file(&path));
            let name = path.rsplit('/').next().unwrap_or_default();
            if private.is_none() && is_env_file(&name.to_lowercase()) {
                assert_eq!(left, Some(R::Settings), "{path}");
            } else {
                assert_eq!(left.is_some(), private.is_some(), "{path}");
            }
        }
    }

    #[test]
    fn enters_directories_of_the_plugin_only() {
        let check = |name: &str, expected| {
            assert_eq!(leave_directory(name), expected, "{name}");
        };
        check("node_modules", Some(R::Regenerable));
        check("target", Some(R::Regenerable));
        check(".git", Some(R::Tooling));
        check(".ssh", Some(R::Credentials));
        check("lib", None);
    }
}
