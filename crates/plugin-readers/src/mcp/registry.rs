//! A server of the MCP registry: `server.json`. Older files have keys in `snake_case`.

use std::sync::Arc;

use plugin_model::{Kind, Node, Place, Server, ServerPackage, ServerSetting, escape_pointer};
use serde_json::Value;
use skill_model::{is_ordinary, is_secret_name};

use super::entry::{host, hosts};
use super::template::{Settings, is_secret_value, secret};

/// The name of the file.
pub(super) const FILE: &str = "server.json";

/// Returns true for a server of the registry. Data of the npm package `json-server` has the same name.
pub(super) fn is_one(root: &Node) -> bool {
    let name = root.get("name").and_then(Node::as_str).unwrap_or_default();
    let is_list = |key: &str| matches!(root.get(key).map(|it| &it.kind), Some(Kind::Array(_)));
    name.matches('/').count() == 1 && (is_list("packages") || is_list("remotes"))
}

/// Returns the value of a key in either spelling.
fn get<'n>(node: &'n Node, camel: &str, snake: &str) -> Option<&'n Node> {
    node.get(camel).or_else(|| node.get(snake))
}

fn text<'n>(node: &'n Node, camel: &str, snake: &str) -> &'n str {
    let text = get(node, camel, snake).and_then(Node::as_str);
    text.unwrap_or_default().trim()
}

fn flag(node: &Node, camel: &str, snake: &str) -> bool {
    get(node, camel, snake).is_some_and(|it| it.kind == Kind::Bool(true))
}

/// Returns the protocol of an address.
fn protocol(node: &Node) -> Option<&'static str> {
    let kind = match text(node, "type", "transport_type") {
        "" => text(node, "transport", "transport"),
        kind => kind,
    };
    match kind {
        "sse" => Some("sse"),
        "streamable-http" | "streamable" | "streamable_http" | "http" => Some("streamable-http"),
        _ => None,
    }
}

/// Returns the address to use: the first of streamable HTTP, which took the place of SSE in the protocol,
/// or else the first.
fn chosen_remote(remotes: &[Node]) -> Option<usize> {
    let is_streamable = |node: &Node| protocol(node) == Some("streamable-http");
    let found = remotes.iter().position(is_streamable);
    found.or((!remotes.is_empty()).then_some(0))
}

/// Reads a server: its first package that can be installed and is asked over its standard streams, or else
/// an address, or else another package.
pub(super) fn server(file: &Arc<str>, root: &Node) -> Server {
    let place = Place::new(file, "");
    let name = text(root, "name", "name");
    let short = name.rsplit('/').next().unwrap_or(name);
    let mut settings = Settings::of(short);
    let title = text(root, "title", "title");
    let detail = root
        .get("version_detail")
        .map_or("", |it| text(it, "version", "version"));
    let version = text(root, "version", "version");
    let mut res = Server {
        name: short.to_owned(),
        title: if title.is_empty() {
            short.to_owned()
        } else {
            title.to_owned()
        },
        description: text(root, "description", "description").to_owned(),
        version: if version.is_empty() {
            detail.to_owned()
        } else {
            version.to_owned()
        },
        is_enabled: true,
        file: Arc::clone(file),
        ..Server::default()
    };
    let list = |key: &str| root.get(key).map_or(&[][..], Node::items);
    let registry = |node: &Node| match text(node, "registryType", "registry_type") {
        "" => text(node, "registry_name", "registry_name").to_owned(),
        word => word.to_owned(),
    };
    let known = |node: &Node| matches!(registry(node).as_str(), "npm" | "pypi");
    let direct = |node: &Node| known(node) && matches!(transport(node), "" | "stdio");
    let packages = list("packages");
    let remote_at = chosen_remote(list("remotes"));
    let found = packages.iter().position(direct);
    let found = found.or_else(|| {
        packages
            .iter()
            .position(known)
            .filter(|_| remote_at.is_none())
    });
    match (found, remote_at) {
        (Some(at), _) => {
            let node = &packages[at];
            let place = place.child("packages").child(at);
            res.chosen = Some(place.pointer.clone());
            program(&mut res, node, &registry(node), &place, &mut settings);
        }
        (None, Some(at)) => {
            let place = place.child("remotes").child(at);
            res.chosen = Some(place.pointer.clone());
            remote(&mut res, &list("remotes")[at], &place, &mut settings);
        }
        (None, None) => {
            let words: Vec<String> = list("packages").iter().map(registry).collect();
            res.command = Some(short.to_owned());
            res.blockers.push(format!("the server is published for {} only, expected npm or PyPI; install it yourself, and name its program in `entry.mcp` of METADATA.yml", words.join(", ")));
        }
    }
    if res.url.is_none() {
        res.hosts = hosts(&res, &settings.found);
    }
    res.settings = settings.found;
    res.replaced = settings.replaced;
    res
}

/// Returns how the program of a package is asked; empty for its standard streams.
fn transport(node: &Node) -> &str {
    let transport = node.get("transport");
    transport.map_or("", |it| text(it, "type", "type"))
}

fn program(res: &mut Server, node: &Node, registry: &str, place: &Place, settings: &mut Settings) {
    let name = match text(node, "identifier", "identifier") {
        "" => text(node, "name", "name"),
        name => name,
    };
    let version = text(node, "version", "version");
    let version = (!matches!(version, "" | "latest")).then_some(version);
    let is_npm = registry == "npm";
    res.package = Some(ServerPackage {
        registry: if is_npm { "npm" } else { "pypi" },
        name: name.to_owned(),
        range: version.map(|version| {
            if is_npm {
                version.to_owned()
            } else {
                format!("=={version}")
            }
        }),
    });
    let transport = transport(node);
    if !matches!(transport, "" | "stdio") {
        res.blockers.push(format!("the program is asked over `{transport}`, expected stdio; start it yourself, and write its address in `entry.mcp.url` of METADATA.yml"));
    }
    let arguments = get(node, "packageArguments", "package_arguments").map_or(&[][..], Node::items);
    for (at, argument) in arguments.iter().enumerate() {
        let place = place.child("packageArguments").child(at);
        let name = text(argument, "name", "name");
        let hint = match text(argument, "valueHint", "value_hint") {
            "" => name.trim_start_matches('-'),
            hint => hint,
        };
        let value = value(
            argument,
            if hint.is_empty() { "ARGUMENT" } else { hint },
            &place,
            settings,
        );
        let is_flag = name.starts_with('-');
        match value {
            Some(value) if is_flag => res.args.push(format!("{name}={value}")),
            Some(value) => res.args.push(value),
            None if is_flag => res.args.push(name.to_owned()),
            None => {}
        }
    }
    let variables =
        get(node, "environmentVariables", "environment_variables").map_or(&[][..], Node::items);
    for (at, variable) in variables.iter().enumerate() {
        let place = place.child("environmentVariables").child(at);
        let name = text(variable, "name", "name");
        if let Some(value) = value(variable, name, &place, settings) {
            res.env.insert(name.to_owned(), value);
        }
    }
}

fn remote(res: &mut Server, node: &Node, place: &Place, settings: &mut Settings) {
    res.protocol = protocol(node);
    let url = text(node, "url", "url");
    res.hosts = host(url).into_iter().collect();
    let variables = node.get("variables").map_or(&[][..], Node::members);
    let open = filled(url, (variables, false), &place.child("variables"), settings);
    res.url = Some(settings.address(&open, place));
    let headers = node.get("headers").map_or(&[][..], Node::items);
    for (at, header) in headers.iter().enumerate() {
        let place = place.child("headers").child(at);
        let name = text(header, "name", "name");
        if let Some(value) = value(header, name, &place, settings) {
            res.headers.insert(name.to_owned(), value);
        }
    }
}

/// Returns the value of an input, with `${KEY}` for what the user gives; `None` if it is a flag.
fn value(node: &Node, name: &str, place: &Place, settings: &mut Settings) -> Option<String> {
    let fixed = text(node, "value", "value");
    if !fixed.is_empty() {
        let variables = node.get("variables").map_or(&[][..], Node::members);
        let is_secret = flag(node, "isSecret", "is_secret");
        let open = filled(
            fixed,
            (variables, is_secret),
            &place.child("variables"),
            settings,
        );
        if open != fixed {
            return Some(settings.without_secrets(&open, name, place));
        }
        if !is_secret {
            return Some(settings.argument(fixed, name, name, place));
        }
        // A value that is called a secret is the author's, and none of this user.
        let key = settings.key_of(settings.named(name), fixed);
        settings.replace(secret(key.clone(), place));
        return Some(format!("${{{key}}}"));
    }
    let is_flag =
        text(node, "type", "type") == "named" && text(node, "format", "format") == "boolean";
    if name.is_empty() || is_flag {
        return None;
    }
    Some(input(name, (node, false), place.clone(), settings))
}

/// Adds a setting for an input, which may be a part of a secret, and returns its placeholder.
fn input(
    name: &str,
    (node, is_of_secret): (&Node, bool),
    place: Place,
    settings: &mut Settings,
) -> String {
    let key = settings.named(name);
    let default = text(node, "default", "default");
    let is_secret = is_of_secret
        || flag(node, "isSecret", "is_secret")
        || is_secret_name(&key) && !is_ordinary(name, default)
        || is_secret_value(name, default);
    let choices = node.get("choices").map_or(&[][..], Node::items).iter();
    settings.add(ServerSetting {
        key: key.clone(),
        description: text(node, "description", "description").to_owned(),
        kind: "string",
        default: (!default.is_empty() && !is_secret).then(|| Value::from(default)),
        choices: choices
            .filter(|_| !is_secret)
            .filter_map(Node::as_str)
            .map(str::to_owned)
            .collect(),
        is_secret,
        is_required: flag(node, "isRequired", "is_required"),
        is_directory: text(node, "format", "format") == "filepath",
        place,
    });
    format!("${{{key}}}")
}

/// Replaces `{name}` by the placeholder of a variable, of a text that may be a secret.
fn filled(
    template: &str,
    (variables, is_secret): (&[plugin_model::Member], bool),
    place: &Place,
    settings: &mut Settings,
) -> String {
    let mut res = template.to_owned();
    for member in variables {
        let written = format!("{{{}}}", member.key);
        if res.contains(&written) {
            let place = place.child(escape_pointer(&member.key));
            let placeholder = input(&member.key, (&member.value, is_secret), place, settings);
            res = res.replace(&written, &placeholder);
        }
    }
    res
}
