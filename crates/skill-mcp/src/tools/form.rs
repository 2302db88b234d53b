//! The form in which an answer is handed on: a value of the SDK, or JSON that is sent as it is.
//!
//! The text of a skill is the same for all sessions but for the names of the skills that gave way
//! to it. So its JSON is made once for each text, and those names are put in between.
//!
//! **Invariant:** both forms say the same: the JSON is that of the SDK's value, cut in pieces.

use std::sync::{Arc, PoisonError};

use rmcp::model::CallToolResult;

use super::read::gone_line;
use super::{Answer, Given, result};
use crate::bodies::Body;
use crate::manifest::Manifest;
use crate::store::FilesOf;

/// Stands for the names while the pieces are cut: a noncharacter of Unicode
/// (<https://www.unicode.org/faq/private_use.html#noncharacters>).
const MARK: &str = "\u{10fffe}";

/// What becomes of an answer.
pub(crate) trait Form: Send + Sized + 'static {
    /// Of any answer.
    fn of(answer: Answer) -> Self;

    /// Of a text, which `make` writes for the names of the skills that gave way to it.
    fn of_text(
        _body: &Body,
        _files: &FilesOf,
        gone: &[String],
        make: impl Fn(&[String]) -> Given,
    ) -> Self {
        Self::of(Ok(make(gone)))
    }

    /// Whether the call failed.
    fn is_error(&self) -> bool;
}

impl Form for CallToolResult {
    fn of(answer: Answer) -> Self {
        result(answer)
    }

    fn is_error(&self) -> bool {
        self.is_error == Some(true)
    }
}

/// A result as JSON.
pub(crate) enum Json {
    /// As the SDK would write it.
    Result(CallToolResult),
    /// A text that was written before, and names to put in between.
    Kept(Arc<Kept>, Vec<String>),
}

/// The JSON of a text, around the two places where the names stand.
#[derive(Debug)]
pub(crate) struct Kept {
    /// Before the line of the text, between both, and after the list.
    pieces: [String; 3],
    /// The files that it tells of.
    manifest: Arc<Manifest>,
}

impl Form for Json {
    fn of(answer: Answer) -> Self {
        let mut result = result(answer);
        // The older protocol has no such field.
        result.result_type = None;
        Self::Result(result)
    }

    fn of_text(
        body: &Body,
        files: &FilesOf,
        gone: &[String],
        make: impl Fn(&[String]) -> Given,
    ) -> Self {
        match Kept::of(body, files, &make) {
            Some(kept) => Self::Kept(kept, gone.to_vec()),
            None => Self::of(Ok(make(gone))),
        }
    }

    fn is_error(&self) -> bool {
        matches!(self, Self::Result(result) if result.is_error == Some(true))
    }
}

impl Json {
    /// Writes it at the end of a buffer. Nothing if it cannot be written.
    pub(crate) fn append(&self, to: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Result(result) => serde_json::to_writer(to, result).ok(),
            Self::Kept(kept, gone) => kept.append(gone, to),
        }
    }

    /// Bytes that it takes, about.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Result(_) => 0,
            Self::Kept(kept, _) => kept.pieces.iter().map(String::len).sum(),
        }
    }
}

impl Kept {
    /// The pieces of a held text, as they were or made anew.
    fn of(body: &Body, files: &FilesOf, make: impl Fn(&[String]) -> Given) -> Option<Arc<Self>> {
        let manifest = files.manifest().filter(|_| body.is_held())?;
        let mut last = body.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.as_ref();
        if let Some(kept) = known.filter(|kept| Arc::ptr_eq(&kept.manifest, manifest)) {
            return Some(kept.clone());
        }
        let Json::Result(marked) = Json::of(Ok(make(&[MARK.to_owned()]))) else {
            return None;
        };
        let kept = Arc::new(Self {
            pieces: cut(&serde_json::to_string(&marked).ok()?)?,
            manifest: manifest.clone(),
        });
        *last = Some(kept.clone());
        Some(kept)
    }

    fn append(&self, gone: &[String], to: &mut Vec<u8>) -> Option<()> {
        let [before, between, after] = &self.pieces;
        to.extend_from_slice(before.as_bytes());
        if !gone.is_empty() {
            to.extend_from_slice(escaped(&gone_line(gone))?.as_bytes());
        }
        to.extend_from_slice(between.as_bytes());
        serde_json::to_writer(&mut *to, gone).ok()?;
        to.extend_from_slice(after.as_bytes());
        Some(())
    }
}

/// A text as it stands between the quotes of JSON.
fn escaped(text: &str) -> Option<String> {
    let quoted = serde_json::to_string(text).ok()?;
    Some(quoted.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

/// Cuts a marked result. Nothing if the mark stands anywhere else as well.
fn cut(marked: &str) -> Option<[String; 3]> {
    let (before, rest) = marked.split_once(&escaped(&gone_line(&[MARK.to_owned()]))?)?;
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
    fn marked(text: &str, gone: &[&str]) -> String {
        let gone: Vec<String> = gone.iter().map(|name| (*name).to_owned()).collect();
        let line = if gone.is_empty() {
            String::new()
        } else {
            gone_line(&gone)
        };
        let given = Given {
            text: format!("<skill>\n{line}{text}"),
            data: json!({"content": text, "unloaded": gone, "next": null}),
        };
        serde_json::to_string(&result(Ok(given))).unwrap()
    }

    #[test]
    fn the_pieces_and_names_are_what_would_have_been_written() {
        let text = "a \"quoted\" text, \u{1} and 天气\n\"unloaded\":[] no longer active: x\n";
        let pieces = cut(&marked(text, &[MARK])).unwrap();
        for gone in [&[][..], &["a"], &["a \"b\"", "c\nd"]] {
            let names: Vec<String> = gone.iter().map(|name| (*name).to_owned()).collect();
            let mut res = pieces[0].clone();
            if !names.is_empty() {
                res.push_str(&escaped(&gone_line(&names)).unwrap());
            }
            res.push_str(&pieces[1]);
            res.push_str(&serde_json::to_string(&names).unwrap());
            res.push_str(&pieces[2]);
            assert_eq!(res, marked(text, gone));
        }
    }

    #[test]
    fn a_text_with_the_mark_is_not_cut() {
        for text in [MARK, &gone_line(&[MARK.to_owned()])] {
            assert!(cut(&marked(text, &[MARK])).is_none());
        }
        assert!(cut(&marked("text", &[])).is_none());
    }
}
