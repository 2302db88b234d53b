//! The texts of a skill that are searched.

/// A skill as the search sees it. The name is its key.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Document {
    /// The name of the skill, unique in an index.
    pub name: String,
    /// The display name, in any script.
    pub display_name: String,
    /// A description of what the skill does and when to use it.
    pub description: String,
    /// The commands of the skill.
    pub commands: Vec<CommandText>,
    /// Words that requests may use; also for [`Request::required_keywords`](crate::Request).
    pub keywords: Vec<String>,
    /// Phrases and intents for which an agent should consider the skill.
    pub triggers: TriggerTexts,
    /// Example requests that the skill can answer.
    pub examples: Vec<String>,
    /// Other names of the skill: the legacy tool name, an ABP tool name.
    pub aliases: Vec<String>,
    /// The instructions; only the first 6,000 characters are searched.
    pub body: String,
    /// A free-form category, for [`Request::domain`](crate::Request).
    pub domain: Option<String>,
    /// Free-form labels.
    pub tags: Vec<String>,
    /// The author's rating of the skill, clamped to 0..=1; the model bounds its effect.
    pub priority: f32,
}

/// A command of a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CommandText {
    /// The identifier of the command in its source.
    pub id: String,
    /// A description of one or two sentences.
    pub description: String,
}

/// Phrases and intents for which an agent should consider a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TriggerTexts {
    /// Goals of a user.
    pub intents: Vec<String>,
    /// Phrases that a user says.
    pub phrases: Vec<String>,
}

/// The number of characters of a body that are searched (`docs/design/search-fitting.md`).
pub(crate) const BODY_CHARS: usize = 6_000;
