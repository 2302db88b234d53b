//! The words that are not used here, and the sentences of a text.

/// Words with the same replacement.
struct Entry {
    /// Each a word or several, in lower case.
    phrases: &'static [&'static str],
    instead: &'static str,
    /// Longer phrases around one of `phrases` that are good English.
    unless: &'static [&'static str],
}

const TABLE: &[Entry] = &[
    entry(&["told"], "given, reported or announced"),
    Entry {
        phrases: &["stands", "stand"],
        instead: "is, applies or is written",
        unless: &["stands for", "stand for"],
    },
    entry(&["lies", "lie"], "is, or is wrong"),
    entry(&["anew"], "again"),
    Entry {
        phrases: &["is no", "are no", "was no", "were no"],
        instead: "is not a …",
        unless: &[
            "there is no",
            "there are no",
            "there was no",
            "there were no",
            "is no longer",
            "are no longer",
            "is no more",
            "are no more",
        ],
    },
    entry(&["as far as"], "if, where or to the extent that"),
    entry(&["for ever"], "indefinitely or without end"),
    entry(&["gave way", "gives way"], "was evicted or was replaced"),
    entry(&["door", "doors"], "entry point"),
    Entry {
        phrases: &["wall", "walls"],
        instead: "restriction or confinement",
        unless: &["wall clock"],
    },
    entry(&["kin"], "synonyms or related items"),
    entry(&["spare", "spares"], "pooled or unused"),
    entry(&["world", "worlds"], "environment or outside"),
    entry(&["became of", "becomes of"], "result of"),
    entry(&["catalogue", "catalogues"], "catalog"),
];

const fn entry(phrases: &'static [&'static str], instead: &'static str) -> Entry {
    Entry {
        phrases,
        instead,
        unless: &[],
    }
}

/// A piece of text between blanks, without inline code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) line: usize,
    pub(super) text: &'a str,
}

impl<'a> Token<'a> {
    /// The text without punctuation around it.
    pub(super) fn word(&self) -> &'a str {
        self.text.trim_matches(|c: char| !c.is_alphanumeric())
    }

    /// Returns true if a sentence may end here.
    fn ends_sentence(&self) -> bool {
        let bare = self.text.trim_end_matches(['"', ')', '*', '_']);
        bare.ends_with(['.', '!', '?'])
    }

    fn begins_sentence(&self) -> bool {
        let bare = self.text.trim_start_matches(['"', '(', '*', '_', '[']);
        !bare.starts_with(char::is_lowercase)
    }
}

/// Splits numbered lines of one paragraph into words. Inline code (`…`) is one token or a part of
/// one, and its content is left out, so that keys and commands are not taken for words.
pub(super) fn tokens<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Token<'a>> {
    let mut acc = Vec::new();
    let mut in_code = false;
    for (line, text) in lines {
        for text in text.split_whitespace() {
            let n_ticks = text.matches('`').count();
            let was_in_code = in_code;
            in_code ^= n_ticks % 2 == 1;
            match (n_ticks, was_in_code) {
                (0, true) => {}
                (0, false) => acc.push(Token { line, text }),
                (_, true) => push_rest(line, text, &mut acc),
                (_, false) => acc.push(Token {
                    line,
                    text: outside_code(text),
                }),
            }
        }
    }
    acc
}

/// Adds what follows the end of inline code, so that its full stop is not lost.
fn push_rest<'a>(line: usize, text: &'a str, acc: &mut Vec<Token<'a>>) {
    let rest = text.rsplit('`').next().unwrap_or_default();
    if !rest.is_empty() {
        acc.push(Token { line, text: rest });
    }
}

/// The tail of a word with inline code in it.
fn outside_code(text: &str) -> &str {
    let end = text.rfind('`').unwrap_or(0);
    let is_closed = text.matches('`').count().is_multiple_of(2);
    if is_closed { &text[end..] } else { "`" }
}

/// Splits a paragraph after full stops that a capital letter follows.
pub(super) fn sentences<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t [Token<'a>]> {
    tokens.chunk_by(|one, next| !(one.ends_sentence() && next.begins_sentence()))
}

/// Returns a sentence for every phrase of the table in `tokens`.
pub(super) fn problems(path: &str, tokens: &[Token<'_>]) -> Vec<String> {
    let mut acc = Vec::new();
    for at in 0..tokens.len() {
        for entry in TABLE {
            let found = entry.phrases.iter().find(|one| matches(tokens, at, one));
            if let Some(phrase) = found.filter(|phrase| !is_excused(tokens, at, phrase, entry)) {
                acc.push(format!(
                    "{path}:{}: write \"{}\" instead of \"{phrase}\"",
                    tokens[at].line, entry.instead
                ));
            }
        }
    }
    acc
}

fn is_excused(tokens: &[Token<'_>], at: usize, phrase: &str, entry: &Entry) -> bool {
    entry.unless.iter().any(|longer| {
        let Some((before, _)) = longer.split_once(phrase) else {
            return false;
        };
        let n_before = before.split_whitespace().count();
        at.checked_sub(n_before)
            .is_some_and(|start| matches(tokens, start, longer))
    })
}

/// Returns true if the words of `phrase` begin at `at` with no punctuation between them.
fn matches(tokens: &[Token<'_>], at: usize, phrase: &str) -> bool {
    let words: Vec<&str> = phrase.split(' ').collect();
    let last = words.len() - 1;
    words.iter().enumerate().all(|(i, word)| {
        let Some(token) = tokens.get(at + i) else {
            return false;
        };
        let is_adjacent = i == last || token.text.ends_with(char::is_alphanumeric);
        is_adjacent && token.word().eq_ignore_ascii_case(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tokens = tokens((1..).zip(text.lines()));
        let problems = problems("a", &tokens);
        let found = problems.iter().map(|problem| {
            let (_, phrase) = problem.rsplit_once(" instead of ").unwrap();
            phrase.trim_matches('"')
        });
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn finds_words_and_phrases() {
        check("Nothing was told.", &["told"]);
        check(
            "This is\nno cat, and those are no dogs.",
            &["is no", "are no"],
        );
        check("(As far as) anew", &["as far as", "anew"]);
        check("The skill `x` lies here.", &["lies"]);
    }

    #[test]
    fn parts_of_words_and_sentences_are_fine() {
        check("Unspareable worldly outdoors.", &[]);
        check("So it is. No cat is here.", &[]);
    }

    #[test]
    fn good_english_is_fine() {
        check("There is no cat, and it is no longer here.", &[]);
        check("`x` stands for a letter.", &[]);
        check("It stands forever.", &["stands"]);
    }

    #[test]
    fn inline_code_is_not_read() {
        check("`door`, `is no door`, [`walls`]. (`told`)", &[]);
        check("`a` door", &["door"]);
    }

    #[test]
    fn splits_sentences() {
        let text = "One, e.g. two. Three `four five`. `Six` (seven.) Eight? Nine";
        let tokens = tokens([(1, text)].into_iter());
        let lengths: Vec<usize> = sentences(&tokens).map(<[_]>::len).collect();
        assert_eq!(lengths, [3, 3, 2, 1, 1]);
    }
}
