//! The functions of a module.

/// A function of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModuleFunction {
    /// `processToolCall` with an object.
    Tool,
    /// `processMessages` with an array of messages.
    Messages,
    /// The routes, with an array of requests.
    Requests,
    /// The table of the routes, without input.
    Routes,
}

impl ModuleFunction {
    /// Returns the function for a word in the options.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "tool" => Some(Self::Tool),
            "messages" => Some(Self::Messages),
            "requests" => Some(Self::Requests),
            "routes" => Some(Self::Routes),
            _ => None,
        }
    }
}
