//! Tolerant reading of `METADATA.yml`.
//!
//! camelCase keys and ApexBridge's shapes are accepted, a wrong type drops only that value, and
//! unknown keys are reported and kept with the result. Only text that is not a YAML map is rejected
//! completely.

mod apexbridge;
mod fields;
mod http;
mod mcp;
pub mod metadata_codes;
mod parts;
mod permissions;

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;
use skill_diagnostics::{Diagnostic, LineIndex, steps};

use crate::Metadata;
use crate::frontmatter::codes;
use crate::yaml::{self, Node};
use fields::{Fields, Log};

/// The result of reading a file.
#[derive(Clone, PartialEq, Debug)]
pub struct MetadataReading {
    /// The known keys.
    pub metadata: Metadata,
    /// The unknown keys, unchanged, by JSON Pointer.
    pub unknown: BTreeMap<String, Value>,
    /// Errors, warnings and notes (unknown keys), with pointer and position.
    pub findings: Vec<Diagnostic>,
}

/// Reads a file; the findings are those of [`read_metadata_full`].
pub fn read_metadata(text: &str) -> (Option<Metadata>, Vec<Diagnostic>) {
    match read_metadata_full(text) {
        Ok(reading) => (Some(reading.metadata), reading.findings),
        Err(finding) => (None, vec![*finding]),
    }
}

/// Reads a file and keeps unknown keys.
///
/// # Errors
///
/// The finding `metadata-unreadable` if the text is not a YAML map.
pub fn read_metadata_full(text: &str) -> Result<MetadataReading, Box<Diagnostic>> {
    let root = parse(text)?;
    let value = root.to_value();
    let log = Log::default();
    let Some(fields) = Fields::new(&value, &log) else {
        let message = format!("the file is {}, expected keys and values", root.kind());
        return Err(unreadable(text, root.range.start, message));
    };
    let metadata = parts::metadata(fields);
    let (mut findings, unknown) = log.into_parts();
    let lines = LineIndex::new(text);
    let mut places = Positions::new(&root);
    for finding in &mut findings {
        let pointer = finding.place.pointer.as_deref().unwrap_or_default();
        finding.place.span = places.range_at(pointer).map(|range| lines.span(range));
    }
    findings.sort_by_key(|finding| finding.place.span.as_ref().map(|span| span.start));
    Ok(MetadataReading {
        metadata,
        unknown,
        findings,
    })
}

fn parse(text: &str) -> Result<Node, Box<Diagnostic>> {
    match yaml::parse_document(text) {
        Ok(Some(root)) => Ok(root),
        Ok(None) => Err(unreadable(text, 0, "the file is empty".to_owned())),
        Err(error) if error.duplicate_key => {
            let span = LineIndex::new(text).span(error.offset..error.offset);
            Err(Box::new(
                Diagnostic::error(codes::DUPLICATE_KEY, error.message).at(span),
            ))
        }
        Err(error) => Err(unreadable(text, error.offset, error.message)),
    }
}

fn unreadable(text: &str, offset: usize, message: String) -> Box<Diagnostic> {
    let span = LineIndex::new(text).span(offset..offset);
    Box::new(Diagnostic::error(metadata_codes::METADATA_UNREADABLE, message).at(span))
}

/// The positions of the values of a document. The keys of a map are indexed on its first lookup: a
/// map can have as many findings as keys.
struct Positions<'a> {
    root: &'a Node,
    /// The keys of each map that was looked up, by the address of its node.
    keys: BTreeMap<*const Node, BTreeMap<&'a str, &'a Node>>,
}

impl<'a> Positions<'a> {
    fn new(root: &'a Node) -> Self {
        let keys = BTreeMap::new();
        Self { root, keys }
    }

    /// Returns the range of a JSON Pointer's target; the whole document for the empty one.
    fn range_at(&mut self, pointer: &str) -> Option<Range<usize>> {
        let mut node = self.root;
        for segment in pointer.split('/').skip(1) {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            node = match &node.content {
                yaml::Content::Sequence { items, .. } => {
                    items.get(segment.parse::<usize>().ok()?)?
                }
                _ => self.value(node, &segment)?,
            };
        }
        Some(node.range.clone())
    }

    /// Returns the value of a key.
    fn value(&mut self, map: &'a Node, key: &str) -> Option<&'a Node> {
        let keys = self.keys.entry(std::ptr::from_ref(map)).or_insert_with(|| {
            let entries = map.entries().unwrap_or_default();
            steps::count(entries.len());
            let pairs = entries.iter().rev();
            pairs
                .filter_map(|(key, value)| Some((key.text()?, value)))
                .collect()
        });
        keys.get(key).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::ExecutorKind;

    const MINIMAL: &str = "schema: 1\nname: a\nversion: 1.0.0\ntype: direct\n";

    #[track_caller]
    fn check(extra: &str, expected: &[(&str, &str)]) -> Metadata {
        let (metadata, findings) = read_metadata(&format!("{MINIMAL}{extra}"));
        let found: Vec<_> = findings
            .iter()
            .map(|f| (f.code.0, f.place.pointer.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!(found, expected);
        metadata.unwrap()
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = include_str!("example.yml");
        let (metadata, findings) = read_metadata(text);
        assert_eq!(findings, []);
        assert_eq!(metadata.unwrap().to_yaml(), text);
    }

    proptest! {
        #[test]
        fn any_text_reads_back(text in any::<String>(), key in "[^\\x00]{1,12}") {
            let mut metadata = read_metadata(include_str!("example.yml")).0.unwrap();
            metadata.description.clone_from(&text);
            metadata.display_name = Some(text.clone());
            metadata.keywords = vec![text.clone(), key.clone()];
            let legacy = metadata.legacy.as_mut().unwrap();
            legacy.extra.insert(key, json!({ "nested": [text, 1.5, null, true] }));
            let (again, findings) = read_metadata(&metadata.to_yaml());
            prop_assert_eq!(findings, vec![]);
            prop_assert_eq!(again, Some(metadata));
        }
    }

    #[test]
    fn understands_camel_case() {
        let metadata = check(
            "displayName: X\ntimeoutMs: 5\ntriggers:\n  eventTypes: [a]\n",
            &[],
        );
        assert_eq!(metadata.display_name.as_deref(), Some("X"));
        assert_eq!(metadata.timeout_ms, Some(5));
        assert_eq!(metadata.triggers.event_types, ["a"]);
    }

    #[test]
    fn packages_have_ranges() {
        let metadata = check(
            "requires:\n  packages:\n    npm: {axios: ^1.0.0, ws: {range: '8', native: true, new: 1}, x: 5}\n",
            &[
                ("metadata-unknown-key", "/requires/packages/npm/ws/new"),
                ("metadata-wrong-value", "/requires/packages/npm/x"),
            ],
        );
        let npm = metadata.requires.packages.npm;
        let ranges = npm.values().map(|need| need.range.as_deref());
        assert!(ranges.eq([Some("^1.0.0"), Some("8")]) && npm["ws"].native);
    }

    #[test]
    fn understands_apexbridge_tools() {
        let metadata = check(
            "abp:\n  kind: action\n  tools:\n    - name: add\n      description: Adds.\n      \
             parameters:\n        x:\n          type: number\n          description: first\n          \
             validation: { min: 0, max: 9, enum: [1, 2], pattern: ^a }\n        y: { type: string, \
             required: false, default: z }\n",
            &[("metadata-unknown-key", "/abp/kind")],
        );
        let command = &metadata.commands[0];
        assert_eq!(
            (command.id.as_str(), command.description.as_str()),
            ("add", "Adds.")
        );
        assert_eq!(
            command.input_schema,
            json!({
                "type": "object",
                "properties": {
                    "x": {
                        "type": "number", "description": "first",
                        "minimum": 0, "maximum": 9, "pattern": "^a", "enum": [1, 2]
                    },
                    "y": { "type": "string", "default": "z" }
                },
                "required": ["x"],
                "additionalProperties": true
            })
        );
    }

    #[test]
    fn understands_apexbridge_input_schema_and_security() {
        let metadata = check(
            "inputSchema: { type: object }\nsecurity: { timeoutMs: 9, memoryMb: 3, network: \
             none, filesystem: read-only, environment: [A] }\ncacheable: true\nttl: 60\n",
            &[],
        );
        assert_eq!(metadata.commands[0].id, "a");
        assert_eq!(
            (metadata.limits.timeout_ms, metadata.limits.memory_mb),
            (Some(9), 3)
        );
        assert_eq!(metadata.time_limit(), Some(Duration::from_millis(9)));
        assert_eq!(metadata.permissions.filesystem, "read-only");
        assert_eq!((metadata.cache.cacheable, metadata.cache.ttl_s), (true, 60));
    }

    #[test]
    fn a_call_may_be_made_twice_where_somebody_says_so() {
        let commands = "commands: [{id: get, idempotent: true}, {id: put}]\n";
        for (extra, expected) in [
            ("", [false, false, false]),
            ("idempotent: true\n", [true; 3]),
            ("cache: { cacheable: true }\n", [true; 3]),
            (commands, [false, true, false]),
        ] {
            let metadata = check(extra, &[]);
            let found = [None, Some("get"), Some("put")].map(|id| metadata.is_idempotent(id));
            assert_eq!(found, expected, "{extra}");
        }
        let metadata = check("fallback: [a, b]\nidempotent: true\n", &[]);
        let text = metadata.to_yaml();
        assert_eq!(read_metadata(&text), (Some(metadata), Vec::new()));
        let metadata = check(
            "idempotent: often\nfallback: [a, [b]]\n",
            &[
                ("metadata-wrong-value", "/idempotent"),
                ("metadata-wrong-value", "/fallback/1"),
            ],
        );
        assert_eq!(metadata.fallback, ["a"]);
        assert!(!metadata.to_yaml().contains("idempotent"));
    }

    #[test]
    fn a_wrong_value_costs_only_itself() {
        let metadata = check(
            "enabled: maybe\ntimeout_ms: -1\nkeywords: [a, [b]]\ntransport: pigeon\n",
            &[
                ("metadata-wrong-value", "/enabled"),
                ("metadata-wrong-value", "/timeout_ms"),
                ("metadata-wrong-value", "/keywords/1"),
                ("metadata-wrong-value", "/transport"),
            ],
        );
        assert!(metadata.enabled);
        assert_eq!(metadata.keywords, ["a"]);
    }

    /// A list that drops an entry would silently refuse something that its author allowed.
    #[test]
    fn a_host_that_cannot_be_read_is_an_error() {
        let text = "permissions: { network_allowlist: [a.example, 'https://b/', '*'] }\n";
        let place = |number| format!("/permissions/network_allowlist/{number}");
        let metadata = check(
            text,
            &[
                ("metadata-wrong-value", &place(1)),
                ("metadata-wrong-value", &place(2)),
            ],
        );
        assert_eq!(metadata.permissions.network_allowlist.len(), 3);
    }

    #[test]
    fn a_prompt_needs_a_known_dialect() {
        let metadata = check(
            "prompt: { template: a.md, dialect: claude, arguments: [{ description: x }] }\n",
            &[("metadata-missing-key", "/prompt/arguments/0")],
        );
        let prompt = metadata.prompt.unwrap();
        assert_eq!(prompt.dialect, crate::PromptDialect::Claude);
        assert!(!prompt.arguments[0].required);
        let wrong = [("metadata-wrong-value", "/prompt/dialect")];
        assert_eq!(
            check("prompt: { template: a.md, dialect: other }\n", &wrong).prompt,
            None
        );
    }

    #[test]
    fn an_operation_has_a_method_and_the_parameters_of_its_path() {
        let metadata = check(
            "commands: [{id: a, http: {method: get, path: '/{x}/{y}', parameters: [{name: x, in: \
             path}, {name: z, in: path}], security: [[], [k], k]}}]\n",
            &[
                ("metadata-wrong-value", "/commands/0/http/path"),
                ("metadata-wrong-value", "/commands/0/http/path"),
                ("metadata-wrong-value", "/commands/0/http/security/2"),
            ],
        );
        let http = metadata.commands[0].http.as_ref().unwrap();
        assert_eq!((http.method.as_str(), http.security.len()), ("GET", 2));
        let wrong = [
            ("metadata-missing-key", "/commands/0/http"),
            ("metadata-wrong-value", "/commands/0/http/method"),
        ];
        let metadata = check("commands: [{id: a, http: {method: FETCH}}]\n", &wrong);
        assert_eq!(metadata.commands[0].http, None);
    }

    #[test]
    fn unknown_keys_are_kept() {
        let text = format!("{MINIMAL}colour: red\nentry: {{ runtime: node, speed: 3 }}\n");
        let reading = read_metadata_full(&text).unwrap();
        assert_eq!(reading.unknown["/colour"], json!("red"));
        assert_eq!(reading.unknown["/entry/speed"], json!(3));
        assert_eq!(reading.findings.len(), 2);
        assert_eq!(
            reading.findings[0]
                .place
                .span
                .as_ref()
                .unwrap()
                .position
                .line,
            5
        );
    }

    #[test]
    fn missing_keys_have_defaults() {
        let (metadata, findings) = read_metadata("name: a\n");
        let metadata = metadata.unwrap();
        assert_eq!((metadata.schema, metadata.enabled), (1, true));
        let missing: Vec<_> = findings.iter().map(|f| f.code.0).collect();
        assert_eq!(missing, ["metadata-missing-key"; 2]);
    }

    #[test]
    fn a_file_without_a_type_or_a_program_is_about_instructions() {
        for (text, expected) in [
            (
                "name: a\nversion: 1\nrequires: {skills: [b]}\n",
                ExecutorKind::Prompt,
            ),
            ("name: a\nentry: {argv: [x]}\n", ExecutorKind::Direct),
            ("name: a\ncommands: [{id: x}]\n", ExecutorKind::Direct),
            ("name: a\ntype: direct\n", ExecutorKind::Direct),
        ] {
            let metadata = read_metadata(text).0.unwrap();
            assert_eq!(metadata.executor, expected, "{text}");
            let runs = metadata.entry.is_some();
            assert_eq!(metadata.can_run(), runs, "{text}");
        }
    }

    #[test]
    fn what_is_no_map_is_unreadable() {
        for text in ["", "- a\n", "a: [\n", "x"] {
            assert_eq!(read_metadata(text).0, None, "{text:?}");
        }
    }
}
