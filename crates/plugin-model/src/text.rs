//! Texts for a model, and the meaning of the keys of their documents.

/// A text for a model: a prompt, the instructions of a skill, or the description of an agent.
///
/// What is said about it (description, license, arguments) is in its document, where each key has
/// a [`Role`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The name by which the host calls it: `release:review`.
    pub call: String,
    /// The text without its frontmatter.
    pub body: String,
    /// The directory whose files belong to the text, relative to the package and without a final
    /// slash; `None` if the text is a single file.
    pub directory: Option<String>,
}

impl Text {
    /// Returns the pointer of the placeholder at this offset of the body, in the document of the
    /// text: `/body/@12`.
    pub fn placeholder(at: usize) -> String {
        format!("/body/@{at}")
    }
}

/// A key of a document, and the fate of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// The key at the top of the document.
    pub name: &'static str,
    /// The meaning of the value.
    pub role: Role,
}

/// Creates the row of a key.
pub const fn key(name: &'static str, role: Role) -> Key {
    Key { name, role }
}

/// The meaning of the value of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The name; the skill has it in the form of the specification.
    Name,
    /// The name for people.
    DisplayName,
    /// The description: what it does.
    Description,
    /// When to use it, in addition to the description.
    WhenToUse,
    /// The license.
    License,
    /// Requirements on the environment.
    Compatibility,
    /// A map of plain values.
    Metadata,
    /// Tools that may run without a confirmation.
    AllowedTools,
    /// A hint on the arguments: `[issue] <priority>`.
    ArgumentHint,
    /// The names of the arguments.
    Arguments,
    /// The version.
    Version,
    /// The author: a name, or an object with one.
    Author,
    /// Labels.
    Tags,
    /// The subject area.
    Domain,
    /// False if the host switches the package off.
    Enabled,
    /// The places of the parts of the package.
    Layout,
    /// The text itself.
    Body,
    /// Settings that a user gives.
    Settings,
    /// True if only a user may start it.
    OnRequest,
    /// False if only a user may start it.
    OffersItself,
    /// True if the host does not load it.
    Off,
    /// Servers of the Model Context Protocol.
    Servers,
    /// Programs that the host runs at events.
    Hooks,
    /// Steers the host only; kept in METADATA.yml.
    Kept,
    /// Changes what the text does; kept in METADATA.yml, and SKILL.md has this sentence, with `{}`
    /// for the value.
    Stated(&'static str),
    /// Like [`Role::Stated`], with other sentences for these values. Without a sentence there is
    /// nothing to say.
    StatedBy(&'static [(&'static str, &'static str)], &'static str),
    /// Like [`Role::Stated`], with the names of a list or map only.
    StatedNames(&'static str),
    /// The only tools that it may use; none if the list is empty. Kept in METADATA.yml, and SKILL.md says
    /// so.
    OnlyTools,
    /// Becomes these parts of the skill.
    Becomes(&'static str),
    /// Is in a reference of the skill.
    Referenced,
    /// Has no use outside the host; the reason.
    Dropped(&'static str),
}
