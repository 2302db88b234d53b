//! Names of other parts in a text, written as the names of their skills.
//!
//! Only exact tokens are names: `release:review` (also after a slash, and in `Skill(…)`),
//! `@agent-review`, and the value of `subagent_type`. Prose stays as it is.

use skill_model::SkillName;

use crate::Calls;

/// The skills by the names by which texts of their host refer to them.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    pub(crate) calls: Calls<'a>,
    /// The name of the package of the text, for names without one.
    pub(crate) package: &'a str,
    /// True if the host takes `@review` for the agent `review`.
    pub(crate) takes_at_sign: bool,
}

impl<'a> Names<'a> {
    /// Returns the skill with a name that can be without that of the package.
    pub(crate) fn get(&self, name: &str) -> Option<&'a SkillName> {
        if name.contains(':') || self.package.is_empty() {
            return self.calls.get(name);
        }
        self.calls.get(&format!("{}:{name}", self.package))
    }

    /// Returns the skill of the same package that a user starts with a slash and this name.
    fn after_slash(&self, name: &str) -> Option<&'a SkillName> {
        let own = self.calls.own;
        let qualified = || own.get(&format!("{}:{name}", self.package));
        own.get(name).or_else(qualified)
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
        if !may_refer(&text[..start], word) {
            continue;
        }
        let found = reference(&text[..start], word, rest, names);
        let Some((from, length, new)) = found else {
            continue;
        };
        at = at.max(start + length);
        let old = &text[start - from..start + length];
        if old == new.as_str() {
            continue;
        }
        res.push_str(&text[done..start - from]);
        res.push_str(new.as_str());
        done = start + length;
        n_replaced += 1;
    }
    res.push_str(&text[done..]);
    (res, n_replaced)
}

/// Returns false for a word that cannot be a reference, as most are, by the character before it.
fn may_refer(before: &str, word: &str) -> bool {
    word.contains(':') || before.ends_with(['/', '@', '(', '"', '\'', '`'])
}

/// Returns the skill that a word refers to, with the length of what is replaced before the word and
/// of the word. `rest` begins with the word.
fn reference<'a>(
    before: &str,
    word: &str,
    rest: &str,
    names: Names<'a>,
) -> Option<(usize, usize, &'a SkillName)> {
    if let Some(outer) = before.strip_suffix('/')
        && !is_path(outer)
    {
        let is_part = |c: char| is_of_name(c) || matches!(c, '/' | '.');
        let long = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let ends = [trimmed(long), ascii(trimmed(long))];
        let mut ends = ends.into_iter().filter(|name| !name.is_empty());
        if let Some(found) = ends.find_map(|name| Some((0, name.len(), names.after_slash(name)?))) {
            return Some(found);
        }
    }
    let word = trimmed(word);
    [word, ascii(word)].into_iter().find_map(|word| {
        let (skipped, name) = token(before, word, names.takes_at_sign);
        let new = names.get(name?)?;
        Some((usize::from(skipped > 0), word.len(), new))
    })
}

/// Returns a word without the punctuation behind it.
fn trimmed(word: &str) -> &str {
    word.trim_end_matches([':', '-', '.', '/'])
}

/// Returns the part of a word before Chinese text.
fn ascii(word: &str) -> &str {
    trimmed(&word[..word.find(|c: char| !c.is_ascii()).unwrap_or(word.len())])
}

/// Returns true if the text before a slash makes the slash a part of a path.
fn is_path(outer: &str) -> bool {
    let last = outer.chars().next_back();
    last.is_some_and(|c| {
        c.is_ascii_alphanumeric()
            || matches!(c, '-' | '_' | ':' | '/' | '.' | '~' | '}' | ')' | '<' | '>')
    })
}

/// Returns the name in a word, and the length of its prefix, if the word is a reference.
fn token<'w>(before: &str, word: &'w str, takes_at_sign: bool) -> (usize, Option<&'w str>) {
    const AGENT: &str = "agent-";
    if let Some(outer) = before.strip_suffix('@') {
        let is_mail = outer.ends_with(|c: char| is_of_name(c) || c == '.');
        return match word.strip_prefix(AGENT) {
            Some(name) if !is_mail => (AGENT.len(), Some(name)),
            // `@tea:taster` of Claude Code, and `@taster` of OpenCode.
            None if !is_mail && (word.contains(':') || takes_at_sign) => (1, Some(word)),
            _ => (0, None),
        };
    }
    let is_inside_path = before.strip_suffix('/').is_some_and(is_path);
    if word.contains(':') && !word.contains("::") && !is_inside_path {
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
    use std::collections::BTreeMap;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let name = |name: &str| SkillName::new(name).expect("a name");
        let calls = BTreeMap::from([
            ("tea:brew".to_owned(), name("brew")),
            ("tea:pot:fill".to_owned(), name("pot-fill")),
            ("tea:taster".to_owned(), name("taster-2")),
            ("tea:check".to_owned(), name("tea-check")),
            ("git/undo".to_owned(), name("undo")),
            ("gem.git:undo".to_owned(), name("undo-2")),
        ]);
        let units = BTreeMap::new();
        let all = BTreeMap::from([("pot:wash".to_owned(), name("wash"))]);
        let calls = Calls {
            units: &units,
            own: &calls,
            all: &all,
        };
        let names = Names {
            calls,
            package: "tea",
            takes_at_sign: false,
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
    fn rewrites_commands_after_a_slash() {
        check("Run, then /check.", "Run, then /tea-check.");
        check("`/check` or /git/undo!", "`/tea-check` or /undo!");
        check("Then /gem.git:undo.", "Then /undo-2.");
        check("先运行/tea:brew然后 /pot:wash。", "先运行/brew然后 /wash。");
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
            "src/check and /check/x and /check.md and <a></check>",
            "/wash and /pot",
        ] {
            check(text, text);
        }
    }
}
