//! Decodes the bytes of a manifest.

use skill_diagnostics::Diagnostic;

use crate::codes::{BYTE_ORDER_MARK, NOT_UTF8};

/// Returns the text of a manifest without its byte order mark, or the reason why there is none.
///
/// The host fails silently on a byte order mark (`JSON.parse` of a text that starts with U+FEFF),
/// so it is worth a note.
///
/// ```
/// assert_eq!(plugin_manifest::decode(b"{}").0, Some("{}"));
/// assert_eq!(plugin_manifest::decode(b"\xff").0, None);
/// ```
pub fn decode(bytes: &[u8]) -> (Option<&str>, Vec<Diagnostic>) {
    let (bytes, findings) = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => (rest, vec![mark_finding()]),
        None => (bytes, Vec::new()),
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => (Some(text), findings),
        Err(error) => (None, vec![encoding_finding(bytes, error.valid_up_to())]),
    }
}

fn mark_finding() -> Diagnostic {
    Diagnostic::note(
        BYTE_ORDER_MARK,
        "the manifest starts with a byte order mark",
    )
    .with_help("the old host ignores such a plugin without a word; the mark was dropped")
}

fn encoding_finding(bytes: &[u8], valid_up_to: usize) -> Diagnostic {
    let message = match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => "the manifest is UTF-16, expected UTF-8".to_owned(),
        [b'{', 0, ..] | [0, b'{', ..] => {
            "the manifest is UTF-16 without a mark, expected UTF-8".to_owned()
        }
        _ => format!("the manifest is not UTF-8: byte {valid_up_to} belongs to no character"),
    };
    Diagnostic::error(NOT_UTF8, message).with_help("save the file as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], text: Option<&str>, codes: &[&str]) {
        let (found, findings) = decode(bytes);
        assert_eq!(found, text);
        assert_eq!(
            findings
                .iter()
                .map(|finding| finding.code.0)
                .collect::<Vec<_>>(),
            codes
        );
    }

    #[test]
    fn reads_utf8_and_says_what_else_it_is() {
        check(b"{}", Some("{}"), &[]);
        check(b"\xEF\xBB\xBF{}", Some("{}"), &["byte-order-mark"]);
        check(b"\xFF\xFE{\0}\0", None, &["not-utf8"]);
        check(b"{\0}\0", Some("{\0}\0"), &[]);
        check(b"{\"\xFF", None, &["not-utf8"]);
    }
}
