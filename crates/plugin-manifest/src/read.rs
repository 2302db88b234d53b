//! Turns a text into a [`Manifest`].

use skill_diagnostics::{Diagnostic, LineIndex};

use crate::{
    Communication, EntryPoint, Field, Kind, Manifest, Node, PluginType, Push,
    codes::{MISSING_VALUE, UNEXPECTED_TYPE},
    foreign,
    manifest::Millis,
    parse_json, read_capabilities, read_config,
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
/// assert_eq!(manifest.unwrap().name.value, "Tea");
///
/// let (manifest, findings) = plugin_manifest::read("[]");
/// assert!(manifest.is_none());
/// assert_eq!(findings[0].message, "not a plugin manifest: it looks like a list");
/// ```
pub fn read(text: &str) -> (Option<Manifest>, Vec<Diagnostic>) {
    if let Some(finding) = foreign::not_json(text) {
        return (None, vec![finding]);
    }
    let (root, mut findings) = parse_json(text);
    let Some(root) = root else {
        return (None, findings);
    };
    let mut reader = Reader {
        index: LineIndex::new(text),
        findings: Vec::new(),
    };
    let manifest = match foreign::accept(&root) {
        Ok(accepted) => Some(reader.manifest(root, accepted)),
        Err(refusal) => {
            let (node, finding) = *refusal;
            findings.push(reader.locate(finding, &node));
            None
        }
    };
    findings.append(&mut reader.findings);
    (manifest, findings)
}

/// Reads values from nodes and collects findings about them.
pub(crate) struct Reader<'a> {
    index: LineIndex<'a>,
    findings: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn locate(&self, finding: Diagnostic, node: &Node) -> Diagnostic {
        finding.at(self.index.span(node.span.clone()))
    }

    /// Adds a finding about a node.
    pub(crate) fn report(&mut self, finding: Diagnostic, node: &Node, pointer: &str) {
        let finding = self.locate(finding, node).at_pointer(pointer);
        self.findings.push(finding);
    }

    fn unexpected(&mut self, expected: &str, node: &Node, pointer: &str) {
        let field = pointer.rsplit('/').next().unwrap_or(pointer);
        let message = format!("`{field}` is {}, expected {expected}", node.type_word());
        let finding =
            Diagnostic::warning(UNEXPECTED_TYPE, message).with_help("it is kept as it is");
        self.report(finding, node, pointer);
    }

    /// Reads a string; numbers and booleans count as their text.
    pub(crate) fn text(&mut self, parent: &Node, at: &str, key: &str) -> Option<Field<String>> {
        let node = parent.get(key)?;
        let pointer = format!("{at}/{key}");
        match &node.kind {
            Kind::String(value) => Some(Field {
                value: value.clone(),
                pointer,
                exact: true,
            }),
            Kind::Number(value) => Some(Field {
                value: value.clone(),
                pointer,
                exact: false,
            }),
            Kind::Bool(value) => Some(Field {
                value: value.to_string(),
                pointer,
                exact: false,
            }),
            Kind::Null => None,
            _ => {
                self.unexpected("a string", node, &pointer);
                None
            }
        }
    }

    /// Reads a boolean; the strings `true` and `false` count as well.
    pub(crate) fn flag(&mut self, parent: &Node, at: &str, key: &str) -> Option<Field<bool>> {
        let node = parent.get(key)?;
        let pointer = format!("{at}/{key}");
        let (value, exact) = match &node.kind {
            Kind::Bool(value) => (*value, true),
            Kind::String(text) if text.eq_ignore_ascii_case("true") => (true, false),
            Kind::String(text) if text.eq_ignore_ascii_case("false") => (false, false),
            Kind::Null => return None,
            _ => {
                self.unexpected("true or false", node, &pointer);
                return None;
            }
        };
        Some(Field {
            value,
            pointer,
            exact,
        })
    }

    /// Reads a time in milliseconds, as `setTimeout` does. A value that is falsy in JavaScript
    /// gives `None`.
    fn millis(&mut self, parent: &Node, at: &str, key: &str) -> Option<Field<Millis>> {
        let node = parent.get(key)?;
        let pointer = format!("{at}/{key}");
        let exact = matches!(node.kind, Kind::Number(_));
        let value = match &node.kind {
            Kind::Null => return None,
            Kind::Number(text) => text.parse().ok(),
            _ => as_number(node),
        };
        if value.is_none() {
            self.unexpected("a number of milliseconds", node, &pointer);
        }
        let is_false = match &node.kind {
            Kind::Bool(flag) => !flag,
            Kind::String(text) => text.is_empty(),
            _ => false,
        };
        // The string "0" is truthy, so it is a time, and expires at once.
        let value = value.filter(|value| exact || *value >= 1.0);
        (!is_false).then_some(Field {
            value: value.map_or(Millis::AT_ONCE, Millis),
            pointer,
            exact,
        })
    }

    fn manifest(&mut self, root: Node, accepted: foreign::ManifestIdentity) -> Manifest {
        let foreign::ManifestIdentity {
            name,
            plugin_type,
            plugin_type_word,
        } = accepted;
        let config = read_config::read(self, &root);
        let capabilities = read_capabilities::read(self, &root);
        self.note_missing(&root);
        self.note_shapes(&root);
        Manifest {
            name: Field {
                value: name,
                pointer: "/name".to_owned(),
                exact: true,
            },
            plugin_type: Field {
                value: plugin_type,
                pointer: "/pluginType".to_owned(),
                exact: true,
            },
            plugin_type_word,
            entry_point: self.entry_point(&root),
            display_name: self.text(&root, "", "displayName"),
            description: self.text(&root, "", "description"),
            version: self.text(&root, "", "version"),
            author: self.text(&root, "", "author"),
            license: self.text(&root, "", "license"),
            manifest_version: self.text(&root, "", "manifestVersion"),
            communication: self.communication(&root),
            config: config.keys,
            config_shape: config.shape,
            commands: capabilities.commands,
            placeholders: capabilities.placeholders,
            refresh_cron: self.text(&root, "", "refreshIntervalCron"),
            push: self.push(&root),
            requires_admin: self.flag(&root, "", "requiresAdmin"),
            has_api_routes: self.flag(&root, "", "hasApiRoutes"),
            requires_context_bridge: self.flag(&root, "", "requiresContextBridge"),
            requires_knowledge_base: self.flag(&root, "", "requiresKnowledgeBaseManager"),
            tags: tags(&root),
            root,
        }
    }

    fn note_missing(&mut self, root: &Node) {
        for (key, help) in [
            ("version", "0.0.0 is assumed"),
            ("description", "write one: agents choose skills by it"),
        ] {
            if root.get(key).is_none() {
                let message = format!("the manifest has no `{key}`");
                let finding = Diagnostic::warning(MISSING_VALUE, message).with_help(help);
                self.report(finding, root, "");
            }
        }
    }

    /// Reports values that cannot be read only because of their shape.
    fn note_shapes(&mut self, root: &Node) {
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
                self.unexpected(expected, node, at);
            }
        }
    }

    fn entry_point(&mut self, root: &Node) -> EntryPoint {
        let Some(node) = root.get("entryPoint") else {
            return EntryPoint::default();
        };
        let at = "/entryPoint";
        EntryPoint {
            command: self.text(node, at, "command"),
            script: self.text(node, at, "script"),
            kind: self.text(node, at, "type"),
            timeout_ms: self.millis(node, at, "timeout"),
        }
    }

    fn communication(&mut self, root: &Node) -> Communication {
        let Some(node) = root.get("communication") else {
            return Communication::default();
        };
        match &node.kind {
            Kind::Object(_) => Communication {
                protocol: self.text(node, "/communication", "protocol"),
                timeout_ms: self.millis(node, "/communication", "timeout"),
            },
            Kind::Null => Communication::default(),
            _ => {
                self.unexpected("an object", node, "/communication");
                Communication::default()
            }
        }
    }

    fn push(&mut self, root: &Node) -> Option<Push> {
        let node = root.get("webSocketPush")?;
        let at = "/webSocketPush";
        match &node.kind {
            Kind::Object(_) => Some(Push {
                enabled: self.flag(node, at, "enabled"),
                message_type: self.text(node, at, "messageType"),
                client_type: self.text(node, at, "targetClientType"),
            }),
            Kind::Null => None,
            _ => {
                self.unexpected("an object", node, at);
                None
            }
        }
    }
}

/// Returns the strings in the lists `tags` and `keywords`.
fn tags(root: &Node) -> Vec<Field<String>> {
    let mut acc = Vec::new();
    for key in ["tags", "keywords"] {
        let items = root
            .get(key)
            .map_or(&[][..], Node::items)
            .iter()
            .enumerate();
        acc.extend(items.filter_map(|(at, item)| {
            let value = item.as_str()?.to_owned();
            Some(Field {
                value,
                pointer: format!("/{key}/{at}"),
                exact: true,
            })
        }));
    }
    acc
}

impl Manifest {
    /// Returns true if the plugin is written for ApexBridge rather than for VCPToolBox.
    pub fn is_apexbridge(&self) -> bool {
        PluginType::is_apexbridge_word(&self.plugin_type_word)
    }
}

/// Returns the result of `Number` in JavaScript for a value that is not a number, or `None` for
/// `NaN`.
fn as_number(node: &Node) -> Option<f64> {
    match &node.kind {
        Kind::Number(text) => text.parse().ok(),
        Kind::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Kind::String(text) => {
            let text = text.trim();
            let plain = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
            match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                Some(digits) => u32::from_str_radix(digits, 16).ok().map(f64::from),
                None if text == "Infinity" => Some(f64::INFINITY),
                None if text.chars().all(plain) => text.parse().ok(),
                None => None,
            }
        }
        Kind::Array(items) => match &items[..] {
            [only] => as_number(only),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
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
            let time = read(&text).0.and_then(|m| m.communication.timeout_ms);
            assert_eq!(time.map(|field| field.value.0), expected, "{written}");
        }
    }

    #[test]
    fn tolerates_every_variant() {
        check("", &[], |m| {
            m.name.value == "n" && m.plugin_type.value == PluginType::Synchronous
        });
        check(r#","communication":null"#, &[], |m| {
            m.communication == Communication::default()
        });
        check(r#","communication":"stdio""#, &["unexpected-type"], |m| {
            m.communication.protocol.is_none()
        });
        check(r#","communication":{"timeout":"1200"}"#, &[], |m| {
            m.communication
                .timeout_ms
                .as_ref()
                .is_some_and(|t| t.value == Millis(1200.0) && !t.exact)
        });
        check(
            r#","communication":{"timeout":"soon"}"#,
            &["unexpected-type"],
            |m| {
                let time = m.communication.timeout_ms.as_ref();
                time.is_some_and(|time| time.value == Millis::AT_ONCE)
            },
        );
        check(r#","manifestVersion":2"#, &[], |m| {
            m.manifest_version
                .as_ref()
                .is_some_and(|v| v.value == "2" && !v.exact)
        });
        check(r#","author":{"name":"x"}"#, &["unexpected-type"], |m| {
            m.author.is_none()
        });
        check(r#","requiresAdmin":"True""#, &[], |m| {
            m.requires_admin
                .as_ref()
                .is_some_and(|f| f.value && !f.exact)
        });
        check(r#","tags":["a",1]"#, &[], |m| m.tags.len() == 1);
        check(
            r#","webSocketPush":{"enabled":true,"messageType":"x"}"#,
            &[],
            |m| m.push.as_ref().is_some_and(|p| p.message_type.is_some()),
        );
    }

    #[test]
    fn notes_what_a_person_would_miss() {
        let (manifest, findings) = read(&format!("{{{HEAD}}}"));
        assert!(manifest.is_some());
        assert_eq!(findings.len(), 2);
    }
}
