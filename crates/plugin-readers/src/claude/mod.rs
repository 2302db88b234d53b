//! Claude Code: plugins with commands, agents and skills, marketplaces, and `.claude` directories.
//!
//! - `keys`: the keys of its documents, and their fates.
//! - `marketplace`: plugins whose manifest is an entry of a marketplace.

mod keys;
mod marketplace;

use plugin_model::{Format, Sources, UnitKind};
use skill_diagnostics::Diagnostic;

pub(crate) use keys::{BARE_AGENT as BARE_AGENT_KEYS, TEXT as TEXT_KEYS};

use crate::{
    directory::{Claim, Directory},
    files::is_text_file,
    hooks,
    host::{Host, PartPlace},
    host_files::HostFiles,
    host_remarks,
    package::Reading,
    parts::PartKind,
    reader::{self, OTHER_TEXT_KEYS, Part, Reader},
};

/// Skills with the keys of this host.
pub(crate) static SKILL: PartKind = PartKind {
    word: "skill",
    unit: UnitKind::Instructions,
    keys: keys::TEXT,
};
static COMMAND: PartKind = PartKind {
    word: "command",
    unit: UnitKind::Prompt,
    keys: keys::TEXT,
};
static AGENT: PartKind = PartKind {
    word: reader::AGENT,
    unit: UnitKind::Agent,
    keys: keys::AGENT,
};
/// Agents with the keys of this host outside of plugins.
pub(crate) static BARE_AGENT: PartKind = PartKind {
    word: reader::AGENT,
    unit: UnitKind::Agent,
    keys: keys::BARE_AGENT,
};

static FILES: HostFiles = HostFiles {
    settings: &["settings.json", "settings.local.json"],
    servers: ("", ""),
    instructions: &["CLAUDE.md", "CLAUDE.local.md"],
};

/// `skills` of the manifest adds to the directory of the host; `commands` and `agents` replace it.
static HOST: Host = Host {
    format: Format::Claude,
    manifest: ".claude-plugin/plugin.json",
    manifest_keys: keys::MANIFEST,
    homes: &[".claude"],
    places: &[
        PartPlace {
            adds: true,
            ..PartPlace::new("skills", "", &SKILL)
        },
        PartPlace::new("commands", ".md", &COMMAND),
        PartPlace::new("agents", ".md", &AGENT),
    ],
    is_qualified: true,
    hooks: &hooks::CLAUDE,
    servers: ".mcp.json",
    context: "",
    files: &FILES,
};

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "claude",
    title: "plugins and `.claude` directories of Claude Code",
    marks: "`.claude-plugin/plugin.json`, an entry of `.claude-plugin/marketplace.json`, the directory `.claude`, or, if nothing else is found, `commands`, `agents`, `skills` or `SKILL.md`",
    homes: &[".claude"],
    claims,
    heads: |directory, claim| HOST.heads(directory, claim),
    is_enabled: |_| true,
    is_manifest: |path| path.starts_with(".claude-plugin/"),
    wants_text: is_text_file,
    read,
    remarks,
    parts: &[
        Part {
            title: "The manifest `.claude-plugin/plugin.json`, or its entry in a marketplace",
            keys: keys::MANIFEST,
            others: "kept",
        },
        Part {
            title: "Commands `commands/**/*.md` and skills `skills/*/SKILL.md`",
            keys: keys::TEXT,
            others: OTHER_TEXT_KEYS,
        },
        hooks::CLAUDE_PART,
        Part {
            title: "Agents `agents/**/*.md` of plugins",
            keys: keys::AGENT,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Agents `agents/**/*.md` of `.claude`, and without a plugin",
            keys: keys::BARE_AGENT,
            others: OTHER_TEXT_KEYS,
        },
    ],
};

/// Reads a package. The host honours more keys of agents that are not in a plugin.
fn read(sources: Sources<'_>) -> Reading<'_> {
    let is_bare = sources.manifest_file.is_empty();
    let (mut package, findings) = HOST.read(sources);
    for document in package.iter_mut().flat_map(|it| &mut it.documents) {
        if is_bare && document.keys == keys::AGENT {
            document.keys = keys::BARE_AGENT;
        }
    }
    (package, findings)
}

fn remarks(directory: &dyn Directory) -> Vec<Diagnostic> {
    // A plugin of a marketplace needs no manifest of its own.
    let is_listed =
        || directory.has(HOST.hooks.file) && marketplace::claim(directory, &|| true).is_some();
    let is_package = directory.has(HOST.manifest) || is_listed();
    let mut acc = marketplace::elsewhere(directory);
    acc.extend(host_remarks::of(&HOST, directory, is_package));
    acc
}

fn claims(directory: &dyn Directory) -> Option<Claim> {
    if let Some(claim) = HOST.claim(directory) {
        let searches_inside = claim.searches_inside || directory.has(marketplace::FILE);
        return Some(Claim {
            searches_inside,
            ..claim
        });
    }
    let has_parts = || HOST.has_parts(directory) || directory.has("SKILL.md");
    marketplace::claim(directory, &has_parts)
        .or_else(|| HOST.claim_last(directory))
        .or_else(|| is_bare_skill(directory).then(Claim::default))
}

/// Returns true for a directory that is a skill and nothing else, if nothing better was found. A
/// METADATA.yml is the mark of what this project wrote.
fn is_bare_skill(directory: &dyn Directory) -> bool {
    directory.is_last_resort() && directory.has("SKILL.md") && !directory.has("METADATA.yml")
}
