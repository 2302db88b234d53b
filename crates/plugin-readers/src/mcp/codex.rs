//! The table `mcp_servers` of the settings of Codex, in the form of other hosts.
//!
//! Source: <https://developers.openai.com/codex/mcp>, as of August 2026.

use std::sync::Arc;

use plugin_model::{Kind, Member, Node, Server, escape_pointer};

use super::usual::{Usual, member, text};

/// Reads an entry; `None` without a command or an address.
pub(super) fn server(file: &Arc<str>, above: &str, name: &str, entry: &Node) -> Option<Server> {
    let mut server = usual(entry).server(file, above, name)?;
    let passed_on = format!("{}/env_vars", server.pointer);
    for setting in &mut server.settings {
        // The host passes on what is there.
        if setting.place.pointer.starts_with(&passed_on) {
            setting.is_required = false;
        }
    }
    Some(server)
}

/// Returns an entry in the form of other hosts.
fn usual(entry: &Node) -> Usual {
    let mut members: Vec<Member> = Vec::new();
    let (mut headers, mut env) = (Vec::new(), Vec::new());
    let mut moved = Vec::new();
    let mut move_to = |here: String, there: String| moved.push((here, there));
    for it in entry.members() {
        let value = &it.value;
        match (it.key.as_str(), &value.kind) {
            ("http_headers", Kind::Object(all)) => {
                for header in all {
                    let name = escape_pointer(&header.key);
                    move_to(format!("/headers/{name}"), format!("/http_headers/{name}"));
                    headers.push(header.clone());
                }
            }
            ("env_http_headers", Kind::Object(all)) => {
                for header in all {
                    let name = escape_pointer(&header.key);
                    let Some(key) = header.value.as_str() else {
                        continue;
                    };
                    move_to(
                        format!("/headers/{name}"),
                        format!("/env_http_headers/{name}"),
                    );
                    let value = text(format!("${{{key}}}"), &header.value);
                    headers.push(member(&header.key, value));
                }
            }
            ("bearer_token_env_var", Kind::String(key)) => {
                let there = "/bearer_token_env_var".to_owned();
                move_to("/headers/Authorization".to_owned(), there);
                let value = text(format!("Bearer ${{{key}}}"), value);
                headers.push(member("Authorization", value));
            }
            ("env", Kind::Object(all)) => env.extend(all.iter().cloned()),
            ("env_vars", Kind::Array(items)) => {
                for (at, item) in items.iter().enumerate() {
                    let name = item.get("name").unwrap_or(item);
                    let Some(key) = name.as_str() else { continue };
                    let here = format!("/env/{}", escape_pointer(key));
                    move_to(here, format!("/env_vars/{at}"));
                    env.push(member(key, text(format!("${{{key}}}"), name)));
                }
            }
            ("tool_timeout_sec", Kind::Number(seconds)) => {
                let seconds: f64 = seconds.parse().unwrap_or_default();
                let ms = (seconds * 1_000.0).round();
                if ms >= 1.0 {
                    let kind = Kind::Number(format!("{ms}"));
                    let span = value.span.clone();
                    members.push(member("timeout", Node { span, kind }));
                }
            }
            ("enabled_tools", _) => members.push(member("includeTools", value.clone())),
            ("disabled_tools", _) => members.push(member("excludeTools", value.clone())),
            _ => members.push(it.clone()),
        }
    }
    for (key, all) in [("headers", headers), ("env", env)] {
        if !all.is_empty() {
            let span = entry.span.clone();
            let kind = Kind::Object(all);
            members.push(member(key, Node { span, kind }));
        }
    }
    let node = Node {
        span: entry.span.clone(),
        kind: Kind::Object(members),
    };
    Usual { node, moved }
}
