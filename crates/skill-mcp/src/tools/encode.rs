//! Encodes answers: as a value of the SDK, or as JSON that is sent as it is.
//!
//! The answer that contains a skill is the same for all sessions, except for the names of the
//! skills that it evicted. So its JSON is written once for each text, and those names are inserted.
//!
//! **Invariant:** both encodings are equal: the JSON is that of the SDK's value, cut into pieces.

use std::sync::{Arc, PoisonError};

use rmcp::model::CallToolResult;

use super::read::evicted_line;
use super::{Answer, ToolOutput, result};
use crate::bodies::Body;
use crate::manifest::Manifest;
use crate::store::SkillFiles;

/// Takes the place of the names while the pieces are cut: a noncharacter of Unicode
/// (<https://www.unicode.org/faq/private_use.html#noncharacters>).
const MARK: &str = "\u{10fffe}";

/// An encoded answer.
pub(crate) trait Encode: Send + Sized + 'static {
    /// Encodes any answer.
    fn from_answer(answer: Answer) -> Self;

    /// Encodes the text of a skill, which `make` writes for the names of the evicted skills.
    fn from_text(
        _body: &Body,
        _files: &SkillFiles,
        evicted: &[String],
        make: impl Fn(&[String]) -> ToolOutput,
    ) -> Self {
        Self::from_answer(Ok(make(evicted)))
    }

    /// Returns true if the call failed.
    fn is_error(&self) -> bool;
}

impl Encode for CallToolResult {
    fn from_answer(answer: Answer) -> Self {
        result(answer)
    }

    fn is_error(&self) -> bool {
        self.is_error == Some(true)
    }
}

/// A result as JSON.
pub(crate) enum Json {
    /// A result as the SDK writes it.
    Result(CallToolResult),
    /// A reply that was written before, and the names to insert.
    Cached(Arc<CachedReply>, Vec<String>),
}

/// The JSON of a reply around the two places of the names.
#[derive(Debug)]
pub(crate) struct CachedReply {
    /// The pieces before the line of the text, between both places, and after the list.
    pieces: [String; 3],
    /// The files that it lists.
    manifest: Arc<Manifest>,
}

impl Encode for Json {
    fn from_answer(answer: Answer) -> Self {
        let mut result = result(answer);
        // The older protocol has no such field.
        result.result_type = None;
        Self::Result(result)
    }

    fn from_text(
        body: &Body,
        files: &SkillFiles,
        evicted: &[String],
        make: impl Fn(&[String]) -> ToolOutput,
    ) -> Self {
        match CachedReply::get_or_write(body, files, &make) {
            Some(reply) => Self::Cached(reply, evicted.to_vec()),
            None => Self::from_answer(Ok(make(evicted))),
        }
    }

    fn is_error(&self) -> bool {
        matches!(self, Self::Result(result) if result.is_error == Some(true))
    }
}

impl Json {
    /// Appends the JSON to a buffer. Returns `None` if it cannot be written.
    pub(crate) fn append(&self, to: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Result(result) => serde_json::to_writer(to, result).ok(),
            Self::Cached(reply, evicted) => reply.append(evicted, to),
        }
    }

    /// Estimates the size of the JSON in bytes; 0 if it is not known.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Result(_) => 0,
            Self::Cached(reply, _) => reply.pieces.iter().map(String::len).sum(),
        }
    }
}

impl CachedReply {
    /// Returns the pieces of a cached text. They are written again if the files have changed.
    fn get_or_write(
        body: &Body,
        files: &SkillFiles,
        make: impl Fn(&[String]) -> ToolOutput,
    ) -> Option<Arc<Self>> {
        let manifest = files.manifest().filter(|_| body.is_cached())?;
        let mut last = body.reply.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.as_ref();
        if let Some(reply) = known.filter(|reply| Arc::ptr_eq(&reply.manifest, manifest)) {
            return Some(reply.clone());
        }
        let Json::Result(marked) = Json::from_answer(Ok(make(&[MARK.to_owned()]))) else {
            return None;
        };
        let reply = Arc::new(Self {
            pieces: cut(&serde_json::to_string(&marked).ok()?)?,
            manifest: manifest.clone(),
        });
        *last = Some(reply.clone());
        Some(reply)
    }

    fn append(&self, evicted: &[String], to: &mut Vec<u8>) -> Option<()> {
        let [before, between, after] = &self.pieces;
        to.extend_from_slice(before.as_bytes());
        if !evicted.is_empty() {
            to.extend_from_slice(escaped(&evicted_line(evicted))?.as_bytes());
        }
        to.extend_from_slice(between.as_bytes());
        serde_json::to_writer(&mut *to, evicted).ok()?;
        to.extend_from_slice(after.as_bytes());
        Some(())
    }
}

/// Returns a text as it is written between the quotes of JSON.
fn escaped(text: &str) -> Option<String> {
    let quoted = serde_json::to_string(text).ok()?;
    Some(quoted.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

/// Cuts a marked result. Returns `None` if the mark also occurs elsewhere.
fn cut(marked: &str) -> Option<[String; 3]> {
    let (before, rest) = marked.split_once(&escaped(&evicted_line(&[MARK.to_owned()]))?)?;
    let (between, after) = rest.split_once(&format!("\"unloaded\":[\"{MARK}\"]"))?;
    let pieces = [before, &format!("{between}\"unloaded\":"), after];
    let is_clean = pieces.iter().all(|piece| !piece.contains(MARK));
    is_clean.then(|| pieces.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A result as `read_skill` writes it.
    fn marked(text: &str, evicted: &[&str]) -> String {
        let evicted: Vec<String> = evicted.iter().map(|name| (*name).to_owned()).collect();
        let line = if evicted.is_empty() {
            String::new()
        } else {
            evicted_line(&evicted)
        };
        let output = ToolOutput {
            text: format!("<skill>\n{line}{text}"),
            data: json!({"content": text, "unloaded": evicted, "next": null}),
        };
        serde_json::to_string(&result(Ok(output))).unwrap()
    }

    #[test]
    fn the_pieces_and_names_are_what_would_have_been_written() {
        let text = "a \"quoted\" text, \u{1} and 天气\n\"unloaded\":[] no longer active: x\n";
        let pieces = cut(&marked(text, &[MARK])).unwrap();
        for evicted in [&[][..], &["a"], &["a \"b\"", "c\nd"]] {
            let names: Vec<String> = evicted.iter().map(|name| (*name).to_owned()).collect();
            let mut res = pieces[0].clone();
            if !names.is_empty() {
                res.push_str(&escaped(&evicted_line(&names)).unwrap());
            }
            res.push_str(&pieces[1]);
            res.push_str(&serde_json::to_string(&names).unwrap());
            res.push_str(&pieces[2]);
            assert_eq!(res, marked(text, evicted));
        }
    }

    #[test]
    fn a_text_with_the_mark_is_not_cut() {
        for text in [MARK, &evicted_line(&[MARK.to_owned()])] {
            assert!(cut(&marked(text, &[MARK])).is_none());
        }
        assert!(cut(&marked("text", &[])).is_none());
    }
}
