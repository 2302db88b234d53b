//! Direct and static skills through the registry, in languages that no fixture uses.
//!
//! Each row lays out one program and says what `skills-run` would answer. Rules: `docs/design/legacy-host.md`
//! §1.3, §1.4, §1.5, §1.9.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own skills"
)]

mod asked; // approvals, and secrets of the environment
mod given_up; // calls that end before their program does
mod guards; // settings that restrict a program
mod world; // one skill and the state of its host

use std::time::Duration;

use serde_json::{Value, json};
use skill_executor::call::{Approval, Options};
use skill_executor::package::SkillPackage;
use skill_executor::zone::Zone;
use skill_executor::{metrics, placeholder, results};

use world::{World, direct, is_there, shown};

#[test]
fn programs_of_any_language() {
    let echo_perl = "my $in = do { local $/; <STDIN> } // ''; $in =~ s/([\"\\\\])/\\\\$1/g; print qq({\"status\":\"success\",\"result\":{\"in\":\"$in\"}}\\n);";
    let echo_tcl = "set in [string map {\\\" \\\\\\\"} [read stdin]]\nputs \"{\\\"status\\\":\\\"success\\\",\\\"result\\\":{\\\"in\\\":\\\"$in\\\"}}\"";
    let echo_awk = "{ n += length($0) } END { printf \"{\\\"status\\\":\\\"success\\\",\\\"result\\\":\\\"%d\\\"}\", n; exit 7 }";
    let rows = [
        (
            "perl",
            "[perl, main]",
            echo_perl,
            json!({"in": "{\"b\":1,\"a\":\"x\"}"}),
        ),
        (
            "tclsh",
            "[tclsh, main]",
            echo_tcl,
            json!({"in": "{\"b\":1,\"a\":\"x\"}"}),
        ),
        // Text is tried as JSON; exit 7 does not count beside a reply.
        (
            "awk",
            "[awk, -f, main]",
            echo_awk,
            json!({"original_plugin_output": 15}),
        ),
        // A first line is honoured, and a shell does without one.
        (
            "sh",
            "[./main]",
            "#!/bin/sh\necho '{\"status\":\"success\",\"result\":[1]}'\n",
            json!([1]),
        ),
        (
            "sh",
            "[./main]",
            "echo '{\"status\":\"success\",\"result\":[2]}'\n",
            json!([2]),
        ),
        // Words that a shell answers itself see their arguments as they are.
        (
            "sh",
            "[echo, '{\"status\":\"success\",\"result\":\"$HOME\"}']",
            "",
            json!({"original_plugin_output": "$HOME"}),
        ),
        (
            "sh",
            "[exit, '3']",
            "",
            json!("exit-code: Plugin \"Child\" exited with code 3."),
        ),
        (
            "sh",
            "[exec, sh, main]",
            "echo '{\"status\":\"success\",\"result\":[3]}'\n",
            Value::Null,
        ),
    ];
    for (program, argv, main, expected) in rows {
        if !is_there(program) {
            continue;
        }
        let mut world = direct(argv, main);
        if expected.is_null() {
            // A word that only a shell knows: the line `x` is run, when shells are allowed.
            world.host.allow_shell = true;
            let message = "exit-code: Plugin \"Child\" exited with code 127. Stderr: ";
            let answer = world.answer(&json!({"b": 1, "a": "x"}), "");
            assert!(
                answer
                    .as_str()
                    .is_some_and(|text| text.starts_with(message)),
                "{answer}"
            );
            continue;
        }
        let answer = world.answer(&json!({"b": 1, "a": "x"}), "");
        assert_eq!(answer, expected, "{argv}");
    }
}

#[test]
fn failures_speak_as_the_old_host() {
    for (argv, main, expected) in [
        (
            "[sh, main]",
            "echo half; echo why >&2; exit 9",
            "exit-code: Plugin \"Child\" exited with code 9. Stdout: half Stderr: why",
        ),
        (
            "[sh, main]",
            "kill -9 $$",
            "exit-code: Plugin \"Child\" exited with code 137. Stderr: Killed",
        ),
        (
            "[sh, main]",
            "true",
            "protocol: Plugin \"Child\" exited successfully but did not provide a valid initial JSON response. Stdout: ",
        ),
        (
            "[no-such-program-at-all]",
            "",
            "spawn-failed: Plugin \"Child\" exited with code 127. Stderr: /bin/sh: 1: no-such-program-at-all: not found",
        ),
        (
            "[sh, main]",
            "echo '{\"status\":\"error\",\"error\":\"no\"}'; exit 0",
            "plugin-error: no",
        ),
    ] {
        assert_eq!(
            direct(argv, main).answer(&Value::Null, ""),
            expected,
            "{main}"
        );
    }
}

#[test]
fn what_a_program_finds_around_itself() {
    let metadata = "type: direct\ntransport: stdio-json\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n\
        config: {schema: {properties: {CITY: {type: string}, DEPTH: {type: integer}}}, secret: [CITY]}\n\
        permissions: {network: none, filesystem: skill, environment: [NAMED], admin: false, approval: none}\n";
    let main = "n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count\n\
        echo \"log $CITY\" >&2\n\
        printf '{\"status\":\"success\",\"result\":{\"city\":\"%s\",\"depth\":\"%s\",\"secret\":\"%s\",\"named\":\"%s\",\"runs\":%d,\"env\":\"%s\",\"base\":\"%s\",\"up\":%d}}' \
        \"$CITY\" \"$DEPTH\" \"$SECRET\" \"$NAMED\" \"$n\" \"$(grep -c CITY config.env)\" \"$(basename $PROJECT_BASE_PATH)\" \"$(ls ../.. | grep -c Plugin)\"";
    let mut world = World::new(metadata, &[("main", main)]);
    world
        .host
        .environment
        .insert("NAMED".to_owned(), "yes".to_owned());
    for runs in 0..2 {
        let envelope = world.call(
            &Value::Null,
            "CITY=Tromsø\nDEPTH=12m\nOTHER=1\n",
            &Options::default(),
        );
        assert_eq!(envelope.meta.stderr.as_deref(), Some("log ***"));
        let expected = json!({
            "city": "Tromsø", "depth": "12", "secret": "", "named": "yes",
            "runs": runs, "env": "1", "base": "base", "up": 1,
        });
        assert_eq!(shown(envelope), expected);
    }
    // The skill's own files stayed as they were; what it wrote is in the state directory.
    let names: Vec<_> = std::fs::read_dir(world.dir.path().join("skill/scripts"))
        .unwrap()
        .collect();
    assert_eq!(names.len(), 1);
    // A file that changes in the skill is copied again; what was written beside it stays.
    let changed = "echo '{\"status\":\"success\",\"result\":['$(cat count)']}'";
    std::fs::write(world.dir.path().join("skill/scripts/main"), changed).unwrap();
    assert_eq!(world.answer(&Value::Null, ""), json!([2]));
    let usage = metrics::usage(&world.host.state);
    assert_eq!(usage[&("child".to_owned(), "direct".to_owned())].count, 3);
}

/// A skill finds the files of the skills beside it that it requires, as in the old host's directory
/// of plugins.
#[test]
fn neighbours_are_found() {
    let main = "cat ../OtherDir/reply.json; echo kept > ../../kept; echo own >> ../OtherDir/data";
    let granted = "type: direct\ntransport: stdio-json\nrequires: {skills: [another-name]}\n\
        entry: {runtime: native, argv: [sh, main], dir: scripts}\n";
    let world = World::new(granted, &[("main", main)]);
    let other = world.dir.path().join("another-name");
    std::fs::create_dir_all(other.join("scripts")).unwrap();
    let metadata = "schema: 1\nname: another-name\nversion: '1'\nenabled: true\nrunnable: true\ntype: direct\nentry: {runtime: native, argv: [x], dir: scripts}\n\
        legacy:\n  host: vcp-main\n  name: Other\n  directory: OtherDir\n  plugin_type: synchronous\n";
    std::fs::write(other.join("METADATA.yml"), metadata).unwrap();
    let reply = r#"{"status":"success","result":[4]}"#;
    std::fs::write(other.join("scripts/reply.json"), reply).unwrap();
    for _ in 0..2 {
        assert_eq!(world.answer(&Value::Null, ""), json!([4]));
    }
    let kept = world.dir.path().join("state/skills/skill/base/kept");
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "kept\n");
    // What it writes beside it is its own.
    let data = world
        .dir
        .path()
        .join("state/skills/skill/beside/Plugin/OtherDir/data");
    assert_eq!(std::fs::read_to_string(data).unwrap(), "own\nown\n");
    assert!(!other.join("scripts/data").exists());
    // Without a grant there is none.
    let alone = direct(
        "[sh, main]",
        "ls .. | wc -l | sed 's/.*/{\"status\":\"success\",\"result\":&}/'",
    );
    assert_eq!(
        alone.answer(&Value::Null, ""),
        json!({"original_plugin_output": 1})
    );
}

/// Many calls at once: every answer is that of its own call, and none is lost.
#[test]
fn calls_at_the_same_time() {
    const THREADS: usize = 20;
    const EACH: usize = 25;
    let main = "printf '{\"status\":\"success\",\"result\":%s}' \"$(cat)\"";
    let world = direct("[sh, main]", main);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let world = &world;
            scope.spawn(move || {
                for nth in 0..EACH {
                    let input = json!({"thread": thread, "nth": nth});
                    assert_eq!(world.answer(&input, ""), input);
                }
            });
        }
    });
    let usage = metrics::usage(&world.host.state);
    let counted = usage[&("child".to_owned(), "direct".to_owned())].count;
    assert_eq!(counted, 500);
}

#[test]
fn asynchronous_results_arrive_later() {
    if !is_there("perl") {
        return;
    }
    let metadata = "type: direct\ntransport: stdio-json\nasync: {callback: true}\nentry: {runtime: native, argv: [perl, main], dir: scripts}\n";
    let main = r#"use IO::Socket::INET; $| = 1;
        print qq(working\n{"status":"success","result":{"taskId":"t 1"}}\n);
        $ENV{CALLBACK_BASE_URL} =~ m{http://([^/]+)(/.*)}; my ($host, $path) = ($1, $2);
        my $body = qq({"status":"Succeed","message":"done"});
        my $s = IO::Socket::INET->new(PeerAddr => $host) or die;
        print $s "POST $path/$ENV{PLUGIN_NAME_FOR_CALLBACK}/t%201 HTTP/1.1\r\nHost: $host\r\nContent-Length: " . length($body) . "\r\n\r\n$body";
        my @answer = <$s>;"#;
    let world = World::new(metadata, &[("main", main)]);
    let options = Options {
        wait: Some(Duration::from_mins(1)),
        ..Options::default()
    };
    let answer = shown(world.call(&Value::Null, "", &options));
    assert_eq!(answer, json!({"status": "Succeed", "message": "done"}));
    let text = "before {{VCP_ASYNC_RESULT::Child::t 1}} {{{VCP_ASYNC_RESULT::Child::t2}}} after";
    let filled = results::fill(&world.host.state, text);
    assert_eq!(filled, "before done 结果待更新... after");
}

#[test]
fn static_values_outlive_a_failing_run() {
    let metadata = "type: static\ntransport: stdout\ndisplay_name: Shown\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n\
        placeholders: [{key: '{{One}}'}, {key: Two}]\nrefresh: {cron: '0 8 * * *'}\n";
    let main = "test -e broken && exit 1\ntest -e fine || { touch fine; exit 3; }\necho ' value '";
    let world = World::new(metadata, &[("main", main)]);
    let loading = "[Shown a-zheng-zai-jia-zai-zhong... ]";
    for (expected, after) in [(loading, None), ("value", Some("broken")), ("value", None)] {
        let answer = world.answer(&Value::Null, "");
        assert_eq!(answer, json!({"One": expected, "Two": expected}));
        if let Some(name) = after {
            world
                .host
                .state
                .write("skills/skill/base/Plugin/ChildDir", name, "")
                .unwrap();
        }
    }
    let zone = Zone::utc();
    let schedule = placeholder::Schedule::read("0 8 * * *", &zone).unwrap();
    assert_eq!(schedule.next(0, &zone), Some(8 * 3_600));
}

#[test]
fn who_may_run() {
    let shell = "type: direct\ntransport: stdio-json\nentry: {runtime: shell, shell: 'cat main | sh', dir: scripts}\n";
    let asks = "type: direct\ntransport: stdio-json\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n\
        permissions: {network: none, filesystem: skill, admin: false, approval: required}\n";
    let main = "echo '{\"status\":\"success\",\"result\":[1]}'";
    for metadata in [shell, asks] {
        let mut world = World::new(metadata, &[("main", main)]);
        let refused = world.answer(&Value::Null, "");
        assert!(
            refused
                .as_str()
                .is_some_and(|text| text.starts_with("denied: ")),
            "{refused}"
        );
        // A stored approval holds for these bytes alone.
        let skill = SkillPackage::read(&world.dir.path().join("skill")).unwrap();
        skill_executor::approval::store(&skill, &world.host.state).unwrap();
        assert_eq!(world.answer(&Value::Null, ""), json!([1]));
        std::fs::write(
            world.dir.path().join("skill/scripts/main"),
            format!("{main} # new"),
        )
        .unwrap();
        assert!(world.answer(&Value::Null, "").is_string());
        (world.host.allow_shell, world.approval) = (true, Approval::Granted);
        assert_eq!(world.answer(&Value::Null, ""), json!([1]));
    }
}

#[test]
fn kept_answers() {
    let metadata = "type: direct\ntransport: stdio-json\ncache: {cacheable: true, ttl_s: 600}\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n\
        config: {schema: {properties: {X: {type: string}}}}\n";
    let main = "n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count; echo '{\"status\":\"success\",\"result\":['$n']}'";
    let world = World::new(metadata, &[("main", main)]);
    for (input, config, expected) in [
        (json!({"a": 1, "b": 2}), "", 0),
        (json!({"b": 2, "a": 1}), "", 0),
        (json!({"a": 2, "b": 2}), "", 1),
        (json!({"a": 1, "b": 2}), "X=1", 2),
        (json!({"a": 1, "b": 2}), "", 0),
        // A key of others does not reach the program, so the answer cannot depend on it.
        (json!({"a": 1, "b": 2}), "OTHER=1", 0),
    ] {
        assert_eq!(
            world.answer(&input, config),
            json!([expected]),
            "{input} {config}"
        );
    }
}

/// The administrator's code reaches the skills that may have it, and no answer.
#[test]
fn the_code_of_the_administrator_stays_here() {
    let skill = |admin: bool| {
        format!(
            "type: direct\ntransport: stdio-json\nentry: {{runtime: shell, argv: [sh, main], dir: scripts}}\n\
             config: {{schema: {{properties: {{DECRYPTED_AUTH_CODE: {{type: string}}}}}}, undeclared: [DECRYPTED_AUTH_CODE]}}\n\
             permissions: {{network: none, filesystem: skill, environment: [DECRYPTED_AUTH_CODE], admin: {admin}, approval: none}}\n"
        )
    };
    let main = "echo \"code $DECRYPTED_AUTH_CODE\" >&2\n\
        printf '{\"status\":\"success\",\"result\":{\"length\":%d,\"code\":\"%s\",\"number\":%s}}' \
        ${#DECRYPTED_AUTH_CODE} \"$DECRYPTED_AUTH_CODE\" ${DECRYPTED_AUTH_CODE:-0}";
    for (admin, code, expected) in [
        (
            true,
            Some("311012"),
            json!({"length": 6, "code": "***", "number": "***"}),
        ),
        (
            false,
            Some("311012"),
            json!({"length": 0, "code": "", "number": 0}),
        ),
        (
            true,
            None,
            json!(
                "denied: Plugin \"Child\" requires admin authentication, but auth code could not be obtained. Execution denied."
            ),
        ),
    ] {
        let mut world = World::new(&skill(admin), &[("main", main)]);
        world.approval = Approval::Granted;
        let code = code.map(|code| ("DECRYPTED_AUTH_CODE".to_owned(), code.to_owned()));
        world.host.environment.extend(code);
        let envelope = world.call(&Value::Null, "", &Options::default());
        let stderr = envelope.meta.stderr.clone().unwrap_or_default();
        assert!(!stderr.contains("311012"), "{stderr}");
        assert_eq!(shown(envelope), expected, "admin: {admin}");
    }
}

/// METADATA.yml is a stranger's: that it asks for the code and for no approval does not give the code.
#[test]
fn the_code_of_the_administrator_needs_a_yes() {
    let main = "echo '{\"status\":\"success\",\"result\":['${#DECRYPTED_AUTH_CODE}']}'";
    for approval in [
        "none",
        "none, approval_for: [guards]",
        "required, approval_for: [guards]",
    ] {
        let metadata = format!(
            "type: direct\ntransport: stdio-json\nentry: {{runtime: shell, argv: [sh, main], dir: scripts}}\n\
             permissions: {{network: none, filesystem: skill, environment: [], admin: true, approval: {approval}}}\n"
        );
        let mut world = World::new(&metadata, &[("main", main)]);
        let code = ("DECRYPTED_AUTH_CODE".to_owned(), "311012".to_owned());
        world.host.environment.extend([code]);
        let refused = world.answer(&Value::Null, "").to_string();
        assert!(
            refused.contains("(`admin: true`), which needs approval"),
            "{refused}"
        );
        world.approval = Approval::Granted;
        assert_eq!(world.answer(&Value::Null, ""), json!([6]), "{approval}");
    }
}

/// Parts of METADATA.yml that are not understood are reported; a type is never guessed.
#[test]
fn what_is_not_understood_is_said() {
    let entry = "transport: stdio-json\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n";
    let main = "echo '{\"status\":\"success\",\"result\":[1]}'";
    for (metadata, answer, warned) in [
        ("type: direct\n", json!([1]), json!([])),
        ("type: Direct\ncolour: red\n", json!([1]), json!([])),
        (
            "type: direct\ntimeout_ms: soon\n",
            json!([1]),
            json!([{"code": "metadata-wrong-value", "message": "METADATA.yml at /timeout_ms: found `soon`, expected a whole number"}]),
        ),
        (
            "",
            json!([1]),
            json!([{"code": "metadata-missing-key", "message": "METADATA.yml: the key `type` is missing"}]),
        ),
        (
            "type: quantum\n",
            json!(
                "not-runnable: skill `child` has no type that is known here: METADATA.yml at /type: found `quantum`, expected one of direct, service, distributed, static, preprocessor, internal, prompt"
            ),
            json!([{"code": "metadata-wrong-value", "message": "METADATA.yml at /type: found `quantum`, expected one of direct, service, distributed, static, preprocessor, internal, prompt"}]),
        ),
    ] {
        let world = World::new(&format!("{metadata}{entry}"), &[("main", main)]);
        let envelope = world.call(&Value::Null, "", &Options::default());
        assert_eq!(envelope.to_value()["warnings"], warned, "{metadata}");
        assert_eq!(shown(envelope), answer, "{metadata}");
    }
}
