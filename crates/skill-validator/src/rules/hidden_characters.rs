//! Characters that readers cannot see. Each rule reports one kind, which [`crate::unicode`] finds.

use skill_diagnostics::Code;

use crate::level::Levels;
use crate::rule::{Check, Group, Rule};
use crate::unicode::Kind;

/// Returns the values that most of these rules have.
const fn hidden(kind: Kind) -> Rule {
    Rule {
        code: Code(""),
        group: Group::Safety,
        levels: Levels::UNSAFE,
        what: "",
        why: "",
        example: "",
        source: "",
        check: Check::Hidden(kind),
    }
}

pub(crate) const BIDI: Rule = Rule {
    code: Code("unicode-bidi"),
    what: "A bidirectional embedding, override or isolate.",
    why: "It shows text in another order than the model reads.",
    example: "U+202E",
    source: "https://trojansource.codes",
    ..hidden(Kind::Bidi)
};

pub(crate) const CONTROL: Rule = Rule {
    code: Code("unicode-control"),
    what: "A control character other than tab and line end, raw or escaped.",
    why: "Terminals obey them; NEL (U+0085) became a new frontmatter key under three YAML libraries.",
    example: "U+001B [2K",
    source: "https://www.unicode.org/reports/tr36/; docs/design/security.md, \"Unicode\"",
    ..hidden(Kind::Control)
};

pub(crate) const FILLER: Rule = Rule {
    code: Code("unicode-filler"),
    what: "Invisible letters, interlinear annotation or deprecated format characters.",
    why: "They look like blanks or like nothing, and are read as text.",
    example: "U+3164",
    source: "https://www.unicode.org/reports/tr36/; docs/design/security.md, \"Unicode\"",
    ..hidden(Kind::Filler)
};

pub(crate) const NONCHARACTER: Rule = Rule {
    code: Code("unicode-noncharacter"),
    what: "A code point that is not a character.",
    why: "Readers drop, replace or refuse it.",
    example: "U+FFFE",
    source: "https://www.unicode.org/faq/private_use.html#nonchar1",
    ..hidden(Kind::Noncharacter)
};

pub(crate) const PRIVATE_USE: Rule = Rule {
    code: Code("unicode-private-use"),
    what: "Characters of the private planes 15 and 16.",
    why: "They have no meaning that a reader could check, and models map them to ASCII.",
    example: "U+F0069",
    source: "https://www.unicode.org/faq/private_use.html",
    ..hidden(Kind::PrivateUse)
};

pub(crate) const SELECTORS: Rule = Rule {
    code: Code("unicode-selectors"),
    what: "Two variation selectors in a row, or one on a letter.",
    why: "Sequences of selectors can carry invisible data.",
    example: "😀 U+E0101 U+E0102",
    source: "https://paulbutler.org/2025/smuggling-arbitrary-data-through-an-emoji/",
    ..hidden(Kind::Selector)
};

pub(crate) const STRAY: Rule = Rule {
    code: Code("unicode-stray"),
    levels: Levels::ADVICE,
    what: "A single invisible character outside words.",
    why: "Often an accident (a zero-width space to show a code fence, a byte order mark in the middle), sometimes a mark.",
    example: "`<U+200B>``",
    source: "https://www.unicode.org/reports/tr36/; docs/design/security.md, \"Unicode\"",
    ..hidden(Kind::Stray)
};

pub(crate) const TAGS: Rule = Rule {
    code: Code("unicode-tags"),
    what: "Tag characters (U+E0000–U+E0FFF) outside a flag.",
    why: "They are invisible and models read them as ASCII.",
    example: "U+E0069 U+E0067 …",
    source: "https://embracethered.com/blog/posts/2024/hiding-and-finding-text-with-unicode-tags/",
    ..hidden(Kind::Tag)
};

pub(crate) const ZERO_WIDTH: Rule = Rule {
    code: Code("unicode-zero-width"),
    what: "Zero-width characters inside a word, or three in a row.",
    why: "They split words that filters look for, or carry bits.",
    example: "ig<U+200B>nore",
    source: "https://www.unicode.org/reports/tr36/; docs/design/security.md, \"Unicode\"",
    ..hidden(Kind::ZeroWidth)
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[track_caller]
    fn check(rule: &Rule, text: &str, expected: &str) {
        let expected = format!("SKILL.md:5:{expected}, which readers cannot see");
        check_rule(rule, &body(text), &[&expected]);
    }

    #[test]
    fn findings_name_the_character() {
        check(&BIDI, "a\u{202e}b\n", "2 a bidirectional control (U+202E)");
        check(&CONTROL, "a\u{1b}[2J\n", "2 a control character (U+001B)");
        check(&FILLER, "a\u{3164}b\n", "2 an invisible letter (U+3164)");
        check(&NONCHARACTER, "a\u{fffe}\n", "2 a noncharacter (U+FFFE)");
        check(
            &PRIVATE_USE,
            "a\u{f0069}\n",
            "2 a private character (U+F0069)",
        );
        check(&SELECTORS, "a\u{fe01}\n", "2 a variation selector (U+FE01)");
        check(
            &STRAY,
            ". \u{200b} x\n",
            "3 an invisible character (U+200B)",
        );
        check(&TAGS, "a\u{e0069}\n", "2 a tag character (U+E0069)");
        check(
            &ZERO_WIDTH,
            "ig\u{200b}nore\n",
            "3 a zero-width character (U+200B)",
        );
    }

    #[test]
    fn counts_and_looks_into_other_files_and_escapes() {
        let mut files = frontmatter("description: \"a\\u202Eb\"");
        add(&mut files, "a.md", "x\u{202d}y\u{202c}".as_bytes());
        check_rule(
            &BIDI,
            &files,
            &[
                "SKILL.md:2:14 a bidirectional control (U+202E), which readers cannot see",
                "a.md:1:2 a bidirectional control (U+202D) and 1 more, which readers cannot see",
            ],
        );
    }

    #[test]
    fn looks_at_decoded_values() {
        let files = frontmatter("description: \"a\\e[2K\"");
        check_rule(
            &CONTROL,
            &files,
            &["SKILL.md:2:14 a control character (U+001B), which readers cannot see"],
        );
    }
}
