//! Characters that hide text from reviewers.
//!
//! The rules are exact and depend only on code points and their neighbors (`docs/design/security.md`,
//! "Unicode"). Characters that real text needs are accepted: emoji sequences, the three flags of
//! Great Britain's nations, joiners in Persian and Indic scripts, break opportunities in Thai and
//! Khmer, direction marks, soft hyphens. Numeric HTML entities count as the characters that they
//! stand for.

mod classify;
mod hit;
mod runs;
mod scripts;

pub(crate) use hit::{Hit, Kind};
use runs::Runs;

/// Returns hidden characters in text order.
pub(crate) fn scan(text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    for run in Runs::new(text) {
        classify::classify(&run, &mut hits);
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Kind]) {
        let kinds: Vec<Kind> = scan(text).into_iter().map(|hit| hit.kind).collect();
        assert_eq!(kinds, expected, "{}", text.escape_unicode());
    }

    #[test]
    fn real_text_is_left_alone() {
        for text in [
            "plain\ttext\r\nwith lines\u{c}",
            "⚠️ Careful ✔️ done ❤️ 1️⃣ ℹ️",
            "👨‍👩‍👧‍👦 ❤️‍🔥 🏳️‍🌈 👩🏽‍💻",
            "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
            "می‌خواهم این را مرتب کنم",
            "क्‍ष क्‌ष",
            "ภาษา\u{200b}ไทย ភាសា\u{200b}ខ្មែរ",
            "שלום\u{200f} (abc)\u{200e} 12",
            "Donau\u{ad}dampf\u{ad}schiff",
            "会議\u{3000}記録「始」",
            "ᠮᠣᠩᠭᠣᠯ\u{180b}",
            "Attention\u{a0}: «\u{202f}notes\u{202f}»",
            "葛\u{e0100}城市 辻\u{e0101}",
            "\u{feff}text",
            "&#65;&#x4E2D;&#8217; &#; &#x; &#99999999;",
            "ᄒ\u{1160}\u{11ab}",
            "ᠮᠣ\u{180e}ᠠ",
            "\u{e0b0} \u{f015}",
            "old\rline\rends",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn tags_and_selectors() {
        check("a\u{e0069}\u{e0067}", &[Kind::Tag]);
        check(
            "🏴\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e0020}\u{e007f}",
            &[Kind::Tag],
        );
        check("x\u{fe00}\u{fe01}", &[Kind::Selector]);
        check("😀\u{e0101}\u{e0102}\u{e0103}", &[Kind::Selector]);
        check("no\u{fe0f}te", &[Kind::Selector]);
    }

    #[test]
    fn directions_and_controls() {
        check("a\u{202e}b", &[Kind::Bidi]);
        check("a\u{2066}b\u{2069}", &[Kind::Bidi, Kind::Bidi]);
        check("\u{1b}[31m", &[Kind::Control]);
        check(
            "a\u{0}b\u{9b}c\u{85}",
            &[Kind::Control, Kind::Control, Kind::Control],
        );
        check("a\u{2028}b", &[Kind::Stray]);
        check("a\r\nsafe\revil\n", &[Kind::Control]);
    }

    #[test]
    fn zero_width() {
        check("ig\u{200b}nore", &[Kind::ZeroWidth]);
        check(
            "ig\u{2060}nore с\u{200d}к",
            &[Kind::ZeroWidth, Kind::ZeroWidth],
        );
        check(". \u{200b}\u{200c}\u{200b} x", &[Kind::ZeroWidth]);
        check("x\u{2062}\u{2063}\u{2062}", &[Kind::ZeroWidth]);
        check("`\u{200b}``", &[Kind::Stray]);
        check("a\u{2062}b", &[Kind::Stray]);
        check("\u{e000}\u{e001}\u{e002}", &[Kind::Stray]);
        check("ig\u{34f}nore", &[Kind::Stray]);
        check("a\u{feff} b", &[Kind::Stray]);
    }

    #[test]
    fn blanks_and_private_use() {
        check("a\u{3164}b", &[Kind::Filler]);
        check("a\u{115f} \u{ffa0}", &[Kind::Filler, Kind::Filler]);
        check("a\u{fff9}b\u{fffa}c\u{fffb}", &[Kind::Filler; 3]);
        check("a\u{206a}\u{206b}b", &[Kind::Filler]);
        check("\u{f0021}", &[Kind::PrivateUse]);
        check("\u{fffe}\u{1ffff}", &[Kind::Noncharacter]);
    }

    #[test]
    fn entities_count_as_what_they_stand_for() {
        check("&#917609;&#917607;", &[Kind::Tag]);
        check("a&#x202E;b", &[Kind::Bidi]);
        check("ig&#8203;nore", &[Kind::ZeroWidth]);
        check("&#8203;```", &[Kind::Stray]);
        check("&#27;[31m", &[Kind::Control]);
        check("&#10;&#9;&#13;", &[]);
    }
}
