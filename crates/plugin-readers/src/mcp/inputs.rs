//! The list `inputs` of VS Code: what it asks its user for, and remembers.
//!
//! Source: <https://code.visualstudio.com/docs/copilot/reference/mcp-configuration>, as of August 2026.

use plugin_model::{Kind, Node, Server};
use serde_json::Value;
use skill_model::{REDACTED, is_secret_name};

use super::keys::{own_key, setting_key};

/// Takes the values of secrets out of a document, so that no copy of its keys has them: the defaults of
/// passwords that VS Code asks for, and of settings of a bundle that are sensitive.
pub(super) fn without_secrets(root: &mut Node) {
    let Kind::Object(members) = &mut root.kind else {
        return;
    };
    for member in members {
        match (member.key.as_str(), &mut member.value.kind) {
            ("inputs", Kind::Array(items)) => items.iter_mut().for_each(without_value),
            ("user_config" | "inputs", Kind::Object(members)) => {
                for member in members {
                    without_value(&mut member.value);
                }
            }
            _ => {}
        }
    }
}

/// Takes the values out of the declaration of a secret.
fn without_value(declaration: &mut Node) {
    let is_true = |key: &str| {
        let flag = declaration.get(key).map(|it| &it.kind);
        flag == Some(&Kind::Bool(true))
    };
    let names = ["id", "name"]
        .into_iter()
        .filter_map(|key| declaration.get(key)?.as_str());
    let is_secret = ["password", "sensitive", "isSecret"]
        .into_iter()
        .any(is_true)
        || names.into_iter().any(is_secret_name);
    let Kind::Object(members) = &mut declaration.kind else {
        return;
    };
    let values = members
        .iter_mut()
        .filter(|it| is_secret && matches!(it.key.as_str(), "default" | "value" | "options"));
    for member in values {
        if !matches!(member.value.kind, Kind::Null | Kind::Bool(_)) {
            member.value.kind = Kind::String(REDACTED.to_owned());
        }
    }
}

/// Completes the settings of a server by what the list says about them.
pub(super) fn complete(server: &mut Server, root: &Node) {
    for input in root.get("inputs").map_or(&[][..], Node::items) {
        let text = |key: &str| input.get(key).and_then(Node::as_str).unwrap_or_default();
        let key = own_key(&server.name, setting_key(text("id")));
        let settings = server.settings.iter_mut();
        for setting in settings.filter(|it| it.key == key && !text("id").is_empty()) {
            if setting.description.is_empty() {
                text("description").clone_into(&mut setting.description);
            }
            let password = input.get("password").map(|it| &it.kind);
            setting.is_secret |= password == Some(&Kind::Bool(true));
            if setting.is_secret {
                setting.default = None;
            }
            let default = text("default");
            if setting.default.is_none() && !default.is_empty() && !setting.is_secret {
                setting.default = Some(Value::from(default));
                setting.is_required = false;
            }
            let options = input.get("options").map_or(&[][..], Node::items).iter();
            let options = options.filter_map(Node::as_str).map(str::to_owned);
            if setting.choices.is_empty() {
                setting.choices = options.collect();
            }
        }
    }
}
