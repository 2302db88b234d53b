//! The parts of a message: `content: [{ type: 'text', … }]`.

use super::super::functions::closing;
use super::super::lexer::Token;
use super::form::{Part, extend};
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
            extend(&mut res, self.types(push..end, self.guard(push)));
        }
        res
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
                    kind: kind.to_owned(),
                    guard: guard.map(str::to_owned),
                };
                extend(&mut res, vec![part]);
            }
        }
        res
    }
}
