//! Several calls in one: the arguments of each with its number.

use serde_json::{Map, Value};
use skill_model::{Command, Dispatch};

use super::{Around, Language, first_call};
use crate::markdown::{call, codes};

/// The maximum number of commands that are named; of more, those are that do not allow it.
const MAX_NAMED: usize = 4;
/// The maximum length of a value in the example, in characters.
const MAX_VALUE: usize = 40;

/// Returns how to make several calls in one, with an example; nothing if no command allows it.
pub(super) fn sentence(commands: &[Command], around: &Around, language: Language) -> String {
    let of_batch: Vec<&Command> = commands.iter().filter(|it| it.batch.is_some()).collect();
    let Some(first) = of_batch.first() else {
        return String::new();
    };
    let other = of_batch.get(1).map(|it| first_call::arguments(it));
    // Two examples of one command show more than one example twice.
    let other = other.or_else(|| {
        let example = first.examples.get(1..)?;
        let one = Command {
            examples: example.to_vec(),
            ..(*first).clone()
        };
        (!example.is_empty()).then(|| first_call::arguments(&one))
    });
    let own = first_call::arguments(first);
    let other = other.unwrap_or_else(|| own.clone());
    let mut example = Map::new();
    for (number, arguments) in [own, other].into_iter().enumerate() {
        for (name, value) in arguments {
            example.insert(format!("{name}{}", number + 1), short(value));
        }
    }
    let call = call(&Value::Object(example).to_string());
    let named = of_batch.iter().filter(|it| around.is_shown(&it.id));
    let names: Vec<String> = named.map(|command| command.id.clone()).collect();
    let others = commands.iter().filter(|it| around.is_shown(&it.id));
    let others: Vec<String> = others
        .filter(|it| it.batch.is_none())
        .map(|it| it.id.clone())
        .collect();
    let of_some = if others.is_empty() || names.is_empty() {
        String::new()
    } else if names.len() <= MAX_NAMED || names.len() <= others.len() {
        let (open, close) = (language.pick(" (", "（"), language.pick(")", "）"));
        format!("{open}{}{close}", codes(&names))
    } else {
        match language {
            Language::English => format!(" (not {})", codes(&others)),
            Language::Chinese => format!("（{} 除外）", codes(&others)),
        }
    };
    match language {
        Language::English => {
            format!("Several calls in one{of_some}: number all arguments, such as {call}")
        }
        Language::Chinese => format!("一次执行多个操作{of_some}：给全部参数编号，例如 {call}"),
    }
}

fn short(value: Value) -> Value {
    match value {
        Value::String(text) if text.chars().count() > MAX_VALUE => Value::from("…"),
        value => value,
    }
}

/// Returns the name of a numbered argument without its number.
pub(super) fn unnumbered(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Returns true if the argument selects the command, numbered or not.
pub(super) fn selects(dispatch: Option<&Dispatch>, name: &str) -> bool {
    dispatch.is_some_and(|dispatch| dispatch.key == name || dispatch.key == unnumbered(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_example_for_all() {
        let command = |id: &str, argument: &str| Command {
            batch: Some("numbered-suffix".to_owned()),
            dispatch: Some(Dispatch {
                key: "command".to_owned(),
                value: id.to_owned(),
                source: "example".to_owned(),
            }),
            examples: vec![json!({ argument: "a" })],
            ..Command::new(id)
        };
        let both = [command("Boil", "pot"), command("Pour", "cup")];
        assert_eq!(
            sentence(&both, &Around::default(), Language::English),
            "Several calls in one: number all arguments, such as `{\"command1\":\"Boil\",\"pot1\":\"a\",\"command2\":\"Pour\",\"cup2\":\"a\"}`"
        );
        let mut one = command("Boil", "pot");
        one.examples.push(json!({ "pot": "b" }));
        assert!(
            sentence(&[one], &Around::default(), Language::English)
                .contains("\"pot1\":\"a\",\"command2\":\"Boil\",\"pot2\":\"b\"")
        );
        let some = [command("Boil", "pot"), Command::new("Wait")];
        assert!(
            sentence(&some, &Around::default(), Language::Chinese)
                .starts_with("一次执行多个操作（`Boil`）：")
        );
        assert_eq!(
            sentence(&some[1..], &Around::default(), Language::English),
            ""
        );
    }
}
