//! The answers of operations: as they are, and long ones in a file.

use serde_json::{Value, json};
use skill_model::Digest;

use super::send::Answer;
use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Success};

/// The longest answer that is a value, in bytes; a model reads all of it.
const MAX_VALUE: usize = 64 << 10;
/// The beginning of a longer one, in characters.
const MAX_START: usize = 4_000;
/// The directory of long answers in the state.
const DIR: &str = "answers";

/// Returns the value of an answer with a status below 400. A long one, or one that is not text, is in a
/// file; the value has its path and its beginning.
pub(super) fn value(call: &Call<'_>, answer: &Answer) -> Result<Success, Failure> {
    if answer.body.is_empty() {
        return Ok(Success::new(Value::Null));
    }
    let text = std::str::from_utf8(&answer.body).ok();
    if text.is_some() && answer.body.len() <= MAX_VALUE {
        let value = answer.value();
        let value = value.map_err(|why| Failure::new(ErrorCode::Protocol, why))?;
        return Ok(Success::new(value));
    }
    let name = format!(
        "{}{}",
        &Digest::from_content(&answer.body).hex()[..32],
        ending(&answer.media_type)
    );
    let state = &call.host.state;
    state.make_dir(DIR)?;
    let written = state.root().write_whole(DIR, &name, &answer.body);
    written.map_err(|error| Failure::io(&error))?;
    let mut value = json!({
        "file": state.path(&format!("{DIR}/{name}")).to_string_lossy(),
        "bytes": answer.body.len(),
        "media_type": answer.media_type,
    });
    if let Some(text) = text {
        value["start"] = text.chars().take(MAX_START).collect::<String>().into();
    }
    Ok(Success::new(value))
}

/// Returns the ending of a file of a media type.
fn ending(media_type: &str) -> &'static str {
    match media_type {
        "application/json" => ".json",
        text if text.ends_with("+json") => ".json",
        "text/html" => ".html",
        "text/csv" => ".csv",
        "image/png" => ".png",
        "image/jpeg" => ".jpg",
        "application/pdf" => ".pdf",
        text if text.starts_with("text/") => ".txt",
        _ => ".bin",
    }
}
