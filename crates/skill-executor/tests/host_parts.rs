//! The parts of the old host that a migrated module finds: its modules in `legacy/`, the answers in place of
//! its centre, and the other skills.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own skills"
)]

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};
use skill_executor::approval;
use skill_executor::call::Host;
use skill_executor::environment::HostEnvironment;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::state::State;
use skill_executor::{Request, Runner, standard};

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Lays out a module. `answered` are the parts of the old host that it declares.
fn module(dir: &Path, name: &str, answered: &str, source: &str) {
    let slug = name.to_lowercase();
    let metadata = format!(
        "schema: 1\nname: {slug}\nversion: '1'\ntype: service\nenabled: true\nrunnable: true\n\
         transport: module\nentry: {{runtime: node, module: main.js, dir: scripts}}\n\
         host_answered: [{answered}]\ntimeout_ms: 20000\n\
         legacy: {{host: vcp-main, name: {name}, directory: {name}, plugin_type: hybridservice}}\n"
    );
    let skill = dir.join("skills").join(&slug);
    let text = format!("---\nname: {slug}\ndescription: A skill.\n---\n\nA skill.\n");
    write(&skill.join("SKILL.md"), &text);
    write(&skill.join("METADATA.yml"), &metadata);
    write(&skill.join("scripts/main.js"), source);
}

/// Returns a directory for skills, or `None` without Node.
fn world() -> Option<tempfile::TempDir> {
    skill_testing::find::node()?;
    Some(tempfile::tempdir().unwrap())
}

fn run(dir: &Path, name: &str, input: Value) -> Value {
    let path = std::env::var("PATH").unwrap_or_default();
    let environment = HostEnvironment::from([("PATH".to_owned(), path)]);
    let host = Host {
        sandbox: Sandbox::off(),
        ..Host::new(State::open(&dir.join("state")).unwrap(), environment)
    };
    let runner = Runner::new(standard(), host);
    let skill = SkillPackage::read(&dir.join("skills").join(name)).unwrap();
    let mut res = runner.run(&skill, Request::new(input)).to_value();
    if let Some(value) = res["value"].as_object_mut() {
        value.shift_remove("timestamp");
    }
    res
}

/// Runs the body of a tool that declares all parts, and checks its value.
#[track_caller]
fn check(body: &str, expected: &Value) {
    let Some(dir) = world() else { return };
    let parts = "ai-memo-bridge, context-bridge, knowledge-base, plugin-manager, tdb-knowledge";
    let source = format!(
        "let deps; exports.initialize = (c, d) => {{ deps = d }};
         exports.processToolCall = async args => {{ {body} }};"
    );
    module(dir.path(), "Own", parts, &source);
    let echo = "exports.processToolCall = async a => { if (a.fail) throw new Error('no'); return { got: a } }";
    module(dir.path(), "Echo", "", echo);
    let res = run(dir.path(), "own", json!({}));
    assert_eq!(&res["value"], expected, "{res}");
}

#[test]
fn the_plugin_manager_lists_and_calls_skills() {
    check(
        "const pm = require('../../Plugin.js');
         if (pm !== deps.pluginManager) throw new Error('two managers');
         const { got } = await pm.processToolCall('Echo', { a: 1 });
         const error = await pm.processToolCall('Echo', { fail: 1 }).catch(e => e.message);
         const unknown = await pm.processToolCall('Nobody', {}).catch(e => e.message.split(',')[0]);
         const many = await Promise.all([1, 2, 3].map(n => pm.processToolCall('echo', { n })));
         return { got, error, unknown, many: many.map(m => m.got.n), names: [...pm.plugins.keys()], kind: pm.getPlugin('Echo').pluginType };",
        &json!({"got": {"a": 1}, "error": "no", "unknown": "no skill",
            "many": [1, 2, 3], "names": ["Echo", "Own"], "kind": "hybridservice"}),
    );
}

#[test]
fn the_module_of_another_plugin_is_its_tool() {
    check(
        "const echo = deps.pluginManager.getServiceModule('Echo');
         const { got } = await echo.processToolCall({ a: 1 });
         let error;
         try { echo.brew(1) } catch (e) { error = e.message }
         return { got, error, own: deps.pluginManager.getServiceModule('Own') === module.exports };",
        &json!({"got": {"a": 1}, "own": true,
            "error": "pluginManager.getServiceModule(\"Echo\").brew is a part of the old host that does not exist here"}),
    );
}

#[test]
fn the_knowledge_base_is_empty() {
    check(
        "const kb = require('../../KnowledgeBaseManager');
         const { contextBridge, aiMemoBridge, tdbKnowledgeManager } = deps;
         return {
           wrote: await kb.runExternalFileMutation('me', async () => 7),
           found: await kb.search('diary', [1], 3),
           same: kb === deps.vectorDBManager,
           similar: contextBridge.cosineSimilarity([1, 0], [1, 0]),
           average: contextBridge.weightedAverage([[1, 3], null], [0.5, 0.25]),
           embedded: await contextBridge.embedText('x'),
           clean: contextBridge.sanitize('<b>a</b>  b', 'user'),
           memo: aiMemoBridge.isConfigured(),
           facts: await tdbKnowledgeManager.search('x'),
         };",
        &json!({"wrote": 7, "found": [], "same": true, "similar": 1, "average": [1, 3],
            "embedded": null, "clean": "a b", "memo": false, "facts": []}),
    );
}

#[test]
fn messages_to_others_are_steps() {
    let Some(dir) = world() else { return };
    let source = "const pm = require('../../Plugin.js');
        exports.processToolCall = async () => {
          pm.getVCPLogFunctions().pushVcpInfo({ a: 1 });
          pm.staticPlaceholderValues.set('{{X}}', 'new');
          require('../../WebSocketServer.js').broadcast({ b: 2 }, 'all');
          return { x: pm.getAllPlaceholderValues().get('X') };
        };";
    module(dir.path(), "Own", "plugin-manager, web-socket", source);
    let res = run(dir.path(), "own", json!({}));
    assert_eq!(res["value"], json!({"x": "new"}), "{res}");
    let steps = json!([
        {"event": "vcp-info", "data": {"a": 1}},
        {"event": "placeholder", "data": {"key": "{{X}}", "value": "new"}},
        {"event": "broadcast", "data": {"data": {"b": 2}, "target": "all"}},
    ]);
    assert_eq!(res["intermediate_steps"], steps, "{res}");
}

#[test]
fn only_skills_that_declare_the_manager_call_others() {
    let Some(dir) = world() else { return };
    let source = "let deps; exports.initialize = (c, d) => { deps = d };
        exports.processToolCall = async () => deps.pluginManager.processToolCall('Echo', {});";
    module(dir.path(), "Own", "", source);
    module(
        dir.path(),
        "Echo",
        "",
        "exports.processToolCall = async () => ({})",
    );
    let res = run(dir.path(), "own", json!({}));
    let message = res["error"]["message"].as_str().unwrap_or_default();
    assert!(
        message.starts_with("skill `own` may not call others"),
        "{res}"
    );
}

#[test]
fn a_circle_of_skills_ends() {
    let Some(dir) = world() else { return };
    let source = |other: &str| {
        format!(
            "const pm = require('../../Plugin.js');
             exports.processToolCall = async () => pm.processToolCall('{other}', {{}});"
        )
    };
    module(dir.path(), "A", "plugin-manager", &source("B"));
    module(dir.path(), "B", "plugin-manager", &source("A"));
    let res = run(dir.path(), "a", json!({}));
    let message = res["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("call one another already"), "{res}");
}

/// Modules of the host are found where they were, also by a neighbour's file.
#[test]
fn modules_of_the_host_are_laid_out() {
    let Some(dir) = world() else { return };
    let source = "exports.processToolCall = async () => ({
        own: require('../../modules/text').shout('a'), other: require('../Other/lib.js').say });";
    module(dir.path(), "Own", "", source);
    module(dir.path(), "Other", "", "");
    let skills = dir.path().join("skills");
    for name in ["own", "other"] {
        let text = "const { up } = require('./deep/up'); exports.shout = t => up(t) + '!';";
        write(&skills.join(name).join("legacy/modules/text.js"), text);
        let up = "exports.up = t => t.toUpperCase();";
        write(&skills.join(name).join("legacy/modules/deep/up.js"), up);
    }
    let lib = "exports.say = require('../../modules/text').shout('b');";
    write(&skills.join("other/scripts/lib.js"), lib);
    let path = skills.join("own/METADATA.yml");
    let text = std::fs::read_to_string(&path).unwrap() + "requires: {skills: [other]}\n";
    write(&path, &text);
    let res = run(dir.path(), "own", json!({}));
    assert_eq!(res["value"], json!({"own": "A!", "other": "B!"}), "{res}");
}

/// An approval is for the skill; what is laid out around it by a call changes nothing.
#[test]
fn an_approval_outlives_what_is_laid_out() {
    let Some(dir) = world() else { return };
    let source = "const pm = require('../../Plugin.js');
        exports.processToolCall = async () => ({ text: require('../../modules/text').text });";
    module(dir.path(), "Own", "plugin-manager", source);
    let skill = dir.path().join("skills/own");
    write(&skill.join("legacy/modules/text.js"), "exports.text = 'a';");
    let state = State::open(&dir.path().join("state")).unwrap();
    let read = || SkillPackage::read(&skill).unwrap();
    let before = approval::digest(&read(), &state).unwrap();
    let res = run(dir.path(), "own", json!({}));
    assert_eq!(res["value"], json!({"text": "a"}), "{res}");
    assert_eq!(approval::digest(&read(), &state).unwrap(), before);

    // Code that a call leaves there is not approved.
    let base = dir.path().join("state/skills/own/base");
    write(&base.join("Plugin.js"), "exports.x = 1;");
    assert_ne!(approval::digest(&read(), &state).unwrap(), before);
}

/// Code that a call leaves in its copies of other skills counts like code beside its program; data does
/// not.
#[test]
fn an_approval_is_about_code_in_copies_of_other_skills() {
    let Some(dir) = world() else { return };
    let source = "const fs = require('fs'); const path = require('path');
        exports.processToolCall = async () => {
          fs.writeFileSync(path.join(__dirname, '../Other/data.json'), '{}');
          return { text: require('../Other/lib').text };
        };";
    module(dir.path(), "Own", "", source);
    module(dir.path(), "Other", "plugin-manager", "");
    let skill = dir.path().join("skills/own");
    let other = dir.path().join("skills/other");
    write(
        &other.join("scripts/lib.js"),
        "exports.text = require('../../modules/b').b;",
    );
    write(&other.join("legacy/modules/b.js"), "exports.b = 'b';");
    let metadata = std::fs::read_to_string(skill.join("METADATA.yml")).unwrap();
    write(
        &skill.join("METADATA.yml"),
        &format!("{metadata}requires: {{skills: [other]}}\n"),
    );
    let state = State::open(&dir.path().join("state")).unwrap();
    let digest = || approval::digest(&SkillPackage::read(&skill).unwrap(), &state).unwrap();
    let before = digest();
    for _ in 0..2 {
        let res = run(dir.path(), "own", json!({}));
        assert_eq!(res["value"], json!({"text": "b"}), "{res}");
        assert_eq!(digest(), before);
    }
    let beside = dir.path().join("state/skills/own/beside/Plugin/Other");
    assert!(beside.join("data.json").exists());
    let base = dir.path().join("state/skills/own/beside");
    // The last one hides `lib.js`.
    for (path, text) in [
        ("Plugin/Other/lib.js", "exports.text = 'other';"),
        ("Plugin/Other/lib/index.js", "exports.text = 'other';"),
        ("Plugin/Other/new.py", "import os"),
        ("modules/b.js", "exports.b = 'other';"),
        ("node_modules/x/data", "1"),
        ("Plugin/Other/lib", "exports.text = 'other';"),
    ] {
        let at = base.join(path);
        let kept = std::fs::read(&at).ok();
        let dir = at.parent().unwrap();
        let is_new = !dir.exists();
        write(&at, text);
        assert_ne!(digest(), before, "{path}");
        match kept {
            Some(kept) => std::fs::write(&at, kept).unwrap(),
            None if is_new => std::fs::remove_dir_all(dir).unwrap(),
            None => std::fs::remove_file(&at).unwrap(),
        }
        assert_eq!(digest(), before, "{path}");
    }
    // A link may lead to code, also one with the name of a link of the host.
    for name in ["Plugin/Other/data", "Plugin/Other/node_modules"] {
        symlink(dir.path(), base.join(name)).unwrap();
        assert_ne!(digest(), before, "{name}");
        std::fs::remove_file(base.join(name)).unwrap();
    }
    assert_eq!(digest(), before);
}

#[test]
fn the_plugin_manager_describes_commands_as_the_old_host_did() {
    let Some(dir) = world() else { return };
    let source = "exports.processToolCall = async () => {
        const pm = require('../../Plugin.js');
        return { all: Object.fromEntries(pm.getIndividualPluginDescriptions()), commands: pm.getPlugin('Echo').capabilities.invocationCommands };
    };";
    module(dir.path(), "Own", "plugin-manager", source);
    module(dir.path(), "Echo", "", "");
    let commands = json!([
        {"commandIdentifier": "A", "command": "a", "description": "One.\nTwo.", "example": "x\ny"},
        {"description": "Unnamed."},
        {"command": "silent"},
    ]);
    let manifest = json!({"name": "Echo", "capabilities": {"invocationCommands": commands}});
    let path = "skills/echo/references/legacy-manifest.json";
    write(&dir.path().join(path), &manifest.to_string());
    let silent = json!({"name": "Own", "capabilities": {}});
    let path = "skills/own/references/legacy-manifest.json";
    write(&dir.path().join(path), &silent.to_string());
    let expected = "- Echo (Echo) - 命令: a:\n    One.\n    Two.\n  调用示例:\n    x\n    y\n\n- Echo (Echo) - 命令: N/A:\n    Unnamed.";
    let res = run(dir.path(), "own", json!({}));
    assert_eq!(
        res["value"],
        json!({"all": {"VCPEcho": expected}, "commands": commands}),
        "{res}"
    );
}

/// A program gets the image keys of the old host if it names them, the same each time.
#[test]
fn image_keys_are_made_once() {
    let Some(dir) = world() else { return };
    let program = "const { IMAGESERVER_IMAGE_KEY: image = null, IMAGESERVER_FILE_KEY: file = null } = process.env;
        console.log(JSON.stringify({ status: 'success', result: { image, file } }));";
    for (name, environment) in [("named", "IMAGESERVER_IMAGE_KEY"), ("unnamed", "")] {
        let skill = dir.path().join("skills").join(name);
        let metadata = format!(
            "schema: 1\nname: {name}\nversion: '1'\ntype: direct\nenabled: true\nrunnable: true\n\
             transport: stdio-json\nentry: {{runtime: node, argv: [node, main.js], dir: scripts}}\n\
             permissions: {{network: none, filesystem: skill, environment: [{environment}]}}\n\
             timeout_ms: 20000\n"
        );
        let text = format!("---\nname: {name}\ndescription: A skill.\n---\n\nA skill.\n");
        write(&skill.join("SKILL.md"), &text);
        write(&skill.join("METADATA.yml"), &metadata);
        write(&skill.join("scripts/main.js"), program);
    }
    let [first, second] = [0, 1].map(|_| run(dir.path(), "named", json!({})));
    let key = first["value"]["image"].as_str().unwrap_or_default();
    assert!(key.len() >= 32, "{first}");
    assert_eq!(first["value"], second["value"]);
    assert_eq!(first["value"]["file"], Value::Null);
    let other = run(dir.path(), "unnamed", json!({}));
    assert_eq!(
        other["value"],
        json!({"image": null, "file": null}),
        "{other}"
    );
}
