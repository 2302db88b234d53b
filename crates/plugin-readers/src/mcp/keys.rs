//! Keys of settings, and values that are none.

/// The places of a token in the entry of a server, with the names of their settings.
pub(super) const TOKENS: [(&str, &str); 2] = [
    ("authorization_token", "/authorization_token"),
    ("auth_token", "/auth/token"),
];

/// Returns the key of a setting: capitals, digits and underscores.
pub(super) fn setting_key(name: &str) -> String {
    let mut res = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && was_lower {
            res.push('_');
        }
        was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        res.push(if c.is_ascii_alphanumeric() {
            c.to_ascii_uppercase()
        } else {
            '_'
        });
    }
    if res.is_empty() || res.starts_with(|c: char| c.is_ascii_digit()) {
        res.insert(0, '_');
    }
    res
}

/// Variables that the system, a shell or a login sets: the value of a setting of this name would be about
/// something else.
const OF_SYSTEM: [&str; 30] = [
    "DISPLAY",
    "EDITOR",
    "EUID",
    "HOME",
    "HOSTNAME",
    "IFS",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "MAIL",
    "OLDPWD",
    "PATH",
    "PPID",
    "PWD",
    "RANDOM",
    "SECONDS",
    "SHELL",
    "SHLVL",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "UID",
    "USER",
    "USERNAME",
    "USERPROFILE",
    "APPDATA",
    "COMSPEC",
    "SYSTEMROOT",
];

/// Returns a key that the system does not set: one that it sets gets the name of the server before it.
pub(super) fn own_key(server: &str, key: String) -> String {
    let is_of_system = OF_SYSTEM.contains(&key.as_str())
        || ["LC_", "XDG_", "SSH_"]
            .iter()
            .any(|start| key.starts_with(start));
    if !is_of_system {
        return key;
    }
    of_server(server, &key)
}

/// Returns a key with the name of the server before it.
pub(super) fn of_server(server: &str, key: &str) -> String {
    let server = setting_key(server);
    let server = server.trim_matches('_');
    let server = if server.is_empty() { "SERVER" } else { server };
    format!("{server}_{key}")
}

/// Returns true for the key of an entry that names nothing, so that no skill can have its name.
pub(super) fn is_nameless(key: &str) -> bool {
    !key.contains(char::is_alphanumeric)
}

/// Returns true for a value that the user has to replace: `<your token>`, `YOUR_API_KEY`, `xxx`.
pub(super) fn is_blank(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_bracketed = value.starts_with('<') && value.ends_with('>');
    let marks = [
        "your",
        "xxx",
        "changeme",
        "replace",
        "placeholder",
        "insert-",
        "...",
        "…",
    ];
    value.is_empty() || is_bracketed || marks.iter().any(|mark| lower.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_none_of_the_system() {
        for (server, name, expected) in [
            ("my-db", "pwd", "MY_DB_PWD"),
            ("db", "PATH", "DB_PATH"),
            ("db", "lc_all", "DB_LC_ALL"),
            ("数据", "home", "SERVER_HOME"),
            ("db", "api_key", "API_KEY"),
            ("db", "dbPath", "DB_PATH"),
        ] {
            assert_eq!(own_key(server, setting_key(name)), expected);
        }
    }
}
