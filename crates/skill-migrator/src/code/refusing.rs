//! Settings that are read as a table, without whose entries code refuses: `a:read,b:write`, and an error for
//! a name that is not in it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::analysis::Analysis;
use super::arguments::Reader;
use super::facts::Language;
use super::functions::innermost;
use super::lexer::Token;
use super::tested::names;

/// Number of places of a name that are looked at.
const MAX_PLACES: usize = 32;

/// Returns the settings whose names or words become the entries of a table that code looks up, and where a
/// missing entry ends in an error.
pub(crate) fn refusing(code: &Analysis<'_, '_>, keys: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut res = BTreeSet::new();
    for reader in &code.readers {
        if reader.index.of("split").is_empty() {
            continue;
        }
        for (name, key) in names(reader.tokens, keys) {
            let places = reader.index.of(name).iter().take(MAX_PLACES);
            let mut regions = places.filter_map(|at| reader.taken_by(*at));
            let is_refusing = regions.any(|region| {
                let tables = reader.filled(region);
                tables
                    .iter()
                    .take(MAX_PLACES)
                    .any(|table| reader.is_refusing_table(table))
            });
            if is_refusing {
                res.insert(key.to_owned());
            }
        }
    }
    res
}

impl<'a> Reader<'_, 'a> {
    /// Returns the body of the function or class that gets the name at a position.
    fn taken_by(&self, at: usize) -> Option<Range<usize>> {
        let open = self.index.around(at)?;
        let [.., Token::Word(callee)] = self.tokens[..open] else {
            return None;
        };
        if self.tokens.get(open) != Some(&Token::Sign('(')) {
            return None;
        }
        let is_head = self.functions.iter().any(|it| it.head + 1 == open);
        if is_head {
            return None;
        }
        if let [number] = self.named(callee)[..] {
            return Some(self.functions[number].body.clone());
        }
        let mut heads = self.index.of(callee).iter();
        let head = heads.find(|at| matches!(self.tokens[..**at], [.., Token::Word("class")]))?;
        Some(*head..self.class_end(*head))
    }

    /// Returns the end of the class whose name is at a position.
    fn class_end(&self, head: usize) -> usize {
        match self.language {
            Language::JavaScript => {
                let open = self.tokens[head..]
                    .iter()
                    .position(|it| *it == Token::Sign('{'));
                open.and_then(|open| self.index.closing(head + open))
                    .unwrap_or(head)
            }
            Language::Python => {
                let rest = head + 1..self.tokens.len();
                let mut starts = rest.filter(|at| self.columns[*at] == Some(0));
                starts.next().unwrap_or(self.tokens.len())
            }
        }
    }

    /// Returns the names of the tables that a part of the code splits something into: `table[name] = x`.
    fn filled(&self, region: Range<usize>) -> BTreeSet<&'a str> {
        // A table is filled near the place that gets it.
        const FAR: usize = 2_000;
        let mut res = BTreeSet::new();
        let mut is_split = false;
        for at in region.take(FAR) {
            match self.tokens[at..] {
                [Token::Word("split"), Token::Sign('('), ..] => is_split = true,
                [Token::Word(table), Token::Sign('['), ..] => {
                    let close = self.index.closing(at + 1);
                    let is_set = close.is_some_and(|close| {
                        matches!(self.tokens[close + 1..], [Token::Sign('='), next, ..] if next != Token::Sign('='))
                    });
                    res.extend(is_set.then_some(table));
                }
                [
                    Token::Word(table),
                    Token::Sign('.'),
                    Token::Word("set"),
                    Token::Sign('('),
                    ..,
                ] => {
                    res.insert(table);
                }
                _ => {}
            }
        }
        if is_split { res } else { BTreeSet::new() }
    }

    /// Returns true if a missing entry of a table ends in an error.
    fn is_refusing_table(&self, table: &str) -> bool {
        let mut places = self.index.of(table).iter().take(MAX_PLACES);
        places.any(|at| {
            let is_read = match self.tokens[*at + 1..] {
                [
                    Token::Sign('.'),
                    Token::Word("get" | "has"),
                    Token::Sign('('),
                    ..,
                ] => true,
                [Token::Sign('['), ..] => self
                    .index
                    .closing(*at + 1)
                    .is_some_and(|close| self.tokens.get(close + 1) != Some(&Token::Sign('='))),
                _ => false,
            };
            is_read && self.refuses(*at, true)
        })
    }

    /// Returns true if the value that is read at a position ends in an error where it is missing; `is_first`
    /// for the table itself, whose function may only give the value back.
    fn refuses(&self, at: usize, is_first: bool) -> bool {
        const NEAR: usize = 10;
        let start = at.saturating_sub(NEAR);
        let before = &self.tokens[start..at];
        let is_name = |two: &[Token<'_>]| matches!(two, [Token::Word(_), Token::Sign('=')]);
        let is_end =
            |it: &Token<'_>| matches!(it, Token::Sign(';' | '{' | '}') | Token::Word("return"));
        let statement = before.rsplit(is_end).next().unwrap_or_default();
        if let Some(found) = statement.windows(2).rposition(is_name)
            && let Token::Word(value) = statement[found]
        {
            return self.is_refused_without(value, at);
        }
        // `if (!table.has(name)) throw`
        if matches!(
            before,
            [.., Token::Sign('!'), Token::Word("this"), Token::Sign('.')] | [.., Token::Sign('!')]
        ) {
            return self.fails_after(at);
        }
        // `return self.table.get(name)`
        let gives_back = before
            .iter()
            .rev()
            .take(3)
            .any(|it| *it == Token::Word("return"));
        let function = &self.functions[innermost(&self.functions, at)];
        gives_back
            && is_first
            && !function.name.is_empty()
            && self
                .index
                .of(function.name)
                .iter()
                .take(MAX_PLACES)
                .any(|call| {
                    *call != function.head
                        && self.tokens.get(call + 1) == Some(&Token::Sign('('))
                        && self.refuses(*call, false)
                })
    }

    /// Returns true if code soon tests a name and ends in an error without it.
    fn is_refused_without(&self, name: &str, at: usize) -> bool {
        const SOON: usize = 40;
        let all = self.index.of(name);
        let places = all[all.partition_point(|it| *it <= at)..].iter();
        let places = places.take_while(|it| **it < at + SOON);
        let mut tested = places.filter(|it| {
            matches!(
                self.tokens[..**it],
                [.., Token::Sign('!') | Token::Word("not")]
            )
        });
        tested.any(|it| self.fails_after(*it))
    }

    /// Returns true if the block after a condition ends in an error.
    fn fails_after(&self, at: usize) -> bool {
        const AFTER: usize = 24;
        let block = &self.tokens[at..self.tokens.len().min(at + AFTER)];
        let block = block
            .split(|it| *it == Token::Sign('}'))
            .next()
            .unwrap_or_default();
        let is_false = |two: &[Token<'_>]| {
            matches!(two, [Token::Word("return"), Token::Word("False" | "false")])
        };
        let is_error = |it: &Token<'_>| {
            matches!(
                it,
                Token::Word("throw" | "raise" | "error") | Token::Text("error")
            )
        };
        block.iter().any(is_error) || block.windows(2).any(is_false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn tables_without_which_all_is_refused() {
        let check = |path: &str, code: &str, expected: bool| {
            let keys = BTreeSet::from(["TEA_ROOMS"]);
            let found = of_file(path, code, |code| refusing(code, &keys));
            assert_eq!(!found.is_empty(), expected, "{code}");
        };
        let class = "class Rooms:\n    def __init__(self, text):\n        self.rooms = {}\n        for it in text.split(','):\n            name, way = it.split(':')\n            self.rooms[name] = way\n    def room(self, name):\n        return self.rooms.get(name)\n    def check(self, name):\n        found = self.room(name)\n        if not found:\n            return False, 'no such room'\n        return True, ''\n";
        let python = format!(
            "import os\n{class}text = os.environ.get('TEA_ROOMS', '')\nrooms = Rooms(text)\n"
        );
        check("a.py", &python, true);
        check(
            "a.py",
            &python.replace("return False, 'no such room'", "found = 'all'"),
            false,
        );
        check("a.py", &python.replace("Rooms(text)", "print(text)"), false);
        let script = "const rooms = new Map(); function fill(text) { for (const it of text.split(',')) { const [a, b] = it.split(':'); rooms.set(a, b); } }
            const text = process.env.TEA_ROOMS || ''; fill(text);
            function open(name) { const room = rooms.get(name); if (!room) throw new Error('no such room'); }";
        check("a.js", script, true);
        check(
            "a.js",
            &script.replace("throw new Error('no such room');", "return;"),
            false,
        );
    }
}
