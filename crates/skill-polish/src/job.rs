//! The question for one skill.

use serde_json::{Value, json};
use skill_migrator::Language;

use crate::prompt::messages;
use crate::sources::Sources;

/// A skill whose texts a model may write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The name of the skill.
    pub skill: String,
    /// The language of its texts.
    pub language: Language,
    /// Its `SKILL.md` as it is planned without a model.
    pub skill_md: String,
    /// The texts of the plugin.
    pub sources: Sources,
}

impl Job {
    /// Returns the messages of a chat with a model.
    pub fn messages(&self) -> Value {
        messages(&self.skill_md, self.language, &self.sources)
    }

    /// Returns the job as a line of JSON, for `jobs.jsonl`.
    pub fn to_line(&self) -> String {
        let language = match self.language {
            Language::English => "en",
            Language::Chinese => "zh",
        };
        let job = json!({
            "schema": 1,
            "skill": self.skill,
            "digest": self.sources.digest(),
            "language": language,
            "messages": self.messages(),
        });
        format!("{job}\n")
    }
}
