//! The settings of skills: who gets a stored value, and what `configure` says about it.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own skills"
)]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use skill_executor::call::Host;
use skill_executor::configure::{self, Request as Configure};
use skill_executor::environment::HostEnvironment;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::state::State;
use skill_executor::{Request, Runner, standard};
use skill_settings::{Configured, Switch};
use tempfile::TempDir;

const HEAD: &str = "schema: 1\nversion: '1'\nenabled: true\nrunnable: true\ntype: direct\n\
    transport: stdio-json\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n";
const DESK: &str = "config: {schema: {properties: {CITY: {type: string}, API_KEY: {type: string}}, required: [API_KEY]}, \
    secret: [API_KEY, TOKEN], undeclared: [TOKEN], guards: [{key: ALLOWED_DIRS, kind: allow-directories, unset: open}]}\n\
    permissions: {network: none, filesystem: skill, environment: [CITY, API_KEY, ALLOWED_DIRS, VarHttpUrl, SERVER_PORT, PORT], approval: required, approval_for: [guards]}\n";
/// Prints what it finds in the environment and in its file.
const MAIN: &str = "printf '{\"status\":\"success\",\"result\":\"%s|%s|%s|%s|%s|%s|%s\"}' \
    \"$CITY\" \"$API_KEY\" \"$TOKEN\" \"$VarHttpUrl\" \"$SERVER_PORT\" \"$PORT\" \"$(cat config.env 2>/dev/null | tr '\\n' ' ')\"";

struct World(TempDir);

impl World {
    fn new() -> Self {
        let res = Self(TempDir::new().unwrap());
        res.skill("desk", DESK);
        res.skill("plain", "permissions: {network: none, filesystem: skill}\n");
        res
    }

    fn skill(&self, name: &str, metadata: &str) {
        let skill = self.0.path().join("skills").join(name);
        fs::create_dir_all(skill.join("scripts")).unwrap();
        fs::write(
            skill.join("METADATA.yml"),
            format!("{HEAD}name: {name}\n{metadata}"),
        )
        .unwrap();
        fs::write(skill.join("scripts/main"), MAIN).unwrap();
    }

    fn package(&self, name: &str) -> SkillPackage {
        SkillPackage::read(&self.0.path().join("skills").join(name)).unwrap()
    }

    fn host(&self, environment: &[(&str, &str)]) -> Host {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut all: std::collections::BTreeMap<_, _> = environment.iter().map(pair).collect();
        all.insert("PATH".to_owned(), std::env::var("PATH").unwrap_or_default());
        let state = State::open(&self.0.path().join("state")).unwrap();
        Host {
            sandbox: Sandbox::off(),
            ..Host::new(state, HostEnvironment::from_caller(all, &[]))
        }
    }

    /// The answer of a skill: its value, or the code of its failure.
    fn run(&self, name: &str, environment: &[(&str, &str)], file: Option<&str>) -> String {
        let runner = Runner::new(standard(), self.host(environment));
        let runner = runner.with_config(file.map(str::to_owned));
        let envelope = runner.run(&self.package(name), Request::new(Value::Null));
        let answer = envelope.to_value();
        let failure = answer["error"]["code"].as_str().map(str::to_owned);
        failure.unwrap_or_else(|| match &answer["value"] {
            Value::String(text) => text.clone(),
            value => value["original_plugin_output"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        })
    }

    fn configure(&self, words: &[&str], request: Configure) -> Result<Configured, String> {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let mut all = Configure::read(words).unwrap();
        (all.unset, all.from, all.enable) = (request.unset, request.from, request.enable);
        let names = all.skills.iter().map(String::as_str);
        let names: Vec<&str> = if all.skills.is_empty() {
            vec!["desk", "plain"]
        } else {
            names.collect()
        };
        let skills: Vec<SkillPackage> = names.iter().map(|name| self.package(name)).collect();
        let done = configure::run(&skills, &all, &self.host(&[]), None);
        done.map_err(|failure| failure.message)
    }

    fn set(&self, words: &[&str]) {
        self.configure(words, Configure::default()).unwrap();
    }
}

fn from(path: &Path) -> Configure {
    Configure {
        from: Some(path.to_owned()),
        ..Configure::default()
    }
}

#[test]
fn a_program_gets_the_stored_values_of_its_own_keys() {
    let world = World::new();
    assert_eq!(world.run("desk", &[], None), "denied");
    world.set(&[
        "desk",
        "CITY=Bergen",
        "API_KEY=k 1",
        "TOKEN=t",
        "ALLOWED_DIRS=/srv",
        "VarHttpUrl=http://h",
    ]);
    let environment = [("CITY", "of the environment"), ("API_KEY", "withheld-9c1b")];
    assert_eq!(
        world.run("desk", &environment, None),
        "Bergen|k 1|t|http://h|6005|6005|ALLOWED_DIRS=/srv API_KEY='k 1' CITY=Bergen TOKEN=t VarHttpUrl=http://h "
    );
    // The file of --config comes first, and keys that it lacks come from the store.
    let answer = world.run("desk", &[], Some("CITY=Voss\nPORT=1\nOTHER=1\n"));
    assert!(answer.starts_with("Voss|k 1|t|"), "{answer}");
    assert!(
        answer.ends_with("CITY=Voss ALLOWED_DIRS=/srv API_KEY='k 1' TOKEN=t VarHttpUrl=http://h "),
        "{answer}"
    );
    world.set(&["desk", "PORT=7001"]);
    assert!(world.run("desk", &[], None).contains("|7001|7001|"));
    assert_eq!(world.run("plain", &environment, None), "||||||");
}

#[test]
fn a_skill_that_is_switched_off_runs_once_the_user_switches_it_on() {
    let world = World::new();
    world.skill("plain", "permissions: {network: none, filesystem: skill}\n");
    let path = world.0.path().join("skills/plain/METADATA.yml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("enabled: true", "enabled: false")).unwrap();
    let enable = |words: &[&str], enable| {
        let request = Configure {
            enable: Some(enable),
            ..Configure::default()
        };
        world.configure(words, request)
    };
    let runner = Runner::new(standard(), world.host(&[]));
    let refused = runner.run(&world.package("plain"), Request::new(Value::Null));
    let error = &refused.to_value()["error"];
    assert_eq!(error["code"], "not-runnable");
    let command = "skills-run configure plain --enable";
    assert_eq!(error["details"]["command"], command);
    assert!(error["message"].as_str().unwrap().contains(command));
    assert!(
        enable(&[], true)
            .unwrap_err()
            .starts_with("--enable comes without a skill")
    );

    let done = enable(&["plain"], true).unwrap();
    assert_eq!(done.skills[0].switch, Switch::OnByUser);
    assert_eq!(world.run("plain", &[], None), "||||||");
    // The switch is in the user's own store, and moves to another machine with it.
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        text.replace("enabled: true", "enabled: false")
    );
    let other = world.0.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::rename(
        world.0.path().join("state/settings"),
        other.join("settings"),
    )
    .unwrap();
    assert_eq!(world.run("plain", &[], None), "not-runnable");
    world.configure(&["plain"], from(&other)).unwrap();
    assert_eq!(world.run("plain", &[], None), "||||||");

    let done = enable(&["plain"], false).unwrap();
    assert_eq!(done.skills[0].switch, Switch::Off);
    assert_eq!(world.run("plain", &[], None), "not-runnable");
    // What is on stays on.
    let done = enable(&["desk"], false).unwrap();
    assert_eq!(done.skills[0].switch, Switch::On);
}

/// The key of the old host's API, which modules got with their settings.
#[test]
fn a_module_gets_the_stored_key_of_the_host() {
    if skill_testing::find::node().is_none() {
        return;
    }
    let world = World::new();
    let skill = world.0.path().join("skills/module");
    fs::create_dir_all(skill.join("scripts")).unwrap();
    let metadata = "schema: 1\nversion: '1'\nname: module\nenabled: true\nrunnable: true\ntype: service\ntransport: module\n\
        entry: {runtime: node, module: main.js, dir: scripts}\n\
        legacy: {host: vcp-main, name: module, directory: module, plugin_type: hybridservice}\n\
        permissions: {network: none, filesystem: skill, environment: [Key]}\n";
    fs::write(skill.join("METADATA.yml"), metadata).unwrap();
    let main = "let key; module.exports = { initialize(config) { key = config.Key; }, \
        processToolCall() { return { key: `${key}` }; } };";
    fs::write(skill.join("scripts/main.js"), main).unwrap();
    let key = || {
        let runner = Runner::new(standard(), world.host(&[]));
        let answer = runner.run(&world.package("module"), Request::new(json!({})));
        answer.to_value()["value"]["key"].clone()
    };
    assert_eq!(key(), "undefined");
    world.set(&["module", "Key=k-1"]);
    assert_eq!(key(), "k-1");
}

#[test]
fn dotenv_prints_nothing_before_an_answer() {
    let world = World::new();
    world.skill("plain", "permissions: {network: none, filesystem: skill}\n");
    let main = world.0.path().join("skills/plain/scripts/main");
    let text =
        "printf '{\"status\":\"success\",\"result\":\"quiet: %s\"}' \"$DOTENV_CONFIG_QUIET\"";
    fs::write(main, text).unwrap();
    assert_eq!(world.run("plain", &[], None), "quiet: true");
}

#[test]
fn a_warning_names_the_settings_that_a_failure_asks_for() {
    let world = World::new();
    let check = |required: &str, message: &str, expected: &str| {
        let metadata = format!(
            "config: {{schema: {{properties: {{CITY: {{type: string}}, BASE_URL: {{type: string}}, API_KEY: {{type: string}}}}{required}}}, secret: [API_KEY]}}\n\
             permissions: {{network: none, filesystem: skill}}\n"
        );
        world.skill("asks", &metadata);
        let main = world.0.path().join("skills/asks/scripts/main");
        let answer = json!({"status": "error", "error": message});
        fs::write(main, format!("printf '%s' '{answer}'")).unwrap();
        let runner = Runner::new(standard(), world.host(&[]));
        let envelope = runner.run(&world.package("asks"), Request::new(Value::Null));
        let mut warnings = envelope.warnings.iter();
        let warning = warnings.find(|warning| warning.code == "settings-missing");
        let found = warning.map_or("", |warning| warning.message.split(';').next().unwrap());
        let expected = match expected {
            "" => String::new(),
            keys => format!("no value for {keys}"),
        };
        assert_eq!(found, expected, "{message}");
    };
    check("", "CITY is empty", "CITY");
    check("", "the API key is missing", "API_KEY");
    check("", "密钥未配置", "API_KEY");
    check("", "Invalid URL", "BASE_URL");
    check("", "connect ECONNREFUSED 127.0.0.1:80", "");
    check("", "the diary of Kim has no tag", "");
    check(", required: [CITY]", "connect ECONNREFUSED", "CITY");
}

#[test]
fn a_warning_says_what_the_user_can_do() {
    let world = World::new();
    let check = |kind: &str, metadata: &str, program: &str, expected: &str| {
        let permissions = "permissions: {network: none, filesystem: skill";
        world.skill("fails", &metadata.replace("PERMISSIONS", permissions));
        let skill = world.0.path().join("skills/fails");
        let text = fs::read_to_string(skill.join("METADATA.yml")).unwrap();
        let text = text.replace("type: direct\ntransport: stdio-json", kind);
        fs::write(skill.join("METADATA.yml"), text).unwrap();
        fs::write(skill.join("scripts/main"), program).unwrap();
        let runner = Runner::new(standard(), world.host(&[]));
        let envelope = runner.run(&world.package("fails"), Request::new(Value::Null));
        let mut warnings = envelope.warnings.iter();
        let found = warnings
            .any(|warning| format!("{}: {}", warning.code, warning.message).contains(expected));
        assert!(found, "{expected}: {:?}", envelope.warnings);
    };
    let says = |message: &str| {
        format!(
            "printf '%s' '{}'",
            json!({"status": "error", "error": message})
        )
    };
    let direct = "type: direct\ntransport: stdio-json";
    check(
        direct,
        "PERMISSIONS}\n",
        &says("Could not find Chrome (ver. 152)"),
        "browser-missing: the program needs a browser: install Chrome or Chromium where",
    );
    check(
        direct,
        "config: {undeclared: [PUPPETEER_EXECUTABLE_PATH]}\nPERMISSIONS}\n",
        &says("Could not find Chrome (ver. 152)"),
        "skills-run configure fails PUPPETEER_EXECUTABLE_PATH=",
    );
    check(
        "type: static\ntransport: stdout",
        "placeholders: [{key: X}]\nconfig: {schema: {properties: {CITY: {type: string}}}}\nPERMISSIONS}\n",
        "echo CITY is not set >&2; exit 1",
        "settings-missing: no value for CITY",
    );
}

#[test]
fn what_configure_says() {
    let world = World::new();
    let keys = |done: &Configured| {
        let keys = done.skills.iter().flat_map(|skill| &skill.keys);
        let keys =
            keys.map(|key| json!([key.wanted.key, key.source.map(skill_settings::Source::word)]));
        Value::Array(keys.collect())
    };
    world.set(&["desk", "CITY=Oslo", "TOKEN= "]);
    let done = world.configure(&[], Configure::default()).unwrap();
    assert_eq!(
        keys(&done),
        json!([
            ["CITY", "store"],
            ["API_KEY", null],
            ["ALLOWED_DIRS", null],
            ["TOKEN", null],
            ["PORT", "provided"],
            ["SERVER_PORT", "provided"],
            ["VarHttpUrl", "provided"],
        ])
    );
    assert_eq!(done.skills.len(), 1);
    assert_eq!(done.skills[0].missing(), ["API_KEY", "ALLOWED_DIRS"]);
    let host = world.host(&[("VarHttpUrl", "http://h"), ("API_KEY", "withheld-9c1b")]);
    let skills = [world.package("desk")];
    let done = configure::run(
        &skills,
        &Configure::default(),
        &host,
        Some("ALLOWED_DIRS=/srv\n"),
    )
    .unwrap();
    let found = keys(&done);
    assert_eq!(found[1], json!(["API_KEY", "withheld"]));
    assert_eq!(found[2], json!(["ALLOWED_DIRS", "file"]));
    assert_eq!(found[6], json!(["VarHttpUrl", "environment"]));
    assert!(!skill_settings::report(&done).to_string().contains("9c1b"));
}

#[test]
fn a_family_of_keys_and_the_file_of_the_host() {
    let world = World::new();
    world.skill(
        "hut",
        "config: {undeclared: ['TABLE_*', CITY]}\npermissions: {network: none, filesystem: skill}\n",
    );
    let main = "printf '{\"status\":\"success\",\"result\":\"%s|%s\"}' \"$TABLE_tea\" \"$(cat ../../config.env | tr '\\n' ' ')\"";
    fs::write(world.0.path().join("skills/hut/scripts/main"), main).unwrap();
    world.set(&["hut", "TABLE_tea=FULL", "CITY=Voss"]);
    assert_eq!(
        world.run("hut", &[], None),
        "FULL|CITY=Voss TABLE_tea=FULL "
    );
    let unset = Configure {
        unset: vec!["TABLE_tea".to_owned()],
        ..Configure::default()
    };
    let done = world.configure(&["hut"], unset).unwrap();
    let named: Vec<&str> = done.skills[0]
        .keys
        .iter()
        .map(|it| it.wanted.key.as_str())
        .collect();
    assert!(
        named.contains(&"TABLE_*") && !named.contains(&"TABLE_tea"),
        "{named:?}"
    );
    assert_eq!(world.run("hut", &[], None), "|CITY=Voss ");
    let refused = world.configure(&["hut", "TABLE_=1"], Configure::default());
    assert!(refused.is_err());
}

#[test]
fn a_key_that_the_skill_does_not_declare_is_refused() {
    let world = World::new();
    for (words, expected) in [
        (
            &["desk", "CITY=x", "NOPE=1"][..],
            "`NOPE` of skill `desk` is not a key of the skill; expected one of CITY, API_KEY",
        ),
        (
            &["plain", "CITY=x"],
            "`CITY` of skill `plain` is not a key of the skill; it has no settings",
        ),
        (&["desk", "plain", "CITY=x"], "`CITY` of skill `plain`"),
        (&["CITY=x"], "values come without a skill"),
    ] {
        let message = world.configure(words, Configure::default()).unwrap_err();
        assert!(message.starts_with(expected), "{message}");
    }
    let unset = Configure {
        unset: vec!["NOPE".to_owned()],
        ..Configure::default()
    };
    assert!(world.configure(&["desk"], unset).is_err());
    // Nothing was stored by halves.
    let stored = fs::read_dir(world.0.path().join("state/settings"));
    assert_eq!(stored.unwrap().count(), 0);
    let both = Configure::read(vec!["A=-".to_owned(), "B=-".to_owned()]);
    assert!(
        both.unwrap_err()
            .message
            .contains("standard input is one value")
    );
}

/// A file for all skills does not set what restricts a program; a file for one named skill does.
#[test]
fn guards_of_a_file() {
    let world = World::new();
    let file = world.0.path().join("all.env");
    fs::write(&file, "CITY=Oslo\nALLOWED_DIRS=/\nOTHER=1\n").unwrap();
    let done = world.configure(&[], from(&file)).unwrap();
    assert_eq!(done.skills[0].changed, ["CITY"]);
    assert_eq!(done.skills[0].guards, ["ALLOWED_DIRS"]);
    assert_eq!(done.unused, ["OTHER"]);
    assert_eq!(world.run("desk", &[], None), "denied");
    let done = world.configure(&["desk"], from(&file)).unwrap();
    assert_eq!(done.skills[0].changed, ["ALLOWED_DIRS"]);
    assert_eq!(done.skills[0].others, ["OTHER"]);
    // Another machine: the store of the first one, for the same skill in another place.
    let other = World::new();
    let done = other
        .configure(&[], from(&world.0.path().join("state")))
        .unwrap();
    assert_eq!(done.skills[0].changed, ["ALLOWED_DIRS", "CITY"]);
    // An old host: its own file, and that of the plugin.
    let host = other.0.path().join("host");
    fs::create_dir_all(host.join("Plugin/desk")).unwrap();
    fs::write(host.join("config.env"), "API_KEY=h\nPORT=7\n").unwrap();
    fs::write(host.join("Plugin/desk/config.env"), "API_KEY=p\n").unwrap();
    let done = other.configure(&["desk"], from(&host)).unwrap();
    assert_eq!(done.skills[0].changed, ["API_KEY", "PORT", "SERVER_PORT"]);
    assert!(other.run("desk", &[], None).starts_with("Oslo|p|"));
    assert!(
        other
            .configure(&[], from(Path::new("/no/such/file")))
            .is_err()
    );
}

#[test]
fn a_store_that_cannot_be_read_stops_the_call() {
    let world = World::new();
    world.set(&["plain", "DebugMode=true"]);
    let files = fs::read_dir(world.0.path().join("state/settings")).unwrap();
    let mut paths = files.map(|file| file.unwrap().path());
    let path = paths.find(|path| path.extension().is_some()).unwrap();
    fs::write(path, "{").unwrap();
    assert_eq!(world.run("plain", &[], None), "io");
}
