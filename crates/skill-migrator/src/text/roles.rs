//! The fates of the keys of the documents of a text.

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::{Document, Format, Kind, Node, Place, Role, UnitKind, escape_pointer};
use skill_model::SkillName;

use crate::fate::{Ledger, METADATA};

use crate::render::Language;

use super::{
    TextUnit,
    described::described,
    references::rewrite,
    sentences::{NO_TOOLS, ONLY_TOOLS, chinese_sentence},
    tool_paths,
};

/// The size of a license in the frontmatter, in bytes; longer ones are kept.
const MAX_LICENSE: usize = 1_000;
/// The size of a name for people, in bytes; longer ones are kept.
const MAX_NAME: usize = 200;
/// The size of the permitted tools, and of `metadata` with its keys, in the frontmatter, in bytes.
/// Validators read a frontmatter of at most 64 KiB.
const MAX_TOOLS: usize = 8_000;
const MAX_METADATA: usize = 16_000;

/// The statements of the documents about a text.
#[derive(Default, Debug)]
pub(crate) struct Said {
    pub(crate) description: Option<String>,
    pub(crate) when: String,
    /// True if only a user may start it.
    pub(crate) on_request: bool,
    /// True if the host does not load it.
    pub(crate) is_off: bool,
    pub(crate) license: Option<String>,
    pub(crate) compatibility: Option<String>,
    pub(crate) metadata: BTreeMap<String, String>,
    /// The size of `metadata` with its keys, in bytes.
    metadata_size: usize,
    pub(crate) allowed_tools: Option<String>,
    /// The files of the package that the permitted tools are.
    pub(crate) programs: Vec<String>,
    pub(crate) argument_hint: String,
    pub(crate) arguments: Vec<String>,
    /// The places of both in the document, with their words.
    argument_keys: Vec<(Place, String)>,
    /// The name for people, if the name of the skill cannot be the same.
    pub(crate) display_name: Option<String>,
    /// True if the text has hooks of its own.
    pub(crate) has_hooks: bool,
    /// Sentences on what the old host did.
    pub(crate) sentences: Vec<String>,
}

impl Said {
    /// Adds an entry to `metadata` of the frontmatter, if there is room for it.
    fn add_metadata(&mut self, key: &str, text: &str) -> bool {
        let size = self.metadata_size + key.len() + text.len();
        if size > MAX_METADATA {
            return false;
        }
        self.metadata_size = size;
        self.metadata.insert(key.to_owned(), text.to_owned());
        true
    }
}

/// Reads the document of the text, and gives its keys their fates. `skill` is the name of the skill.
pub(crate) fn read(unit: &TextUnit<'_>, skill: &str, ledger: &mut Ledger<'_>) -> Said {
    let document = unit.document;
    let mut res = Said {
        arguments: document.words(Role::Arguments),
        ..Said::default()
    };
    ledger.dropped_if_empty(&Place::new(&document.file, ""));
    for member in document.root.members() {
        let place = Place::new(&document.file, format!("/{}", escape_pointer(&member.key)));
        let row = document.keys.iter().find(|key| key.name == member.key);
        let is_body = member.key == "body" && row.is_none();
        match row {
            Some(row) => claim(
                (unit, row.role),
                &place,
                &member.value,
                skill,
                &mut res,
                ledger,
            ),
            None if is_body => {}
            None => other(&member.key, &place, &member.value, &mut res, ledger),
        }
    }
    res
}

fn claim(
    (unit, role): (&TextUnit<'_>, Role),
    place: &Place,
    node: &Node,
    skill: &str,
    res: &mut Said,
    ledger: &mut Ledger<'_>,
) {
    match (role, scalar(node)) {
        (Role::Name, Some((name, exact))) => {
            if name == skill {
                ledger.moved(place, "SKILL.md#name", exact, "as text");
            } else if is_for_people(&name) && unit.lost_name().is_none() {
                let to = format!("{METADATA}/display_name");
                ledger.moved(place, &to, exact, "as text");
                res.display_name = Some(name);
            }
        }
        (Role::Description, Some((text, exact))) if res.description.is_none() => {
            let (text, n_names) = rewrite(&text, unit.names());
            let described = described(unit, &text);
            let to = format!("{METADATA}/description");
            let how = if described == text {
                "with the names of skills"
            } else {
                "with words in place of placeholders"
            };
            let text = described;
            ledger.moved(
                place,
                &to,
                exact && n_names == 0 && how.ends_with("skills"),
                how,
            );
            res.description = Some(text);
        }
        (Role::WhenToUse, Some((text, _))) => {
            ledger.transformed(
                place,
                "SKILL.md#description",
                "at the end of the description",
            );
            push_line(&mut res.when, &rewrite(&text, unit.names()).0);
        }
        (Role::License, Some((text, exact))) if text.len() <= MAX_LICENSE => {
            ledger.moved(place, "SKILL.md#license", exact, "as text");
            res.license = Some(text);
        }
        (Role::Compatibility, Some((text, exact))) if fits(&text) => {
            ledger.moved(place, "SKILL.md#compatibility", exact, "as text");
            res.compatibility = Some(text);
        }
        (Role::OnRequest, _) if is_flag(unit, node, true) => {
            ledger.transformed(place, "SKILL.md#description", "the description says so");
            res.on_request = true;
        }
        (Role::OffersItself, _) if is_flag(unit, node, false) || is_for_users(node) => {
            ledger.transformed(place, "SKILL.md#description", "the description says so");
            res.on_request = true;
        }
        (Role::Off, _) if is_flag(unit, node, true) => {
            ledger.transformed(place, &format!("{METADATA}/enabled"), "as the opposite");
            res.on_request = true;
            res.is_off = true;
        }
        (Role::ArgumentHint, _) => {
            res.argument_hint = hint(node);
            let key = (place.clone(), res.argument_hint.clone());
            res.argument_keys.push(key);
        }
        (Role::Arguments, _) => res.argument_keys.push((place.clone(), words(node, " "))),
        (Role::AllowedTools, _) => {
            ledger.dropped_if_empty(place);
            let (tools, named) = tool_paths::in_skill(unit, &allowed_tools(node));
            if tools.is_empty() || tools.len() > MAX_TOOLS {
                return;
            }
            ledger.moved(
                place,
                "SKILL.md#allowed-tools",
                node.as_str() == Some(&tools),
                "separated by spaces, with paths in the skill",
            );
            res.allowed_tools = Some(tools);
            res.programs.extend(named);
        }
        (Role::Metadata, _) => metadata(place, node, res, ledger),
        (Role::Stated(sentence), _) => state(unit, sentence, node, res),
        (Role::StatedNames(sentence), _) => state(unit, sentence, &names_of(node), res),
        (Role::OnlyTools, _) => state_tools(unit, node, res),
        (Role::StatedBy(rows, others), Some((value, _))) => {
            match rows.iter().find(|(wanted, _)| *wanted == value) {
                Some((_, "")) => {}
                Some((_, sentence)) => res.sentences.push(in_language(unit, sentence).to_owned()),
                None if others.is_empty() => {}
                None => state(unit, others, node, res),
            }
        }
        (Role::Dropped(reason), _) => ledger.dropped(place, reason),
        (Role::Hooks, _) => {
            res.has_hooks |= !matches!(&node.kind, Kind::Null) && !words(node, "").is_empty();
        }
        (Role::Body, _) => ledger.transformed(place, "SKILL.md", "as the body"),
        _ => {}
    }
}

/// Returns whether a value is this boolean, also as text. VS Code takes no text for one; Claude Code takes
/// `true`, and OpenCode refuses a file with text, so that it is off.
fn is_flag(unit: &TextUnit<'_>, node: &Node, wanted: bool) -> bool {
    let takes_text = unit.package.format != Format::Copilot;
    node.kind == Kind::Bool(wanted)
        || takes_text && node.as_str() == Some(if wanted { "true" } else { "false" })
}

/// Returns whether a word of VS Code keeps an agent from others: `infer: user`.
///
/// Source: `promptFileParser.ts` and `AgentInferValue` of VS Code.
fn is_for_users(node: &Node) -> bool {
    matches!(node.as_str(), Some("user" | "hidden"))
}

/// Adds a sentence about a value. A part of the package is called by the name of its skill. `*` is
/// every tool, which does not restrict.
fn state(unit: &TextUnit<'_>, sentence: &str, node: &Node, res: &mut Said) {
    let named = |name: &str| match unit.skill_named(name) {
        Some(skill) if skill.as_str() != name => format!("{name} (skill {skill})"),
        _ => name.to_owned(),
    };
    let value = match &node.kind {
        Kind::Array(items) => {
            let items = items.iter().map(|item| named(&words(item, ", ")));
            items.collect::<Vec<_>>().join(", ")
        }
        _ => named(&words(node, ", ")),
    };
    if !value.is_empty() && value != "*" && node.kind != Kind::Bool(false) {
        let (value, named) = tool_paths::in_skill(unit, &value);
        res.programs.extend(named);
        let sentence = in_language(unit, sentence);
        res.sentences
            .push(sentence.replace("{}", value.trim_end_matches('.')));
    }
}

/// Adds the sentence about the only tools of a text. An empty list permits none.
fn state_tools(unit: &TextUnit<'_>, node: &Node, res: &mut Said) {
    if matches!(&node.kind, Kind::Array(items) if items.is_empty()) {
        res.sentences.push(in_language(unit, NO_TOOLS).to_owned());
    } else {
        state(unit, ONLY_TOOLS, node, res);
    }
}

/// Returns the names in a list of names and definitions, or those of a map of definitions.
fn names_of(node: &Node) -> Node {
    let name = |name: &str| Node {
        span: node.span.clone(),
        kind: Kind::String(name.to_owned()),
    };
    let names = |node: &Node| match &node.kind {
        Kind::Object(members) => members.iter().map(|it| name(&it.key)).collect(),
        _ => node.as_str().map(name).into_iter().collect::<Vec<_>>(),
    };
    let items = node.items().iter();
    Node {
        span: node.span.clone(),
        kind: Kind::Array(std::iter::once(node).chain(items).flat_map(names).collect()),
    }
}

/// Returns a sentence in the language of the text.
fn in_language<'s>(unit: &TextUnit<'_>, sentence: &'s str) -> &'s str {
    match unit.language() {
        Language::English => sentence,
        Language::Chinese => chinese_sentence(sentence).unwrap_or(sentence),
    }
}

/// Returns a hint as its author wrote it: YAML reads `[file]` as a list.
fn hint(node: &Node) -> String {
    let Kind::Array(items) = &node.kind else {
        return words(node, " ");
    };
    let items = items.iter().map(|item| {
        let item = words(item, " ");
        if item.starts_with(['<', '[']) {
            item
        } else {
            format!("[{item}]")
        }
    });
    items.collect::<Vec<_>>().join(" ")
}

/// Moves a key that the table of the format does not list: plain values describe, others are kept.
fn other(key: &str, place: &Place, node: &Node, res: &mut Said, ledger: &mut Ledger<'_>) {
    let Some((text, exact)) = scalar(node) else {
        return;
    };
    if !res.metadata.contains_key(key) && res.add_metadata(key, &text) {
        ledger.moved(place, &format!("SKILL.md#metadata.{key}"), exact, "as text");
    }
}

fn metadata(place: &Place, node: &Node, res: &mut Said, ledger: &mut Ledger<'_>) {
    for member in node.members() {
        let place = place.child(escape_pointer(&member.key));
        let value = scalar(&member.value);
        if let Some((text, exact)) = value
            && res.add_metadata(&member.key, &text)
        {
            let to = format!("SKILL.md#metadata.{}", member.key);
            ledger.moved(&place, &to, exact, "as text");
        }
    }
}

/// Returns true for a name that cannot be one of the specification, and can be shown.
fn is_for_people(name: &str) -> bool {
    let is_shown = name.len() <= MAX_NAME && !name.contains(char::is_control);
    is_shown && SkillName::new(name).is_err()
}

/// Gives the keys about arguments their fates. `rows` are the arguments of the section *Input*; what
/// they do not tell stays unclaimed, and is kept.
pub(crate) fn claim_arguments(said: &Said, rows: &str, ledger: &mut Ledger<'_>) {
    let told: BTreeSet<&str> = alphanumeric(rows).collect();
    for (place, text) in &said.argument_keys {
        ledger.dropped_if_empty(place);
        let mut all = alphanumeric(text).peekable();
        if all.peek().is_some() && all.all(|word| told.contains(word)) {
            ledger.transformed(place, "SKILL.md#Input", "as the arguments of the section");
        }
    }
}

/// Returns the runs of letters and digits in a text.
fn alphanumeric(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.filter(|part| !part.is_empty())
}

/// Adds what the manifests say about every part: Gemini CLI forbids tools for all of an extension.
pub(crate) fn state_manifests(unit: &TextUnit<'_>, res: &mut Said) {
    for manifest in unit.manifests() {
        for key in manifest.keys {
            if let Role::Stated(sentence) = key.role
                && let Some(node) = manifest.root.get(key.name)
            {
                state(unit, sentence, node, res);
            }
        }
    }
}

/// Gives the keys of the manifests their fates. `has_license` is true if the text has one itself.
pub(crate) fn claim_manifests(unit: &TextUnit<'_>, has_license: bool, ledger: &mut Ledger<'_>) {
    let identity = &unit.package.identity;
    let to = |key: &str| format!("{METADATA}/{key}");
    if let Some(version) = &identity.version {
        ledger.moved(&version.place, &to("version"), version.exact, "as text");
    }
    if let Some(author) = &identity.author {
        ledger.moved(&author.place, &to("author"), author.exact, "as text");
    }
    if let Some(domain) = &identity.domain {
        ledger.moved(&domain.place, &to("domain"), domain.exact, "as text");
    }
    for (at, tag) in identity.tags.iter().enumerate() {
        ledger.moved(&tag.place, &to(&format!("tags/{at}")), tag.exact, "as text");
    }
    if let Some(license) = identity.license.as_ref().filter(|_| !has_license) {
        ledger.moved(&license.place, "SKILL.md#license", license.exact, "as text");
    }
    for manifest in unit.manifests() {
        claim_manifest(unit, manifest, ledger);
    }
}

fn claim_manifest(unit: &TextUnit<'_>, manifest: &Document<'_>, ledger: &mut Ledger<'_>) {
    for unit in &unit.package.units {
        if let UnitKind::Server(server) = &unit.kind
            && server.file == manifest.file
        {
            let place = Place::new(&manifest.file, server.pointer.clone());
            ledger.dropped(&place, "it is a server, which has a skill of its own");
        }
    }
    for key in manifest.keys {
        let place = Place::new(&manifest.file, format!("/{}", escape_pointer(key.name)));
        match key.role {
            Role::Name => ledger.transformed(
                &place,
                &format!("{METADATA}/legacy/name"),
                "before the name of the part",
            ),
            Role::Enabled => ledger.transformed(
                &place,
                &format!("{METADATA}/enabled"),
                "as the switch of the skill",
            ),
            Role::Layout => ledger.transformed(
                &place,
                &unit.source.unit.file,
                "it decides which files are read",
            ),
            Role::Dropped(reason) => ledger.dropped(&place, reason),
            _ => {}
        }
    }
}

/// Returns a value that is not a list, a map or nothing, and whether it was a string.
pub(crate) fn scalar(node: &Node) -> Option<(String, bool)> {
    match &node.kind {
        Kind::String(text) if !text.trim().is_empty() => Some((text.clone(), true)),
        Kind::Number(text) => Some((text.clone(), false)),
        Kind::Bool(bool) => Some((bool.to_string(), false)),
        _ => None,
    }
}

/// Returns a list or a value as one text.
fn words(node: &Node, separator: &str) -> String {
    match &node.kind {
        Kind::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| words(item, separator)).collect();
            items.join(separator)
        }
        Kind::Null => String::new(),
        Kind::Object(members) => {
            let members = members.iter();
            let members = members.map(|member| match &member.value.kind {
                Kind::Object(_) => format!("{} ({})", member.key, words(&member.value, separator)),
                _ => format!("{}: {}", member.key, words(&member.value, separator)),
            });
            members.collect::<Vec<_>>().join(separator)
        }
        _ => scalar(node).map(|(text, _)| text).unwrap_or_default(),
    }
}

/// Returns the tools separated by spaces; commas inside of parentheses belong to a tool.
fn allowed_tools(node: &Node) -> String {
    let text = words(node, ", ");
    let mut depth = 0_usize;
    let mut tools = vec![String::new()];
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match tools.last_mut() {
            Some(tool) if c != ',' || depth > 0 => tool.push(c),
            _ => tools.push(String::new()),
        }
    }
    let tools: Vec<&str> = tools
        .iter()
        .map(|tool| tool.trim())
        .filter(|tool| !tool.is_empty())
        .collect();
    tools.join(" ")
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(line);
}

fn fits(text: &str) -> bool {
    text.chars().count() <= skill_model::COMPATIBILITY_MAX
}
