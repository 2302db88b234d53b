//! English templates that match finished texts, and Chinese templates that are filled in.

/// The English text of a row as literal pieces, with a slot between two of them.
#[derive(Debug)]
pub(crate) struct Pattern {
    pieces: Vec<String>,
}

impl Pattern {
    /// Parses a text of the code. Slots are those of `format!`: `{}`, `{0}`, `{name}`, `{n:>5}`;
    /// `{{` and `}}` are braces.
    pub(crate) fn parse(text: &str) -> Self {
        let mut pieces = vec![String::new()];
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let mut step = c.len_utf8();
            if rest.starts_with("{{") || rest.starts_with("}}") {
                push(&mut pieces, c);
                step = 2;
            } else if let Some(len) = slot_len(rest) {
                pieces.push(String::new());
                step = len;
            } else {
                push(&mut pieces, c);
            }
            rest = &rest[step..];
        }
        Self { pieces }
    }

    /// Returns the number of slots.
    #[cfg(test)]
    pub(crate) fn n_slots(&self) -> usize {
        self.pieces.len() - 1
    }

    /// Returns the number of literal bytes, by which the most specific template is found.
    pub(crate) fn weight(&self) -> usize {
        self.pieces.iter().map(String::len).sum()
    }

    /// Returns true if the text begins with a slot.
    pub(crate) fn begins_with_slot(&self) -> bool {
        self.pieces.first().is_none_or(String::is_empty)
    }

    /// Returns the literal text, if there are no slots.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [text] => Some(text),
            _ => None,
        }
    }

    /// Returns what the slots have in `text`: each slot ends where the next piece occurs first.
    pub(crate) fn slots<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (first, others) = self.pieces.split_first()?;
        let mut rest = text.strip_prefix(first.as_str())?;
        let Some((last, middle)) = others.split_last() else {
            return rest.is_empty().then(Vec::new);
        };
        let mut res = Vec::with_capacity(others.len());
        for piece in middle {
            let (slot, after) = rest.split_once(piece.as_str())?;
            res.push(slot);
            rest = after;
        }
        res.push(rest.strip_suffix(last.as_str())?);
        Some(res)
    }
}

fn push(pieces: &mut [String], c: char) {
    if let Some(piece) = pieces.last_mut() {
        piece.push(c);
    }
}

/// Returns the length of the slot at the start of a text, in bytes.
fn slot_len(text: &str) -> Option<usize> {
    let inside = &text.strip_prefix('{')?[..text.find('}')? - 1];
    let name = inside.split(':').next().unwrap_or_default();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some(inside.len() + 2)
}

/// A part of a Chinese text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Text(String),
    /// The slot with this number, from 0.
    Slot(usize, Kind),
}

/// The treatment of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `{1}`: a name, a path or a number, which is taken over.
    Kept,
    /// `{1!}`: a text of the tools, which is translated as well.
    Said,
    /// `{1#}`: a number; the row does not match anything else.
    Number,
}

/// Parses a Chinese text.
pub(crate) fn parts(text: &str) -> Vec<Part> {
    let mut res = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((slot, len)) = slot(rest) {
            res.push(Part::Text(std::mem::take(&mut literal)));
            res.push(slot);
            rest = &rest[len..];
        } else {
            literal.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    res.push(Part::Text(literal));
    res.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    res
}

fn slot(text: &str) -> Option<(Part, usize)> {
    let inside = text.strip_prefix('{')?;
    let inside = &inside[..inside.find('}')?];
    let (number, kind) = match inside.char_indices().next_back()? {
        (at, '!') => (&inside[..at], Kind::Said),
        (at, '#') => (&inside[..at], Kind::Number),
        _ => (inside, Kind::Kept),
    };
    let number: usize = number.parse().ok()?;
    Some((Part::Slot(number.checked_sub(1)?, kind), inside.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, text: &str, expected: Option<&[&str]>) {
        let found = Pattern::parse(template).slots(text);
        assert_eq!(found.as_deref(), expected, "{template} and {text}");
    }

    #[test]
    fn slots_match_anything_between_the_pieces() {
        check("no file", "no file", Some(&[]));
        check("no file", "no files", None);
        check("`{key}` is {}", "`a` is b is c", Some(&["a", "b is c"]));
        check("{n} of {}", "3 of x", Some(&["3", "x"]));
        check("{0:>5}x", "  3x", Some(&["  3"]));
        check("`{}`", "``", Some(&[""]));
        check("`{}`", "`", None);
    }

    #[test]
    fn other_braces_are_text() {
        check("{{\"id\": {n}}}", "{\"id\": 3}", Some(&["3"]));
        check("as \\u{…}", "as \\u{…}", Some(&[]));
        check("{", "{", Some(&[]));
    }

    #[test]
    fn chinese_slots_have_numbers() {
        let text = |text: &str| Part::Text(text.to_owned());
        assert_eq!(
            parts("{2}是{1!}，{3#} {x}"),
            [
                Part::Slot(1, Kind::Kept),
                text("是"),
                Part::Slot(0, Kind::Said),
                text("，"),
                Part::Slot(2, Kind::Number),
                text(" {x}"),
            ]
        );
    }
}
