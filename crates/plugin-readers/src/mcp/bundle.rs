//! The manifest of an MCP bundle.

use std::sync::Arc;

use plugin_model::{Kind, Node, Place, Server, escape_pointer};

use super::entry::{filled_words, hosts, start, texts as texts_of};
use super::template::Settings;
use super::{declared, dependencies};

/// The name of the file.
pub(super) const FILE: &str = "manifest.json";

/// Returns true for the manifest of a bundle. That of an extension of a browser has the same name.
pub(super) fn is_one(root: &Node) -> bool {
    let has_version = ["manifest_version", "dxt_version"]
        .iter()
        .any(|key| root.get(key).is_some());
    has_version && matches!(root.get("server").map(|it| &it.kind), Some(Kind::Object(_)))
}

fn text<'n>(node: &'n Node, pointer: &str) -> &'n str {
    node.at(pointer)
        .and_then(Node::as_str)
        .unwrap_or_default()
        .trim()
}

/// The name of a server whose bundle has none, although the specification requires one.
const NAMELESS: &str = "bundle";

/// Reads a bundle.
pub(super) fn server(
    file: &Arc<str>,
    root: &Node,
    texts: &dyn Fn(&str) -> Option<String>,
) -> Server {
    let place = Place::new(file, "");
    let name = text(root, "/name");
    let mut settings = Settings::of(if name.is_empty() { NAMELESS } else { name });
    let user_config = root.get("user_config").map_or(&[][..], Node::members);
    for member in user_config {
        let place = place
            .child("user_config")
            .child(escape_pointer(&member.key));
        let mut setting = declared::setting(&member.key, &member.value, place);
        setting.key = settings.named(&member.key);
        settings.add(setting);
    }
    let optional = |value: &str| (!value.is_empty()).then(|| value.to_owned());
    let name = optional(text(root, "/name")).unwrap_or_else(|| NAMELESS.to_owned());
    let mut res = Server {
        title: optional(text(root, "/display_name")).unwrap_or_else(|| name.clone()),
        name,
        description: text(root, "/description").to_owned(),
        long_description: text(root, "/long_description").to_owned(),
        tags: words(root.get("keywords")),
        version: text(root, "/version").to_owned(),
        license: optional(text(root, "/license")),
        author: optional(text(root, "/author/name")).or(optional(text(root, "/author"))),
        systems: systems(root),
        is_enabled: true,
        has_files: true,
        tools: tools(root),
        file: Arc::clone(file),
        ..Server::default()
    };
    let config = root.at("/server/mcp_config");
    let at = place.child("server").child("mcp_config");
    let command = config.map_or("", |config| text(config, "/command"));
    let mut words: Vec<String> = vec![command.to_owned()];
    let args = config
        .and_then(|config| config.get("args"))
        .map_or(&[][..], Node::items);
    words.extend(args.iter().filter_map(Node::as_str).map(str::to_owned));
    if command.is_empty() {
        words = usual(root);
    }
    let words = filled_words(&words, &at.child("args"), &mut settings);
    start(&mut res, &words);
    let env = config.and_then(|config| config.get("env"));
    res.env = texts_of(env, &at.child("env"), &mut settings);
    res.hosts = hosts(&res, &settings.found);
    dependencies::add(&mut res, "", texts);
    for setting in &mut settings.found {
        // A placeholder without a declaration asks for nothing that the user knows.
        let is_replaced = settings.replaced.contains(&setting.key);
        setting.is_required &= is_replaced || setting.place.pointer.starts_with("/user_config/");
    }
    res.settings = settings.found;
    res.replaced = settings.replaced;
    res
}

/// Returns the command line of a bundle that has none.
fn usual(root: &Node) -> Vec<String> {
    let entry = format!("${{__dirname}}/{}", text(root, "/server/entry_point"));
    match text(root, "/server/type") {
        "node" => vec!["node".to_owned(), entry],
        "python" | "uv" => vec!["python3".to_owned(), entry],
        _ => vec![entry],
    }
}

/// Returns the texts of a list.
fn words(list: Option<&Node>) -> Vec<String> {
    let items = list.map_or(&[][..], Node::items).iter();
    items.filter_map(Node::as_str).map(str::to_owned).collect()
}

/// Returns the operating systems, in the words of `requires.os`.
fn systems(root: &Node) -> Vec<String> {
    let platforms = words(root.at("/compatibility/platforms")).into_iter();
    let platforms = platforms.map(|word| match word.as_str() {
        "darwin" => "macos".to_owned(),
        "win32" => "windows".to_owned(),
        _ => word,
    });
    platforms.collect()
}

fn tools(root: &Node) -> Vec<(String, String)> {
    let tools = root.get("tools").map_or(&[][..], Node::items).iter();
    let tools = tools.map(|tool| {
        (
            text(tool, "/name").to_owned(),
            text(tool, "/description").to_owned(),
        )
    });
    tools.filter(|(name, _)| !name.is_empty()).collect()
}
