//! A template, and what its placeholders say together.

use std::collections::BTreeSet;

use crate::code::Code;
use crate::lex::is_amount;
use crate::piece::{Doubt, Piece, PieceKind, Selector};
use crate::{Dialect, lex};

/// A prompt of another host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    text: String,
    dialect: Dialect,
    names: Vec<String>,
    pieces: Vec<Piece>,
    unclosed: Option<usize>,
}

/// The number of the first argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstIndex {
    /// The first argument is `$0` or `$1`.
    Known(usize),
    /// Written for a version of Claude Code that is not known: older ones count from 1, those from
    /// 2.1.19 on from 0. A text with `$1` and without `$0` was most likely written for an older one.
    Unsure,
}

impl Template {
    /// Reads the body of a prompt. `names` are the arguments that the frontmatter declares, in
    /// their order; they make `$name` a placeholder in Claude Code, and `${NAME}` in Copilot.
    ///
    /// ```
    /// use plugin_template::{Dialect, PieceKind, Template};
    ///
    /// let names = ["issue".to_owned()];
    /// let template = Template::parse("Fix $issue, not $this.", Dialect::Claude, &names);
    /// let kinds = template.pieces().iter().map(|piece| piece.is_placeholder());
    /// assert!(kinds.eq([false, true, false]));
    /// ```
    pub fn parse(text: &str, dialect: Dialect, names: &[String]) -> Self {
        let (pieces, unclosed) = lex::lex(text, dialect, names);
        Self {
            text: text.to_owned(),
            dialect,
            names: names.to_vec(),
            pieces,
            unclosed,
        }
    }

    /// Returns the source.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the declared names of arguments.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the pieces, which cover the source without gaps.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the source of a piece.
    pub fn source(&self, piece: &Piece) -> &str {
        &self.text[piece.range.clone()]
    }

    /// Returns the position of a `!{` or `@{` without its closing brace. The host refuses the
    /// prompt; here it is text.
    pub fn unclosed(&self) -> Option<usize> {
        self.unclosed
    }

    /// Returns every piece that is not text, also those inside of commands and paths, in the order
    /// of the source.
    pub fn placeholders(&self) -> impl Iterator<Item = &Piece> {
        let all = self.pieces.iter().flat_map(|piece| {
            let inner = piece.inner().iter();
            std::iter::once(piece).chain(inner.flat_map(|piece| {
                let innermost = piece.inner().iter();
                std::iter::once(piece).chain(innermost)
            }))
        });
        all.filter(|piece| piece.is_placeholder())
    }

    /// Returns whether any piece takes what the user typed.
    pub fn takes_arguments(&self) -> bool {
        self.placeholders().any(|piece| {
            matches!(
                piece.kind,
                PieceKind::Arguments | PieceKind::Argument { .. }
            )
        })
    }

    /// Returns whether any piece takes what the user typed, and its author meant it.
    pub(crate) fn is_about_arguments(&self) -> bool {
        self.placeholders().any(|piece| {
            let is_argument = matches!(
                piece.kind,
                PieceKind::Arguments | PieceKind::Argument { .. }
            );
            is_argument && piece.doubt.is_none()
        })
    }

    /// Returns the numbers of code that gives them values of its own, such as the `$1` of `awk`, sorted.
    pub fn numbers_of_code(&self) -> Vec<&str> {
        let is_own =
            |piece: &&Piece| piece.doubt == Some(Doubt::Code) && number_of(piece).is_some();
        let found = self.placeholders().filter(is_own);
        let mut res: Vec<&str> = found.map(|piece| self.source(piece)).collect();
        res.sort_unstable();
        res.dedup();
        res
    }

    /// Returns the names that placeholders use, each once, in the order of the source.
    pub fn used_names(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let names = self.placeholders().filter_map(|piece| match &piece.kind {
            PieceKind::Argument {
                selector: Selector::Name(name),
                ..
            } => Some(name.as_str()),
            _ => None,
        });
        names.filter(|name| seen.insert(*name)).collect()
    }

    /// Returns the numbers that placeholders use and their authors meant, sorted.
    pub fn used_indices(&self) -> Vec<usize> {
        let sure = self.placeholders().filter(|piece| piece.doubt.is_none());
        let mut res: Vec<usize> = sure
            .filter_map(|piece| match piece.kind {
                PieceKind::Argument {
                    selector: Selector::Index(index),
                    ..
                } => Some(index),
                _ => None,
            })
            .collect();
        res.sort_unstable();
        res.dedup();
        res
    }

    /// Returns the lowest number in prose, and that in code, of those that their authors meant.
    pub fn lowest_indices(&self) -> [Option<usize>; 2] {
        let code = Code::read(&self.text);
        let mut res = [None; 2];
        for piece in self.placeholders().filter(|piece| piece.doubt.is_none()) {
            if let Some(index) = number_of(piece) {
                let at = piece.range.start;
                let is_code = code.is_in_span(at) || code.fence_at(at).is_some();
                let lowest: &mut Option<usize> = &mut res[usize::from(is_code)];
                *lowest = Some(lowest.map_or(index, |it| it.min(index)));
            }
        }
        res
    }

    /// Returns the numbers outside of code that can be amounts, but do not look like one: `$9` without `$8`.
    pub fn doubtful_numbers(&self) -> Vec<&str> {
        let code = Code::read(&self.text);
        let is_code = |at| code.is_in_span(at) || code.fence_at(at).is_some();
        let is_plain = |piece: &&Piece| {
            piece.doubt == Some(Doubt::Amount)
                && !is_code(piece.range.start)
                && number_of(piece).is_some()
                && !is_amount(&self.text[piece.range.end..])
        };
        let found = self.placeholders().filter(is_plain);
        let mut res: Vec<&str> = found.map(|piece| self.source(piece)).collect();
        res.sort_unstable();
        res.dedup();
        res
    }

    /// Returns the number of the first argument. `n_hinted` is the number of arguments that
    /// `argument-hint` names. Only Claude Code changed its rule.
    ///
    /// ```
    /// use plugin_template::{Dialect, FirstIndex, Template};
    ///
    /// let first = |text, n_hinted| Template::parse(text, Dialect::Claude, &[]).first_index(n_hinted);
    /// assert_eq!(first("From $0 to $1.", 0), FirstIndex::Known(0));
    /// assert_eq!(first("From $1 to $2.", 2), FirstIndex::Known(1));
    /// assert_eq!(first("From $1 to $2.", 0), FirstIndex::Unsure);
    /// ```
    pub fn first_index(&self, n_hinted: usize) -> FirstIndex {
        if self.dialect != Dialect::Claude {
            return FirstIndex::Known(1);
        }
        let indices = self.used_indices();
        let has_brackets = self.text.contains("$ARGUMENTS[");
        let (Some(&low), Some(&high)) = (indices.first(), indices.last()) else {
            return FirstIndex::Known(0);
        };
        if low == 0 || has_brackets || !self.names.is_empty() {
            FirstIndex::Known(0)
        } else if high == n_hinted {
            FirstIndex::Known(1)
        } else {
            FirstIndex::Unsure
        }
    }
}

/// Returns the number of a placeholder such as `$1`.
fn number_of(piece: &Piece) -> Option<usize> {
    match piece.kind {
        PieceKind::Argument {
            selector: Selector::Index(index),
            ..
        } => Some(index),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, lowest: [Option<usize>; 2], doubtful: &[&str]) {
        let template = Template::parse(text, Dialect::OpenCode, &[]);
        assert_eq!(template.lowest_indices(), lowest, "{text}");
        assert_eq!(template.doubtful_numbers(), doubtful, "{text}");
    }

    #[test]
    fn numbers_by_their_place() {
        check(
            "Move $1.\n\n```sh\nmv $0 $1\n```\n",
            [Some(1), Some(0)],
            &[],
        );
        check("Fix $1 and $9 for $5,000.", [Some(1), None], &["$9"]);
        check("Fix `$1`.\n\n```js\na($0)\n```\n", [None, Some(1)], &[]);
    }
}
