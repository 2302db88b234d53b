//! The description of a skill, and its budgets.

use crate::Phase;

/// The maximum numbers of tokens of a description.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budgets {
    /// The budget of metadata.
    pub metadata: usize,
    /// The budget of a brief description.
    pub brief: usize,
    /// The budget of a full description, which is cut between paragraphs; `None` for the whole
    /// body.
    pub full: Option<usize>,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            metadata: 50,
            brief: 200,
            full: None,
        }
    }
}

/// A description of a skill for an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The name of the skill.
    pub skill: String,
    /// The level of detail.
    pub phase: Phase,
    /// The text: Markdown, with a line end at its end.
    pub text: String,
    /// The number of tokens of the text.
    pub tokens: usize,
    /// The name of the counter.
    pub counter: &'static str,
    /// The parts that this phase should have but had to leave out.
    pub left_out: Omissions,
}

/// The numbers of missing parts; each of them is marked in the text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Omissions {
    /// Characters of the description, or of the body.
    pub chars: usize,
    /// Commands that are not named.
    pub commands: usize,
    /// Commands that are named without their parameters.
    pub parameters: usize,
    /// Sections that are not named.
    pub sections: usize,
}

impl Omissions {
    /// Returns true if anything is missing.
    pub fn is_cut(&self) -> bool {
        *self != Self::default()
    }
}
