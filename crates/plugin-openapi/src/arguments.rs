//! The arguments of an operation: the parameters, and the body or its members.

use serde_json::{Map, Value};

use crate::discriminator::DISCRIMINATOR;

/// The arguments of an operation.
#[derive(Default)]
pub(crate) struct Arguments {
    /// Their schemas, by name.
    pub(crate) properties: Map<String, Value>,
    /// The names of those that are always needed.
    pub(crate) required: Vec<String>,
    /// The names of those that are needed if a body is sent.
    pub(crate) required_in_body: Vec<String>,
    /// Arguments that are not declared are members of the body.
    pub(crate) is_open: bool,
    /// The body may be null, which the argument `body` then is.
    pub(crate) is_nullable: bool,
    /// The alternatives of the members of the body: the members that belong together.
    pub(crate) alternatives: Vec<Value>,
    /// The member that selects one of them.
    pub(crate) discriminator: Option<Value>,
    /// Only one of them may fit.
    pub(crate) is_exclusive: bool,
}

impl Arguments {
    /// Returns the schema of the arguments. Models refuse alternatives at the top of a schema, so that
    /// they have a key of their own.
    pub(crate) fn schema(self, definitions: Map<String, Value>) -> Value {
        let mut res = Map::new();
        res.insert("type".to_owned(), "object".into());
        res.insert("properties".to_owned(), Value::Object(self.properties));
        res.insert("required".to_owned(), self.required.into());
        res.insert("additionalProperties".to_owned(), self.is_open.into());
        if !definitions.is_empty() {
            res.insert("$defs".to_owned(), Value::Object(definitions));
        }
        if !self.alternatives.is_empty() {
            res.insert("x-alternatives".to_owned(), self.alternatives.into());
        }
        if let Some(discriminator) = self.discriminator {
            res.insert(DISCRIMINATOR.to_owned(), discriminator);
        }
        if self.is_exclusive {
            res.insert("x-exclusive".to_owned(), true.into());
        }
        if self.is_nullable {
            res.insert("x-body-nullable".to_owned(), true.into());
        }
        if !self.required_in_body.is_empty() {
            res.insert("x-body-required".to_owned(), self.required_in_body.into());
        }
        Value::Object(res)
    }
}
