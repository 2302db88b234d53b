//! The kinds of names in an index.

/// The kinds of names by which a request can mention a skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MentionKind {
    /// The name of the skill.
    Name,
    /// A legacy or ABP tool name of the skill.
    Alias,
    /// The identifier of one of the skill's commands.
    Command,
}

impl MentionKind {
    pub(crate) fn pack(self, document: u32) -> u32 {
        document << 2 | self as u32
    }

    pub(crate) fn unpack(packed: u32) -> (u32, Self) {
        let kind = match packed & 3 {
            0 => Self::Name,
            1 => Self::Alias,
            _ => Self::Command,
        };
        (packed >> 2, kind)
    }

    /// Returns the word for this kind in explanations.
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Alias => "tool name",
            Self::Command => "command",
        }
    }
}
