//! The bridge, tried with real Node. Each row cites the rule of `docs/design/legacy-host.md` that it shows.
#![expect(clippy::disallowed_methods, reason = "tests lay out their own files")]

mod life; // the life of the process of a module

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::wire::{Refusal, RefusalKind, Reply};
use crate::cancel::Cancel;

use super::{HostView, Launch, LinkError, Worker, WorkerError};

const PATIENCE: Duration = Duration::from_secs(30);

/// A module file of this source in a directory of its own; none without Node.
struct Bench {
    dir: tempfile::TempDir,
    launch: Launch,
}

impl Bench {
    fn new(file: &str, source: &str) -> Option<Self> {
        skill_testing::find::node()?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path().join("Plugin/Own").join(file);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(&at, source).unwrap();
        let configuration = json!({"CITY": "Oslo", "DEPTH": 12, "DebugMode": false});
        let launch = Launch {
            name: "Own".to_owned(),
            file: at,
            cwd: dir.path().to_owned(),
            environment: BTreeMap::from([(OsString::from("PATH"), path)]),
            configuration: configuration.as_object().unwrap().clone(),
            stored: skill_settings::Values::default(),
            host: HostView {
                project_base: dir.path().to_str().unwrap().to_owned(),
                ..HostView::default()
            },
            preserve_symlinks: false,
            memory_mb: 256,
        };
        Some(Self { dir, launch })
    }

    fn worker(&self) -> Worker {
        Worker::new(self.launch.clone(), self.launch.spec())
    }
}

fn map(value: Value) -> Map<String, Value> {
    let Value::Object(map) = value else {
        panic!("not an object: {value}")
    };
    map
}

fn call_request(args: &Value, timeout_ms: u64) -> Map<String, Value> {
    let context = json!({"requestIp": null, "sourceNode": null, "pluginName": "Own"});
    map(json!({"op": "call", "args": args, "context": context, "timeoutMs": timeout_ms}))
}

/// The value without what depends on the clock.
fn plain(mut value: Value) -> Value {
    if let Value::Object(map) = &mut value {
        map.shift_remove("timestamp");
    }
    value
}

fn value_of(reply: Reply) -> Value {
    let value = reply
        .outcome
        .unwrap_or_else(|refusal| panic!("{refusal:?}"));
    plain(value.unwrap_or(Value::Null))
}

fn refusal_of(reply: Result<Reply, WorkerError>) -> Refusal {
    match reply {
        Ok(reply) => reply.outcome.expect_err("it was to fail"),
        Err(WorkerError::Load(refusal)) => refusal,
        Err(other) => panic!("{other:?}"),
    }
}

/// Bodies of `processToolCall(args, ctx)` and what the host makes of their answers (§1.3, §1.6, §1.9).
const ANSWERS: [(&str, &str); 22] = [
    ("return {a: 1}", r#"{"a":1}"#),
    ("return 'text'", r#"{"original_plugin_output":"text"}"#),
    (
        "return '{\"a\":1}'",
        r#"{"original_plugin_output":"{\"a\":1}"}"#,
    ),
    ("return undefined", r"{}"),
    ("return null", r#"{"original_plugin_output":null}"#),
    ("return -0", r#"{"original_plugin_output":0}"#),
    ("return [1, undefined, () => 1]", r"[1,null,null]"),
    ("return {status: 'success', result: {x: 1}}", r#"{"x":1}"#),
    ("return {status: 'success', result: [1]}", r"[1]"),
    (
        "return {status: 'success', result: 's'}",
        r#"{"status":"success","result":"s"}"#,
    ),
    (
        "return {status: 'success', result: {status: 'error', error: 'e'}}",
        r#"{"status":"error","error":"e"}"#,
    ),
    ("return Object.freeze({f: 1})", r#"{"f":1}"#),
    ("return Object.freeze([1])", r"[1]"),
    (
        "return {f() {}, u: undefined, n: NaN, i: 1/0}",
        r#"{"n":null,"i":null}"#,
    ),
    (
        "return {d: new Date(0), b: Buffer.from('hi')}",
        r#"{"d":"1970-01-01T00:00:00.000Z","b":{"type":"Buffer","data":[104,105]}}"#,
    ),
    ("return new Map([[1, 2]])", r"{}"),
    (
        "return Object.create({no: 1}, {own: {value: 2, enumerable: true}})",
        r#"{"own":2}"#,
    ),
    (
        "return {toJSON() { return {seen: true} }}",
        r#"{"seen":true}"#,
    ),
    ("return {s: '\\ud800'}", "{\"s\":\"\u{fffd}\"}"),
    (
        "return {MaidName: 'mine', maid: args.maid}",
        r#"{"MaidName":"mine"}"#,
    ),
    (
        "console.log('noise'); process.stdout.write('x'.repeat(1e6)); return {a: 1}",
        r#"{"a":1}"#,
    ),
    (
        "return {k: Object.keys(ctx).sort(), s: ctx.signal instanceof AbortSignal}",
        r#"{"k":["pluginName","requestIp","signal","sourceNode"],"s":true}"#,
    ),
];

#[test]
fn answers_become_what_the_host_made_of_them() {
    for (body, expected) in ANSWERS {
        let source = format!("exports.processToolCall = async (args, ctx) => {{ {body} }}");
        let Some(bench) = Bench::new("main.js", &source) else {
            return;
        };
        let reply = bench
            .worker()
            .ask(call_request(&json!({}), 60_000), PATIENCE)
            .unwrap();
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(value_of(reply), expected, "{body}");
    }
}

/// Bodies that fail: the kind, the words and the code in the host's error object (§1.3.2, §1.9).
const FAILURES: [(&str, RefusalKind, &str, &str); 17] = [
    (
        "return {status: 'error', error: 'biz', code: 'C'}",
        RefusalKind::PluginError,
        "biz",
        r#"{"plugin_error":"biz","code":"C"}"#,
    ),
    (
        "return {status: 'error', message: 'm', result: {r: 1}}",
        RefusalKind::PluginError,
        "m",
        r#"{"result":{"r":1},"plugin_error":"m"}"#,
    ),
    (
        "return {status: 'error'}",
        RefusalKind::PluginError,
        "Plugin \"Own\" reported an unspecified error.",
        r#"{"plugin_error":"Plugin \"Own\" reported an unspecified error."}"#,
    ),
    (
        "throw new Error('plain')",
        RefusalKind::Exception,
        "plain",
        r#"{"plugin_execution_error":"plain"}"#,
    ),
    (
        "throw new Error(JSON.stringify({plugin_error: 'own', code: 7}))",
        RefusalKind::PluginError,
        "own",
        r#"{"plugin_error":"own","code":7}"#,
    ),
    (
        "throw 'text'",
        RefusalKind::Exception,
        "Unknown plugin execution error",
        r#"{"plugin_execution_error":"Unknown plugin execution error"}"#,
    ),
    (
        "throw {message: 'no error', code: 1}",
        RefusalKind::Exception,
        "no error",
        r#"{"plugin_execution_error":"no error"}"#,
    ),
    (
        "throw new Error('')",
        RefusalKind::Exception,
        "Unknown plugin execution error",
        r#"{"plugin_execution_error":"Unknown plugin execution error"}"#,
    ),
    (
        "throw new Error('404')",
        RefusalKind::Exception,
        "Cannot create property 'timestamp' on number '404'",
        r#"{"raw_message":"Cannot create property 'timestamp' on number '404'"}"#,
    ),
    (
        "throw new Error('null')",
        RefusalKind::Exception,
        "Cannot read properties of null (reading 'timestamp')",
        r#"{"raw_message":"Cannot read properties of null (reading 'timestamp')"}"#,
    ),
    (
        "throw undefined",
        RefusalKind::Exception,
        "Cannot read properties of undefined (reading 'message')",
        r#"{"raw_message":"Cannot read properties of undefined (reading 'message')"}"#,
    ),
    (
        "return Promise.reject(new TypeError('late'))",
        RefusalKind::Exception,
        "late",
        r#"{"plugin_execution_error":"late"}"#,
    ),
    (
        "const a = {}; a.a = a; return a",
        RefusalKind::Exception,
        "Converting circular structure to JSON",
        "{}",
    ),
    (
        "return {b: 1n}",
        RefusalKind::Exception,
        "Do not know how to serialize a BigInt",
        "{}",
    ),
    (
        "return {t: 'x'.repeat(65 * 2 ** 20)}",
        RefusalKind::TooLarge,
        "the answer is longer than",
        "{}",
    ),
    (
        "return new Promise(() => {})",
        RefusalKind::Timeout,
        "Plugin \"Own\" direct tool call timed out after 300ms.",
        r#"{"plugin_execution_error":"Plugin \"Own\" direct tool call timed out after 300ms."}"#,
    ),
    (
        "return deps.pluginManager.enableLocalPlugin('Other')",
        RefusalKind::Exception,
        "pluginManager.enableLocalPlugin is a part of the old host that does not exist here",
        r#"{"plugin_execution_error":"pluginManager.enableLocalPlugin is a part of the old host that does not exist here"}"#,
    ),
];

#[test]
fn failures_keep_the_words_of_the_host() {
    for (body, kind, message, legacy) in FAILURES {
        let source = format!(
            "let deps; exports.initialize = (c, d) => {{ deps = d }};
             exports.processToolCall = async (args, ctx) => {{ {body} }}"
        );
        let Some(bench) = Bench::new("main.js", &source) else {
            return;
        };
        let refusal = refusal_of(bench.worker().ask(call_request(&json!({}), 300), PATIENCE));
        assert_eq!(refusal.kind, kind, "{body}");
        assert!(
            refusal.message.starts_with(message),
            "{body}: {}",
            refusal.message
        );
        let expected: Value = serde_json::from_str(legacy).unwrap();
        assert_eq!(plain(refusal.legacy.into()), expected, "{body}");
        if body == "throw {message: 'no error', code: 1}" {
            assert_eq!(refusal.code, Some(Box::new(json!(1))));
        }
    }
}

/// Files, their source, and the value or the kind of refusal (§1.9 *Modules*, §1.6).
const SHAPES: [(&str, &str, Result<&str, RefusalKind>); 13] = [
    ("main.mjs", "export const processToolCall = () => ({esm: 1})", Ok(r#"{"esm":1}"#)),
    ("main.mjs", "export default {processToolCall: () => 1}", Err(RefusalKind::NotCallable)),
    ("main.mjs", "await null; export const processToolCall = () => 1", Err(RefusalKind::NotLoaded)),
    ("main.js", "module.exports = {}", Err(RefusalKind::NotCallable)),
    ("main.js", "module.exports = null", Err(RefusalKind::NotLoaded)),
    ("main.js", "module.exports = 5", Err(RefusalKind::NotCallable)),
    ("main.js", "module.exports = {", Err(RefusalKind::NotLoaded)),
    ("main.js", "require('express')", Err(RefusalKind::NotLoaded)),
    ("main.js", "require('../../Plugin.js')", Err(RefusalKind::NotLoaded)),
    ("main.js", "module.exports = new (class { n = 1; processToolCall() { return {n: this.n} } })()", Ok(r#"{"n":1}"#)),
    ("main.js", "module.exports = class { static n = 2; static processToolCall() { return {n: this.n} } }", Ok(r#"{"n":2}"#)),
    (
        "src/main.js",
        "const path = require('path'); exports.processToolCall = () => ({
           dir: path.basename(__dirname), main: require.main === module, server: path.basename(require.main.filename),
           beside: path.relative(__dirname, process.cwd()), argv: process.argv.length, flags: process.execArgv.length })",
        Ok(r#"{"dir":"src","main":false,"server":"server.js","beside":"../../..","argv":2,"flags":1}"#),
    ),
    (
        "main.js",
        "let seen; exports.initialize = (c, d) => { seen = {c: Object.keys(c), d: Object.keys(d)}; throw new Error('no') };
         exports.processToolCall = () => seen",
        Ok(r#"{"c":["CITY","DEPTH","DebugMode","PORT","Key","PROJECT_BASE_PATH"],"d":["vcpLogFunctions","pluginManager"]}"#),
    ),
];

#[test]
fn modules_load_as_the_host_loaded_them() {
    for (file, source, expected) in SHAPES {
        let Some(bench) = Bench::new(file, source) else {
            return;
        };
        let reply = bench
            .worker()
            .ask(call_request(&json!({}), 60_000), PATIENCE);
        match expected {
            Ok(expected) => {
                let expected: Value = serde_json::from_str(expected).unwrap();
                assert_eq!(value_of(reply.unwrap()), expected, "{source}");
            }
            Err(kind) => assert_eq!(refusal_of(reply).kind, kind, "{source}"),
        }
    }
}

/// Bodies of `processMessages(messages, config)`: what goes on (`undefined` is none), and whether
/// there is a warning (§1.6, §1.9 *Preprocessors*).
const MESSAGES: [(&str, Option<&str>, bool); 6] = [
    ("return [...m, c.MAX]", Some(r#"["a",9]"#), false),
    (
        "return [c.CITY, c.PORT === undefined, c.extra]",
        Some(r#"["Oslo",true,{"a":1}]"#),
        false,
    ),
    (
        "m.push('b'); throw new Error('x')",
        Some(r#"["a","b"]"#),
        true,
    ),
    ("m = ['other']; throw 'x'", Some(r#"["a"]"#), true),
    ("m.push('b')", None, false),
    ("return 'no array'", Some("\"no array\""), false),
];

#[test]
fn a_failing_preprocessor_passes_its_input_on() {
    for (body, expected, warns) in MESSAGES {
        let source = format!("exports.processMessages = async (m, c) => {{ {body} }}");
        let Some(bench) = Bench::new("main.js", &source) else {
            return;
        };
        let request = json!({"op": "messages", "messages": ["a"], "configuration": {"MAX": 9, "extra": {"a": 1}}});
        let reply = bench.worker().ask(map(request), PATIENCE).unwrap();
        let expected = expected.map(|text| serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(reply.outcome, Ok(expected), "{body}");
        assert_eq!(reply.warning.is_some(), warns, "{body}");
    }
}
