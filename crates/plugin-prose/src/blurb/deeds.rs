//! English deeds from the identifiers of commands.
//!
//! The prose of a Chinese plugin is Chinese and its identifiers are English: they are the words by which an
//! English request finds it, and nothing has to be translated.

use super::english::{VERBS, joined};

/// Nouns that are not counted.
const UNCOUNTED: [&str; 24] = [
    "info",
    "information",
    "data",
    "content",
    "status",
    "history",
    "metadata",
    "help",
    "weather",
    "music",
    "audio",
    "usage",
    "news",
    "knowledge",
    "html",
    "text",
    "media",
    "access",
    "progress",
    "markdown",
    "memory",
    "sql",
    "storage",
    "config",
];

/// Verbs that are more often nouns at the beginning of an identifier.
const NOUNS: [&str; 26] = [
    "share", "log", "test", "report", "label", "group", "plan", "mark", "index", "store", "order",
    "rank", "rate", "fill", "book", "cut", "sign", "watch", "filter", "archive", "tag", "note",
    "display", "record", "stream", "keep",
];

/// Words at the end of an identifier that do not name a thing.
const ADJECTIVES: [&str; 14] = [
    "recent", "alive", "custom", "all", "unread", "single", "latest", "new", "old", "current",
    "full", "next", "last", "async",
];

/// Words that are written in capitals.
const ACRONYMS: [&str; 16] = [
    "rag", "dsl", "midi", "sql", "url", "json", "html", "pdf", "csv", "api", "mcp", "svg", "ppt",
    "llm", "cpu", "gpu",
];

/// Returns what commands do by their identifiers: `upload_tea` and `delete_tea` are `upload and delete
/// teas`. Names of products are written as they are in `names`. Only identifiers that begin with a known
/// verb count, and at least two must.
pub(super) fn of_identifiers(names: &[String], ids: &[&str]) -> Option<String> {
    const MAX_GROUPS: usize = 3;
    const MAX_VERBS: usize = 6;
    const MAX_WORDS: usize = 3;
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for id in ids {
        let words = crate::relation::words(id);
        let Some((verb, object)) = words.split_first() else {
            continue;
        };
        let is_verb =
            VERBS.split_whitespace().any(|known| known == verb) && !NOUNS.contains(&&**verb);
        let is_upkeep = ["health", "cache", "config", "permissions", "ping"]
            .iter()
            .any(|word| object.iter().any(|it| it == word));
        let is_word = |word: &String| {
            (word.len() > 2 || matches!(&**word, "by" | "of" | "to" | "in"))
                && word.bytes().all(|b| b.is_ascii_lowercase())
        };
        let is_thing = object
            .last()
            .is_some_and(|word| !ADJECTIVES.contains(&&**word));
        let is_plain = object.len() <= MAX_WORDS && object.iter().all(is_word) && is_thing;
        if !is_verb || is_upkeep || !is_plain {
            continue;
        }
        let object = object.join(" ");
        let name = names.iter().find(|name| name.to_lowercase() == object);
        let object = name.cloned().unwrap_or_else(|| plural(&object));
        let at = groups.iter().position(|(other, _)| *other == object);
        let at = at.unwrap_or_else(|| {
            groups.push((object, Vec::new()));
            groups.len() - 1
        });
        let verbs = &mut groups[at].1;
        if !verbs.contains(verb) && verbs.len() < MAX_VERBS {
            verbs.push(verb.clone());
        }
    }
    let n_verbs: usize = groups.iter().map(|(_, verbs)| verbs.len()).sum();
    groups.sort_by_key(|(_, verbs)| std::cmp::Reverse(verbs.len()));
    groups.truncate(MAX_GROUPS);
    // One deed with several objects says it once.
    let mut merged: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for (object, verbs) in groups {
        match merged.iter_mut().find(|(_, known)| *known == verbs) {
            Some((objects, _)) => objects.push(object),
            None => merged.push((vec![object], verbs)),
        }
    }
    let merged = merged
        .iter()
        .map(|(objects, verbs)| format!("{} {}", joined(verbs, "and"), joined(objects, "and")));
    let merged: Vec<String> = merged.collect();
    (n_verbs > 1).then(|| joined(&merged, "and"))
}

/// Returns the last word of a noun in the plural.
fn plural(noun: &str) -> String {
    let words: Vec<&str> = noun.split(' ').collect();
    let words: Vec<String> = words
        .into_iter()
        .map(|word| {
            if ACRONYMS.contains(&word) {
                word.to_uppercase()
            } else {
                word.to_owned()
            }
        })
        .collect();
    let noun = &*words.join(" ");
    let last = noun.rsplit(' ').next().unwrap_or_default();
    let is_clause = ["by ", "from ", "to "]
        .iter()
        .any(|word| noun.starts_with(word));
    let is_many = last.ends_with('s')
        || last.ends_with(|c: char| c.is_ascii_uppercase())
        || UNCOUNTED.contains(&last)
        || is_clause;
    let before_y = noun
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match before_y {
        _ if is_many => noun.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None if ["x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        None => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_say_what_is_done() {
        let check = |ids: &[&str], expected: Option<&str>| {
            assert_eq!(
                of_identifiers(&["Kettle".to_owned()], ids).as_deref(),
                expected
            );
        };
        check(
            &[
                "upload_tea",
                "DeleteTea",
                "list_tea_type",
                "get_permissions",
                "kettle",
            ],
            Some("upload and delete teas and list tea types"),
        );
        check(
            &[
                "search_tea",
                "search_by_origin",
                "search_url",
                "list_recent",
            ],
            Some("search teas, by origin and URL"),
        );
        check(
            &["create_entry", "search_info"],
            Some("create entries and search info"),
        );
        check(&["upload_tea", "kettle", "GetHealth"], None);
        check(
            &["open_kettle", "close_kettle"],
            Some("open and close Kettle"),
        );
        check(
            &["count_tea_length", "open_box"],
            Some("count tea lengths and open boxes"),
        );
        check(&["submit", "query"], None);
    }
}
