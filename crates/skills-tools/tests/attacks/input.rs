//! Plugins as input of the migration: what they cost, and what is printed of them.

use std::process::{Command, Output};

use serde_json::{Map, Value, json};
use skill_testing::Need;

use super::place::{Place, has, skip, tool};

/// Seconds of processor time that the migration takes for a plugin with `n` keys of settings, or
/// none if it takes more than `limit`, at which the system ends it.
fn seconds(n: usize, limit: f64) -> Option<f64> {
    let place = Place::new();
    let keys: Map<String, Value> = (0..n)
        .map(|i| (format!("KEY_{i}"), json!("string")))
        .collect();
    place.plugin("Many", "Many", &json!({ "configSchema": keys }));
    let tool = tool("skills-migrate");
    let mut shell = Command::new("bash");
    let script = format!(
        "ulimit -t {}; TIMEFORMAT=%U; time \"$@\" >out 2>err",
        limit.ceil()
    );
    shell
        .args(["-c", &script, "bash"])
        .arg(tool.get_program())
        .args(["plugins", "--out", "skills"]);
    let output = shell.current_dir(place.path("")).output().unwrap();
    if output.status.code().is_none_or(|code| code > 128) {
        return None;
    }
    assert!(output.status.success(), "{}", place.read("err"));
    assert!(place.read("skills/many/METADATA.yml").contains("KEY_0"));
    let time = String::from_utf8(output.stderr).unwrap();
    Some(time.trim().parse().expect("seconds with a point"))
}

/// Four times as many keys take about four times as long; where each is compared with all others,
/// it is sixteen times. `crates/plugin-manifest/tests/linear.rs` counts the steps exactly.
#[test]
fn row_25_time_is_linear_in_the_number_of_keys() {
    if !has("bash") {
        return skip(Need::Programs, 25, "no bash");
    }
    let few = seconds(10_000, 300.0).expect("a migration of 10,000 keys ends");
    // Whole seconds bound the process; the ratio is what counts.
    let many = seconds(40_000, 8.0 * few + 1.0);
    assert!(
        many.is_some_and(|many| many < 8.0 * few),
        "10,000 keys take {few} s of processor time, 40,000 keys {many:?} s (none: ended)"
    );
}

/// Names with an escape sequence and a forged line.
const NAMES: [&str; 2] = ["Blue\u{1b}[31mSky", "Green\nerror forged line"];

#[test]
fn row_26_control_characters_in_names_are_escaped() {
    let place = Place::new();
    for (n, name) in NAMES.iter().enumerate() {
        place.plugin(name, &format!("Plugin{n}"), &json!({}));
        place.write(
            &format!("broken/{name}/plugin-manifest.json"),
            "{\"name\": ",
        );
    }
    let run = |args: &[&str]| {
        let mut command = tool("skills-migrate");
        command
            .args(args)
            .current_dir(place.path(""))
            .env("NO_COLOR", "1");
        command.output().unwrap()
    };
    place.migrate();
    for name in NAMES {
        place.write(&format!("plugins/{name}/main.py"), "# changed");
    }
    check_escaped(&run(&["status", "plugins", "skills"]));
    check_escaped(&run(&["broken", "--out", "rejected"]));
}

#[track_caller]
fn check_escaped(output: &Output) {
    let text = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("Blue") && text.contains("Green"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(!text.contains("\nerror forged line"), "{text:?}");
}
