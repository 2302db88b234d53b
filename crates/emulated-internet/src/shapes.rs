//! The JSON of services that many programs use, and of services that nobody knows.
//!
//! Sources: the public API references of `OpenAI` (chat completions, responses, embeddings, images), Anthropic
//! (messages), Google (generateContent) and JSON-RPC 2.0; for the rest, keys that many services have in common.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::media::{SENTENCE, png_in_base64};
use crate::question::{Answer, Question};
use crate::reads::Reads;

/// The number of numbers in an embedding, which is that of many models.
const DIMENSIONS: u32 = 1536;
/// The longest text of a chat, in characters.
const MAX_SAID: usize = 1 << 16;
/// The most numbers in one answer with embeddings.
const MAX_NUMBERS: u64 = 1 << 20;
/// The time that answers name, in seconds since 1970: the beginning of 2025.
const CREATED: u64 = 1_735_689_600;

/// The shape that answers of unknown services have.
#[derive(Clone, Debug)]
pub(crate) enum Variant {
    /// One of those that services usually have, below [`Self::COUNT`].
    Usual(u8),
    /// The keys that a program reads. Chats repeat what they get, because their form is in it.
    Read(Arc<Reads>),
}

impl Variant {
    /// The number of usual shapes.
    pub(crate) const COUNT: u8 = 4;
}

impl Default for Variant {
    fn default() -> Self {
        Self::Usual(0)
    }
}

/// Returns the answer of a known service or protocol.
pub(crate) fn known(question: &Question, body: &Value, variant: &Variant) -> Option<Answer> {
    let path = question.path.trim_end_matches('/').to_ascii_lowercase();
    let ends = |end: &str| path.ends_with(end);
    let is_stream = body["stream"] == json!(true);
    let json = |value: Value| Answer::new("application/json", value.to_string());
    Some(if body["jsonrpc"].is_string() {
        json(remote_call(body))
    } else if ends("/messages") && body["messages"].is_array() {
        json(message())
    } else if ends("/responses") && body["input"].is_string() | body["input"].is_array() {
        json(response())
    } else if path.contains("generatecontent") {
        generated(&path, &question.query)
    } else if ends("/embeddings") {
        embeddings(body)
    } else if body["messages"].is_array() || ends("/completions") {
        let text = said(body, variant);
        if is_stream {
            chunks(body, &text)
        } else {
            json(chat(body, &text))
        }
    } else if ["/generations", "/edits", "/variations"]
        .iter()
        .any(|end| ends(end))
    {
        json(images(&question.host))
    } else if ends("/models") {
        json(json!({"object": "list", "data": [{"id": "model", "object": "model"}]}))
    } else if question.header("accept").contains("text/event-stream") {
        Answer::events(&[object(question, variant).to_string()])
    } else {
        return None;
    })
}

/// Returns the result of a call by JSON-RPC 2.0: that of an MCP server, if its methods are asked for.
fn remote_call(body: &Value) -> Value {
    let result = match body["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": body["params"]["protocolVersion"].as_str().unwrap_or("2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "emulated", "version": "1"},
        }),
        Some("tools/list") => json!({"tools": []}),
        Some(_) | None => json!({"content": [{"type": "text", "text": SENTENCE}]}),
    };
    json!({"jsonrpc": "2.0", "id": body["id"], "result": result})
}

fn model(body: &Value) -> &str {
    body["model"].as_str().unwrap_or("model")
}

/// Returns the text that a chat answers.
fn said(body: &Value, variant: &Variant) -> String {
    let Variant::Read(_) = variant else {
        return SENTENCE.to_owned();
    };
    let messages = body["messages"].as_array().into_iter().flatten();
    let parts = messages.flat_map(|message| match &message["content"] {
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        content => Vec::from_iter(content.as_str()),
    });
    let told: Vec<&str> = parts.chain([SENTENCE]).collect();
    told.join("\n").chars().take(MAX_SAID).collect()
}

fn chat(body: &Value, text: &str) -> Value {
    let image = format!("data:image/png;base64,{}", png_in_base64());
    let message = json!({
        "role": "assistant",
        "content": text,
        "images": [{"type": "image_url", "image_url": {"url": image}}],
    });
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": CREATED,
        "model": model(body),
        "choices": [{"index": 0, "message": message, "text": text, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    })
}

/// Returns a chat as a stream of events.
fn chunks(body: &Value, said: &str) -> Answer {
    let half = said.char_indices().nth(12).map_or(said.len(), |(at, _)| at);
    let (begin, end) = said.split_at(half);
    let chunk = |delta: Value, finish: Value| {
        json!({
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": CREATED,
            "model": model(body),
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        })
        .to_string()
    };
    let text = |part: &str| chunk(json!({"role": "assistant", "content": part}), Value::Null);
    Answer::events(&[
        text(begin),
        text(end),
        chunk(json!({}), json!("stop")),
        "[DONE]".to_owned(),
    ])
}

fn message() -> Value {
    json!({
        "id": "msg-1",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": SENTENCE}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "output_tokens": 1},
    })
}

fn response() -> Value {
    let content = json!([{"type": "output_text", "text": SENTENCE}]);
    json!({
        "id": "resp-1",
        "object": "response",
        "status": "completed",
        "output_text": SENTENCE,
        "output": [{"type": "message", "role": "assistant", "content": content}],
    })
}

/// Returns what Gemini generates: one object, a list of them, or events, as the path and the query ask.
fn generated(path: &str, query: &str) -> Answer {
    let parts = json!([
        {"text": SENTENCE},
        {"inlineData": {"mimeType": "image/png", "data": png_in_base64()}},
    ]);
    let candidate = json!({"content": {"role": "model", "parts": parts}, "finishReason": "STOP"});
    let one = json!({"candidates": [candidate]});
    match (path.contains("stream"), query.contains("alt=sse")) {
        (true, true) => Answer::events(&[one.to_string()]),
        (true, false) => Answer::new("application/json", json!([one]).to_string()),
        (false, _) => Answer::new("application/json", one.to_string()),
    }
}

/// Returns an embedding of fixed numbers for each input, different for each place in the list. Too many
/// inputs are an error, as at the services.
fn embeddings(body: &Value) -> Answer {
    let n_inputs = body["input"].as_array().map_or(1, Vec::len);
    let size = body["dimensions"]
        .as_u64()
        .and_then(|size| u32::try_from(size).ok());
    let size = size
        .filter(|size| (1..=8192).contains(size))
        .unwrap_or(DIMENSIONS);
    if n_inputs as u64 * u64::from(size) > MAX_NUMBERS {
        let error =
            json!({"error": {"message": "too many inputs", "type": "invalid_request_error"}});
        return Answer {
            status: 400,
            ..Answer::new("application/json", error.to_string())
        };
    }
    let embedding = |at: usize| {
        let first = u32::try_from(at).unwrap_or_default();
        let number = |n: u32| (f64::from((first + n) % 7) - 3.0) / 8.0;
        json!({"object": "embedding", "index": at, "embedding": (0..size).map(number).collect::<Vec<_>>()})
    };
    let list = json!({
        "object": "list",
        "model": model(body),
        "data": (0..n_inputs).map(embedding).collect::<Vec<_>>(),
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    });
    Answer::new("application/json", list.to_string())
}

fn images(host: &str) -> Value {
    let url = format!("https://{host}/image.png");
    json!({
        "created": CREATED,
        "data": [{"url": url, "b64_json": png_in_base64(), "revised_prompt": SENTENCE}],
        "images": [{"url": url}],
        "timings": {"inference": 1},
        "seed": 1,
    })
}

/// Returns one thing of a list, with the keys that services usually give it.
fn item(host: &str) -> Value {
    json!({
        "id": "1",
        "uuid": "00000000-0000-4000-8000-000000000001",
        "name": "item",
        "title": "An emulated item",
        "url": format!("https://{host}/item/1"),
        "link": format!("https://{host}/item/1"),
        "description": SENTENCE,
        "content": SENTENCE,
        "snippet": SENTENCE,
        "text": SENTENCE,
        "summary": SENTENCE,
        "score": 0.5,
        "date": "2025-01-01",
        "created_at": "2025-01-01T00:00:00Z",
        "author": "author",
    })
}

/// Returns an object with the keys by which many services report success, tasks and lists.
pub(crate) fn object(question: &Question, variant: &Variant) -> Value {
    let host = &question.host;
    match variant {
        Variant::Usual(shape) => usual(host, *shape),
        Variant::Read(reads) => {
            let id = question.path.rsplit('/').next().unwrap_or_default();
            reads.answer(host, usual(host, 0), id)
        }
    }
}

fn usual(host: &str, shape: u8) -> Value {
    let item = item(host);
    let image = format!("https://{host}/image.png");
    let mut res = json!({
        "code": 0, "errno": 0, "status": "success", "success": true, "ok": true, "error": null,
        "message": "ok", "msg": "ok", "state": "completed", "progress": 100,
        "id": "task-1", "task_id": "task-1", "taskId": "task-1", "event_id": "event-1",
        "request_id": "request-1", "requestId": "request-1", "prompt_id": "prompt-1",
        "session_hash": "session-1", "task_status": "SUCCEED",
        "total": 1, "count": 1,
        "url": image, "video_url": format!("https://{host}/video.mp4"),
        "images": [{"url": image, "b64_json": png_in_base64()}],
        "output": {
            "task_status": "SUCCEEDED", "task_id": "task-1", "results": [{"url": image}], "text": SENTENCE,
        },
        "answer": SENTENCE, "result": SENTENCE, "text": SENTENCE, "content": SENTENCE,
    });
    for key in [
        "items", "results", "list", "docs", "articles", "records", "rows", "hits", "pages",
    ] {
        res[key] = json!([item]);
    }
    match shape {
        1 => res["result"] = json!([item]),
        2 => {
            res["result"] = item.clone();
            res["code"] = 200.into();
            res["status"] = 200.into();
        }
        3 => {
            res["code"] = "200".into();
            res["status"] = "ok".into();
            res["result"] = item.clone();
            res["result"]["data"] = json!([item]);
        }
        _ => {}
    }
    res["data"] = match shape {
        1 => json!([item]),
        _ => res.clone(),
    };
    res
}
