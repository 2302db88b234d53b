//! Services: documents of OpenAPI, and the files that they refer to.

use crate::Expected::{Has, Lacks, NoFile, Says};
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
