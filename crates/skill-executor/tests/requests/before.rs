//! The checks before a request is sent, and secrets that no answer has.

use data_encoding::BASE64;
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

/// Returns the dry run of `getPet` with these settings, and the answer of the call, whose server is not there.
fn with_base(base: &str) -> (Value, Value) {
    let world = world(Vec::new(), Some("http://127.0.0.1:1/v1"));
    let settings = [("TOKEN", "s3cret"), ("BASE", base)];
    let mut request = Request::new(json!({"id": "1"}));
    request.command = Some("getPet".to_owned());
    let (runner, skill) = (world.runner(&settings), world.skill());
    let shown = runner.prepare(&skill, request).unwrap().dry_run();
    let shown = shown.unwrap_or_else(|failure| failure.message.into());
    let input = json!({"id": "1"});
    (shown, world.run(&settings, "getPet", input))
}

#[test]
fn secrets_of_an_address_are_never_shown() {
    for base in [
        "http://ann:tiger77@127.0.0.1:1/v1?api_key=k4711&lang=en",
        "ftp://ann:tiger77@127.0.0.1/v1?api_key=k4711&lang=en",
        "http://ann:tig/er77@127.0.0.1/v1?api_key=k4711&lang=en",
        "http://ann:tiger77@127.0.0.1:99999/?api_key=k4711&lang=en",
    ] {
        let (shown, called) = with_base(base);
        for text in [shown.to_string(), called.to_string()] {
            let is_clean = !["tiger77", "er77", "k4711"]
                .iter()
                .any(|it| text.contains(it));
            assert!(is_clean, "{base}: {text}");
        }
        // A bad address is refused by both.
        if let Some(message) = shown.as_str() {
            assert_eq!(called["error"]["message"], message, "{base}");
        }
    }
    let (shown, _) = with_base("http://ann:tiger77@127.0.0.1:1/v1?api_key=k4711&lang=en");
    assert_eq!(
        shown["url"],
        "http://127.0.0.1:1/v1/pets/1?api_key=***&lang=en"
    );
    // That of the skill comes first.
    assert_eq!(shown["headers"]["authorization"], "Bearer ***");
}

#[test]
fn the_login_of_an_address_is_sent() {
    let echoed = answer("200 OK", "", "dG9tOnRpZ2VyNzc= tiger77");
    let world = world(vec![echoed], Some("http://127.0.0.1:1/v1"));
    let port = world.port;
    let base = format!("http://tom:tiger77@127.0.0.1:{port}/v1");
    let res = world.run(&[("BASE", &base)], "signedOrNot", json!({}));
    // What the service echoes is masked, too.
    assert_eq!(res["value"], "*** ***", "{res}");
    let asked = world.server.join().unwrap().remove(0);
    assert!(asked.starts_with("GET /v1/open HTTP/1.1"), "{asked}");
    assert!(asked.contains("Basic dG9tOnRpZ2VyNzc="), "{asked}");
}

/// Answers that repeat a login in forms that no program needs, only one that wants to be read.
#[test]
fn a_login_is_masked_in_every_form() {
    const LOGIN: &str = "dG9tOnRpZ2VyNzc3";
    let sent = format!("Basic {LOGIN}");
    let percent = |text: &str| {
        let each = text.bytes().map(|it| format!("%{it:02X}"));
        each.collect::<Vec<_>>().concat()
    };
    let unicode = |text: &str| {
        let each = text.bytes().map(|it| format!("\\u{it:04x}"));
        each.collect::<Vec<_>>().concat()
    };
    let wide: String = "tiger777".chars().flat_map(|it| [it, '\0']).collect();
    for (text, expected) in [
        (percent("tiger777"), "***"),
        (percent(LOGIN), "***"),
        (unicode(LOGIN), "***"),
        (sent.replace("tOnR", "tOn\r\n R"), "Basic ***"),
        (wide, "***"),
    ] {
        check_echo(&text, |value| assert_eq!(value, expected, "{text}"));
    }
    // What is base64 of something longer keeps its ends.
    for text in ["a user tom:tiger777 of me", &sent] {
        let text = BASE64.encode(text.as_bytes());
        check_echo(&text, |value| {
            assert!(value.contains("***"), "{text}: {value}");
        });
    }
}

#[track_caller]
fn check_echo(text: &str, check: impl Fn(&str)) {
    let world = world(
        vec![answer("200 OK", "", text)],
        Some("http://127.0.0.1:1/v1"),
    );
    let base = format!("http://tom:tiger777@127.0.0.1:{}/v1", world.port);
    let res = world.run(&[("BASE", &base)], "signedOrNot", json!({}));
    check(res["value"].as_str().unwrap());
}

#[test]
fn a_body_that_is_not_json_is_the_value() {
    let json_type = "content-type: application/json\r\n";
    let world = world(vec![answer("200 OK", json_type, "<p>ready</p>")], None);
    let res = world.run(&SETTINGS, "getPet", json!({"id": "1"}));
    assert_eq!(res["value"], "<p>ready</p>", "{res}");
    assert_eq!(res["warnings"][0]["code"], "answer-not-json", "{res}");
}

#[test]
fn a_token_that_no_header_can_carry_is_named() {
    let world = world(Vec::new(), Some("http://127.0.0.1:1/v1"));
    let settings = [("TOKEN", "s3cret-ü")];
    let res = world.run(&settings, "getPet", json!({"id": "1"}));
    let message = res["error"]["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("setting `TOKEN`: its value has a character outside of ASCII"),
        "{message}"
    );
    assert!(!message.contains("s3cret"), "{message}");
}

#[test]
fn another_origin_gets_no_credentials_of_the_address() {
    let own = [("NAME", "ann"), ("WORD", "w0rd"), ("SIG", "s1g")];
    for (base, login) in [
        ("http://tom:tiger77@127.0.0.1:PORT/v2", "dG9tOnRpZ2VyNzc="),
        ("http://127.0.0.1:PORT/v2", ""),
    ] {
        let world = world(
            vec![answer("200 OK", "", "fine")],
            Some("http://127.0.0.1:1/v1"),
        );
        let base = base.replace("PORT", &world.port.to_string());
        for settings in [&own[..], &[]] {
            let settings: Vec<_> = settings
                .iter()
                .copied()
                .chain([("BASE", base.as_str())])
                .collect();
            let mut request = Request::new(json!({}));
            request.command = Some("served".to_owned());
            let (runner, skill) = (world.runner(&settings), world.skill());
            let shown = runner.prepare(&skill, request).unwrap().dry_run().unwrap();
            assert_eq!(shown.get("missing"), None, "{shown}");
        }
        let settings: Vec<_> = own
            .iter()
            .copied()
            .chain([("BASE", base.as_str())])
            .collect();
        world.run(&settings, "served", json!({}));
        let asked = world.server.join().unwrap().remove(0);
        assert!(!asked.contains("s1g"), "{asked}");
        assert_eq!(asked.contains("Basic "), !login.is_empty(), "{asked}");
        assert!(asked.contains(login), "{asked}");
    }
}

#[test]
fn the_same_origin_gets_the_credentials_of_the_address() {
    let world = world(vec![answer("200 OK", "", "fine")], None);
    let base = format!("http://127.0.0.1:{}/v2", world.port);
    let settings = [
        ("NAME", "ann"),
        ("WORD", "w0rd"),
        ("SIG", "s1g"),
        ("BASE", &base),
    ];
    world.run(&settings, "served", json!({}));
    let asked = world.server.join().unwrap().remove(0);
    assert!(asked.starts_with("GET /v2/served?sig=s1g "), "{asked}");
    assert!(asked.contains("Basic YW5uOncwcmQ="), "{asked}");
}

#[test]
fn the_query_of_an_address_comes_after_the_path() {
    let world = world(vec![answer("200 OK", "", "fine")], Some("${HOST}/v3"));
    let base = format!("http://127.0.0.1:{}/root/?token=t0k#x", world.port);
    let settings = [("HOST", base.as_str()), ("TOKEN", "s3cret")];
    let mut request = Request::new(json!({"id": "1"}));
    request.command = Some("getPet".to_owned());
    let (runner, skill) = (world.runner(&settings), world.skill());
    let shown = runner.prepare(&skill, request).unwrap().dry_run().unwrap();
    let url = format!("http://127.0.0.1:{}/root/v3/pets/1?token=***", world.port);
    assert_eq!(shown["url"], url);
    world.run(&settings, "getPet", json!({"id": "1"}));
    let asked = world.server.join().unwrap().remove(0);
    assert!(
        asked.starts_with("GET /root/v3/pets/1?token=t0k "),
        "{asked}"
    );
}
