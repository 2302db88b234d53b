//! Writes the sentence that says when to use a plugin, in the language of its text.
//!
//! The Agent Skills specification wants a description that says what a skill does and when to use
//! it; legacy descriptions lack the second part.

use crate::blurb::purpose::plain;
use crate::lex::chars::is_cjk;
use crate::source::PluginSource;

/// The maximum length of the sentence, in characters.
const MAX: usize = 400;

/// Verbs at the beginning of English summaries.
const VERBS: &str = "fetch get list search create delete update edit generate return read write send convert \
    find query run execute build load save show explain reset start stop cancel resume trace \
    compare audit retrieve validate check download upload translate summarize summarise analyze \
    analyse calculate compute render resize open close click scroll monitor track record \
    play look provide manage remove add set extract parse sort filter plan schedule make take give \
    put post push pull fix format encode decode encrypt decrypt sign verify test call invoke trigger \
    toggle switch control rename move copy merge split join combine count measure estimate predict \
    detect recognize identify classify collect capture crop rotate scale compress archive publish \
    notify remind log print draw paint plot scan crawl scrape browse navigate select choose pick \
    insert append replace clean clear trim cut drop install configure connect register approve \
    reject book order transfer rank rate recommend suggest tell ask answer speak transcribe compose \
    rewrite correct shorten expand describe define resolve ping inspect deploy restart reload enable \
    disable lock unlock backup restore sync import export migrate index store fill submit wait report \
    display preview stream watch evaluate solve simulate adjust change modify apply share keep roll \
    turn soften reopen shut pause mark tag label group mix blend rollback";

/// Returns one line of at most 400 characters, which is never empty.
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

/// Returns true if the prose is Chinese: identifiers inside it do not count for much.
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
    let verbs: Vec<String> = purposes
        .iter()
        .filter_map(|purpose| infinitive(purpose))
        .collect();
    // Nouns next to verbs mostly repeat the name of the plugin.
    let verbs = Some(verbs).filter(|verbs| !verbs.is_empty() && verbs.len() * 2 >= purposes.len());
    match (verbs, purposes.is_empty(), name.is_empty()) {
        (Some(verbs), _, true) => format!("Use when you need to {}.", verbs.join("; to ")),
        (Some(verbs), _, false) => format!(
            "Use when you need to {}, or for other tasks about {name}.",
            verbs.join("; to ")
        ),
        (None, true, true) => "Use when a task calls for this plugin.".to_owned(),
        (None, true, false) => format!("Use when a task is about {name}."),
        (None, false, true) => format!("Use for: {}.", purposes.join("; ")),
        (None, false, false) => format!(
            "Use when the task involves {name}: {}.",
            purposes.join("; ")
        ),
    }
}

/// Returns the purpose in the form after `to`: its verbs without the ending of the third person.
/// The result is `None` if it does not begin with a verb, or continues with an unknown one.
fn infinitive(purpose: &str) -> Option<String> {
    let (first, rest) = purpose.split_once(' ').unwrap_or((purpose, ""));
    let lower = first.to_lowercase();
    if rest.starts_with("of ") || rest.is_empty() {
        return None;
    }
    let verb = bare_verb(&lower).or_else(|| {
        let article = rest.split(' ').next().unwrap_or_default();
        let object = ["a", "an", "the", "your", "its", "all", "one"].contains(&article);
        guessed(&lower).filter(|_| object)
    })?;
    let third = verb != lower;
    let mut res = vec![verb];
    let mut joined = false;
    for word in rest.split(' ').filter(|word| !word.is_empty()) {
        let known = bare_verb(word).filter(|_| joined && third && word.ends_with('s'));
        // `fetches and summarizes`: the second verb follows the first.
        joined = matches!(word, "and" | "or" | "then") || (word.ends_with(',') && third);
        res.push(known.unwrap_or_else(|| word.to_owned()));
    }
    Some(res.join(" "))
}

/// Returns the verb of a word in the first or third person, if it is a known one.
fn bare_verb(word: &str) -> Option<String> {
    let stems = [Some(word), word.strip_suffix('s'), word.strip_suffix("es")];
    let known = |stem: &&str| VERBS.split_whitespace().any(|verb| verb == *stem);
    let found = stems.into_iter().flatten().find(known).map(str::to_owned);
    found.or_else(|| {
        let stem = format!("{}y", word.strip_suffix("ies")?);
        known(&stem.as_str()).then_some(stem)
    })
}

/// Returns a word that looks like a verb in the third person, without its ending.
fn guessed(word: &str) -> Option<String> {
    let letters = word.len() > 3 && word.bytes().all(|b| b.is_ascii_lowercase());
    if !letters || ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        return None;
    }
    if let Some(stem) = word.strip_suffix("ies") {
        return Some(format!("{stem}y"));
    }
    let hissing = ["shes", "ches", "sses", "xes", "zzes", "oes"]
        .iter()
        .any(|end| word.ends_with(end));
    word.strip_suffix(if hissing { "es" } else { "s" })
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(purpose: &str, expected: Option<&str>) {
        assert_eq!(infinitive(purpose).as_deref(), expected);
    }

    #[test]
    fn third_person_becomes_infinitive() {
        check("Fetches daily papers", Some("fetch daily papers"));
        check("Lists files", Some("list files"));
        check("Create a task", Some("create a task"));
        check("Closes and reopens a file", Some("close and reopen a file"));
        check("Brews the tea", Some("brew the tea"));
        check("Carries a pot", Some("carry a pot"));
        check("Applies patches", Some("apply patches"));
        check("Weather forecasts", None);
        check("URL fetching", None);
        check("List of teas", None);
    }

    #[test]
    fn purposes_without_a_verb_are_listed() {
        assert_eq!(
            in_english("Kettle", &["Weather forecasts".to_owned()]),
            "Use when the task involves Kettle: Weather forecasts."
        );
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
