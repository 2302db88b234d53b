//! The checks before a request is sent, and secrets that no answer has.

use serde_json::{Value, json};
use skill_executor::Request;

use crate::world::{World, answer, world};

const SETTINGS: [(&str, &str); 1] = [("TOKEN", "s3cret")];

/// Returns what a dry run shows, or its error.
fn shown(world: &World, command: &str, input: Value) -> Value {
    let mut request = Request::new(input);
    request.command = Some(command.to_owned());
    let runner = world.runner(&SETTINGS);
    let skill = world.skill();
    let prepared = runner.prepare(&skill, request).unwrap();
    prepared.dry_run().unwrap()
}

#[test]
fn a_dry_run_says_that_the_call_would_ask() {
    let world = world(Vec::new(), None);
    let asks = shown(&world, "dropPet", json!({"id": 1}));
    assert_eq!(
        asks["approval"],
        json!(["`dropPet` of skill `pets` asks for approval before every call"])
    );
    let quiet = shown(&world, "getPet", json!({"id": "1"}));
    assert!(quiet.get("approval").is_none(), "{quiet}");
}

#[test]
fn nobody_is_asked_about_a_call_that_names_no_request() {
    let world = world(Vec::new(), None);
    let runner = world.runner(&SETTINGS);
    let skill = world.skill();
    let prepared = runner
        .prepare(&skill, Request::new(json!({"id": 1})))
        .unwrap();
    assert_eq!(prepared.needs(), [""; 0]);
    let res = prepared.run().to_value();
    assert_eq!(res["error"]["code"], "not-runnable", "{res}");
    assert_eq!(res["error"]["details"]["commands"][0], "getPet", "{res}");
}

#[test]
fn a_file_that_cannot_be_sent_is_named_as_it_was_given() {
    let world = world(Vec::new(), None);
    for (path, code, part) in [
        (
            "b.txt",
            "not-found",
            "cannot send the file `b.txt`: no such file;",
        ),
        (
            "/etc/passwd",
            "denied",
            "cannot send the file `/etc/passwd`: it is not in the skill;",
        ),
        (
            "../x",
            "denied",
            "cannot send the file `../x`: it is not in the skill;",
        ),
    ] {
        let input = json!({"file": {"file": path}});
        let res = world.run(&SETTINGS, "upload", input.clone());
        assert_eq!(res["error"]["code"], code, "{res}");
        let message = res["error"]["message"].as_str().unwrap();
        assert!(message.contains(part), "{message}");
        let shown = shown(&world, "upload", input);
        assert!(shown["warnings"].to_string().contains(part), "{shown}");
    }
}

#[test]
fn a_secret_that_a_service_echoes_is_masked() {
    let json_type = "content-type: application/json\r\nlocation: /x?key=s3cret\r\n";
    let body = r#"{"you": ["sent Bearer s3cret"]}"#;
    let world = world(
        vec![
            answer("200 OK", json_type, body),
            answer("200 OK", "content-type: text/plain\r\n", "s3cret"),
        ],
        None,
    );
    let res = world.run(&SETTINGS, "getPet", json!({"id": "1"}));
    assert_eq!(res["value"], json!({"you": ["sent Bearer ***"]}));
    assert!(!res.to_string().contains("s3cret"), "{res}");
    let res = world.run(&SETTINGS, "getPet", json!({"id": "1"}));
    assert_eq!(res["value"], "***");
}
