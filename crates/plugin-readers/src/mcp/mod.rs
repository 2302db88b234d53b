//! MCP servers: lists of them (`.mcp.json`), bundles (`manifest.json`) and servers of the registry
//! (`server.json`). Each server becomes one skill. Hosts allow comments in their lists, as in their settings.
//!
//! - `entry`: the entry of a list; `bundle`: the manifest of a bundle; `registry`: a server of the
//!   registry. Each returns a [`Server`](plugin_model::Server).
//! - `broken`: entries without a server, and lists that cannot be read; `list`: the entries of a
//!   list.
//! - `unclaimed`: bundles and servers of the registry that cannot be read.
//! - `opencode`, `codex`: the entries in the settings of these hosts; `usual`: entries in the form of other
//!   hosts; `inputs`: what VS Code asks its user for.
//! - `of_host`: the servers in packages of other hosts; `units`: the unit of a server.
//! - `declared`: the settings that the manifest of a bundle or of another host declares.
//! - `dollars`: variables without braces in the entries of Gemini CLI.
//! - `prompts`: the prompts of a bundle.
//! - `programs`: the files that command lines name; `dependencies`: the packages that they need.
//! - `package`: command lines that start a package of npm or `PyPI`; `template`: placeholders;
//!   `literal`, `shape`, `members`: secrets in entries; `keys`: keys of settings.
//!
//! Sources: <https://code.claude.com/docs/en/mcp>,
//! <https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md>,
//! <https://github.com/modelcontextprotocol/registry/tree/main/docs/reference/server-json>.

mod broken;
mod bundle;
mod codex;
mod declared;
mod dependencies;
mod dollars;
mod entry;
mod inputs;
mod keys;
mod list;
mod literal;
mod members;
mod of_host;
mod opencode;
mod package;
mod programs;
mod prompts;
mod registry;
mod shape;
mod template;
#[cfg(test)]
mod tests;
mod unclaimed;
mod units;
mod usual;

use std::sync::Arc;

use plugin_manifest::decode;
use plugin_model::{
    ConfigShape, Configuration, Document, Field, Format, Identity, Key, Node, Package, Place, Role,
    Server, Sources, Unit, key, parse_jsonc,
};
use skill_diagnostics::Diagnostic;

use list::{HOMES, LIST_KEYS, LISTS, entries};

use units::head;
pub(crate) use units::unit;

use crate::{
    codes::{BROKEN_ENTRY, NOTHING_TO_MIGRATE},
    directory::{Claim, Directory},
    openapi::is_license,
    package::Reading,
    reader::{OTHER_TEXT_KEYS, Part, Reader, UnitHead},
    unread::json_of as root_of,
};

const BUNDLE_KEYS: &[Key] = &[
    key("manifest_version", Role::Layout),
    key("dxt_version", Role::Layout),
    key("name", Role::Name),
    key("display_name", Role::DisplayName),
    key("version", Role::Becomes("`version`")),
    key("description", Role::Description),
    key(
        "long_description",
        Role::Becomes("the beginning of SKILL.md"),
    ),
    key("author", Role::Becomes("`author`")),
    key("license", Role::License),
    key("keywords", Role::Becomes("`tags`")),
    key("server", Role::Becomes("`entry.mcp`")),
    key("user_config", Role::Settings),
    key(
        "tools",
        Role::Becomes("a list in SKILL.md, until the server was asked"),
    ),
    key("prompts", Role::Becomes("a skill for each with a text")),
    key("compatibility", Role::Becomes("`requires.os`")),
];

const REGISTRY_KEYS: &[Key] = &[
    key("$schema", Role::Layout),
    key("name", Role::Name),
    key("title", Role::DisplayName),
    key("description", Role::Description),
    key("version", Role::Becomes("`version`")),
    key(
        "packages",
        Role::Becomes(
            "`entry.mcp`, settings, `requires`: the first of npm or PyPI over standard streams",
        ),
    ),
    key(
        "remotes",
        Role::Becomes("`entry.mcp` if there is no such package: streamable HTTP before SSE"),
    ),
];

/// The reader of lists.
pub(crate) const SERVERS: Reader = Reader {
    name: "mcp",
    title: "lists of MCP servers",
    marks: "`.mcp.json`, `.vscode/mcp.json`, or `mcp.json` with `mcpServers`",
    homes: HOMES,
    claims: claims_list,
    remarks: broken::remarks,
    read: |sources| read(Format::McpServers, sources),
    parts: &[Part {
        title: "The list `.mcp.json`",
        keys: LIST_KEYS,
        others: "a server, if the list has no `mcpServers`; otherwise kept",
    }],
    ..BUNDLE
};

/// The reader of bundles.
pub(crate) const BUNDLE: Reader = Reader {
    name: "mcpb",
    title: "MCP bundles (MCPB, DXT)",
    marks: "a file `*.mcpb` or `*.dxt`; or `manifest.json` with `manifest_version` or `dxt_version`, and `server`",
    homes: &[],
    claims: claims_bundle,
    heads,
    is_enabled: |_| true,
    is_manifest: |_| false,
    wants_text: dependencies::is_list,
    read: |sources| read(Format::McpBundle, sources),
    remarks: unclaimed::of_bundle,
    parts: &[
        Part {
            title: "The manifest `manifest.json`",
            keys: BUNDLE_KEYS,
            others: "kept",
        },
        Part {
            title: "Prompts of the manifest",
            keys: prompts::KEYS,
            others: OTHER_TEXT_KEYS,
        },
    ],
};

/// The reader of servers of the registry.
pub(crate) const REGISTRY: Reader = Reader {
    name: "mcp-registry",
    title: "servers of the MCP registry",
    marks: "`server.json` with `name` and `packages` or `remotes`",
    claims: claims_registry,
    remarks: unclaimed::of_registry,
    read: |sources| read(Format::McpRegistry, sources),
    parts: &[Part {
        title: "The server `server.json`",
        keys: REGISTRY_KEYS,
        others: "kept",
    }],
    ..BUNDLE
};

/// Claims a list. It may be in the directory of a program, whose other files do not belong to it.
fn claims_list(directory: &dyn Directory) -> Option<Claim> {
    let is_list = |file: &&str| {
        let root = root_of(directory, file);
        root.is_some_and(|root| {
            let is_bare = *file == ".mcp.json";
            entries(&root).is_some_and(|(_, wrapped)| wrapped || is_bare)
        })
    };
    let file = LISTS.into_iter().find(is_list)?;
    let mut res = claim(directory, file, true);
    if let (Some(files), Some(root)) = (&mut res.files, root_of(directory, file)) {
        for server in servers(Format::McpServers, &file.into(), &root, &|_| None) {
            files.extend(programs::files(&server, directory));
        }
        files.retain(|path| path != file);
        files.sort();
        files.dedup();
    }
    Some(res)
}

fn claims_registry(directory: &dyn Directory) -> Option<Claim> {
    let root = root_of(directory, registry::FILE)?;
    registry::is_one(&root).then(|| claim(directory, registry::FILE, true))
}

fn claims_bundle(directory: &dyn Directory) -> Option<Claim> {
    let root = root_of(directory, bundle::FILE)?;
    bundle::is_one(&root).then(|| claim(directory, bundle::FILE, false))
}

/// Returns the claim on a file, with the licenses beside it or with all files.
fn claim(directory: &dyn Directory, file: &str, is_alone: bool) -> Claim {
    let licenses = directory
        .names()
        .into_iter()
        .filter(|name| is_license(name));
    Claim {
        manifest_file: file.to_owned(),
        searches_inside: is_alone,
        files: is_alone.then(|| licenses.collect()),
        ..Claim::default()
    }
}

/// Returns the servers of a document.
fn servers(
    format: Format,
    file: &Arc<str>,
    root: &Node,
    texts: &dyn Fn(&str) -> Option<String>,
) -> Vec<Server> {
    match format {
        Format::McpBundle => vec![bundle::server(file, root, texts)],
        Format::McpRegistry => vec![registry::server(file, root)],
        _ => list::servers(file, root),
    }
}

pub(crate) use of_host::{ServerFiles, add_to_package, has_servers, heads_of_host};
pub(crate) use opencode::servers as servers_of_opencode;

/// Returns the heads of the servers in the settings of `OpenCode`.
pub(crate) fn heads_of_opencode(file: &Arc<str>, root: &Node) -> Vec<UnitHead> {
    let found = servers_of_opencode(file, root);
    let servers = found.iter().map(|server| head(server, "opencode"));
    let broken = opencode::broken(file, root).into_iter().map(broken::head);
    servers.chain(broken).collect()
}

/// Returns findings about entries of the settings of `OpenCode` that are not servers.
pub(crate) fn broken_of_opencode(file: &str, root: &Node) -> Vec<Diagnostic> {
    let broken = opencode::broken(file, root).into_iter();
    broken.map(|it| it.finding).collect()
}

fn format_of(file: &str) -> Format {
    match file {
        bundle::FILE => Format::McpBundle,
        registry::FILE => Format::McpRegistry,
        _ => Format::McpServers,
    }
}

fn heads(directory: &dyn Directory, claim: &Claim) -> Vec<UnitHead> {
    let file = claim.manifest_file.as_str();
    let Some(root) = root_of(directory, file) else {
        return Vec::new();
    };
    let format = format_of(file);
    let found = servers(format, &file.into(), &root, &|_| None);
    let mut heads: Vec<UnitHead> = found
        .iter()
        .map(|server| head(server, directory.name()))
        .collect();
    if format == Format::McpServers {
        heads.extend(broken::heads(file, &root));
    }
    if let (Format::McpBundle, [server]) = (format, &found[..]) {
        heads.extend(prompts::heads(&root, &server.name));
    }
    heads
}

fn read(format: Format, sources: Sources<'_>) -> Reading<'_> {
    let text = decode(sources.manifest).0.unwrap_or_default();
    let (root, mut findings) = parse_jsonc(text);
    let Some(mut root) = root else {
        return (None, findings);
    };
    inputs::without_secrets(&mut root);
    let file: Arc<str> = sources.manifest_file.into();
    let texts = |path: &str| sources.texts.get(path).cloned();
    let mut found = servers(format, &file, &root, &texts);
    for server in &mut found {
        match format {
            Format::McpServers => programs::complete(server, sources.files, &texts),
            Format::McpBundle => programs::complete_bundle(server, sources.files),
            _ => {}
        }
    }
    if format == Format::McpServers {
        findings.extend(members::without_secrets(&file, &mut root));
        let broken = broken::entries_of(&file, &root).into_iter();
        findings.extend(broken.map(|it| it.finding));
        findings.extend(broken::odd_members_of(&file, &root));
    }
    if found.is_empty() && findings.iter().any(|it| it.code == BROKEN_ENTRY) {
        return (None, findings);
    }
    if found.is_empty() {
        let finding = Diagnostic::error(
            NOTHING_TO_MIGRATE,
            "the list has no server with `command` or `url`",
        );
        findings.push(finding.in_file(sources.manifest_file));
        return (None, findings);
    }
    let identity = identity(&found[0], &file);
    let mut units: Vec<Unit> = found.into_iter().map(unit).collect();
    let mut documents = Vec::new();
    if format == Format::McpBundle {
        let (prompts, more) = prompts::read(&file, text, &root);
        findings.extend(more);
        for (document, unit) in prompts {
            documents.push(document);
            units.push(unit);
        }
    }
    let keys = match format {
        Format::McpBundle => BUNDLE_KEYS,
        Format::McpRegistry => REGISTRY_KEYS,
        _ => LIST_KEYS,
    };
    let manifest = Document {
        file,
        text,
        root,
        keys,
    };
    documents.insert(0, manifest);
    let package = Package {
        format,
        is_enabled: true,
        identity,
        config: Configuration {
            keys: Vec::new(),
            shape: ConfigShape::Absent,
        },
        units,
        documents,
        attached: Vec::new(),
        sources,
    };
    (Some(package), findings)
}

fn identity(server: &Server, file: &Arc<str>) -> Identity {
    let field = |value: &str, pointer: &str| Field {
        value: value.to_owned(),
        place: Place::new(file, pointer),
        exact: true,
    };
    let some = |value: &str, pointer| (!value.is_empty()).then(|| field(value, pointer));
    Identity {
        name: field(&server.name, "/name"),
        display_name: None,
        description: None,
        version: some(&server.version, "/version"),
        author: some(server.author.as_deref().unwrap_or_default(), "/author/name"),
        license: some(server.license.as_deref().unwrap_or_default(), "/license"),
        domain: None,
        tags: Vec::new(),
    }
}
