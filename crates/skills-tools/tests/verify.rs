//! `skills-migrate verify` and `status`: good migrations are distinguished from broken ones.
//!
//! Plugins are real children in Node and Python; where one of the two is absent, the test says so.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make directories, and a failed step is a failed test"
)]

#[path = "verify/effects.rs"]
mod effects;
#[path = "verify/emulated.rs"]
mod emulated;
#[path = "verify/ended.rs"]
mod ended;
#[path = "verify/recorded.rs"]
mod recorded;
#[path = "verify/surroundings.rs"]
mod surroundings;
#[path = "verify/web_clients.rs"]
mod web_clients;

use skill_testing::tool;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skill_sandbox::{Exit, Program, Spec, run};
use skill_testing::{Need, find, skip};
use tempfile::TempDir;

/// Adds up what its data file says, keeps a log with times and a file whose name has the time.
const LEDGER: &str = r#"import json, os, sys, time
args = json.loads(sys.stdin.read())
prices = json.load(open("prices.json"))
total = prices[args["item"]] * int(os.environ.get("RATE", "0"))
open("total.txt", "w").write("total %d\n" % total)
open("log.txt", "a").write("%d %s at %s\n" % (os.getpid(), args["item"], time.monotonic_ns()))
open("part-%d.tmp" % time.monotonic_ns(), "w").write("x")
print(json.dumps({"status": "success", "result": {
    "total": total, "mode": sys.argv[1], "at": time.strftime("%T"), "where": os.getcwd()}}))
"#;

struct Collection(TempDir);

/// The result of a run of the tool.
#[derive(Debug)]
struct Answer {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Collection {
    /// A migrated plugin, and a case with a configuration.
    fn new() -> Self {
        let res = Self(TempDir::new().unwrap());
        let manifest = json!({
            "manifestVersion": "1.0.0", "name": "Ledger", "version": "1.0.0",
            "displayName": "Ledger", "description": "Adds up what things cost.",
            "pluginType": "synchronous",
            "entryPoint": {"command": "python3 main.py full"},
            "communication": {"protocol": "stdio", "timeout": 30000},
            "configSchema": {"RATE": "integer"},
            "capabilities": {"invocationCommands": [
                {"commandIdentifier": "Add", "description": "Adds up.\n- `item` (string, required): what"}
            ]},
        });
        res.write("plugins/Ledger/plugin-manifest.json", &manifest.to_string());
        res.write("plugins/Ledger/main.py", LEDGER);
        res.write("plugins/Ledger/prices.json", r#"{"tea": 7}"#);
        let cases = json!({"format": 1, "cases": [{
            "case_id": "tea", "plugin": "Ledger", "mode": "stdio", "rule": "ignored",
            "input": {"item": "tea"}, "config_env": "RATE=3\n", "expect": {"ok": true},
        }]});
        res.write("cases.json", &cases.to_string());
        let answer = res.tool(&["plugins", "--out", "skills", "--quiet"]);
        assert_eq!(answer.status, 0, "{answer:?}");
        res
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces a text that must be there.
    fn edit(&self, path: &str, old: &str, new: &str) {
        let text = fs::read_to_string(self.path(path)).unwrap();
        assert!(text.contains(old), "{path} has no {old}: {text}");
        self.write(path, &text.replace(old, new));
    }

    fn tool(&self, args: &[&str]) -> Answer {
        tool(self.0.path(), args)
    }

    /// Returns a copy at a longer path.
    fn copied(&self) -> Self {
        let res = Self(TempDir::with_prefix("another-machine-with-a-longer-path-").unwrap());
        copy(self.0.path(), res.0.path());
        res
    }

    fn verify(&self, more: &[&str]) -> Answer {
        let args = ["verify", "plugins", "skills", "--sandbox", "none"];
        self.tool(&[&args, more].concat())
    }
}

/// Copies a directory with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn tool(dir: &Path, args: &[&str]) -> Answer {
    run_tool(&tool!("skills-migrate"), dir, args)
}

fn run_tool(tool: &str, dir: &Path, args: &[&str]) -> Answer {
    run_tool_in(&[], tool, dir, args)
}

/// Runs a tool with more variables in its environment.
fn run_tool_in(env: &[(&str, &str)], tool: &str, dir: &Path, args: &[&str]) -> Answer {
    let words = [tool];
    let argv = words.iter().chain(args).map(Into::into).collect();
    let mut spec = Spec::new(Program::Argv(argv), dir);
    spec.env
        .insert("PATH".into(), std::env::var_os("PATH").unwrap());
    let more = env.iter().map(|(name, value)| (name.into(), value.into()));
    spec.env.extend(more);
    let outcome = run(&spec).unwrap();
    let Exit::Code(status) = outcome.exit else {
        panic!("{:?}", outcome.exit);
    };
    Answer {
        status,
        stdout: String::from_utf8(outcome.stdout).unwrap(),
        stderr: String::from_utf8(outcome.stderr).unwrap(),
    }
}

/// The places that differ after `fault`, and whether the text names the first of them.
#[track_caller]
fn check(fault: impl FnOnce(&Collection), places: &[&str]) {
    if find::python().is_none() {
        return;
    }
    let collection = Collection::new();
    fault(&collection);
    let answer = collection.verify(&["--cases", "cases.json", "--report", "report.json"]);
    let report = fs::read_to_string(collection.path("report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let result = &report["results"][0];
    let differences = result["cases"][0]["differences"].as_array().unwrap();
    let found: Vec<_> = differences
        .iter()
        .map(|it| it["at"].as_str().unwrap())
        .map(|at| if at.starts_with(PART) { PART } else { at })
        .collect();
    assert_eq!(found, places, "{report:#}");
    let (verdict, status) = if places.is_empty() {
        ("verified", 0)
    } else {
        ("differs", 1)
    };
    assert_eq!(
        (result["verdict"].as_str(), answer.status),
        (Some(verdict), status),
        "{answer:?}"
    );
    for place in places {
        assert!(answer.stdout.contains(place), "{answer:?}");
    }
    assert!(
        !report
            .to_string()
            .contains(collection.0.path().to_str().unwrap()),
        "{report:#}"
    );
}

/// The placeholder for the file whose name has the time.
const PART: &str = "/files/legacy~1Plugin~1Ledger~1part-";
const MAIN: &str = "skills/ledger/scripts/main.py";
const METADATA: &str = "skills/ledger/METADATA.yml";

#[test]
fn a_good_migration_is_verified_although_much_is_unstable() {
    check(|_| {}, &[]);
}

#[test]
fn an_edited_script_shows() {
    check(
        |collection| {
            collection.edit(
                MAIN,
                "prices[args[\"item\"]] *",
                "1 + prices[args[\"item\"]] *",
            );
        },
        &[
            "/answer/value/total",
            "/files/legacy~1Plugin~1Ledger~1total.txt",
        ],
    );
}

#[test]
fn a_lost_file_shows() {
    let lost = |collection: &Collection| {
        fs::remove_file(collection.path("skills/ledger/scripts/prices.json"))
    };
    check(
        |collection| lost(collection).unwrap(),
        &[
            "/answer/value",
            "/answer/error",
            "/files/legacy~1Plugin~1Ledger~1log.txt",
            "/files/legacy~1Plugin~1Ledger~1total.txt",
            PART,
        ],
    );
}

#[test]
fn a_changed_command_line_shows() {
    check(
        |collection| collection.edit(METADATA, "    - full\n", "    - half\n"),
        &["/answer/value/mode"],
    );
}

#[test]
fn a_lost_configuration_key_shows() {
    check(
        |collection| {
            collection.edit(
                "skills/ledger/references/legacy-manifest.json",
                "RATE",
                "RUTE",
            );
        },
        &[
            "/answer/value/total",
            "/files/legacy~1Plugin~1Ledger~1total.txt",
        ],
    );
}

#[test]
fn a_lost_side_effect_shows() {
    check(
        |collection| collection.edit(MAIN, "open(\"total.txt\", \"w\").write", "str"),
        &["/files/legacy~1Plugin~1Ledger~1total.txt"],
    );
}

#[test]
fn a_proof_expires_with_the_plugin_and_the_skill() {
    if find::python().is_none() {
        return;
    }
    let collection = Collection::new();
    let status = |expected: i32, words: &str| {
        let answer = collection.tool(&["status", "plugins", "skills"]);
        assert_eq!(answer.status, expected, "{answer:?}");
        assert!(answer.stdout.contains(words), "{words}: {answer:?}");
        assert_eq!(
            answer.stdout,
            collection.tool(&["status", "plugins", "skills"]).stdout
        );
    };
    status(
        0,
        "migrated        Ledger -> ledger (read): never verified\n",
    );
    assert_eq!(collection.verify(&["--cases", "cases.json"]).status, 0);
    status(0, "safe to remove  Ledger -> ledger (proven)\n");
    let known = skill_parity::recorded(&collection.path("skills"));
    assert!(known["ledger"].is_verified());
    let original = fs::read_to_string(collection.path(MAIN)).unwrap();
    collection.edit(MAIN, "total %d", "sum %d");
    status(
        0,
        "migrated        Ledger -> ledger (read): verified before it changed\n",
    );
    assert_eq!(collection.verify(&["--cases", "cases.json"]).status, 1);
    status(
        0,
        "migrated        Ledger -> ledger (runs): the skill differs from the plugin\n",
    );
    collection.write(MAIN, &original);
    assert_eq!(collection.verify(&["--cases", "cases.json"]).status, 0);
    collection.write("plugins/Ledger/config.env", "RATE=4\n");
    status(
        1,
        "changed since   Ledger -> ledger (proven): the plugin has changed since it was migrated\n",
    );
    assert_eq!(
        collection
            .tool(&["plugins", "--out", "skills", "--quiet"])
            .status,
        0
    );
    assert_eq!(collection.verify(&["--cases", "cases.json"]).status, 0);
    status(
        0,
        "verified        Ledger -> ledger (proven): settings were not carried: config.env\n",
    );
    collection.write("plugins/New/plugin-manifest.json", "{}");
    status(1, "not migrated    New\n");
}

#[test]
fn an_example_that_fails_on_both_sides_proves_nothing() {
    if find::python().is_none() {
        return;
    }
    let collection = Collection::new();
    collection.edit("plugins/Ledger/main.py", "args[\"item\"]] *", "'coffee'] *");
    collection.edit(MAIN, "args[\"item\"]] *", "'coffee'] *");
    let metadata = fs::read_to_string(collection.path(METADATA)).unwrap();
    let with_example = metadata.replace(
        "    input_schema:",
        "    examples:\n      - item: tea\n    input_schema:",
    );
    collection.write(METADATA, &with_example);
    let answer = collection.verify(&[]);
    assert_eq!(answer.status, 0, "{answer:?}");
    assert!(
        answer
            .stdout
            .starts_with("fails alike  Ledger -> ledger: the plugin itself fails"),
        "{answer:?}"
    );
}

#[test]
fn cases_that_make_no_sense_are_refused_with_their_place() {
    let dir = TempDir::new().unwrap();
    let path = |name: &str| dir.path().join(name);
    fs::create_dir_all(path("plugins/A")).unwrap();
    fs::create_dir_all(path("skills")).unwrap();
    fs::write(path("plugins/A/plugin-manifest.json"), "{}").unwrap();
    for (cases, words) in [
        ("", "is not valid JSON"),
        ("{}", "expected a list `cases`"),
        ("[{\"plugin\": \"A\"}, {\"input\": {}}]", "case 2"),
        (
            "[{\"plugin\": \"A\", \"options\": {\"speed\": 1}}]",
            "nothing is called `speed`",
        ),
        (
            "[{\"plugin\": \"A\", \"input\": {\"$repeat\": [\"ab\", 99999999999]}}]",
            "too long",
        ),
    ] {
        fs::write(path("cases.json"), cases).unwrap();
        let answer = tool(
            dir.path(),
            &["verify", "plugins", "skills", "--cases", "cases.json"],
        );
        assert_eq!(answer.status, 2, "{cases}: {answer:?}");
        assert!(answer.stderr.contains(words), "{cases}: {answer:?}");
    }
    fs::write(
        path("cases.json"),
        "[{\"plugin\": \"Nobody\", \"id\": \"x\"}]",
    )
    .unwrap();
    let answer = tool(
        dir.path(),
        &["verify", "plugins", "skills", "--cases", "cases.json"],
    );
    assert_eq!(
        (answer.status, answer.stdout.as_str()),
        (
            0,
            "not run  A: not migrated [would prove it: a migration]\n1 plugin: 0 verified, 0 differ, 0 fail alike, 0 pass unchanged, 0 unproven, 1 not run\n"
        )
    );
    assert!(
        answer
            .stderr
            .contains("no plugin here matches the case x (Nobody)"),
        "{answer:?}"
    );
}

/// Plugins of every type, confined as `skills-run` confines them; the others say why they are not run.
#[test]
fn fixtures_of_every_type() {
    if find::python().is_none() || find::node().is_none() {
        return;
    }
    let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/plugins");
    let plugins = plugins.canonicalize().unwrap();
    let plugins = plugins.to_str().unwrap();
    let dir = TempDir::new().unwrap();
    let answer = tool(dir.path(), &[plugins, "--out", "skills", "--quiet"]);
    assert_eq!(answer.status, 0, "{answer:?}");
    let expected = [
        (
            "ArchivedFeed",
            "not run",
            "switched off (plugin-manifest.json.block)",
        ),
        (
            "ContextTrimmer",
            "passes unchanged",
            "the conversation passes unchanged through both",
        ),
        ("ForumGarden", "not run", "asks for approval (--approve)"),
        (
            "HeartBeat",
            "not run",
            "nothing to send: no example, no route and no case",
        ),
        (
            "LogSieve",
            "not run",
            "its command is a line for a shell (--allow-shell)",
        ),
        (
            "LongRender",
            "not run",
            "uses the network (--allow-network)",
        ),
        ("NoteKeeper", "verified", ""),
        ("TeaTimer", "verified", ""),
        ("distributed/GpuProbe", "not run", "its program is not here"),
        ("hybrid/PhraseMemory", "verified", ""),
        (
            "preprocessor/GlossaryHints",
            "passes unchanged",
            "the conversation passes unchanged through both",
        ),
        ("static/CityFacts", "verified", ""),
    ];
    let only = expected.iter().flat_map(|(name, ..)| ["--only", name]);
    let args = ["verify", plugins, "skills", "--report", "report.json"]
        .into_iter()
        .chain(only);
    let answer = tool(dir.path(), &args.collect::<Vec<_>>());
    let report = fs::read_to_string(dir.path().join("report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let is_confined = !report
        .to_string()
        .contains("--sandbox none runs it without");
    if !skip::unless_so(
        Need::Sandbox,
        is_confined,
        "programs cannot be confined here",
    ) {
        return;
    }
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), expected.len(), "{answer:?}");
    for (result, (name, verdict, reason)) in results.iter().zip(expected) {
        assert_eq!(result["directory"], name);
        assert_eq!(result["verdict"], verdict, "{result:#}");
        let found = result["reason"].as_str().unwrap_or_default();
        assert!(found.starts_with(reason), "{result:#}");
    }
    assert_eq!(answer.status, 0);
}

#[test]
fn verbose_reports_each_plugin() {
    if find::python().is_none() {
        return;
    }
    let collection = Collection::new();
    assert_eq!(collection.verify(&["--cases", "cases.json"]).stderr, "");
    let stderr = collection
        .verify(&["--cases", "cases.json", "--verbose"])
        .stderr;
    assert_eq!(stderr, "Ledger: verified\n");
}
