//! The settings that a manifest declares, and the servers that get them.

use plugin_model::{Document, Kind, Node, Place, Role, Server, ServerSetting, escape_pointer};

use super::template::{is_secret_value, own_key, setting_key};

/// Reads the declaration of a setting: `{type, title, description, default, sensitive, required, multiple}`.
pub(super) fn setting(name: &str, node: &Node, place: Place) -> ServerSetting {
    let flag = |key: &str| node.get(key).is_some_and(|it| it.kind == Kind::Bool(true));
    let kind = text(node, "/type");
    let default = node
        .get("default")
        .map(Node::to_value)
        .filter(|value| !value.is_null());
    let title = text(node, "/title");
    let description = text(node, "/description");
    // A secret of the author is none of this user, also if its host shows it.
    let is_secret = flag("sensitive") || is_secret_value(name, text(node, "/default"));
    ServerSetting {
        key: setting_key(name),
        description: match (title.is_empty(), description.is_empty()) {
            (false, false) => format!("{title}: {description}"),
            (false, true) => title.to_owned(),
            _ => description.to_owned(),
        },
        kind: match kind {
            _ if flag("multiple") => "array",
            "number" => "number",
            "boolean" => "boolean",
            _ => "string",
        },
        // Directories of the author's example user are none of this machine.
        default: default.filter(|value| !value.to_string().contains("${") && !is_secret),
        choices: Vec::new(),
        is_secret,
        is_required: flag("required"),
        is_directory: matches!(kind, "directory" | "file"),
        place,
    }
}

fn text<'n>(node: &'n Node, pointer: &str) -> &'n str {
    let text = node.at(pointer).and_then(Node::as_str);
    text.unwrap_or_default().trim()
}

/// A setting of a manifest, and the variable of programs in which its host has the value.
struct Declared {
    setting: ServerSetting,
    variable: Option<String>,
}

/// Gives a server of a package the settings of its manifest: those that its entry names, and for a
/// program also those that the host has in the environment.
pub(super) fn complete(server: &mut Server, manifest: &Document<'_>) {
    for Declared { setting, variable } in declared(manifest) {
        let mut setting = setting;
        setting.key = own_key(&server.name, setting.key);
        let known = server.settings.iter_mut().find(|it| it.key == setting.key);
        let is_named = known.is_some();
        if let Some(known) = known {
            *known = ServerSetting {
                is_secret: known.is_secret || setting.is_secret,
                default: setting.default.clone().or(known.default.take()),
                ..setting.clone()
            };
        }
        let Some(variable) = variable.filter(|_| server.url.is_none()) else {
            continue;
        };
        let value = format!("${{{}}}", setting.key);
        server.env.entry(variable).or_insert(value);
        if !is_named {
            server.settings.push(setting);
        }
    }
}

/// Returns the settings of a manifest: a list of `{name, envVar}`, an object of declarations, or a
/// JSON Schema.
fn declared(manifest: &Document<'_>) -> Vec<Declared> {
    let mut res = Vec::new();
    for (key, node) in manifest.with_role(Role::Settings) {
        let place = Place::new(&manifest.file, format!("/{}", escape_pointer(key.name)));
        let properties = node
            .get("properties")
            .filter(|_| text(node, "/type") == "object");
        let (place, members) = match properties {
            Some(properties) => (place.child("properties"), properties.members()),
            None => (place, node.members()),
        };
        let required = node.get("required").map_or(&[][..], Node::items);
        res.extend(members.iter().map(|member| {
            let place = place.child(escape_pointer(&member.key));
            let mut setting = setting(&member.key, &member.value, place);
            let is_this = |it: &Node| it.as_str() == Some(&member.key);
            setting.is_required |= properties.is_some() && required.iter().any(is_this);
            Declared {
                setting,
                variable: None,
            }
        }));
        let items = node.items().iter().enumerate();
        res.extend(items.filter_map(|(at, item)| {
            let variable = text(item, "/envVar");
            let mut setting = setting(variable, item, place.child(at));
            let title = text(item, "/name");
            if setting.description.is_empty() {
                title.clone_into(&mut setting.description);
            } else if !title.is_empty() {
                setting.description = format!("{title}: {}", setting.description);
            }
            (!variable.is_empty()).then(|| Declared {
                setting,
                variable: Some(variable.to_owned()),
            })
        }));
    }
    res
}
