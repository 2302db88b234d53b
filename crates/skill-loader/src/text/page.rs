//! Pages of a text.

use std::ops::Range;

/// A range of a text, and the start of the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Byte range in the text.
    pub range: Range<usize>,
    /// Offset of the next page; `None` on the last page.
    pub next: Option<usize>,
}

/// Returns the first page of `range`: at most `max_chars` code points, but at least one.
///
/// The page ends at a line end if that keeps at least half of it; otherwise at any character
/// boundary. The pages of a range in sequence cover it completely.
pub fn page(text: &str, range: Range<usize>, max_chars: usize) -> Page {
    let part = &text[range.clone()];
    let mut ends = part.char_indices().map(|(at, _)| at);
    let Some(cut) = ends.nth(max_chars.max(1)) else {
        return Page { range, next: None };
    };
    let end = range.start + line_end(part, cut).unwrap_or(cut);
    Page {
        range: range.start..end,
        next: Some(end),
    }
}

/// Returns the last line end in the second half of the text before `cut`.
fn line_end(part: &str, cut: usize) -> Option<usize> {
    let end = part[..cut].rfind('\n')? + 1;
    (end >= cut.div_ceil(2)).then_some(end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pages(text: &str, max_chars: usize) -> Vec<&str> {
        let mut res = Vec::new();
        let mut start = Some(0);
        while let Some(at) = start {
            let page = page(text, at..text.len(), max_chars);
            res.push(&text[page.range.clone()]);
            start = page.next;
        }
        res
    }

    #[test]
    fn prefers_line_ends() {
        assert_eq!(pages("abc\ndef\nghi", 6), ["abc\n", "def\n", "ghi"]);
        assert_eq!(pages("a\nbcdefgh", 6), ["a\nbcde", "fgh"]);
        assert_eq!(pages("指标定义", 3), ["指标定", "义"]);
        assert_eq!(pages("ab", 0), ["a", "b"]);
        assert_eq!(pages("", 5), [""]);
        assert_eq!(pages("abcd\n", 5), ["abcd\n"]);
    }

    proptest! {
        #[test]
        fn pages_are_the_whole_text(text in "(\\PC|\n|指|\r\n){0,300}", max_chars in 1_usize..40) {
            let pages = pages(&text, max_chars);
            prop_assert!(pages.iter().all(|page| page.chars().count() <= max_chars));
            prop_assert_eq!(pages.concat(), text);
        }
    }
}
