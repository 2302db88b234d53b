//! Turns a text into a [`Manifest`].

use std::sync::Arc;

use plugin_model::{
    Communication, EntryPoint, Field, Identity, Kind, Node, Program, Push, parse_json,
};
use skill_diagnostics::Diagnostic;

use crate::{
    Manifest, codes::MISSING_VALUE, file::MANIFEST_FILE, foreign, read_capabilities, read_config,
    reader::Reader,
};

/// Reads a manifest.
///
/// The accept rule demands an object with a string `name`, a known `pluginType` and an object
/// `entryPoint`. A text that fails it gives no manifest and one error that says what the file
/// resembles. Everything else is tolerated: a value of an unexpected type is reported and stays in
/// [`Manifest::root`].
///
/// ```
/// let text = r#"{
///     "name": "Tea",
///     "pluginType": "synchronous",
///     "entryPoint": {"command": "node tea.js"}
/// }"#;
/// let (manifest, _findings) = plugin_manifest::read(text);
/// assert_eq!(manifest.unwrap().identity.name.value, "Tea");
///
/// let (manifest, findings) = plugin_manifest::read("[]");
/// assert!(manifest.is_none());
/// assert_eq!(findings[0].message, "not a plugin manifest: it looks like a list");
/// ```
pub fn read(text: &str) -> (Option<Manifest>, Vec<Diagnostic>) {
    read_file(MANIFEST_FILE, text)
}

/// Reads a manifest with this file name.
pub(crate) fn read_file(file: &str, text: &str) -> (Option<Manifest>, Vec<Diagnostic>) {
    if let Some(finding) = foreign::not_json(text) {
        return (None, vec![finding]);
    }
    let (root, mut findings) = parse_json(text);
    let Some(root) = root else {
        return (None, findings);
    };
    let mut reader = Reader::new(file, text);
    let manifest = match foreign::accept(&root) {
        Ok(accepted) => Some(manifest(&mut reader, root, accepted)),
        Err(refusal) => {
            let (node, finding) = *refusal;
            findings.push(reader.locate(finding, &node));
            None
        }
    };
    findings.append(&mut reader.into_findings());
    (manifest, findings)
}

/// Reads a manifest that passed the accept rule.
fn manifest(reader: &mut Reader<'_>, root: Node, accepted: foreign::ManifestIdentity) -> Manifest {
    let config = read_config::read(reader, &root);
    let capabilities = read_capabilities::read(reader, &root);
    note_missing(reader, &root);
    note_shapes(reader, &root);
    let entry_point = entry_point(reader, &root);
    let identity = identity(reader, &root, accepted.name);
    let program = Program {
        plugin_type: reader.exact(accepted.plugin_type, "/pluginType"),
        plugin_type_word: accepted.plugin_type_word,
        entry_point,
        manifest_version: reader.text(&root, "", "manifestVersion"),
        communication: communication(reader, &root),
        commands: capabilities.commands,
        placeholders: capabilities.placeholders,
        refresh_cron: reader.text(&root, "", "refreshIntervalCron"),
        push: push(reader, &root),
        requires_admin: reader.flag(&root, "", "requiresAdmin"),
        has_api_routes: reader.flag(&root, "", "hasApiRoutes"),
        requires_context_bridge: reader.flag(&root, "", "requiresContextBridge"),
        requires_knowledge_base: reader.flag(&root, "", "requiresKnowledgeBaseManager"),
    };
    Manifest {
        file: Arc::clone(reader.file()),
        identity,
        config,
        program,
        root,
    }
}

fn identity(reader: &mut Reader<'_>, root: &Node, name: String) -> Identity {
    Identity {
        name: reader.exact(name, "/name"),
        display_name: reader.text(root, "", "displayName"),
        description: reader.text(root, "", "description"),
        version: reader.text(root, "", "version"),
        author: reader.text(root, "", "author"),
        license: reader.text(root, "", "license"),
        domain: domain(reader, root),
        tags: tags(reader, root),
    }
}

/// Reads `domain` or `category`: a free word.
fn domain(reader: &Reader<'_>, root: &Node) -> Option<Field<String>> {
    ["domain", "category"].iter().find_map(|key| {
        let text = root.get(key)?.as_str()?.to_owned();
        Some(reader.exact(text, format!("/{key}")))
    })
}

fn note_missing(reader: &mut Reader<'_>, root: &Node) {
    for (key, help) in [
        ("version", "0.0.0 is assumed"),
        ("description", "write one: agents choose skills by it"),
    ] {
        if root.get(key).is_none() {
            let message = format!("the manifest has no `{key}`");
            let finding = Diagnostic::warning(MISSING_VALUE, message).with_help(help);
            reader.report(finding, root, "");
        }
    }
}

/// Reports values that cannot be read only because of their shape.
fn note_shapes(reader: &mut Reader<'_>, root: &Node) {
    let placeholders = "/capabilities/systemPromptPlaceholders";
    for (at, expected) in [
        (placeholders, "a list"),
        ("/dependencies", "an object"),
        ("/capabilities", "an object"),
    ] {
        let Some(node) = root.at(at) else { continue };
        let fits = match &node.kind {
            Kind::Null => true,
            Kind::Array(_) => expected == "a list",
            Kind::Object(_) => expected == "an object",
            _ => false,
        };
        if !fits {
            reader.unexpected(expected, node, at);
        }
    }
}

fn entry_point(reader: &mut Reader<'_>, root: &Node) -> EntryPoint {
    let Some(node) = root.get("entryPoint") else {
        return EntryPoint::default();
    };
    let at = "/entryPoint";
    EntryPoint {
        command: reader.text(node, at, "command"),
        script: reader.text(node, at, "script"),
        kind: reader.text(node, at, "type"),
        timeout_ms: reader.millis(node, at, "timeout"),
    }
}

fn communication(reader: &mut Reader<'_>, root: &Node) -> Communication {
    let Some(node) = root.get("communication") else {
        return Communication::default();
    };
    match &node.kind {
        Kind::Object(_) => Communication {
            protocol: reader.text(node, "/communication", "protocol"),
            timeout_ms: reader.millis(node, "/communication", "timeout"),
        },
        Kind::Null => Communication::default(),
        _ => {
            reader.unexpected("an object", node, "/communication");
            Communication::default()
        }
    }
}

fn push(reader: &mut Reader<'_>, root: &Node) -> Option<Push> {
    let node = root.get("webSocketPush")?;
    let at = "/webSocketPush";
    match &node.kind {
        Kind::Object(_) => Some(Push {
            enabled: reader.flag(node, at, "enabled"),
            message_type: reader.text(node, at, "messageType"),
            client_type: reader.text(node, at, "targetClientType"),
        }),
        Kind::Null => None,
        _ => {
            reader.unexpected("an object", node, at);
            None
        }
    }
}

/// Returns the strings in the lists `tags` and `keywords`.
fn tags(reader: &Reader<'_>, root: &Node) -> Vec<Field<String>> {
    let mut acc = Vec::new();
    for key in ["tags", "keywords"] {
        let items = root
            .get(key)
            .map_or(&[][..], Node::items)
            .iter()
            .enumerate();
        acc.extend(items.filter_map(|(at, item)| {
            let value = item.as_str()?.to_owned();
            Some(reader.exact(value, format!("/{key}/{at}")))
        }));
    }
    acc
}

#[cfg(test)]
mod tests {
    use plugin_model::{Millis, PluginType};

    use super::*;

    const HEAD: &str =
        r#""name":"n","pluginType":"synchronous","entryPoint":{"command":"node x.js"}"#;

    #[track_caller]
    fn check(rest: &str, codes: &[&str], look: impl Fn(&Manifest) -> bool) {
        let (manifest, findings) = read(&format!(
            "{{{HEAD},\"version\":\"1\",\"description\":\"d\"{rest}}}"
        ));
        assert_eq!(
            findings
                .iter()
                .map(|finding| finding.code.0)
                .collect::<Vec<_>>(),
            codes
        );
        assert!(look(&manifest.expect("accepted")), "{rest}");
    }

    #[test]
    fn times_are_read_as_javascript_does() {
        for (written, expected) in [
            ("0", Some(0.0)),
            ("-5", Some(-5.0)),
            ("1500.7", Some(1500.7)),
            ("\"1200\"", Some(1200.0)),
            ("\" 1900 \"", Some(1900.0)),
            ("\"0x7d0\"", Some(2000.0)),
            ("\"2e3\"", Some(2000.0)),
            ("[1900]", Some(1900.0)),
            ("\"0\"", Some(-1.0)),
            ("\"-7\"", Some(-1.0)),
            ("\"soon\"", Some(-1.0)),
            ("\"Infinity\"", Some(f64::INFINITY)),
            ("true", Some(1.0)),
            ("{}", Some(-1.0)),
            ("[]", Some(-1.0)),
            ("null", None),
            ("false", None),
            ("\"\"", None),
        ] {
            let text = format!(
                r#"{{"name":"n","pluginType":"synchronous","entryPoint":{{"command":"x"}},"communication":{{"timeout":{written}}}}}"#
            );
            let time = read(&text)
                .0
                .and_then(|m| m.program.communication.timeout_ms);
            assert_eq!(time.map(|field| field.value.0), expected, "{written}");
        }
    }

    #[test]
    fn tolerates_every_variant() {
        check("", &[], |m| {
            m.identity.name.value == "n" && m.program.plugin_type.value == PluginType::Synchronous
        });
        check(r#","communication":null"#, &[], |m| {
            m.program.communication == Communication::default()
        });
        check(r#","communication":"stdio""#, &["unexpected-type"], |m| {
            m.program.communication.protocol.is_none()
        });
        check(r#","communication":{"timeout":"1200"}"#, &[], |m| {
            m.program
                .communication
                .timeout_ms
                .as_ref()
                .is_some_and(|t| t.value == Millis(1200.0) && !t.exact)
        });
        check(
            r#","communication":{"timeout":"soon"}"#,
            &["unexpected-type"],
            |m| {
                let time = m.program.communication.timeout_ms.as_ref();
                time.is_some_and(|time| time.value == Millis::AT_ONCE)
            },
        );
        check(r#","manifestVersion":2"#, &[], |m| {
            m.program
                .manifest_version
                .as_ref()
                .is_some_and(|v| v.value == "2" && !v.exact)
        });
        check(r#","author":{"name":"x"}"#, &["unexpected-type"], |m| {
            m.identity.author.is_none()
        });
        check(r#","requiresAdmin":"True""#, &[], |m| {
            m.program
                .requires_admin
                .as_ref()
                .is_some_and(|f| f.value && !f.exact)
        });
        check(r#","tags":["a",1]"#, &[], |m| m.identity.tags.len() == 1);
        check(
            r#","webSocketPush":{"enabled":true,"messageType":"x"}"#,
            &[],
            |m| {
                m.program
                    .push
                    .as_ref()
                    .is_some_and(|p| p.message_type.is_some())
            },
        );
    }

    #[test]
    fn notes_what_a_person_would_miss() {
        let (manifest, findings) = read(&format!("{{{HEAD}}}"));
        assert!(manifest.is_some());
        assert_eq!(findings.len(), 2);
    }
}
