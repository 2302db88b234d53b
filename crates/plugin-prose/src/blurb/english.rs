//! When to use a plugin with an English text.

use super::openers::without_kind;
use super::text::{MAX_NEEDS, width};
use super::trades::Trade;

/// Verbs at the beginning of English summaries.
pub(super) const VERBS: &str = "fetch get list search create delete update edit generate return read write send convert \
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

/// Returns the sentence of an English plugin.
pub(super) fn in_english(
    name: &str,
    needs: &[&str],
    (purposes, names): (&[String], &[String]),
    trades: &[&Trade],
) -> String {
    let mentions = match names {
        [] => String::new(),
        [one, ..] => format!(", or when the user names {one}"),
    };
    let named = mentions.replace("or when the user names", "or names");
    let verbs: Vec<String> = needs.iter().filter_map(|need| infinitive(need)).collect();
    let deeds: Vec<&str> = trades.iter().map(|trade| trade.deed).collect();
    match (verbs.is_empty(), deeds.is_empty()) {
        (false, _) => return format!("Use when you need to {}.", joined(&verbs, "or")),
        (true, false) => {
            return format!(
                "Use when the user wants to {}{named}.",
                deeds.join(", or to ")
            );
        }
        (true, true) => {}
    }
    let objects = purposes.iter().filter_map(|purpose| object(purpose));
    match (objects.into_iter().next(), name.is_empty()) {
        (Some(object), _) => format!("Use for requests about {object}{mentions}."),
        (None, false) => format!("Use when a task is about {}.", without_kind(name, true)),
        (None, true) => "Use when a task calls for this skill.".to_owned(),
    }
}

/// Returns words as a list: `a, b or c`.
pub(super) fn joined(words: &[String], last: &str) -> String {
    match words {
        [head @ .., end] if !head.is_empty() => format!("{} {last} {end}", head.join(", ")),
        _ => words.concat(),
    }
}

/// Returns what an English purpose is about: its words after the verb, up to the means.
fn object(purpose: &str) -> Option<String> {
    let deed = infinitive(purpose)?;
    let (_, object) = deed.split_once(' ')?;
    let means = [
        " from ",
        " via ",
        " using ",
        " with ",
        " by ",
        " through ",
        " and ",
    ];
    let end = means.iter().filter_map(|word| object.find(word)).min();
    let object = object[..end.unwrap_or(object.len())].trim_end_matches([',', ';']);
    let is_clause = [
        "between ", "that ", "to ", "for ", "in ", "on ", "how ", "whether ", "if ",
    ]
    .iter()
    .any(|word| object.starts_with(word));
    if is_clause || !object.contains(' ') {
        return None;
    }
    (width(object) <= MAX_NEEDS).then(|| object.to_owned())
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
        assert_eq!(
            object("Fetches green teas from a shop").as_deref(),
            Some("green teas")
        );
    }
}
