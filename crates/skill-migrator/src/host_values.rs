//! Variables that the old host set for every plugin, and that code cannot do without.

use std::collections::BTreeSet;

use crate::code::{self, CodeFacts, Fallback};
use crate::plugin::Plugin;

/// The variables that the old host set and that the executor sets as well
/// (`docs/design/legacy-host.md`, environment).
const PROVIDED: [&str; 7] = [
    "CALLBACK_BASE_URL",
    "IMAGESERVER_FILE_KEY",
    "IMAGESERVER_IMAGE_KEY",
    "PLUGIN_NAME_FOR_CALLBACK",
    "PORT",
    "PROJECT_BASE_PATH",
    "SERVER_PORT",
];

/// Returns the variables of the host that code reads and does not replace if they are missing.
pub(crate) fn read(plugin: &Plugin<'_>, code: &CodeFacts) -> Vec<String> {
    let keys = PROVIDED
        .into_iter()
        .filter(|key| code.variables.contains(*key));
    let keys: BTreeSet<&str> = keys.collect();
    if keys.is_empty() {
        return Vec::new();
    }
    let mut uses = code::setting_uses(&code.files, plugin.texts, &keys);
    uses.retain(|_, used| matches!(used.fallback, None | Some(Fallback::Ends)));
    uses.into_keys().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::migrate_plugin;

    /// Returns the command for a shell in SKILL.md of a program with this code.
    fn command(code: &str) -> String {
        let manifest = json!({
            "name": "Demo",
            "pluginType": "synchronous",
            "entryPoint": {"type": "nodejs", "command": "node a.js"},
            "communication": {"protocol": "stdio"},
        });
        let (migration, _) = migrate_plugin("Demo", &manifest, &[("a.js", code)]);
        let files = migration.generated.iter();
        let mut files = files.filter(|file| file.path == "SKILL.md");
        let (_, rest) = files.next().unwrap().text.split_once("```sh\n").unwrap();
        rest.split_once("\n```").unwrap().0.to_owned()
    }

    #[test]
    fn the_command_gives_what_the_code_needs() {
        let check = |code: &str, expected: &str| assert_eq!(command(code), expected, "{code}");
        let direct = "cd scripts && node a.js < /dev/null";
        let by_tool = "skills-run . --input '{}'";
        check("const base = process.env.PROJECT_BASE_PATH;", by_tool);
        check(
            "if (!process.env.SERVER_PORT) { process.exit(1); }",
            by_tool,
        );
        check(
            "const base = process.env.PROJECT_BASE_PATH || __dirname;",
            direct,
        );
        check("const port = process.env.PORT ?? 80;", direct);
        check("process.env.OTHER", direct);
    }
}
