//! The JSON of services that many programs use, and of services that nobody knows.
//!
//! Sources: the public API references of `OpenAI` (chat completions, responses, embeddings, images), Anthropic
//! (messages), Google (generateContent) and JSON-RPC 2.0; for the rest, keys that many services have in common.

use serde_json::{Value, json};

use crate::media::{SENTENCE, png_in_base64};
use crate::question::{Answer, Question};

/// The number of numbers in an embedding, which is that of many models.
const DIMENSIONS: u32 = 1536;
/// The most numbers in one answer with embeddings.
const MAX_NUMBERS: u64 = 1 << 20;
/// The time that answers name, in seconds since 1970: the beginning of 2025.
const CREATED: u64 = 1_735_689_600;

/// One of the shapes that answers of unknown services have.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Variant(pub(crate) u8);

impl Variant {
    /// The number of variants.
    pub(crate) const COUNT: u8 = 4;
}

/// Returns the answer of a known service or protocol.
pub(crate) fn known(question: &Question, body: &Value) -> Option<Answer> {
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
        if is_stream {
            chunks(body)
        } else {
            json(chat(body))
        }
    } else if ["/generations", "/edits", "/variations"]
        .iter()
        .any(|end| ends(end))
    {
        json(images(&question.host))
    } else if ends("/models") {
        json(json!({"object": "list", "data": [{"id": "model", "object": "model"}]}))
    } else if question.header("accept").contains("text/event-stream") {
        Answer::events(&[object(&question.host, Variant::default()).to_string()])
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

fn chat(body: &Value) -> Value {
    let image = format!("data:image/png;base64,{}", png_in_base64());
    let message = json!({
        "role": "assistant",
        "content": SENTENCE,
        "images": [{"type": "image_url", "image_url": {"url": image}}],
    });
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": CREATED,
        "model": model(body),
        "choices": [{"index": 0, "message": message, "text": SENTENCE, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    })
}

/// Returns a chat as a stream of events.
fn chunks(body: &Value) -> Answer {
    let (begin, end) = SENTENCE.split_at(12);
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
pub(crate) fn object(host: &str, variant: Variant) -> Value {
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
    match variant.0 {
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
    res["data"] = match variant.0 {
        1 => json!([item]),
        _ => res.clone(),
    };
    res
}
