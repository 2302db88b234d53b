//! OpenCode: commands, agents and skills in `.opencode` directories.
//!
//! Source: <https://opencode.ai/docs/commands/> and <https://opencode.ai/docs/agents/>, as of August
//! 2026. Directories have a singular and a plural name.

use plugin_model::{Format, Sources, UnitKind};

use crate::{
    claude,
    directory::{Claim, Directory},
    files::is_text_file,
    hooks,
    host::{Host, PartPlace},
    host_files, host_remarks, opencode_config,
    opencode_keys::{AGENT_KEYS, COMMAND_KEYS},
    package::Reading,
    parts::PartKind,
    reader::{self, OTHER_TEXT_KEYS, Part, Reader, UnitHead},
};

static COMMAND: PartKind = PartKind {
    word: "command",
    unit: UnitKind::Prompt,
    keys: COMMAND_KEYS,
};
static AGENT: PartKind = PartKind {
    word: reader::AGENT,
    unit: UnitKind::Agent,
    keys: AGENT_KEYS,
};

static HOST: Host = Host {
    format: Format::OpenCode,
    manifest: "",
    manifest_keys: &[],
    homes: &[".opencode"],
    places: &[
        PartPlace::new("skills", "", &claude::SKILL),
        PartPlace::new("skill", "", &claude::SKILL),
        PartPlace::new("commands", ".md", &COMMAND),
        PartPlace::new("command", ".md", &COMMAND),
        PartPlace::new("agents", ".md", &AGENT),
        PartPlace::new("agent", ".md", &AGENT),
        // Older versions called agents that a user talks to modes.
        PartPlace::new("modes", ".md", &AGENT),
        PartPlace::new("mode", ".md", &AGENT),
    ],
    is_qualified: false,
    hooks: &hooks::NONE,
    servers: "",
    context: "",
    files: &host_files::NONE,
};

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "opencode",
    title: "`.opencode` directories of OpenCode",
    marks: "the directory `.opencode`, with the settings in it",
    homes: &[".opencode"],
    claims: |directory| HOST.claim(directory),
    heads,
    is_enabled: |_| true,
    is_manifest: |_| false,
    wants_text: is_text_file,
    read,
    remarks: |directory| {
        host_remarks::unread_home(&HOST, directory)
            .into_iter()
            .collect()
    },
    parts: &[
        Part {
            title: "Commands `command/**/*.md`, `commands/**/*.md`",
            keys: COMMAND_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Agents `agent/**/*.md`, `agents/**/*.md`, and the older `mode/*.md`, `modes/*.md`",
            keys: AGENT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Skills `skill/*/SKILL.md`, `skills/*/SKILL.md`",
            keys: claude::TEXT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
    ],
};

fn heads(directory: &dyn Directory, claim: &Claim) -> Vec<UnitHead> {
    let mut res = HOST.heads(directory, claim);
    let file = opencode_config::FILES
        .into_iter()
        .find(|file| directory.has(file));
    res.extend(
        file.into_iter()
            .flat_map(|file| opencode_config::heads(directory, file)),
    );
    res
}

fn read(sources: Sources<'_>) -> Reading<'_> {
    let (mut package, mut findings) = HOST.read(sources);
    if let Some(package) = &mut package {
        findings.extend(opencode_config::add_beside(package));
    }
    (package, findings)
}
