//! Resolves placeholders for descriptions in the prompts of older hosts: `{{ABPAllTools}}`,
//! `{{VCPAllTools}}`, `{{VCPName}}`, `{{tool:NAME}}`.
//!
//! The text between `{{` and `}}` is looked up once; an inserted value is not searched again.

use std::fmt::Write as _;

use std::collections::BTreeMap;

use crate::{CommandFacts, Facts};

/// The length of the longest key that is looked up, in bytes.
const MAX_KEY: usize = 256;

/// A text with its placeholders resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenderedText {
    /// The text.
    pub text: String,
    /// The keys that were resolved, with the number of times.
    pub resolved: BTreeMap<String, usize>,
    /// The unknown keys, which stay in the text.
    pub unknown: Vec<UnknownPlaceholder>,
}

/// A placeholder that was not resolved.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnknownPlaceholder {
    /// The key, without braces.
    pub key: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The skill that provides this value when it runs, if there is one.
    pub provider: Option<String>,
}

/// The values of placeholders.
pub trait Descriptions {
    /// Returns the text for all skills: `{{ABPAllTools}}`.
    fn all(&self) -> String;

    /// Returns the text for one skill: `{{tool:NAME}}` and `{{NAME}}`.
    fn one(&self, facts: &Facts) -> String;
}

/// Resolves the placeholders of a text.
pub fn resolve(text: &str, skills: &[Facts], descriptions: &dyn Descriptions) -> RenderedText {
    let mut res = RenderedText {
        text: String::with_capacity(text.len()),
        resolved: BTreeMap::new(),
        unknown: Vec::new(),
    };
    let mut at = 0;
    while let Some((start, key, end)) = next_placeholder(text, at) {
        res.text.push_str(&text[at..start]);
        match value(key, skills, descriptions) {
            Some(value) => {
                res.text.push_str(value.trim_end());
                *res.resolved.entry(key.to_owned()).or_default() += 1;
            }
            None => {
                res.text.push_str(&text[start..end]);
                res.unknown.push(unknown(text, start, key, skills));
            }
        }
        at = end;
    }
    res.text.push_str(&text[at..]);
    res
}

/// Returns the start of the next placeholder, its key, and its end.
fn next_placeholder(text: &str, from: usize) -> Option<(usize, &str, usize)> {
    let mut at = from;
    loop {
        let close = at + text[at..].find("}}")?;
        let open = text[at..close].rfind("{{").map(|open| at + open);
        let end = close + 2;
        if let Some(open) = open {
            let key = text[open + 2..close].trim();
            let is_key =
                !key.is_empty() && key.len() <= MAX_KEY && !key.contains(['\n', '{', '}', '"']);
            if is_key {
                return Some((open, key, end));
            }
        }
        at = end;
    }
}

fn value(key: &str, skills: &[Facts], descriptions: &dyn Descriptions) -> Option<String> {
    match key {
        "ABPAllTools" => return Some(descriptions.all()),
        "VCPAllTools" => return Some(all_in_old_form(skills)),
        _ => {}
    }
    if is_provided(key, skills).is_some() {
        return None;
    }
    if let Some(name) = key.strip_prefix("tool:") {
        return find(name.trim(), skills).map(|facts| descriptions.one(facts));
    }
    let in_old_form = key
        .strip_prefix("VCP")
        .and_then(|name| find_legacy(name, skills));
    if let Some(facts) = in_old_form {
        return (!facts.commands.is_empty()).then(|| old_form(facts));
    }
    find_legacy(key, skills)
        .or_else(|| skills.iter().find(|facts| facts.name == key))
        .map(|facts| descriptions.one(facts))
}

/// Returns the skill that provides the value `key` when it runs.
fn is_provided<'f>(key: &str, skills: &'f [Facts]) -> Option<&'f Facts> {
    skills.iter().find(|facts| {
        facts
            .placeholders
            .iter()
            .any(|(known, _)| known.trim_matches(['{', '}']) == key)
    })
}

/// Finds a skill by its name, its name in the old host, its display name or a command, each before
/// the next. Last, the name is compared without regard to case.
fn find<'f>(name: &str, skills: &'f [Facts]) -> Option<&'f Facts> {
    let by = |fits: &dyn Fn(&Facts) -> bool| skills.iter().find(|facts| fits(facts));
    by(&|facts| facts.name == name)
        .or_else(|| find_legacy(name, skills))
        .or_else(|| by(&|facts| facts.display_name.as_deref() == Some(name)))
        .or_else(|| by(&|facts| facts.commands.iter().any(|command| command.id == name)))
        .or_else(|| by(&|facts| facts.name.eq_ignore_ascii_case(name)))
}

fn find_legacy<'f>(name: &str, skills: &'f [Facts]) -> Option<&'f Facts> {
    skills
        .iter()
        .find(|facts| facts.legacy_name.as_deref() == Some(name))
}

/// Returns the text that the old host printed for all plugins with commands.
fn all_in_old_form(skills: &[Facts]) -> String {
    let with_commands = skills.iter().filter(|facts| !facts.commands.is_empty());
    let texts: Vec<String> = with_commands.map(old_form).collect();
    texts.join("\n\n")
}

/// Returns the text that the old host printed for one plugin: a line for each command, its
/// description and an example.
fn old_form(facts: &Facts) -> String {
    let commands: Vec<String> = facts
        .commands
        .iter()
        .map(|it| old_command(facts, it))
        .collect();
    commands.join("\n")
}

fn old_command(facts: &Facts, command: &CommandFacts) -> String {
    let name = facts.legacy_name.as_ref().unwrap_or(&facts.name);
    let display_name = facts.display_name.as_ref().unwrap_or(name);
    let description = match &*command.description {
        "" => &*facts.description,
        description => description,
    };
    let parameters: Vec<String> = command
        .parameters
        .iter()
        .map(|it| it.name.clone())
        .collect();
    let mut res = format!(
        "- {display_name} ({name}) - 命令: {}:\n    {description}",
        command.id
    );
    if !parameters.is_empty() {
        let _ = write!(res, "\n    参数: {}", parameters.join(", "));
    }
    if let Some(example) = &command.example {
        let _ = write!(res, "\n  调用示例:\n    {example}");
    }
    res
}

fn unknown(text: &str, at: usize, key: &str, skills: &[Facts]) -> UnknownPlaceholder {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    UnknownPlaceholder {
        key: key.to_owned(),
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        provider: is_provided(key, skills).map(|facts| facts.name.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameter;

    struct Names;

    impl Descriptions for Names {
        fn all(&self) -> String {
            "ALL {{tool:x}}\n".to_owned()
        }

        fn one(&self, facts: &Facts) -> String {
            format!("<{}>", facts.name)
        }
    }

    fn skills() -> Vec<Facts> {
        let command = CommandFacts {
            id: "Roll".to_owned(),
            description: "掷骰子。".to_owned(),
            parameters: vec![Parameter {
                name: "n".to_owned(),
                is_required: true,
            }],
            example: Some(serde_json::json!({"n": 2})),
        };
        vec![
            Facts {
                display_name: Some("骰子".to_owned()),
                legacy_name: Some("SuperDice".to_owned()),
                commands: vec![command],
                ..Facts::from_parts("super-dice", "Dice.", None)
            },
            Facts {
                placeholders: vec![("{{VCPWeatherInfo}}".to_owned(), String::new())],
                ..Facts::from_parts("weather", "Weather.", None)
            },
        ]
    }

    #[track_caller]
    fn check(text: &str, expected: &str, unknown: &[&str]) {
        let rendered = resolve(text, &skills(), &Names);
        assert_eq!(rendered.text, expected);
        let found: Vec<&str> = rendered.unknown.iter().map(|it| &*it.key).collect();
        assert_eq!(found, unknown);
    }

    #[test]
    fn known_keys_are_resolved_once_and_unknown_ones_stay() {
        check("a {{ABPAllTools}} b", "a ALL {{tool:x}} b", &[]);
        check(
            "{{tool:super-dice}} {{tool: 骰子 }} {{tool:Roll}} {{SuperDice}}",
            "<super-dice> <super-dice> <super-dice> <super-dice>",
            &[],
        );
        check(
            "{{VCPWeatherInfo}} {{Date}}",
            "{{VCPWeatherInfo}} {{Date}}",
            &["VCPWeatherInfo", "Date"],
        );
        check(
            "{{{tool:weather}}} {{}} {{a\nb}} }} {{",
            "{<weather>} {{}} {{a\nb}} }} {{",
            &[],
        );
        check(
            "{{VCPSuperDice}}",
            "- 骰子 (SuperDice) - 命令: Roll:\n    掷骰子。\n    参数: n\n  调用示例:\n    {\"n\":2}",
            &[],
        );
    }

    #[test]
    fn an_unknown_key_has_its_place_and_its_provider() {
        let unknown = resolve("x\n天 {{VCPWeatherInfo}}", &skills(), &Names).unknown;
        let expected = UnknownPlaceholder {
            key: "VCPWeatherInfo".to_owned(),
            line: 2,
            column: 3,
            provider: Some("weather".to_owned()),
        };
        assert_eq!(unknown, [expected]);
    }
}
