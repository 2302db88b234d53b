//! The answer to a request.
//!
//! The wish of a program is recognized by the most specific sign: an answer that the user gave, a known
//! protocol in the body, the path of a known service, the extension of the path, the accepted types.

use serde_json::Value;

use crate::media;
use crate::question::{Answer, Question};
use crate::shapes::{self, Variant};
use crate::table::Table;

/// Returns the answer to a question. `variant` chooses among the usual shapes of JSON where nothing else
/// does.
pub(crate) fn answer(question: &Question, table: &Table, variant: &Variant) -> Answer {
    if let Some(given) = table.answer(question) {
        return given;
    }
    if question.method == "OPTIONS" {
        return preflight();
    }
    let body: Value = serde_json::from_slice(&question.body).unwrap_or_default();
    if let Some(known) = shapes::known(question, &body, variant) {
        return known;
    }
    if let Some(file) = file(question) {
        return file;
    }
    if wants_page(question, variant) {
        return Answer::new("text/html; charset=utf-8", media::page(&question.host));
    }
    json(&shapes::object(question, variant))
}

fn json(value: &Value) -> Answer {
    Answer::new("application/json", value.to_string())
}

/// Returns the answer to the question of a browser whether it may ask.
fn preflight() -> Answer {
    let headers = [
        ("access-control-allow-origin", "*"),
        ("access-control-allow-methods", "*"),
        ("access-control-allow-headers", "*"),
    ];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Answer {
        status: 204,
        headers: headers.to_vec(),
        body: Vec::new(),
    }
}

/// Returns the file that the extension of the path or the only accepted type names.
fn file(question: &Question) -> Option<Answer> {
    let name = question.path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let accepted = question.header("accept");
    let first = accepted.split([',', ';']).next().unwrap_or_default().trim();
    let host = &question.host;
    Some(match (extension.to_ascii_lowercase().as_str(), first) {
        ("png" | "jpg" | "jpeg" | "gif" | "webp" | "bmp" | "ico", _) => {
            Answer::new("image/png", media::PNG)
        }
        ("mp4" | "webm" | "mov", _) => Answer::new("video/mp4", media::MP4),
        ("wav" | "mp3" | "ogg" | "m4a" | "flac", _) => Answer::new("audio/wav", media::WAV),
        ("pdf", _) => Answer::new("application/pdf", media::PDF),
        ("xml" | "rss" | "atom", _) => Answer::new("application/atom+xml", media::feed(host)),
        ("txt" | "md" | "csv", _) => Answer::new("text/plain; charset=utf-8", media::SENTENCE),
        ("html" | "htm", _) => Answer::new("text/html; charset=utf-8", media::page(host)),
        (_, kind) if kind.starts_with("image/") => Answer::new("image/png", media::PNG),
        (_, kind) if kind.starts_with("video/") => Answer::new("video/mp4", media::MP4),
        (_, kind) if kind.starts_with("audio/") => Answer::new("audio/wav", media::WAV),
        (_, "application/pdf") => Answer::new("application/pdf", media::PDF),
        (_, kind) if kind.contains("xml") && !kind.contains("html") => {
            Answer::new("application/atom+xml", media::feed(host))
        }
        (_, "text/plain") => Answer::new("text/plain; charset=utf-8", media::SENTENCE),
        _ => return None,
    })
}

/// Returns true for questions that a browser asks: a page is accepted, or nothing in a plain `GET` names
/// data. Code that reads keys of answers asks for data.
fn wants_page(question: &Question, variant: &Variant) -> bool {
    let accepted = question.header("accept");
    if accepted.contains("text/html") {
        return true;
    }
    if matches!(variant, Variant::Read(_)) {
        return false;
    }
    let takes_all = accepted.is_empty() || accepted == "*/*";
    let names_data = |part: &str| {
        let part = part.to_ascii_lowercase();
        let is_version = part
            .strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()));
        is_version
            || ["api", "json", "search", "query", "graphql", "rpc"]
                .iter()
                .any(|word| part.contains(word))
    };
    let sends_json = question.header("content-type").contains("json");
    let parts = question.path.split('/').chain(question.host.split('.'));
    question.method == "GET" && takes_all && !sends_json && !parts.into_iter().any(names_data)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the type and a part of the answer to `METHOD URL`, an `accept` header and a body.
    #[track_caller]
    fn check(line: &str, accept: &str, body: &str, kind: &str, part: &str) {
        let (method, url) = line.split_once(' ').unwrap();
        let (host, path) = url.split_once('/').unwrap();
        let question = Question {
            scheme: "https",
            method: method.to_owned(),
            host: host.to_owned(),
            port: 443,
            path: format!("/{path}"),
            query: String::new(),
            headers: vec![("accept".to_owned(), accept.to_owned())],
            body: body.as_bytes().to_vec(),
            unread: None,
        };
        let found = answer(&question, &Table::default(), &Variant::default());
        let text = String::from_utf8_lossy(&found.body);
        assert_eq!(found.headers[0].1, kind, "{text}");
        assert!(text.contains(part), "{text}");
    }

    #[test]
    fn chats() {
        let chat = r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#;
        let kind = "application/json";
        check(
            "POST api.a/v1/chat/completions",
            "",
            chat,
            kind,
            "\"choices\"",
        );
        check("POST gate.a/anything", "", chat, kind, "\"choices\"");
        check("POST api.a/v1/messages", "", chat, kind, "\"stop_reason\"");
        let stream = chat.replace("\"model\"", "\"stream\":true,\"model\"");
        let kind = "text/event-stream";
        check(
            "POST api.a/v1/chat/completions",
            "",
            &stream,
            kind,
            "[DONE]",
        );
    }

    #[test]
    fn services() {
        let kind = "application/json";
        check(
            "POST a/v1/embeddings",
            "",
            r#"{"input":["a","b"]}"#,
            kind,
            "\"index\":1",
        );
        let many = format!(r#"{{"input":[{}1]}}"#, "1,".repeat(100_000));
        check("POST a/v1/embeddings", "", &many, kind, "too many inputs");
        check("POST a/v1/images/generations", "", "{}", kind, "b64_json");
        check(
            "POST a/x",
            "",
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#,
            kind,
            "\"id\":7",
        );
        check(
            "POST g/v1beta/models/m:generateContent",
            "",
            "{}",
            kind,
            "candidates",
        );
    }

    #[test]
    fn files_and_pages() {
        check("GET a/b/c.PNG", "*/*", "", "image/png", "PNG");
        check("GET a/feed.xml", "", "", "application/atom+xml", "<entry>");
        check(
            "GET a/b",
            "text/html,*/*",
            "",
            "text/html; charset=utf-8",
            "<title>a</title>",
        );
        check(
            "GET a/b",
            "*/*",
            "",
            "text/html; charset=utf-8",
            "<h1>a</h1>",
        );
        check(
            "GET api.a/b",
            "*/*",
            "",
            "application/json",
            "\"success\":true",
        );
        check("GET a/v2/b", "", "", "application/json", "\"results\"");
        check("POST a/b", "", "x=1", "application/json", "\"items\"");
    }
}
