//! Skills that replace one that failed.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own skills"
)]

use std::path::Path;

use serde_json::{Value, json};
use skill_executor::call::{Approval, Host};
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::state::State;
use skill_executor::zone::Zone;
use skill_executor::{Request, Runner, standard};

const FAILS: &str = "exit 3";
const SAYS_NO: &str = "echo '{\"status\":\"error\",\"error\":\"no\"}'";
const WORKS: &str = "read line; echo \"{\\\"status\\\":\\\"success\\\",\\\"result\\\":$line}\"";

/// A skill: its name, what METADATA.yml says besides, its program.
type Row<'r> = (&'r str, &'r str, &'r str);

fn lay_out(dir: &Path, (name, more, main): &Row<'_>) {
    let skill = dir.join(name);
    std::fs::create_dir_all(skill.join("scripts")).unwrap();
    let entry = if more.contains("entry:") {
        ""
    } else {
        "entry: {runtime: shell, argv: [sh, main], dir: scripts}"
    };
    let metadata = format!(
        "schema: 1\nname: {name}\nversion: '1'\ntype: direct\ntransport: stdio-json\n{entry}\n{more}\n"
    );
    std::fs::write(skill.join("METADATA.yml"), metadata).unwrap();
    std::fs::write(skill.join("scripts/main"), main).unwrap();
}

/// The answer to a call of `a`: who gave it, the value or the code, and who failed before.
#[track_caller]
fn check(rows: &[Row<'_>], expected: (&str, Value, &[&str])) {
    let dir = tempfile::tempdir().unwrap();
    for row in rows {
        lay_out(&dir.path().join("skills"), row);
    }
    let host = Host {
        environment: [("PATH".to_owned(), std::env::var("PATH").unwrap())].into(),
        state: State::open(&dir.path().join("state")).unwrap(),
        allow_shell: true,
        strict: false,
        sandbox: Sandbox::off(),
        zone: Zone::utc(),
        loaders: std::collections::BTreeMap::new(),
        fixed_ms: None,
    };
    let skill = SkillPackage::read(&dir.path().join("skills/a")).unwrap();
    let mut request = Request::new(json!({"n": 1}));
    request.options.approval = Approval::Granted;
    let runner = Runner::new(standard(), host);
    let answer = runner.run(&skill, request).to_value();
    let mut value = answer["value"].clone();
    if let Some(map) = value.as_object_mut() {
        map.shift_remove("timestamp");
    } else {
        value = answer["error"]["code"].clone();
    }
    let failed = answer["meta"]["fallback"]["failed"].as_array();
    let failed = failed.into_iter().flatten();
    let failed: Vec<String> = failed
        .map(|it| format!("{} {}", it["skill"], it["code"]).replace('"', ""))
        .collect();
    let who = answer["meta"]["skill"].as_str().unwrap();
    assert_eq!((who, value), (expected.0, expected.1), "{answer}");
    assert_eq!(failed, expected.2, "{answer}");
    let warnings = answer["warnings"].as_array().unwrap().iter();
    let told = warnings.filter(|it| it["code"] == "fallback").count();
    assert_eq!(told, failed.len(), "{answer}");
}

#[test]
fn those_named_answer_in_their_order() {
    let a = ("a", "idempotent: true\nfallback: [gone, ../a, b, c]", FAILS);
    check(
        &[a, ("b", "", WORKS), ("c", "", WORKS)],
        (
            "b",
            json!({"n": 1}),
            &["a exit-code", "gone not-found", "../a not-found"],
        ),
    );
    let b = ("b", "idempotent: true", FAILS);
    check(
        &[
            ("a", "idempotent: true\nfallback: [b, c]", FAILS),
            b,
            ("c", "", WORKS),
        ],
        ("c", json!({"n": 1}), &["a exit-code", "b exit-code"]),
    );
}

#[test]
fn only_what_may_be_done_twice_is() {
    let b = ("b", "", WORKS);
    check(
        &[("a", "fallback: [b]", FAILS), b],
        ("a", json!("exit-code"), &[]),
    );
    let cacheable = "cache: {cacheable: true, ttl_s: 0}\nfallback: [b]";
    check(
        &[("a", cacheable, FAILS), b],
        ("b", json!({"n": 1}), &["a exit-code"]),
    );
    // A replacement that fails may have done its work as well.
    check(
        &[
            ("a", "idempotent: true\nfallback: [c, b]", FAILS),
            ("c", "", FAILS),
            b,
        ],
        ("c", json!("exit-code"), &["a exit-code"]),
    );
}

#[test]
fn what_a_skill_says_is_an_answer() {
    let with = "idempotent: true\nfallback: [b]";
    let b = ("b", "", WORKS);
    check(&[("a", with, WORKS), b], ("a", json!({"n": 1}), &[]));
    check(
        &[("a", with, SAYS_NO), b],
        ("a", json!("plugin-error"), &[]),
    );
    check(
        &[("a", with, FAILS), ("b", "", SAYS_NO)],
        ("b", json!("plugin-error"), &["a exit-code"]),
    );
    let disabled = format!("enabled: false\n{with}");
    check(
        &[("a", &disabled, WORKS), b],
        ("a", json!("not-runnable"), &[]),
    );
}

#[test]
fn each_needs_its_own_approval() {
    let asks = "permissions: {network: none, filesystem: skill, admin: false, approval: required}";
    let with = format!("{asks}\nidempotent: true\nfallback: [b, c]");
    check(
        &[("a", &with, FAILS), ("b", asks, WORKS), ("c", "", WORKS)],
        ("c", json!({"n": 1}), &["a exit-code", "b denied"]),
    );
}

/// A shell line that is allowed for one skill is not for another.
#[test]
fn each_needs_its_own_shell() {
    let line = "entry: {runtime: shell, shell: 'cat main | sh', dir: scripts}";
    let with = format!("{line}\nidempotent: true\nfallback: [b, c]");
    check(
        &[("a", &with, FAILS), ("b", line, WORKS), ("c", "", WORKS)],
        ("c", json!({"n": 1}), &["a exit-code", "b denied"]),
    );
}

#[test]
fn circles_end() {
    let with = |others: &str| format!("idempotent: true\nfallback: [{others}]");
    let (a, b) = (with("a, b"), with("a, b, c"));
    check(
        &[("a", &a, FAILS), ("b", &b, FAILS), ("c", &with("a"), FAILS)],
        ("c", json!("exit-code"), &["a exit-code", "b exit-code"]),
    );
    // Of many, so many are tried.
    let names: Vec<String> = (0..20).map(|n| format!("s{n}")).collect();
    let all = with(&names.join(", "));
    let mut rows: Vec<Row<'_>> = names.iter().map(|name| (&**name, &*all, FAILS)).collect();
    rows.push(("a", &all, FAILS));
    let failed = ["a", "s0", "s1", "s2", "s3", "s4", "s5"].map(|name| format!("{name} exit-code"));
    let failed: Vec<&str> = failed.iter().map(String::as_str).collect();
    check(&rows, ("s6", json!("exit-code"), &failed));
}
