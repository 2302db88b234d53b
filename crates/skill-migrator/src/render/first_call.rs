//! The arguments of the first call that a skill shows, and of other calls.

use serde_json::{Map, Value, json};
use skill_model::Command;

use super::{Around, parameter, prepare, sample_path, sample_values};
use crate::json_types;

/// The beginnings of the names of commands that change nothing.
const READING: [&str; 8] = [
    "status", "list", "get", "show", "info", "help", "stats", "version",
];
/// Further words in the names of commands that change nothing.
const ASKING: [&str; 14] = [
    "query", "search", "find", "read", "view", "check", "count", "查询", "搜索", "列出", "获取",
    "查看", "读取", "检索",
];
/// Words in the names of commands that change, send or remove something.
const CHANGING: [&str; 34] = [
    "create", "add", "new", "post", "reply", "delete", "del", "remove", "update", "set", "cancel",
    "write", "edit", "append", "prepend", "move", "copy", "rename", "insert", "upload", "save",
    "clear", "send", "reset", "incr", "decr", "创建", "新建", "添加", "删除", "修改", "更新",
    "取消", "发送",
];

/// Returns the position of the command for the first call: one with an example, or of whose parameters more
/// is known than the name. If the example names a file of some machine, a command that only reads and is
/// called without arguments comes first: that call works as it is written. Commands without a section
/// are not called.
pub(super) fn first_called(commands: &[Command], around: &Around) -> usize {
    let has_example = |command: &Command| !command.examples.is_empty();
    let is_told = |property: &Value| property.as_object().is_some_and(|it| !it.is_empty());
    let is_known = |command: &Command| {
        let properties = command.input_schema["properties"].as_object();
        properties.is_none_or(|all| all.values().all(is_told))
    };
    let is_clear = |command: &Command| has_example(command) || is_known(command);
    let is_shown = |command: &Command| around.is_shown(&command.id);
    let first = commands.iter().position(|it| is_shown(it) && is_clear(it));
    let first = first
        .or_else(|| commands.iter().position(is_shown))
        .unwrap_or(0);
    let is_about_files = commands.get(first).is_some_and(|command| {
        let example = command.examples.first().and_then(Value::as_object);
        example.is_some_and(names_a_file)
    });
    let is_bare = |command: &Command| {
        let is_empty = |it: &Value| it.as_object().is_some_and(Map::is_empty);
        let is_called = command.examples.first().is_some_and(is_empty);
        command.dispatch.is_some() && is_reading(&command.id) && is_called
    };
    let bare = commands.iter().position(|it| is_shown(it) && is_bare(it));
    if let Some(bare) = bare.filter(|_| is_about_files) {
        return bare;
    }
    // A trial changes nothing where the skill can also read.
    let is_changing = commands
        .get(first)
        .is_some_and(|it| deed(&it.id) == Some(Deed::Changes));
    let is_safe = |command: &&Command| {
        is_shown(command)
            && command.dispatch.is_some()
            && deed(&command.id) == Some(Deed::Reads)
            && !arguments(command).values().any(|it| *it == "…")
    };
    // The one that needs the least is likely to have an answer.
    let n_required = |command: &&Command| {
        let required = command.input_schema["required"].as_array();
        required.map_or(0, Vec::len)
    };
    let safe = commands.iter().filter(is_safe).min_by_key(n_required);
    let safe = safe.and_then(|it| commands.iter().position(|other| std::ptr::eq(it, other)));
    safe.filter(|_| is_changing).unwrap_or(first)
}

/// The kind of work that a name tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deed {
    /// Nothing changes.
    Reads,
    /// Something is written, sent or removed.
    Changes,
}

/// Returns the kind of work that the words of a name tell; `None` if they do not.
fn deed(name: &str) -> Option<Deed> {
    let mut spaced = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_uppercase() && !spaced.ends_with(|last: char| last.is_uppercase() || last == ' ') {
            spaced.push(' ');
        }
        spaced.push(if c.is_alphanumeric() { c } else { ' ' });
    }
    let spaced = spaced.to_lowercase();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let has = |list: &[&str]| {
        list.iter().any(|it| {
            if it.is_ascii() {
                words.contains(it)
            } else {
                spaced.contains(it)
            }
        })
    };
    if has(&CHANGING) {
        Some(Deed::Changes)
    } else if has(&ASKING) || has(&READING) {
        Some(Deed::Reads)
    } else {
        None
    }
}

/// Returns the arguments of the first call.
pub(super) fn first_arguments(commands: &[Command], around: &Around) -> Map<String, Value> {
    let command = commands.get(first_called(commands, around));
    let first = command.map(|command| {
        if let Some(bare) = bare_list(command) {
            return bare;
        }
        let whole = || sample_values::shortest(arguments(command), &command.input_schema);
        bare_choice(command).unwrap_or_else(whole)
    });
    first.unwrap_or_default()
}

/// Returns the call without other arguments of a command that lists something and needs none: it works as it is
/// written, while an example may name what only its author has.
fn bare_list(command: &Command) -> Option<Map<String, Value>> {
    const LISTING: [&str; 5] = ["list", "status", "stats", "help", "version"];
    let dispatch = command.dispatch.as_ref()?;
    let id = command.id.to_lowercase();
    let schema = &command.input_schema;
    let is_needed = |property: &Value| {
        ["x-one-of", "x-required-when", "x-mode"]
            .iter()
            .any(|key| !property[*key].is_null())
    };
    let required = schema["required"].as_array().map_or(0, Vec::len);
    let mut properties = schema["properties"].as_object().into_iter().flatten();
    let is_free = required == 0 && !properties.any(|(_, property)| is_needed(property));
    let is_list = LISTING.iter().any(|word| id.starts_with(word));
    (is_list && is_free).then(|| Map::from_iter([(dispatch.key.clone(), json!(dispatch.value))]))
}

/// Returns the arguments that select an operation which only reads and needs no other argument, of a
/// command whose example names a file of some machine: that call works as it is written.
fn bare_choice(command: &Command) -> Option<Map<String, Value>> {
    let example = command.examples.first()?.as_object()?;
    if command.dispatch.is_some() || !names_a_file(example) {
        return None;
    }
    let schema = &command.input_schema;
    let properties = schema["properties"].as_object()?;
    let selects = |(name, property): (&String, &Value)| {
        let choices = property["enum"]
            .as_array()?
            .iter()
            .filter_map(Value::as_str);
        let mut choices = choices.filter(|choice| is_reading(choice));
        let choice = choices.find(|choice| {
            let selected = format!("{name} = {choice}");
            let needs = |other: &Value| {
                other["x-required-when"] == selected && other.get("default").is_none()
            };
            !properties.values().any(needs)
        })?;
        Some((name.clone(), Value::from(choice)))
    };
    let mut of_example = properties
        .iter()
        .filter(|(name, _)| example.contains_key(*name));
    let (name, choice) = of_example.find_map(selects)?;
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let is_enough = required.iter().all(|it| *it == *name);
    is_enough.then(|| Map::from_iter([(name, choice)]))
}

fn names_a_file(example: &Map<String, Value>) -> bool {
    let mut texts = example.values().filter_map(Value::as_str);
    texts.any(sample_path::is_absolute)
}

fn is_reading(word: &str) -> bool {
    let word = word.to_lowercase();
    READING.iter().any(|verb| word.starts_with(verb))
}

/// Returns arguments for a trial: the first example, or a value for each required parameter; with
/// the dispatch argument first.
pub(super) fn arguments(command: &Command) -> Map<String, Value> {
    let mut res = Map::new();
    if let Some(dispatch) = &command.dispatch {
        res.insert(dispatch.key.clone(), json!(dispatch.value));
    }
    match command.examples.first() {
        Some(Value::Object(example)) => {
            let pairs = allowed(example, &command.input_schema).into_iter();
            res.extend(pairs.map(|(name, value)| {
                let property = &command.input_schema["properties"][&name];
                (name, strict(property, value))
            }));
        }
        _ => res.extend(required_values(&command.input_schema)),
    }
    for (name, value) in &mut res {
        if let Some(other) = reading_value(&command.input_schema["properties"][name], value) {
            *value = other;
        }
    }
    let required = command.input_schema["required"].as_array();
    let required = required.map_or(&[][..], Vec::as_slice);
    let res = shown(read_by_program(&command.input_schema, res));
    needed_first(res, command, required)
}

/// Returns arguments with the one that selects the command and the required ones first.
fn needed_first(
    arguments: Map<String, Value>,
    command: &Command,
    required: &[Value],
) -> Map<String, Value> {
    let selector = command.dispatch.as_ref().map(|it| it.key.as_str());
    let mut pairs: Vec<(String, Value)> = arguments.into_iter().collect();
    pairs.sort_by_key(|(name, _)| {
        let selects = selector == Some(name) || name == "command";
        (!selects, !required.iter().any(|it| it == name))
    });
    pairs.into_iter().collect()
}

/// Returns the value that reads in place of one that changes something, if the text of the parameter lists
/// both: `INCR / GET / SET`.
fn reading_value(property: &Value, value: &Value) -> Option<Value> {
    let value = value
        .as_str()
        .filter(|it| deed(it) == Some(Deed::Changes))?;
    let text = property["description"].as_str()?;
    let lists = text.split(['，', '。', ',', '\n', '：', ':']);
    let mut lists = lists.map(|it| it.split('/').map(word_of));
    let list = lists.find(|list| list.clone().any(|it| it == value))?;
    let is_like = |it: &&str| {
        let is_upper = |text: &str| text.chars().all(|c| !c.is_lowercase());
        !it.contains(' ') && is_upper(it) == is_upper(value)
    };
    let mut reading = list
        .filter(|it| deed(it) == Some(Deed::Reads))
        .filter(is_like);
    reading.next().map(Value::from)
}

/// Returns the first word without signs of an item: `INCR` of `如 INCR`.
fn word_of(item: &str) -> &str {
    let is_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-');
    let mut words = item.split_whitespace().map(|it| it.trim_matches(is_sign));
    words
        .find(|it| !it.is_empty() && it.is_ascii())
        .unwrap_or("")
}

/// Returns arguments without those that the program does not read: `maidname`.
pub(super) fn read_by_program(schema: &Value, arguments: Map<String, Value>) -> Map<String, Value> {
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let is_read = |name: &str| {
        schema["properties"][name]["x-unread"] != true || required.iter().any(|it| it == name)
    };
    arguments
        .into_iter()
        .filter(|(name, _)| is_read(name))
        .collect()
}

/// Returns a value in the type without which the program refuses it.
fn strict(property: &Value, value: Value) -> Value {
    if property["x-object"] == true {
        let parsed = value
            .as_str()
            .and_then(|text| serde_json::from_str(text).ok());
        return parsed.filter(Value::is_object).unwrap_or(value);
    }
    let Some(text) = value.as_str().filter(|_| !property["x-strict"].is_null()) else {
        return value;
    };
    let parsed = serde_json::from_str(text).ok();
    parsed
        .filter(|it: &Value| it.is_number() || it.is_boolean())
        .unwrap_or(value)
}

/// Returns arguments for a reader: without paths of the author's machine.
pub(super) fn shown(arguments: Map<String, Value>) -> Map<String, Value> {
    let pairs = arguments.into_iter().map(|(name, value)| match value {
        Value::String(text) => {
            let text = sample_path::neutral(&with_lines(&text));
            let text = sample_values::usable(&name, &text).unwrap_or(text);
            (name, Value::from(text))
        }
        value => (name, value),
    });
    pairs.collect()
}

/// Returns a text with its lines: the old format, which was not JSON, wrote the end of a line as `\\n`. A text
/// with other `\\` is a path or a pattern.
fn with_lines(text: &str) -> String {
    let mut rest = text.split('\\').skip(1).peekable();
    let is_written = rest.peek().is_some() && rest.all(|part| part.starts_with('n'));
    let is_path = text.get(1..2) == Some(":");
    if is_written && !is_path {
        text.replace("\\n", "\n")
    } else {
        text.to_owned()
    }
}

/// Returns an example without values that the list of their parameter excludes; a required one gets the
/// first of the list.
fn allowed(example: &Map<String, Value>, schema: &Value) -> Map<String, Value> {
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let pairs = example.iter().filter_map(|(name, value)| {
        let choices = schema["properties"][name]["enum"].as_array();
        // A code that a person gives is not to be guessed.
        if name == prepare::CODE {
            return Some((name.clone(), Value::from("…")));
        }
        let text = parameter::plain(value);
        let is_plain = !text.contains([',', '|', '[']);
        let is_choice = |choices: &Vec<Value>| {
            choices
                .iter()
                .any(|it| parameter::plain(it).eq_ignore_ascii_case(&text))
        };
        match choices.filter(|choices| is_plain && !is_choice(choices)) {
            None => Some((name.clone(), value.clone())),
            Some(choices) if required.iter().any(|it| it == name) => {
                let first = choices.first().map(parameter::plain).unwrap_or_default();
                Some((name.clone(), Value::from(first)))
            }
            Some(_) => None,
        }
    });
    pairs.collect()
}

fn required_values(schema: &Value) -> Map<String, Value> {
    let names = schema["required"]
        .as_array()
        .map_or(&[][..], Vec::as_slice)
        .iter();
    let values = names.filter_map(Value::as_str).map(|name| {
        let property = &schema["properties"][name];
        let first = property["enum"].get(0).or_else(|| property.get("default"));
        let text = first.map_or_else(|| "…".to_owned(), parameter::plain);
        (
            name.to_owned(),
            json_types::typed(property, Value::from(text)),
        )
    });
    values.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_have_values_of_the_list() {
        let schema = json!({
            "properties": { "kind": { "enum": ["green", "black"] }, "heat": { "enum": ["hot"] } },
            "required": ["heat"],
        });
        let example = json!({ "kind": "tea", "heat": "warm", "cups": "2" });
        let found = allowed(example.as_object().unwrap(), &schema);
        assert_eq!(Value::Object(found), json!({ "heat": "hot", "cups": "2" }));
    }

    #[test]
    fn ends_of_lines() {
        let check = |text: &str, expected: &str| assert_eq!(with_lines(text), expected);
        check("a\\nb\\n", "a\nb\n");
        check("a\nb", "a\nb");
        check(r"C:\new", r"C:\new");
        check(r"\d+\n", r"\d+\n");
    }

    #[test]
    fn the_first_call_works_as_written() {
        let check = |commands: &[(&str, Value)], expected: &str| {
            let commands = commands.iter().map(|(id, example)| Command {
                dispatch: Some(skill_model::Dispatch {
                    key: "command".to_owned(),
                    value: (*id).to_owned(),
                    source: "example".to_owned(),
                }),
                examples: vec![example.clone()],
                ..Command::new(id)
            });
            let commands: Vec<Command> = commands.collect();
            assert_eq!(
                commands[first_called(&commands, &Around::default())].id,
                expected
            );
        };
        let (none, log) = (json!({}), json!({ "path": "/var/log/tea.log" }));
        let named = json!({ "pot": "blue" });
        check(
            &[("watch", log.clone()), ("listPots", none.clone())],
            "listPots",
        );
        check(&[("watch", log.clone()), ("clear", none.clone())], "watch");
        check(&[("watch", log), ("list", named.clone())], "watch");
        check(&[("brew", named), ("status", none)], "brew");
        let around = Around {
            unknown: ["brew".to_owned()].into(),
            ..Around::default()
        };
        let both = ["brew", "pour"].map(Command::new);
        assert_eq!(first_called(&both, &around), 1);
    }

    #[test]
    fn the_first_call_reads() {
        let check = |ids: &[&str], expected: &str| {
            let commands = ids.iter().map(|id| Command {
                dispatch: Some(skill_model::Dispatch {
                    key: "command".to_owned(),
                    value: (*id).to_owned(),
                    source: "example".to_owned(),
                }),
                examples: vec![json!({ "tea": "green" })],
                ..Command::new(id)
            });
            let commands: Vec<Command> = commands.collect();
            let first = first_called(&commands, &Around::default());
            assert_eq!(commands[first].id, expected);
        };
        check(&["CreateTea", "ReadTea", "ListTeas"], "ReadTea");
        check(&["brew", "list_teas"], "brew");
        check(&["CreateTea", "DeleteTea"], "CreateTea");
        check(&["TeaSend", "GetTea"], "GetTea");
        let value = |text: &str, value: &str| {
            reading_value(&json!({ "description": text }), &Value::from(value))
        };
        assert_eq!(value("如 INCR / GET / DEL 等", "INCR"), Some("GET".into()));
        assert_eq!(value("INCR / DEL", "INCR"), None);
        assert_eq!(value("GET / INCR", "BREW"), None);
    }

    #[test]
    fn an_operation_that_reads_needs_no_file() {
        let check = |properties: Value, example: Value, expected: Value| {
            let command = Command {
                examples: vec![example],
                input_schema: json!({ "properties": properties, "required": [] }),
                ..Command::new("Pots")
            };
            assert_eq!(
                Value::Object(first_arguments(&[command], &Around::default())),
                expected
            );
        };
        let log = json!({ "do": "watch", "path": "/var/log/tea.log" });
        let choices = json!({ "enum": ["watch", "listPots"] });
        check(
            json!({ "do": choices, "path": {} }),
            log.clone(),
            json!({ "do": "listPots" }),
        );
        let named = json!({ "x-required-when": "do = listPots" });
        check(
            json!({ "do": choices, "pot": named }),
            log.clone(),
            log.clone(),
        );
        let rest = json!({ "do": "watch", "pot": "blue" });
        check(json!({ "do": choices }), rest.clone(), rest);
        check(json!({ "do": { "enum": ["watch"] } }), log.clone(), log);
    }
}
