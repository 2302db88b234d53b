//! Commands with a request of their own, against a server on loopback.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own skills"
)]

mod before; // what is checked before a request is sent
mod hostile; // services without an end
mod world; // a skill and its server

use std::path::Path;

use serde_json::{Value, json};
use skill_executor::call::Approval;
use skill_executor::{Request, Runner, standard};

use world::{answer, world};

#[test]
fn a_request_is_sent_as_it_is_shown() {
    let json = "content-type: application/json\r\n";
    let said = r#"{"status":"error","id":1}"#;
    let world = world(
        vec![
            answer("200 OK", json, said),
            answer("204 No", "location: /v1/pets/7\r\nx-secret: no\r\n", ""),
            answer("200 OK", "", "fine"),
        ],
        None,
    );
    let settings = [("TOKEN", "s3cret"), ("WORD", "w0rd")];
    let res = world.run(&settings, "getPet", json!({"id": "a/b", "q": ["x", "y"]}));
    // A field of an answer is not the verdict on the call.
    assert_eq!(res["value"], json!({"status": "error", "id": 1}), "{res}");
    let res = world.run(&settings, "putPet", json!({"name": "ü"}));
    assert_eq!(res["value"], Value::Null, "{res}");
    assert_eq!(res["ok"], true);
    assert_eq!(res["meta"]["headers"], json!({"location": "/v1/pets/7"}));
    let file = json!({"file": {"file": "a.txt"}});
    let res = world.run(&[], "upload", file);
    assert_eq!(res["value"], "fine", "{res}");
    let asked = world.server.join().unwrap();
    let lower: Vec<String> = asked.iter().map(|text| text.to_lowercase()).collect();
    assert!(
        asked[0].starts_with("GET /v1/pets/a%2Fb?q=x&q=y HTTP/1.1"),
        "{}",
        asked[0]
    );
    assert!(lower[0].contains("authorization: bearer s3cret"));
    assert!(asked[1].ends_with("{\"name\":\"ü\"}"), "{}", asked[1]);
    assert!(lower[1].contains("authorization: bearer s3cret"));
    assert!(asked[2].contains("filename=\"a.txt\""), "{}", asked[2]);
    assert!(asked[2].contains("\r\n\r\nof a file\r\n--"));
    assert!(!lower[2].contains("authorization"));
}

#[test]
fn a_failure_names_what_other_schemes_need() {
    for (settings, expected) in [
        (&[][..], Some("; or set `TOKEN` instead")),
        (&[("NAME", "n")], Some("; or set `TOKEN` instead")),
        (&[("TOKEN", "t")], None),
    ] {
        let world = world(Vec::new(), Some("http://127.0.0.1:1"));
        let res = world.run(settings, "putPet", json!({"name": "a"}));
        let message = res["error"]["message"].as_str().unwrap();
        match expected {
            Some(end) => assert!(message.ends_with(end), "{message}"),
            None => assert!(!message.contains("instead"), "{message}"),
        }
    }
}

#[test]
fn a_call_that_names_no_command_is_not_sent() {
    let world = world(Vec::new(), None);
    let mut request = Request::new(json!({"id": "a"}));
    request.options.approval = Approval::Granted;
    let runner = world.runner(&[("TOKEN", "s3cret")]);
    let res = runner.run(&world.skill(), request).to_value();
    assert_eq!(res["error"]["code"], "not-runnable", "{res}");
    let message = res["error"]["message"].as_str().unwrap();
    assert!(message.ends_with("name one with --command"), "{message}");
}

/// Compares the dry run of a command: its address, headers, body, and what is missing.
#[track_caller]
fn check_dry(settings: &[(&str, &str)], command: &str, input: Value, expected: &Value) {
    let world = world(Vec::new(), Some("https://${HOST}/v1"));
    let mut request = Request::new(input);
    request.command = Some(command.to_owned());
    let (runner, skill) = (world.runner(settings), world.skill());
    let mut found = runner.prepare(&skill, request).unwrap().dry_run().unwrap();
    let url = found["url"].as_str().unwrap_or_default();
    let port = url.split([':', '/']).nth(4).unwrap_or_default().to_owned();
    found["url"] = url.replace(&port, "PORT").into();
    assert_eq!(found, *expected);
}

#[test]
fn a_dry_run_hides_secrets_and_names_what_is_missing() {
    check_dry(
        &[("TOKEN", "s3cret")],
        "getPet",
        json!({"id": 1, "other": 2}),
        &json!({
            "method": "GET", "url": "https://127.0.0.1:PORT/v1/pets/1",
            "headers": {"authorization": "Bearer ***"}, "body": null,
            "warnings": ["nothing is called `other`"],
        }),
    );
    check_dry(
        &[],
        "get /pets/{id}",
        json!({"id": "x"}),
        &json!({
            "method": "GET", "url": "https://127.0.0.1:PORT/v1/pets/x", "headers": {},
            "body": null, "missing": ["TOKEN"],
        }),
    );
    check_dry(
        &[],
        "upload",
        json!({"file": "text"}),
        &json!({
            "method": "POST", "url": "https://127.0.0.1:PORT/v1/files",
            "headers": {"content-type": "multipart/form-data"},
            "body": [{"name": "file", "value": "text", "media_type": "application/octet-stream"}],
        }),
    );
}

#[test]
fn refusals_say_what_to_do() {
    let world = world(Vec::new(), None);
    let outside = json!({"file": {"file": "/etc/hostname"}});
    for (settings, command, input, code, part) in [
        (
            &[][..],
            "getPet",
            json!({"id": 1}),
            "not-runnable",
            "needs the setting `TOKEN`",
        ),
        (
            &[("TOKEN", "x")],
            "getPet",
            json!({}),
            "invalid-input",
            "`id` is missing",
        ),
        (
            &[("TOKEN", "x")],
            "getPet",
            json!({"id": ".."}),
            "invalid-input",
            "another resource",
        ),
        (
            &[],
            "upload",
            outside,
            "denied",
            "expected a file of the skill",
        ),
        (
            &[],
            "dropPet",
            json!({"id": 1}),
            "denied",
            "`dropPet` of skill `pets` asks for approval",
        ),
        (
            &[("TOKEN", "x"), ("BASE", "http://127.0.0.1:1/v1/..")],
            "getPet",
            json!({"id": 1}),
            "not-runnable",
            "`http://127.0.0.1:1/v1/..`, has `.` or `..`",
        ),
        (
            &[("TOKEN", "x")],
            "putPet",
            json!({"name": "a", "Content-Type": "text/plain"}),
            "invalid-input",
            "a header that each request writes by itself",
        ),
        (
            &[],
            "dropPets",
            json!({}),
            "not-found",
            "has no command `dropPets`",
        ),
    ] {
        let skill = world.skill();
        let mut request = Request::new(input);
        request.command = Some(command.to_owned());
        let res = world.runner(settings).run(&skill, request).to_value();
        assert_eq!(res["error"]["code"], code, "{res}");
        let message = res["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_request_is_not_sent_without_its_scheme() {
    let world = world(vec![answer("200 OK", "", "open")], None);
    let res = world.run(&[("TOKEN", "x")], "signed", json!({}));
    assert_eq!(res["error"]["code"], "not-runnable", "{res}");
    let message = res["error"]["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("needs the security scheme `signature`"),
        "{message}"
    );
    assert_eq!(res["error"]["details"]["schemes"], json!(["signature"]));
    // Another alternative is enough, also none.
    let res = world.run(&[], "signedOrNot", json!({}));
    assert_eq!(res["value"], "open", "{res}");
    let mut request = Request::new(json!({}));
    request.command = Some("signed".to_owned());
    let (runner, skill) = (world.runner(&[]), world.skill());
    let shown = runner.prepare(&skill, request).unwrap().dry_run().unwrap();
    let warning = shown["warnings"][0].as_str().unwrap_or_default();
    assert!(warning.contains("`signature`"), "{shown}");
}

#[test]
fn the_setting_of_another_address_takes_the_place_of_the_endpoint() {
    let world = world(
        vec![answer("200 OK", "", "here")],
        Some("https://a.example/v1"),
    );
    let metadata = std::fs::read_to_string(world.dir.path().join("pets/METADATA.yml")).unwrap();
    let port = metadata.split("127.0.0.1:").nth(1).unwrap();
    let port: String = port.chars().take_while(char::is_ascii_digit).collect();
    let base = format!("http://localhost:{port}/v9/");
    let settings = [("TOKEN", "x"), ("BASE", base.as_str())];
    let res = world.run(&settings, "getPet", json!({"id": 1}));
    assert_eq!(res["value"], "here", "{res}");
    let asked = world.server.join().unwrap();
    assert!(asked[0].starts_with("GET /v9/pets/1 HTTP"), "{}", asked[0]);
}

#[test]
fn settings_of_services_do_not_come_from_the_environment() {
    let world = world(Vec::new(), None);
    let of = |allowed: &[String]| {
        let all = [
            ("TOKEN".to_owned(), "t".to_owned()),
            ("BASE".to_owned(), "http://b.example".to_owned()),
        ];
        let mut host = world.runner(&[]).into_host();
        host.environment =
            skill_executor::environment::HostEnvironment::from_caller(all.into(), allowed);
        let mut request = Request::new(json!({"id": 1}));
        request.command = Some("getPet".to_owned());
        let runner = Runner::new(standard(), host);
        let skill = world.skill();
        let shown = runner.prepare(&skill, request).unwrap().dry_run().unwrap();
        (shown["missing"].clone(), shown["url"].to_string())
    };
    let (missing, url) = of(&[]);
    assert_eq!(missing, json!(["TOKEN"]));
    assert!(url.contains("127.0.0.1"), "{url}");
    let (missing, url) = of(&["TOKEN".to_owned(), "BASE".to_owned()]);
    assert_eq!(missing, Value::Null);
    assert!(url.contains("b.example/pets/1"), "{url}");
}

#[test]
fn an_approval_lets_a_call_through() {
    let world = world(vec![answer("200 OK", "", "gone")], None);
    let mut request = Request::new(json!({"id": 1}));
    request.command = Some("dropPet".to_owned());
    request.options.approval = Approval::Granted;
    let res = world.runner(&[]).run(&world.skill(), request).to_value();
    assert_eq!(res["value"], "gone", "{res}");
    let asked = world.server.join().unwrap();
    assert!(
        asked[0].starts_with("DELETE /v1/pets/1 HTTP"),
        "{}",
        asked[0]
    );
}

#[test]
fn a_stored_approval_does_not_cover_a_command_that_asks_each_time() {
    let world = world(vec![answer("200 OK", "", "fine")], None);
    let skill = world.skill();
    let runner = world.runner(&[("TOKEN", "x")]);
    skill_executor::approval::store(&skill, &runner.host().state).unwrap();
    let mut request = Request::new(json!({"id": 1}));
    request.command = Some("DROPPET".to_owned());
    let res = runner.run(&skill, request.clone()).to_value();
    assert_eq!(res["error"]["code"], "denied", "{res}");
    let message = res["error"]["message"].as_str().unwrap();
    assert!(message.contains("no yes is stored for it"), "{message}");
    request.command = Some("getPet".to_owned());
    request.input = json!({"id": "1"});
    assert_eq!(runner.run(&skill, request).to_value()["value"], "fine");
}

#[test]
fn a_service_that_asks_for_endless_time_is_not_waited_for() {
    let header = format!("retry-after: {}\r\n", u64::MAX);
    let world = world(vec![answer("429 Busy", &header, "busy")], None);
    let res = world.run(&[("TOKEN", "x")], "getPet", json!({"id": 1}));
    let details = &res["error"]["details"];
    assert_eq!(
        (&details["status"], &details["retry_after_s"]),
        (&json!(429), &json!(u64::MAX)),
        "{res}"
    );
}

#[test]
fn long_answers_are_in_a_file() {
    let long = "x".repeat(100_000);
    let failure = answer(
        "404 No",
        "content-type: text/plain\r\n",
        "no such pet s3cret",
    );
    let world = world(
        vec![
            answer("200 OK", "content-type: text/csv\r\n", &long),
            failure,
        ],
        None,
    );
    let settings = [("TOKEN", "s3cret")];
    let res = world.run(&settings, "getPet", json!({"id": 1}));
    let value = &res["value"];
    assert_eq!(
        (&value["bytes"], &value["media_type"]),
        (&json!(100_000), &json!("text/csv"))
    );
    let file = value["file"].as_str().unwrap();
    assert_eq!(std::fs::read_to_string(Path::new(file)).unwrap(), long);
    let res = world.run(&settings, "getPet", json!({"id": 1}));
    assert_eq!(res["error"]["details"]["status"], 404, "{res}");
    assert_eq!(res["error"]["details"]["body"], "no such pet ***", "{res}");
}

#[test]
fn a_body_is_not_sent_to_another_host() {
    let elsewhere = "location: http://127.0.0.1:1/x\r\n";
    let world = world(vec![answer("307 There", elsewhere, "")], None);
    let res = world.run(&[("TOKEN", "x")], "putPet", json!({"name": "a"}));
    assert_eq!(res["error"]["code"], "denied", "{res}");
    let message = res["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("where it is not sent"), "{message}");
}

#[test]
fn the_server_that_the_user_chose_is_permitted() {
    let answers = vec![answer("200 OK", "", "here")];
    let world = world(answers, Some("${HOST}/v2"));
    let metadata = world.dir.path().join("pets/METADATA.yml");
    let text = std::fs::read_to_string(&metadata).unwrap();
    let port = text.split("127.0.0.1:").nth(1).unwrap();
    let port: String = port.chars().take_while(char::is_ascii_digit).collect();
    let text = text.replace("[127.0.0.1]", "[a.example]");
    std::fs::write(&metadata, text).unwrap();
    let host = format!("http://127.0.0.1:{port}");
    let settings = [("TOKEN", "x"), ("HOST", host.as_str())];
    let res = world.run(&settings, "getPet", json!({"id": 1}));
    assert_eq!(res["value"], "here", "{res}");
}
