//! The input of a listing: skills and settings.

use crate::{Facts, Parts};

/// The name of the tool that returns a body, as the specification has it.
pub const READ_TOOL: &str = "read_skill";

/// A skill in a listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The name of the skill.
    pub name: String,
    /// The description, on one line.
    pub description: String,
    /// The kinds of files besides instructions.
    pub parts: Parts,
    /// The location of its `SKILL.md`, which is listed if the settings say so.
    pub location: Option<String>,
    /// The number of known uses.
    pub n_uses: u64,
    /// The position in the order of precedence; the first one is the most important.
    pub precedence: usize,
    /// True if the skill is shortened last.
    pub is_pinned: bool,
}

impl Item {
    /// Returns the item of a skill that is not pinned and has no known uses.
    pub fn from_facts(facts: &Facts) -> Self {
        Self {
            name: facts.name.clone(),
            description: facts.description.clone(),
            parts: facts.parts,
            location: facts.location.clone(),
            n_uses: 0,
            precedence: 0,
            is_pinned: false,
        }
    }
}

/// The settings of a listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The format of the text.
    pub format: Format,
    /// The maximum number of tokens of the whole text.
    pub budget: Option<usize>,
    /// True if the location of each skill is listed.
    pub has_locations: bool,
    /// The name of the tool that returns a body; `None` if there is none.
    pub read_tool: Option<String>,
    /// The name of the tool that finds skills; `None` if there is none.
    pub search_tool: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            format: Format::Xml,
            budget: None,
            has_locations: false,
            read_tool: Some(READ_TOOL.to_owned()),
            search_tool: None,
        }
    }
}

/// The format of a listing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `<available_skills>`, as most clients write it.
    Xml,
    /// A Markdown list.
    Markdown,
    /// A JSON object.
    Json,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Xml, Self::Markdown, Self::Json];
}
