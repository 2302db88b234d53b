//! Names of other parts in a text, written as the names of their skills.
//!
//! Only exact tokens are names: `release:review` (also after a slash, and in `Skill(…)`),
//! `@agent-review`, and the value of `subagent_type`. Prose stays as it is.

use std::collections::BTreeMap;

use skill_model::SkillName;

/// The skills by the names by which texts of their host refer to them.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    pub(crate) calls: &'a BTreeMap<String, SkillName>,
    /// The name of the package of the text, for names without one.
    pub(crate) package: &'a str,
}

impl Names<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        let qualified = || self.calls.get(&format!("{}:{name}", self.package));
        let found = if name.contains(':') || self.package.is_empty() {
            self.calls.get(name)
        } else {
            qualified()
        };
        found.map(SkillName::as_str)
    }
}

/// Returns the text with the names of skills, and the number of names that were replaced.
pub(crate) fn rewrite(text: &str, names: Names<'_>) -> (String, usize) {
    let mut res = String::with_capacity(text.len());
    let (mut done, mut n_replaced) = (0, 0);
    let mut at = 0;
    while let Some(start) = text[at..].find(is_of_name).map(|n| at + n) {
        let rest = &text[start..];
        let word = &rest[..rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())];
        at = start + word.len();
        let word = word.trim_end_matches([':', '-', '.']);
        let before = &text[..start];
        let (skipped, name) = token(before, word);
        let Some(new) = name.and_then(|name| names.get(name)) else {
            continue;
        };
        let old = &word[skipped.min(word.len())..];
        let from = if skipped > 0 { start - 1 } else { start };
        if old == new && skipped == 0 {
            continue;
        }
        res.push_str(&text[done..from]);
        res.push_str(new);
        done = start + word.len();
        n_replaced += 1;
    }
    res.push_str(&text[done..]);
    (res, n_replaced)
}

/// Returns the name in a word, and the length of its prefix, if the word is a reference.
fn token<'w>(before: &str, word: &'w str) -> (usize, Option<&'w str>) {
    const AGENT: &str = "agent-";
    if let Some(outer) = before.strip_suffix('@') {
        let is_mail = outer.ends_with(|c: char| is_of_name(c) || c == '.');
        return match word.strip_prefix(AGENT) {
            Some(name) if !is_mail => (AGENT.len(), Some(name)),
            _ => (0, None),
        };
    }
    let is_path = before.ends_with('/') && {
        let outer = before[..before.len() - 1].chars().next_back();
        outer.is_some_and(|c| is_of_name(c) || matches!(c, '/' | '.' | '~' | '}'))
    };
    if word.contains(':') && !word.contains("::") && !is_path {
        return (0, Some(word));
    }
    let quotes: &[char] = &['"', '\'', '`', ' ', '=', ':'];
    let is_type = before.trim_end_matches(quotes).ends_with("subagent_type")
        && before.ends_with(['"', '\'', '`']);
    (0, (before.ends_with("Skill(") || is_type).then_some(word))
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | ':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let name = |name: &str| SkillName::new(name).expect("a name");
        let calls = BTreeMap::from([
            ("tea:brew".to_owned(), name("brew")),
            ("tea:pot:fill".to_owned(), name("pot-fill")),
            ("tea:taster".to_owned(), name("taster-2")),
        ]);
        let names = Names {
            calls: &calls,
            package: "tea",
        };
        assert_eq!(rewrite(text, names).0, expected);
    }

    #[test]
    fn rewrites_exact_tokens() {
        check(
            "Run /tea:brew, then `tea:pot:fill`.",
            "Run /brew, then `pot-fill`.",
        );
        check(
            "Skill(tea:brew) and Skill(taster)",
            "Skill(brew) and Skill(taster-2)",
        );
        check(
            "subagent_type: \"tea:taster\"",
            "subagent_type: \"taster-2\"",
        );
        check("subagent_type=\"taster\"", "subagent_type=\"taster-2\"");
        check(
            "Ask @agent-taster or @agent-tea:taster.",
            "Ask taster-2 or taster-2.",
        );
    }

    #[test]
    fn leaves_prose_and_other_names() {
        for text in [
            "brew the tea, ask the taster",
            "tea:unknown tea:brewing",
            "https://tea:brew/x",
            "a/tea:brew",
            "tea::brew",
            "me@agent-taster.org",
            "Note: tea: brew",
        ] {
            check(text, text);
        }
    }
}
