//! Decides if a request is about a skill itself rather than for what the skill does.
//!
//! "Disable the X plugin" and "X 怎么用" have the name of the skill as their object; "use X to …" and
//! "用 X 查…" wish it to run. Only the clause around the name is looked at, so the time is linear.

mod chinese;
mod english;
mod markers;
mod sureness;
mod words;

use markers::{MARKERS, words};
use sureness::Sureness;

/// Returns true if the request treats the skill called `name` as an object: to show, change or ask
/// about.
///
/// `name` may be any name of the skill, its display name too. A name of common words counts only
/// with a word such as "plugin" beside it or with words said of nothing but programs ("is broken",
/// "卸载"), unless `is_mentioned` says that the search took it for the name.
pub fn is_about(text: &str, name: &str, is_mentioned: bool) -> bool {
    let Some((start, end)) = find(text, without_kind(name)) else {
        return false;
    };
    let (before, after) = (clause_before(&text[..start]), clause_after(&text[end..]));
    let sureness = if is_mentioned || is_marked(&after) {
        Sureness::Sure
    } else {
        sureness(&text[start..end])
    };
    chinese::is_about(&before, &after, sureness)
        || english::is_about(&before, &after, sureness > Sureness::Common)
}

/// Returns true if the request contains the name, whatever its case and separators.
pub fn is_named(text: &str, name: &str) -> bool {
    find(text, without_kind(name)).is_some()
}

/// Returns the name without a last word such as "plugin" or "插件", which requests leave out.
fn without_kind(name: &str) -> &str {
    let kinds = ["插件", "技能", " Plugin", " plugin", " Skill", " skill"];
    let shorter = kinds.iter().find_map(|kind| name.strip_suffix(kind));
    shorter
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .unwrap_or(name)
}

fn sureness(written: &str) -> Sureness {
    let mut parts = written.split_whitespace();
    let is_title = parts.all(|part| !part.starts_with(|c: char| c.is_ascii_lowercase()));
    let has_latin = written.contains(|c: char| c.is_ascii_alphabetic());
    let is_lower = written.chars().all(|c| c.is_ascii_lowercase());
    match (has_latin, written.contains(char::is_whitespace)) {
        (true, false) if !is_lower => Sureness::Sure,
        (true, true) if is_title => Sureness::Sure,
        (false, _) if written.chars().count() >= 3 => Sureness::Likely,
        _ => Sureness::Common,
    }
}

/// Finds the name, whatever its case and separators; returns byte offsets.
fn find(text: &str, name: &str) -> Option<(usize, usize)> {
    let plain = |c: &char| c.is_alphanumeric();
    let wanted: String = name.to_lowercase().chars().filter(plain).collect();
    let mut folded = String::new();
    let mut places = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        for small in c.to_lowercase() {
            folded.push(small);
            places.resize(folded.len(), (at, at + c.len_utf8()));
        }
    }
    if wanted.is_empty() {
        return None;
    }
    let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    folded.match_indices(&wanted).find_map(|(at, _)| {
        let (start, end) = (places[at].0, places[at + wanted.len() - 1].1);
        let is_cut =
            is_latin(text[..start].chars().next_back()) || is_latin(text[end..].chars().next());
        (!is_cut).then_some((start, end))
    })
}

const ENDS: [char; 10] = ['。', '！', '？', '；', '\n', '!', '?', ';', '，', ','];

fn clause_before(text: &str) -> String {
    // A full stop ends a clause only before a blank: "Wan2.1" holds one.
    let text = text.rsplit(ENDS).next().unwrap_or_default();
    text.rsplit(". ").next().unwrap_or_default().to_lowercase()
}

fn clause_after(text: &str) -> String {
    let text = text.split(ENDS).next().unwrap_or_default();
    text.split(". ").next().unwrap_or_default().to_lowercase()
}

fn is_marked(after: &str) -> bool {
    let first = words(after).first().copied().unwrap_or_default();
    let runs = ["技能", "插件", "工具", "这个插件", "这个技能", "这个工具"];
    let start = after.trim_start();
    MARKERS.contains(&first) || runs.iter().any(|run| start.starts_with(run))
}

#[cfg(test)]
mod tests {
    use super::is_about;

    /// Requests over skills of real names: `object` or `wish`, the skill, the request. Names
    /// with a hyphen are found by the search; the others are display names, which are not.
    const REQUESTS: &str = include_str!("requests.tsv");

    /// Returns true if the search would take the name for one: it does not look up display names.
    fn is_mentioned(name: &str) -> bool {
        name.chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            && name.contains('-')
    }

    /// The requests of one half that are judged wrongly, and how many there are.
    fn wrong(is_odd: bool, kind: &str) -> (Vec<&'static str>, usize) {
        let lines = REQUESTS.lines().enumerate();
        let rows = lines.filter(|(at, _)| (at % 2 == 0) == is_odd);
        let rows = rows.filter_map(|(_, line)| {
            let mut cells = line.splitn(3, '\t');
            Some((cells.next()?, cells.next()?, cells.next()?))
        });
        let rows: Vec<_> = rows.filter(|(found, ..)| *found == kind).collect();
        let failed = rows.iter().filter(|(kind, name, text)| {
            is_about(text, name, is_mentioned(name)) != (*kind == "object")
        });
        (failed.map(|(_, _, text)| *text).collect(), rows.len())
    }

    #[test]
    fn requests_about_a_skill_differ_from_wishes() {
        for is_odd in [true, false] {
            for kind in ["object", "wish"] {
                let (failed, n) = wrong(is_odd, kind);
                assert!(n >= 30 && failed.is_empty(), "{kind}: {failed:#?}");
            }
        }
    }

    #[test]
    fn common_words_are_no_names() {
        assert!(!is_about("show me the weather", "weather", false));
        assert!(!is_about(
            "explain the weather report of today",
            "weather-report",
            false
        ));
        assert!(is_about("explain the weather plugin", "weather", false));
        assert!(!is_about("brew tea", "tea-brewer", false));
        assert!(!is_about("", "", false));
    }
}
