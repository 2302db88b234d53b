//! Services: documents of OpenAPI, and the files that they refer to.

use crate::Expected::{Has, Lacks, NoFile, Says, Silent};
use skill_pipeline::MigrateOptions;

use crate::check;

/// A document with the paths of one operation.
const HEAD: &str =
    "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\nservers: [{url: 'https://shop.example'}]\n";

#[test]
fn references_do_not_lead_to_private_files() {
    let document = format!(
        "{HEAD}paths:\n  /a: {{get: {{operationId: a, parameters: [{}]}}}}\n",
        [
            ("q", "config.env"),
            ("r", "config.env#/OWNER"),
            ("s", "cookies.json"),
            ("t", ".ssh/id_rsa#/x"),
            ("u", "dailynote/d.yaml#/x"),
            ("v", "types.yaml#/Size"),
        ]
        .map(|(name, to)| format!("{{name: {name}, in: query, schema: {{$ref: '{to}'}}}}"))
        .join(", ")
    );
    check(
        &[
            ("api.yaml", &document),
            ("config.env", "OWNER: bob\n"),
            ("cookies.json", r#"{"x": {"type": "string"}}"#),
            (".ssh/id_rsa", "x: {type: string}\n"),
            ("dailynote/d.yaml", "x: {type: string}\n"),
            ("types.yaml", "Size: {type: integer}\n"),
        ],
        &[
            Says("`config.env` leads to nothing in the files"),
            Says("`config.env#/OWNER` leads to nothing in the files"),
            Says("`cookies.json` leads to nothing in the files"),
            Says("`.ssh/id_rsa#/x` leads to nothing in the files"),
            Says("`dailynote/d.yaml#/x` leads to nothing in the files"),
            Has("shop/METADATA.yml", "type: integer"),
            Has("shop/references/source/types.yaml", "Size"),
            NoFile("shop/references/source/config.env"),
            NoFile("shop/references/source/cookies.json"),
            NoFile("shop/references/source/.ssh"),
            NoFile("shop/references/source/dailynote"),
        ],
    );
}

#[test]
fn secrets_of_addresses_are_in_no_copy() {
    let document = "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\n\
        servers: [{url: 'https://shop.example?api_key=CANARYquerysec2'}]\npaths:\n  /a:\n    get:\n      \
        operationId: a\n      servers: [{url: 'https://other.example?token=abc123'}]\n  /b: {get: {operationId: b}}\n";
    check(
        &[("api.yaml", document)],
        &[
            Says("the value of `api_key` in the address of a server is not carried"),
            Says("the value of `token` in the address of a server is not carried"),
            Has(
                "shop/references/source/api.yaml",
                "example?api_key=REDACTED",
            ),
            Has("shop/references/source/api.yaml", "example?token=REDACTED"),
            Lacks("shop/references/source/api.yaml", "CANARYquerysec2"),
            Lacks("shop/references/source/api.yaml", "abc123"),
            Lacks("shop/METADATA.yml", "CANARYquerysec2"),
            Lacks("shop/METADATA.yml", "abc123"),
        ],
    );
}

#[test]
fn a_missing_document_is_named_without_the_secrets_of_its_address() {
    check(
        &[(
            "ai-plugin.json",
            r#"{"schema_version": "v1", "name_for_model": "tea", "api": {"type": "openapi", "url": "https://a.example/openapi.yaml?token=CANARY9"}}"#,
        )],
        &[Says("openapi.yaml?token=***`"), Silent("CANARY9")],
    );
}

#[test]
fn prompts_of_a_bundle_are_skills() {
    check(
        &[
            (
                "b/manifest.json",
                r#"{"manifest_version": "0.3", "name": "tea", "version": "1.0.0", "license": "MIT",
                "server": {"type": "node", "entry_point": "s.js", "mcp_config": {"command": "node", "args": ["${__dirname}/s.js"]}},
                "prompts": [
                    {"name": "brew_tea", "description": "Brews", "arguments": ["leaf", "pot"], "text": "Brew ${arguments.leaf} in ${arguments.pot}."},
                    {"name": "no_text"}]}"#,
            ),
            ("b/s.js", "\n"),
        ],
        &[
            Has("brew-tea/SKILL.md", "Brew `<leaf>` in `<pot>`."),
            Has("brew-tea/METADATA.yml", "dialect: mcpb"),
            Has("brew-tea/METADATA.yml", "version: \"1.0.0\""),
            Has(
                "brew-tea/references/template.md",
                "Brew ${arguments.leaf} in ${arguments.pot}.",
            ),
            Has("tea/METADATA.yml", "no_text"),
            Lacks("tea/METADATA.yml", "brew_tea"),
        ],
    );
}

#[test]
fn programs_beside_a_list_travel_with_what_they_need() {
    let list = r#"{"mcpServers": {
        "own": {"command": "node", "args": ["./own.mjs"]},
        "deep": {"command": "bash", "args": ["-c", "python3 srv/main.py --fast"]},
        "gone": {"command": "node", "args": ["dist/index.js"]},
        "far": {"command": "node", "args": ["/home/me/far.mjs"]}}}"#;
    check(
        &[
            (".mcp.json", list),
            ("own.mjs", "import './lib/a.mjs';\n"),
            ("lib/a.mjs", "\n"),
            (
                "package.json",
                r#"{"dependencies": {"@modelcontextprotocol/sdk": "^1.32.0"}}"#,
            ),
            ("srv/main.py", "\n"),
            ("srv/requirements.txt", "mcp==2.3.0\n"),
        ],
        &[
            Has("own/scripts/own.mjs", "lib"),
            Has("own/scripts/lib/a.mjs", "\n"),
            Has(
                "own/METADATA.yml",
                "npm:\n    - \"@modelcontextprotocol/sdk\"",
            ),
            Has("deep/scripts/srv/main.py", "\n"),
            Has("deep/METADATA.yml", "pip:\n    - mcp"),
            Lacks("deep/METADATA.yml", "@modelcontextprotocol/sdk"),
            NoFile("gone"),
            Says("the program `dist/index.js` of the server is not beside its list"),
            Has("far/METADATA.yml", "runnable: true"),
            Says("the program `/home/me/far.mjs` of the server is outside of its skill"),
            Lacks("own/METADATA.yml", "far.mjs"),
        ],
    );
}

#[test]
fn a_plugin_names_the_packages_of_its_server() {
    check(
        &[
            (".claude-plugin/plugin.json", r#"{"name": "shop"}"#),
            (
                ".mcp.json",
                r#"{"mcpServers": {"own": {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server/index.mjs"]}}}"#,
            ),
            ("server/index.mjs", "\n"),
            ("package.json", r#"{"dependencies": {"zod": "^4.0.0"}}"#),
        ],
        &[
            Has("own/scripts/server/index.mjs", "\n"),
            Has("own/METADATA.yml", "npm:\n    - zod"),
        ],
    );
}

#[test]
fn documents_that_become_no_skill_are_named() {
    let good = format!("{HEAD}paths: {{/a: {{get: {{operationId: a}}}}}}\n");
    check(
        &[
            ("good.yaml", &good),
            (
                "broken.yaml",
                "openapi: 3.0.0\ninfo: {title: A\n\tpaths: x\n",
            ),
            ("old.json", r#"{"swagger": "2.0", "info": {}, "paths": {}}"#),
            (
                "hooks.yaml",
                "openapi: 3.1.0\ninfo: {title: B, version: '1'}\nwebhooks: {}\n",
            ),
            ("note.json", r#"{"mentions": "swagger"}"#),
        ],
        &[
            Has("shop/SKILL.md", "Shop"),
            Says("unreadable-part: a document of an API cannot be read: the document is not YAML"),
            Says("a document of Swagger 2.0 is not read, expected OpenAPI 3"),
            Says("a document of an API has no operation"),
        ],
    );
    // The files of a plugin are its own.
    check(
        &[
            (".claude-plugin/plugin.json", r#"{"name": "shop"}"#),
            (
                "skills/a/SKILL.md",
                "---\nname: a\ndescription: A.\n---\n\nA.\n",
            ),
            ("old.json", r#"{"swagger": "2.0", "info": {}, "paths": {}}"#),
        ],
        &[Silent("Swagger")],
    );
}

/// Documents that are migrated one by one into one directory: an input of one file says nothing about the
/// skills of the others.
#[test]
fn documents_one_by_one_keep_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let document = |title: &str| {
        let head = HEAD.replace("Shop", title);
        format!("{head}paths: {{/a: {{get: {{operationId: a}}}}}}\n")
    };
    let (first, second) = (document("First"), document("Second"));
    crate::lay_out(
        dir.path(),
        &[("a/openapi.yaml", &first), ("b/openapi.yaml", &second)],
    );
    for (file, expected) in [
        ("a/openapi.yaml", "created"),
        ("b/openapi.yaml", "created"),
        ("a/openapi.yaml", "unchanged"),
    ] {
        for prune in [false, true] {
            let migrated = crate::run(dir.path(), |options| {
                *options = MigrateOptions::new(dir.path().join(file), dir.path().join("out"));
                options.prune = prune;
            });
            let found: Vec<_> = migrated
                .outcomes
                .iter()
                .map(|it| it.status.word())
                .collect();
            let expected = if prune { "unchanged" } else { expected };
            assert_eq!(found, [expected], "{file}");
        }
    }
    assert!(dir.path().join("out/first/SKILL.md").exists());
    assert!(dir.path().join("out/second/SKILL.md").exists());
}

/// A default of the author would be sent by a model that reads the schema.
#[test]
fn values_of_passwords_are_in_no_file_and_said() {
    let parameters = "parameters: [
        {name: api_key, in: query, example: CANARY-e1, schema: {type: string, default: CANARY-d2}},
        {name: pin, in: query, schema: {type: string, format: password, default: CANARY-d3}}]";
    let document = format!(
        "openapi: 3.1.0\ninfo: {{title: Tea, version: '1'}}\nservers: [{{url: 'https://a.example'}}]\npaths: {{/me: {{get: {{operationId: me, responses: {{'200': {{description: ok}}}}, {parameters}}}}}}}\n"
    );
    check(
        &[("tea/openapi.yaml", &document)],
        &[
            Says("secret-found: 3 values of passwords and keys"),
            Lacks("tea/METADATA.yml", "CANARY"),
            Lacks("tea/METADATA.yml", "default: REDACTED"),
            Lacks("tea/references/me.md", "REDACTED"),
            Has("tea/references/source/openapi.yaml", "example: REDACTED"),
            Lacks("tea/references/source/openapi.yaml", "CANARY"),
        ],
    );
}
