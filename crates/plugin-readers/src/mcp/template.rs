//! Placeholders in the entries of servers: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${input:x}`,
//! `${user_config.x}`, and the directories of hosts.

use std::ops::Range;

use plugin_model::{Place, ServerSetting};
use serde_json::Value;
use skill_model::{REDACTED, is_secret_name, scan_secrets};

use super::keys::of_server;
pub(super) use super::keys::{is_blank, own_key, setting_key};
use super::literal::{self, Literal};
use super::shape::secret_parts;

/// The settings that were found, by the order in which they occur.
#[derive(Default, Debug)]
pub(super) struct Settings {
    pub(super) found: Vec<ServerSetting>,
    /// The name of the server.
    server: String,
    /// The keys of those that replace a value of the entry.
    pub(super) replaced: Vec<String>,
    /// The values that were replaced, with the keys of their settings.
    values: Vec<(String, String)>,
    /// True if a text names the directory of the package.
    pub(super) uses_files: bool,
}

/// The names of the directory of the package.
const OWN_DIRECTORIES: [&str; 7] = [
    "SKILL_DIR",
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
    /// Returns no settings of a server.
    pub(super) fn of(server: &str) -> Self {
        Self {
            server: server.to_owned(),
            ..Self::default()
        }
    }

    /// Returns the key of a setting of this name.
    pub(super) fn named(&self, name: &str) -> String {
        own_key(&self.server, setting_key(name.trim_start_matches('-')))
    }

    /// Returns the key of a setting with the name of the server before it: `SONGS_LOGIN`.
    pub(super) fn of_server(&self, name: &str) -> String {
        of_server(&self.server, name)
    }

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

    /// Returns the key of a setting for a value: another one for each value. What was redacted may be
    /// another value each time.
    pub(super) fn key_of(&mut self, key: String, value: &str) -> String {
        let numbered = (2..).map(|number| format!("{key}_{number}"));
        let mut keys = std::iter::once(key.clone()).chain(numbered);
        let is_free = |key: &String| {
            let known = self.values.iter().find(|(known, _)| known == key);
            known.is_none_or(|(_, known)| known == value && !value.contains(REDACTED))
        };
        let key = keys.find(is_free).unwrap_or(key);
        self.values.push((key.clone(), value.to_owned()));
        key
    }

    /// Returns a word of a command line with settings in place of secrets. `flag` is the word before it,
    /// and `name` the name that the word is the value of.
    pub(super) fn argument(&mut self, word: &str, flag: &str, name: &str, place: &Place) -> String {
        if literal::is_name(flag) && literal::is_value_of(flag, word) {
            let key = self.key_of(self.named(flag), word);
            self.replace(secret(key.clone(), place));
            return format!("${{{key}}}");
        }
        let (flag, login) = match word.split_once('=') {
            Some((flag, value)) if literal::is_name(flag) => (flag, value),
            _ => (flag, word),
        };
        if let Some(range) = literal::password_of(flag, login) {
            let start = word.len() - login.len() + range.start;
            let key = self.key_of(self.named("PASSWORD"), &word[start..]);
            self.replace(secret(key.clone(), place));
            return format!("{}${{{key}}}", &word[..start]);
        }
        self.without_secrets(word, name, place)
    }

    /// Returns the address of a server with settings in place of placeholders and of secrets, also of the random
    /// parts of its path.
    pub(super) fn address(&mut self, written: &str, place: &Place) -> String {
        let mut url = written.to_owned();
        for part in secret_parts(written) {
            let key = self.key_of(self.named("ADDRESS_SECRET"), part);
            self.replace(ServerSetting {
                description: "secret part of the address of the server".to_owned(),
                ..secret(key.clone(), place)
            });
            url = url.replacen(part, &format!("${{{key}}}"), 1);
        }
        let url = self.without_secrets(&url, "", place);
        self.text(&url, "", place)
    }

    /// Returns a text with a setting in place of each secret that it has literally, also of one that was
    /// redacted. `name` is that of the variable, header or flag that the text is for.
    pub(super) fn without_secrets(&mut self, text: &str, name: &str, place: &Place) -> String {
        let key = match self.named(name) {
            key if name.is_empty() || key.trim_matches('_').is_empty() => None,
            key => Some(key),
        };
        let mut res = String::new();
        let mut at = 0;
        for it in secrets(text) {
            let named = it.name.as_deref().or(query_name(text, it.range.start));
            let own = named.map(|name| self.named(name)).or(key.clone());
            let own = match own {
                Some(key) if it.is_password => format!("{key}_PASSWORD"),
                None if it.is_password => "PASSWORD".to_owned(),
                own => own.unwrap_or_else(|| "SECRET".to_owned()),
            };
            let own = self.key_of(own, &text[it.range.clone()]);
            self.replace(secret(own.clone(), place));
            res.push_str(&text[at..it.range.start]);
            res.extend(["${", &own, "}"]);
            at = it.range.end;
        }
        res.push_str(&text[at..]);
        res
    }

    fn placeholder(&mut self, inner: &str, near: &str, place: &Place) -> String {
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inner, None),
        };
        if let Some(path) = inner.strip_prefix("file:") {
            return self.content(path.trim(), near, place);
        }
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
        let key = self.named(bare);
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

    /// Adds the setting in the place of the content of a file, which a host reads for its user. Most such
    /// files have a token.
    fn content(&mut self, path: &str, near: &str, place: &Place) -> String {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let stem = name.trim_start_matches('.').split('.').next();
        let near = near.trim_start_matches('-');
        let name = if near.is_empty() {
            stem.unwrap_or(name)
        } else {
            near
        };
        let key = self.key_of(self.named(name), path);
        self.add(ServerSetting {
            description: format!("The content of the file `{path}`, which the old host read."),
            ..secret(key.clone(), place)
        });
        format!("${{{key}}}")
    }
}

/// Returns true for a value that is a secret, by its name or by itself, or was one before it was redacted.
pub(super) fn is_secret_value(name: &str, value: &str) -> bool {
    literal::is_value_of(name, value) || !secrets(value).is_empty()
}

/// Returns the setting in the place of a secret.
pub(super) fn secret(key: String, place: &Place) -> ServerSetting {
    ServerSetting {
        key,
        description: String::new(),
        kind: "string",
        default: None,
        choices: Vec::new(),
        is_secret: true,
        is_required: true,
        is_directory: false,
        place: place.clone(),
    }
}

/// Returns the name of the part of the query of an address at this offset.
fn query_name(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at).filter(|before| before.contains("://"))?;
    let (_, part) = before.rsplit_once(['?', '&'])?;
    let (name, _) = part.split_once('=')?;
    literal::is_name(name).then_some(name)
}

/// Returns the secrets in a text, in its order and without overlaps.
fn secrets(text: &str) -> Vec<Literal> {
    let unnamed = |range: Range<usize>| Literal {
        range,
        name: None,
        is_password: false,
    };
    let mut found = literal::find(text);
    found.extend(scan_secrets(text).into_iter().map(|it| unnamed(it.range)));
    let redacted = text.match_indices(REDACTED);
    found.extend(redacted.map(|(at, word)| unnamed(at..at + word.len())));
    found.retain(|it| !it.range.is_empty());
    // The sort is stable: what has a name is first.
    found.sort_by_key(|it| it.range.start);
    let mut res: Vec<Literal> = Vec::new();
    for it in found {
        match res.last_mut() {
            Some(last) if it.range.start < last.range.end => {
                last.range.end = last.range.end.max(it.range.end);
                last.is_password |= it.is_password;
                last.name = last.name.take().or(it.name);
            }
            _ => res.push(it),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_random_part_of_an_address_is_a_setting() {
        let (one, two) = ("NzI3Zjk1ZDItYTQ2NC00MDUx", "Qm9iX3NlY3JldF9wYXJ0XzQ3");
        for (url, expected) in [
            (
                format!("https://a.example/u/{one}/s/{two}/mcp"),
                "https://a.example/u/${ADDRESS_SECRET}/s/${ADDRESS_SECRET_2}/mcp",
            ),
            (
                format!("https://a.example/{one}/{one}"),
                "https://a.example/${ADDRESS_SECRET}/${ADDRESS_SECRET}",
            ),
        ] {
            let place = Place::new(&"a.json".into(), String::new());
            assert_eq!(Settings::of("a").address(&url, &place), expected);
        }
    }
}
