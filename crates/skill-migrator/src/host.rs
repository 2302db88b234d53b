//! The parts of the old host that a plugin needs, and whether it can run without them.

use std::collections::BTreeSet;

use plugin_model::{Field, Format, PluginType};
use skill_diagnostics::Diagnostic;

use crate::{
    code::CodeFacts,
    codes::{
        ADMIN_REPLACED, ENTRY_UNUSED, HOST_FEATURE, HOST_MODULE, LEAVES_DIRECTORY, LEAVES_HOST,
        MODULE_MISSING, PROTOCOL_MISMATCH, PUSH_NEEDS_CLIENT, TIMEOUT_UNREAD,
    },
    entry::is_module,
    plugin::Plugin,
};

/// The relations between a plugin and the old host.
pub(crate) struct HostNeeds {
    /// The names for `host_requires`.
    pub(crate) requires: Vec<String>,
    /// Findings that keep the skill from running.
    pub(crate) blockers: Vec<Diagnostic>,
    /// Other findings.
    pub(crate) findings: Vec<Diagnostic>,
}

/// Plugins that receive the host's knowledge base because of their name (`docs/design/legacy-host.md` §1.1.6).
const KNOWLEDGE_BASE_BY_NAME: [&str; 3] = ["RAGDiaryPlugin", "DailyNote", "DailyNoteManager"];

/// Reads manifest and code for needs.
pub(crate) fn read(plugin: &Plugin<'_>, code: &CodeFacts) -> HostNeeds {
    let mut res = HostNeeds {
        requires: Vec::new(),
        blockers: Vec::new(),
        findings: Vec::new(),
    };
    let mut requires: BTreeSet<String> = code
        .host_parts
        .iter()
        .map(|part| (*part).to_owned())
        .collect();
    res.features(plugin, &mut requires);
    res.modules(code, &mut requires);
    res.protocol(plugin);
    res.remarks(plugin, code);
    res.requires = requires.into_iter().collect();
    res
}

impl HostNeeds {
    fn features(&mut self, plugin: &Plugin<'_>, requires: &mut BTreeSet<String>) {
        let by_name = KNOWLEDGE_BASE_BY_NAME.contains(&plugin.package.identity.name.value.as_str());
        let asks = |flag: &Option<Field<bool>>| flag.as_ref().is_some_and(|flag| flag.value);
        for (part, wanted, pointer) in [
            (
                "context-bridge",
                asks(&plugin.program.requires_context_bridge),
                "/requiresContextBridge",
            ),
            (
                "knowledge-base",
                asks(&plugin.program.requires_knowledge_base),
                "/requiresKnowledgeBaseManager",
            ),
            ("knowledge-base", by_name, "/name"),
        ] {
            if wanted {
                requires.insert(part.to_owned());
                let message = format!(
                    "the old host passes its {} to this plugin",
                    part.replace('-', " ")
                );
                let finding = Diagnostic::warning(HOST_FEATURE, message).at_pointer(pointer);
                self.blockers
                    .push(finding.with_help("it does not exist outside the old host"));
            }
        }
    }

    fn modules(&mut self, code: &CodeFacts, requires: &mut BTreeSet<String>) {
        for module in &code.outside {
            requires.insert(module.clone());
            if let Some(neighbour) = module.strip_prefix("Plugin/") {
                let message = format!("the code loads `{neighbour}` of a neighbouring plugin");
                self.findings.push(
                    Diagnostic::warning(HOST_MODULE, message)
                        .with_help("migrate that plugin as well"),
                );
            } else {
                let message = format!("the code loads `{module}` of the old host");
                let help = "it must be replaced before the skill can run without that host";
                self.blockers
                    .push(Diagnostic::warning(HOST_MODULE, message).with_help(help));
            }
        }
        for module in &code.missing {
            let message =
                format!("the code loads `{module}`, which is not in the plugin directory");
            self.findings
                .push(Diagnostic::warning(MODULE_MISSING, message));
        }
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
            let finding = Diagnostic::note(
                PUSH_NEEDS_CLIENT,
                "results were pushed to clients of the old host",
            );
            remark(
                finding
                    .at_pointer("/webSocketPush/enabled")
                    .with_help("a client must fetch them now"),
            );
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
