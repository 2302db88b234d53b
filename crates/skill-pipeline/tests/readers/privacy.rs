//! Files with the data of a user, which the code of a package writes.

use crate::Expected::{Has, NoFile, Says, Silent};
use crate::{PLUGIN, check};

const SKILL: &str = "---\nname: tea\ndescription: Brews tea.\n---\nRun `scripts/log.js`.\n";
const LOG: &str = "import fs from 'fs'\nfs.writeFileSync('brews.json', text)\n";
const BREWS: &str = r#"["green"]"#;
/// A skill in a bundle is a file of it.
const NOTE: [Text; 2] = [("note/SKILL.md", "x"), ("note/brews.json", BREWS)];

/// A file with its text.
type Text = (&'static str, &'static str);

/// The programs of servers write data of their own.
#[test]
fn data_of_servers_is_left_out() {
    let bundle = r#"{"manifest_version": "0.3", "name": "tea", "version": "1.0.0", "description": "Brews tea.", "author": {"name": "A"}, "server": {"type": "node", "entry_point": "log.js", "mcp_config": {"command": "node", "args": ["${__dirname}/log.js"]}}}"#;
    let list = r#"{"mcpServers": {"tea": {"command": "node", "args": ["log.js"]}}}"#;
    let rows: [(Text, &[Text]); 3] = [
        (("manifest.json", bundle), &[]),
        (("manifest.json", bundle), &NOTE),
        ((".mcp.json", list), &[]),
    ];
    for (first, more) in rows {
        let mut files = vec![first, ("log.js", LOG), ("data/brews.json", BREWS)];
        files.extend(more);
        check(
            &files,
            &[
                Has("tea/METADATA.yml", "log.js"),
                NoFile("tea/scripts/data/brews.json"),
                NoFile("tea/data/brews.json"),
                NoFile("tea/scripts/note/brews.json"),
                NoFile("tea/note/brews.json"),
            ],
        );
    }
}

/// Code in no skill writes files that no skill has, and those of a skill that it names.
#[test]
fn data_of_a_package_of_texts_is_left_out() {
    check(
        &[
            (PLUGIN, r#"{"name": "tea", "license": "MIT"}"#),
            (
                "commands/go.md",
                "Run `${CLAUDE_PLUGIN_ROOT}/scripts/log.js`, see `${CLAUDE_PLUGIN_ROOT}/data/brews.json` and `${CLAUDE_PLUGIN_ROOT}/data/own.json`.\n",
            ),
            ("scripts/log.js", LOG),
            (
                "scripts/pots.js",
                "const file = path.join(root, 'skills', 'pot', 'pots.json')\nfs.writeFileSync(file, text)\n",
            ),
            ("data/brews.json", BREWS),
            ("data/own.json", BREWS),
            ("skills/pot/SKILL.md", SKILL),
            ("skills/pot/pots.json", BREWS),
            ("skills/tea/SKILL.md", SKILL),
            ("skills/tea/pots.json", BREWS),
            // The code of a skill is about its own files.
            (
                "skills/tea/scripts/log.js",
                "fs.writeFileSync('own.json', text)\n",
            ),
        ],
        &[
            Has("go/scripts/log.js", "brews.json"),
            Says("`data/brews.json` (user data)"),
            NoFile("go/data/brews.json"),
            NoFile("go/references/data/brews.json"),
            Silent("`data/own.json` (user data)"),
            Says("`skills/pot/pots.json` (user data)"),
            NoFile("pot/pots.json"),
            Has("tea/pots.json", "green"),
        ],
    );
}
