//! Splitting a command line into words if that needs no shell.

/// A command line, split or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Words {
    /// The words, without quotes.
    Plain(Vec<String>),
    /// A line that only a shell can interpret.
    Shell {
        /// The first character that requires a shell.
        sign: char,
    },
}

/// Splits a line at blanks and tabs, as `sh` does; other spaces belong to their word. Quotes
/// without special content are removed; everything else with a meaning in `sh` makes it a shell
/// line. A backslash before a letter or digit is taken for a Windows path.
pub(crate) fn split_words(line: &str) -> Words {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let next_is_plain = chars
            .peek()
            .is_some_and(|next| next.is_alphanumeric() || *next == '_');
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some('"'), '$' | '`' | '\\') => return Words::Shell { sign: c },
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '\n') => return Words::Shell { sign: c },
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '\\') if next_is_plain => word.get_or_insert_default().push(c),
            (None, '#') if word.is_some() => word.get_or_insert_default().push(c),
            (None, '=') if words.is_empty() => return Words::Shell { sign: c },
            (None, _) if is_shell_sign(c) => return Words::Shell { sign: c },
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(sign) = quote {
        return Words::Shell { sign };
    }
    words.extend(word);
    Words::Plain(words)
}

/// Returns whether a character has a special meaning in `sh` (POSIX, Shell Command Language §2.2).
fn is_shell_sign(c: char) -> bool {
    matches!(
        c,
        '|' | '&'
            | ';'
            | '<'
            | '>'
            | '('
            | ')'
            | '$'
            | '`'
            | '\\'
            | '*'
            | '?'
            | '['
            | ']'
            | '#'
            | '~'
            | '{'
            | '}'
            | '!'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let words = expected.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(split_words(line), Words::Plain(words), "{line}");
    }

    #[track_caller]
    fn check_shell(line: &str, sign: char) {
        assert_eq!(split_words(line), Words::Shell { sign }, "{line}");
    }

    #[test]
    fn splits_plain_lines() {
        check("node x.js", &["node", "x.js"]);
        check("  node   x.js  ", &["node", "x.js"]);
        check(
            "python \"my script.py\" ''",
            &["python", "my script.py", ""],
        );
        check("bin\\x.exe -a=1", &["bin\\x.exe", "-a=1"]);
        check(
            "node my\u{3000}file.js\tx",
            &["node", "my\u{3000}file.js", "x"],
        );
        check("", &[]);
    }

    #[test]
    fn leaves_the_rest_to_a_shell() {
        check_shell("node x.js; rm y", ';');
        check_shell("node x.js && y", '&');
        check_shell("echo \"$HOME\"", '$');
        check_shell("A=1 node x.js", '=');
        check_shell("node x.js\ny", '\n');
        check_shell("node 'x", '\'');
        check_shell("node *.js", '*');
    }
}
