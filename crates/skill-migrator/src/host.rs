//! The parts of the old host that a plugin needs, and whether it can run without them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use plugin_model::{Field, Format, HostModule, PluginType};
use skill_diagnostics::Diagnostic;

use crate::{
    code::{self, Analysis, CodeFacts},
    codes::{
        ADMIN_REPLACED, ENTRY_UNUSED, HOST_CARRIED, HOST_FEATURE, HOST_MODULE, LEAVES_DIRECTORY,
        LEAVES_HOST, MESSAGE_UNSHOWN, MODULE_MISSING, PROTOCOL_MISMATCH, PUSH_NEEDS_CLIENT,
        RESULT_UNSHOWN, TIMEOUT_UNREAD,
    },
    entry::{EntryReading, is_module},
    package::LEGACY,
    plugin::Plugin,
    unread_calls,
};

/// The relations between a plugin and the old host.
pub(crate) struct HostNeeds {
    /// The names for `host_requires`.
    pub(crate) requires: Vec<String>,
    /// The names for `host_answered`.
    pub(crate) answered: Vec<String>,
    /// The names for `host_modules`.
    pub(crate) modules: Vec<String>,
    /// Findings that keep the skill from running.
    pub(crate) blockers: Vec<Diagnostic>,
    /// Other findings.
    pub(crate) findings: Vec<Diagnostic>,
}

/// Plugins that receive the host's knowledge base because of their name (`docs/design/legacy-host.md` §1.1.6).
const KNOWLEDGE_BASE_BY_NAME: [&str; 3] = ["RAGDiaryPlugin", "DailyNote", "DailyNoteManager"];

/// Parts of the host whose replacement has no content, that a plugin uses it, and what it lacks.
const EMPTY_PARTS: [(&str, &str, &str); 4] = [
    (
        "ai-memo-bridge",
        "the plugin uses the memo bridge of the old host",
        "it is replaced by one that is not configured",
    ),
    (
        "context-bridge",
        "the plugin uses the context bridge of the old host",
        "it is replaced by one without vectors: nothing is embedded and no diary is found",
    ),
    (
        "knowledge-base",
        "the plugin uses the knowledge base of the old host",
        "it is replaced by an empty one: changes of files are made, searches find nothing",
    ),
    (
        "tdb-knowledge",
        "the plugin uses the database of knowledge of the old host",
        "it is replaced by an empty one: searches find nothing",
    ),
];

/// Maximum number of names in a message.
const MAX_NAMES: usize = 8;

/// Reads manifest and code for needs.
pub(crate) fn read(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    entry: &EntryReading,
) -> HostNeeds {
    let code = analysis.facts;
    let mut res = HostNeeds {
        requires: Vec::new(),
        answered: Vec::new(),
        modules: Vec::new(),
        blockers: Vec::new(),
        findings: Vec::new(),
    };
    let parts = code.host_parts.iter().copied();
    let parts: BTreeSet<&str> = parts.chain(requested(plugin)).collect();
    res.answer(&parts);
    res.modules(plugin, code);
    res.service_modules(analysis);
    res.neighbour(plugin, entry);
    res.carried(plugin);
    res.protocol(plugin);
    res.blockers
        .extend(unread_calls::finding(plugin, analysis, entry));
    if let Some(finding) = unread_calls::repeated(plugin, entry) {
        res.requires.push(unread_calls::WINDOW.to_owned());
        res.findings.push(finding);
    }
    res.remarks(plugin, code);
    res
}

/// Returns the parts that the host passes to the plugin because of its manifest.
fn requested(plugin: &Plugin<'_>) -> impl Iterator<Item = &'static str> {
    let by_name = KNOWLEDGE_BASE_BY_NAME.contains(&plugin.package.identity.name.value.as_str());
    let asks = |flag: &Option<Field<bool>>| flag.as_ref().is_some_and(|flag| flag.value);
    let bridge = asks(&plugin.program.requires_context_bridge);
    let base = asks(&plugin.program.requires_knowledge_base) || by_name;
    [("context-bridge", bridge), ("knowledge-base", base)]
        .into_iter()
        .filter_map(|(part, is_requested)| is_requested.then_some(part))
}

impl HostNeeds {
    /// Records the parts of the host that the executor replaces, with what the replacements lack.
    fn answer(&mut self, parts: &BTreeSet<&str>) {
        for part in parts {
            self.answered.push((*part).to_owned());
            let mut rows = EMPTY_PARTS.iter();
            if let Some((_, message, lack)) = rows.find(|(known, ..)| known == part) {
                let finding = Diagnostic::note(HOST_FEATURE, *message);
                self.findings.push(finding.with_help(*lack));
            }
        }
    }

    fn modules(&mut self, plugin: &Plugin<'_>, code: &CodeFacts) {
        for module in &code.outside {
            if let Some(neighbour) = module.strip_prefix("Plugin/") {
                let directory = neighbour.split('/').next().unwrap_or_default();
                if !plugin.neighbours.contains_key(directory) {
                    self.requires.push(module.clone());
                }
                let message = format!("the code loads `{neighbour}` of a neighbouring plugin");
                self.findings.push(
                    Diagnostic::warning(HOST_MODULE, message)
                        .with_help("migrate that plugin as well"),
                );
                continue;
            }
            self.requires.push(module.clone());
            let message = format!("the code loads `{module}` of the old host");
            let finding = Diagnostic::warning(HOST_MODULE, message);
            self.blockers
                .push(finding.with_help(advice(plugin, module)));
        }
        for module in &code.missing {
            let place = if plugin.host.is_known {
                "which is neither in the plugin directory nor in the old host's"
            } else {
                "which is not in the plugin directory"
            };
            let message = format!("the code loads `{module}`, {place}");
            let finding = Diagnostic::warning(MODULE_MISSING, message);
            if plugin.host.is_known && is_loaded_first(plugin, code, module) {
                let help = "the program does not start without it: put the file into the directory of the old host, and migrate again";
                self.blockers.push(finding.with_help(help));
            } else {
                self.findings.push(finding);
            }
        }
    }

    /// Adds the modules in the process of the old host whose own functions the code calls: a skill runs in a
    /// process of its own, where another one can only be called as a tool.
    fn service_modules(&mut self, analysis: &Analysis<'_, '_>) {
        for module in code::service_modules(analysis) {
            let message = format!(
                "the code calls `{}` of the module `{}`, which ran in the process of the old host",
                module.function, module.plugin
            );
            let help = "the program ends in an error without it; it needs that host";
            self.blockers
                .push(Diagnostic::warning(HOST_MODULE, message).with_help(help));
        }
    }

    /// Adds the entry of the plugin if it is a file of a plugin that is not in the collection.
    fn neighbour(&mut self, plugin: &Plugin<'_>, entry: &EntryReading) {
        let Some(path) = &entry.neighbour else { return };
        let inner = path.strip_prefix("Plugin/").unwrap_or(path);
        let directory = inner.split('/').next().unwrap_or_default();
        if !plugin.neighbours.contains_key(directory) {
            self.requires.push(path.clone());
        }
    }

    /// Records the files of the host that the skill gets, with a finding.
    fn carried(&mut self, plugin: &Plugin<'_>) {
        let files = &plugin.host.files;
        self.modules = files.iter().map(|file| file.path.clone()).collect();
        let Some(bytes) = files.iter().map(|file| file.bytes).reduce(|a, b| a + b) else {
            return;
        };
        let names: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        let mut message = format!(
            "{} files of the old host are in `{LEGACY}/` ({} KB): {}",
            files.len(),
            bytes.div_ceil(1000),
            names[..names.len().min(MAX_NAMES)].join(", ")
        );
        if names.len() > MAX_NAMES {
            let _ = write!(message, " and {} more", names.len() - MAX_NAMES);
        }
        let help = match &plugin.host.license {
            Some(license) => format!("the license of the host applies to them: {license}"),
            None => "the host states no license; ask its author before you pass them on".to_owned(),
        };
        self.findings
            .push(Diagnostic::note(HOST_CARRIED, message).with_help(help));
    }

    /// Checks the protocol that each type is called by (`docs/design/legacy-host.md` §1.1.5 and §1.3).
    fn protocol(&mut self, plugin: &Plugin<'_>) {
        let kind = plugin.program.plugin_type.value;
        let expected = match kind {
            PluginType::Synchronous | PluginType::Asynchronous => "stdio",
            _ if is_module(kind) => "direct",
            _ => return,
        };
        let found = plugin.program.communication.protocol.as_ref();
        if plugin.package.format == Format::ApexBridge
            || found.is_some_and(|field| field.value == expected)
        {
            return;
        }
        let message = match found {
            Some(field) => format!(
                "plugins of type `{}` are called by `{expected}`, this one says `{}`",
                plugin.program.plugin_type_word, field.value
            ),
            None => format!(
                "no protocol is given; plugins of type `{}` are called by `{expected}`",
                plugin.program.plugin_type_word
            ),
        };
        let finding =
            Diagnostic::warning(PROTOCOL_MISMATCH, message).at_pointer("/communication/protocol");
        self.blockers
            .push(finding.with_help("the old host never called it"));
    }

    fn remarks(&mut self, plugin: &Plugin<'_>, code: &CodeFacts) {
        let mut remark = |finding: Diagnostic| self.findings.push(finding);
        if code.leaves_directory {
            let finding = Diagnostic::note(
                LEAVES_DIRECTORY,
                "the code builds paths that leave the plugin directory",
            );
            remark(finding.with_help("it may expect the old host's directories around it"));
        }
        if code.leaves_host {
            let finding = Diagnostic::note(
                LEAVES_HOST,
                "the code names places of the machine outside the old host's directory",
            );
            remark(finding.with_help(
                "`permissions.filesystem` is `any` because of them; narrow it if they are not needed",
            ));
        }
        if plugin
            .program
            .push
            .as_ref()
            .and_then(|push| push.enabled.as_ref())
            .is_some_and(|flag| flag.value)
        {
            let text = &plugin.package.identity.description;
            let text = text.as_ref().map_or("", |text| text.value.as_str());
            let is_later = plugin.program.plugin_type.value == PluginType::Asynchronous;
            remark(push_finding(text, is_later).at_pointer("/webSocketPush/enabled"));
        }
        if plugin
            .program
            .requires_admin
            .as_ref()
            .is_some_and(|flag| flag.value)
        {
            let finding = Diagnostic::note(
                ADMIN_REPLACED,
                "the administrator's code of the old host is replaced by an approval of each call",
            );
            remark(finding.at_pointer("/requiresAdmin"));
        }
        if let Some(timeout) = &plugin.program.entry_point.timeout_ms {
            let finding = Diagnostic::note(
                TIMEOUT_UNREAD,
                "a time limit under `entryPoint`, which only distributed nodes read",
            );
            remark(finding.at_pointer(&timeout.place.pointer));
        }
        if let (Some(command), Some(script)) = (
            &plugin.program.entry_point.command,
            &plugin.program.entry_point.script,
        ) {
            let unused = if is_module(plugin.program.plugin_type.value) {
                command
            } else {
                script
            };
            let finding = Diagnostic::note(
                ENTRY_UNUSED,
                "both a command and a script are given; this one is never used",
            );
            remark(finding.at_pointer(&unused.place.pointer));
        }
    }
}

/// Returns what to do about a module that the skill does not get.
fn advice(plugin: &Plugin<'_>, module: &str) -> String {
    match plugin.host.found.get(module) {
        Some(HostModule::Refused(why)) => format!("it is not copied into the skill: {why}"),
        _ if !plugin.host.is_known && !module.starts_with("../") => {
            "name the directory of the old host with --host DIR, and the module is copied into the skill"
                .to_owned()
        }
        _ => "it must be replaced before the skill can run without that host".to_owned(),
    }
}
/// Returns true if a reached file loads a module where it begins.
fn is_loaded_first(plugin: &Plugin<'_>, code: &CodeFacts, module: &str) -> bool {
    let mut texts = code.files.iter().filter_map(|path| plugin.texts.get(path));
    texts.any(|text| loads_first(text, module))
}

/// Returns true if code loads a module in no function and no `try`: in a line without an indent.
fn loads_first(code: &str, module: &str) -> bool {
    code.lines().any(|line| {
        let is_outer = line.starts_with(|c: char| !c.is_whitespace() && c != '/' && c != '#');
        let at = line.find("require(").or_else(|| line.find(" from "));
        is_outer && at.is_some_and(|at| line[at..].contains(module))
    })
}

/// Returns the finding on results that the old host showed to its clients. An agent that reads the answer
/// of a call misses nothing, unless the plugin is there to send a message, or its texts promise news later.
fn push_finding(description: &str, is_later: bool) -> Diagnostic {
    let text = description.to_lowercase();
    let sends = text.contains("前端")
        || text.contains("发送") && text.contains("消息")
        || text.contains("send") && text.contains("message");
    if sends {
        let message = "nothing shows the message to the user";
        Diagnostic::note(MESSAGE_UNSHOWN, message).with_help("tell the user its text")
    } else {
        let code = if is_later {
            RESULT_UNSHOWN
        } else {
            PUSH_NEEDS_CLIENT
        };
        let message =
            "the old host also showed the results to its connected clients; nothing does that here";
        Diagnostic::note(code, message).with_help("read the result in the answer of the call")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushed_results_matter_where_an_answer_lacks_them() {
        let check = |text: &str, is_later, code| {
            assert_eq!(push_finding(text, is_later).code, code, "{text}");
        };
        check("泡茶。", false, PUSH_NEEDS_CLIENT);
        check("泡茶。", true, RESULT_UNSHOWN);
        check("向茶客发送一条消息。", false, MESSAGE_UNSHOWN);
        check("Sends a message to the tea house.", true, MESSAGE_UNSHOWN);
    }

    #[test]
    fn modules_without_which_a_program_does_not_start() {
        let check = |code: &str, expected| {
            assert_eq!(loads_first(code, "modules/kettle"), expected, "{code}");
        };
        check("const { boil } = require('../../modules/kettle');", true);
        check("import { boil } from '../../modules/kettle.js';", true);
        check(
            "function a() {\n  require('../../modules/kettle');\n}",
            false,
        );
        check(
            "try {\n  x = require('../../modules/kettle');\n} catch {}",
            false,
        );
        check("// require('../../modules/kettle')", false);
        check("const x = require('./pot');", false);
    }
}
