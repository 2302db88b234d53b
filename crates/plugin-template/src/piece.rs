//! The pieces of a template.

use std::ops::Range;

/// A part of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The byte range in the template.
    pub range: Range<usize>,
    /// The meaning of the part for the host.
    pub kind: PieceKind,
    /// Set if the author probably did not mean the placeholder that the host sees here.
    pub doubt: Option<Doubt>,
}

/// The kinds of pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// Text that the host sends as it is.
    Text,
    /// A placeholder after a backslash: the host sends it without the backslash.
    Escaped,
    /// Everything that the user typed after the command's name.
    Arguments,
    /// One argument.
    Argument {
        /// The selected argument.
        selector: Selector,
        /// The hint of the placeholder itself, as in `${input:name:hint}`.
        hint: Option<String>,
    },
    /// A shell command whose output the host puts here.
    Shell {
        /// The pieces of the command.
        command: Vec<Piece>,
        /// True for a fenced block of commands.
        is_block: bool,
    },
    /// A file whose content the host puts here or attaches.
    File {
        /// The pieces of the path.
        path: Vec<Piece>,
    },
    /// A value of the host.
    Variable {
        /// The name as written, without `$` and braces.
        name: String,
        /// The path behind it, without the slash: `a.md` in `${CLAUDE_PLUGIN_ROOT}/a.md`.
        path: Option<String>,
    },
}

/// An argument as a placeholder selects it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Selector {
    /// The number as written. The first argument has the number [`crate::FirstIndex`].
    Index(usize),
    /// The name.
    Name(String),
}

/// A reason to believe that a placeholder is meant as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// An amount of money: `$5,000`.
    Amount,
    /// Code of another language: `awk '{print $1}'`.
    Code,
}

impl Piece {
    /// Returns the pseudo-pointer under which the piece gets a fate: `/body/@12` for the piece at
    /// byte 12.
    pub fn pointer(&self) -> String {
        format!("/body/@{}", self.range.start)
    }

    /// Returns whether the piece is more than text.
    pub fn is_placeholder(&self) -> bool {
        self.kind != PieceKind::Text
    }

    /// Returns the pieces of the command or path.
    pub fn inner(&self) -> &[Piece] {
        match &self.kind {
            PieceKind::Shell { command, .. } => command,
            PieceKind::File { path } => path,
            _ => &[],
        }
    }

    pub(crate) fn new(range: Range<usize>, kind: PieceKind) -> Self {
        let doubt = None;
        Self { range, kind, doubt }
    }

    pub(crate) fn index(range: Range<usize>, index: usize) -> Self {
        let selector = Selector::Index(index);
        let hint = None;
        Self::new(range, PieceKind::Argument { selector, hint })
    }

    pub(crate) fn name(range: Range<usize>, name: &str) -> Self {
        let selector = Selector::Name(name.to_owned());
        let hint = None;
        Self::new(range, PieceKind::Argument { selector, hint })
    }
}
