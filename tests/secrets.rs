//! Secrets in the sources of a plugin: refused, or taken out.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::tool;

const KEY: &str = "sk-proj-T3xQ9mVb7Kd2Wz8Lr5Np1Hy6Jc4Gf0AsQe9Ru2";
/// The same key in base64.
const ENCODED: &str = "c2stcHJvai1UM3hROW1WYjdLZDJXejhMcjVOcDFIeTZKYzRHZjBBc1FlOVJ1Mg==";

/// Migrates a plugin whose program contains `secret`. `program` is the text that replaces it in the
/// skill, or `None` if the plugin is refused.
#[track_caller]
fn check(secret: &str, flags: &[&str], program: Option<&str>) {
    let dir = TempDir::new().unwrap();
    let [plugins, skills] = ["plugins", "skills"].map(|name| dir.path().join(name));
    fs::create_dir_all(plugins.join("Mail")).unwrap();
    let manifest = json!({
        "name": "Mail", "version": "1.0.0", "author": "a", "description": "Sends mail.",
        "pluginType": "synchronous", "entryPoint": {"type": "nodejs", "command": "node mail.js"},
        "communication": {"protocol": "stdio"},
    });
    fs::write(
        plugins.join("Mail/plugin-manifest.json"),
        manifest.to_string(),
    )
    .unwrap();
    let source = |value: &str| format!("const k = Buffer.from('{value}', 'base64');\n");
    fs::write(plugins.join("Mail/mail.js"), source(secret)).unwrap();
    let report = tool::report(&plugins, &skills, flags);
    let found = &report["plugins"][0];
    let severities = found["findings"].as_array().unwrap().iter();
    let severities = severities.filter(|finding| finding["code"] == "secret-found");
    let severities: Vec<&str> = severities
        .map(|finding| finding["severity"].as_str().unwrap())
        .collect();
    let written = fs::read_to_string(skills.join("mail/scripts/mail.js")).ok();
    assert_eq!(written, program.map(source), "{report}");
    let severity = if program.is_some() {
        "warning"
    } else {
        "error"
    };
    assert_eq!(severities, [severity], "{report}");
}

#[test]
fn a_secret_is_refused_or_taken_out() {
    check(KEY, &[], None);
    check(KEY, &["--secrets", "redact"], Some("REDACTED"));
}

#[test]
fn a_secret_in_base64_is_taken_out_and_the_plugin_migrated() {
    check(ENCODED, &[], Some("REDACTED"));
    check(ENCODED, &["--secrets", "redact"], Some("REDACTED"));
}

#[test]
fn random_bytes_in_base64_may_be_another_constant_and_are_left_to_the_user() {
    const BYTES: &str = "9fK2xQ7vLm0ZrT4bWc8YhN1pDs6GuEjA5oXiRk3VtqM+Jw==";
    check(BYTES, &[], None);
    check(BYTES, &["--secrets", "redact"], Some("REDACTED"));
}

/// An API whose document has a key among its examples, alone and beside `ai-plugin.json`: the key is taken
/// out without a word of the caller, and the API is migrated.
#[test]
fn a_key_among_the_examples_of_an_api_is_taken_out() {
    let document = json!({
        "openapi": "3.0.3", "info": {"title": "Mail", "version": "1"},
        "servers": [{"url": "https://mail.example.org"}],
        "paths": {"/keys": {"post": {"operationId": "addKey", "requestBody": {"content": {"application/json": {
            "schema": {"type": "object", "properties": {"key": {"type": "string"}}},
            "example": {"key": KEY},
        }}}, "responses": {"200": {"description": "Added."}}}}},
    });
    let manifest = json!({
        "schema_version": "v1", "name_for_model": "mail", "name_for_human": "Mail",
        "description_for_model": "Adds keys.", "description_for_human": "Adds keys.",
        "auth": {"type": "none"}, "api": {"type": "openapi", "url": "https://mail.example.org/openapi.json"},
    });
    for manifest in [None, Some(manifest)] {
        let dir = TempDir::new().unwrap();
        let [api, skills] = ["api", "skills"].map(|name| dir.path().join(name));
        fs::create_dir_all(&api).unwrap();
        fs::write(api.join("openapi.json"), document.to_string()).unwrap();
        if let Some(manifest) = &manifest {
            fs::write(api.join("ai-plugin.json"), manifest.to_string()).unwrap();
        }
        let report = tool::report(&api, &skills, &[]);
        assert_eq!(report["plugins"][0]["status"], "created", "{report}");
        let written = crate::tree::render(&skills, |_| true);
        assert!(!written.contains(KEY), "{written}");
        assert!(written.contains("id: addKey"), "{written}");
    }
}

/// A server whose entry has a token, in a table of some host, with comments and a comma too many, beside a
/// second server. The token becomes a setting of the one, with a finding, and is nowhere in the output.
#[track_caller]
fn check_table(
    file: &str,
    (before, after): (&str, &str),
    has_comments: bool,
    beside: &[(&str, &str)],
) {
    let dir = TempDir::new().unwrap();
    let [input, skills] = ["in", "skills"].map(|name| dir.path().join(name));
    for (path, text) in beside {
        let path = input.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let entry = |name: &str, headers: &str| {
        format!(
            r#""{name}": {{"type": "remote", "url": "https://{name}.example.com/mcp"{headers}}}"#
        )
    };
    let (mine, comment) = if has_comments {
        (", // mine\n", "/* the other */ \n")
    } else {
        ("", "")
    };
    let headers = format!(r#", "headers": {{"Authorization": "Bearer {KEY}"}}{mine}"#);
    let servers = format!(
        "{{{}, {comment}{}}}",
        entry("mail", &headers),
        entry("post", "")
    );
    fs::create_dir_all(input.join(file).parent().unwrap()).unwrap();
    fs::write(input.join(file), format!("{before}{servers}{after}")).unwrap();
    let report = tool::report(&input, &skills, &[]);
    let written = crate::tree::render(&skills, |_| true);
    assert!(!written.contains(KEY), "{written}");
    for plugin in report["plugins"].as_array().unwrap() {
        assert_eq!(plugin["status"], "created", "{report}");
        let findings = plugin["findings"].as_array().unwrap().iter();
        let found: Vec<&str> = findings
            .filter(|it| it["code"] == "secret-found")
            .filter_map(|it| it["help"].as_str())
            .filter(|help| help.contains("the skill has a setting in its place"))
            .collect();
        let is_mail = plugin["skill"] == "mail";
        assert_eq!(found.len(), usize::from(is_mail), "{plugin}");
    }
    assert!(
        written.contains("Sent in the header `Authorization`, as `Bearer ${AUTHORIZATION}`."),
        "{written}"
    );
}

#[test]
fn secrets_in_the_servers_of_every_host_are_settings_with_a_finding() {
    const SKILL: &str = "---\nname: a\ndescription: Does a.\n---\nDo a.\n";
    let plugin = |manifest| [(manifest, r#"{"name": "a"}"#), ("skills/a/SKILL.md", SKILL)];
    let whole = ("", "");
    let named = (r#"{"mcpServers": "#, "}");
    let table = (r#"{"mcp": "#, "}");
    check_table(".mcp.json", named, true, &[]);
    check_table(".mcp.json", (r#"{"servers": "#, ",}"), true, &[]);
    check_table(".mcp.json", whole, true, &[]);
    check_table(".mcp.json", whole, false, &[]);
    check_table("opencode.jsonc", table, true, &[]);
    check_table("opencode.json", table, false, &[]);
    check_table(
        ".mcp.json",
        whole,
        true,
        &plugin(".claude-plugin/plugin.json"),
    );
    check_table(
        ".mcp.json",
        named,
        true,
        &plugin(".codex-plugin/plugin.json"),
    );
    check_table(
        "mcp.json",
        named,
        true,
        &plugin(".cursor-plugin/plugin.json"),
    );
    let extension = (r#"{"name": "a", "mcpServers": "#, "}");
    let skill = [("skills/a/SKILL.md", SKILL)];
    check_table("gemini-extension.json", extension, false, &skill);
}

/// The manifest of one server with a token where it starts the server, and one elsewhere: both are nowhere in
/// the output, the first has a setting, and the report has the findings.
#[track_caller]
fn check_document(file: &str, document: &Value, setting: &str, helps: &[&str]) {
    for flags in [&[][..], &["--secrets", "redact"]] {
        let dir = TempDir::new().unwrap();
        let [input, skills] = ["in", "skills"].map(|name| dir.path().join(name));
        fs::create_dir_all(&input).unwrap();
        fs::write(input.join(file), document.to_string()).unwrap();
        fs::write(input.join("a.js"), "").unwrap();
        let report = tool::report(&input, &skills, flags);
        let written = crate::tree::render(&skills, |_| true);
        assert!(!written.contains(KEY), "{written}");
        assert!(written.contains(setting), "{setting}: {written}");
        for plugin in report["plugins"].as_array().unwrap() {
            assert_eq!(plugin["status"], "created", "{report}");
        }
        let findings = report["plugins"][0]["findings"].as_array().unwrap();
        let found = findings.iter().filter(|it| it["code"] == "secret-found");
        let found: Vec<&str> = found.filter_map(|it| it["help"].as_str()).collect();
        assert_eq!(found.len(), helps.len(), "{report}");
        for help in helps {
            assert!(found.iter().any(|it| it.contains(help)), "{help}: {report}");
        }
    }
}

#[test]
fn secrets_in_bundles_and_servers_of_the_registry_are_settings() {
    const SETTING: &str = "the skill has a setting in its place";
    const REDACTED: &str = "REDACTED was written in its place: the skill starts";
    let bundle = |config: Value, settings: Value| {
        json!({"manifest_version": "0.3", "name": "m", "version": "1.0.0", "description": "Does m.",
            "server": {"type": "node", "entry_point": "a.js", "mcp_config": config}, "user_config": settings})
    };
    let start = |args: &[&str]| json!({"command": "node", "args": args});
    let env = json!({"command": "node", "args": ["a.js"], "env": {"MAIL_KEY": KEY}});
    check_document(
        "manifest.json",
        &bundle(env, json!({})),
        "${MAIL_KEY}",
        &[SETTING],
    );
    let header = format!("X-Key: {KEY}");
    let args = start(&["a.js", "--header", &header]);
    check_document(
        "manifest.json",
        &bundle(args, json!({})),
        "X-Key: ${",
        &[SETTING],
    );
    let place = json!({"place": {"type": "string", "default": KEY}});
    let named = start(&["a.js", "${user_config.place}"]);
    check_document("manifest.json", &bundle(named, place), "PLACE", &[SETTING]);

    let server = |packages: Value, remotes: Value| json!({"name": "io.x/m", "description": "Does m.", "version": "1.0.0", "packages": packages, "remotes": remotes});
    let remote = |headers: Value| json!([{"type": "sse", "url": "https://m.example/sse", "headers": headers}]);
    let fixed = json!([{"name": "Authorization", "value": format!("Bearer {KEY}")}]);
    check_document(
        "server.json",
        &server(json!([]), remote(fixed.clone())),
        "${AUTHORIZATION}",
        &[SETTING],
    );
    let package = json!([{"registryType": "npm", "identifier": "m", "version": "1.0.0",
        "environmentVariables": [{"name": "PLACE", "default": KEY}]}]);
    check_document(
        "server.json",
        &server(package, remote(fixed)),
        "${PLACE}",
        &[SETTING, REDACTED],
    );
}
