//! A secret in every place of a request and of an answer, in every encoding.

use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD, HEXLOWER};
use serde_json::json;

use skill_model::percent_encoded;

use super::forms::MIN_ENCODED;
use super::*;
use crate::question::Question;

/// The secret of the tests: signs that every encoding changes.
const CANARY: &str = "kAn4ry/+ &\"<x>=:é";

fn mask() -> Mask {
    Mask::new(&BTreeMap::from([(
        "SERVICE_KEY".to_owned(),
        CANARY.to_owned(),
    )]))
}

fn question(path: &str, query: &str, headers: &[(&str, &str)], body: &[u8]) -> Question {
    let headers = headers.iter();
    Question {
        scheme: "https",
        method: "POST".to_owned(),
        host: "a.example".to_owned(),
        port: 443,
        path: path.to_owned(),
        query: query.to_owned(),
        headers: headers
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        body: body.to_vec(),
        unread: None,
    }
}

/// Returns the record of a request without secrets as text.
fn masked(question: &Question) -> String {
    let request = mask().exchange(Exchange::new(question, 200));
    serde_json::to_string(&request).unwrap()
}

/// The canary in every form in which it could be found again.
#[track_caller]
fn check_absent(text: &str) {
    for form in secret_forms(CANARY) {
        assert!(!text.contains(&form), "{form} in {text}");
    }
    assert!(!text.contains("kAn4ry"), "{text}");
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"+/-_".contains(c));
    for word in words.filter(|word| word.len() >= MIN_ENCODED) {
        let bytes = base64::decode(word.as_bytes()).unwrap_or_default();
        let found = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!found.contains("kAn4ry"), "{word} in {text}");
    }
}

/// Headers with the secret.
fn headers() -> Vec<(String, String)> {
    let percent = percent_encoded(CANARY);
    let basic = BASE64_NOPAD.encode(format!("user:{CANARY}").as_bytes());
    let plain = [
        ("authorization", format!("Bearer {CANARY}")),
        ("authorization", CANARY.to_owned()),
        ("authorization", format!("Basic {basic}=")),
        ("proxy-authorization", format!("Basic {basic}")),
        ("x-api-key", CANARY.to_owned()),
        ("x-custom", CANARY.to_owned()),
        ("x-custom", format!("id=7, value={CANARY}")),
        ("x-custom", percent.clone()),
        ("x-custom", BASE64_NOPAD.encode(CANARY.as_bytes())),
        ("x-custom", HEXLOWER.encode(CANARY.as_bytes())),
        ("cookie", format!("a=1; session={CANARY}")),
        ("cookie", format!("plain={percent}")),
        ("referer", format!("https://a.example/?q={percent}")),
        ("user-agent", format!("tool/{CANARY}")),
        (&format!("x-{CANARY}"), "1".to_owned()),
        ("x-amz-security-token", CANARY.to_owned()),
        (
            "authorization",
            format!("AWS4-HMAC-SHA256 Credential={CANARY}/20250101/eu, Signature=0"),
        ),
        ("x-json", json!({"key": CANARY}).to_string()),
        (
            "link",
            format!("<https://a.example/?k={percent}>; rel=next"),
        ),
    ];
    let owned = plain.map(|(name, value)| (name.to_owned(), value));
    owned.to_vec()
}

/// Paths and queries with the secret.
fn addresses() -> Vec<(String, String)> {
    let percent = percent_encoded(CANARY);
    let every = HEXLOWER.encode(CANARY.as_bytes());
    let every: Vec<&str> = (0..every.len())
        .step_by(2)
        .map(|at| &every[at..at + 2])
        .collect();
    let every = format!("%{}", every.join("%"));
    vec![
        (format!("/bot{percent}/send"), String::new()),
        (format!("/{every}/x"), String::new()),
        ("/".to_owned(), format!("key={percent}")),
        ("/".to_owned(), format!("q={every}&x=1")),
        ("/".to_owned(), format!("q={}", percent.replace("%20", "+"))),
        ("/".to_owned(), format!("{percent}=1")),
        ("/".to_owned(), format!("a[b]={percent}")),
        (
            "/".to_owned(),
            format!("u={}", BASE64URL_NOPAD.encode(CANARY.as_bytes())),
        ),
        (format!("/a;key={percent}/b"), String::new()),
        (
            "/".to_owned(),
            format!(
                "next={}",
                percent_encoded(&format!("https://b.example/?k={percent}"))
            ),
        ),
        (
            "/".to_owned(),
            format!("v={}", percent_encoded(&json!({"k": [CANARY]}).to_string())),
        ),
    ]
}

/// Types and texts of bodies with the secret.
fn bodies() -> Vec<(&'static str, String)> {
    let json = Value::from(CANARY).to_string();
    let escaped = CANARY.encode_utf16();
    let escaped = escaped.fold(String::new(), |text, unit| text + &format!("\\u{unit:04x}"));
    let percent = percent_encoded(CANARY);
    let form = "application/x-www-form-urlencoded";
    let multipart = "multipart/form-data; boundary=abc";
    vec![
        ("application/json", format!("{{\"a\":[{{\"b\":{json}}}]}}")),
        (
            "application/json",
            format!("{{\"text\":\"x {}\"}}", &json[1..]),
        ),
        ("application/json", format!("{{{json}:1}}")),
        (
            "application/json",
            format!("{{\"a\":{}}}", Value::from(format!("{{\"b\":{json}}}"))),
        ),
        ("text/plain", format!("token {CANARY} end")),
        (
            "text/xml",
            format!(
                "<a>{}</a>",
                CANARY
                    .replace('&', "&amp;")
                    .replace('<', "&lt;")
                    .replace('>', "&gt;")
                    .replace('"', "&quot;")
            ),
        ),
        (form, format!("a=1&secret={percent}")),
        (form, format!("a={}", percent.to_ascii_lowercase())),
        (
            multipart,
            format!(
                "--abc\r\ncontent-disposition: form-data; name=\"password\"\r\n\r\n{CANARY}\r\n--abc--\r\n"
            ),
        ),
        (
            multipart,
            format!(
                "--abc\r\ncontent-disposition: form-data; name=\"x\"\r\n\r\n{CANARY}\r\n--abc--\r\n"
            ),
        ),
        (
            "application/x-ndjson",
            format!("{{\"a\":1}}\n{{\"a\":{json}}}\n"),
        ),
        ("text/event-stream", format!("data: {{\"a\":{json}}}\n\n")),
        ("application/json", format!("{{\"a\":\"{escaped}\"}}")),
        (
            "application/json",
            json!({"query": "q", "variables": {"key": CANARY}}).to_string(),
        ),
        (
            "application/json",
            json!({"file": format!("data:text/plain;base64,{}", BASE64_NOPAD.encode(CANARY.as_bytes()))})
                .to_string(),
        ),
        (
            multipart,
            format!(
                "--abc\r\ncontent-disposition: form-data; name=\"x\"; filename=\"{percent}.txt\"\r\n\r\n1\r\n--abc--\r\n"
            ),
        ),
        ("text/csv", format!("name,key\r\nme,\"{}\"\r\n", CANARY.replace('"', "\"\""))),
    ]
}

#[test]
fn secrets_in_headers() {
    for (name, value) in headers() {
        check_absent(&masked(&question("/", "", &[(&name, &value)], b"")));
    }
}

#[test]
fn secrets_in_addresses() {
    for (path, query) in addresses() {
        check_absent(&masked(&question(&path, &query, &[], b"")));
    }
}

/// The promise of docs/proof.md. A shape of a body counts once, although it is tried in both directions.
#[test]
fn there_are_forty_shapes() {
    let n_shapes = headers().len() + addresses().len() + bodies().len();
    assert!(n_shapes >= 40, "{n_shapes}");
}

#[test]
fn secrets_in_bodies() {
    for (kind, body) in bodies() {
        let asked = question("/", "", &[("content-type", kind)], body.as_bytes());
        check_absent(&masked(&asked));
        let answer = mask().answer(Answer::new(kind, body));
        check_absent(&String::from_utf8(answer.body).unwrap());
    }
    let known = Mask::new(&BTreeMap::from([(
        "A_KEY".to_owned(),
        "kAn4ry-O'Neil".to_owned(),
    )]));
    for text in [
        "<p>kAn4ry-O&#x27;Neil",
        "KAN4RY-O'NEIL",
        "eGt4bjRyeQ kAn4ry-O&#39;Neil",
    ] {
        let answer = known.answer(Answer::new("text/html", text));
        let body = String::from_utf8(answer.body).unwrap().to_lowercase();
        assert!(!body.contains("neil"), "{text}: {body}");
    }
    for text in [
        "{\"access_token\": \"q7w8e9\", \"name\": \"Zoë\"}",
        "a6b: kAn4ry-O'Neil é",
    ] {
        let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let answer = known.answer(Answer::new("application/json", latin));
        let body: String = answer.body.iter().copied().map(char::from).collect();
        assert!(!body.contains("q7w8e9") && !body.contains("Neil"), "{body}");
    }
    let wide: Vec<u8> = "kAn4ry-O'Neil"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let answer = known.answer(Answer::new("text/plain", wide));
    assert_eq!(answer.body, b"MASKED.A_KEY");
    let mut bytes = b"\xFF\x00".to_vec();
    bytes.extend_from_slice(CANARY.as_bytes());
    let answer = mask().answer(Answer::new("image/png", bytes));
    check_absent(&String::from_utf8_lossy(&answer.body));
}

#[test]
fn secrets_that_are_no_settings() {
    for (headers, body) in [
        (vec![("authorization", "Bearer a.b.c")], String::new()),
        (vec![("x-auth-token", "q7w8e9")], String::new()),
        (vec![("cookie", "sid=q7w8e9")], String::new()),
        (vec![], r#"{"password":"q7w8e9"}"#.to_owned()),
        (vec![], r#"{"data":{"access_token":"q7w8e9"}}"#.to_owned()),
        (vec![], r#"{"password":{"value":["q7w8e9"]}}"#.to_owned()),
        (vec![("x-session-id", "q7w8e9")], String::new()),
        (vec![], r#"{"sessionId":"q7w8e9"}"#.to_owned()),
        (vec![], r#"{"user_pin":"q7w8e9","otp":"q7w8e9"}"#.to_owned()),
        (vec![], r#"{"sign":"q7w8e9"}"#.to_owned()),
    ] {
        let text = masked(&question("/", "api_key=q7w8e9", &headers, body.as_bytes()));
        assert!(
            !text.contains("q7w8e9") && !text.contains("a.b.c"),
            "{text}"
        );
    }
    let mut answer = Answer::new("application/json", r#"{"refresh_token": "q7w8e9"}"#);
    let cookie = "sid=q7w8e9; Path=/; HttpOnly";
    answer.headers.push(("set-cookie".into(), cookie.into()));
    let answer = mask().answer(answer);
    assert_eq!(answer.headers[1].1, "sid=MASKED; Path=/; HttpOnly");
    assert_eq!(answer.body, br#"{"refresh_token":"MASKED"}"#);
}

#[test]
fn made_up_values_give_the_same_record() {
    let with = |value: &str| {
        let secrets = BTreeMap::from([("SERVICE_KEY".to_owned(), value.to_owned())]);
        let query = format!("q=x%20y&key={}", percent_encoded(value));
        let body = serde_json::json!({"name": value, "city": "Oslo"});
        let headers = [("authorization", &*format!("Bearer {value}"))];
        let asked = question("/v1", &query, &headers, body.to_string().as_bytes());
        Mask::new(&secrets).exchange(Exchange::new(&asked, 200))
    };
    let recorded = with(CANARY);
    assert_eq!(recorded, with("emulated-service-key"));
    assert_eq!(
        recorded.url,
        "https://a.example/v1?q=x%20y&key=MASKED.SERVICE_KEY"
    );
    assert_eq!(recorded.headers["authorization"], "Bearer MASKED");
    assert_eq!(recorded.body["json"]["city"], "Oslo");
    assert_eq!(recorded.body["json"]["name"], "MASKED.SERVICE_KEY");
}

#[test]
fn answers_without_secrets_stay_as_they_are() {
    let text = "{ \"n\": 1.50, \"a\": [1,  2], \"max_tokens\": 7 }\n";
    let answer = mask().answer(Answer::new("application/json", text));
    assert_eq!(answer.body, text.as_bytes());
}

#[test]
fn pieces_of_secrets_are_secret() {
    let check = |setting: &str, sent: &str| {
        let mask = Mask::new(&BTreeMap::from([("KEYS".to_owned(), setting.to_owned())]));
        assert_eq!(mask.text(&format!("x={sent}.")), "x=MASKED.KEYS.");
    };
    check("first-key-1, second-key-2", "second-key-2");
    check("a=1; SESSDATA=q7w8e9r0t1", "q7w8e9r0t1");
    check("https://me:pa55word@a.example/x", "pa55word");
    check("one two", "one two");
}
