//! `skills-run` with a sandbox: permissions that a skill has, and those that it does not have.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make directories, and a failed step is a failed test"
)]

use skill_testing::tool;
use std::fs;
use std::path::Path;

use serde_json::Value;
use skill_sandbox::{
    Confinement, Launcher, Level, Network, OpenPath, Outcome, Policy, Program, Spec, run,
};
use skill_testing::{Need, skip};
use tempfile::TempDir;

/// A skill that runs `script` with these permissions.
fn skill(permissions: &str, script: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let skill = dir.path().join("probe");
    fs::create_dir_all(skill.join("scripts")).unwrap();
    let metadata = format!(
        "schema: 1\nname: probe\ndescription: Probes.\ntype: direct\ntransport: stdio-json\n\
         entry: {{runtime: shell, argv: [bash, main.sh], dir: scripts}}\n\
         permissions: {{{permissions}, approval: none, admin: false}}\nlimits: {{timeout_ms: 20000, memory_mb: 512}}\n"
    );
    fs::write(skill.join("METADATA.yml"), metadata).unwrap();
    fs::write(skill.join("scripts/main.sh"), script).unwrap();
    dir
}

/// The answer of the tool, called with `args`.
fn answer(dir: &Path, args: &[&str]) -> Value {
    answer_in(&run(&tool(dir, args)).unwrap())
}

/// The tool, about to be called with `args`.
fn tool(dir: &Path, args: &[&str]) -> Spec {
    let tool = tool!("skills-run");
    let argv = [tool.as_str(), "./probe", "--state", "state"];
    let argv = argv.iter().chain(args).map(Into::into).collect();
    let mut spec = Spec::new(Program::Argv(argv), dir);
    spec.env
        .insert("PATH".into(), std::env::var_os("PATH").unwrap());
    spec.env.insert("SECRET_OF_OURS".into(), "feathers".into());
    spec
}

fn answer_in(outcome: &Outcome) -> Value {
    serde_json::from_slice(&outcome.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&outcome.stderr)))
}

/// Confines the tool itself: it can access all files, but not make a namespace.
fn without_namespaces(mut spec: Spec) -> Spec {
    spec.confinement = Some(Confinement {
        policy: Policy {
            write: vec![OpenPath::open("/").unwrap()],
            network: Network::Any,
            ..Policy::default()
        },
        at_least: Level::Full,
        launcher: Launcher::at(tool!("skills-run")),
        lease: None,
    });
    spec
}

/// A script whose value is `got` when `line` succeeds, `refused` when it does not.
fn probing(line: &str) -> String {
    format!(
        "if ({line}) >/dev/null 2>&1; then r=got; else r=refused; fi\n\
         echo \"{{\\\"status\\\": \\\"success\\\", \\\"result\\\": \\\"$r\\\"}}\"\n"
    )
}

/// Returns true if programs are confined on this machine; otherwise the test is skipped.
fn is_full(answer: &Value) -> bool {
    let level = answer["meta"]["sandbox"].as_str();
    let is_weak = level == Some("partial") || answer["error"]["code"] == "denied";
    skip::unless_so(Need::Sandbox, !is_weak, &answer.to_string())
}

#[track_caller]
fn check(permissions: &str, line: &str, expected: &str) {
    let dir = skill(permissions, &probing(line));
    let answer = answer(dir.path(), &[]);
    if is_full(&answer) {
        let value = &answer["value"]["original_plugin_output"];
        assert_eq!(value, expected, "{permissions}: {line}: {answer}");
        assert_eq!(answer["meta"]["sandbox"], "full");
    }
}

const SKILL: &str = "network: none, filesystem: skill";

/// Authorities of a company are in a file of the user's, which a variable names: one for each library.
#[test]
fn authorities_of_the_user_are_read() {
    let authorities = tempfile::tempdir().unwrap();
    let file = authorities.path().canonicalize().unwrap().join("own.pem");
    fs::write(&file, "certificate").unwrap();
    fs::write(file.with_file_name("other.pem"), "private").unwrap();
    for name in [
        "SSL_CERT_FILE",
        "NODE_EXTRA_CA_CERTS",
        "REQUESTS_CA_BUNDLE",
        "CURL_CA_BUNDLE",
    ] {
        for (line, expected) in [
            (format!("cat \"${name}\""), "got"),
            (format!("cat \"${{{name}%/*}}/other.pem\""), "refused"),
            (format!("echo x >\"${name}\""), "refused"),
        ] {
            let dir = skill(SKILL, &probing(&line));
            let mut tool = tool(dir.path(), &[]);
            tool.env.insert(name.into(), file.clone().into());
            let answer = answer_in(&run(&tool).unwrap());
            if is_full(&answer) {
                let value = &answer["value"]["original_plugin_output"];
                assert_eq!(value, expected, "{line}: {answer}");
            }
        }
    }
}

#[test]
fn files() {
    check(SKILL, "cat /etc/shadow", "refused");
    check(SKILL, "echo x >beside && cat beside", "got");
    check(SKILL, "echo x >../../image/picture", "got");
    // The base belongs to this skill alone, with all that is next to its program.
    check(SKILL, "echo x >../Other && cat ../Other", "got");
    check(
        SKILL,
        "echo x >\"$HOME/note\" && echo x >\"$TMPDIR/t\" && echo x >/tmp/t",
        "got",
    );
    check(SKILL, "echo x >/var/tmp/sandbox-test", "refused");
    check(SKILL, "ls /root/* /home/*", "refused");
    check("network: none, filesystem: read-only", "cat main.sh", "got");
    check(
        "network: none, filesystem: read-only",
        "echo x >beside",
        "refused",
    );
    check(
        "network: none, filesystem: none",
        "cat main.sh && echo x >\"$TMPDIR/t\"",
        "got",
    );
    check(
        "network: none, filesystem: none",
        "echo x >\"$HOME/note\"",
        "refused",
    );
    check("network: none, filesystem: any", "ls / /var", "got");
}

/// Calls a skill twice whose first call leaves a process behind; whether that is there in the second.
#[track_caller]
fn check_left(is_approved: bool, args: &[&str], expected: &str) {
    let script = "if [ -e held ]; then if flock -n held true; then r=alone; else r=watched; fi\n\
        else (exec 9>held; flock 9; echo >ready; exec sleep 1000) </dev/null >/dev/null 2>&1 &\n\
        until [ -e ready ]; do sleep 0.01; done; r=first; fi\n\
        echo \"{\\\"status\\\": \\\"success\\\", \\\"result\\\": \\\"$r\\\"}\"\n";
    let dir = skill(SKILL, script);
    let metadata = dir.path().join("probe/METADATA.yml");
    let text = fs::read_to_string(&metadata).unwrap();
    fs::write(
        &metadata,
        text.replace("approval: none", "approval: required"),
    )
    .unwrap();
    if is_approved {
        let mut spec = tool(dir.path(), &[]);
        let tool = tool!("skills-run");
        let argv = [tool.as_str(), "approve", "./probe", "--state", "state"];
        spec.program = Program::Argv(argv.map(Into::into).to_vec());
        assert!(run(&spec).unwrap().exit.success());
    }
    for expected in ["first", expected] {
        let answer = answer(dir.path(), args);
        if !is_full(&answer) {
            return;
        }
        let value = &answer["value"]["original_plugin_output"];
        assert_eq!(value, expected, "{answer}");
    }
}

/// A process of an earlier call could change approved code between its check and its start.
#[test]
fn nobody_is_there_when_approved_code_starts() {
    check_left(true, &[], "alone");
    check_left(false, &["--approve"], "watched");
}

/// Files that end with a program's own `/tmp` are named.
#[test]
fn files_in_tmp_are_not_lost_silently() {
    for (line, expected) in [
        ("echo x >/tmp/report.txt", true),
        ("echo x >report.txt", false),
    ] {
        let dir = skill(SKILL, &probing(line));
        let answer = answer(dir.path(), &[]);
        if is_full(&answer) {
            let warnings = answer["warnings"].to_string();
            let says =
                warnings.contains("temporary-files-removed") && warnings.contains("`report.txt`");
            assert_eq!(says, expected, "{answer}");
        }
    }
}

#[test]
fn environment() {
    check(SKILL, "env | grep -q feathers", "refused");
    check(SKILL, "cat /proc/*/environ | grep -q feathers", "refused");
    let named = "network: none, filesystem: skill, environment: [SECRET_OF_OURS]";
    let dir = skill(named, &probing("env | grep -q feathers"));
    let unasked = answer(dir.path(), &[]);
    assert_eq!(
        unasked["error"]["details"]["environment"][0], "SECRET_OF_OURS",
        "{unasked}"
    );
    let allowed = answer(dir.path(), &["--allow-env", "SECRET_OF_OURS"]);
    if is_full(&allowed) {
        assert_eq!(
            allowed["value"]["original_plugin_output"], "got",
            "{allowed}"
        );
    }
}

#[test]
fn network() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let line = format!("echo x >/dev/tcp/127.0.0.1/{port}");
    check(SKILL, &line, "refused");
    check("network: any, filesystem: skill", &line, "got");
    let listed = |entry: &str, expected| {
        let permissions =
            format!("network: allowlist, network_allowlist: ['{entry}'], filesystem: skill");
        check(&permissions, &line, expected);
    };
    listed(&format!("127.0.0.1:{port}"), "got");
    listed(&format!("LOCALHOST:{port}"), "got");
    listed(&format!("127.0.0.2:{port}"), "refused");
    listed("127.0.0.1", "refused");
}

/// An entry that is none is an error that names it, not a shorter list.
#[test]
fn a_list_that_cannot_be_read() {
    let list = "network: allowlist, network_allowlist: [a.example, 'https://b.example/'], filesystem: skill";
    let answer = answer(skill(list, &probing("true")).path(), &[]);
    assert_eq!(answer["error"]["code"], "not-runnable", "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("/permissions/network_allowlist/1"),
        "{message}"
    );
}

/// The directories of a guard are reached, and nothing beside them; without a value only after a yes.
#[test]
fn directories_of_a_guard() {
    let guards = "config: {undeclared: [ALLOWED_DIRS], guards: [{key: ALLOWED_DIRS, kind: allow-directories, unset: open}]}\n";
    for (config, args, line, expected) in [
        (Some("given"), &[][..], "echo x >$1/given/x", "got"),
        (Some("given"), &[], "echo x >$1/other/x", "refused"),
        (Some("given,absent"), &[], "cat /etc/shadow", "refused"),
        (
            Some("given"),
            &["--approve"],
            "echo x >$1/other/x",
            "refused",
        ),
        (None, &["--approve"], "echo x >$1/other/x", "refused"),
    ] {
        let dir = skill(SKILL, "");
        let root = fs::canonicalize(dir.path()).unwrap();
        let line = line.replace("$1", root.to_str().unwrap());
        fs::write(root.join("probe/scripts/main.sh"), probing(&line)).unwrap();
        let file = root.join("probe/METADATA.yml");
        let text = fs::read_to_string(&file).unwrap();
        let text = text.replace(
            "approval: none",
            "approval: required, approval_for: [guards]",
        );
        fs::write(&file, text + guards).unwrap();
        fs::create_dir(root.join("given")).unwrap();
        fs::create_dir(root.join("other")).unwrap();
        let names = config.unwrap_or_default().split(',');
        let dirs = names
            .filter(|name| !name.is_empty())
            .map(|name| format!("{}/{name}", root.display()));
        let value = dirs.collect::<Vec<_>>().join(",");
        fs::write(root.join("config.env"), format!("ALLOWED_DIRS={value}\n")).unwrap();
        let answer = answer(&root, &[&["--config", "config.env"], args].concat());
        if is_full(&answer) {
            let found = &answer["value"]["original_plugin_output"];
            assert_eq!(found, expected, "{config:?} {args:?} {line}: {answer}");
        }
    }
}

/// Files that a skill writes next to itself persist, and the package does not change.
#[test]
fn what_is_written_persists_and_the_package_stays() {
    let script = "echo x >>count; n=$(wc -l <count); echo \"{\\\"status\\\": \\\"success\\\", \\\"result\\\": $n}\"\n";
    let dir = skill(SKILL, script);
    for expected in 1..=3 {
        let answer = answer(dir.path(), &[]);
        assert_eq!(
            answer["value"]["original_plugin_output"], expected,
            "{answer}"
        );
    }
    let files: Vec<_> = fs::read_dir(dir.path().join("probe/scripts"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(files, ["main.sh"]);
}

#[test]
fn levels() {
    let dir = skill(
        "network: allowlist, network_allowlist: [example.org], filesystem: skill",
        &probing("true"),
    );
    let listed = answer(dir.path(), &["--sandbox", "full"]);
    if is_full(&answer(skill(SKILL, &probing("true")).path(), &[])) {
        assert_eq!(listed["meta"]["sandbox"], "full", "{listed}");
        assert_eq!(listed["meta"]["sandbox_missing"], Value::Null);
    }
    let open = answer(
        skill(SKILL, &probing("ls /")).path(),
        &["--sandbox", "none"],
    );
    assert_eq!(open["value"]["original_plugin_output"], "got", "{open}");
    assert_eq!(open["meta"]["sandbox"], "none");
}

/// The sandbox of another system is refused, not replaced by a weaker one.
#[test]
fn the_sandbox_of_macos_is_refused_elsewhere() {
    let refused = answer(
        skill(SKILL, &probing("true")).path(),
        &["--sandbox", "seatbelt"],
    );
    assert_eq!(refused["error"]["code"], "denied", "{refused}");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("macOS only"), "{message}");
    assert!(message.contains("--sandbox none"), "{message}");
}

/// A sandbox that is weaker than the policy is reported in three places, or refused.
#[test]
fn a_weaker_sandbox() {
    let dir = skill(SKILL, &probing("cat /etc/shadow"));
    if !is_full(&answer(dir.path(), &[])) {
        return;
    }
    let outcome = run(&without_namespaces(tool(dir.path(), &[]))).unwrap();
    let weaker = answer_in(&outcome);
    assert_eq!(weaker["value"]["original_plugin_output"], "refused");
    assert_eq!(weaker["meta"]["sandbox"], "partial", "{weaker}");
    assert_ne!(weaker["meta"]["sandbox_missing"], Value::Null);
    let warnings = weaker["warnings"].as_array().unwrap();
    let is_said = |warning: &Value| warning["code"] == "sandbox-incomplete";
    assert!(warnings.iter().any(is_said), "{weaker}");
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    assert!(stderr.contains("PID namespace"), "{stderr}");
    let strict = tool(dir.path(), &["--sandbox", "full"]);
    let refused = answer_in(&run(&without_namespaces(strict)).unwrap());
    assert_eq!(refused["error"]["code"], "denied", "{refused}");
}

/// Descriptors that the tool inherits are not passed on, with and without a sandbox.
#[test]
fn inherited_descriptors() {
    let dir = skill(SKILL, &probing("cat <&7"));
    let secret = dir.path().join("secret");
    fs::write(&secret, "feathers").unwrap();
    for level in ["auto", "none"] {
        let tool = tool!("skills-run");
        let line = format!("exec 7<secret; exec {tool} ./probe --state state --sandbox {level}");
        let argv = ["/bin/bash", "-c", &line].map(Into::into).to_vec();
        let mut spec = Spec::new(Program::Argv(argv), dir.path());
        spec.env
            .insert("PATH".into(), std::env::var_os("PATH").unwrap());
        let outcome = run(&spec).unwrap();
        let answer: Value = serde_json::from_slice(&outcome.stdout).unwrap();
        let value = &answer["value"]["original_plugin_output"];
        assert_eq!(value, "refused", "{level}: {answer}");
    }
}
