//! The effects of `verify` outside its own directories, and the settings that it gives both sides.

use std::fs;

use skill_testing::{Need, find, skip, tool};

use super::{Collection, run_tool};

/// Writes where its input says and where `HOME` is.
const WRITER: &str = r#"import json, os, sys
args = json.loads(sys.stdin.read())
for place in [args["place"], os.environ["HOME"]]:
    open(os.path.join(place, "written.txt"), "w").write("x")
print(json.dumps({"status": "success", "result": "written"}))
"#;

/// A skill that may write everywhere writes nothing of the user's, with and without a sandbox.
#[test]
fn a_skill_that_may_write_everywhere_changes_nothing_of_the_user() {
    if find::python().is_none() {
        return;
    }
    let collection = Collection::new();
    collection.write("plugins/Ledger/main.py", WRITER);
    collection.tool(&["plugins", "--out", "skills", "--quiet"]);
    let metadata = "skills/ledger/METADATA.yml";
    let text = fs::read_to_string(collection.path(metadata)).unwrap();
    assert!(text.contains("- HOME\n"), "{text}");
    collection.edit(metadata, "filesystem: skill\n", "filesystem: any\n");
    collection.write("own/kept.txt", "kept");
    let place = collection.path("own").display().to_string();
    let cases = serde_json::json!([{"plugin": "Ledger", "input": {"place": place}}]);
    collection.write("cases.json", &cases.to_string());
    for sandbox in ["auto", "none"] {
        let answer = collection.tool(&[
            "verify",
            "plugins",
            "skills",
            "--cases",
            "cases.json",
            "--sandbox",
            sandbox,
        ]);
        let is_confined = !answer.stdout.contains("--sandbox none runs it without");
        if skip::unless_so(
            Need::Sandbox,
            is_confined,
            "programs cannot be confined here",
        ) {
            assert!(answer.stdout.starts_with("fails alike"), "{answer:?}");
        }
        let left: Vec<_> = fs::read_dir(&place).unwrap().flatten().collect();
        assert_eq!(left.len(), 1, "{sandbox}: {left:?}, {answer:?}");
    }
}

/// Both sides get the values that the user stored, and the answer does not show a secret.
#[test]
fn stored_settings_are_for_both_sides() {
    if find::python().is_none() {
        return;
    }
    let collection = Collection::new();
    let cases = serde_json::json!([{"plugin": "Ledger", "input": {"item": "tea"}}]);
    collection.write("cases.json", &cases.to_string());
    let arguments = [
        "configure",
        "ledger",
        "RATE=3",
        "--skills",
        "skills",
        "--state",
        "state",
    ];
    let configured = run_tool(&tool!("skills-run"), collection.0.path(), &arguments);
    assert_eq!(configured.status, 0, "{configured:?}");
    let more = [
        "--cases",
        "cases.json",
        "--state",
        "state",
        "--report",
        "report.json",
    ];
    let answer = collection.verify(&more);
    assert!(answer.stdout.starts_with("verified"), "{answer:?}");
    let report = fs::read_to_string(collection.path("report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let total = &report["results"][0]["cases"][0]["answers"]["plugin"]["value"]["total"];
    assert_eq!(total, 21, "{report:#}");
}

/// Numbers of processes differ between a plugin, which has a shell, and its skill, in every run of a
/// sandbox in the same way.
#[test]
fn the_number_of_a_process_is_masked() {
    if find::python().is_none() {
        return;
    }
    let collection = Collection::new();
    let code = r#"import json, os
print(json.dumps({"status": "success", "result": {"sum": 3, "process": os.getpid()}}))
"#;
    collection.write("plugins/Ledger/main.py", code);
    collection.tool(&["plugins", "--out", "skills", "--quiet"]);
    let answer = collection.tool(&["verify", "plugins", "skills"]);
    let is_confined = !answer.stdout.contains("--sandbox none runs it without");
    if skip::unless_so(
        Need::Sandbox,
        is_confined,
        "programs cannot be confined here",
    ) {
        assert!(answer.stdout.starts_with("verified"), "{answer:?}");
        let masked = "because it differs from run to run: /answer/value/process";
        assert!(answer.stdout.contains(masked), "{answer:?}");
    }
}

/// A proof expires when a skill changes that this one requires, and the plugin of that one counts too.
#[test]
fn a_proof_expires_with_a_required_skill() {
    if find::python().is_none() {
        return;
    }
    let collection = Collection::new();
    let manifest =
        fs::read_to_string(collection.path("plugins/Ledger/plugin-manifest.json")).unwrap();
    let manifest = manifest.replace("Ledger", "Prices");
    collection.write("plugins/Prices/plugin-manifest.json", &manifest);
    collection.write("plugins/Prices/main.py", "print('{}')\n");
    collection.write("plugins/Prices/prices.json", r#"{"tea": 7}"#);
    collection.edit(
        "plugins/Ledger/main.py",
        "\"prices.json\"",
        "\"../Prices/prices.json\"",
    );
    collection.tool(&["plugins", "--out", "skills", "--quiet"]);
    let metadata = fs::read_to_string(collection.path("skills/ledger/METADATA.yml")).unwrap();
    assert!(metadata.contains("- prices\n"), "{metadata}");
    let status = |words: &str| {
        let answer = collection.tool(&["status", "plugins", "skills"]);
        assert!(answer.stdout.contains(words), "{words}: {answer:?}");
    };
    let verified = collection.verify(&["--cases", "cases.json", "--only", "Ledger"]);
    assert!(verified.stdout.starts_with("verified"), "{verified:?}");
    status("safe to remove  Ledger -> ledger (proven)\n");
    collection.write("plugins/Prices/prices.json", r#"{"tea": 8}"#);
    status(
        "verified        Ledger -> ledger (proven): the plugin of `prices`, which it requires, has changed since it was migrated\n",
    );
    collection.tool(&["plugins", "--out", "skills", "--quiet"]);
    status(
        "migrated        Ledger -> ledger (read): verified before `prices` changed, which it requires\n",
    );
}

/// The text that the host shows while a static plugin has no value proves nothing.
#[test]
fn a_static_plugin_that_fails_is_not_verified() {
    if find::python().is_none() {
        return;
    }
    let collection = Collection::new();
    let manifest = serde_json::json!({
        "manifestVersion": "1.0.0", "name": "Sky", "version": "1.0.0", "displayName": "Sky",
        "description": "Says what the sky looks like.", "pluginType": "static",
        "entryPoint": {"command": "python3 main.py"},
        "capabilities": {"systemPromptPlaceholders": [{"placeholder": "{{Sky}}"}]},
    });
    collection.write("plugins/Sky/plugin-manifest.json", &manifest.to_string());
    let code = "import sys\nprint('no key')\nsys.exit('SKY_KEY is not set')\n";
    collection.write("plugins/Sky/main.py", code);
    collection.tool(&["plugins", "--out", "skills", "--quiet"]);
    let answer = collection.verify(&["--only", "Sky"]);
    let expected = "fails alike  Sky -> sky: the plugin itself fails: the program failed or printed nothing: SKY_KEY is not set";
    assert!(answer.stdout.starts_with(expected), "{answer:?}");
}
