//! The parts of an answer as content of the protocol.
//!
//! Source: <https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result>

use data_encoding::BASE64;
use rmcp::model::{ContentBlock, Resource, ResourceContents};
use serde_json::Value;
use skill_executor::answer_file::{self, AnswerFile};
use skill_executor::state::State;

use crate::media;

/// The beginning of the addresses of answers in files.
const ANSWERS: &str = "skills-serve://answers/";
/// The largest file inside an answer, in bytes: in base64, it fits into an event of 1 MiB, the longest
/// that the Python SDK (`mcp` 2.3.0) takes.
const MAX_INSIDE: u64 = 512 << 10;
/// The largest answer that `resources/read` returns, in bytes: that of all files of a skill.
const MAX_READ: u64 = 16 << 20;

/// Converts a part of an answer: one of MCP, or one with the URL of an image, as `OpenAI` has it.
pub(super) fn part(part: &Value) -> Option<ContentBlock> {
    if part.get("type")? != "image_url" {
        // The parts of MCP, with everything that they have.
        let known = serde_json::from_value(part.clone()).ok();
        return Some(known.unwrap_or_else(|| ContentBlock::text(part.to_string())));
    }
    let url = part.pointer("/image_url/url").or(part.get("image_url"));
    let url = url.and_then(Value::as_str).unwrap_or_default();
    let found = data_url(url).or_else(|| link(url));
    Some(found.unwrap_or_else(|| ContentBlock::text(part.to_string())))
}

/// Returns the image or the sound in a data URL.
fn data_url(url: &str) -> Option<ContentBlock> {
    let (head, data) = url.strip_prefix("data:")?.split_once(',')?;
    let media = head.strip_suffix(";base64")?;
    let media = media.split(';').next().unwrap_or_default();
    BASE64.decode(data.as_bytes()).ok()?;
    inside(media, || data.to_owned())
}

/// Returns a link to an address of the web.
fn link(url: &str) -> Option<ContentBlock> {
    let rest = ["https://", "http://"]
        .iter()
        .find_map(|scheme| url.strip_prefix(scheme))?;
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').find(|name| !name.is_empty())?;
    Some(ContentBlock::resource_link(Resource::new(url, name)))
}

/// Returns an image or a sound as content; `None` for other media.
fn inside(media: &str, data: impl FnOnce() -> String) -> Option<ContentBlock> {
    match media.split_once('/')?.0 {
        "image" => Some(ContentBlock::image(data(), media)),
        "audio" => Some(ContentBlock::audio(data(), media)),
        _ => None,
    }
}

/// Returns an answer in a file: an image or a sound as it is, anything else, and what is long, as a link
/// that `resources/read` follows. `None` if it is too long for that. Blocks on the disk.
pub(super) fn file(state: &State, file: &AnswerFile) -> Option<ContentBlock> {
    let media = match file.media_type.as_str() {
        "" => media::media_type(&file.name),
        named => named,
    };
    // An SVG is a text, and most clients take no image of this type.
    let is_inside = file.bytes <= MAX_INSIDE && media != "image/svg+xml";
    if is_inside
        && let Some(bytes) = answer_file::read(state.root(), &file.name, MAX_INSIDE)
        && let Some(block) = inside(media, || BASE64.encode(&bytes))
    {
        return Some(block);
    }
    (file.bytes <= MAX_READ).then(|| {
        let uri = format!("{ANSWERS}{}", file.name);
        let link = Resource::new(uri, file.name.as_str()).with_mime_type(media);
        ContentBlock::resource_link(link.with_size(file.bytes))
    })
}

/// Reads the answer at an address, for `resources/read`. Blocks on the disk.
pub(super) fn read(state: &State, uri: &str) -> Option<ResourceContents> {
    let name = uri.strip_prefix(ANSWERS)?;
    let contents = match String::from_utf8(answer_file::read(state.root(), name, MAX_READ)?) {
        Ok(text) => ResourceContents::text(text, uri),
        Err(binary) => ResourceContents::blob(BASE64.encode(binary.as_bytes()), uri),
    };
    Some(contents.with_mime_type(media::media_type(name)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(given: &Value, expected: &Value) {
        let found = part(given).map(|block| serde_json::to_value(block).unwrap());
        assert_eq!(found.unwrap_or_default(), *expected, "{given}");
    }

    #[test]
    fn a_part_is_content_or_a_text() {
        let url = |url: &str| json!({"type": "image_url", "image_url": {"url": url}});
        let text = |part: &Value| json!({"type": "text", "text": part.to_string()});
        check(
            &url("data:image/png;base64,AA=="),
            &json!({"type": "image", "data": "AA==", "mimeType": "image/png"}),
        );
        check(
            &url("data:audio/wav;rate=8;base64,AA=="),
            &json!({"type": "audio", "data": "AA==", "mimeType": "audio/wav"}),
        );
        check(
            &json!({"type": "image_url", "image_url": "https://a.example/x/y.png?z"}),
            &json!({"type": "resource_link", "uri": "https://a.example/x/y.png?z", "name": "y.png"}),
        );
        for strange in [
            url("data:image/png;base64,?"),
            url("data:text/plain;base64,AA=="),
            url("data:image/svg+xml,<svg/>"),
            url("file:///x.png"),
            json!({"type": "image_url"}),
            json!({"type": "other", "a": 1}),
        ] {
            check(&strange, &text(&strange));
        }
        check(&json!({"a": 1}), &Value::Null);
        let image = json!({"type": "image", "data": "AA==", "mimeType": "image/png"});
        check(&image, &image);
    }
}
