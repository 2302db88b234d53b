//! The changes between two packages.

use std::collections::BTreeMap;

use crate::impact::Impact;
use crate::lock::{LockedInterface, PackageLock, is_other_version, skill_directory};

/// One change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Change {
    /// The skill.
    pub skill: String,
    /// The impact on users.
    pub impact: Impact,
    /// A phrase: "the command `x` is removed".
    pub what: String,
}

/// Returns the changes of skills from one package to the next, sorted by skill.
pub(crate) fn changes(from: &PackageLock, to: &PackageLock) -> Vec<Change> {
    let mut res = Vec::new();
    let mut add = |skill: &str, impact, what: String| {
        res.push(Change {
            skill: skill.to_owned(),
            impact,
            what,
        });
    };
    for name in from.skills.keys() {
        if !to.skills.contains_key(name) {
            // No caller names another version itself.
            let impact = if is_other_version(name) {
                Impact::Patch
            } else {
                Impact::Breaking
            };
            add(name, impact, "the skill is removed".to_owned());
        }
    }
    for (name, new) in &to.skills {
        let Some(old) = from.skills.get(name) else {
            add(name, Impact::Feature, "the skill is new".to_owned());
            continue;
        };
        let mut is_same = true;
        for (impact, what) in of_interface(old, new) {
            is_same = false;
            add(name, impact, what);
        }
        if is_same && files_of(from, name) != files_of(to, name) {
            add(name, Impact::Patch, "its files changed".to_owned());
        }
    }
    res.sort();
    res
}

fn files_of<'l>(lock: &'l PackageLock, skill: &str) -> BTreeMap<&'l str, &'l str> {
    let prefix = format!("skills/{}/", skill_directory(skill));
    let files = lock.files.iter();
    let inside = files.filter(|(path, _)| path.starts_with(&prefix));
    inside.map(|(path, digest)| (&**path, &**digest)).collect()
}

fn of_interface(old: &LockedInterface, new: &LockedInterface) -> Vec<(Impact, String)> {
    let mut res = Vec::new();
    match (old.runnable, new.runnable) {
        (true, false) if new.switched_off => {
            res.push((Impact::Breaking, "it is switched off now".to_owned()));
        }
        (false, true) if old.switched_off => {
            res.push((Impact::Feature, "it is switched on now".to_owned()));
        }
        (true, false) => res.push((Impact::Breaking, "it can no longer be run".to_owned())),
        (false, true) => res.push((Impact::Feature, "it can be run now".to_owned())),
        _ => {}
    }
    for (name, version) in &new.requires {
        let what = match old.requires.get(name) {
            Some(before) if before == version => continue,
            Some(before) => format!("it builds on `{name}` {version} now, before on {before}"),
            None => format!("it builds on `{name}` {version} now"),
        };
        res.push((Impact::Patch, what));
    }
    for (id, arguments) in &old.commands {
        match new.commands.get(id) {
            None => res.push((Impact::Breaking, format!("the command `{id}` is removed"))),
            Some(now) => {
                of_command(id, arguments, now, &mut res);
                of_values(id, old, new, &mut res);
            }
        }
    }
    for id in new.commands.keys() {
        if !old.commands.contains_key(id) {
            res.push((Impact::Feature, format!("the command `{id}` is new")));
        }
    }
    res
}

fn of_command(
    id: &str,
    old: &BTreeMap<String, bool>,
    new: &BTreeMap<String, bool>,
    acc: &mut Vec<(Impact, String)>,
) {
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        let what = format!("the argument `{name}` of `{id}` is removed");
        acc.push((Impact::Breaking, what));
    }
    for (name, is_required) in new {
        let (impact, what) = match (old.get(name), is_required) {
            (None | Some(false), true) => (Impact::Breaking, "is required now"),
            (None, false) => (Impact::Feature, "is new"),
            (Some(true), false) => (Impact::Feature, "is optional now"),
            _ => continue,
        };
        acc.push((impact, format!("the argument `{name}` of `{id}` {what}")));
    }
}

/// Adds the changes of the values that arguments accept. The lock of an earlier version does not say which.
fn of_values(
    id: &str,
    old: &LockedInterface,
    new: &LockedInterface,
    acc: &mut Vec<(Impact, String)>,
) {
    let known = old.accepts.get(id).into_iter().flatten();
    for (name, before) in known {
        let now = new.accepts.get(id).and_then(|all| all.get(name));
        if let Some((impact, what)) = now.and_then(|now| before.change(now)) {
            acc.push((impact, format!("the argument `{name}` of `{id}` {what}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accepted::AcceptedValues;

    /// Writes an interface as `command(required optional? name:type)`, separated by `;`; `!` for one that
    /// cannot be run, `-` for one that is switched off.
    fn lock(skills: &[(&str, &str)]) -> PackageLock {
        let interface = |text: &str| {
            let mut accepts = BTreeMap::new();
            let commands = text.trim_start_matches(['!', '-']).split(';');
            let commands = commands.filter_map(|command| {
                let (id, arguments) = command.trim_end_matches(')').split_once('(')?;
                let arguments = arguments.split_whitespace().map(|argument| {
                    let (name, kind) = argument.split_once(':').unwrap_or((argument, ""));
                    let bare = name.trim_end_matches('?').to_owned();
                    let schema = serde_json::json!({"type": (!kind.is_empty()).then_some(kind)});
                    let values = AcceptedValues::new(&schema);
                    let known: &mut BTreeMap<_, _> = accepts.entry(id.to_owned()).or_default();
                    known.insert(bare.clone(), values);
                    (bare, !name.ends_with('?'))
                });
                Some((id.to_owned(), arguments.collect()))
            });
            let commands = commands.collect();
            LockedInterface {
                runnable: !text.starts_with(['!', '-']),
                switched_off: text.starts_with('-'),
                commands,
                accepts,
                ..LockedInterface::default()
            }
        };
        let locked = skills.iter().map(|(name, text)| {
            let bare = name.trim_end_matches('\'').to_owned();
            (bare, interface(text))
        });
        let files = skills.iter().map(|(name, _)| {
            let path = format!("skills/{}/SKILL.md", name.trim_end_matches('\''));
            (path, (*name).to_owned())
        });
        PackageLock::new("x", "1.0.0".to_owned(), locked.collect(), files.collect())
    }

    #[track_caller]
    fn check(from: &[(&str, &str)], to: &[(&str, &str)], expected: &[&str]) {
        let found = changes(&lock(from), &lock(to));
        let found = found
            .iter()
            .map(|it| format!("{} {}: {}", it.impact.word(), it.skill, it.what));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_callers_rely_on_decides() {
        check(&[("a", "c(x)")], &[("a", "c(x)")], &[]);
        check(
            &[("a", "c(x)")],
            &[("a'", "c(x)")],
            &["patch a: its files changed"],
        );
        check(
            &[("a", "")],
            &[("b", "")],
            &[
                "breaking a: the skill is removed",
                "feature b: the skill is new",
            ],
        );
        check(
            &[("a", "c();d()")],
            &[("a", "c();e()")],
            &[
                "feature a: the command `e` is new",
                "breaking a: the command `d` is removed",
            ],
        );
        check(
            &[("a", "c(x)")],
            &[("a", "c(x y)")],
            &["breaking a: the argument `y` of `c` is required now"],
        );
        check(
            &[("a", "c(x y?)")],
            &[("a", "c(x? z?)")],
            &[
                "feature a: the argument `x` of `c` is optional now",
                "feature a: the argument `z` of `c` is new",
                "breaking a: the argument `y` of `c` is removed",
            ],
        );
        check(
            &[("a", "")],
            &[("a", "!")],
            &["breaking a: it can no longer be run"],
        );
        check(
            &[("a", "!")],
            &[("a", "")],
            &["feature a: it can be run now"],
        );
        check(
            &[("a", "c(x:string y:number)")],
            &[("a", "c(x:integer y)")],
            &[
                "feature a: the argument `y` of `c` accepts more values now",
                "breaking a: the argument `x` of `c` has another type now",
            ],
        );
        check(
            &[("a", "")],
            &[("a", "-")],
            &["breaking a: it is switched off now"],
        );
        check(
            &[("a", "-")],
            &[("a", "")],
            &["feature a: it is switched on now"],
        );
    }
}
