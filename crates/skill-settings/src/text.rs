//! The status of settings, and the result of an import, for people. Values never appear.

use std::fmt::Write as _;

use skill_language::{Language, columns, say};

use crate::status::{Configured, KeyStatus, SkillStatus, Source, Switch};
use crate::{Import, SkillImport};

/// Returns the status of skills: a line for each key.
pub fn status(configured: &Configured, language: Language) -> String {
    let mut res = String::new();
    for skill in &configured.skills {
        let _ = writeln!(res, "{}", skill.skill);
        if skill.keys.is_empty() {
            let _ = writeln!(res, "  {}", language.say("no settings"));
        }
        let widths = skill
            .keys
            .iter()
            .map(|key| columns(&shown(&key.wanted.key)));
        let width = widths.max().unwrap_or(0);
        for key in &skill.keys {
            let name = shown(&key.wanted.key);
            let pad = " ".repeat(width - columns(&name));
            let state = place(key, language);
            let _ = writeln!(res, "  {name}{pad}  {state}{}", properties(key, language));
        }
        for line in notes(skill, language) {
            let _ = writeln!(res, "  {line}");
        }
    }
    res.push_str(&missing(configured, language));
    if !configured.unused.is_empty() {
        let names = list(&configured.unused);
        let line = say!(
            language,
            "not taken, because no skill declares them: {names}"
        );
        let _ = writeln!(res, "{line}");
    }
    res
}

/// Returns a line with the values that several skills lack: the list of their keys is long.
fn missing(configured: &Configured, language: Language) -> String {
    let all = configured.skills.iter();
    let missing: Vec<String> = all
        .filter(|skill| !skill.missing().is_empty())
        .map(|skill| format!("{} ({})", shown(&skill.skill), skill.missing().join(", ")))
        .collect();
    let n_skills = configured.skills.len();
    if n_skills < 2 || missing.is_empty() {
        return String::new();
    }
    let (n, names) = (missing.len(), missing.join("; "));
    let line = say!(language, "need a value ({n} of {n_skills} skills): {names}");
    format!("{line}\n")
}

/// Names come from plugins and must not manipulate a terminal.
fn shown(name: &str) -> String {
    name.escape_debug().to_string()
}

fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| shown(name)).collect();
    names.join(", ")
}

fn place(key: &KeyStatus, language: Language) -> String {
    let text = match key.source {
        Some(Source::File) => "set by the file of --config",
        Some(Source::Store) => "set in your store",
        Some(Source::Environment) => "set by the environment",
        Some(Source::Withheld) => "not set: the environment has it, and --allow-env passes it",
        Some(Source::State) => "set only in the config.env of its state",
        Some(Source::Provided) => "set in place of the old host",
        None if key.wanted.has_default => "not set: the default of the plugin is not applied",
        None => "not set",
    };
    language.say(text).into_owned()
}

fn properties(key: &KeyStatus, language: Language) -> String {
    let wanted = &key.wanted;
    let words = [
        (wanted.is_required, "needs a value"),
        (wanted.is_guard, "restricts the program"),
        (wanted.is_secret, "is a secret"),
    ];
    let words = words.into_iter().filter(|(holds, _)| *holds);
    let words: Vec<_> = words.map(|(_, word)| language.say(word)).collect();
    if words.is_empty() {
        return String::new();
    }
    format!(" ({})", words.join(", "))
}

fn notes(skill: &SkillStatus, language: Language) -> Vec<String> {
    let mut res = Vec::new();
    let name = shown(&skill.skill);
    match skill.switch {
        Switch::On => {}
        Switch::OnByUser => res.push(language.say("switched on by you").into_owned()),
        Switch::Off => res.push(say!(
            language,
            "switched off, as its plugin was; switch it on with: skills-run configure {name} --enable"
        )),
    }
    if let Some(problem) = &skill.problem {
        res.push(say!(
            language,
            "the plugin's own file was not read: {problem}"
        ));
    }
    if !skill.changed.is_empty() {
        let names = list(&skill.changed);
        res.push(say!(language, "changed in your store: {names}"));
    }
    if !skill.guards.is_empty() {
        let names = list(&skill.guards);
        res.push(say!(
            language,
            "not taken, because they restrict the program: {names}; to store one: skills-run configure {name} KEY=VALUE"
        ));
    }
    if !skill.others.is_empty() {
        let names = list(&skill.others);
        res.push(say!(
            language,
            "not taken, because the skill does not declare them: {names}"
        ));
    }
    let missing: Vec<String> = skill.missing().into_iter().map(str::to_owned).collect();
    if !missing.is_empty() {
        let names = list(&missing);
        res.push(say!(
            language,
            "missing: {names}; store a value with: skills-run configure {name} KEY=VALUE"
        ));
    }
    res
}

/// Returns the result of an import: what was stored and where, and what was not taken and why.
pub fn import(import: &Import, language: Language) -> String {
    let mut res = String::new();
    let n_values: usize = import.skills.iter().map(|skill| skill.stored.len()).sum();
    let n_with = import
        .skills
        .iter()
        .filter(|skill| !skill.stored.is_empty())
        .count();
    let (n_skills, store) = (import.n_skills, shown(&import.store.display().to_string()));
    let line = say!(
        language,
        "settings: {n_values} values for {n_with} of {n_skills} skills are stored in {store}"
    );
    let _ = writeln!(res, "{line}");
    for skill in &import.skills {
        of_skill(&mut res, skill, import, language);
    }
    if !import.unused.is_empty() {
        let (n, names) = (import.unused.len(), list(&import.unused));
        let file = shown(&import.file.display().to_string());
        let line = say!(
            language,
            "not taken from {file}, because no skill declares them ({n}): {names}"
        );
        let _ = writeln!(res, "  {line}");
    }
    res
}

fn of_skill(res: &mut String, import: &SkillImport, all: &Import, language: Language) {
    let name = shown(&import.skill);
    let skills = shown(&all.out.display().to_string());
    let state = all.store.parent().unwrap_or(&all.store);
    let state = shown(&state.display().to_string());
    let mut add = |line: String| {
        let _ = writeln!(res, "  {line}");
    };
    if let Some(problem) = &import.problem {
        add(say!(
            language,
            "{name}: the plugin's own file was not read: {problem}"
        ));
    }
    if !import.stored.is_empty() {
        add(format!("{name}: {}", list(&import.stored)));
    }
    if !import.kept.is_empty() {
        let names = list(&import.kept);
        add(say!(
            language,
            "{name}: not taken, because your store has other values: {names}"
        ));
    }
    if !import.guards.is_empty() {
        let names = list(&import.guards);
        let file = shown(&import.file.display().to_string());
        add(say!(
            language,
            "{name}: not taken, because they restrict the program: {names}; check them and store them with: skills-run configure {name} --skills {skills} --state {state} --from {file}"
        ));
    }
    if !import.replaced.is_empty() {
        let names = list(&import.replaced);
        add(say!(
            language,
            "{name}: not taken, because the tools set them for each call: {names}"
        ));
    }
    if !import.empty.is_empty() {
        let names = list(&import.empty);
        add(say!(
            language,
            "{name}: not taken, because they have no value: {names}"
        ));
    }
    if !import.others.is_empty() {
        let names = list(&import.others);
        add(say!(
            language,
            "{name}: not taken from the plugin's own file, because the skill does not declare them: {names}"
        ));
    }
}
