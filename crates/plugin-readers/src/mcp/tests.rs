use plugin_model::{Role, parse_json};
use serde_json::{Value, json};

use super::*;

fn found(file: &str, root: &Value) -> Vec<Server> {
    let text = root.to_string();
    let root = parse_json(&text).0.unwrap();
    servers(format_of(file), &file.into(), &root, &|_| None)
}

/// Returns what decides how a server is started.
fn shown(server: &Server) -> Value {
    let package = server.package.as_ref().map(|it| {
        format!(
            "{}:{}{}",
            it.registry,
            it.name,
            it.range
                .as_ref()
                .map(|range| format!("@{range}"))
                .unwrap_or_default()
        )
    });
    let settings = server.settings.iter().map(|it| {
        format!(
            "{}{}{}",
            it.key,
            if it.is_secret { " secret" } else { "" },
            if it.is_required { " required" } else { "" }
        )
    });
    let mut res = json!({"name": server.name});
    let mut set = |key: &str, value: Value| {
        if !matches!(&value, Value::Null)
            && value != json!([])
            && value != json!({})
            && value != json!(false)
        {
            res[key] = value;
        }
    };
    set("package", json!(package));
    set("command", json!(server.command));
    set("args", json!(server.args));
    set("env", json!(server.env));
    set("url", json!(server.url));
    set("headers", json!(server.headers));
    set("hosts", json!(server.hosts));
    set("settings", settings.collect());
    set("files", json!(server.has_files));
    set("blocked", json!(!server.blockers.is_empty()));
    res
}

#[track_caller]
fn check(file: &str, root: &Value, expected: &Value) {
    let servers = found(file, root);
    assert_eq!(servers.iter().map(shown).collect::<Value>(), *expected);
}

#[test]
fn entries_of_lists() {
    check(
        ".mcp.json",
        &json!({"mcpServers": {
            "files": {"command": "npx", "args": ["-y", "@x/files@1.2", "/data"], "env": {"LOG": "warn", "API_KEY": "<your key>", "URL": "${BASE:-https://a.example}"}},
            "time": {"command": "uvx", "args": ["--from", "mcp-time==2", "time-server", "--utc"]},
            "own": {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server.js"]},
            "line": {"command": "cmd", "args": ["/c", "npx", "--yes", "a-server"]},
            "git": {"command": "uvx", "args": ["git+https://x.example/a"]},
            "box": {"command": "docker", "args": ["run", "-i", "img"]},
            "web": {"type": "http", "url": "https://tools.example:8443/mcp", "headers": {"Authorization": "Bearer ${TOKEN}", "X-A": "b"}},
            "note": "text",
        }}),
        &json!([
            {"name": "files", "package": "npm:@x/files@1.2", "args": ["/data"], "env": {"LOG": "warn", "API_KEY": "${API_KEY}", "URL": "${BASE}"}, "hosts": ["a.example"], "settings": ["API_KEY secret required", "BASE"]},
            {"name": "time", "package": "pypi:mcp-time@==2", "command": "time-server", "args": ["--utc"]},
            {"name": "own", "command": "node", "args": ["${SKILL_DIR}/server.js"], "files": true},
            {"name": "line", "package": "npm:a-server"},
            {"name": "git", "command": "uvx", "args": ["git+https://x.example/a"], "blocked": true},
            {"name": "box", "command": "docker", "args": ["run", "-i", "img"], "blocked": true},
            {"name": "web", "url": "https://tools.example:8443/mcp", "headers": {"Authorization": "Bearer ${TOKEN}", "X-A": "b"}, "hosts": ["tools.example:8443"], "settings": ["TOKEN secret required"]},
        ]),
    );
    // Without a wrapper, and a whole line as the command.
    check(
        ".mcp.json",
        &json!({"a": {"command": "npx -y b@latest c"}}),
        &json!([{"name": "a", "package": "npm:b", "args": ["c"]}]),
    );
}

/// `docker run -e NAME=VALUE` sets a variable as `env` does.
#[test]
fn variables_in_arguments_are_judged_by_their_names() {
    let random = ["9fK2mQ7xV4bN8sL1", "pR6tW3zD5gH0jC2y"].concat();
    let words = json!([
        "-e",
        format!("BAR={random}"),
        format!("--env=BAZ={random}"),
        "--env",
        "LOG=warn",
        "x"
    ]);
    let expected = json!([
        "-e",
        "BAR=${BAR}",
        "--env=BAZ=${BAZ}",
        "--env",
        "LOG=warn",
        "x"
    ]);
    check(
        ".mcp.json",
        &json!({"mcpServers": {"a": {"command": "a", "args": words}}}),
        &json!([{"name": "a", "command": "a", "args": expected,
            "settings": ["BAR secret required", "BAZ secret required"]}]),
    );
}

#[test]
fn a_login_of_the_host_keeps_a_server_from_running() {
    for (key, value) in [
        ("auth", json!({"CLIENT_ID": "a"})),
        ("oauth_client_id", json!("a")),
        ("scopes", json!(["read"])),
        ("oauth", json!({})),
    ] {
        let mut entry = json!({"url": "https://a.example/mcp"});
        entry[key] = value;
        let servers = found(".mcp.json", &json!({"mcpServers": {"a": entry}}));
        assert!(!servers[0].blockers.is_empty(), "{key}");
    }
}

#[test]
fn literal_secrets_become_settings() {
    let token = |end: &str| ["ghp_q7Xk2m9fLp4RsT8v", "Wz1YbN6cH3jK5dGuA0", end].concat();
    let url = format!("https://a.example/mcp?key={}", token("ZZ"));
    check(
        ".mcp.json",
        &json!({"mcpServers": {
            "a": {"command": "a", "args": ["--token", token("AB"), format!("--key={}", token("CD")), "-v"], "env": {"FOO": token("EF"), "OLD": "a REDACTED b"}},
            "b": {"url": url, "headers": {"X-A": format!("Token {}", token("GH"))}},
        }}),
        &json!([
            {"name": "a", "command": "a", "args": ["--token", "${TOKEN}", "--key=${KEY}", "-v"], "env": {"FOO": "${FOO}", "OLD": "a ${OLD} b"},
                "settings": ["TOKEN secret required", "KEY secret required", "FOO secret required", "OLD secret required"]},
            {"name": "b", "url": "https://a.example/mcp?key=${KEY}", "headers": {"X-A": "Token ${X_A}"}, "hosts": ["a.example"],
                "settings": ["KEY secret required", "X_A secret required"]},
        ]),
    );
}

#[test]
fn secrets_by_their_places_become_settings() {
    check(
        ".mcp.json",
        &json!({"mcpServers": {
            "a": {"command": "a", "args": ["--api-key", "f3a9", "--password", "Geheim12346", "--password", "Other1", "postgres://u:PwSecret78@db/x",
                "--header", "Authorization: Bearer abcDEF", "https://u:Pw@a.example/?k=ab=c"], "env": {"DATABASE_URL": "postgres://u:Pw@db/x"}},
            "b": {"command": "sh", "args": ["-c", "API_KEY=f3a9 npx x"]},
            "c": {"url": "https://user:Pw@c.example/mcp"},
            "d": {"url": "not a url"},
            "e": {"url": "${BASE:-https://e.example}"},
            "f": {"command": "f", "args": ["--read-only", "postgres://u:PwSecret78@db/x", "--db-url", "postgres://u:PwSecret78@db/x"]},
        }}),
        &json!([
            {"name": "a", "command": "a", "args": ["--api-key", "${API_KEY}", "--password", "${PASSWORD}", "--password", "${PASSWORD_2}", "postgres://u:${PASSWORD_3}@db/x",
                "--header", "Authorization: Bearer ${AUTHORIZATION}", "https://u:${PASSWORD_4}@a.example/?k=ab=c"],
                "env": {"DATABASE_URL": "postgres://u:${DATABASE_URL_PASSWORD}@db/x"}, "hosts": ["a.example"],
                "settings": ["API_KEY secret required", "PASSWORD secret required", "PASSWORD_2 secret required", "PASSWORD_3 secret required",
                    "AUTHORIZATION secret required", "PASSWORD_4 secret required", "DATABASE_URL_PASSWORD secret required"]},
            {"name": "b", "command": "sh", "args": ["-c", "API_KEY=${API_KEY} npx x"], "settings": ["API_KEY secret required"]},
            {"name": "c", "url": "https://c.example/mcp", "headers": {"Authorization": "Basic ${C_LOGIN}"}, "hosts": ["c.example"],
                "settings": ["C_LOGIN secret required"]},
            {"name": "d", "url": "not a url", "blocked": true},
            {"name": "e", "url": "${BASE}", "settings": ["BASE"]},
            {"name": "f", "command": "f", "args": ["--read-only", "postgres://u:${PASSWORD}@db/x", "--db-url", "postgres://u:${DB_URL_PASSWORD}@db/x"],
                "settings": ["PASSWORD secret required", "DB_URL_PASSWORD secret required"]},
        ]),
    );
}

#[test]
fn short_secrets_become_settings() {
    let random = "NzI3Zjk1ZDItYTQ2NC00MDUx";
    check(
        ".mcp.json",
        &json!({"mcpServers": {
            "a": {"command": "a", "args": ["-p", "Geheim12346", "-kG3heim-77x", "--auth", "f3a9", "-p", "8080", "--port", "8080", "-p", "project-name"],
                "env": {"PIN": "4711", "OTP_SEED": "JBSWY3DP", "LED_PIN": "13", "auth.token": "abc", "CONN": "AccountName=a;AccountKey=/9x+ab1QwErTy1Z==;"}},
            "b": {"url": format!("https://b.example/s/{random}/mcp"), "authorization_token": "abc"},
            "c": {"url": "https://c.example/mcp", "auth": {"token": "Bearer abc"}},
        }}),
        &json!([
            {"name": "a", "command": "a", "args": ["-p", "${PASSWORD}", "-k${KEY}", "--auth", "${AUTH}", "-p", "8080", "--port", "8080", "-p", "project-name"],
                "env": {"PIN": "${PIN}", "OTP_SEED": "${OTP_SEED}", "LED_PIN": "13", "auth.token": "${AUTH_TOKEN}", "CONN": "AccountName=a;AccountKey=${ACCOUNT_KEY};"},
                "settings": ["PASSWORD secret required", "KEY secret required", "AUTH secret required", "PIN secret required",
                    "OTP_SEED secret required", "AUTH_TOKEN secret required", "ACCOUNT_KEY secret required"]},
            {"name": "b", "url": "https://b.example/s/${ADDRESS_SECRET}/mcp", "headers": {"Authorization": "Bearer ${AUTHORIZATION_TOKEN}"}, "hosts": ["b.example"],
                "settings": ["ADDRESS_SECRET secret required", "AUTHORIZATION_TOKEN secret required"]},
            {"name": "c", "url": "https://c.example/mcp", "headers": {"Authorization": "Bearer ${AUTH_TOKEN}"}, "hosts": ["c.example"],
                "settings": ["AUTH_TOKEN secret required"]},
        ]),
    );
}

#[test]
fn bundles() {
    let manifest = json!({
        "manifest_version": "0.3", "name": "notes", "version": "1", "description": "Notes.",
        "server": {"type": "node", "entry_point": "server/index.js", "mcp_config": {
            "command": "node", "args": ["${__dirname}/server/index.js", "${user_config.dirs}"], "env": {"KEY": "${user_config.apiKey}"},
        }},
        "user_config": {
            "dirs": {"type": "directory", "title": "Dirs", "multiple": true, "required": true, "default": ["${HOME}/Desktop"]},
            "apiKey": {"type": "string", "sensitive": true},
        },
    });
    let expected = json!([{
        "name": "notes", "command": "node", "args": ["${SKILL_DIR}/server/index.js", "${DIRS}"], "env": {"KEY": "${API_KEY}"},
        "settings": ["DIRS required", "API_KEY secret"], "files": true,
    }]);
    check("manifest.json", &manifest, &expected);
    let servers = found("manifest.json", &manifest);
    assert_eq!(
        (
            servers[0].settings[0].kind,
            &servers[0].settings[0].default,
            servers[0].settings[0].is_directory
        ),
        ("array", &None, true)
    );
    let bare = json!({"dxt_version": "0.1", "name": "a", "server": {"type": "python", "entry_point": "main.py"}});
    check(
        "manifest.json",
        &bare,
        &json!([{"name": "a", "command": "python3", "args": ["${SKILL_DIR}/main.py"], "files": true}]),
    );
}

#[test]
fn servers_of_the_registry() {
    let variable = json!({"name": "API_KEY", "isRequired": true, "isSecret": true});
    let server = json!({"name": "io.x/weather", "version": "1.0.2", "packages": [
        {"registryType": "oci", "identifier": "img"},
        {"registryType": "pypi", "identifier": "weather", "version": "1.0.2", "transport": {"type": "stdio"},
         "packageArguments": [{"type": "named", "name": "--port", "value": "{port}", "variables": {"port": {"default": "80"}}}, {"type": "positional", "value": "run"}],
         "environmentVariables": [variable]},
    ]});
    check(
        "server.json",
        &server,
        &json!([{
            "name": "weather", "package": "pypi:weather@==1.0.2", "args": ["--port=${PORT}", "run"], "env": {"API_KEY": "${API_KEY}"},
            "settings": ["PORT", "API_KEY secret required"],
        }]),
    );
    let remote = json!({"name": "io.x/w", "remotes": [{"type": "sse", "url": "https://w.example/{tenant}/sse", "variables": {"tenant": {"isRequired": true}}, "headers": [{"name": "X-Key", "isSecret": true}]}]});
    check(
        "server.json",
        &remote,
        &json!([{
            "name": "w", "url": "https://w.example/${TENANT}/sse", "headers": {"X-Key": "${X_KEY}"}, "hosts": ["w.example"],
            "settings": ["TENANT required", "X_KEY secret"],
        }]),
    );
    let sse = json!({"type": "sse", "url": "https://a.example/sse"});
    let streamable = json!({"type": "streamable-http", "url": "https://a.example/mcp"});
    let over_http = json!({"registryType": "npm", "identifier": "b", "transport": {"type": "streamable-http", "url": "http://localhost"}});
    let both = json!({"name": "io.x/a", "packages": [over_http], "remotes": [sse, streamable]});
    check(
        "server.json",
        &both,
        &json!([{"name": "a", "url": "https://a.example/mcp", "hosts": ["a.example"]}]),
    );
    let found = found("server.json", &both);
    assert_eq!(found[0].chosen.as_deref(), Some("/remotes/1"));
    assert_eq!(found[0].protocol, Some("streamable-http"));
    let old = json!({"name": "io.x/old", "version_detail": {"version": "2"}, "packages": [{"registry_name": "npm", "name": "@x/old", "version": "2"}]});
    check(
        "server.json",
        &old,
        &json!([{"name": "old", "package": "npm:@x/old@2"}]),
    );
}

/// Reads the servers of a package of Gemini CLI or Claude Code, with the settings of its manifest.
#[track_caller]
fn check_declared(manifest: &Value, keys: &'static [Key], expected: &Value) {
    let text = manifest.to_string();
    let root = parse_json(&text).0.unwrap();
    let file: Arc<str> = "plugin.json".into();
    let files = ServerFiles {
        manifest: &file,
        list: "",
        settings: ("", ""),
        has_bare_variables: true,
    };
    let found = of_host::found(&root, files, &|_| None);
    let document = Document {
        file,
        text: &text,
        root,
        keys,
    };
    let servers = found.into_iter().flat_map(|it| it.servers);
    let servers = servers.map(|mut server| {
        declared::complete(&mut server, &document);
        let mut shown = shown(&server);
        let meanings = server.settings.iter().map(|it| it.description.as_str());
        shown["meanings"] = meanings.collect();
        shown
    });
    assert_eq!(servers.collect::<Value>(), *expected);
}

#[test]
fn servers_get_the_settings_of_their_package() {
    const KEYS: &[Key] = &[key("settings", Role::Settings)];
    check_declared(
        &json!({
            "settings": [
                {"name": "Key", "description": "Of the shop.", "envVar": "FIZZ_KEY", "sensitive": true},
                {"name": "Base", "envVar": "fizzBase"},
            ],
            "mcpServers": {
                "own": {"command": "node", "args": ["${extensionPath}/a.js"], "env": {"FIZZ_KEY": "${FIZZ_KEY}"}},
                "web": {"httpUrl": "https://a.example/mcp", "headers": {"Authorization": "Bearer ${FIZZ_KEY}"}},
                "bare": {"httpUrl": "https://b.example/mcp"},
            },
        }),
        KEYS,
        &json!([
            {"name": "own", "command": "node", "args": ["${SKILL_DIR}/a.js"], "files": true,
             "env": {"FIZZ_KEY": "${FIZZ_KEY}", "fizzBase": "${FIZZ_BASE}"},
             "settings": ["FIZZ_KEY secret", "FIZZ_BASE"], "meanings": ["Key: Of the shop.", "Base"]},
            {"name": "web", "url": "https://a.example/mcp", "headers": {"Authorization": "Bearer ${FIZZ_KEY}"},
             "hosts": ["a.example"], "settings": ["FIZZ_KEY secret"], "meanings": ["Key: Of the shop."]},
            {"name": "bare", "url": "https://b.example/mcp", "hosts": ["b.example"], "meanings": []},
        ]),
    );
    // Claude Code replaces its placeholders in the entry, and gives the program no variables.
    check_declared(
        &json!({
            "settings": {
                "api_key": {"type": "string", "title": "Key", "sensitive": true, "required": true},
                "other": {"type": "string"},
            },
            "mcpServers": {"own": {"command": "tool", "env": {"K": "${user_config.api_key}"}}},
        }),
        KEYS,
        &json!([{"name": "own", "command": "tool", "env": {"K": "${API_KEY}"},
            "settings": ["API_KEY secret required"], "meanings": ["Key"]}]),
    );
    check_declared(
        &json!({
            "settings": {"type": "object", "properties": {"root": {"type": "string"}}, "required": ["root"]},
            "mcpServers": {"own": {"command": "tool", "args": ["${ROOT:-/x}"]}},
        }),
        KEYS,
        &json!([{"name": "own", "command": "tool", "args": ["${ROOT}"],
            "settings": ["ROOT required"], "meanings": [""]}]),
    );
}

#[test]
fn programs_name_their_hosts() {
    check(
        ".mcp.json",
        &json!({"a": {"command": "tool", "args": ["--url=https://a.example/v1", "http://localhost:8080,https://u:p@b.example"],
            "env": {"BASE": "${BASE:-https://c.example:8443}"}}}),
        &json!([{"name": "a", "command": "tool",
            "args": ["--url=https://a.example/v1", "http://localhost:8080,https://u:${PASSWORD}@b.example"],
            "env": {"BASE": "${BASE}"}, "settings": ["PASSWORD secret required", "BASE"],
            "hosts": ["a.example", "b.example", "c.example:8443", "localhost:8080"]}]),
    );
}

#[test]
fn secrets_that_bundles_and_registries_carry_are_settings() {
    check(
        "manifest.json",
        &json!({
            "manifest_version": "0.3", "name": "m", "version": "1.0.0",
            "server": {"type": "node", "entry_point": "a.js", "mcp_config": {
                "command": "node", "args": ["a.js", "--api-key", "CANARY-1", "--password", "CANARY2"],
                "env": {"API_TOKEN": "CANARY3"},
            }},
        }),
        &json!([{
            "name": "m", "command": "node",
            "args": ["a.js", "--api-key", "${API_KEY}", "--password", "${PASSWORD}"],
            "env": {"API_TOKEN": "${API_TOKEN}"}, "files": true,
            "settings": ["API_KEY secret required", "PASSWORD secret required", "API_TOKEN secret required"],
        }]),
    );
    check(
        "server.json",
        &json!({
            "name": "a.example/s", "version": "1.0.0", "remotes": [{
                "type": "streamable-http", "url": "https://a.example/mcp",
                "headers": [
                    {"name": "Z", "value": "CANARY1", "isSecret": true},
                    {"name": "Y", "value": "Bearer {t}", "isSecret": true, "variables": {"t": {"default": "CANARY2", "choices": ["CANARY3"]}}},
                ],
            }],
        }),
        &json!([{
            "name": "s", "url": "https://a.example/mcp", "hosts": ["a.example"],
            "headers": {"Y": "Bearer ${T}", "Z": "${Z}"},
            "settings": ["Z secret required", "T secret"],
        }]),
    );
}

#[test]
fn prompts_of_bundles() {
    let manifest = json!({"manifest_version": "0.3", "name": "b", "server": {"type": "node"}, "prompts": [
        {"name": "bake", "arguments": ["flour"], "text": "Sift ${arguments.flour}."},
        {"name": "bake", "text": "Again."},
        {"name": "later"},
    ]});
    let text = manifest.to_string();
    let root = parse_json(&text).0.unwrap();
    let heads = prompts::heads(&root, "b");
    let heads: Vec<String> = heads.iter().map(|head| head.unit.to_string()).collect();
    assert_eq!(heads, ["prompt/bake"]);
    let (read, findings) = prompts::read(&"manifest.json".into(), &text, &root);
    let (document, unit) = &read[0];
    assert_eq!(&*unit.file, "manifest.json#/prompts/0");
    assert_eq!(unit.kind.text().unwrap().body, "Sift ${arguments.flour}.");
    assert_eq!(
        document.root.at("/body/@5").unwrap().as_str(),
        Some("${arguments.flour}")
    );
    let pointers = findings.iter().map(|it| it.place.pointer.as_deref());
    assert_eq!(
        pointers.collect::<Vec<_>>(),
        [Some("/prompts/1"), Some("/prompts/2")]
    );
}

#[test]
fn contents_of_files_are_settings() {
    let root = json!({"mcp": {
        "a": {"type": "local", "command": ["a", "--key", "{file:~/.keys/tea.txt}"], "environment": {"CUP": "{file:cup.txt}"}},
        "b": {"type": "remote", "url": "https://b.example", "headers": {"X-Team": "{file:./team}"}},
    }});
    let root = parse_json(&root.to_string()).0.unwrap();
    let found = servers_of_opencode(&"opencode.json".into(), &root);
    assert_eq!(
        found.iter().map(shown).collect::<Value>(),
        json!([
            {"name": "a", "command": "a", "args": ["--key", "${TEA}"], "env": {"CUP": "${CUP}"}, "settings": ["TEA secret required", "CUP secret required"]},
            {"name": "b", "url": "https://b.example", "headers": {"X-Team": "${X_TEAM}"}, "hosts": ["b.example"], "settings": ["X_TEAM secret required"]},
        ])
    );
    let place = &found[0].settings[1].place;
    assert_eq!(place.pointer, "/mcp/a/environment/CUP");
    let text = &found[1].settings[0].description;
    assert_eq!(
        text,
        "The content of the file `./team`, which the old host read."
    );
}
