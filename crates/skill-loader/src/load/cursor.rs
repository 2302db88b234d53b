//! Cursors for paged reads: `<twelve digits of the file's digest>-<from>-<to>`, as byte offsets.

use std::ops::Range;

use skill_model::Digest;

/// Digits of the digest: enough to notice a change, few enough to copy.
const DIGITS: usize = 12;

/// Formats a cursor.
pub(super) fn write(digest: &Digest, range: &Range<usize>) -> String {
    format!("{}-{}-{}", &digest.hex()[..DIGITS], range.start, range.end)
}

/// Parses a cursor of `text`; `None` if it belongs to another text or does not fall on character
/// boundaries.
pub(super) fn read(cursor: &str, digest: &Digest, text: &str) -> Option<Range<usize>> {
    let mut parts = cursor.split('-');
    let (of, start, end) = (parts.next()?, parts.next()?, parts.next()?);
    let range = start.parse().ok()?..end.parse().ok()?;
    let is_same = of == &digest.hex()[..DIGITS] && parts.next().is_none();
    (is_same && text.get(range.clone()).is_some()).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_text_is_read_on() {
        let (digest, text) = (Digest::from_content(b"x"), "指标");
        let cursor = write(&digest, &(3..6));
        assert_eq!(cursor, "2d711642b726-3-6");
        assert_eq!(read(&cursor, &digest, text), Some(3..6));
        assert_eq!(read(&cursor, &Digest::from_content(b"y"), text), None);
        for bad in [
            "",
            "0",
            "2d711642b726-1-6",
            "2d711642b726-3-7",
            "2d711642b726-6-3",
            "2d711642b726-3-6-9",
            "2d711642b726--3-6",
        ] {
            assert_eq!(read(bad, &digest, text), None, "{bad}");
        }
    }
}
