//! What is known of a skill.

/// One skill as the search sees it. The name is its key.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Document {
    /// Name of the skill, unique in an index.
    pub name: String,
    /// Name for people, in any script.
    pub display_name: String,
    /// What it does and when to use it.
    pub description: String,
    /// Its commands.
    pub commands: Vec<CommandText>,
    /// Words that requests may use; also for [`Request::required_keywords`](crate::Request).
    pub keywords: Vec<String>,
    /// What should make an agent think of it.
    pub triggers: TriggerTexts,
    /// Requests that it is right for.
    pub examples: Vec<String>,
    /// Other names it is called by: the legacy tool name, an ABP tool name.
    pub aliases: Vec<String>,
    /// The instructions; the first 6,000 characters count.
    pub body: String,
    /// Free word, for [`Request::domain`](crate::Request).
    pub domain: Option<String>,
    /// Free labels.
    pub tags: Vec<String>,
    /// The skill's own opinion of itself, cut to 0..=1; its effect is bounded by the model.
    pub priority: f32,
}

/// A command of a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CommandText {
    /// The source's identifier.
    pub id: String,
    /// One or two sentences.
    pub description: String,
}

/// What should make an agent think of a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TriggerTexts {
    /// Things a user wants.
    pub intents: Vec<String>,
    /// Words a user says.
    pub phrases: Vec<String>,
}

/// How much of a body is searched, in characters (`shared/reference/search.md`, recipe 2).
pub(crate) const BODY_CHARS: usize = 6_000;
