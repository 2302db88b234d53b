//! The list `inputs` of VS Code: what it asks its user for, and remembers.
//!
//! Source: <https://code.visualstudio.com/docs/copilot/reference/mcp-configuration>, as of August 2026.

use plugin_model::{Kind, Node, Server};
use serde_json::Value;

use super::template::setting_key;

/// Completes the settings of a server by what the list says about them.
pub(super) fn complete(server: &mut Server, root: &Node) {
    for input in root.get("inputs").map_or(&[][..], Node::items) {
        let text = |key: &str| input.get(key).and_then(Node::as_str).unwrap_or_default();
        let key = setting_key(text("id"));
        let settings = server.settings.iter_mut();
        for setting in settings.filter(|it| it.key == key && !text("id").is_empty()) {
            if setting.description.is_empty() {
                text("description").clone_into(&mut setting.description);
            }
            let password = input.get("password").map(|it| &it.kind);
            setting.is_secret |= password == Some(&Kind::Bool(true));
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
