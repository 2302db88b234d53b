//! The parts of a message: `content: [{ type: 'text', … }]`.

use super::super::functions::{closing, innermost};
use super::super::lexer::Token;
use super::super::spelling::spelling;
use super::expression::end;
use super::form::{Json, Outcome, Part, all_parts, extend};
use super::values::Code;

/// The types of the parts of a message.
const KINDS: [&str; 12] = [
    "text",
    "image",
    "image_url",
    "audio",
    "audio_url",
    "input_audio",
    "video",
    "video_url",
    "file",
    "file_url",
    "document",
    "resource",
];

impl<'a> Code<'_, 'a> {
    /// Returns the parts of a list, also those that are added to it later.
    pub(super) fn parts(&self, at: usize) -> Vec<Part> {
        let mut res = self.typed(at);
        let is_message = res.iter().all(|it| KINDS.contains(&it.kind.as_str()));
        res.retain(|_| is_message);
        res
    }

    /// Returns the types of the items of a list.
    fn typed(&self, at: usize) -> Vec<Part> {
        let (range, name) = match self.tokens.get(at) {
            Some(Token::Sign('[')) => (at..closing(self.tokens, at).unwrap_or(at), None),
            Some(Token::Word(name)) => {
                let Some(start) = self.assigned(name, at).pop() else {
                    return Vec::new();
                };
                if self.tokens.get(start) != Some(&Token::Sign('[')) {
                    return Vec::new();
                }
                (
                    start..closing(self.tokens, start).unwrap_or(start),
                    Some(*name),
                )
            }
            _ => return Vec::new(),
        };
        let mut res = self.types(range.clone(), None);
        let pushes = (range.end..at).filter(|at| {
            matches!(
                self.tokens[*at..],
                [Token::Word(list), Token::Sign('.'), Token::Word("push" | "append"), Token::Sign('('), ..]
                    if Some(list) == name
            )
        });
        for push in pushes {
            let end = closing(self.tokens, push + 3).unwrap_or(push);
            all_parts(&mut res, self.types(push..end, self.guard(push)));
        }
        res
    }

    /// Returns the object in the text of a part, `{ type: 'text', text: JSON.stringify(made) }`, by the
    /// position of its type.
    fn json(&self, at: usize) -> Option<Json> {
        /// Number of steps to the object.
        const NEAR: usize = 5;
        let open = self.index.around(at)?;
        let value = self.member(open, "text")?;
        let value = self.serialized(value..end(self.tokens, value))?;
        let is_failure = |at: &usize| self.is_failure(*at);
        let failing = self.values_given(value).into_iter().filter(is_failure);
        let mut failure = Vec::new();
        for open in failing {
            let names = self.members(open).into_iter();
            extend(
                &mut failure,
                names.map(|(name, _)| name.to_owned()).collect(),
            );
        }
        let Some(Outcome::Members(members)) = self.form(value, NEAR) else {
            return None;
        };
        let members: Vec<String> = members.into_iter().map(|it| it.name).collect();
        failure.retain(|name| !members.contains(name));
        Some(Json { members, failure })
    }

    /// Returns the positions of the arguments of calls that give a parameter its value.
    fn values_given(&self, at: usize) -> Vec<usize> {
        let number = innermost(self.functions, at);
        let Some(Token::Word(name)) = self.tokens.get(at).filter(|_| number > 0) else {
            return Vec::new();
        };
        if !self.has_parameter(number, name) {
            return Vec::new();
        }
        let calls = self.calls_of(self.functions[number].name).into_iter();
        let given = calls.filter_map(|call| self.argument(number, call, name));
        given.collect()
    }

    /// Returns the argument on which a statement depends: `if (shown) {` around it after `shown = args.show === 'true'`.
    fn guard(&self, at: usize) -> Option<&'a str> {
        let start = self.functions[innermost(self.functions, at)].body.start;
        let around = std::iter::successors(self.index.around(at), |it| self.index.around(*it));
        let around = around.take_while(|open| *open > start);
        let mut blocks = around.filter(|open| self.tokens[*open] == Token::Sign('{'));
        blocks.find_map(|open| match self.tokens[..open] {
            [
                ..,
                Token::Word("if"),
                Token::Sign('('),
                Token::Word(name),
                Token::Sign(')'),
            ] => self.behind(name, open),
            _ => None,
        })
    }

    /// Returns the argument that a switch has: by the value of its name before a position, or by the name.
    fn behind(&self, name: &str, at: usize) -> Option<&'a str> {
        let places = self.index.of(name).iter().rev();
        let mut set = places.filter(|place| **place < at);
        let value = set.find_map(|place| match self.tokens[place + 1..] {
            [
                Token::Sign('='),
                Token::Word(_),
                Token::Sign('.'),
                Token::Word(argument),
                ..,
            ]
            | [
                Token::Sign('='),
                Token::Word(_),
                Token::Sign('?'),
                Token::Sign('.'),
                Token::Word(argument),
                ..,
            ] => Some(argument),
            _ => None,
        });
        let is_like = |argument: &&str| spelling(argument) == spelling(name);
        // A parameter: the function that calls has the value.
        value.or_else(|| {
            let mut members = self.tokens.windows(4).filter_map(|it| match it {
                [
                    Token::Word(_),
                    Token::Sign('.'),
                    Token::Word(argument),
                    Token::Sign('=' | '!' | ')' | ';' | ','),
                ]
                | [_, Token::Sign('?'), Token::Sign('.'), Token::Word(argument)] => Some(*argument),
                _ => None,
            });
            members.find(is_like)
        })
    }

    fn types(&self, range: std::ops::Range<usize>, guard: Option<&str>) -> Vec<Part> {
        let mut res = Vec::new();
        for at in range {
            if let [
                Token::Word("type") | Token::Text("type"),
                Token::Sign(':'),
                Token::Text(kind),
                ..,
            ] = self.tokens[at..]
            {
                let part = Part {
                    guard: guard.map(str::to_owned),
                    json: self.json(at).filter(|_| kind == "text"),
                    ..Part::of_kind(kind)
                };
                all_parts(&mut res, vec![part]);
            }
        }
        res
    }
}
