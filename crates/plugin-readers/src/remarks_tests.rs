//! Files that say they are an input of a format and cannot be read: each is an error with its place.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::directory::Directory;
use crate::marketplace::Marketplace;
use crate::table::remarks;

/// A directory in memory.
#[derive(Default)]
struct Files(BTreeMap<String, Vec<u8>>);

impl Directory for Files {
    fn name(&self) -> &'static str {
        "input"
    }

    fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).cloned()
    }

    fn files(&self, below: &str) -> Vec<String> {
        let files = self.0.keys().filter(|it| it.starts_with(below));
        files.cloned().collect()
    }

    fn marketplace(&self) -> Option<Arc<Marketplace>> {
        None
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn start(&self, path: &str) -> Option<Vec<u8>> {
        self.read(path)
    }

    fn only(&self) -> Option<&str> {
        None
    }

    fn above(&self, _levels: usize) -> Option<(Box<dyn Directory + '_>, String)> {
        None
    }

    fn is_last_resort(&self) -> bool {
        false
    }
}

const GOOD: &str =
    r#"{"openapi": "3.1.0", "info": {}, "paths": {"/x": {"get": {"responses": {}}}}}"#;

/// Compares the message and the severity of what is said about a file beside a good document; empty for
/// nothing.
#[track_caller]
fn check(file: &str, content: impl AsRef<[u8]>, expected: &str) {
    let mut files = Files::default();
    files.0.insert("good.json".to_owned(), GOOD.into());
    files.0.insert(file.to_owned(), content.as_ref().to_owned());
    let found = remarks(&files, None);
    let lines = found.iter().map(|it| {
        assert_eq!(it.place.file.as_deref(), Some(file));
        format!("{}: {}", it.severity.word(), it.message)
    });
    assert_eq!(lines.collect::<Vec<_>>().join("\n"), expected, "{file}");
}

#[test]
fn documents_that_cannot_be_read_are_errors() {
    for (file, content, expected) in [
        (
            "a.json",
            r#"{"swagger": "2.0", "paths": {}}"#,
            "error: a document of Swagger 2.0 is not read, expected OpenAPI 3",
        ),
        (
            "a.yaml",
            "swagger: 2.0\npaths: {}\n",
            "error: a document of Swagger 2.0 is not read, expected OpenAPI 3",
        ),
        (
            "a.yaml",
            "openapi: 2.0\ninfo: {}\n",
            "error: a document of OpenAPI 2.0 is not read, expected OpenAPI 3",
        ),
        (
            "a.yaml",
            "'openapi': [3]\npaths: {}\n",
            "error: a document of OpenAPI of an unknown version is not read, expected OpenAPI 3",
        ),
        ("a.yaml", "openapi: 3.1\npaths: {/x: {get: {}}}\n", ""),
        ("a.json", r#"{"openapi": "1.2.0"}"#, ""),
        ("a.json", r#"{"paths": {}}"#, ""),
    ] {
        check(file, content, expected);
    }
    check(
        "a.json",
        r#"{"openapi": "3.0.0", "paths": {"#,
        "error: a document of an API cannot be read: not JSON: EOF while parsing an object",
    );
    check("a.json", r#"{"keywords": ["openapi"], "x": {"#, "");
    check(
        "a.json",
        "{\"info\": {}, \"openapi\" \t: \"3.0.0\", \"paths\": {",
        "error: a document of an API cannot be read: not JSON: EOF while parsing an object",
    );
    check(
        "a.json",
        b"{\"openapi\": \"3.0.0\", \"info\": {\"title\": \"\xff\"}}",
        "error: a document of an API cannot be read: the manifest is not UTF-8: byte 40 belongs to no character",
    );
    check(
        "a.yaml",
        b"\xff\xfeo\0p\0e\0n\0a\0p\0i\0:\0 \x003\0",
        "error: a document of an API cannot be read: the manifest is UTF-16, expected UTF-8",
    );
}

#[test]
fn manifests_that_cannot_be_read_are_errors() {
    for (file, content, expected) in [
        (
            "manifest.json",
            r#"{"manifest_version": "0.3", "name": "a", "server": {"#,
            "error: the manifest of an MCP bundle cannot be read: not JSON: EOF while parsing an object",
        ),
        (
            "manifest.json",
            r#"{"dxt_version": "0.1", "server": "a.js"}"#,
            "error: the manifest of an MCP bundle names no server: found a string as `server`, expected an object with `type` and `mcp_config`",
        ),
        (
            "manifest.json",
            r#"{"manifest_version": "0.3", "name": "a"}"#,
            "error: the manifest of an MCP bundle names no server: found nothing as `server`, expected an object with `type` and `mcp_config`",
        ),
        // The manifest of an extension of a browser.
        ("manifest.json", r#"{"manifest_version": 3, "#, ""),
        (
            "server.json",
            r#"{"name": "io.x/a", "remotes": ["#,
            "error: the server of the MCP registry cannot be read: not JSON: EOF while parsing a list",
        ),
        (
            "server.json",
            r#"{"$schema": "https://static.modelcontextprotocol.io/schemas/2025/server.schema.json", "name": "a", "packages": []}"#,
            "error: the server of the MCP registry has no name: found `a`, expected `NAMESPACE/NAME`",
        ),
        (
            "server.json",
            r#"{"$schema": "https://static.modelcontextprotocol.io/schemas/2025/server.schema.json", "name": "io.x/a", "remotes": {}}"#,
            "error: the server of the MCP registry cannot be started: found an object, expected a list `packages` or `remotes`",
        ),
        // Data of `json-server`.
        ("server.json", r#"{"posts": [], "#, ""),
        (
            "ai-plugin.json",
            r#"{"name_for_model": "#,
            "error: the manifest of a ChatGPT plugin cannot be read: not JSON: EOF while parsing a value",
        ),
    ] {
        check(file, content, expected);
    }
}
