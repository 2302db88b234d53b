//! Discriminators: the member whose value selects one of several schemas.
//!
//! References are inlined, so that a mapping of names has the position of an alternative in place of its
//! name. Source: <https://spec.openapis.org/oas/v3.1.1.html#discriminator-object>.

use plugin_model::Node;
use serde_json::{Map, Value, json};

use crate::documents::{At, Documents};

/// The keyword of a schema with the member (`propertyName`) and the positions by value (`mapping`).
pub(crate) const DISCRIMINATOR: &str = "x-discriminator";
/// The deepest composition in which constants are looked for.
const MAX_PARTS: usize = 4;

/// Returns the discriminator of a schema with alternatives; `None` if constants of the member say the same.
pub(crate) fn discriminator(documents: &Documents<'_>, at: &At<'_>) -> Option<Value> {
    let declared = at.get("discriminator")?;
    let list = at.get("oneOf").or_else(|| at.get("anyOf"))?;
    let name = declared.text("propertyName");
    let alternatives: Vec<At<'_>> = list.items().collect();
    let mut constants = alternatives.iter();
    if name.is_empty() || constants.all(|it| has_constant(documents, it, name, 0)) {
        return None;
    }
    let mapping = declared.get("mapping");
    let mut positions = Map::new();
    for (at, alternative) in alternatives.iter().enumerate() {
        let Some(reference) = alternative.node.get("$ref").and_then(Node::as_str) else {
            continue;
        };
        let own = reference.rsplit('/').next().unwrap_or(reference);
        let named = mapping.iter().flat_map(At::members);
        let named = named.filter(|(_, to)| {
            let to = to.node.as_str().unwrap_or_default();
            to == reference || to == own
        });
        let mut words: Vec<&str> = named.map(|(word, _)| word).collect();
        if words.is_empty() {
            words.push(own);
        }
        positions.extend(words.into_iter().map(|word| (word.to_owned(), at.into())));
    }
    let has_all = alternatives.len() > 1 && !positions.is_empty();
    has_all.then(|| json!({ "propertyName": name, "mapping": positions }))
}

fn has_constant(documents: &Documents<'_>, at: &At<'_>, name: &str, depth: usize) -> bool {
    let Some(at) = documents.resolve(at).filter(|_| depth < MAX_PARTS) else {
        return false;
    };
    let member = at.get("properties").and_then(|it| it.get(name));
    let member = member.and_then(|it| documents.resolve(&it));
    let is_own = member.is_some_and(|it| ["const", "enum"].iter().any(|key| it.get(key).is_some()));
    let parts = at.get("allOf");
    let mut parts = parts.iter().flat_map(At::items);
    is_own || parts.any(|part| has_constant(documents, &part, name, depth + 1))
}
