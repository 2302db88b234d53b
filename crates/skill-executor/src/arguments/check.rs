//! Checks arguments against the schema of a command: findings, never errors.

use http_request::BodyKind;
use serde_json::{Map, Value};
use skill_model::Command;

use super::schema::{Fit, Kind, Misfit, Texts};
use super::values::pointer;
use crate::envelope::Warning;

/// The most findings about the arguments of a call.
const MAX_FINDINGS: usize = 20;
/// The argument that may be the whole body of a request.
const WHOLE: &str = "body";

/// An argument of a call.
struct Argument<'a> {
    /// The name in the schema.
    declared: &'a str,
    /// The name that the caller used.
    given: &'a str,
    value: &'a Value,
    /// It is a parameter of a request, not a member of its body.
    is_parameter: bool,
}

/// The arguments of a call, as its request takes them.
struct Given<'a> {
    arguments: Vec<Argument<'a>>,
    /// The caller gave the body as one argument, which this is.
    whole: Option<&'a Value>,
}

/// Adds a warning for each argument that does not fit.
pub(super) fn check(command: &Command, input: &Value, warnings: &mut Vec<Warning>) {
    let schema = &command.input_schema;
    let fit = Fit::new(schema);
    let given = Given::new(command, input);
    let mut found = Vec::new();
    let mut add = |warning: Warning| {
        let is_once = [Kind::Missing, Kind::Unknown]
            .map(Kind::code)
            .contains(&warning.code);
        let is_said = |it: &Warning| {
            *it == warning || is_once && it.code == warning.code && it.pointer == warning.pointer
        };
        if !found.iter().any(is_said) {
            found.push(warning);
        }
    };
    let sends_body = given.sends_body(command);
    let always = names(schema, "required");
    let in_body = names(schema, "x-body-required").filter(|_| sends_body);
    for name in always.chain(in_body) {
        let is_parameter = is_parameter(command, name);
        // A body that is not an object has no members.
        let is_asked = is_parameter || given.whole.is_none_or(Value::is_object);
        if is_asked && !given.arguments.iter().any(|it| it.declared == name) {
            let place = given.place(is_parameter, name);
            add(place.warning(Kind::Missing, "", "is missing", ""));
        }
    }
    for argument in &given.arguments {
        let place = given.place(argument.is_parameter, argument.given);
        let declared = &schema["properties"][argument.declared];
        let texts = Texts {
            own: argument.is_parameter || takes_text(command),
            members: false,
        };
        if declared.is_null() {
            if schema["additionalProperties"] == false && !is_own(command, argument.given) {
                let message = format!("nothing is called `{}`", place.shown);
                add(place.with_message(Kind::Unknown, message));
            }
            continue;
        }
        for misfit in fit.misfits(declared, argument.value, texts) {
            add(place.of(&misfit));
        }
    }
    let texts = Texts {
        own: true,
        members: takes_text(command),
    };
    let (place, together) = match given.whole {
        Some(body) => (Place::new("", WHOLE), body),
        None => (Place::default(), input),
    };
    let is_null = together.is_null() && schema["x-body-nullable"] == true;
    if !together.is_object() && given.whole.is_some() {
        if !is_null {
            add(place.warning(Kind::Wrong, "", "should be of type object", ""));
        }
    } else {
        let top = fit.top(schema, together, texts).into_iter();
        let top = top.filter(|_| sends_body);
        for misfit in top.chain(fit.misfits(&composed(schema), input, texts)) {
            add(place.of(&misfit));
        }
    }
    let n_more = found.len().saturating_sub(MAX_FINDINGS);
    found.truncate(MAX_FINDINGS);
    warnings.extend(found);
    if n_more > 0 {
        warnings.push(Warning {
            code: Kind::Wrong.code(),
            message: format!("{n_more} more parts of the arguments do not fit"),
            pointer: None,
        });
    }
}

impl<'a> Given<'a> {
    fn new(command: &'a Command, input: &'a Value) -> Self {
        let mut rest: Vec<(&str, &Value)> = match input.as_object() {
            Some(map) => map
                .iter()
                .map(|(name, value)| (name.as_str(), value))
                .collect(),
            None => Vec::new(),
        };
        let mut arguments = Vec::new();
        for parameter in command.http.iter().flat_map(|it| &it.parameters) {
            // A name that is in two places may also be used as it is.
            let plain = parameter.name.as_str();
            let plain = (parameter.required && parameter.argument.is_some()).then_some(plain);
            let mut names = [Some(parameter.argument()), plain].into_iter().flatten();
            let place = names.find_map(|name| rest.iter().position(|(given, _)| *given == name));
            if let Some((given, value)) = place.map(|at| rest.remove(at)) {
                arguments.push(Argument {
                    declared: parameter.argument(),
                    given,
                    value,
                    is_parameter: true,
                });
            }
        }
        let whole = whole(command, &rest);
        if let Some(body) = whole {
            let members = body.as_object().into_iter().flatten();
            rest = members
                .map(|(name, value)| (name.as_str(), value))
                .collect();
        }
        arguments.extend(rest.into_iter().map(|(given, value)| Argument {
            declared: property(command, given),
            given,
            value,
            is_parameter: false,
        }));
        Self { arguments, whole }
    }

    /// Returns true if a request has a body: it needs one, or an argument is not a parameter.
    fn sends_body(&self, command: &Command) -> bool {
        let Some(http) = &command.http else {
            return true;
        };
        let is_needed = http.body.as_ref().is_some_and(|body| body.required);
        is_needed || self.whole.is_some() || self.arguments.iter().any(|it| !it.is_parameter)
    }

    /// Returns the place of an argument.
    fn place(&self, is_parameter: bool, name: &str) -> Place {
        let above = if self.whole.is_some() && !is_parameter {
            WHOLE
        } else {
            ""
        };
        Place::new(above, name)
    }
}

/// Returns the argument that is the whole body of a request, although its members are declared.
fn whole<'a>(command: &Command, rest: &[(&str, &'a Value)]) -> Option<&'a Value> {
    let body = command.http.as_ref()?.body.as_ref()?;
    let is_declared = command.input_schema["properties"].get(WHOLE).is_some();
    match rest {
        [(WHOLE, value)] if body.argument.is_none() && !is_declared => Some(*value),
        _ => None,
    }
}

/// The place of a finding.
#[derive(Default)]
struct Place {
    /// The name for people; empty for all arguments together.
    shown: String,
    pointer: String,
}

impl Place {
    fn new(above: &str, name: &str) -> Self {
        if above.is_empty() {
            return Self {
                shown: name.to_owned(),
                pointer: pointer(&[name]),
            };
        }
        Self {
            shown: format!("{above}.{name}"),
            pointer: pointer(&[above, name]),
        }
    }

    fn of(&self, misfit: &Misfit) -> Warning {
        self.warning(misfit.kind, &misfit.part(), &misfit.why, &misfit.pointer())
    }

    fn warning(&self, kind: Kind, part: &str, why: &str, pointer: &str) -> Warning {
        let shown = format!("{}{part}", self.shown);
        let message = match shown.trim_start_matches('.') {
            "" => format!("the object of the arguments {why}"),
            shown => format!("`{shown}` {why}"),
        };
        let mut res = self.with_message(kind, message);
        let pointer = format!("{}{pointer}", self.pointer);
        res.pointer = (!pointer.is_empty()).then_some(pointer);
        res
    }

    fn with_message(&self, kind: Kind, message: String) -> Warning {
        Warning {
            code: kind.code(),
            message,
            pointer: Some(self.pointer.clone()),
        }
    }
}

/// Returns the names in a list of a schema.
fn names<'s>(schema: &'s Value, key: &str) -> impl Iterator<Item = &'s str> {
    let names = schema[key].as_array().into_iter().flatten();
    names.filter_map(Value::as_str)
}

/// Returns the compositions at the top of a schema, without the keywords that are checked one by one.
fn composed(schema: &Value) -> Value {
    let keys = ["$ref", "allOf", "anyOf", "oneOf"].into_iter();
    let parts = keys.filter_map(|key| Some((key.to_owned(), schema.get(key)?.clone())));
    Value::Object(parts.collect::<Map<_, _>>())
}

fn is_parameter(command: &Command, name: &str) -> bool {
    let parameters = command.http.iter().flat_map(|it| &it.parameters);
    parameters.into_iter().any(|it| it.argument() == name)
}

/// Returns true if text counts as the type that it can be read as: everywhere except in a document that
/// is sent as JSON.
fn takes_text(command: &Command) -> bool {
    let body = command.http.as_ref().and_then(|http| http.body.as_ref());
    body.is_none_or(|body| body.kind != BodyKind::Json)
}

/// Returns true for the dispatch argument and for arguments of the old host itself.
fn is_own(command: &Command, name: &str) -> bool {
    let key = command
        .dispatch
        .as_ref()
        .map(|dispatch| dispatch.key.as_str());
    key == Some(unnumbered(command, name)) || matches!(name, "maid" | "valet")
}

/// Removes the number of a batch argument: `filePath2` is `filePath`.
fn unnumbered<'n>(command: &Command, name: &'n str) -> &'n str {
    match command.batch {
        Some(_) => name.trim_end_matches(|char: char| char.is_ascii_digit()),
        None => name,
    }
}

/// Returns the declared name of an argument that may be numbered or an alias.
fn property<'n>(command: &'n Command, name: &'n str) -> &'n str {
    let declared = |name: &str| !command.input_schema["properties"][name].is_null();
    let bare = unnumbered(command, name);
    if declared(name) {
        return name;
    }
    if declared(bare) {
        return bare;
    }
    let mut properties = command.input_schema["properties"]
        .as_object()
        .into_iter()
        .flatten();
    let of_alias = properties.find(|(_, declared)| {
        let aliases = declared["x-aliases"].as_array().into_iter().flatten();
        aliases
            .filter_map(Value::as_str)
            .any(|alias| alias == name || alias == bare)
    });
    of_alias.map_or(name, |(declared, _)| declared)
}
