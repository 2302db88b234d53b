//! Placeholders in the entries of servers: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${input:x}`,
//! `${user_config.x}`, and the directories of hosts.

use std::ops::Range;

use plugin_model::{Place, ServerSetting};
use serde_json::Value;
use skill_model::{REDACTED, is_secret_name, scan_secrets};

/// The settings that were found, by the order in which they occur.
#[derive(Default, Debug)]
pub(super) struct Settings {
    pub(super) found: Vec<ServerSetting>,
    /// The keys of those that replace a value of the entry.
    pub(super) replaced: Vec<String>,
    /// True if a text names the directory of the package.
    pub(super) uses_files: bool,
}

/// The names of the directory of the package.
const OWN_DIRECTORIES: [&str; 6] = [
    "__dirname",
    "CLAUDE_PLUGIN_ROOT",
    "PLUGIN_ROOT",
    "extensionPath",
    "CURSOR_PLUGIN_ROOT",
    "CODEX_PLUGIN_ROOT",
];
/// The names of directories in which the server may write.
const DATA_DIRECTORIES: [&str; 4] = ["HOME", "CLAUDE_PLUGIN_DATA", "PLUGIN_DATA", "userHome"];

impl Settings {
    /// Adds a setting in the place of a value of the entry.
    pub(super) fn replace(&mut self, setting: ServerSetting) {
        if !self.replaced.contains(&setting.key) {
            self.replaced.push(setting.key.clone());
        }
        self.add(setting);
    }

    /// Adds a setting; what is known of one with the same key is completed.
    pub(super) fn add(&mut self, setting: ServerSetting) {
        let Some(known) = self.found.iter_mut().find(|known| known.key == setting.key) else {
            self.found.push(setting);
            return;
        };
        known.is_secret |= setting.is_secret;
        known.is_required |= setting.is_required;
        known.default = known.default.take().or(setting.default);
        if known.description.is_empty() {
            known.description = setting.description;
        }
    }

    /// Returns a text with `${KEY}` in place of each placeholder, and adds the settings. `near` is the
    /// name of the variable or header that the text is for.
    pub(super) fn text(&mut self, text: &str, near: &str, place: &Place) -> String {
        let mut res = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((inner, tail)) = after.split_once('}') else {
                break;
            };
            res.push_str(before);
            res.push_str(&self.placeholder(inner, near, place));
            rest = tail;
        }
        res.push_str(rest);
        res
    }

    /// Returns a text with a setting in place of each secret that it has literally, also of one that was
    /// redacted. `name` is that of the variable, header or flag that the text is for.
    pub(super) fn without_secrets(&mut self, text: &str, name: &str, place: &Place) -> String {
        let mut ranges: Vec<Range<usize>> =
            scan_secrets(text).into_iter().map(|it| it.range).collect();
        let redacted = text.match_indices(REDACTED);
        ranges.extend(redacted.map(|(at, word)| at..at + word.len()));
        ranges.sort_by_key(|range| range.start);
        if ranges.is_empty() {
            return text.to_owned();
        }
        let key = match setting_key(name.trim_start_matches('-')) {
            key if name.is_empty() || key.trim_matches('_').is_empty() => "SECRET".to_owned(),
            key => key,
        };
        self.replace(ServerSetting {
            key: key.clone(),
            description: String::new(),
            kind: "string",
            default: None,
            choices: Vec::new(),
            is_secret: true,
            is_required: true,
            is_directory: false,
            place: place.clone(),
        });
        let placeholder = format!("${{{key}}}");
        let mut res = String::new();
        let mut at = 0;
        for range in ranges.into_iter().filter(|range| range.start < range.end) {
            if range.start >= at {
                res.push_str(&text[at..range.start]);
                res.push_str(&placeholder);
                at = range.end;
            }
        }
        res.push_str(&text[at..]);
        res
    }

    fn placeholder(&mut self, inner: &str, near: &str, place: &Place) -> String {
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inner, None),
        };
        let prefixes = ["env:", "input:", "user_config.", "env."];
        let bare = prefixes
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))
            .unwrap_or(name);
        match name {
            "/" | "pathSeparator" => return "/".to_owned(),
            name if OWN_DIRECTORIES.contains(&name) => {
                self.uses_files = true;
                return "${SKILL_DIR}".to_owned();
            }
            name if DATA_DIRECTORIES.contains(&name) => return "${HOME}".to_owned(),
            _ => {}
        }
        let key = setting_key(bare);
        if self.found.iter().any(|known| known.key == key) {
            return format!("${{{key}}}");
        }
        let is_secret = is_secret_name(&key)
            || near.eq_ignore_ascii_case("authorization")
            || is_secret_name(near);
        self.add(ServerSetting {
            key: key.clone(),
            description: String::new(),
            kind: "string",
            default: default.map(Value::from),
            choices: Vec::new(),
            is_secret,
            is_required: default.is_none(),
            is_directory: false,
            place: place.clone(),
        });
        format!("${{{key}}}")
    }
}

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
