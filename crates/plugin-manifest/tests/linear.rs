//! Checks that reading takes linear time: an input of twice the size takes at most a little more
//! than twice the steps. Steps are counted, so a busy machine does not matter.

use std::fmt::Write as _;

use skill_diagnostics::{LineIndex, steps};

/// The size of the smaller input.
const N: usize = 1_000;
/// The maximum steps of the double input, in percent of those of the single one.
const MOST: u64 = 225;

/// Checks that a manifest with these members grows in a linear way.
#[track_caller]
fn check(what: &str, members: impl Fn(usize) -> String) {
    let steps = [N, 2 * N].map(|n| {
        let text = format!(
            r#"{{"name":"n","pluginType":"static","entryPoint":{{}},"version":"1","description":"d",{}}}"#,
            members(n)
        );
        steps::of(|| {
            plugin_manifest::read(&text);
        })
    });
    assert!(steps[0] > 0, "{what}: nothing was counted");
    assert!(steps[1] * 100 <= steps[0] * MOST, "{what}: {steps:?}");
}

/// Returns `n` pieces with commas between them.
fn many(n: usize, piece: impl Fn(usize) -> String) -> String {
    let pieces: Vec<String> = (0..n).map(piece).collect();
    pieces.join(",")
}

fn object(n: usize, piece: impl Fn(usize) -> String) -> String {
    format!("{{{}}}", many(n, piece))
}

#[test]
fn keys_and_repeated_keys() {
    check("keys", |n| many(n, |at| format!(r#""x{at}":1"#)));
    check("one key, repeated", |n| {
        many(n, |at| format!(r#""x":{at}"#))
    });
    check("each key twice", |n| {
        many(n, |at| format!(r#""x{}":1"#, at / 2))
    });
    check("repeated, on lines of their own", |n| {
        many(n, |at| format!("\"x\":{at}\n"))
    });
}

#[test]
fn entries_of_the_configuration_and_of_its_tables() {
    let string = |at: usize| format!(r#""K{at}":"string""#);
    check("configSchema", |n| {
        format!(r#""configSchema":{}"#, object(n, string))
    });
    check("wrong entries", |n| {
        let entries = object(n, |at| format!(r#""K{at}":{{"type":[]}}"#));
        format!(r#""configSchema":{entries}"#)
    });
    check("tables", |n| {
        let schema = object(n, string);
        format!(
            r#""configSchema":{schema},"configSchemaDescriptions":{schema},"defaults":{schema},"defaultConfig":{schema}"#
        )
    });
    check("keys beside the tables", |n| {
        let more = many(n, |at| format!(r#""x{at}":1"#));
        format!(r#""configSchema":{},{more}"#, object(n, string))
    });
    check("a JSON Schema with required", |n| {
        let (properties, required) = (object(n, string), many(n, |at| format!(r#""K{at}""#)));
        format!(
            r#""configSchema":{{"type":"object","properties":{properties},"required":[{required}]}}"#
        )
    });
    check("a list", |n| {
        let list = many(n, |at| format!(r#"{{"key":"K{at}"}}"#));
        format!(r#""configSchema":[{list}]"#)
    });
}

#[test]
fn commands_parameters_and_placeholders() {
    for (what, command) in [
        ("commands", r#"{"command":"c#","description":"d"}"#),
        (
            "commands of one name",
            r#"{"command":"c","description":"d"}"#,
        ),
        ("commands that are none", "#"),
    ] {
        check(what, |n| {
            let commands = many(n, |at| command.replace('#', &at.to_string()));
            let more = many(n, |at| format!(r#""x{at}":1"#));
            format!(r#""capabilities":{{"invocationCommands":[{commands}]}},{more}"#)
        });
    }
    check("parameters", |n| {
        let parameters = object(n, |at| format!(r#""p{at}":{{"type":"string"}}"#));
        format!(
            r#""capabilities":{{"invocationCommands":[{{"command":"c","parameters":{parameters}}}]}}"#
        )
    });
    check("placeholders", |n| {
        let placeholders = many(n, |at| format!(r#"{{"placeholder":"{{{{P{at}}}}}"}}"#));
        format!(r#""capabilities":{{"systemPromptPlaceholders":[{placeholders}]}}"#)
    });
}

#[test]
fn positions_on_a_long_line() {
    let steps = [N, 2 * N].map(|n| {
        let mut text = String::new();
        for at in 0..n * 8 {
            write!(text, "{at} 参 ").expect("a string");
        }
        let index = LineIndex::new(&text);
        steps::of(|| {
            for at in 0..n {
                index.position(text.len() / n * at);
            }
        })
    });
    assert!(steps[1] * 100 <= steps[0] * MOST, "{steps:?}");
}
