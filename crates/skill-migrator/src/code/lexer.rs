//! Tokens of JavaScript and Python, as needed for finding imports and settings.

/// A token; comments and white space are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A name or keyword.
    Word(&'a str),
    /// A string without its quotes, with its escapes unchanged.
    Text(&'a str),
    /// Any other character.
    Sign(char),
    /// The end of a line.
    Newline,
}

/// Returns the tokens of JavaScript or TypeScript.
pub(super) fn javascript(code: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer {
        code,
        at: 0,
        tokens: Vec::new(),
    };
    while let Some(c) = lexer.peek() {
        match c {
            '/' if lexer.rest().starts_with("//") => lexer.skip_line(),
            '/' if lexer.rest().starts_with("/*") => lexer.skip_past("*/"),
            '/' if lexer.regex_may_start() => lexer.skip_regex(),
            '"' | '\'' | '`' => lexer.text(c, c == '`'),
            _ => lexer.plain(c),
        }
    }
    lexer.tokens
}

/// Returns the tokens of Python.
pub(super) fn python(code: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer {
        code,
        at: 0,
        tokens: Vec::new(),
    };
    while let Some(c) = lexer.peek() {
        let rest = lexer.rest();
        match c {
            '#' => lexer.skip_line(),
            '"' if rest.starts_with("\"\"\"") => lexer.long_text("\"\"\""),
            '\'' if rest.starts_with("'''") => lexer.long_text("'''"),
            '"' | '\'' => lexer.text(c, false),
            _ => lexer.plain(c),
        }
    }
    lexer.tokens
}

struct Lexer<'a> {
    code: &'a str,
    at: usize,
    tokens: Vec<Token<'a>>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.code[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn skip_past(&mut self, end: &str) {
        let rest = self.rest();
        self.at += rest.find(end).map_or(rest.len(), |found| found + end.len());
    }

    /// Reads a string up to its closing quote. It also ends at the line end, so that a stray quote
    /// affects one line at most.
    fn text(&mut self, quote: char, many_lines: bool) {
        let start = self.at + 1;
        let mut escaped = false;
        for (at, c) in self.code[start..].char_indices() {
            let end = start + at;
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == quote || c == '\n' && !many_lines {
                self.tokens.push(Token::Text(&self.code[start..end]));
                self.at = if c == quote { end + 1 } else { end };
                return;
            }
        }
        self.at = self.code.len();
    }

    fn long_text(&mut self, quotes: &str) {
        self.at += quotes.len();
        let start = self.at;
        self.skip_past(quotes);
        let end = (self.at - quotes.len()).max(start);
        if self.code.is_char_boundary(end) {
            self.tokens.push(Token::Text(&self.code[start..end]));
        }
    }

    /// Returns whether a `/` can only begin a regular expression here.
    fn regex_may_start(&self) -> bool {
        match self
            .tokens
            .iter()
            .rev()
            .find(|token| **token != Token::Newline)
        {
            None => true,
            Some(Token::Sign(c)) => !matches!(c, ')' | ']' | '}'),
            Some(Token::Word(word)) => {
                matches!(*word, "return" | "typeof" | "case" | "in" | "of" | "void")
            }
            Some(Token::Text(_) | Token::Newline) => false,
        }
    }

    /// Skips a regular expression, which ends at the first `/` outside a class, or with the line.
    fn skip_regex(&mut self) {
        let start = self.at + 1;
        let (mut escaped, mut in_class) = (false, false);
        for (at, c) in self.code[start..].char_indices() {
            match c {
                '\n' => {
                    self.at = start;
                    return;
                }
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => {
                    self.at = start + at + 1;
                    return;
                }
                _ => {}
            }
        }
        self.at = self.code.len();
    }

    fn plain(&mut self, c: char) {
        if is_word(c) {
            let rest = self.rest();
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            self.tokens.push(Token::Word(&rest[..len]));
            self.at += len;
            return;
        }
        match c {
            '\n' => self.tokens.push(Token::Newline),
            _ if c.is_whitespace() => {
                self.at += self
                    .rest()
                    .bytes()
                    .take_while(|byte| *byte == b' ')
                    .count()
                    .saturating_sub(1);
            }
            _ => self.tokens.push(Token::Sign(c)),
        }
        self.at += self.peek().map_or(1, char::len_utf8);
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tokens: &[Token<'_>], expected: &str) {
        let words: Vec<String> = tokens
            .iter()
            .map(|token| match token {
                Token::Word(word) => (*word).to_owned(),
                Token::Text(text) => format!("<{text}>"),
                Token::Sign(c) => c.to_string(),
                Token::Newline => "¶".to_owned(),
            })
            .collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn javascript_knows_comments_strings_and_regular_expressions() {
        check(
            &javascript("a // b\n/* c */ 'd' `e\n${f}`"),
            "a ¶ <d> <e\n${f}>",
        );
        check(
            &javascript(r"x = /['/]\//g; y / 2 / 'z'"),
            "x = g ; y / 2 / <z>",
        );
        check(&javascript("'open\nb"), "<open> ¶ b");
        check(&javascript("'it\\'s' 中文"), "<it\\'s> 中文");
        check(&javascript("`open"), "");
    }

    #[test]
    fn python_knows_comments_and_long_strings() {
        check(&python("a # 'b'\n'''c\n'd' ''' \"e\""), "a ¶ <c\n'd' > <e>");
        check(&python("'''"), "<>");
    }
}
