//! The input of both sides: the cases of a file, else the examples of the commands, else samples.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use skill_executor::call::Options;
use skill_executor::module::ModuleFunction;
use skill_executor::package::SkillPackage;
use skill_model::{Command, ExecutorKind, Transport};

use crate::error::{CaseError, Flaw};
use crate::pairs::Pair;
use crate::samples;

/// The longest text that `$repeat` may produce, in bytes.
const MAX_REPEAT: usize = 64 << 20;

/// The greatest number of cases that are made up of one plugin's commands.
const MAX_CASES: usize = 60;
/// The greatest number of calls that follow one another on the same state.
const MAX_STEPS: usize = 12;

/// One call of a plugin and its skill.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name in reports.
    pub id: String,
    /// The directory or name of the plugin, or the name of the skill, that the case is for. Empty for
    /// examples.
    pub target: String,
    /// The arguments of the call.
    pub input: Value,
    /// The arguments of calls that follow on the same state, with the same options.
    pub then: Vec<Value>,
    /// The options of the call.
    pub options: Options,
    /// The configuration instead of the plugin's own, as the text of a `config.env`.
    pub config: Option<String>,
    /// Variables that are added to the environment of the host.
    pub environment: BTreeMap<String, String>,
}

impl Case {
    pub(crate) fn example(id: String, input: Value) -> Self {
        Self {
            id,
            target: String::new(),
            input,
            then: Vec::new(),
            options: Options::default(),
            config: None,
            environment: BTreeMap::new(),
        }
    }
}

/// Parses the text of a file of cases: a list, or an object with a list `cases`. Unknown keys are
/// ignored, so that recorded test suites can be used as they are. `name` is the file in messages.
///
/// # Errors
///
/// When the text is not JSON of that form; the error names the first case that is wrong.
pub fn parse(text: &str, name: &str) -> Result<Vec<Case>, CaseError> {
    let value = skill_executor::json::parse(text)
        .map_err(|error| CaseError::File(format!("{name} is not valid JSON: {error}")))?;
    let expected = |what: &str| CaseError::File(format!("expected {what}"));
    let items = match &value {
        Value::Array(items) => items,
        Value::Object(map) => map
            .get("cases")
            .and_then(Value::as_array)
            .ok_or_else(|| expected("a list `cases`"))?,
        _ => return Err(expected("a list of cases")),
    };
    let cases = items.iter().enumerate();
    cases
        .map(|(n, item)| {
            case(n, item).map_err(|source| CaseError::Case {
                number: n + 1,
                source,
            })
        })
        .collect()
}

fn case(n: usize, item: &Value) -> Result<Case, Flaw> {
    let map = item.as_object().ok_or("expected an object")?;
    let text = |key: &str| -> Result<Option<&str>, Flaw> {
        match map.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Flaw(format!("`{key}` should be a string"))),
        }
    };
    let target = text("plugin")?.or(text("skill")?).or(text("name")?);
    let mut options = Options::read(map.get("options").unwrap_or(&Value::Null)).map_err(Flaw)?;
    options.function = match text("mode")? {
        Some("direct-tool") => Some(ModuleFunction::Tool),
        Some("preprocessor") => Some(ModuleFunction::Messages),
        Some("service") => Some(ModuleFunction::Requests),
        _ => options.function,
    };
    let mut input = map.get("input").cloned().unwrap_or_default();
    expand(&mut input)?;
    let mut then = match map.get("then") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(inputs)) => inputs.clone(),
        Some(_) => return Err("`then` should be a list of inputs".into()),
    };
    then.iter_mut().try_for_each(expand)?;
    let mut environment = BTreeMap::new();
    for (key, value) in map
        .get("host_env")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let value = value
            .as_str()
            .ok_or("`host_env` should be an object of strings")?;
        environment.insert(key.clone(), value.to_owned());
    }
    let id = text("case_id")?.or(text("id")?);
    Ok(Case {
        id: id.map_or_else(|| format!("case {}", n + 1), str::to_owned),
        target: target.ok_or("expected a `plugin` or a `skill`")?.to_owned(),
        input,
        then,
        options,
        config: text("config_env")?.map(str::to_owned),
        environment,
    })
}

/// Replaces `{"$repeat": [text, n]}` by the repeated text.
fn expand(value: &mut Value) -> Result<(), Flaw> {
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(expand),
        Value::Object(map) => {
            if let (1, Some(Value::Array(items))) = (map.len(), map.get("$repeat")) {
                let [Value::String(text), Value::Number(n)] = items.as_slice() else {
                    return Err("`$repeat` takes a string and a number".into());
                };
                let n = n.as_u64().and_then(|n| usize::try_from(n).ok());
                let n = n.ok_or("`$repeat` takes a whole number")?;
                let bytes = text.len().checked_mul(n);
                if bytes.is_none_or(|it| it > MAX_REPEAT) {
                    return Err("`$repeat` is too long".into());
                }
                *value = text.repeat(n).into();
                return Ok(());
            }
            map.values_mut().try_for_each(expand)
        }
        _ => Ok(()),
    }
}

/// Returns the cases of one plugin: those of the user, else the examples of the skill, else samples.
/// They are empty for a service: its routes are known only while it runs.
pub(crate) fn for_pair(
    pair: &Pair,
    (plugin, skill): (&SkillPackage, &SkillPackage),
    cases: &[Case],
) -> Vec<Case> {
    let chosen = cases.iter().filter(|case| is_for(case, pair));
    let chosen: Vec<_> = chosen.cloned().collect();
    if chosen.is_empty() {
        examples(plugin, skill)
    } else {
        chosen
    }
}

fn is_for(case: &Case, pair: &Pair) -> bool {
    pair.names().any(|name| name == case.target)
}

/// Returns the cases that no plugin matches.
pub fn unused(cases: &[Case], pairs: &[Pair]) -> Vec<String> {
    let unused = cases
        .iter()
        .filter(|case| !pairs.iter().any(|pair| is_for(case, pair)));
    unused
        .map(|case| format!("{} ({})", case.id, case.target))
        .collect()
}

/// Returns calls that need no knowledge beyond the plugin and the examples of the skill.
fn examples(plugin: &SkillPackage, skill: &SkillPackage) -> Vec<Case> {
    let metadata = &skill.metadata;
    match (metadata.executor, metadata.transport) {
        (ExecutorKind::Static, _) => vec![Case::example("value".to_owned(), Value::Null)],
        (ExecutorKind::Preprocessor, _) => conversations(plugin).collect(),
        (_, Some(Transport::Module)) if skill.plugin_type() == "service" => Vec::new(),
        _ => {
            let mut res: Vec<_> = metadata
                .commands
                .iter()
                .flat_map(command_examples)
                .collect();
            res.truncate(MAX_CASES);
            let exports = metadata.entry.iter().flat_map(|entry| &entry.exports);
            if exports.into_iter().any(|name| name == "processMessages") {
                res.extend(conversations(plugin));
            }
            res
        }
    }
}

/// Returns the code that an administrator gives for these runs: the one that the calls in the examples have.
pub(crate) fn auth_code(skill: &SkillPackage) -> String {
    let examples = skill.metadata.commands.iter();
    let examples = examples.flat_map(|command| &command.examples);
    let mut codes = examples.filter_map(|example| {
        samples::AUTH_CODES
            .iter()
            .find_map(|name| example[*name].as_str())
    });
    codes.next().unwrap_or(samples::AUTH_CODE).to_owned()
}

fn conversations(plugin: &SkillPackage) -> impl Iterator<Item = Case> {
    let all = samples::conversations(&plugin.root).into_iter();
    all.map(|(id, messages)| {
        let mut case = Case::example(id.to_owned(), messages);
        case.options.function = Some(ModuleFunction::Messages);
        case
    })
}

/// Returns the calls of some cases one after the other on the same state: first those that change files,
/// then the others, which may read them. Without others, the first ones are repeated. `None` if no call
/// changes a file.
pub(crate) fn one_after_the_other<'c>(
    cases: impl Iterator<Item = (&'c Case, bool)>,
) -> Option<Case> {
    let is_plain = |case: &Case| case.config.is_none() && case.environment.is_empty();
    let cases = cases.filter(|(case, _)| is_plain(case) && case.then.is_empty());
    let (writing, others): (Vec<_>, Vec<_>) = cases.partition(|(_, writes)| *writes);
    let first = writing.first()?.0;
    let mut inputs: Vec<Value> = Vec::new();
    let again = if others.is_empty() { &writing } else { &others };
    for (case, _) in writing.iter().take(MAX_STEPS / 2).chain(again) {
        if case.options.function == first.options.function {
            inputs.push(case.input.clone());
        }
    }
    inputs.truncate(MAX_STEPS);
    let mut res = Case::example("one after the other".to_owned(), inputs.remove(0));
    res.options = first.options.clone();
    res.then = inputs;
    Some(res)
}

/// Returns a call of the table of routes of a module.
pub(crate) fn table_of_routes() -> Case {
    let mut res = Case::example("routes".to_owned(), Value::Null);
    res.options.function = Some(ModuleFunction::Routes);
    res
}

/// Returns requests to the routes of a module: one case for those that only read, one for the others.
pub(crate) fn for_routes(routes: &Value) -> Vec<Case> {
    let (reading, others) = samples::requests(routes);
    let cases = [("reading routes", reading), ("other routes", others)];
    cases
        .into_iter()
        .filter(|(_, requests)| !requests.is_empty())
        .map(|(id, requests)| {
            let mut case = Case::example(id.to_owned(), requests.into());
            case.options.function = Some(ModuleFunction::Requests);
            case
        })
        .collect()
}

/// Returns the arguments of a command with the one by which its program knows it.
pub(crate) fn dispatched(command: &Command, arguments: &Map<String, Value>) -> Value {
    let mut input = Map::new();
    if let Some(dispatch) = &command.dispatch {
        input.insert(dispatch.key.clone(), dispatch.value.as_str().into());
    }
    input.extend(arguments.clone());
    Value::Object(input)
}

/// Returns the examples of a command. Without any, it is called with samples for its schema.
fn command_examples(command: &Command) -> Vec<Case> {
    let examples = command.examples.iter().filter_map(Value::as_object);
    let mut res: Vec<_> = examples
        .enumerate()
        .map(|(n, example)| {
            Case::example(
                format!("{} {}", command.id, n + 1),
                dispatched(command, example),
            )
        })
        .collect();
    if res.is_empty() {
        let samples = samples::arguments(&command.input_schema);
        let id = |n| match n {
            0 => format!("{}, made up", command.id),
            _ => format!("{}, all arguments made up", command.id),
        };
        let samples = samples.iter().enumerate();
        res = samples
            .map(|(n, arguments)| Case::example(id(n), dispatched(command, arguments)))
            .collect();
    }
    let base = res.first().map(|case| case.input.clone());
    let others = samples::variants(&command.input_schema, base.as_ref().unwrap_or_default());
    let others = others
        .into_iter()
        .map(|(what, arguments)| Case::example(format!("{}, {what}", command.id), arguments));
    let others: Vec<_> = others.collect();
    // The old host passed the texts of a call on, whatever the example in the manifest looks like.
    let texts = res.iter().filter_map(|case| {
        let id = format!("{}, as texts", case.id);
        Some(Case::example(id, samples::as_texts(&case.input)?))
    });
    let texts: Vec<_> = texts.collect();
    res.extend(texts);
    res.extend(others);
    res
}
