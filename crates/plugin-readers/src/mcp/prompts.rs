//! The prompts of a bundle: templates with `${arguments.NAME}`, each of which becomes a skill.
//!
//! A prompt is a part of `manifest.json` and no file of its own, so that its document has the path
//! `manifest.json#/prompts/0`.

use std::sync::Arc;

use plugin_model::{Document, Format, Key, Node, Role, Text, Unit, UnitKey, UnitKind, key};
use skill_diagnostics::Diagnostic;

use crate::{codes::MISSING_PART, package::with_placeholders, reader::UnitHead};

/// The word for prompts.
const PROMPT: &str = "prompt";

/// The keys of a prompt.
pub(super) const KEYS: &[Key] = &[
    key("name", Role::Name),
    key("description", Role::Description),
    key("arguments", Role::Arguments),
    key("text", Role::Body),
];

/// A prompt of a manifest.
struct Prompt<'r> {
    /// Its position in the list.
    at: usize,
    name: &'r str,
    text: &'r str,
    node: &'r Node,
}

fn text<'n>(node: &'n Node, key: &str) -> &'n str {
    node.get(key).and_then(Node::as_str).unwrap_or_default()
}

/// Returns the prompts with a name and a text, the first of each name.
fn prompts(root: &Node) -> Vec<Prompt<'_>> {
    let list = root.get("prompts").map_or(&[][..], Node::items);
    let mut res: Vec<Prompt<'_>> = Vec::new();
    for (at, node) in list.iter().enumerate() {
        let (name, text) = (text(node, "name").trim(), text(node, "text"));
        let is_known = res.iter().any(|known| known.name == name);
        if !name.is_empty() && !text.trim().is_empty() && !is_known {
            res.push(Prompt {
                at,
                name,
                text,
                node,
            });
        }
    }
    res
}

/// Returns the heads of the prompts.
pub(super) fn heads(root: &Node, package: &str) -> Vec<UnitHead> {
    let found = prompts(root).into_iter();
    let heads = found.map(|prompt| UnitHead {
        unit: UnitKey::new(PROMPT, prompt.name),
        file: String::new(),
        name: prompt.name.to_owned(),
        alternatives: vec![
            format!("{package}-{}", prompt.name),
            format!("{}-prompt", prompt.name),
        ],
        call: String::new(),
        aliases: Vec::new(),
        type_word: PROMPT.to_owned(),
        likeness: String::new(),
        list: String::new(),
    });
    heads.collect()
}

/// Returns the documents and units of the prompts, and findings about those without a text.
pub(super) fn read<'a>(
    file: &Arc<str>,
    source: &'a str,
    root: &Node,
) -> (Vec<(Document<'a>, Unit)>, Vec<Diagnostic>) {
    let found = prompts(root);
    let list = root.get("prompts").map_or(&[][..], Node::items);
    let others = (0..list.len()).filter(|at| !found.iter().any(|prompt| prompt.at == *at));
    let findings = others.map(|at| {
        let name = text(&list[at], "name").escape_debug();
        let message = format!("the prompt `{name}` does not become a skill: the bundle has no text for it, or another one of this name");
        let finding = Diagnostic::warning(MISSING_PART, message);
        finding.at_pointer(format!("/prompts/{at}")).with_help("its text is only in the running server, which agents ask over MCP")
    });
    let findings = findings.map(|finding| finding.in_file(&**file)).collect();
    let units = found.iter().map(|prompt| {
        let own: Arc<str> = format!("{file}#/prompts/{}", prompt.at).into();
        let document = Document {
            file: Arc::clone(&own),
            text: source,
            root: prompt.node.clone(),
            keys: KEYS,
        };
        let text = Text {
            call: prompt.name.to_owned(),
            body: prompt.text.to_owned(),
            directory: None,
        };
        let unit = Unit {
            key: UnitKey::new(PROMPT, prompt.name),
            file: own,
            kind: UnitKind::Prompt(Box::new(text)),
        };
        (
            with_placeholders(document, &unit.kind, Format::McpBundle),
            unit,
        )
    });
    (units.collect(), findings)
}
