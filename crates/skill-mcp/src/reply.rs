//! The JSON of an answer with the text of a skill, written once for all sessions.
//!
//! The answer is the same for all sessions, except for the names of the skills that it evicted. So
//! it is written with a mark in place of the names and cut there.

use std::sync::Arc;

use crate::manifest::Manifest;

/// Takes the place of the names while the pieces are cut: a noncharacter of Unicode
/// (<https://www.unicode.org/faq/private_use.html#noncharacters>).
pub(crate) const MARK: &str = "\u{10fffe}";

/// The JSON of a reply around the two places of the names.
#[derive(Debug)]
pub(crate) struct CachedReply {
    /// The pieces before the line of the text, between both places, and after the list.
    pieces: [String; 3],
    /// The files that it lists.
    manifest: Arc<Manifest>,
}

impl CachedReply {
    /// Cuts the JSON of a result with [`MARK`] as the only evicted skill. Returns `None` if the
    /// mark also occurs elsewhere.
    pub(crate) fn from_marked(marked: &str, manifest: Arc<Manifest>) -> Option<Self> {
        let pieces = cut(marked)?;
        Some(Self { pieces, manifest })
    }

    /// Returns true if the answer lists the files of this manifest.
    pub(crate) fn lists(&self, manifest: &Arc<Manifest>) -> bool {
        Arc::ptr_eq(&self.manifest, manifest)
    }

    /// Returns the size of the pieces in bytes.
    pub(crate) fn size(&self) -> usize {
        self.pieces.iter().map(String::len).sum()
    }

    /// Appends the JSON with these names to a buffer. Returns `None` if it cannot be written.
    pub(crate) fn append(&self, evicted: &[String], to: &mut Vec<u8>) -> Option<()> {
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

/// Returns the line of the text that names the evicted skills.
pub(crate) fn evicted_line(evicted: &[String]) -> String {
    format!("no longer active: {}\n", evicted.join(", "))
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
        let result = json!({
            "content": [{"type": "text", "text": format!("<skill>\n{line}{text}")}],
            "_meta": {"skills-serve/data": {"unloaded": evicted, "next": null}},
        });
        result.to_string()
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
