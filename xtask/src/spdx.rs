//! License expressions: `(MIT OR Apache-2.0) AND Unicode-3.0`.
//!
//! The grammar is that of SPDX 2.3, annex D; the `/` of old manifests is an `OR`, according to
//! Cargo's manual.

/// Returns whether the allowed licenses satisfy `expression`. An expression that cannot be parsed
/// is not allowed.
pub(crate) fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let tokens = tokens(expression);
    let mut reader = Reader {
        tokens: &tokens,
        allowed,
    };
    reader.any() == Some(true) && reader.tokens.is_empty()
}

/// The expression with `OR` in place of an old `/`.
pub(crate) fn modern(expression: &str) -> String {
    let words: Vec<String> = tokens(expression);
    let text = words.join(" ");
    text.replace("( ", "(").replace(" )", ")")
}

fn tokens(expression: &str) -> Vec<String> {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

struct Reader<'a> {
    tokens: &'a [String],
    allowed: &'a [String],
}

impl Reader<'_> {
    fn take(&mut self, word: &str) -> bool {
        let is_next = self.tokens.first().is_some_and(|token| token == word);
        if is_next {
            self.tokens = &self.tokens[1..];
        }
        is_next
    }

    fn any(&mut self) -> Option<bool> {
        let mut res = self.all()?;
        while self.take("OR") {
            res |= self.all()?;
        }
        Some(res)
    }

    fn all(&mut self) -> Option<bool> {
        let mut res = self.one()?;
        while self.take("AND") {
            res &= self.one()?;
        }
        Some(res)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let res = self.any()?;
            return self.take(")").then_some(res);
        }
        let mut name = self.word()?;
        if self.take("WITH") {
            name = format!("{name} WITH {}", self.word()?);
        }
        Some(self.allowed.contains(&name))
    }

    fn word(&mut self) -> Option<String> {
        let (first, rest) = self.tokens.split_first()?;
        if ["OR", "AND", "WITH", "(", ")"].contains(&first.as_str()) {
            return None;
        }
        self.tokens = rest;
        Some(first.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_branch_of_or_and_both_of_and() {
        let allowed = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("Unlicense/MIT", true),
            ("MIT AND ISC", true),
            ("MIT AND GPL-3.0", false),
            ("(GPL-3.0 OR MIT) AND ISC", true),
            ("GPL-3.0 OR MIT AND GPL-2.0", false),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Apache-2.0", false),
            ("", false),
            ("MIT OR", false),
            ("(MIT", false),
            ("MIT ISC", false),
        ] {
            assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
        }
    }

    #[test]
    fn an_old_slash_becomes_or() {
        assert_eq!(modern("MIT / Apache-2.0"), "MIT OR Apache-2.0");
        assert_eq!(modern("(MIT/ISC) AND Zlib"), "(MIT OR ISC) AND Zlib");
    }
}
