//! Settings that restrict a program (`config.guards`): which of them are open, and what the
//! directories of an `allow-directories` guard mean for the sandbox.
//!
//! A value counts if the program gets it: from the configuration of the call, or from the
//! environment for a key that METADATA.yml passes on. A value inside the skill itself never counts.

use std::path::{Component, Path, PathBuf};

use skill_model::{Guard, GuardKind, read_env_file};

use crate::call::Call;
use crate::envelope::Warning;
use crate::view::View;

/// Returns the guards that are open without a value and have none, in the order of METADATA.yml.
pub fn open<'c>(call: &Call<'c>) -> Vec<&'c Guard> {
    let guards = call.skill.metadata.config.guards.iter();
    let open = guards.filter(|guard| guard.is_open_without_value());
    open.filter(|guard| value(call, &guard.key).is_none())
        .collect()
}

/// Returns true if `approval: required` applies only until every guard has a value.
pub(crate) fn are_all_set(call: &Call<'_>) -> bool {
    let metadata = &call.skill.metadata;
    let permissions = &metadata.permissions;
    let is_for_guards = permissions.approval_for == ["guards"] && !permissions.admin;
    is_for_guards && open(call).is_empty()
}

/// Describes the need of a call with an open guard, as a sentence for a person.
pub(crate) fn need(call: &Call<'_>) -> Option<String> {
    let open = open(call);
    if open.is_empty() {
        return None;
    }
    let names = open
        .iter()
        .map(|guard| format!("`{}` ({})", guard.key, guard.kind.word()));
    let names: Vec<String> = names.collect();
    Some(format!(
        "skill `{0}` has no value for {1}, so its program refuses nothing; set it with `skills-run configure {0} {2}=…`, or as a line `{2}=…` of the file for --config",
        call.skill.metadata.name,
        names.join(", "),
        open[0].key
    ))
}

/// Returns a warning for each open guard, and for each guard whose directories the sandbox does not
/// open.
pub(crate) fn warnings(call: &Call<'_>) -> Vec<Warning> {
    let warning = |code, message| Warning {
        code,
        message,
        pointer: None,
    };
    let open = open(call).into_iter().map(|guard| {
        let (key, kind) = (&guard.key, guard.kind.word());
        let message = format!(
            "the setting `{key}` ({kind}) has no value, so the program refuses nothing; set it in the configuration"
        );
        warning("guard-open", message)
    });
    let unopened = unopened(call).into_iter().map(|(key, value)| {
        let value = value.escape_debug();
        let message = format!(
            "the setting `{key}` (allow-directories) has the value `{value}` from the environment alone, which opens no directory; to open them, store it with `skills-run configure`, or write the line `{key}={value}` into the file for --config"
        );
        warning("guard-opens-nothing", message)
    });
    open.chain(unopened).collect()
}

/// Returns the guards of directories that have a value for the program, but none in the user's
/// file, which alone opens directories; none without a sandbox.
fn unopened<'c>(call: &Call<'c>) -> Vec<(&'c str, String)> {
    if call.host.sandbox.at_least.is_none() {
        return Vec::new();
    }
    let guards = call.skill.metadata.config.guards.iter();
    let guards = guards.filter(|guard| guard.kind == GuardKind::AllowDirectories);
    guards
        .filter(|guard| in_file(call, &guard.key).is_none_or(|value| is_blank(&value)))
        .filter_map(|guard| Some((guard.key.as_str(), value(call, &guard.key)?)))
        .collect()
}

/// The value of a setting that the program gets to see, if it is not blank.
fn value(call: &Call<'_>, key: &str) -> Option<String> {
    let is_handed_on = |known: &String| known == key;
    let environment = &call.skill.metadata.permissions.environment;
    let in_environment = || {
        let found = call.host.environment.get(key);
        found
            .filter(|_| environment.iter().any(is_handed_on))
            .cloned()
    };
    let found = call.config.text(key);
    let found = found.or_else(|| in_file(call, key)).or_else(in_environment);
    found.filter(|value| !is_blank(value))
}

/// Returns true if a value names nothing: blanks, or a list without entries, in any notation.
fn is_blank(value: &str) -> bool {
    value
        .chars()
        .all(|char| char.is_whitespace() || ",;，；、|[]{}()\"'".contains(char))
}

/// The value of a setting in the user's own file.
pub(crate) fn in_file(call: &Call<'_>, key: &str) -> Option<String> {
    let file = read_env_file(&call.config.file.as_ref()?.text);
    let found = file.into_iter().find(|(known, _)| known == key);
    found.map(|(_, value)| value)
}

/// The directories that the guards let a program access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// There is no guard of directories.
    Unguarded,
    /// These, besides the skill's own; none while the guards have no value.
    Only(Vec<PathBuf>),
}

impl Reach {
    /// Returns the value of `permissions.filesystem` that applies with the guards. Values that
    /// grant less than `skill` stay the same.
    pub(crate) fn word<'w>(&self, word: &'w str) -> &'w str {
        match (self, word) {
            (_, "none" | "read-only") | (Self::Unguarded, _) => word,
            (Self::Only(_), _) => "skill",
        }
    }

    /// Returns the directories that are added to those of the word.
    pub(crate) fn directories(&self) -> &[PathBuf] {
        match self {
            Self::Only(dirs) => dirs,
            Self::Unguarded => &[],
        }
    }
}

/// Reads the directories of all guards, from the user's file alone: METADATA.yml chooses the keys, and
/// a key such as `HOME` has a value in every environment. While a guard has no value it adds nothing,
/// also where the call was approved.
pub(crate) fn reach(call: &Call<'_>, view: &View) -> Reach {
    if call.host.sandbox.is_own_only {
        return Reach::Only(Vec::new());
    }
    let metadata = &call.skill.metadata;
    let guards = metadata.config.guards.iter();
    let guards: Vec<&Guard> = guards
        .filter(|guard| guard.kind == GuardKind::AllowDirectories)
        .collect();
    if guards.is_empty() {
        return Reach::Unguarded;
    }
    let values: Vec<String> = guards
        .iter()
        .filter_map(|guard| in_file(call, &guard.key))
        .collect();
    let dirs = values.iter().flat_map(|value| directories(value, view));
    Reach::Only(dirs.collect())
}

/// Returns the directories in a value: a JSON list, or a text with commas, semicolons or line ends.
/// Relative directories count only inside the plugin's directory; what is next to it belongs to
/// other skills.
fn directories(value: &str, view: &View) -> Vec<PathBuf> {
    let items = listed(value);
    let items = items.iter().map(|item| item.trim());
    let dirs = items.filter(|item| !item.is_empty()).filter_map(|item| {
        let dir = normal(&view.cwd.join(item));
        let is_own = dir.starts_with(&view.plugin);
        (Path::new(item).is_absolute() && !dir.starts_with(&view.base) || is_own).then_some(dir)
    });
    dirs.collect()
}

/// Returns the items of a value: a JSON list, or a text with commas, semicolons or line ends.
pub(crate) fn listed(value: &str) -> Vec<String> {
    let listed: Option<Vec<String>> = serde_json::from_str(value).ok();
    listed.unwrap_or_else(|| {
        let items = value.split([',', ';', '\n']);
        let items = items.map(|item| item.trim_matches(QUOTES).to_owned());
        items.filter(|item| !item.is_empty()).collect()
    })
}

/// Characters that may surround a path in a list.
const QUOTES: [char; 5] = [' ', '"', '\'', '[', ']'];

/// The same path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut res = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                res.pop();
            }
            Component::CurDir => {}
            other => res.push(other),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: &[&str]) {
        let view = View {
            packages: crate::view::InstalledPackages::default(),
            base: "/state/legacy".into(),
            plugin: "/state/legacy/Plugin/Desk".into(),
            cwd: "/state/legacy/Plugin/Desk".into(),
            home: "/state/home/desk".into(),
            shared: Vec::new(),
            beside: None,
            neighbours: Vec::new(),
        };
        let found = directories(value, &view);
        let found: Vec<String> = found.iter().map(|dir| dir.display().to_string()).collect();
        assert_eq!(found, expected, "{value}");
    }

    #[test]
    fn directories_of_a_value() {
        check(
            "/srv/a, /srv/b/../c ;\"/srv/d\"",
            &["/srv/a", "/srv/c", "/srv/d"],
        );
        check(
            r#"["/srv/a", "notes"]"#,
            &["/srv/a", "/state/legacy/Plugin/Desk/notes"],
        );
        check(
            "../.., ../Other, /state/legacy/Plugin/Other, ./x",
            &["/state/legacy/Plugin/Desk/x"],
        );
        check("/", &["/"]);
        check(" , ", &[]);
    }

    #[test]
    fn a_guard_takes_the_place_of_any() {
        let only = Reach::Only(vec!["/srv".into()]);
        let words = |reach: &Reach| {
            ["none", "read-only", "skill", "any"].map(|word| reach.word(word).to_owned())
        };
        assert_eq!(
            words(&Reach::Unguarded),
            ["none", "read-only", "skill", "any"]
        );
        assert_eq!(words(&only), ["none", "read-only", "skill", "skill"]);
    }
}
