//! Modules and services over HTTP through the registry, as `skills-run` and servers call them.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own skills"
)]

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;

use serde_json::{Value, json};
use skill_executor::call::{Call, Host, Options};
use skill_executor::config::{Given, resolve};
use skill_executor::envelope::Envelope;
use skill_executor::environment::HostEnvironment;
use skill_executor::module::{Modules, chain};
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::state::State;
use skill_executor::zone::Zone;
use skill_executor::{Registry, standard};

/// A directory of skills and their environment.
struct World {
    dir: tempfile::TempDir,
    host: Host,
    registry: Registry,
}

/// Returns the environment, or `None` without Node.
fn world() -> Option<World> {
    skill_testing::find::node()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dir = tempfile::tempdir().unwrap();
    let environment = [
        ("PATH", path.to_str().unwrap()),
        ("PORT", "6005"),
        ("TOKEN", "s3cret"),
    ];
    let host = Host {
        environment: HostEnvironment::from_caller(
            environment
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            &["TOKEN".to_owned()],
        ),
        state: State::open(&dir.path().join("state")).unwrap(),
        allow_shell: false,
        strict: false,
        sandbox: Sandbox::off(),
        zone: Zone::utc(),
        loaders: std::collections::BTreeMap::new(),
        fixed_ms: None,
    };
    Some(World {
        dir,
        host,
        registry: standard(),
    })
}

impl World {
    /// Lays out a skill whose old name is `name`; `more` are further lines of METADATA.yml.
    fn skill(&self, name: &str, more: &str, source: &str) -> SkillPackage {
        let dir = self.dir.path().join(name.to_lowercase());
        let write = |file: &str, text: &str| {
            let file = dir.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        let slug = name.to_lowercase();
        write(
            "SKILL.md",
            &format!("---\nname: {slug}\ndescription: A skill.\n---\n\nA skill.\n"),
        );
        write(
            "METADATA.yml",
            &format!("schema: 1\nname: {slug}\nversion: '1'\n{more}"),
        );
        write("scripts/main.js", source);
        SkillPackage::read(&dir).unwrap()
    }

    fn module(&self, name: &str, kind: &str, source: &str) -> SkillPackage {
        let executor = if kind == "messagePreprocessor" {
            "preprocessor"
        } else {
            "service"
        };
        let more = format!(
            "type: {executor}\nenabled: true\nrunnable: true\ntransport: module\n\
             entry: {{runtime: node, module: main.js, dir: scripts}}\n\
             routes: {{mount: /x, style: namespaced}}\n\
             config: {{secret: [TOKEN], schema: {{type: object, properties: {{TOKEN: {{type: string}}}}}}}}\n\
             legacy: {{host: vcp-main, name: {name}, directory: {name}, plugin_type: {kind}}}\n"
        );
        self.skill(name, &more, source)
    }

    fn run(&self, skill: &SkillPackage, input: &Value, options: &Value) -> Value {
        let config = resolve(
            &skill.metadata,
            None,
            Given::default(),
            &self.host.environment,
        );
        let call = Call {
            skill,
            command: None,
            input,
            config: &config,
            options: &Options::read(options).unwrap(),
            host: &self.host,
            others: None,
        };
        plain(&self.registry.execute(&call))
    }
}

/// The answer without what depends on the clock.
fn plain(envelope: &Envelope) -> Value {
    let mut res = envelope.to_value();
    for key in ["value", "meta"] {
        if let Some(map) = res.get_mut(key).and_then(Value::as_object_mut) {
            map.shift_remove("timestamp");
            map.shift_remove("elapsed_ms");
        }
    }
    res
}

const TOOL: &str = "
  exports.processToolCall = async (args, ctx) => {
    if (args.fail) { console.error('token', process.env.TOKEN); throw new Error(`no ${process.env.TOKEN}`) }
    return { args, ip: ctx.requestIp, base: process.env.PROJECT_BASE_PATH === process.cwd(), port: process.env.PORT ?? null };
  };
  exports.processMessages = async (m, c) => [...m, Object.keys(c)];
  exports.registerApiRoutes = router => router.get('/n/:id', (q, r) => r.json(q.params));
  let log; exports.initialize = (c, d) => { log = d.vcpLogFunctions };
  exports.shutdown = async () => log.pushVcpLog({ bye: 1 });";

#[test]
fn a_hybrid_is_tool_preprocessor_and_site() {
    let Some(world) = world() else { return };
    let skill = world.module("Own", "hybridservice", TOOL);
    let res = world.run(&skill, &json!({"a": 1}), &json!({"request_ip": "10.0.0.1"}));
    let value = json!({"args": {"a": 1}, "ip": "10.0.0.1", "base": true, "port": null});
    assert_eq!(res["value"], value, "{res}");
    assert_eq!(res["meta"]["executor"], "service");

    let messages = json!([{"role": "user", "content": "x"}]);
    let res = world.run(&skill, &messages, &json!({"request_config": {"more": 1}}));
    assert_eq!(
        res["value"][1],
        json!(["TOKEN", "DebugMode", "more"]),
        "{res}"
    );

    let requests = json!([{"path": "/api/plugins/Own/n/5"}, {"method": "POST", "path": "/else"}]);
    let res = world.run(&skill, &requests, &json!({"shutdown": true}));
    let first = json!({"status": 200, "type": "application/json", "body": {"id": "5"}});
    assert_eq!(res["value"]["responses"][0], first, "{res}");
    assert_eq!(res["value"]["responses"][1]["status"], 404);
    let events = json!([{"event": "vcp-log", "data": {"bye": 1}}]);
    assert_eq!(res["meta"]["events"], events, "{res}");
}

#[test]
fn secrets_are_masked_in_failures() {
    let Some(world) = world() else { return };
    let skill = world.module("Own", "hybridservice", TOOL);
    let res = world.run(&skill, &json!({"fail": true}), &json!({"shutdown": true}));
    let expected = json!({"code": "plugin-error", "message": "no ***", "details": {"plugin_execution_error": "no ***"}});
    assert_eq!(res["error"], expected, "{res}");
    assert_eq!(res["meta"]["stderr"], "token ***");
}

/// Kind of plugin, input, options, and the code and words of the refusal.
const REFUSED: [(&str, &str, &str, &str, &str); 6] = [
    (
        "service",
        r#"{"a":1}"#,
        "null",
        "not-runnable",
        "(type: service) is not a supported stdio plugin",
    ),
    (
        "messagePreprocessor",
        "[]",
        r#"{"facet":"tool"}"#,
        "not-runnable",
        "(type: messagePreprocessor)",
    ),
    (
        "messagePreprocessor",
        r#"{"a":1}"#,
        "null",
        "invalid-input",
        "takes an array of messages",
    ),
    (
        "hybridservice",
        "[1]",
        "null",
        "invalid-input",
        "takes an array of requests",
    ),
    (
        "hybridservice",
        r#"[{"path":"x"}]"#,
        "null",
        "invalid-input",
        "takes an array of requests",
    ),
    (
        "hybridservice",
        "\"text\"",
        "null",
        "invalid-input",
        "takes arguments as an object",
    ),
];

#[test]
fn facets_that_a_skill_has_not_are_refused() {
    let Some(world) = world() else { return };
    for (kind, input, options, code, words) in REFUSED {
        let skill = world.module("Own", kind, TOOL);
        let [input, options] = [input, options].map(|text| serde_json::from_str(text).unwrap());
        let res = world.run(&skill, &input, &options);
        assert_eq!(res["error"]["code"], code, "{res}");
        assert!(
            res["error"]["message"].as_str().unwrap().contains(words),
            "{res}"
        );
    }
}

#[test]
fn a_chain_goes_on_behind_a_link_that_fails() {
    let Some(world) = world() else { return };
    let link = |name: &str, body: &str| {
        let source = format!("exports.processMessages = async m => {{ {body} }}");
        world.module(name, "messagePreprocessor", &source)
    };
    let skills = [
        link("Zeta", "return [...m, 'Z']"),
        link("alpha", "return [...m, m === undefined ? 'none' : 'a']"),
        link("Broken", "m.push('b'); throw new Error('no')"),
        world.module("Missing", "messagePreprocessor", "require('express')"),
    ];
    let run = |order: Value| {
        let config = resolve(
            &skills[0].metadata,
            None,
            Given::default(),
            &world.host.environment,
        );
        let options = Options::default();
        let calls = skills.each_ref().map(|skill| Call {
            skill,
            command: None,
            input: &Value::Null,
            config: &config,
            options: &options,
            host: &world.host,
            others: None,
        });
        let envelope = chain::run(&Modules::default(), &calls, &order, json!([]));
        let codes: Vec<_> = envelope
            .warnings
            .iter()
            .map(|warning| warning.code)
            .collect();
        (envelope.to_value()["value"].clone(), codes)
    };
    let codes = vec!["preprocessor-failed", "preprocessor-skipped"];
    assert_eq!(run(Value::Null), (json!(["b", "Z", "a"]), codes.clone()));
    assert_eq!(
        run(json!(["alpha", "unknown", "Zeta"])),
        (json!(["a", "Z", "b"]), codes)
    );
}

/// Checks `value` and the code of `error` for an answer of the service, and its request.
#[test]
fn a_service_over_http_is_asked_with_its_secrets() {
    let Some(world) = world() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let metadata = |network: &str| {
        format!(
            "type: service\nenabled: true\nrunnable: true\ntransport: http\n\
             entry: {{endpoint: 'http://127.0.0.1:{port}/ask', headers: {{Authorization: 'Bearer ${{TOKEN}}'}}}}\n\
             config: {{secret: [TOKEN]}}\npermissions: {{network: {network}, network_allowlist: [127.0.0.1]}}\n"
        )
    };
    let listed = world.skill("Asked", &metadata("allowlist"), "");
    let server = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for (status, body) in [
            ("200 OK", r#"{"status":"success","result":{"a":1}}"#),
            ("500 X", "\"s3cret\""),
        ] {
            let (mut stream, _) = listener.accept().unwrap();
            let mut seen = vec![0; 4096];
            let mut size = 0;
            while !String::from_utf8_lossy(&seen[..size]).ends_with(r#"{"q":1}"#) {
                size += stream.read(&mut seen[size..]).unwrap();
            }
            asked.push(String::from_utf8_lossy(&seen[..size]).into_owned());
            let size = body.len();
            let answer = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {size}\r\nconnection: close\r\n\r\n{body}"
            );
            stream.write_all(answer.as_bytes()).unwrap();
        }
        asked
    });
    let res = world.run(&listed, &json!({"q": 1}), &Value::Null);
    assert_eq!(res["value"], json!({"a": 1}), "{res}");
    let res = world.run(&listed, &json!({"q": 1}), &Value::Null);
    assert_eq!(res["error"]["code"], "plugin-error", "{res}");
    assert_eq!(res["error"]["details"]["status"], 500);
    for asked in server.join().unwrap() {
        assert!(asked.starts_with("POST /ask HTTP/1.1"), "{asked}");
        assert!(
            asked
                .to_lowercase()
                .contains("authorization: bearer s3cret"),
            "{asked}"
        );
    }
    let denied = world.skill("Denied", &metadata("none"), "");
    let res = world.run(&denied, &Value::Null, &Value::Null);
    assert_eq!(res["error"]["code"], "denied", "{res}");
}

#[test]
fn the_package_stays_as_it_was() {
    let Some(world) = world() else { return };
    let source = "exports.processToolCall = () => {
        require('fs').writeFileSync(__dirname + '/written', 'x'); return { there: require('path').basename(__dirname) } }";
    let skill = world.module("Own", "hybridservice", source);
    let res = world.run(&skill, &json!({}), &Value::Null);
    assert_eq!(res["value"], json!({"there": "Own"}), "{res}");
    assert!(!Path::new(&skill.dir).join("scripts/written").exists());
    assert!(
        world
            .dir
            .path()
            .join("state/legacy/Plugin/Own/written")
            .exists()
    );
}
