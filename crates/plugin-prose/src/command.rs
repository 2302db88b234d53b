//! Reads one command: from the text to the schema.

use std::collections::BTreeMap;

use crate::calls::{Calls, OwnCall};
use crate::dispatch;
use crate::example;
use crate::fact::default;
use crate::finding;
use crate::form::calls::{self, FlatCall, PROTOCOL};
use crate::form::entry::{self, Entry};
use crate::form::outline::{self, MAX_ENTRIES, MAX_VALUES, Outline};
use crate::form::section::SELECTORS;
use crate::form::structured;
use crate::lex::names::{Joint, Names};
use crate::lex::normal::normalise;
use crate::lex::pieces::{self, Piece};
use crate::merge::Params;
use crate::param::{Default, Form, Need, Param};
use crate::reading::{CommandReading, Dispatch, DispatchSource};
use crate::schema;
use crate::source::CommandSource;
use crate::summary;
use skill_diagnostics::Diagnostic;

/// Reads one command.
///
/// Reading never fails: unreadable parts are left open and reported in the findings.
///
/// ```
/// use plugin_prose::{CommandSource, NoCode, read_command};
///
/// let source = CommandSource {
///     plugin: "Tea",
///     id: "brew",
///     other_ids: &[],
///     n_commands: 1,
///     description: "Brews tea.\nParameters:\n- leaf (string, required): the kind of leaf\n",
///     examples: &[],
///     structured: None,
///     in_code: &NoCode,
/// };
/// let reading = read_command(&source);
/// assert_eq!(reading.summary, "Brews tea.");
/// assert_eq!(reading.input_schema["required"][0], "leaf");
/// ```
pub fn read_command(source: &CommandSource<'_>) -> CommandReading {
    let text = normalise(source.description);
    let described = pieces::read(&text);
    let examples: Vec<_> = source.examples.iter().map(|text| normalise(text)).collect();
    let shown: Vec<Vec<Piece<'_>>> = examples.iter().map(|text| pieces::read(text)).collect();
    let outline = outline::read(&described);
    let calls = Calls::new(&described, &examples, &shown);
    let dispatch = dispatch::decide(source, &outline, &calls.all);
    let mine = calls.selected_by(dispatch.as_ref());
    let mut findings = calls.findings(source, &described, &shown);
    let params = params(source, outline, &mine, dispatch.as_ref(), &mut findings);
    report(source, &params, dispatch.as_ref(), &calls, &mut findings);
    let mut shown: Vec<&OwnCall<'_>> = mine.iter().collect();
    shown.sort_by_key(|call| (call.flat.asks(), call.in_description));
    let samples: Vec<&FlatCall> = shown.into_iter().map(|call| call.flat).collect();
    CommandReading {
        summary: summary::read(&described),
        numbered_batch: calls.all.iter().any(|call| call.batch),
        input_schema: schema::object(&params),
        examples: example::objects(&samples, dispatch.as_ref()),
        findings,
        dispatch,
    }
}

/// Returns all merged parameters; the strongest forms come first, so that samples are merged into
/// them.
fn params(
    source: &CommandSource<'_>,
    outline: Outline,
    calls: &[OwnCall<'_>],
    dispatch: Option<&Dispatch>,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Param> {
    let mut all = Params::default();
    let declared = structured_params(source, &mut all, findings);
    if outline.entries.len() > MAX_ENTRIES {
        findings.push(finding::parameters_truncated(MAX_ENTRIES));
    }
    if outline.cut {
        findings.push(finding::values_truncated(MAX_VALUES));
    }
    let Outline {
        mut entries,
        mut values,
        demanded,
        remarks,
        ..
    } = outline;
    if dispatch.is_none() {
        add_called_operations(calls, &mut values);
        limit_to_operations(&mut entries, &values);
    }
    let weak = add_declared(&mut all, entries, calls, dispatch);
    for param in weak {
        if !declared || all.knows(&param.name) {
            add(&mut all, param, dispatch);
        }
    }
    for param in remarks
        .into_iter()
        .take(MAX_ENTRIES)
        .flat_map(|entry| entry.into_params(&|_, _| false))
    {
        if all.knows(&param.name) {
            add(&mut all, param, dispatch);
        }
    }
    all.drop_choices_that_are_names();
    apply_values(&mut all, values);
    apply_demands(&mut all, demanded);
    let mut res = all.into_list();
    for param in &mut res {
        check_default(param, findings);
    }
    res
}

/// Adds the operations of one command: the values that its calls give to a selector, also those that its
/// list lacks.
fn add_called_operations(calls: &[OwnCall<'_>], values: &mut BTreeMap<String, Vec<String>>) {
    for selector in SELECTORS {
        let mut shown: Vec<&str> = Vec::new();
        for value in calls
            .iter()
            .filter(|call| call.in_description)
            .filter_map(|call| call.flat.get(selector))
        {
            let word =
                value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !value.is_empty();
            if word && !shown.contains(&value) && shown.len() < 64 {
                shown.push(value);
            }
        }
        let shown = shown.into_iter().map(str::to_owned);
        if let Some(listed) = values.get_mut(selector) {
            let news: Vec<String> = shown.filter(|value| !listed.contains(value)).collect();
            listed.extend(news);
        } else if shown.len() > 1 {
            values.insert(selector.to_owned(), shown.collect());
        }
    }
}

/// Limits parameters that the heading of one operation declares to that operation.
fn limit_to_operations(entries: &mut [Entry], values: &BTreeMap<String, Vec<String>>) {
    for entry in entries.iter_mut().filter(|entry| entry.when.is_none()) {
        let Some(operation) = &entry.operation else {
            continue;
        };
        let selector = SELECTORS.iter().find(|selector| {
            values
                .get(**selector)
                .is_some_and(|values| values.contains(operation))
        });
        entry.when = selector.map(|selector| format!("{selector} = {operation}"));
    }
}

/// Adds what lines and annotated values declare; returns samples and mentions, which are merged
/// into the parameters that are known by then.
fn add_declared(
    all: &mut Params,
    entries: Vec<Entry>,
    calls: &[OwnCall<'_>],
    dispatch: Option<&Dispatch>,
) -> Vec<Param> {
    let together = CallIndex::new(calls);
    let lines = entries
        .into_iter()
        .take(MAX_ENTRIES)
        .flat_map(|entry| entry.into_params(&|a, b| together.contains(a, b)));
    let (mentions, lines): (Vec<_>, Vec<_>) = lines.partition(|param| param.form == Form::P);
    let shown = calls
        .iter()
        .flat_map(|call| calls::entries(call.flat, call.in_description));
    let shown = shown
        .take(MAX_ENTRIES)
        .flat_map(|entry| entry.into_params(&|_, _| false));
    let (mut samples, annotated): (Vec<_>, Vec<_>) =
        shown.partition(|param| param.form == Form::D2);
    for param in lines.into_iter().chain(annotated) {
        add(all, param, dispatch);
    }
    samples.extend(mentions);
    samples
}

fn structured_params(
    source: &CommandSource<'_>,
    all: &mut Params,
    findings: &mut Vec<Diagnostic>,
) -> bool {
    let Some(value) = source.structured else {
        return false;
    };
    let (params, complete) = structured::read(value);
    if !complete {
        findings.push(finding::parameters_unreadable());
    }
    let any = !params.is_empty();
    for param in params {
        if !PROTOCOL.contains(&param.name.as_str()) {
            all.add(param);
        }
    }
    any
}

fn add(all: &mut Params, param: Param, dispatch: Option<&Dispatch>) {
    let protocol = PROTOCOL.contains(&param.name.as_str());
    let selector = dispatch.is_some_and(|dispatch| dispatch.key == param.name);
    if !protocol && !selector {
        all.add(param);
    }
}

/// Adds values from below a heading or from a table, unless the parameter has its own.
fn apply_values(all: &mut Params, values: BTreeMap<String, Vec<String>>) {
    for (name, list) in values {
        let Some(param) = all.get_mut(&name) else {
            continue;
        };
        let mut plain: Vec<String> = Vec::new();
        for value in &list {
            let bare = value.trim_end_matches("（默认）").to_owned();
            if bare.len() < value.len() && param.default.is_none() {
                param.default = Some(Default::Bare(bare.clone()));
            }
            if !plain.contains(&bare) {
                plain.push(bare);
            }
        }
        if param.choices.is_empty() {
            param.choices = entry::values(&plain, &param.types);
        }
    }
}

/// Marks what running text demands as required, unless the text says otherwise elsewhere.
fn apply_demands(all: &mut Params, demanded: Vec<Names>) {
    for Names {
        list: names, joint, ..
    } in demanded
    {
        let known: Vec<&String> = names.iter().filter(|name| all.knows(name)).collect();
        let one = joint == Joint::Slash;
        let Some(first) = known.first().map(|name| (*name).clone()) else {
            continue;
        };
        for name in if one {
            vec![first.clone()]
        } else {
            known.into_iter().cloned().collect()
        } {
            if let Some(param) = all.get_mut(&name).filter(|param| param.need.is_none()) {
                param.need = Some(Need::Required);
            }
        }
        if one {
            let aliases = names.into_iter().filter(|name| *name != first).collect();
            all.add(Param {
                aliases,
                ..Param::named(first, Form::P)
            });
        }
    }
}

/// Reports a default that is not a literal of its type.
fn check_default(param: &mut Param, findings: &mut Vec<Diagnostic>) {
    let Some(found) = &param.default else { return };
    if default::to_json(found, &param.types, &param.choices).is_none() {
        let words = match found {
            Default::Bare(words) | Default::Quoted(words) | Default::Prose(words) => words.clone(),
            Default::Json(value) => value.to_string(),
        };
        findings.push(finding::default_not_literal(
            &param.name,
            &schema::one_line(&words),
        ));
        param.default = None;
    }
}

fn report(
    source: &CommandSource<'_>,
    params: &[Param],
    dispatch: Option<&Dispatch>,
    calls: &Calls,
    findings: &mut Vec<Diagnostic>,
) {
    if dispatch.is_some_and(|dispatch| dispatch.source == DispatchSource::Assumed) {
        findings.push(finding::dispatch_assumed(source.id));
    }
    let says_none = [
        "参数: 无",
        "参数：无",
        "无参数",
        "无需参数",
        "no parameters",
        "No parameters",
        "Parameters: none",
        "takes no arguments",
    ]
    .iter()
    .any(|words| source.description.contains(words));
    let shows_none = dispatch.is_some_and(|dispatch| dispatch.source != DispatchSource::Assumed)
        && !calls.all.is_empty();
    if params.is_empty() && !says_none && !shows_none {
        findings.push(finding::parameters_undeclared(source.id));
    }
}

/// The calls in which each name occurs.
struct CallIndex<'a> {
    calls: BTreeMap<&'a str, Vec<usize>>,
}

/// The maximum number of calls that are recorded for each name.
const MAX_CALLS: usize = 16;

impl<'a> CallIndex<'a> {
    fn new(calls: &[OwnCall<'a>]) -> Self {
        let mut res: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, call) in calls.iter().enumerate() {
            for argument in &call.flat.arguments {
                let seen = res.entry(argument.key.as_str()).or_default();
                if seen.len() < MAX_CALLS {
                    seen.push(at);
                }
            }
        }
        Self { calls: res }
    }

    fn contains(&self, a: &str, b: &str) -> bool {
        let (Some(a), Some(b)) = (self.calls.get(a), self.calls.get(b)) else {
            return false;
        };
        a.iter().any(|call| b.contains(call))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::NoCode;

    fn read(description: &str, examples: &[&str], structured: Option<&Value>) -> CommandReading {
        read_command(&CommandSource {
            plugin: "Tea",
            id: "Brew",
            other_ids: &[],
            n_commands: 1,
            description,
            examples,
            structured,
            in_code: &NoCode,
        })
    }

    /// Checks the properties without their descriptions, and the required names.
    #[track_caller]
    fn check(reading: &CommandReading, properties: &Value, required: &[&str]) {
        let mut found = reading.input_schema["properties"].clone();
        for property in found.as_object_mut().unwrap().values_mut() {
            property
                .as_object_mut()
                .unwrap()
                .shift_remove("description");
        }
        assert_eq!(
            (&found, &reading.input_schema["required"]),
            (properties, &json!(required))
        );
    }

    #[test]
    fn lists_and_blocks_are_put_together() {
        let text = "泡茶。\n参数:\n- kind (字符串, 必需): 茶的种类\n- minutes (整数, 可选, 默认3): 时间\n<<<[TOOL_REQUEST]>>>\ntool_name:「始」Tea「末」,\nkind:「始」绿茶「末」,\nminutes:「始」2「末」,\nsugar:「始」一勺「末」\n<<<[END_TOOL_REQUEST]>>>";
        let found = read(text, &[], None);
        check(
            &found,
            &json!({
                "kind": { "type": "string", "x-source": "A1" },
                "minutes": { "type": ["integer", "string"], "default": 3, "x-source": "A1" },
                "sugar": { "x-source": "D2" },
            }),
            &["kind"],
        );
        assert_eq!(
            found.examples,
            [json!({ "kind": "绿茶", "minutes": "2", "sugar": "一勺" })
                .as_object()
                .unwrap()
                .clone()]
        );
        assert_eq!(
            (found.summary.as_str(), found.findings.len()),
            ("泡茶。", 0)
        );
    }

    #[test]
    fn structured_forms_win_over_prose() {
        let structured = json!([{ "name": "kind", "type": "string", "required": false }]);
        let found = read(
            "参数:\n- kind (字符串, 必需): 种类，可选值 'a'、'b'",
            &[],
            Some(&structured),
        );
        check(
            &found,
            &json!({ "kind": { "type": "string", "enum": ["a", "b"], "x-source": "S" } }),
            &[],
        );
    }

    #[test]
    fn conditions_are_kept_and_never_required() {
        let found = read("参数:\n- pot (字符串, 泡红茶时必需): 茶壶", &[], None);
        check(
            &found,
            &json!({ "pot": { "type": "string", "x-required-when": "泡红茶时必需", "x-source": "A1" } }),
            &[],
        );
    }

    #[test]
    fn keys_of_an_object_are_not_parameters() {
        let found = read(
            "参数:\n- opts (JSON字符串, 可选): 支持的键包括:\n  - \"deep\" (布尔值, 默认false): 深\n  - \"kind\" (字符串, 默认'all'): 可选值为 'one', 'all'",
            &[],
            None,
        );
        check(
            &found,
            &json!({ "opts": { "type": "string", "x-source": "A1" } }),
            &[],
        );
    }

    #[test]
    fn operations_of_one_command() {
        let text = "### 上传 (upload)\n参数:\n- path (必需): 路径\n<<<[TOOL_REQUEST]>>>\naction:「始」upload「末」,\npath:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>\n### 删除 (drop)\n<<<[TOOL_REQUEST]>>>\naction:「始」drop「末」\n<<<[END_TOOL_REQUEST]>>>";
        check(
            &read(text, &[], None),
            &json!({ "path": { "x-required-when": "action = upload", "x-source": "A1" }, "action": { "enum": ["upload", "drop"], "x-source": "D2" } }),
            &[],
        );
    }

    #[test]
    fn what_one_of_two_modes_requires_is_conditional() {
        let text = "写歌。\n【灵感模式】\n- key (必需): 密钥\n- idea (必需): 想法\n【定制模式】\n- key (必需): 密钥\n- title (必需): 标题\n- style (可选): 风格";
        let schema = read(text, &[], None).input_schema;
        assert_eq!(schema["required"], json!(["key"]));
        assert_eq!(schema["properties"]["idea"]["x-required-when"], "灵感模式");
        assert_eq!(schema["properties"]["title"]["x-required-when"], "定制模式");
    }

    #[track_caller]
    fn check_findings(description: &str, examples: &[&str], codes: &[&str]) {
        let found: Vec<_> = read(description, examples, None)
            .findings
            .iter()
            .map(|finding| finding.code.0)
            .collect();
        assert_eq!(found, codes);
    }

    #[test]
    fn what_is_doubtful_is_reported() {
        check_findings("泡茶。", &[], &["parameters-undeclared"]);
        check_findings("泡茶。参数: 无。", &[], &[]);
        check_findings(
            "- a (数字, 可选): 默认由壶决定",
            &["不是调用"],
            &["example-unreadable", "default-not-literal"],
        );
        check_findings(
            "<<<[TOOL_REQUEST]>>>\ntool_name:「始」Coffee「末」,\na:「始」1",
            &[],
            &[
                "call-block-unclosed",
                "call-value-unclosed",
                "tool-name-mismatch",
            ],
        );
    }
}
