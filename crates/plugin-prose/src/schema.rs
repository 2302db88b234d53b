//! Writes parameters as JSON Schema.
//!
//! Legacy callers send strings for everything, so every stated type also accepts a string; the
//! stated type comes first. If the text states no type, the schema has none.

use serde_json::{Map, Value, json};

use crate::fact::default;
use crate::merge::fitting;
use crate::param::{Need, Param, Type};

/// The maximum length of a property's description, in characters.
const MAX_DESCRIPTION: usize = 600;

/// Returns the schema of an argument object.
pub(crate) fn object(params: &[Param]) -> Value {
    let properties: Map<String, Value> = params
        .iter()
        .map(|param| (param.name.clone(), property(param)))
        .collect();
    let required: Vec<&str> = params
        .iter()
        .filter(|param| param.need == Some(Need::Required))
        .map(|param| param.name.as_str())
        .collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": true })
}

/// Returns the schema of one property; the order of its keys is fixed.
fn property(param: &Param) -> Value {
    let mut res = Map::new();
    if let Some(found) = types(&param.types) {
        res.insert("type".to_owned(), found);
    }
    let description = one_line(&param.description);
    if !description.is_empty() {
        res.insert("description".to_owned(), Value::from(description));
    }
    let choices = fitting(&param.choices, &param.types);
    if let Some(value) = param
        .default
        .as_ref()
        .and_then(|found| default::to_json(found, &param.types, &choices))
    {
        res.insert("default".to_owned(), value);
    }
    if !choices.is_empty() {
        res.insert("enum".to_owned(), Value::from(choices));
    }
    for (word, bound) in &param.bounds {
        res.insert((*word).to_owned(), bound.clone());
    }
    if !param.aliases.is_empty() {
        res.insert("x-aliases".to_owned(), Value::from(param.aliases.clone()));
    }
    if let Some(Need::When(words)) = &param.need {
        res.insert("x-required-when".to_owned(), Value::from(one_line(words)));
    }
    if param.numbered {
        res.insert("x-numbered".to_owned(), Value::from(true));
    }
    res.insert("x-source".to_owned(), Value::from(param.form.code()));
    Value::Object(res)
}

/// Returns the stated types, with a string as an alternative.
fn types(stated: &[Type]) -> Option<Value> {
    match stated {
        [] => None,
        [Type::String] => Some(Value::from("string")),
        stated => {
            let mut words: Vec<&str> = stated.iter().map(|found| found.word()).collect();
            if !stated.contains(&Type::String) {
                words.push(Type::String.word());
            }
            Some(Value::from(words))
        }
    }
}

/// Returns a text on one line, cut at a length.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(MAX_DESCRIPTION) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::{Default, Form};

    #[test]
    fn keys_stand_in_a_fixed_order() {
        let param = Param {
            aliases: vec!["m".to_owned()],
            types: vec![Type::Integer],
            need: Some(Need::When("x 时必需".to_owned())),
            default: Some(Default::Bare("2".to_owned())),
            choices: vec![json!(1), json!(2)],
            description: "条数\n多行".to_owned(),
            ..Param::named("n", Form::A1)
        };
        let text = property(&param).to_string();
        assert_eq!(
            text,
            r#"{"type":["integer","string"],"description":"条数 多行","default":2,"enum":[1,2],"x-aliases":["m"],"x-required-when":"x 时必需","x-source":"A1"}"#
        );
    }

    #[test]
    fn a_silent_text_states_no_type() {
        assert_eq!(
            property(&Param::named("n", Form::D2)),
            json!({ "x-source": "D2" })
        );
    }
}
