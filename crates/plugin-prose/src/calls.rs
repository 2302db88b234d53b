//! The calls in a description and its examples.

use std::collections::BTreeSet;

use skill_diagnostics::Diagnostic;

use crate::example;
use crate::finding;
use crate::form::calls::{self, FlatCall};
use crate::lex::pieces::Piece;
use crate::reading::Dispatch;
use crate::source::CommandSource;

/// The maximum number of unclosed values that are reported one by one.
const MAX_FINDINGS: usize = 16;

/// The calls of description and examples.
pub(crate) struct Calls {
    /// All calls, in order.
    pub(crate) all: Vec<FlatCall>,
    /// The number of calls in the description.
    n_described: usize,
    unreadable: usize,
}

/// A call of this command.
pub(crate) struct OwnCall<'a> {
    /// The call.
    pub(crate) flat: &'a FlatCall,
    /// True if the call is in the description.
    pub(crate) in_description: bool,
}

impl Calls {
    /// Reads the calls of the description and the examples.
    pub(crate) fn new(
        described: &[Piece<'_>],
        examples: &[std::borrow::Cow<'_, str>],
        shown: &[Vec<Piece<'_>>],
    ) -> Self {
        let mut all = flats(described);
        let n_described = all.len();
        let mut unreadable = 0;
        for (text, pieces) in examples.iter().zip(shown) {
            let mut found = flats(pieces);
            found.extend(example::json_call(text));
            unreadable += usize::from(found.is_empty() && !text.trim().is_empty());
            all.extend(found);
        }
        Self {
            all,
            n_described,
            unreadable,
        }
    }

    /// Returns the calls that do not select another command.
    pub(crate) fn selected_by(&self, dispatch: Option<&Dispatch>) -> Vec<OwnCall<'_>> {
        let selects = |flat: &FlatCall| {
            dispatch.is_none_or(|dispatch| {
                flat.get(&dispatch.key)
                    .is_none_or(|value| value == dispatch.value)
            })
        };
        let all = self
            .all
            .iter()
            .enumerate()
            .filter(|(_, flat)| selects(flat));
        all.map(|(at, flat)| OwnCall {
            flat,
            in_description: at < self.n_described,
        })
        .collect()
    }

    /// Returns findings about doubtful calls.
    pub(crate) fn findings(
        &self,
        source: &CommandSource<'_>,
        described: &[Piece<'_>],
        shown: &[Vec<Piece<'_>>],
    ) -> Vec<Diagnostic> {
        let mut res = Vec::new();
        let pieces = described.iter().chain(shown.iter().flatten());
        let calls: Vec<_> = pieces
            .filter_map(|piece| {
                if let Piece::Call(call) = piece {
                    Some(call)
                } else {
                    None
                }
            })
            .collect();
        if calls.iter().any(|call| call.marked && !call.closed) {
            res.push(finding::block_unclosed());
        }
        let fields = calls.iter().flat_map(|call| call.fields());
        let open: BTreeSet<&str> = fields
            .filter(|field| !field.closed)
            .map(|field| field.key)
            .collect();
        res.extend(
            open.into_iter()
                .take(MAX_FINDINGS)
                .map(finding::value_unclosed),
        );
        let other = self
            .all
            .iter()
            .filter_map(|call| call.tool.as_deref())
            .find(|tool| *tool != source.plugin);
        if let Some(other) = other.filter(|_| !source.plugin.is_empty()) {
            res.push(finding::tool_name_mismatch(other, source.plugin));
        }
        if self.unreadable > 0 {
            res.push(finding::example_unreadable());
        }
        res
    }
}

fn flats(pieces: &[Piece<'_>]) -> Vec<FlatCall> {
    let calls = pieces.iter().filter_map(|piece| match piece {
        Piece::Call(call) => Some(call),
        _ => None,
    });
    calls
        .flat_map(calls::flatten)
        .filter(|flat| flat.tool.is_some() || !flat.arguments.is_empty())
        .collect()
}
