//! English requests: verbs and questions before a name, and what is said after it.

use super::markers::{MARKERS, words};
use super::words::{
    AFTER, BETWEEN, DOUBTS, ENTRIES, FAILS, FAILURES, LINKS, NEGATIONS, PARTS, QUESTIONS, SAYS,
    SLIGHT, STATES, TWO_WORDS, VERBS, WISHES,
};

/// Returns true if the words around a name are about it. Without `is_name`, the name may be common
/// words: then only what applies to programs alone counts.
pub(super) fn is_about(before: &str, after: &str, is_name: bool) -> bool {
    let (before, after) = (before.replace('’', "'"), after.replace('’', "'"));
    let (before, after) = (words(&before), words(&after));
    let is_small = |word: &&str| {
        matches!(*word, "the" | "a" | "my" | "our" | "this" | "that" | "your") || is_marker(word)
    };
    let last = before.iter().rposition(|word| !is_small(word));
    let wish = last.filter(|at| WISHES.contains(&before[*at]));
    if is_refused(&before, last, wish.is_some()) || has_failed(&after) {
        return true;
    }
    if let Some(at) = wish {
        return is_name && is_doubted(&before[..at], before[at], &after);
    }
    let opening = last.map_or(&[][..], |at| &before[..=at]);
    if !is_name {
        return matches!(
            opening.last(),
            Some(&("uninstall" | "disable" | "reinstall"))
        );
    }
    let is_of_entries = after
        .first()
        .is_some_and(|word| ENTRIES.contains(word) || SAYS.contains(word));
    !is_of_entries && (has_verb(opening) || is_part(opening) || is_described(&before, &after))
}

fn is_marker(word: &str) -> bool {
    MARKERS.contains(&word)
}

/// "don't use X", "never run X", "without X", "instead of X".
fn is_refused(before: &[&str], last: Option<usize>, is_wish: bool) -> bool {
    let Some(last) = last else { return false };
    if !is_wish {
        let pair = [
            last.checked_sub(1).map_or("", |at| before[at]),
            before[last],
        ];
        return matches!(before[last], "without" | "not" | "except")
            || matches!(
                pair,
                ["instead" | "rid", "of"] | ["anything" | "everything", "but"]
            );
    }
    let opening = &before[..last];
    let at = opening.iter().rposition(|word| !SLIGHT.contains(word));
    let is_negated = at.is_some_and(|at| NEGATIONS.contains(&opening[at]));
    is_negated && !opening.contains(&"why")
}

/// "how to use X", "is it safe to run X", "what is wrong with X", "run X tests".
fn is_doubted(opening: &[&str], wish: &str, after: &[&str]) -> bool {
    let is_how = opening.contains(&"how") && !after.contains(&"to");
    let end = |n: usize| opening.len().checked_sub(n).map_or("", |at| opening[at]);
    let is_doubt = match [end(2), end(1)] {
        [doubt, "to"] => DOUBTS.contains(&doubt),
        ["should" | "if" | "when", "i" | "we" | "you"] => {
            opening.contains(&"should") || opening.contains(&"happens")
        }
        [_, "wrong" | "problem" | "problems" | "trouble"] => wish == "with",
        [_, end] => end == "worth",
    };
    let is_run = matches!(wish, "run" | "running" | "execute" | "start");
    let first = after.iter().find(|word| **word != "'s" && !is_marker(word));
    let is_test = is_run && matches!(first, Some(&("tests" | "testsuite" | "benchmarks")));
    is_how || is_doubt || is_test || after.join(" ").ends_with("safe to use")
}

/// Returns true if only small words separate a verb or a question from the name.
fn has_verb(before: &[&str]) -> bool {
    if matches!(before.last(), Some(&("in" | "from" | "for" | "to" | "on"))) {
        // "fix the bug in X" acts on X, "delete the file from X" on what X keeps.
        let noun = before.len().checked_sub(2).map(|at| before[at]);
        if !noun.is_some_and(|noun| PARTS.contains(&noun)) {
            return false;
        }
    }
    for at in (0..before.len()).rev() {
        let word = before[at];
        let pair = before.get(at..at + 2).unwrap_or_default();
        let is_pair = TWO_WORDS.iter().any(|two| pair == two);
        if VERBS.contains(&word) || is_pair || QUESTIONS.contains(&word) {
            return true;
        }
        let is_second = at > 0 && TWO_WORDS.iter().any(|two| before[at - 1..=at] == *two);
        if !BETWEEN.contains(&word) && !is_second {
            return false;
        }
    }
    false
}

/// "the tests of X", whatever the verb.
fn is_part(before: &[&str]) -> bool {
    matches!(before, [.., noun, "of"] if PARTS.contains(noun))
}

/// "X is broken", "X fails", "X returns an error".
fn has_failed(after: &[&str]) -> bool {
    let is_skipped = |word: &&&str| **word == "'s" || is_marker(word) || is_owned(word);
    let mut rest = after.iter().skip_while(is_skipped).peekable();
    let Some(first) = rest.peek().copied() else {
        return false;
    };
    if FAILS.contains(first) {
        return true;
    }
    if matches!(*first, "gives" | "returns" | "shows" | "reports" | "raises") {
        return rest.take(5).any(|word| FAILURES.contains(word));
    }
    let is_linked = LINKS.contains(first);
    let state = rest.find(|word| !LINKS.contains(word));
    let is_state = |word: &&str| match *word {
        "not" => after
            .iter()
            .any(|word| matches!(*word, "working" | "responding" | "safe" | "installed")),
        "no" => after.contains(&"longer"),
        word => STATES.contains(&word),
    };
    is_linked && state.is_some_and(is_state)
}

/// Returns true for parts of a skill that can fail instead of it.
fn is_owned(word: &str) -> bool {
    matches!(
        word,
        "token" | "tokens" | "key" | "api" | "credentials" | "license" | "certificate"
    )
}

/// "X source code", "failed X tool calls", "X keeps crashing".
fn is_described(before: &[&str], after: &[&str]) -> bool {
    let first = after.iter().find(|word| **word != "'s" && !is_marker(word));
    let is_failed = before
        .last()
        .is_some_and(|word| matches!(*word, "failed" | "broken" | "failing"));
    is_failed || first.is_some_and(|word| AFTER.contains(word))
}
