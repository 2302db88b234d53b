//! Settings that restrict a program, and its behavior while they have no value.
//!
//! There are three kinds of evidence: the name ([`name`]), descriptions and comments ([`text`]),
//! and the use of the value in code. The values of one installation are not copied, so a guard is
//! open after a migration unless the program has a default.

mod effect;
mod name;
mod place;
mod text;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::ConfigKey;
use skill_diagnostics::Diagnostic;
use skill_model::{EnvLine, Guard, GuardKind, Unset, env_lines};

use crate::{
    carry,
    code::{self, CodeFacts, Fallback, SettingUse},
    codes::GUARD_OPEN,
    plugin::Plugin,
};

use effect::{Effect, Object, Sense};

/// Returns the restricting settings, sorted by key, and a finding for each open one.
pub(crate) fn read(
    plugin: &Plugin<'_>,
    code: &CodeFacts,
    undeclared: &[String],
) -> (Vec<Guard>, Vec<Diagnostic>) {
    let declared = plugin.package.config.keys.iter();
    let types: BTreeMap<&str, &ConfigKey> = declared.map(|key| (&key.key[..], key)).collect();
    let mut keys: BTreeSet<&str> = types.keys().copied().collect();
    keys.extend(undeclared.iter().map(String::as_str));
    let uses = code::setting_uses(&code.files, plugin.texts, &keys);
    let comments = comments(plugin);
    let none = SettingUse::default();
    let guards: Vec<Guard> = keys
        .into_iter()
        .filter_map(|key| {
            let declared = types.get(key).copied();
            let said = said(declared, comments.get(key));
            // A program that reaches everything needs no list of directories.
            let is_place = !code.leaves_host && declared.is_some_and(place::is_named);
            let witness = Witness {
                key,
                is_boolean: declared.is_some_and(is_boolean),
                is_number: declared.is_some_and(is_number),
                said,
                is_place,
                used: uses.get(key).unwrap_or(&none),
            };
            witness.guard()
        })
        .collect();
    let findings = guards.iter().filter(|guard| guard.is_open_without_value());
    let findings = findings.map(|guard| finding(guard, types.get(&guard.key[..]).copied()));
    let findings = findings.collect();
    (guards, findings)
}

/// Returns whether a setting that only the code names is worth listing as a key.
pub(crate) fn is_guard_name(key: &str) -> bool {
    name::read(key).is_some_and(|effect| matches!(effect.sense, Sense::List | Sense::Switch))
}

/// Returns true for a directory in which a program works, rather than a list of those that it may reach: only
/// its name says so, and without a value the program uses another one.
pub(crate) fn is_place(guard: &Guard) -> bool {
    guard.kind == GuardKind::AllowDirectories
        && guard.unset == Unset::Default
        && !guard.evidence.iter().any(|evidence| evidence == "text")
        && !is_guard_name(&guard.key)
}

fn finding(guard: &Guard, declared: Option<&ConfigKey>) -> Diagnostic {
    let message = format!(
        "the setting `{}` restricts the program ({}) and has no value, so nothing is refused",
        guard.key,
        guard.kind.word()
    );
    let pointer = declared.map_or("/configSchema", |key| &key.place.pointer);
    let help = "set it at run time, or approve the skill as it is";
    Diagnostic::warning(GUARD_OPEN, message)
        .at_pointer(pointer)
        .with_help(help)
}

/// Returns the comments directly above each key of env files.
fn comments(plugin: &Plugin<'_>) -> BTreeMap<String, String> {
    let mut acc: BTreeMap<String, String> = BTreeMap::new();
    let env_files = plugin
        .texts
        .iter()
        .filter(|(path, _)| !path.contains('/') && carry::is_env_file(&path.to_ascii_lowercase()));
    for (_, text) in env_files {
        let mut above = String::new();
        for line in env_lines(text) {
            match line {
                EnvLine::Comment(comment) => above.extend([&comment[..], "\n"]),
                EnvLine::Blank => above.clear(),
                EnvLine::Key(key) | EnvLine::Optional(key) => {
                    acc.entry(key)
                        .or_default()
                        .push_str(&std::mem::take(&mut above));
                }
            }
        }
    }
    acc
}

fn said(declared: Option<&ConfigKey>, comment: Option<&String>) -> text::TextEvidence {
    let description = declared.and_then(|key| key.description.as_ref());
    let mut all = description.map_or_else(String::new, |field| field.value.clone() + "\n");
    all.push_str(comment.map_or("", String::as_str));
    text::read(&all)
}

fn type_word(key: &ConfigKey) -> String {
    let word = key.type_word.as_ref();
    word.map_or_else(String::new, |field| field.value.trim().to_lowercase())
}

fn is_boolean(key: &ConfigKey) -> bool {
    let word = type_word(key);
    word.starts_with("bool") || word.starts_with("布尔")
}

fn is_number(key: &ConfigKey) -> bool {
    let word = type_word(key);
    ["int", "number", "float", "整数", "数字"]
        .iter()
        .any(|start| word.starts_with(start))
}

/// All evidence about one setting.
struct Witness<'a> {
    key: &'a str,
    is_boolean: bool,
    is_number: bool,
    said: text::TextEvidence,
    /// It names a directory in which the program works.
    is_place: bool,
    used: &'a SettingUse,
}

impl Witness<'_> {
    fn guard(&self) -> Option<Guard> {
        let found = self.by_name().or_else(|| self.by_words());
        let (kind, unset) = found.or_else(|| self.by_place())?;
        Some(Guard {
            key: self.key.to_owned(),
            kind,
            unset,
            evidence: self.evidence(),
        })
    }

    fn evidence(&self) -> Vec<String> {
        let mut res = Vec::new();
        let is_named = name::read(self.key).is_some_and(|effect| effect.sense != Sense::Weak);
        if is_named || self.is_place {
            res.push("name".to_owned());
        }
        if self.said.list.is_some() || self.said.authentication {
            res.push("text".to_owned());
        }
        if self.used.check.is_some() || self.used.fallback.is_some() {
            res.push(format!("code {}", self.used.file));
        }
        res
    }

    fn is_switch(&self) -> bool {
        self.is_boolean || self.used.is_switch || self.said.is_switch && !self.used.is_split
    }

    fn by_name(&self) -> Option<(GuardKind, Unset)> {
        let effect = name::read(self.key)?;
        let unset = match effect.sense {
            Sense::Limit if effect.verbs => self.unset(),
            Sense::Limit => Unset::Default,
            Sense::Switch => self.unset(),
            Sense::List | Sense::ListOrSwitch if self.is_switch() => return self.switch(effect),
            _ if self.is_number => return None,
            // `ALLOW_X` without a noun for list items is a switch, unless it is split.
            Sense::ListOrSwitch if !effect.object.is_serious() && !self.used.is_split => {
                return self.switch(effect);
            }
            Sense::Weak => return self.weak(effect),
            Sense::List | Sense::ListOrSwitch if effect.object.is_serious() => self.unset(),
            Sense::List | Sense::ListOrSwitch => self.lenient(effect.kind),
        };
        Some((self.named_better(effect), unset))
    }

    /// Returns a better kind for a list whose name does not say what it lists.
    fn named_better(&self, effect: Effect) -> GuardKind {
        let is_unnamed = matches!(effect.kind, GuardKind::AllowList | GuardKind::DenyList);
        match self.said.list {
            Some((is_allowing, Some(object)))
                if is_unnamed && effect.object == Object::Anything =>
            {
                object.kind(is_allowing)
            }
            _ => effect.kind,
        }
    }

    /// Judges a list of exclusions: a guard only if a text or the code confirms it.
    fn weak(&self, effect: Effect) -> Option<(GuardKind, Unset)> {
        let speaks = self.said.list.is_some() || self.used.check.is_some();
        (speaks && effect.object.is_serious()).then(|| (effect.kind, self.unset()))
    }

    /// Judges a switch: `ALLOW_SHELL` grants more when it is on, `BLOCK_PRIVATE_IPS` less.
    fn switch(&self, effect: Effect) -> Option<(GuardKind, Unset)> {
        let is_loosening = effect.kind.word().starts_with("allow");
        if !is_loosening {
            return Some((effect.kind, self.unset()));
        }
        let is_open = self.used.fallback == Some(Fallback::On);
        let unset = if is_open { Unset::Open } else { Unset::Default };
        effect.verbs.then_some((GuardKind::Permission, unset))
    }

    /// Judges a setting whose name has no meaning.
    fn by_words(&self) -> Option<(GuardKind, Unset)> {
        if self.said.authentication {
            return Some((GuardKind::Authentication, self.unset()));
        }
        if self.is_switch() || self.is_number {
            return None;
        }
        if let Some(check) = &self.used.check {
            let object = self.object_of_check(check);
            let kind = object.kind(check.is_allowing);
            let unset = if object.is_serious() {
                self.unset()
            } else {
                self.lenient(kind)
            };
            return Some((kind, unset));
        }
        let (is_allowing, object) = self.said.list?;
        let is_list = self.used.is_split || self.said.when_empty == Some(Unset::Open);
        let object = object.filter(|object| object.is_serious() && is_list)?;
        Some((object.kind(is_allowing), self.unset()))
    }

    /// Judges a setting that names a directory. Without a value the program has no such place.
    fn by_place(&self) -> Option<(GuardKind, Unset)> {
        let is_text = !self.is_switch() && !self.is_number;
        let unset = match self.used.fallback {
            Some(Fallback::Ends) => Unset::Closed,
            _ => Unset::Default,
        };
        (is_text && self.is_place).then_some((GuardKind::AllowDirectories, unset))
    }

    /// Returns the items of a list that only the code shows, by its name, the texts, and the words
    /// near the check.
    fn object_of_check(&self, check: &code::ListCheck) -> Object {
        let words = name::words(self.key);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        name::object(&words)
            .or(self.said.list.and_then(|(_, object)| object))
            .or_else(|| near(&check.around))
            .unwrap_or(Object::Other)
    }

    fn unset(&self) -> Unset {
        match self.used.fallback {
            _ if self.said.when_empty == Some(Unset::Closed) => Unset::Closed,
            Some(Fallback::Value | Fallback::On) if self.said.when_empty.is_none() => {
                Unset::Default
            }
            Some(Fallback::Ends) => Unset::Closed,
            _ => Unset::Open,
        }
    }

    /// Does the same for a list without serious effects. A list of refused file types refuses
    /// nothing without a value, unless the code has a default.
    fn lenient(&self, kind: GuardKind) -> Unset {
        match self.used.fallback {
            _ if kind == GuardKind::DenyFiles || self.said.when_empty == Some(Unset::Closed) => {
                self.unset()
            }
            Some(Fallback::Ends) => Unset::Closed,
            _ => Unset::Default,
        }
    }
}

/// Returns the subject of the words around a check of a list.
fn near(around: &[String]) -> Option<Object> {
    const SIGNS: [(Object, &[&str]); 5] = [
        (
            Object::Directories,
            &[
                "startswith",
                "commonpath",
                "is_relative_to",
                "realpath",
                "realpathsync",
                "abspath",
                "resolve",
            ],
        ),
        (Object::Hosts, &["hostname", "urlparse", "netloc", "domain"]),
        (
            Object::Commands,
            &["command", "cmd", "exec", "spawn", "execfile"],
        ),
        (
            Object::Users,
            &["user", "sender", "userid", "user_id", "group"],
        ),
        (Object::Patterns, &["regexp", "re"]),
    ];
    let has = |signs: &[&str]| around.iter().any(|word| signs.contains(&&word[..]));
    let by_sign = SIGNS
        .iter()
        .find(|(_, signs)| has(signs))
        .map(|(object, _)| *object);
    by_sign.or_else(|| around.iter().find_map(|text| text::object(text)))
}
