//! Hooks of hosts: programs that run at events of a conversation. Those that only print become
//! skills; the others are named.
//!
//! - [`Rules`]: the events of a host at which it adds the output of a program to the conversation.
//! - `tables`: the hooks of each host.
//! - `printed`: the output of a shell script that only prints; `words`: the words of scripts.
//!
//! Sources: <https://code.claude.com/docs/en/hooks>, <https://geminicli.com/docs/hooks/reference/>,
//! <https://cursor.com/docs/agent/hooks>, <https://developers.openai.com/codex/hooks>.

mod printed;
mod tables;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;

use plugin_model::{
    Document, Hook, Kind, Moment, Node, Package, Unit, UnitKey, UnitKind, escape_pointer,
    parse_json, parse_jsonc,
};
use skill_diagnostics::Diagnostic;

pub(crate) use tables::{
    CLAUDE, CLAUDE_PART, CODEX, CODEX_PART, CURSOR, CURSOR_PART, GEMINI, GEMINI_PART, IN_MANIFEST,
};

use crate::{codes::HOOKS_LEFT, files::inside, reader::UnitHead};

/// The hooks of a host.
#[derive(Debug)]
pub(crate) struct Rules {
    /// The file of a package; empty if there is none.
    pub(crate) file: &'static str,
    /// The file of the host's directory in a project, which has other settings too.
    pub(crate) home_file: &'static str,
    /// The events at which the host adds the output to the conversation.
    pub(crate) events: &'static [(&'static str, Moment)],
    /// True if the host adds an output that is not JSON.
    pub(crate) takes_plain: bool,
}

/// The rules of a host without hooks.
pub(crate) static NONE: Rules = Rules {
    file: "",
    home_file: "",
    events: &[],
    takes_plain: false,
};

/// A package as the reader of its hooks sees it.
#[derive(Clone, Copy)]
pub(crate) struct View<'v> {
    pub(crate) rules: &'v Rules,
    /// The manifest, and its path; that is empty for the directory of a host in a project.
    pub(crate) root: &'v Node,
    pub(crate) manifest_file: &'v str,
    /// The name of the package if it is the directory of the host in a project: `.claude`.
    pub(crate) home: Option<&'v str>,
    pub(crate) text: &'v dyn Fn(&str) -> Option<String>,
}

/// The hooks of a package.
#[derive(Default)]
pub(crate) struct Found {
    /// Those that only print, with the file that declares each.
    pub(crate) printing: Vec<(Arc<str>, Hook)>,
    /// The others.
    left: Vec<Left>,
    /// The files that only have hooks that print.
    pub(crate) carried_files: Vec<String>,
}

/// A hook that does not become a skill.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Left {
    event: String,
    file: Arc<str>,
    pointer: String,
}

/// Returns the hooks of a package.
pub(crate) fn find(view: &View<'_>) -> Found {
    let mut res = Found::default();
    for (file, node, base) in places(view) {
        let n_before = (res.printing.len(), res.left.len());
        let events = node.get("hooks").unwrap_or(&node);
        let base = if node.get("hooks").is_some() {
            format!("{base}/hooks")
        } else {
            base
        };
        let file: Arc<str> = file.into();
        for event in events.members() {
            let pointer = format!("{base}/{}", escape_pointer(&event.key));
            for (at, group) in event.value.items().iter().enumerate() {
                let pointer = format!("{pointer}/{at}");
                add(view, &file, &event.key, group, &pointer, &mut res);
            }
        }
        let is_carried = res.printing.len() > n_before.0 && res.left.len() == n_before.1;
        if is_carried {
            res.carried_files.push(file.to_string());
        }
    }
    res.left.sort();
    number(&mut res.printing);
    res
}

/// Makes the names of hooks of one event unique.
fn number(hooks: &mut [(Arc<str>, Hook)]) {
    let names: Vec<String> = hooks.iter().map(|(_, hook)| hook.name.clone()).collect();
    for (at, (_, hook)) in hooks.iter_mut().enumerate() {
        let n = names[..at]
            .iter()
            .filter(|name| **name == hook.name)
            .count();
        if n > 0 {
            hook.name = format!("{}-{}", hook.name, n + 1);
        }
    }
}

/// Returns the documents with hooks: the file, the node, and the pointer of the node.
fn places(view: &View<'_>) -> Vec<(String, Node, String)> {
    let mut files = vec![view.rules.file.to_owned()];
    if view.manifest_file.is_empty() {
        files.push(view.rules.home_file.to_owned());
    }
    let mut acc = Vec::new();
    if let Some(named) = view.root.get("hooks") {
        let items = named.items().iter().enumerate();
        let items = items.map(|(at, item)| (item, format!("/hooks/{at}")));
        for (node, pointer) in std::iter::once((named, "/hooks".to_owned())).chain(items) {
            match &node.kind {
                Kind::String(path) => files.extend(inside(path)),
                Kind::Object(_) => {
                    acc.push((view.manifest_file.to_owned(), node.clone(), pointer));
                }
                _ => {}
            }
        }
    }
    files.retain(|file| !file.is_empty());
    files.sort();
    files.dedup();
    for file in files {
        let root = (view.text)(&file).and_then(|text| parse_jsonc(&text).0);
        // Other settings are beside the hooks in the file of a project.
        let is_settings = file == view.rules.home_file && file != view.rules.file;
        let root = root.filter(|root| !is_settings || root.get("hooks").is_some());
        acc.extend(root.map(|root| (file, root, String::new())));
    }
    acc
}

/// Adds the hooks of a group `{matcher, hooks}`, or of a hook that is not in a group.
fn add(
    view: &View<'_>,
    file: &Arc<str>,
    event: &str,
    group: &Node,
    pointer: &str,
    res: &mut Found,
) {
    let matcher = group.get("matcher").and_then(Node::as_str);
    let handlers: Vec<(&Node, String)> = match group.get("hooks") {
        Some(list) => {
            let items = list.items().iter().enumerate();
            items
                .map(|(at, item)| (item, format!("{pointer}/hooks/{at}")))
                .collect()
        }
        None => vec![(group, pointer.to_owned())],
    };
    for (handler, pointer) in handlers {
        let moment = view.rules.events.iter().find(|(name, _)| *name == event);
        let text = moment.and_then(|_| text_of(view, handler));
        match (moment, text) {
            (Some((_, moment)), Some(text)) => {
                let hook = Hook {
                    name: kebab(event),
                    event: event.to_owned(),
                    moment: *moment,
                    matcher: matcher.unwrap_or_default().to_owned(),
                    text,
                    pointer,
                };
                res.printing.push((Arc::clone(file), hook));
            }
            _ => res.left.push(Left {
                event: event.to_owned(),
                file: Arc::clone(file),
                pointer,
            }),
        }
    }
}

/// Returns the text that a handler adds to the conversation, if it only prints.
fn text_of(view: &View<'_>, handler: &Node) -> Option<String> {
    let kind = handler.get("type").map(|kind| &kind.kind);
    let is_command = kind.is_none_or(|kind| *kind == Kind::String("command".to_owned()));
    let has_more = ["args", "if", "shell", "async"]
        .iter()
        .any(|key| handler.get(key).is_some());
    let command = handler.get("command").and_then(Node::as_str)?;
    if !is_command || has_more {
        return None;
    }
    let output = printed::printed(command, view.home.unwrap_or_default(), view.text)?;
    let output = output.trim();
    if !output.starts_with('{') {
        return (view.rules.takes_plain && !output.is_empty()).then(|| output.to_owned());
    }
    let root = parse_json(output).0?;
    let decides = ["decision", "continue", "permission", "stopReason"];
    if decides.iter().any(|key| root.get(key).is_some()) {
        return None;
    }
    let specific = root.get("hookSpecificOutput").unwrap_or(&root);
    let keys = ["additionalContext", "additional_context"];
    let text = keys.iter().find_map(|key| specific.get(key)?.as_str());
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

/// Returns the finding about hooks that do not become skills.
pub(crate) fn finding(found: &Found) -> Option<Diagnostic> {
    let left = found.left.iter();
    let mut events: Vec<String> = left
        .map(|hook| format!("`{}`", hook.event.escape_debug()))
        .collect();
    events.dedup();
    let message = format!(
        "the hooks of the package are not carried: {}",
        events.join(", ")
    );
    let help = "references/hooks.json or METADATA.yml has them; set them up in your host";
    let finding = || Diagnostic::warning(HOOKS_LEFT, message).with_help(help);
    (!events.is_empty()).then(finding)
}

/// Returns a finding about each hook of a package of which nothing becomes a skill.
pub(crate) fn each_left(found: &Found) -> Vec<Diagnostic> {
    let finding = |hook: &Left| {
        let event = hook.event.escape_debug();
        let message = format!("the hook at `{event}` is not carried: it does more than add a text");
        let finding = Diagnostic::warning(HOOKS_LEFT, message).in_file(&*hook.file);
        finding
            .at_pointer(&*hook.pointer)
            .with_help("set it up in your host")
    };
    found.left.iter().map(finding).collect()
}

/// Returns the heads of the hooks.
pub(crate) fn heads(found: &Found, package: &str) -> Vec<UnitHead> {
    let head = |hook: &Hook| {
        let long = format!("{package}-{}", hook.name);
        UnitHead {
            unit: key_of(hook),
            file: String::new(),
            name: if package.is_empty() {
                hook.name.clone()
            } else {
                long.clone()
            },
            alternatives: vec![format!("{long}-hook")],
            call: String::new(),
            aliases: Vec::new(),
            type_word: "hook".to_owned(),
            likeness: String::new(),
            list: String::new(),
        }
    };
    found.printing.iter().map(|(_, hook)| head(hook)).collect()
}

fn key_of(hook: &Hook) -> UnitKey {
    UnitKey::new("hook", &hook.name)
}

/// Adds the hooks that only print to a package.
pub(crate) fn add_to_package(package: &mut Package<'_>, found: Found) {
    let texts = package.sources.texts;
    for (file, hook) in found.printing {
        let is_known = package.document(&file).is_some();
        if let Some(text) = texts.get(&*file).filter(|_| !is_known)
            && let Some(root) = parse_jsonc(text).0
        {
            package.documents.push(Document {
                file: Arc::clone(&file),
                text,
                root,
                keys: &[],
            });
        }
        package.units.push(Unit {
            key: key_of(&hook),
            file,
            kind: UnitKind::Hook(Box::new(hook)),
        });
    }
}

/// Returns the name of an event in the form of a skill's name: `session-start`.
fn kebab(event: &str) -> String {
    let mut res = String::new();
    for c in event.chars() {
        if c.is_uppercase() && !res.is_empty() {
            res.push('-');
        }
        res.extend(c.to_lowercase());
    }
    res
}
