//! The language of a person.

use std::borrow::Cow;
use std::ffi::OsString;

use crate::table;

/// The flag of all tools that chooses the language.
pub const FLAG: &str = "--ui-lang";

/// A language of the tools.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Language {
    /// English, the language of the code.
    #[default]
    English,
    /// Chinese, in simplified characters.
    Chinese,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// Returns the word of the language on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
        }
    }

    /// Returns the language tag of a page (BCP 47).
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// Returns the language with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }

    /// Returns the language of the first locale that is not empty, such as `zh_CN.UTF-8`: the values
    /// of `LC_ALL`, `LC_MESSAGES` and `LANG`, in this order.
    pub fn from_locales<'a>(locales: impl IntoIterator<Item = &'a str>) -> Self {
        let locale = locales.into_iter().find(|locale| !locale.is_empty());
        let name = locale.unwrap_or_default();
        let name = name.split(['_', '-', '.', '@']).next().unwrap_or_default();
        if name.eq_ignore_ascii_case("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }

    /// Returns the language that a browser prefers: the value of `Accept-Language` (RFC 9110, 12.5.4).
    /// `None` means that it names none of ours. Of equal preferences the first counts.
    pub fn from_accepted(header: &str) -> Option<Self> {
        let mut best = None;
        for part in header.split(',') {
            let (range, weight) = part.split_once(';').unwrap_or((part, ""));
            let weight = weight.trim().strip_prefix("q=").unwrap_or("1");
            let weight: f32 = weight.trim().parse().unwrap_or(0.0);
            let word = range.trim().split('-').next().unwrap_or_default();
            let found = Self::from_word(&word.to_ascii_lowercase());
            let is_better = best.is_none_or(|(_, other)| weight > other);
            if let Some(language) = found.filter(|_| weight > 0.0 && is_better) {
                best = Some((language, weight));
            }
        }
        best.map(|(language, _)| language)
    }

    /// Takes `--ui-lang LANG` off a command line and returns its language. `arguments` begins with the
    /// name of the program.
    ///
    /// # Errors
    ///
    /// The value is missing, or is not a language of the tools.
    pub fn take_flag(arguments: &mut Vec<OsString>) -> Result<Option<Self>, String> {
        let mut res = None;
        let mut at = 1;
        while at < arguments.len() && arguments[at] != "--" {
            let word = arguments[at].to_string_lossy().into_owned();
            let value = match word.strip_prefix(FLAG) {
                Some("") => arguments
                    .get(at + 1)
                    .map(|it| it.to_string_lossy().into_owned()),
                Some(rest) if rest.starts_with('=') => Some(rest[1..].to_owned()),
                _ => {
                    at += 1;
                    continue;
                }
            };
            let value = value.unwrap_or_default();
            res = Some(
                Self::from_word(&value)
                    .ok_or_else(|| format!("found `{value}` after {FLAG}, expected en or zh"))?,
            );
            let n_words = if word == FLAG { 2 } else { 1 };
            arguments.drain(at..at + n_words);
        }
        Ok(res)
    }

    /// Returns a text of the tools in this language, or as it is if it has no row.
    pub fn say(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::English => Cow::Borrowed(text),
            Self::Chinese => table::chinese(text).map_or(Cow::Borrowed(text), Cow::Owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Result<Option<Language>, &str>, rest: &str) {
        let mut words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let found = Language::take_flag(&mut words);
        assert_eq!(found, expected.map_err(str::to_owned), "{line}");
        assert_eq!(words.join(" ".as_ref()), rest);
    }

    #[test]
    fn a_browser_prefers_a_language() {
        for (header, expected) in [
            ("zh-TW", Some(Language::Chinese)),
            ("en;q=0.5, ZH-cn;q=0.6", Some(Language::Chinese)),
            ("en, zh", Some(Language::English)),
            ("zh;q=0, en;q=0.1", Some(Language::English)),
            ("zh;q=x", None),
            ("fr, *", None),
            ("", None),
        ] {
            assert_eq!(Language::from_accepted(header), expected, "{header}");
        }
    }

    #[test]
    fn the_flag_is_taken_off() {
        let zh = Ok(Some(Language::Chinese));
        check("x --ui-lang zh a", zh, "x a");
        check("x a --ui-lang=zh", zh, "x a");
        check("x -- --ui-lang zh", Ok(None), "x -- --ui-lang zh");
        check("x --ui-language zh", Ok(None), "x --ui-language zh");
        for line in ["x --ui-lang", "x --ui-lang="] {
            check(
                line,
                Err("found `` after --ui-lang, expected en or zh"),
                line,
            );
        }
    }

    #[test]
    fn the_first_locale_decides() {
        for (locales, expected) in [
            (&["", "", "zh_CN.UTF-8"][..], Language::Chinese),
            (&["zh-Hans"], Language::Chinese),
            (&["C.UTF-8", "zh_CN.UTF-8"], Language::English),
            (&["zhx"], Language::English),
            (&[], Language::English),
        ] {
            assert_eq!(
                Language::from_locales(locales.iter().copied()),
                expected,
                "{locales:?}"
            );
        }
    }
}
