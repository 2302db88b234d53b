//! The name of a skill.
//!
//! The specification (<https://agentskills.io/specification#name-field>) allows 1–64 characters,
//! "unicode lowercase alphanumeric characters (`a-z`, `0-9`) and hyphens", without a leading or
//! trailing hyphen and without two in a row. The sentence contradicts itself; this crate follows
//! its parenthesis, the only part that is decidable to the code point: `[a-z0-9]+(-[a-z0-9]+)*`.
//!
//! **NFKC policy:** none. The specification does not mention normalization, so a full-width `ｐｄｆ`
//! is not `pdf`, and a name is compared with its directory code point by code point. A name of this
//! grammar is unchanged by every Unicode normalization form. The validator's profile `skills-ref`
//! reproduces what the Python reference does instead.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Maximum number of code points in a name (specification, "name field").
pub const NAME_MAX: usize = 64;

/// A name that the specification allows: `[a-z0-9]+(-[a-z0-9]+)*`, at most [`NAME_MAX`] long.
///
/// ```
/// use skill_model::SkillName;
///
/// assert!(SkillName::new("pdf-tools").is_ok());
/// assert!(SkillName::new("PDF Tools").is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SkillName(String);

/// The reason why a text is not a valid name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// The text is empty.
    #[error("the name is empty, expected 1 to {NAME_MAX} characters")]
    Empty,
    /// The text has too many code points.
    #[error("the name has {0} characters, expected at most {NAME_MAX}")]
    TooLong(usize),
    /// A character is outside the grammar.
    #[error("the name has {}, expected only `a-z`, `0-9` and hyphens", EscapedChar(*found))]
    Character {
        /// The character.
        found: char,
        /// Its byte offset.
        at: usize,
    },
    /// A hyphen at the beginning or the end.
    #[error("the name starts or ends with a hyphen")]
    EdgeHyphen,
    /// Two hyphens are in a row.
    #[error("the name has two hyphens in a row")]
    DoubleHyphen {
        /// Byte offset of the first hyphen.
        at: usize,
    },
}

impl SkillName {
    /// Checks a text.
    ///
    /// # Errors
    ///
    /// The first flaw of the text.
    pub fn new(text: impl Into<String>) -> Result<Self, NameError> {
        let text = text.into();
        match name_flaws(&text).into_iter().next() {
            None => Ok(Self(text)),
            Some(flaw) => Err(flaw),
        }
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for SkillName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromStr for SkillName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::new(text)
    }
}

impl From<SkillName> for String {
    fn from(name: SkillName) -> Self {
        name.0
    }
}

/// Returns every reason why a text is not a valid name, each kind of flaw once.
pub fn name_flaws(text: &str) -> Vec<NameError> {
    if text.is_empty() {
        return vec![NameError::Empty];
    }
    let mut flaws = Vec::new();
    let length = text.chars().count();
    if length > NAME_MAX {
        flaws.push(NameError::TooLong(length));
    }
    let foreign = |c: &char| !matches!(c, 'a'..='z' | '0'..='9' | '-');
    if let Some((at, found)) = text.char_indices().find(|(_, c)| foreign(c)) {
        flaws.push(NameError::Character { found, at });
    }
    if text.starts_with('-') || text.ends_with('-') {
        flaws.push(NameError::EdgeHyphen);
    }
    if let Some(at) = text.find("--") {
        flaws.push(NameError::DoubleHyphen { at });
    }
    flaws
}

/// Derives a name from a text: splits at lower→Upper and ACRONYM→Word boundaries, turns every other
/// run outside `[a-z0-9]` into one hyphen, and cuts to [`NAME_MAX`]. Latin letters lose their marks:
/// `Ünï` becomes `uni`.
///
/// Returns `None` if the text has no ASCII letter or digit; the caller then chooses another name.
///
/// ```
/// let name = skill_model::slug("VCPForumHTTPClient").unwrap();
/// assert_eq!(name.as_str(), "vcp-forum-http-client");
/// ```
pub fn slug(text: &str) -> Option<SkillName> {
    let chars: Vec<char> = plain_letters(text).chars().collect();
    let mut res = String::new();
    for (i, c) in chars.iter().enumerate() {
        if !c.is_ascii_alphanumeric() || starts_word(&chars, i) {
            push_hyphen(&mut res);
        }
        if c.is_ascii_alphanumeric() {
            res.push(c.to_ascii_lowercase());
        }
    }
    res.truncate(NAME_MAX);
    let res = res.trim_end_matches('-');
    (!res.is_empty()).then(|| SkillName(res.to_owned()))
}

/// Returns a text with Latin letters in ASCII, where that is how they are usually written without marks.
fn plain_letters(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut res = String::with_capacity(text.len());
    for c in text.nfd().filter(|c| !is_combining_mark(*c)) {
        match LETTERS.iter().find(|(letter, _)| *letter == c) {
            Some((_, plain)) => res.push_str(plain),
            None => res.push(c),
        }
    }
    Cow::Owned(res)
}

/// Latin letters that Unicode does not decompose.
const LETTERS: [(char, &str); 13] = [
    ('ß', "ss"),
    ('æ', "ae"),
    ('Æ', "Ae"),
    ('œ', "oe"),
    ('Œ', "Oe"),
    ('ø', "o"),
    ('Ø', "O"),
    ('đ', "d"),
    ('Đ', "D"),
    ('ł', "l"),
    ('Ł', "L"),
    ('ı', "i"),
    ('þ', "th"),
];

/// Returns whether a capital starts a word: after a lower-case letter or a digit, or as the last
/// capital of an acronym that a lower-case letter follows.
fn starts_word(chars: &[char], i: usize) -> bool {
    let Some(before) = i.checked_sub(1).map(|i| chars[i]) else {
        return false;
    };
    if !chars[i].is_ascii_uppercase() {
        return false;
    }
    let next_is_small = chars.get(i + 1).is_some_and(char::is_ascii_lowercase);
    before.is_ascii_lowercase()
        || before.is_ascii_digit()
        || (before.is_ascii_uppercase() && next_is_small)
}

fn push_hyphen(res: &mut String) {
    if !res.is_empty() && !res.ends_with('-') {
        res.push('-');
    }
}

/// A character as messages display it: itself if it is visible, and always its number.
struct EscapedChar(char);

impl fmt::Display for EscapedChar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(c) = *self;
        if !crate::chars::is_inkless(c) && c != ' ' {
            write!(f, "`{c}` ")?;
        }
        write!(f, "(U+{:04X})", u32::from(c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[NameError]) {
        assert_eq!(name_flaws(text), expected);
        assert_eq!(SkillName::new(text).is_ok(), expected.is_empty());
    }

    #[track_caller]
    fn check_slug(text: &str, expected: Option<&str>) {
        assert_eq!(slug(text).as_ref().map(SkillName::as_str), expected);
    }

    #[test]
    fn follows_the_grammar() {
        check("pdf-tools", &[]);
        check("1e3", &[]);
        check(&"a".repeat(64), &[]);
        check("", &[NameError::Empty]);
        check("-", &[NameError::EdgeHyphen]);
        check("abc-", &[NameError::EdgeHyphen]);
        check("a--b", &[NameError::DoubleHyphen { at: 1 }]);
    }

    #[test]
    fn counts_characters_not_bytes() {
        check(&"a".repeat(65), &[NameError::TooLong(65)]);
        check(
            &"é".repeat(64),
            &[NameError::Character { found: 'é', at: 0 }],
        );
    }

    #[test]
    fn does_not_normalize() {
        check(
            "ｐｄｆ",
            &[NameError::Character {
                found: 'ｐ', at: 0
            }],
        );
        check("nоte", &[NameError::Character { found: 'о', at: 1 }]);
        check("note ", &[NameError::Character { found: ' ', at: 4 }]);
    }

    #[test]
    fn messages_name_the_character() {
        let message = |text| SkillName::new(text).unwrap_err().to_string();
        assert_eq!(
            message("aB"),
            "the name has `B` (U+0042), expected only `a-z`, `0-9` and hyphens"
        );
        assert!(message("a\u{202e}").contains("has (U+202E)"));
    }

    #[test]
    fn slugs_split_words_and_acronyms() {
        check_slug("SciCalculator", Some("sci-calculator"));
        check_slug("Wan2.1VideoGen", Some("wan2-1-video-gen"));
        check_slug("GPTImageGen", Some("gpt-image-gen"));
        check_slug("1PanelInfoProvider", Some("1-panel-info-provider"));
        check_slug("VCPForum", Some("vcp-forum"));
        check_slug("snake_case name", Some("snake-case-name"));
    }

    #[test]
    fn slugs_have_latin_letters_without_marks() {
        check_slug("Ünï", Some("uni"));
        check_slug("U\u{308}ni\u{308}", Some("uni"));
        check_slug("Straße-Łódź", Some("strasse-lodz"));
        check_slug("ÆrøSkill", Some("aero-skill"));
        check_slug("日本語café", Some("cafe"));
    }

    #[test]
    fn slugs_are_names_or_nothing() {
        check_slug("科学计算器", None);
        check_slug("../../etc/passwd", Some("etc-passwd"));
        check_slug("--", None);
        let cut = format!("{}-b", "a".repeat(63));
        check_slug(&cut, Some(&"a".repeat(63)));
    }
}
