//! Addresses and credentials of services.

use plugin_model::{Document, parse_json};
use serde_json::{Value, json};

use super::{document, documents};
use crate::read;

#[test]
fn credentials_and_servers_become_settings() {
    let components = json!({"securitySchemes": {
        "key": {"type": "apiKey", "in": "query", "name": "k"},
        "login": {"type": "http", "scheme": "Basic"},
        "pets_auth": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://a.example", "scopes": {"x": ""}}}},
        "cert": {"type": "mutualTLS"},
        "unused": {"type": "http", "scheme": "bearer"},
    }});
    let mut document = document(
        "3.1.1",
        &json!({
            "/a": {"get": {"security": [{"key": [], "login": []}, {"cert": []}, {}]}},
            "/b": {"get": {}, "servers": [{"url": "https://{region}.b.example:8443/{stage}", "variables": {"region": {"default": "eu"}, "stage": {"default": "x"}}}]},
            "/c": {"delete": {"x-openai-isConsequential": false}, "post": {"x-openai-isConsequential": true}},
        }),
        &components,
    );
    document["security"] = json!([{"pets_auth": []}]);
    document["servers"] = json!([{"url": "http://{host}.example/v1", "variables": {"host": {"enum": ["a", "b"], "default": "a"}}}]);
    let reading = documents(&[("d", document)]);
    let api = &reading.apis[0];
    assert_eq!(
        api.endpoint.as_deref(),
        Some("http://${PETS_HOST}.example/v1")
    );
    assert_eq!(
        api.hosts,
        [
            "*.b.example:8443",
            "a.example",
            "b.example",
            "eu.b.example:8443"
        ]
    );
    let keys: Vec<(&str, Option<&str>, bool)> = api
        .settings
        .iter()
        .map(|it| (it.key.as_str(), it.default.as_deref(), it.is_secret))
        .collect();
    assert_eq!(
        keys,
        [
            ("PETS_HOST", Some("a"), false),
            ("PETS_REGION", Some("eu"), false),
            ("PETS_STAGE", Some("x"), false),
            ("PETS_BASE_URL", None, false),
            ("PETS_KEY", None, true),
            ("PETS_LOGIN_USER", None, false),
            ("PETS_LOGIN_PASSWORD", None, true),
            ("PETS_AUTH_ACCESS_TOKEN", None, true),
        ]
    );
    let security =
        |at: usize| serde_json::to_value(&api.operations[at].http.security).expect("a value");
    assert_eq!(security(0), json!([["key", "login"], ["cert"], []]));
    assert_eq!(security(1), json!([["pets_auth"]]));
    assert_eq!(
        api.operations[1].http.server.as_deref(),
        Some("https://${PETS_REGION}.b.example:8443/${PETS_STAGE}")
    );
    let asks: Vec<bool> = api.operations.iter().map(|it| it.needs_approval).collect();
    assert_eq!(asks, [false, false, false, true]);
    let codes: Vec<&str> = reading.findings.iter().map(|it| it.code.0).collect();
    assert_eq!(codes, ["token-needed", "unsupported-part"]);
}

/// Compares the address of the service, that of its first operation, the hosts, and the settings.
#[track_caller]
fn check_servers(root: &str, own: Option<&str>, base: Option<&str>, expected: &Value) {
    let mut item = json!({"get": {"responses": {}}});
    if let Some(own) = own {
        item["servers"] = json!([{ "url": own }]);
    }
    let mut document = document("3.0.3", &json!({ "/x": item }), &json!({}));
    document["servers"] = json!([{ "url": root }]);
    let text = document.to_string();
    let documents = [Document {
        file: "d".into(),
        text: &text,
        root: parse_json(&text).0.expect("valid JSON"),
        keys: &[],
    }];
    let reading = read("d", &documents, base);
    let api = &reading.apis[0];
    let keys: Vec<&str> = api.settings.iter().map(|it| it.key.as_str()).collect();
    let found = json!([
        api.endpoint,
        api.operations[0].http.server,
        api.hosts,
        keys,
        api.endpoint_setting
    ]);
    assert_eq!(found, *expected, "{root} {own:?} {base:?}");
}

#[test]
fn addresses_are_those_that_a_client_would_ask() {
    let other = "PETS_BASE_URL";
    let of = |url: &str| json!([url, null, ["a.example"], [other], other]);
    check_servers(
        "https://a.example/v1",
        None,
        None,
        &of("https://a.example/v1"),
    );
    check_servers("//a.example/v1", None, None, &of("https://a.example/v1"));
    check_servers(
        "//a.example/v1",
        None,
        Some("http://b.example/d.json"),
        &of("http://a.example/v1"),
    );
    check_servers(
        "https://a.example/v1?k=1#top",
        None,
        None,
        &of("https://a.example/v1?k=1"),
    );
    // Relative: beside the document, or a setting.
    let base = Some("https://a.example/docs/api.json");
    check_servers("v1", None, base, &of("https://a.example/docs/v1"));
    check_servers("../v1/", None, base, &of("https://a.example/v1"));
    check_servers("/", None, base, &of("https://a.example"));
    let setting =
        |path: &str| json!([format!("${{PETS_BASE_URL}}{path}"), null, [], [other], null]);
    check_servers("/v1", None, None, &setting("/v1"));
    check_servers("v1", None, None, &setting("/v1"));
    // A variable that is not declared.
    check_servers(
        "https://{region}.a.example/v1",
        None,
        None,
        &json!([
            "https://${PETS_REGION}.a.example/v1",
            null,
            ["*.a.example"],
            ["PETS_REGION", other],
            other
        ]),
    );
    // Servers of a path: relative ones are beside the first server.
    check_servers(
        "https://a.example/v1",
        Some("/v2"),
        None,
        &json!([
            "https://a.example/v1",
            "https://a.example/v2",
            ["a.example"],
            [other],
            other
        ]),
    );
    check_servers(
        "https://a.example/v1",
        Some("//b.example"),
        None,
        &json!([
            "https://a.example/v1",
            "https://b.example",
            ["a.example", "b.example"],
            [other],
            other
        ]),
    );
    check_servers(
        "/v1",
        Some("/v2"),
        None,
        &json!([
            "${PETS_BASE_URL}/v1",
            "${PETS_BASE_URL}/v2",
            [],
            [other],
            null
        ]),
    );
}

/// Compares the credential of a scheme, as `place name prefix setting`, or the finding about it.
#[track_caller]
fn check_scheme(scheme: &Value, expected: &str) {
    let paths = json!({"/x": {"get": {"security": [{"own": []}], "responses": {}}}});
    let components = json!({ "securitySchemes": { "own": scheme } });
    let reading = documents(&[("d", document("3.1.0", &paths, &components))]);
    let api = &reading.apis[0];
    assert_eq!(api.operations[0].http.security, [["own"]], "{scheme}");
    let found = match api.credentials.get("own") {
        Some(it) => {
            let (place, prefix) = (it.place.word(), it.prefix.as_deref().unwrap_or_default());
            format!("{place} {} {prefix} {}", it.name, it.setting)
        }
        None => {
            let place = reading.findings[0].place.pointer.clone();
            assert_eq!(place.as_deref(), Some("/components/securitySchemes/own"));
            reading.findings[0].message.clone()
        }
    };
    assert_eq!(found, expected, "{scheme}");
}

#[test]
fn schemes_that_cannot_be_sent_stay_in_the_request() {
    for (scheme, expected) in [
        (
            json!({"type": "apiKey", "in": "cookie", "name": "sid"}),
            "cookie sid  PETS_OWN",
        ),
        (
            json!({"type": "http", "scheme": "Token"}),
            "header Authorization Token PETS_OWN_TOKEN",
        ),
        (
            json!({"type": "openIdConnect", "openIdConnectUrl": "https://a.example"}),
            "header Authorization Bearer PETS_OWN_ACCESS_TOKEN",
        ),
        (
            json!({"type": "http", "scheme": "digest"}),
            "the security scheme `own` (http digest) is not supported",
        ),
        (
            json!({"type": "mutualTLS"}),
            "the security scheme `own` (mutualTLS) is not supported",
        ),
        (
            json!({"type": "apiKey", "in": "body", "name": "key"}),
            "the security scheme `own` sends a key as `key` in `body`, which is not supported",
        ),
        (
            json!({"type": "apiKey", "in": "header"}),
            "the security scheme `own` sends a key as `` in `header`, which is not supported",
        ),
    ] {
        check_scheme(&scheme, expected);
    }
    let paths = json!({"/x": {"get": {"security": [{"a b": []}, {"gone": []}], "responses": {}}}});
    let components = json!({"securitySchemes": {
        "a b": {"type": "apiKey", "in": "query", "name": "k"}, "a-b": {"type": "apiKey", "in": "query", "name": "l"}}});
    let reading = documents(&[("d", document("3.1.0", &paths, &components))]);
    let api = &reading.apis[0];
    assert_eq!(api.operations[0].http.security, [["a b"], ["gone"]]);
    assert_eq!(api.credentials["a b"].setting, "PETS_A_B");
    let finding = &reading.findings[0];
    assert_eq!(
        finding.place.pointer.as_deref(),
        Some("/paths/~1x/get/security/1/gone")
    );
}

/// Compares the address of the service, its hosts, the credentials, their settings, what an operation needs,
/// and the findings.
#[track_caller]
fn check_secrets(url: &str, own: Option<&str>, expected: &Value) {
    let mut item = json!({"get": {"security": [{"own": []}, {}], "responses": {}}});
    if let Some(own) = own {
        item["servers"] = json!([{ "url": own }]);
    }
    let components = json!({"securitySchemes": {"own": {"type": "http", "scheme": "bearer"}}});
    let mut document = document("3.1.0", &json!({ "/x": item }), &components);
    let variables = json!({"word": {"default": ""}});
    document["servers"] = json!([{"url": url, "variables": variables}]);
    let reading = documents(&[("d", document)]);
    let api = &reading.apis[0];
    let secret: Vec<&str> = api
        .settings
        .iter()
        .filter(|it| it.is_secret)
        .map(|it| it.key.as_str())
        .collect();
    let codes: Vec<&str> = reading.findings.iter().map(|it| it.code.0).collect();
    let found = json!([
        api.endpoint,
        api.hosts,
        secret,
        api.operations[0].http.security,
        codes
    ]);
    assert_eq!(found, *expected, "{url}");
    let all = format!("{reading:?}");
    assert!(!all.contains("tiger") && !all.contains("k4711"), "{all}");
}

#[test]
fn secrets_of_an_address_become_credentials() {
    let of = |keys: &Value, security: Value, codes: &[&str]| {
        json!(["https://a.example/v1", ["a.example"], keys, security, codes])
    };
    check_secrets(
        "https://ann:tiger@a.example/v1",
        None,
        &of(
            &json!(["PETS_SERVER_PASSWORD", "PETS_OWN_TOKEN"]),
            json!([["own", "server login"], ["server login"]]),
            &["secret-found"],
        ),
    );
    check_secrets(
        "https://tiger@a.example/v1?api_key=k4711#x",
        None,
        &of(
            &json!([
                "PETS_SERVER_USER",
                "PETS_SERVER_PASSWORD",
                "PETS_API_KEY",
                "PETS_OWN_TOKEN"
            ]),
            json!([
                ["own", "server api_key", "server login"],
                ["server api_key", "server login"]
            ]),
            &[
                "secret-found",
                "secret-found",
                "unsupported-part",
                "unsupported-part",
            ],
        ),
    );
    // That of one operation has settings of its own.
    check_secrets(
        "https://a.example/v1",
        Some("https://ann:tiger@b.example"),
        &json!([
            "https://a.example/v1",
            ["a.example", "b.example"],
            ["PETS_SERVER_B_EXAMPLE_PASSWORD", "PETS_OWN_TOKEN"],
            [
                ["own", "server b.example login"],
                ["server b.example login"]
            ],
            ["secret-found"]
        ]),
    );
    // Variables are settings already, and have no value.
    check_secrets(
        "https://ann:{word}@a.example/v1?page=2",
        None,
        &json!([
            "https://ann:${PETS_WORD}@a.example/v1?page=2",
            ["a.example"],
            ["PETS_WORD", "PETS_OWN_TOKEN"],
            [["own"], []],
            ["unsupported-part"]
        ]),
    );
}

/// Compares the secret settings of a service whose operations have these addresses and security schemes.
#[track_caller]
fn check_keys(urls: &[&str], schemes: &[&str], expected: &[&str]) {
    let mut paths = json!({});
    for (at, url) in urls.iter().enumerate().skip(1) {
        paths[format!("/{at}")] = json!({"get": {"responses": {}, "servers": [{ "url": url }]}});
    }
    paths["/0"] = json!({"get": {"responses": {}}});
    let mut components = json!({});
    for id in schemes {
        let scheme = json!({"type": "apiKey", "in": "query", "name": "api_key"});
        components["securitySchemes"][id] = scheme;
    }
    let mut document = document("3.1.0", &paths, &components);
    document["servers"] = json!([{ "url": urls[0] }]);
    document["security"] = schemes.iter().map(|id| json!({ *id: [] })).collect();
    let api = &documents(&[("d", document)]).apis[0];
    let of_credentials = api
        .credentials
        .values()
        .flat_map(http_request::Credential::settings);
    let mut found: Vec<&str> = of_credentials.collect();
    found.sort_unstable();
    assert_eq!(found, expected, "{urls:?} {schemes:?}");
    let keys = api.settings.iter().map(|it| it.key.as_str());
    assert!(found.iter().all(|it| keys.clone().any(|key| key == *it)));
}

#[test]
fn two_secrets_have_two_settings() {
    const PASSWORD: &str = "PETS_SERVER_A_EXAMPLE_PASSWORD";
    const PASSWORD_2: &str = "PETS_SERVER_A_EXAMPLE_PASSWORD_2";
    const USER: &str = "PETS_SERVER_A_EXAMPLE_USER";
    let (root, own) = (
        "https://b.example",
        "https://ann:one@a.example?password=two",
    );
    check_keys(&[root, own], &[], &[PASSWORD, PASSWORD_2, USER]);
    let same = "https://ann:one@a.example?password=one";
    check_keys(&[root, same], &[], &[PASSWORD, PASSWORD, USER]);
    let other = "https://ann:two@a.example";
    check_keys(
        &[root, "https://ann:one@a.example", other],
        &[],
        &[PASSWORD, PASSWORD_2, USER, USER],
    );
    // A scheme that is sent in the same place is the same secret, once.
    check_keys(
        &["https://a.example?api_key=one"],
        &["api_key"],
        &["PETS_API_KEY", "PETS_API_KEY"],
    );
    check_keys(
        &["https://a.example?api-key=one"],
        &["api_key", "apiKey"],
        &["PETS_API_KEY", "PETS_API_KEY_2", "PETS_API_KEY_3"],
    );
    check_keys(&["https://b.example"], &["base_url"], &["PETS_BASE_URL_2"]);
}

#[test]
fn secrets_of_two_documents_have_two_settings() {
    let servers = |host: &str| {
        json!([{
            "url": format!("https://{host}/{{token}}"),
            "variables": {"token": {"default": "REDACTED"}},
        }])
    };
    let mut first = document(
        "3.1.0",
        &json!({"/x": {"$ref": "e#/paths/~1x"}}),
        &json!({}),
    );
    first["servers"] = servers("a.example");
    let item = json!({"/x": {"get": {"responses": {}, "servers": servers("b.example")}}});
    let second = document("3.1.0", &item, &json!({}));
    let reading = documents(&[("d", first), ("e", second)]);
    let settings = reading.apis[0].settings.iter().filter(|it| it.is_secret);
    let mut keys: Vec<&str> = settings.map(|it| it.key.as_str()).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["PETS_TOKEN", "PETS_TOKEN_2"]);
}
