//! The sentence that says when to use a plugin, in the language of its text.
//!
//! The Agent Skills specification wants a description that says what a skill does and when to
//! use it; legacy descriptions never say when.

use crate::blurb::purpose::plain;
use crate::lex::chars::is_cjk;
use crate::source::PluginSource;

/// Longest sentence, in characters.
const MAX: usize = 400;

/// Verbs whose third person begins English summaries.
const VERBS: &str = "fetch get list search create delete update edit generate return read write send convert \
    find query run execute build load save show explain reset start stop cancel resume trace \
    compare audit retrieve validate check download upload translate summarize analyze \
    analyse calculate compute render resize open close click scroll monitor track record \
    play look provide manage remove add set extract parse sort filter plan schedule";

/// One line of at most 400 characters; never empty.
pub(crate) fn sentence(source: &PluginSource<'_>, purposes: &[String]) -> String {
    let name = source
        .display_name
        .filter(|name| !name.trim().is_empty())
        .unwrap_or(source.name);
    let name = plain(name);
    let chinese = is_chinese(source, purposes);
    let mut n_purposes = purposes.len().min(6);
    loop {
        let some = &purposes[..n_purposes];
        let text = if chinese {
            in_chinese(&name, some)
        } else {
            in_english(&name, some)
        };
        if text.chars().count() <= MAX {
            return text;
        }
        if n_purposes == 0 {
            return text.chars().take(MAX).collect();
        }
        n_purposes -= 1;
    }
}

/// Whether the prose is Chinese: identifiers inside it do not count for much.
fn is_chinese(source: &PluginSource<'_>, purposes: &[String]) -> bool {
    let prose = source
        .description
        .chars()
        .chain(purposes.iter().flat_map(|purpose| purpose.chars()));
    let (mut n_cjk, mut n_ascii) = (0_usize, 0_usize);
    for c in prose.take(4000) {
        n_cjk += usize::from(is_cjk(c));
        n_ascii += usize::from(c.is_ascii_alphabetic());
    }
    if n_cjk + n_ascii == 0 {
        return source
            .display_name
            .is_some_and(|name| name.chars().any(is_cjk));
    }
    n_cjk * 4 >= n_ascii
}

fn in_chinese(name: &str, purposes: &[String]) -> String {
    match (purposes.is_empty(), name.is_empty()) {
        (true, true) => "当任务需要此插件时使用。".to_owned(),
        (true, false) => format!("当任务涉及{name}时使用。"),
        (false, true) => format!("当需要{}时使用。", purposes.join("、")),
        (false, false) => format!(
            "当需要{}时使用，也用于{name}相关的任务。",
            purposes.join("、")
        ),
    }
}

fn in_english(name: &str, purposes: &[String]) -> String {
    let needs: Vec<String> = purposes.iter().map(|purpose| need(purpose)).collect();
    match (needs.is_empty(), name.is_empty()) {
        (true, true) => "Use when a task calls for this plugin.".to_owned(),
        (true, false) => format!("Use when a task is about {name}."),
        (false, true) => format!("Use when you need {}.", needs.join("; ")),
        (false, false) => format!(
            "Use when you need {}, or for other tasks about {name}.",
            needs.join("; ")
        ),
    }
}

/// A purpose after "you need": `to fetch …`, or the noun itself.
fn need(purpose: &str) -> String {
    let (first, rest) = purpose.split_once(' ').unwrap_or((purpose, ""));
    let lower = first.to_lowercase();
    let stems = [
        lower.as_str(),
        lower.strip_suffix('s').unwrap_or(&lower),
        lower.strip_suffix("es").unwrap_or(&lower),
    ];
    let proper = first.chars().skip(1).any(char::is_uppercase);
    match stems
        .iter()
        .rev()
        .find(|stem| VERBS.split(' ').any(|verb| verb == **stem))
    {
        Some(verb) => format!("to {verb} {rest}").trim_end().to_owned(),
        None if proper => purpose.to_owned(),
        None => format!("{lower} {rest}").trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(purpose: &str, expected: &str) {
        assert_eq!(need(purpose), expected);
    }

    #[test]
    fn third_person_becomes_infinitive() {
        check("Fetches daily papers", "to fetch daily papers");
        check("Lists files", "to list files");
        check("Create a task", "to create a task");
        check("Weather forecasts", "weather forecasts");
        check("URL fetching", "URL fetching");
    }

    #[test]
    fn the_length_is_bounded() {
        let long = vec!["很长的用途".repeat(20); 6];
        let source = PluginSource {
            name: "X",
            display_name: None,
            description: "中文",
            commands: &[],
            placeholders: &[],
        };
        let text = sentence(&source, &long);
        assert!(text.chars().count() <= MAX && !text.is_empty());
    }
}
