//! Programs without an effect of their own: those that read no call, whose commands are functions for code that
//! loads them, and those that only give the call back.

use std::collections::BTreeSet;

use skill_diagnostics::Diagnostic;
use skill_model::Transport;

use crate::{
    code::{self, Analysis},
    codes::{CALLS_REPEATED, CALLS_UNREAD},
    entry::EntryReading,
    metadata,
    plugin::Plugin,
};

/// The part of the old host that acts on what such a program prints, in `host_requires`.
pub(crate) const WINDOW: &str = "client-window";

/// Returns the finding on a program that the old host started for each call, if it is a module that only
/// defines functions: nothing runs, and no call has an answer.
pub(crate) fn finding(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    entry: &EntryReading,
) -> Option<Diagnostic> {
    let file = started(plugin, entry)?;
    let source = code::sources(&BTreeSet::from([file.clone()]), plugin.texts).pop()?;
    // A file that it loads may read the call.
    if !code::only_defines(&source) || code::reads_input(analysis) {
        return None;
    }
    let message = format!("the program `{file}` reads no call, and so answers none");
    let help = "its commands are functions for code that loads it";
    Some(Diagnostic::warning(CALLS_UNREAD, message).with_help(help))
}

/// Returns the finding on such a program that only prints its arguments: nothing is done until a window of the
/// old host acts on them. It runs as before, for a host that has one.
pub(crate) fn repeated(plugin: &Plugin<'_>, entry: &EntryReading) -> Option<Diagnostic> {
    let file = started(plugin, entry)?;
    let source = code::sources(&BTreeSet::from([file.clone()]), plugin.texts).pop()?;
    if !code::only_repeats(&source) {
        return None;
    }
    let message = format!("the program `{file}` only gives its arguments back");
    let help = "a window of the old host acted on them";
    Some(Diagnostic::warning(CALLS_REPEATED, message).with_help(help))
}

/// Returns the file that the old host started for each call.
fn started<'a>(plugin: &Plugin<'_>, entry: &'a EntryReading) -> Option<&'a String> {
    let kind = plugin.program.plugin_type.value;
    let is_started = metadata::transport(kind) == Some(Transport::StdioJson);
    let is_called = is_started && !plugin.program.commands.is_empty();
    entry.file.as_ref().filter(|_| is_called)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::migrate_plugin;

    const POT: &str = "process.stdin.on('data', () => console.log(1));";

    #[test]
    fn programs_that_read_no_call() {
        let check = |code: &str, expected: bool| {
            let manifest = json!({
                "name": "Tea", "pluginType": "synchronous",
                "entryPoint": { "type": "nodejs", "command": "node tea.js" },
                "communication": { "protocol": "stdio" },
                "capabilities": { "invocationCommands": [
                    { "commandIdentifier": "Brew", "description": "Brews tea." },
                ] },
            });
            let (migration, _) =
                migrate_plugin("Tea", &manifest, &[("tea.js", code), ("pot.js", POT)]);
            assert_eq!(migration.metadata.runnable, expected, "{code}");
        };
        check("module.exports = { brew() { return 1; } };", false);
        check("process.stdin.on('data', () => console.log(1));", true);
        check("module.exports = require('./pot.js');", true);
        check("console.log(process.argv[2]);", true);
        check(
            "function brew() { return 1; } brew(); module.exports = { brew };",
            true,
        );
    }

    #[test]
    fn programs_that_give_the_call_back() {
        let manifest = json!({
            "name": "Tea", "pluginType": "synchronous",
            "entryPoint": { "type": "nodejs", "command": "node tea.js" },
            "communication": { "protocol": "stdio" },
            "capabilities": { "invocationCommands": [
                { "commandIdentifier": "Brew", "description": "Brews tea." },
            ] },
        });
        let back =
            "process.stdin.on('data', (text) => console.log(JSON.stringify(JSON.parse(text))));";
        let (migration, _) = migrate_plugin("Tea", &manifest, &[("tea.js", back)]);
        let metadata = migration.metadata;
        assert!(
            metadata.runnable,
            "a host that has such a window still needs it"
        );
        assert!(crate::host_part(&metadata).is_some());
    }
}
