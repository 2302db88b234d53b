//! A Markdown text: its sections lie in it, its pages are all of it, and a shorter form is shorter.

use skill_loader::text::{Outline, page, trim};

pub(super) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let outline = Outline::new(text);
    for section in &outline.sections {
        assert!(text.get(section.range.clone()).is_some(), "{section:?}");
        assert!(section.heading.end <= section.range.end, "{section:?}");
    }
    for name in outline.names() {
        // A heading without a word has no name to be found by.
        let _ = outline.find(&name);
    }
    let mut at = 0;
    loop {
        let page = page(text, at..text.len(), 7);
        assert_eq!(page.range.start, at);
        let Some(next) = page.next else {
            assert_eq!(page.range.end, text.len());
            break;
        };
        assert!(next > at && next == page.range.end);
        at = next;
    }
    let n_chars = text.chars().count();
    let short = trim(text, &outline, n_chars, usize::MAX);
    assert!(short.chars().count() <= n_chars);
}
