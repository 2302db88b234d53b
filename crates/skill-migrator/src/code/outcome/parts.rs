//! The parts of a message: `content: [{ type: 'text', … }]`.

use super::super::functions::{closing, innermost};
use super::super::lexer::Token;
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

    /// Returns the argument on which a statement depends: `if (shown) {` after `shown = args.show === 'true'`.
    fn guard(&self, at: usize) -> Option<&'a str> {
        const NEAR: usize = 12;
        let before = &self.tokens[..at];
        let open = before.iter().rposition(|it| *it == Token::Sign('{'))?;
        closing(self.tokens, open)
            .filter(|end| *end > at && open + NEAR > at.saturating_sub(NEAR))?;
        let (Token::Word("if"), Token::Sign('('), Token::Word(name)) = (
            self.tokens[open.checked_sub(4)?],
            self.tokens[open - 3],
            self.tokens[open - 2],
        ) else {
            return None;
        };
        (0..open).rev().find_map(|at| match self.tokens[at..] {
            [
                Token::Word(found),
                Token::Sign('='),
                Token::Word(_),
                Token::Sign('.'),
                Token::Word(argument),
                ..,
            ] if found == name => Some(argument),
            _ => None,
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
