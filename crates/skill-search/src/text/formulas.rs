//! Formulas in a request: `(3.5^4 - 17)/ln(8)` asks for a calculation, and its numbers say nothing else.

use std::ops::Range;

/// The operators that prose does not have between numbers. A hyphen or a slash alone may be a range, a
/// date or a path.
const STRONG: [char; 7] = ['+', '*', '^', '×', '÷', '·', '√'];
/// The maximum number of operators of one formula.
const MAX_OPERATORS: usize = 200;
/// The maximum number of parentheses in each other.
const MAX_DEPTH: usize = 32;

/// Returns a text without its formulas; `None` if it has none.
pub(super) fn without_formulas(text: &str) -> Option<String> {
    if !text.contains(STRONG) && !text.contains('(') {
        return None;
    }
    let (mut res, mut done) = (String::new(), 0);
    let mut before = None;
    for (start, c) in text.char_indices() {
        let is_start = start >= done && !before.is_some_and(is_part);
        before = Some(c);
        if !is_start {
            continue;
        }
        if let Some(found) = formula(text, start) {
            res.push_str(&text[done..found.start]);
            res.push(' ');
            done = found.end;
        }
    }
    res.push_str(&text[done..]);
    (done > 0).then_some(res)
}

/// Returns whether a character is a part of a word, a number or an address, so that no formula starts
/// after it.
fn is_part(c: char) -> bool {
    is_word(c) || matches!(c, '=' | '?' | '&' | ':' | '@' | '#' | '%')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | '\\' | '-' | '+' | '*' | '^')
}

/// Returns the formula that starts at a place of a text.
fn formula(text: &str, start: usize) -> Option<Range<usize>> {
    let mut reader = Reader {
        text,
        at: start,
        n_numbers: 0,
        n_strong: 0,
        n_operators: 0,
        n_calls: 0,
    };
    reader.sum(0)?;
    let ends = !text[reader.at..].starts_with(|c: char| is_word(c) && c != '.');
    let is_strong = reader.n_strong > 0 || reader.n_calls > 0 && reader.n_operators > 0;
    let is_formula = ends && is_strong && reader.n_numbers > 0 && reader.n_operators > 0;
    is_formula.then_some(start..reader.at)
}

/// A reader of one formula.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    n_numbers: usize,
    n_strong: usize,
    n_operators: usize,
    n_calls: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    /// Reads operands with operators between them, up to the last operand.
    fn sum(&mut self, depth: usize) -> Option<()> {
        self.operand(depth)?;
        loop {
            let before = self.at;
            let counts = (self.n_numbers, self.n_calls);
            self.skip_blanks();
            let operator = self
                .peek()
                .filter(|c| STRONG.contains(c) || "-/%".contains(*c))
                .filter(|_| self.n_operators < MAX_OPERATORS);
            let Some(operator) = operator else {
                self.at = before;
                return Some(());
            };
            self.at += operator.len_utf8();
            // `**` is a power, `//` a division.
            if self.text[self.at..].starts_with(operator) && "*/".contains(operator) {
                self.at += 1;
            }
            self.skip_blanks();
            if self.operand(depth).is_none() {
                // An operator without a second operand is not a part: `3+` is 3.
                (self.n_numbers, self.n_calls) = counts;
                self.at = before;
                return Some(());
            }
            self.n_operators += 1;
            self.n_strong += usize::from(STRONG.contains(&operator));
        }
    }

    /// Reads a number, a variable of one letter, a call of a function, or a formula in parentheses.
    fn operand(&mut self, depth: usize) -> Option<()> {
        if self.peek() == Some('-') || self.peek() == Some('√') {
            self.at += self.peek().map_or(0, char::len_utf8);
        }
        let rest = &self.text[self.at..];
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let n_digits = rest.len() - rest.trim_start_matches(is_number).len();
        let n_letters = rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .len();
        match self.peek()? {
            c if c.is_ascii_digit() => {
                // A dot at the end is that of the sentence.
                self.at += rest[..n_digits].trim_end_matches('.').len();
                self.n_numbers += 1;
                Some(())
            }
            '(' => self.parentheses(depth),
            c if c.is_ascii_alphabetic() => {
                self.at += n_letters;
                if self.peek() == Some('(') && n_letters <= 6 {
                    self.n_calls += 1;
                    return self.parentheses(depth);
                }
                (n_letters == 1 || &rest[..n_letters] == "pi").then_some(())
            }
            _ => None,
        }
    }

    fn parentheses(&mut self, depth: usize) -> Option<()> {
        if depth == MAX_DEPTH {
            return None;
        }
        self.at += 1;
        loop {
            self.skip_blanks();
            self.sum(depth + 1)?;
            self.skip_blanks();
            let end = self.peek()?;
            self.at += end.len_utf8();
            match end {
                ')' => return Some(()),
                ',' => {}
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_not_prose() {
        for (text, expected) in [
            (
                "算一下 (3.5^4 - 17)/ln(8) 等于多少",
                Some("算一下   等于多少"),
            ),
            ("what is 12*7?", Some("what is  ?")),
            ("1 + 1", Some(" ")),
            (
                "integrate x^2*sin(x) from 0 to pi",
                Some("integrate   from 0 to pi"),
            ),
            ("compute 2**10.", Some("compute  .")),
            ("sqrt(2)/2 please", Some("  please")),
            ("(1+2)×(3-4)", Some(" ")),
        ] {
            assert_eq!(without_formulas(text).as_deref(), expected, "{text}");
        }
        for prose in [
            "2024-03-01 to 2024/03/15",
            "open 24/7 (9-17)",
            "a C++ program",
            "main(argc) and f(x)",
            "16/9 video, 1080p+",
            "+49 170 1234567",
            "https://example.com/a+b?x=1*2",
            "a/b (see below)",
            "*bold* and **strong** text",
            "a function foo(1) of version 2.0",
            "((((((",
        ] {
            assert_eq!(without_formulas(prose), None, "{prose}");
        }
        assert_eq!(without_formulas(&"(".repeat(10_000)), None);
    }
}
