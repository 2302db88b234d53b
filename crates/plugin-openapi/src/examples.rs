//! Examples of arguments.

use serde_json::{Map, Value};

use crate::body::DeclaredBody;
use crate::documents::{At, Documents};
use crate::parameters::Declared;

/// The longest example, in bytes of JSON.
const MAX_BYTES: usize = 1_500;

/// Returns the example of an operation, if the document has one for all arguments that are needed.
pub(crate) fn example<'a>(
    documents: &Documents<'a>,
    parameters: &[Declared<'a>],
    body: Option<&DeclaredBody<'a>>,
    required: &[String],
) -> Option<Value> {
    let mut res = Map::new();
    for declared in parameters {
        let value = of_parameter(documents, &declared.at);
        if let Some(value) = value.filter(|_| declared.parameter.required) {
            res.insert(declared.parameter.argument().to_owned(), value);
        }
    }
    let of_body = body.and_then(|body| body.example(documents));
    res.extend(of_body.unwrap_or_default());
    let is_whole = required.iter().all(|name| res.contains_key(name));
    let value = Value::Object(res);
    let is_useful = value.as_object().is_some_and(|map| !map.is_empty());
    (is_whole && is_useful && value.to_string().len() <= MAX_BYTES).then_some(value)
}

fn of_parameter(documents: &Documents<'_>, at: &At<'_>) -> Option<Value> {
    let own = at.get("example");
    let named = at.get("examples");
    let named = named.and_then(|it| it.members().next().map(|(_, example)| example));
    let named = named.and_then(|it| documents.resolve(&it)?.get("value"));
    let schema = at.get("schema").and_then(|it| documents.resolve(&it));
    let of_schema = || schema?.get("example");
    let found = own.or(named).or_else(of_schema)?;
    Some(found.node.to_value())
}
