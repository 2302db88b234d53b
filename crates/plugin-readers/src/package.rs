//! A package of texts: the documents and units of the parts that were found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plugin_model::{
    Attached, ConfigShape, Configuration, Document, Field, Format, Identity, Kind, Member, Node,
    Package, Place, Role, Sources, Text, Unit, UnitKind,
};
use plugin_template::{Dialect, Template, dialect_of_skill, environment_variables};
use skill_diagnostics::Diagnostic;

use crate::{
    codes::{NOTHING_TO_MIGRATE, UNREADABLE_PART},
    frontmatter,
    parts::Part,
    toml_file,
};

/// The result of reading a package.
pub(crate) type Reading<'a> = (Option<Package<'a>>, Vec<Diagnostic>);

/// The ingredients of a package.
pub(crate) struct Ingredients<'a, 'i> {
    pub(crate) format: Format,
    pub(crate) sources: Sources<'a>,
    pub(crate) manifest: Option<Document<'a>>,
    /// The name of the package if the manifest has none.
    pub(crate) name: &'i str,
    pub(crate) parts: &'i [Part],
    /// The file with the hooks; empty if there is none.
    pub(crate) hooks: &'i str,
    /// The files that the host loads into every conversation.
    pub(crate) context: &'i [String],
    pub(crate) findings: Vec<Diagnostic>,
}

/// Creates a package.
pub(crate) fn package<'a>(from: Ingredients<'a, '_>) -> Reading<'a> {
    let identity = identity(from.manifest.as_ref(), from.name);
    let is_enabled = !from.manifest.as_ref().is_some_and(is_disabled);
    let attached = attached(&from);
    let Ingredients {
        format,
        sources,
        manifest,
        parts,
        mut findings,
        ..
    } = from;
    let mut documents: Vec<Document<'a>> = manifest.into_iter().collect();
    let mut units = Vec::with_capacity(parts.len());
    for part in parts {
        let (read, more) = read_part(part, &sources, format);
        let in_file = |finding: Diagnostic| finding.in_file(&*part.file);
        findings.extend(more.into_iter().map(in_file));
        if let Some((document, unit)) = read {
            documents.push(document);
            units.push(unit);
        }
    }
    let package = Package {
        is_enabled,
        identity,
        units,
        documents,
        attached,
        ..unnamed(format, sources)
    };
    (Some(package), findings)
}

/// Creates a package that says nothing about itself, without units.
pub(crate) fn unnamed(format: Format, sources: Sources<'_>) -> Package<'_> {
    Package {
        format,
        is_enabled: true,
        identity: identity(None, ""),
        config: Configuration {
            keys: Vec::new(),
            shape: ConfigShape::Absent,
        },
        units: Vec::new(),
        documents: Vec::new(),
        attached: Vec::new(),
        sources,
    }
}

/// Returns the files that every skill gets: the hooks, which no skill can have and a user may want,
/// and what the host always loads.
fn attached(from: &Ingredients<'_, '_>) -> Vec<Attached> {
    let has = |path: &str| from.sources.files.iter().any(|file| file.path == path);
    let mut acc = Vec::new();
    if has(from.hooks) {
        acc.push(Attached {
            from: from.hooks.to_owned(),
            to: "references/hooks.json".to_owned(),
            is_always_loaded: false,
        });
    }
    for file in from.context {
        let name = file.rsplit('/').next().unwrap_or(file);
        let mut to = format!("references/{name}");
        if acc.iter().any(|it| it.to == to) {
            to = format!("references/{file}");
        }
        acc.push(Attached {
            from: file.clone(),
            to,
            is_always_loaded: true,
        });
    }
    acc
}

/// The word for the servers of a package.
pub(crate) const SERVERS: &str = "MCP servers";

/// Returns what is said of a package without a part that can become a skill: a note if it has only
/// parts that no skill can have, such as hooks, else an error. A server could be a skill, and none can be read.
pub(crate) fn nothing<'a>(others: &[&str]) -> Reading<'a> {
    let parts = others.join(", ");
    let error = |message: String| {
        let finding = Diagnostic::error(NOTHING_TO_MIGRATE, message);
        finding.with_help("nothing in it can become a skill")
    };
    let finding = if others.is_empty() {
        error("the package has no skill, command or agent".to_owned())
    } else if others.contains(&SERVERS) {
        error(format!(
            "the package has only {parts}, no skill, command or agent"
        ))
    } else {
        let message = format!("nothing to migrate: the package has only {parts}");
        Diagnostic::note(NOTHING_TO_MIGRATE, message).with_help("set them up in your host")
    };
    (None, vec![finding])
}

/// Reads a part: a text with a frontmatter, or a TOML file with a `prompt`.
fn read_part<'a>(
    part: &Part,
    sources: &Sources<'a>,
    format: Format,
) -> (Option<(Document<'a>, Unit)>, Vec<Diagnostic>) {
    let Some(text) = sources.texts.get(&part.file) else {
        let message = "the file is not read, expected a text in UTF-8 of at most 4 MiB, and at most 256 MiB of texts in a package";
        return (None, vec![Diagnostic::error(UNREADABLE_PART, message)]);
    };
    // A text has another length than its file if bytes of it were not UTF-8.
    let mut files = sources.files.iter();
    let is_whole = files.any(|file| file.path == part.file && file.bytes == text.len() as u64);
    if !is_whole && text.contains('\u{fffd}') {
        let message = "the file is not UTF-8";
        let finding = Diagnostic::error(UNREADABLE_PART, message);
        return (None, vec![finding.with_help("save it as UTF-8")]);
    }
    let (root, body, findings) = if part.file.ends_with(".toml") {
        match toml_file::parse(text) {
            Ok((root, body)) => (root, body, Vec::new()),
            Err(finding) => return (None, vec![*finding]),
        }
    } else {
        let (parsed, findings) = frontmatter::parse(text);
        (parsed.root, parsed.body.to_owned(), findings)
    };
    let file: Arc<str> = Arc::from(part.file.as_str());
    let document = Document {
        file: Arc::clone(&file),
        text,
        root,
        keys: part.kind.keys,
    };
    let text = Text {
        call: part.call.clone(),
        body,
        directory: part.directory(),
    };
    let unit = Unit {
        key: part.key(),
        file,
        kind: (part.kind.unit)(Box::new(text)),
    };
    let document = with_placeholders(document, &unit.kind, format);
    (Some((document, unit)), findings)
}

/// Adds the placeholders of a body to the tree of its document, as the leaves `/body/@12`.
pub(crate) fn with_placeholders<'a>(
    mut document: Document<'a>,
    unit: &UnitKind,
    format: Format,
) -> Document<'a> {
    let body = unit.text().map_or("", |text| text.body.as_str());
    let host = Dialect::from_word(format.word());
    let dialect = match unit {
        UnitKind::Instructions(_) => dialect_of_skill(body, host),
        _ => host,
    };
    let names = document.words(Role::Arguments);
    let member = |(at, source): (usize, String)| Member {
        key: format!("@{at}"),
        value: Node {
            span: 0..0,
            kind: Kind::String(source),
        },
    };
    let mut found: BTreeMap<usize, String> = words_of_host(body, format, &document.file).collect();
    if format == Format::OpenCode && is_of_settings(&document.file) {
        let variables = environment_variables(body).into_iter();
        found.extend(variables.map(|it| (it.range.start, body[it.range].to_owned())));
    }
    found.extend(placeholders(body, &names, dialect));
    let found: Vec<Member> = found.into_iter().map(member).collect();
    if let Kind::Object(members) = &mut document.root.kind
        && !found.is_empty()
    {
        members.push(Member {
            key: "body".to_owned(),
            value: frontmatter::object(found, 0..0),
        });
    }
    document
}

/// Returns the placeholders of a body with their offsets. A nested one comes after the one around it.
fn placeholders(body: &str, names: &[String], dialect: Option<Dialect>) -> Vec<(usize, String)> {
    let Some(dialect) = dialect else {
        return Vec::new();
    };
    let template = Template::parse(body, dialect, names);
    let mut seen = BTreeSet::new();
    let first = template
        .placeholders()
        .filter(|piece| seen.insert(piece.range.start));
    first
        .map(|piece| (piece.range.start, template.source(piece).to_owned()))
        .collect()
}

/// Returns the words of a body that its host understands and that are not placeholders of a prompt, with
/// their offsets: tools of the servers of a plugin, agents, and what `OpenCode` has in braces in its
/// settings. `file` is that of the document.
fn words_of_host(body: &str, format: Format, file: &str) -> impl Iterator<Item = (usize, String)> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '*');
    let is_opencode = format == Format::OpenCode;
    let has_braces = is_opencode && is_of_settings(file);
    let starts = body.match_indices(['{', '@', 'm']);
    starts.filter_map(move |(at, _)| {
        let rest = &body[at..];
        let before = body[..at].chars().next_back();
        let end = if rest.starts_with("{file:") && has_braces {
            let end = rest
                .find(['}', '\n'])
                .filter(|end| rest[*end..].starts_with('}'));
            end? + 1
        } else if rest.starts_with("mcp__plugin_") && !before.is_some_and(is_name) {
            rest.find(|c| !is_name(c)).unwrap_or(rest.len())
        } else if let Some(name) = rest.strip_prefix('@') {
            let name = &name[..name.find(|c| !is_name(c)).unwrap_or(name.len())];
            let name = name.trim_end_matches([':', '-']);
            let is_mail = before.is_some_and(|c| is_name(c) || c == '.');
            // Any name can be that of an agent in OpenCode; one in code is a word of another language.
            let is_plain = is_opencode && !name.is_empty() && before != Some('`');
            let is_agent = is_plain || name.starts_with("agent-") || name.contains(':');
            (is_agent && !is_mail).then_some(name.len() + 1)?
        } else {
            return None;
        };
        Some((at, rest[..end].to_owned()))
    })
}

/// Returns whether a text is a part of the settings of a host, and no file of its own.
fn is_of_settings(file: &str) -> bool {
    file.contains("#/")
}

fn is_disabled(manifest: &Document<'_>) -> bool {
    let mut enabled = manifest.with_role(Role::Enabled);
    enabled.any(|(_, node)| node.kind == Kind::Bool(false))
}

/// Reads the identity by the roles of the manifest's keys.
fn identity(manifest: Option<&Document<'_>>, name: &str) -> Identity {
    let named = manifest.and_then(|manifest| text(manifest, Role::Name));
    let nowhere = || Field {
        value: name.to_owned(),
        place: Place::new(&Arc::from(""), ""),
        exact: false,
    };
    let text = |role| manifest.and_then(|manifest| text(manifest, role));
    Identity {
        name: named.unwrap_or_else(nowhere),
        display_name: text(Role::DisplayName),
        description: text(Role::Description),
        version: text(Role::Version),
        author: manifest.and_then(author),
        license: text(Role::License),
        domain: text(Role::Domain),
        tags: manifest.map(tags).unwrap_or_default(),
    }
}

/// Returns the string or number of a role.
fn text(manifest: &Document<'_>, role: Role) -> Option<Field<String>> {
    let (key, node) = manifest.with_role(role).next()?;
    field(manifest, &format!("/{}", key.name), node)
}

fn field(manifest: &Document<'_>, pointer: &str, node: &Node) -> Option<Field<String>> {
    let (value, exact) = match &node.kind {
        Kind::String(text) if !text.trim().is_empty() => (text.clone(), true),
        Kind::Number(text) => (text.clone(), false),
        _ => return None,
    };
    Some(Field {
        value,
        place: Place::new(&manifest.file, pointer),
        exact,
    })
}

fn author(manifest: &Document<'_>) -> Option<Field<String>> {
    let (key, node) = manifest.with_role(Role::Author).next()?;
    let pointer = format!("/{}", key.name);
    match node.get("name") {
        Some(name) => field(manifest, &format!("{pointer}/name"), name),
        None => field(manifest, &pointer, node),
    }
}

fn tags(manifest: &Document<'_>) -> Vec<Field<String>> {
    let lists = manifest.with_role(Role::Tags);
    let items = lists.flat_map(|(key, node)| {
        let items = node.items().iter().enumerate();
        items.filter_map(|(at, item)| field(manifest, &format!("/{}/{at}", key.name), item))
    });
    items.collect()
}
