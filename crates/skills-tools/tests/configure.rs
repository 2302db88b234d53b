//! Settings: stored with `skills-run configure` and `skills-migrate --config-from`, used by runs, and
//! never printed.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out plugins and start the tools"
)]

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use skill_testing::{Need, find, skip, tool};
use tempfile::TempDir;

/// The value that no output may contain.
const CANARY: &str = "canary-7d41e0b6";

/// A directory with an old host.
struct World(TempDir);

/// The exit status, and both streams.
type Done = (i32, String);

impl World {
    fn new() -> Self {
        let res = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        res.plugin("Mail", &json!({"MAIL_PASSWORD": {"type": "string", "required": true}, "MAIL_HOST": {"type": "string"}}));
        res.plugin("Plain", &json!({}));
        res.write(
            "host/config.env",
            &format!("MAIL_PASSWORD={CANARY}\nPORT=7001\nKey={CANARY}\n"),
        );
        res.write("host/Plugin/Mail/config.env", "MAIL_HOST=mx.example\n");
        res
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A plugin that answers with the output of the shell line in its arguments.
    fn plugin(&self, name: &str, schema: &Value) {
        let manifest = json!({
            "manifestVersion": "1.0.0", "name": name, "displayName": name, "version": "1.0.0",
            "description": "Runs a line.", "author": "t", "pluginType": "synchronous",
            "entryPoint": {"type": "shell", "command": "sh main.sh"},
            "communication": {"protocol": "stdio", "timeout": 20_000}, "configSchema": schema,
            "capabilities": {"invocationCommands": [{"command": name, "description": "Runs a line.", "example": "x"}]},
        });
        self.write(
            &format!("host/Plugin/{name}/plugin-manifest.json"),
            &manifest.to_string(),
        );
        let main = "line=$(sed 's/^{\"line\":\"//; s/\"}$//')\nprintf '{\"status\":\"success\",\"result\":\"%s\"}' \"$(sh -c \"$line\" 2>&1 | tr '\\n' ' ')\"\n";
        self.write(&format!("host/Plugin/{name}/main.sh"), main);
    }

    fn start(&self, tool: &str, args: &[&str], input: &str) -> Done {
        let mut command = Command::new(tool);
        command
            .args(args)
            .current_dir(self.0.path())
            .env("LC_ALL", "C.UTF-8");
        command.env("XDG_STATE_HOME", self.0.path().join("home"));
        let command = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A tool that reads nothing may have closed it.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let all = [output.stdout, output.stderr].concat();
        (
            output.status.code().unwrap(),
            String::from_utf8(all).unwrap(),
        )
    }

    fn migrate(&self, args: &[&str]) -> Done {
        let all = [&["host/Plugin", "--out", "skills"], args].concat();
        self.start(&tool!("skills-migrate"), &all, "")
    }

    fn configure(&self, args: &[&str], input: &str) -> Done {
        let all = [&["configure", "--skills", "skills"], args].concat();
        self.start(&tool!("skills-run"), &all, input)
    }

    /// The output of a line in the program of a skill.
    fn says(&self, skill: &str, line: &str) -> Value {
        let input = json!({"line": line}).to_string();
        let args = [skill, "--skills", "skills", "--input", &input];
        let (_, output) = self.start(&tool!("skills-run"), &args, "");
        serde_json::from_str(&output).unwrap_or_else(|_| panic!("{output}"))
    }
}

#[track_caller]
fn check(done: &Done, status: i32, parts: &[&str]) {
    assert_eq!(done.0, status, "{}", done.1);
    for part in parts {
        assert!(done.1.contains(part), "no `{part}` in {}", done.1);
    }
    assert!(!done.1.contains(CANARY), "{}", done.1);
}

#[test]
fn the_settings_of_an_old_host_reach_the_skills_that_declare_them() {
    let world = World::new();
    check(&world.migrate(&["--config-from", "absent"]), 2, &["absent"]);
    assert!(!world.0.path().join("skills").exists());
    for args in [
        &["--config-from", "host", "--check"][..],
        &["--config-from", "host", "--dry-run"],
        &["--state", "x"],
    ] {
        assert_eq!(world.migrate(args).0, 2, "{args:?}");
    }
    let stored = "2 values for 1 of 2 skills";
    let unused = "not taken from host/config.env, because no skill declares them (2): PORT, Key";
    check(
        &world.migrate(&["--config-from", "host"]),
        0,
        &[stored, "mail: MAIL_HOST, MAIL_PASSWORD", unused],
    );
    let again = world.migrate(&[
        "--config-from",
        "host",
        "--format",
        "json",
        "--report",
        "report.json",
    ]);
    check(&again, 0, &["\"unused\": [\n      \"PORT\""]);
    let report = fs::read_to_string(world.0.path().join("report.json")).unwrap();
    assert!(!report.contains(CANARY));
    // No skill contains a value.
    let copied = Command::new("grep")
        .args(["-r", CANARY, "skills"])
        .current_dir(world.0.path())
        .output()
        .unwrap();
    assert!(copied.stdout.is_empty());
    let mail = world.says(
        "mail",
        "echo $MAIL_HOST ${#MAIL_PASSWORD} $(grep -c MAIL config.env)",
    );
    let expected = format!("mx.example {} 2 ", CANARY.len());
    assert_eq!(
        mail["value"]["original_plugin_output"],
        expected.as_str(),
        "{mail}"
    );
    let plain = world.says("plain", "echo ${MAIL_HOST-none} ${MAIL_PASSWORD-none}");
    assert_eq!(
        plain["value"]["original_plugin_output"], "none none ",
        "{plain}"
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_does_not_keep_others_from_their_values() {
    let world = World::new();
    world.plugin("Linked", &json!({"PORT": {"type": "string"}}));
    check(&world.migrate(&[]), 0, &[]);
    let linked = world.0.path().join("host/Plugin/Linked/config.env");
    std::os::unix::fs::symlink("/dev/null", linked).unwrap();
    let done = world.configure(&["--from", "host"], "");
    let parts = [
        "changed in your store: MAIL_HOST, MAIL_PASSWORD",
        "changed in your store: PORT",
        "the plugin's own file was not read: ",
        "symbolic link",
    ];
    check(&done, 1, &parts);
    // For one skill, it is the answer.
    let done = world.configure(&["linked", "--from", "host"], "");
    check(&done, 2, &["symbolic link"]);
}

#[test]
fn configure_shows_and_stores() {
    let world = World::new();
    assert_eq!(world.migrate(&[]).0, 0);
    let listed = [
        "MAIL_PASSWORD  not set (needs a value, is a secret)",
        "missing: MAIL_PASSWORD",
    ];
    check(&world.configure(&["mail"], ""), 1, &listed);
    check(&world.configure(&[], ""), 1, &listed);
    let refused = world.configure(&["mail", "MAIL_PASSWORD=x", "NOPE=1"], "");
    check(
        &refused,
        2,
        &[
            "`NOPE` of skill `mail` is not a key",
            "MAIL_PASSWORD, MAIL_HOST",
        ],
    );
    check(&world.configure(&["mail"], ""), 1, &listed);
    let input = format!("{CANARY}\n");
    let done = world.configure(&["mail", "MAIL_PASSWORD=-", "MAIL_HOST=a b"], &input);
    check(
        &done,
        0,
        &["changed in your store: MAIL_HOST, MAIL_PASSWORD"],
    );
    let found = world.configure(&["mail", "--format", "json"], "");
    check(
        &found,
        0,
        &[
            r#""secret":true,"has_default":false,"set":true,"from":"store""#,
            r#""missing":[]"#,
        ],
    );
    let mail = world.says("mail", "echo $MAIL_HOST ${#MAIL_PASSWORD}");
    let expected = format!("a b {} ", CANARY.len());
    assert_eq!(
        mail["value"]["original_plugin_output"],
        expected.as_str(),
        "{mail}"
    );
    check(
        &world.configure(&["mail", "--unset", "MAIL_HOST"], ""),
        0,
        &["MAIL_HOST      not set"],
    );
    check(
        &world.configure(&["mail", "--from", "host"], ""),
        0,
        &["changed in your store: MAIL_HOST"],
    );
    check(&world.configure(&["nobody", "A=1"], ""), 2, &["nobody"]);
}

/// No skill reads the values of others or what they wrote, even if it may read everything else.
#[test]
fn stored_values_are_hidden_from_programs() {
    let world = World::new();
    assert_eq!(world.migrate(&["--config-from", "host"]).0, 0);
    world.says("mail", "echo kept > kept.txt");
    let state = world.0.path().join("home/skills-run");
    let config = state.join("skills/mail/base/Plugin/Mail/config.env");
    assert!(fs::read_to_string(&config).unwrap().contains(CANARY));
    let metadata = world.0.path().join("skills/plain/METADATA.yml");
    let text = fs::read_to_string(&metadata).unwrap();
    assert!(text.contains("filesystem: skill"), "{text}");
    for word in ["skill", "any"] {
        fs::write(
            &metadata,
            text.replace("filesystem: skill", &format!("filesystem: {word}")),
        )
        .unwrap();
        let line = format!(
            "cat {0}/settings/* {0}/skills/mail/base/Plugin/Mail/*; echo mine >> own.txt; mkdir {0}/planted; cat own.txt",
            state.display()
        );
        let answer = world.says("plain", &line);
        if answer["meta"]["sandbox"] != "full" || find::program(Need::Programs, "sh").is_none() {
            skip::unless_so(
                Need::Sandbox,
                false,
                &format!("walls are missing here: {answer}"),
            );
            return;
        }
        let said = answer.to_string();
        assert!(!said.contains(CANARY), "{word}: {said}");
        assert_eq!(answer["ok"], true, "{said}");
        let value = answer["value"]["original_plugin_output"].as_str().unwrap();
        assert!(value.ends_with("mine "), "{word}: {said}");
        assert!(!state.join("planted").exists(), "{word}");
    }
    assert!(fs::read_dir(state.join("settings")).unwrap().count() > 1);
}

/// A value that was removed or replaced is nowhere in the state.
#[test]
fn the_file_of_a_program_follows_the_store() {
    let world = World::new();
    assert_eq!(world.migrate(&[]).0, 0);
    let config = "home/skills-run/skills/mail/base/Plugin/Mail/config.env";
    let file = || fs::read_to_string(world.0.path().join(config)).unwrap_or_default();
    world.configure(&["mail", "MAIL_HOST=a", "MAIL_PASSWORD=b\nc"], "");
    world.says("mail", "true");
    assert_eq!(file(), "MAIL_HOST=a\nMAIL_PASSWORD='b\nc'\n");
    world.configure(&["mail", "MAIL_HOST=d", "--unset", "MAIL_PASSWORD"], "");
    assert_eq!(file(), "MAIL_HOST=d\n");
    world.configure(&["mail", "--unset", "MAIL_HOST"], "");
    assert!(!world.0.path().join(config).exists());
    let nul = world.configure(&["mail", "MAIL_HOST=-"], "a\0b");
    check(&nul, 2, &["`MAIL_HOST`", "NUL"]);
}

/// The directories of values and packages are the user's own before any program runs.
#[cfg(unix)]
#[test]
fn directories_that_a_program_planted_are_refused() {
    for name in ["settings", "environments"] {
        let world = World::new();
        assert_eq!(world.migrate(&[]).0, 0);
        world.write("home/skills-run/planted/x", "");
        let at = world.0.path().join("home/skills-run").join(name);
        std::os::unix::fs::symlink("planted", &at).unwrap();
        let args = ["plain", "--skills", "skills", "--input", "{}"];
        let done = world.start(&tool!("skills-run"), &args, "");
        check(&done, 2, &["symbolic link", name]);
        fs::remove_file(&at).unwrap();
        let done = world.start(&tool!("skills-run"), &args, "");
        check(&done, 0, &[]);
    }
}

/// Skills and plugins are passed on, so that values are never stored among them.
#[test]
fn the_store_is_outside_of_plugins_and_skills() {
    for state in ["skills/.state", "host/Plugin/x", "."] {
        let world = World::new();
        let done = world.migrate(&["--config-from", "host", "--state", state]);
        check(&done, 2, &["--state", "inside one another"]);
        assert!(!world.0.path().join("skills").exists(), "{state}");
    }
}
