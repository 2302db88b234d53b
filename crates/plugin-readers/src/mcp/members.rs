//! Members of entries that do not start the server. They are kept, but not their secrets.

use plugin_model::{Kind, Node, escape_pointer};
use skill_diagnostics::Diagnostic;
use skill_model::REDACTED;

use super::entry::token_with_setting;
use super::list::{entries, wrapped_at};
use super::literal::is_value_of;
use crate::codes::SECRET_FOUND;

/// The members whose secrets become settings.
const STARTS: [&str; 8] = [
    "command",
    "args",
    "env",
    "environment",
    "url",
    "httpUrl",
    "serverUrl",
    "headers",
];
/// Takes the secrets out of the other members of the entries of a list, by their names, and returns findings
/// about those that no setting has.
pub(super) fn without_secrets(file: &str, root: &mut Node) -> Vec<Diagnostic> {
    let Some((wrapper, _)) = entries(root) else {
        return Vec::new();
    };
    let (mut found, mut lost) = (Vec::new(), Vec::new());
    let above = wrapped_at(wrapper);
    let list = if wrapper.is_empty() {
        Some(&mut *root)
    } else {
        member_mut(root, wrapper)
    };
    for entry in list.map_or(&mut [][..], members_mut) {
        let place = format!("{above}/{}", escape_pointer(&entry.key));
        let token = token_with_setting(&entry.value);
        for member in members_mut(&mut entry.value) {
            if !STARTS.contains(&member.key.as_str()) {
                let place = format!("/{}", escape_pointer(&member.key));
                redact(&mut member.value, &member.key, place, &mut found);
            }
        }
        let own = found.drain(..).filter(|it| Some(it.as_str()) != token);
        lost.extend(own.map(|it| format!("{place}{it}")));
    }
    let findings = lost.into_iter().map(|pointer| {
        let name = pointer.rsplit('/').next().unwrap_or_default();
        let message = format!("the value of `{name}` in the entry of a server is not carried: it is a secret");
        let finding = Diagnostic::warning(SECRET_FOUND, message).in_file(file);
        let help = "if the server needs it, add it to `entry.mcp.headers` or `entry.mcp.env` of METADATA.yml as a setting";
        finding.at_pointer(pointer).with_help(help)
    });
    findings.collect()
}

fn members_mut(node: &mut Node) -> &mut [plugin_model::Member] {
    match &mut node.kind {
        Kind::Object(members) => members,
        _ => &mut [],
    }
}

fn member_mut<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let members = members_mut(node).iter_mut();
    let mut found = members.filter(|it| it.key == key);
    found.next().map(|it| &mut it.value)
}

/// Redacts the texts and numbers of secret names, and adds their places.
fn redact(node: &mut Node, name: &str, place: String, acc: &mut Vec<String>) {
    match &mut node.kind {
        Kind::String(text) | Kind::Number(text) if is_value_of(name, text) && text != REDACTED => {
            node.kind = Kind::String(REDACTED.to_owned());
            acc.push(place);
        }
        Kind::Object(members) => {
            for member in members {
                let place = format!("{place}/{}", escape_pointer(&member.key));
                redact(&mut member.value, &member.key, place, acc);
            }
        }
        Kind::Array(items) => {
            for (at, item) in items.iter_mut().enumerate() {
                redact(item, name, format!("{place}/{at}"), acc);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use plugin_model::parse_json;

    use super::*;

    /// Compares what is found in an entry, by its place, and what remains of it.
    #[track_caller]
    fn check(entry: &str, places: &[&str], expected: &str) {
        let text = format!(r#"{{"mcpServers": {{"a": {entry}}}}}"#);
        let mut root = parse_json(&text).0.unwrap();
        let findings = without_secrets(".mcp.json", &mut root);
        let pointers = findings.iter().filter_map(|it| it.place.pointer.as_deref());
        let pointers = pointers.filter_map(|it| it.strip_prefix("/mcpServers/a"));
        assert_eq!(pointers.collect::<Vec<_>>(), places, "{entry}");
        let entry = root.at("/mcpServers/a").unwrap().to_value();
        assert_eq!(
            entry.to_string(),
            expected.replace(": ", ":").replace(", ", ",")
        );
    }

    #[test]
    fn members_keep_no_secret() {
        check(
            r#"{"url": "https://a.example", "authorization_token": "abc1", "note": "abc", "token_limit": "5",
                "auth": {"client_secret": "abc3", "kind": "fixed"}}"#,
            &["/auth/client_secret"],
            r#"{"url": "https://a.example", "authorization_token": "REDACTED", "note": "abc", "token_limit": "5", "auth": {"client_secret": "REDACTED", "kind": "fixed"}}"#,
        );
        check(
            r#"{"url": "https://a.example", "pin": 4711, "port": 8080, "auth": {"token": 471147114711}}"#,
            &["/pin", "/auth/token"],
            r#"{"url": "https://a.example", "pin": "REDACTED", "port": 8080, "auth": {"token": "REDACTED"}}"#,
        );
    }

    #[test]
    fn a_token_without_a_setting_is_a_finding() {
        check(
            r#"{"url": "https://a.example", "authorization_token": "abc1", "auth": {"token": "abc2"}}"#,
            &["/auth/token"],
            r#"{"url": "https://a.example", "authorization_token": "REDACTED", "auth": {"token": "REDACTED"}}"#,
        );
        check(
            r#"{"url": "https://a.example", "auth": {"token": "abc2"}}"#,
            &[],
            r#"{"url": "https://a.example", "auth": {"token": "REDACTED"}}"#,
        );
        check(
            r#"{"command": "a", "auth": {"token": "abc2"}}"#,
            &["/auth/token"],
            r#"{"command": "a", "auth": {"token": "REDACTED"}}"#,
        );
        check(
            r#"{"url": "https://a.example", "headers": {"authorization": "Basic x"}, "auth": {"token": "abc2"}}"#,
            &["/auth/token"],
            r#"{"url": "https://a.example", "headers": {"authorization": "Basic x"}, "auth": {"token": "REDACTED"}}"#,
        );
    }
}
