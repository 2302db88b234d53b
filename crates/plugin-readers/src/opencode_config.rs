//! Settings of `OpenCode`: commands, agents and servers in `opencode.json` or `opencode.jsonc`.
//!
//! Source: <https://opencode.ai/docs/config/>, <https://opencode.ai/docs/commands/>,
//! <https://opencode.ai/docs/agents/> and <https://opencode.ai/docs/mcp-servers/>, as of August 2026.
//! Tables have a singular and a plural name. A command or agent is a part of the file and no file of its
//! own, so that its document has the path `opencode.json#/command/test`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plugin_manifest::decode;
use plugin_model::{
    Attached, Document, Format, Key, Kind, Node, Package, Role, Sources, Text, Unit, UnitKey,
    UnitKind, escape_pointer, key, parse_jsonc,
};
use skill_diagnostics::Diagnostic;

use crate::{
    codes::{FILE_LOST, INSTRUCTIONS_LEFT},
    directory::{Claim, Directory},
    files::{inside, is_text_file},
    mcp,
    openapi::is_license,
    opencode_keys,
    package::{Reading, nothing, unnamed, with_placeholders},
    parts::PartKind,
    reader::{AGENT, OTHER_TEXT_KEYS, Part, Reader, UnitHead, joined},
    unread::{self, Content},
};

/// The names of the file; the host reads the first.
pub(crate) const FILES: [&str; 2] = ["opencode.json", "opencode.jsonc"];

const KEYS: &[Key] = &[
    key(
        "$schema",
        Role::Dropped("it names the version of the format"),
    ),
    key(
        "command",
        Role::Becomes("a skill for each with a `template`"),
    ),
    key(
        "commands",
        Role::Becomes("a skill for each with a `template`"),
    ),
    key(
        "agent",
        Role::Becomes("a skill for each with a `prompt`; others are kept"),
    ),
    key(
        "agents",
        Role::Becomes("a skill for each with a `prompt`; others are kept"),
    ),
    key(
        "mode",
        Role::Becomes("a skill for each with a `prompt`; others are kept"),
    ),
    key("mcp", Role::Servers),
    key("instructions", Role::Kept),
    key("tools", Role::Stated("The old host set its tools: {}.")),
    key(
        "permission",
        Role::Stated("The old host set its permissions: {}."),
    ),
    key("plugin", Role::Kept),
];

/// The keys of a text that is a file, and that of the text itself.
const COMMAND_KEYS: &[Key] = &joined::<{ opencode_keys::COMMAND_KEYS.len() + 1 }>(
    &[key("template", Role::Body)],
    opencode_keys::COMMAND_KEYS,
);
const AGENT_KEYS: &[Key] = &joined::<{ opencode_keys::AGENT_KEYS.len() + 1 }>(
    &[key("prompt", Role::Body)],
    opencode_keys::AGENT_KEYS,
);

static COMMAND: PartKind = PartKind {
    word: "command",
    unit: UnitKind::Prompt,
    keys: COMMAND_KEYS,
};
static AGENT_PART: PartKind = PartKind {
    word: AGENT,
    unit: UnitKind::Agent,
    keys: AGENT_KEYS,
};

/// The tables of parts: the key, the kind, and the key of the text.
static TABLES: [(&str, &PartKind, &str); 5] = [
    ("command", &COMMAND, "template"),
    ("commands", &COMMAND, "template"),
    ("agent", &AGENT_PART, "prompt"),
    ("agents", &AGENT_PART, "prompt"),
    ("mode", &AGENT_PART, "prompt"),
];

/// The reader of the settings.
pub(crate) const READER: Reader = Reader {
    name: "opencode-config",
    title: "settings of OpenCode",
    marks: "`opencode.json` or `opencode.jsonc` with commands, agents or servers",
    homes: &[],
    claims,
    heads: |directory, claim| heads(directory, &claim.manifest_file),
    is_enabled: |_| true,
    is_manifest: |path| FILES.contains(&path),
    wants_text: is_text_file,
    read,
    remarks,
    parts: &[
        Part {
            title: "The settings `opencode.json`, `opencode.jsonc`",
            keys: KEYS,
            others: "kept",
        },
        Part {
            title: "Commands of the table `command`",
            keys: COMMAND_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Agents of the table `agent`, and of the older `mode`",
            keys: AGENT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
    ],
};

/// A command or agent of the settings.
struct Entry<'r> {
    kind: &'static PartKind,
    table: &'static str,
    name: &'r str,
    body: &'r str,
    node: &'r Node,
}

/// Returns the commands and agents that have a text, the first of each name.
fn entries(root: &Node) -> Vec<Entry<'_>> {
    let mut seen = BTreeSet::new();
    let all = TABLES.iter().flat_map(|(table, kind, text)| {
        let members = root.get(table).map_or(&[][..], Node::members).iter();
        members.filter_map(move |member| {
            let body = member.value.get(text)?.as_str()?;
            let is_one = !body.trim().is_empty() && !member.key.trim().is_empty();
            is_one.then(|| Entry {
                kind,
                table,
                name: &member.key,
                body,
                node: &member.value,
            })
        })
    });
    all.filter(|entry| seen.insert((entry.kind.word, entry.name)))
        .collect()
}

/// Returns the settings of a directory.
fn root_of(directory: &dyn Directory, file: &str) -> Option<Node> {
    if !directory.has(file) {
        return None;
    }
    parse_jsonc(decode(&directory.read(file)?).0?).0
}

fn claims(directory: &dyn Directory) -> Option<Claim> {
    let found = FILES
        .into_iter()
        .find_map(|file| Some((file, root_of(directory, file)?)));
    let (file, root) = found?;
    if entries(&root).is_empty() && mcp::heads_of_opencode(&file.into(), &root).is_empty() {
        return None;
    }
    let named = entries(&root)
        .into_iter()
        .flat_map(|entry| included(entry.body));
    let named = named.chain(instructions(&root));
    let licenses = directory
        .names()
        .into_iter()
        .filter(|name| is_license(name));
    let mut files: Vec<String> = named
        .filter(|path| directory.has(path))
        .chain(licenses)
        .collect();
    files.sort();
    files.dedup();
    Some(Claim {
        searches_inside: true,
        files: Some(files),
        ..Claim::file(file)
    })
}

/// Returns a finding about settings that cannot be read.
fn remarks(directory: &dyn Directory) -> Vec<Diagnostic> {
    let broken = FILES.into_iter();
    let broken = broken.filter_map(|file| unread::finding(directory, file, Content::Settings));
    broken
        .map(|it| it.with_help("commands, agents and servers in them were not found"))
        .collect()
}

/// Returns the heads of the commands, agents and servers of the settings in a directory.
pub(crate) fn heads(directory: &dyn Directory, file: &str) -> Vec<UnitHead> {
    let Some(root) = root_of(directory, file) else {
        return Vec::new();
    };
    let names = entries(&root).into_iter().map(|entry| UnitHead {
        unit: UnitKey::new(entry.kind.word, entry.name),
        file: String::new(),
        name: entry.name.to_owned(),
        alternatives: Vec::new(),
        call: entry.name.to_owned(),
        aliases: Vec::new(),
        type_word: entry.kind.word.to_owned(),
        likeness: String::new(),
        list: String::new(),
    });
    names
        .chain(mcp::heads_of_opencode(&file.into(), &root))
        .collect()
}

fn read(sources: Sources<'_>) -> Reading<'_> {
    let text = decode(sources.manifest).0.unwrap_or_default();
    let (root, findings) = parse_jsonc(text);
    let Some(root) = root else {
        return (None, findings);
    };
    let package = unnamed(Format::OpenCode, sources);
    let file = package.sources.manifest_file;
    let (package, mut findings) = with_entries(package, file, text, root);
    if package.units.is_empty() {
        findings.extend(nothing(&[]).1);
        return (None, findings);
    }
    (Some(package), findings)
}

/// Adds the settings beside the parts of a directory of the host, if there are any.
pub(crate) fn add_beside(package: &mut Package<'_>) -> Vec<Diagnostic> {
    let texts = package.sources.texts;
    let found = FILES
        .into_iter()
        .find_map(|file| Some((file, texts.get(file)?)));
    let Some((file, text)) = found else {
        return Vec::new();
    };
    let Some(root) = parse_jsonc(text).0 else {
        return Vec::new();
    };
    let (res, findings) = with_entries(package.clone(), file, text, root);
    *package = res;
    findings
}

/// Adds the document of the settings, and its commands, agents and servers. What is a unit of its own is
/// not in the document.
fn with_entries<'a>(
    mut package: Package<'a>,
    file: &str,
    text: &'a str,
    mut root: Node,
) -> (Package<'a>, Vec<Diagnostic>) {
    let file: Arc<str> = file.into();
    let mut findings = Vec::new();
    let mut parts = Vec::new();
    let mut left = MAX_INCLUDED;
    for entry in entries(&root) {
        let pointer = format!("/{}/{}", entry.table, escape_pointer(entry.name));
        let own: Arc<str> = format!("{file}#{pointer}").into();
        let (body, missing) = with_included(entry.body, package.sources.texts, &mut left);
        findings.extend(missing.iter().map(|it| lost(it, &own)));
        let text_of_unit = Text {
            call: entry.name.to_owned(),
            body,
            directory: None,
        };
        let unit = Unit {
            key: UnitKey::new(entry.kind.word, entry.name),
            file: Arc::clone(&own),
            kind: (entry.kind.unit)(Box::new(text_of_unit)),
        };
        let document = Document {
            file: own,
            text,
            root: entry.node.clone(),
            keys: entry.kind.keys,
        };
        parts.push((
            with_placeholders(document, &unit.kind, Format::OpenCode),
            unit,
        ));
    }
    let has_file = |path: &String| package.sources.files.iter().any(|file| file.path == *path);
    package
        .attached
        .extend(instructions(&root).filter(has_file).map(|from| Attached {
            to: format!("references/{from}"),
            from,
            is_always_loaded: true,
        }));
    findings.extend(instructions_left(&root, &file));
    findings.extend(mcp::broken_of_opencode(&file, &root));
    let servers = mcp::servers_of_opencode(&file, &root);
    let taken: Vec<(&str, String)> = entries(&root)
        .iter()
        .map(|entry| (entry.table, entry.name.to_owned()))
        .collect();
    remove(&mut root, &taken);
    if !root.members().is_empty() {
        let manifest = Document {
            file,
            text,
            root,
            keys: KEYS,
        };
        package.documents.insert(0, manifest);
    }
    for (document, unit) in parts {
        package.documents.push(document);
        package.units.push(unit);
    }
    package.units.extend(servers.into_iter().map(mcp::unit));
    (package, findings)
}

/// Removes the entries that have documents of their own, and the tables that are empty without them.
fn remove(root: &mut Node, taken: &[(&str, String)]) {
    let Kind::Object(tables) = &mut root.kind else {
        return;
    };
    tables.retain_mut(|table| {
        let Kind::Object(members) = &mut table.value.kind else {
            return true;
        };
        let n_all = members.len();
        members.retain(|member| {
            !taken
                .iter()
                .any(|(key, name)| *key == table.key && *name == member.key)
        });
        members.len() == n_all || !members.is_empty()
    });
}

/// Returns the paths of the files that the host always loads, without patterns and addresses.
fn instructions(root: &Node) -> impl Iterator<Item = String> {
    let items = root.get("instructions").map_or(&[][..], Node::items).iter();
    let paths = items.filter_map(Node::as_str);
    paths
        .filter(|path| !path.contains(['*', ':']))
        .filter_map(inside)
}

/// Returns the finding about instructions that no skill gets: patterns and addresses.
fn instructions_left(root: &Node, file: &Arc<str>) -> Option<Diagnostic> {
    let items = root.get("instructions").map_or(&[][..], Node::items).iter();
    let paths = items.filter_map(Node::as_str);
    let left = paths.filter(|path| path.contains(['*', ':']) || inside(path).is_none());
    let left: Vec<String> = left.map(|it| format!("`{}`", it.escape_debug())).collect();
    let message = format!(
        "the host loads instructions that are not carried: {}",
        left.join(", ")
    );
    let finding = Diagnostic::warning(INSTRUCTIONS_LEFT, message)
        .in_file(&**file)
        .at_pointer("/instructions");
    let help = "only files are carried that the settings name by their path; put what you need of the others into the instructions of your agent";
    (!left.is_empty()).then(|| finding.with_help(help))
}

/// The mark of a file whose content the host puts into a text: `{file:./prompts/review.txt}`.
const FILE_MARK: &str = "{file:";

/// Returns the paths of the files that a text includes.
fn included(body: &str) -> Vec<String> {
    let parts = body.split(FILE_MARK).skip(1);
    let paths = parts.filter_map(|part| part.split_once('}'));
    paths.filter_map(|(path, _)| inside(path.trim())).collect()
}

/// The size of all files that the texts of a package include, in bytes. A file counts each time.
const MAX_INCLUDED: usize = 4 << 20;

const ABSENT: &str = "is not in the package";
const TOO_MUCH: &str = "is left out, because all includes together have more than 4 MiB";

/// Returns a text with the content of the files that it includes, and the paths of those that it does
/// not get, each with the reason; the text has the paths in place of their content. `left` is the size
/// that includes may still have.
fn with_included(
    body: &str,
    texts: &BTreeMap<String, String>,
    left: &mut usize,
) -> (String, Vec<(String, &'static str)>) {
    let mut missing = Vec::new();
    let mut parts = body.split(FILE_MARK);
    let mut res = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((path, rest)) = part.split_once('}') else {
            res.push_str(FILE_MARK);
            res.push_str(part);
            continue;
        };
        let found = inside(path.trim()).and_then(|path| texts.get(&path));
        let text = found.filter(|text| text.len() <= *left);
        if let Some(text) = text {
            *left -= text.len();
            res.push_str(text.trim());
        } else {
            let path = path.trim();
            res.extend(["`", path, "`"]);
            let why = if found.is_some() { TOO_MUCH } else { ABSENT };
            let lost = (path.to_owned(), why);
            if !missing.contains(&lost) {
                missing.push(lost);
            }
        }
        res.push_str(rest);
    }
    (res, missing)
}

fn lost((path, why): &(String, &'static str), file: &str) -> Diagnostic {
    let path = path.escape_debug();
    let message = format!("the text includes `{path}`, which {why}");
    let finding = Diagnostic::warning(FILE_LOST, message).in_file(file);
    finding.with_help("expected a text file in the directory of the settings or below it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: &str, missing: &[&str]) {
        let texts = BTreeMap::from([("p/a.txt".to_owned(), "Be kind.\n".to_owned())]);
        let (text, lost) = with_included(body, &texts, &mut 30);
        assert_eq!(text, expected);
        let paths: Vec<&str> = lost.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, missing);
    }

    #[test]
    fn files_are_included() {
        check("{file:./p/a.txt} Go.", "Be kind. Go.", &[]);
        check("{file:~/x.md}!", "`~/x.md`!", &["~/x.md"]);
        check("{file:../x.md", "{file:../x.md", &[]);
        check("{env:X}", "{env:X}", &[]);
        let four = "{file:p/a.txt}".repeat(4);
        let cut = "Be kind.Be kind.Be kind.`p/a.txt`";
        check(&four, cut, &["p/a.txt"]);
    }

    #[test]
    fn parts_of_the_settings_are_found_once() {
        let text = r#"{"command":{"a":{"template":"x"},"b":{"template":" "}},"commands":{"a":{"template":"y"}},
            "agent":{"build":{"model":"m"},"c":{"prompt":"z"}},"theme":"t"}"#;
        let mut root = parse_jsonc(text).0.expect("an object");
        let found: Vec<String> = entries(&root)
            .iter()
            .map(|it| format!("{}/{} {}", it.table, it.name, it.body))
            .collect();
        assert_eq!(found, ["command/a x", "agent/c z"]);
        remove(
            &mut root,
            &[("command", "a".to_owned()), ("agent", "c".to_owned())],
        );
        assert_eq!(
            root.to_value().to_string(),
            r#"{"command":{"b":{"template":" "}},"commands":{"a":{"template":"y"}},"agent":{"build":{"model":"m"}},"theme":"t"}"#
        );
    }
}
