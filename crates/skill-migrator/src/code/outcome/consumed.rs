//! Functions whose answers other functions only take apart: `const kettle = await this.fill(); return { … }`.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::super::arguments::{Reader, is_of_other_object, owners};
use super::super::functions::innermost;
use super::super::lexer::Token;
use super::super::modes::reaches;
use super::super::scopes::Scopes;

/// Maximum number of callers that are followed, one after the other.
const MAX_CALLERS: usize = 3;

/// The calls of a function: file, position, and whether the caller keeps the answer.
type Calls = Vec<(usize, usize, bool)>;

/// The calls of each function of the reached files.
pub(super) struct Consumed<'t, 'r, 'a> {
    readers: &'r [Reader<'t, 'a>],
    /// By file and number of the function.
    calls: RefCell<BTreeMap<(usize, usize), Calls>>,
}

impl<'t, 'r, 'a> Consumed<'t, 'r, 'a> {
    pub(super) fn new(readers: &'r [Reader<'t, 'a>]) -> Self {
        Self {
            readers,
            calls: RefCell::default(),
        }
    }

    /// Returns true for a position in a function whose answers no caller of a command passes on.
    pub(super) fn has(
        &self,
        scopes: &Scopes<'_, '_, '_>,
        command: usize,
        place: (usize, usize),
    ) -> bool {
        self.is_within(scopes, command, place, MAX_CALLERS)
    }

    fn is_within(
        &self,
        scopes: &Scopes<'_, '_, '_>,
        command: usize,
        (file, at): (usize, usize),
        depth: usize,
    ) -> bool {
        let reader = &self.readers[file];
        let around = reader.functions.iter().enumerate().skip(1);
        let around = around.filter(|(_, it)| it.body.contains(&at) && !it.name.is_empty());
        let Some((number, _)) = around.min_by_key(|(_, it)| it.body.len()) else {
            return false;
        };
        let known = self.calls.borrow().get(&(file, number)).cloned();
        let calls = known.unwrap_or_else(|| self.calls_of(file, number));
        self.calls
            .borrow_mut()
            .insert((file, number), calls.clone());
        let own = calls.iter();
        let own = own.filter(|(file, at, _)| reaches(&scopes.at(*file, *at), command));
        let mut own = own.map(|(file, at, is_kept)| {
            *is_kept || depth > 0 && self.is_within(scopes, command, (*file, *at), depth - 1)
        });
        own.next() == Some(true) && own.all(|it| it)
    }

    fn calls_of(&self, file: usize, number: usize) -> Calls {
        let function = &self.readers[file].functions[number];
        let mut res = Vec::new();
        for (other, reader) in self.readers.iter().enumerate() {
            for &at in reader.index.of(function.name) {
                let is_call = reader.tokens.get(at + 1) == Some(&Token::Sign('('));
                let is_head = other == file && at == function.head;
                let is_other = is_of_other_object(reader.tokens, at)
                    && owners(self.readers, other, function.name).len() == 1;
                let is_own = if other == file {
                    !is_other
                } else {
                    // Otherwise it is a function of the file of the call.
                    is_other || !reader.defines(function.name)
                };
                if is_call && !is_head && is_own {
                    res.push((other, at, keeps(reader, at)));
                }
            }
        }
        res
    }
}

/// Returns true for a call whose answer gets a name of which its function uses only members.
fn keeps(reader: &Reader<'_, '_>, at: usize) -> bool {
    let tokens = reader.tokens;
    let is_part = |token: &Token<'_>| match token {
        Token::Word(word) => !matches!(*word, "return" | "const" | "let" | "var"),
        token => matches!(token, Token::Sign('.')),
    };
    let before = tokens[..at].iter().rposition(|token| !is_part(token));
    let Some(sign) = before.filter(|it| tokens[*it] == Token::Sign('=')) else {
        return false;
    };
    let Some(Token::Word(name)) = sign.checked_sub(1).map(|it| tokens[it]) else {
        return false;
    };
    let function = &reader.functions[innermost(&reader.functions, at)];
    // `` `${JSON.stringify(kettle)}` ``
    let mut body = tokens[function.body.clone()].iter();
    let is_shown = |token: &Token<'_>| matches!(token, Token::Text(text) if text.contains("${") && text.contains(name));
    if body.any(is_shown) {
        return false;
    }
    let places = reader.index.of(name).iter().copied();
    let mut others = places.filter(|place| function.body.contains(place) && *place + 1 != sign);
    others.all(|place| {
        // `{ kettle: 1 }`
        if tokens.get(place + 1) == Some(&Token::Sign(':'))
            && matches!(tokens[..place], [.., Token::Sign('{' | ',')])
        {
            return true;
        }
        // `{ result: kettle.result }`
        if matches!(
            tokens[..place],
            [.., Token::Word("result"), Token::Sign(':')]
        ) {
            return false;
        }
        // `kettle.water`, `!kettle`, `copy.kettle`
        let is_test = matches!(tokens[..place], [.., Token::Sign('!' | '.')])
            && !matches!(tokens[..place], [.., Token::Sign('.'), Token::Sign('.')]);
        let is_part = matches!(
            tokens[place + 1..],
            [Token::Sign('.' | '['), ..] | [Token::Sign('?'), Token::Sign('.'), ..]
        );
        is_test || is_part
    })
}
