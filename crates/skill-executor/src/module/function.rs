//! The functions of a module, and the calls of the old host that they are for.

use std::str::FromStr;

use serde_json::Value;

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

/// The ways in which the old host called plugins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// A program: with arguments, continuing after its first answer, or computing placeholders.
    Program,
    /// A module, with messages.
    Preprocessor,
    /// A module, with arguments.
    DirectTool,
    /// A module, with requests.
    Service,
}

impl FromStr for CallKind {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "stdio" | "async" | "static" => Ok(Self::Program),
            "preprocessor" => Ok(Self::Preprocessor),
            "direct-tool" => Ok(Self::DirectTool),
            "service" => Ok(Self::Service),
            _ => Err("expected stdio, async, static, preprocessor, direct-tool or service"),
        }
    }
}

impl CallKind {
    /// Returns the function of a module. A service with arguments as input is called as a tool; without
    /// input it lists its routes.
    pub fn function(self, input: &Value) -> Option<ModuleFunction> {
        match self {
            Self::Program => None,
            Self::Preprocessor => Some(ModuleFunction::Messages),
            Self::DirectTool => Some(ModuleFunction::Tool),
            Self::Service if input.is_null() => Some(ModuleFunction::Routes),
            Self::Service => input.is_array().then_some(ModuleFunction::Requests),
        }
    }
}
