//! The errors of the reference.

/// One of the reference's errors, in the words of this project.
pub(crate) struct Flaw {
    pub(crate) message: String,
    /// Line in `SKILL.md`, if there is one.
    pub(crate) line: Option<u32>,
}

impl Flaw {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            line: None,
        }
    }

    pub(super) fn at(message: impl Into<String>, line: u32) -> Self {
        Self {
            line: Some(line),
            ..Self::new(message)
        }
    }
}
