//! The texts of a plugin that a model gets, and their digests.

use std::collections::BTreeMap;

use skill_migrator::PluginTexts;
use skill_model::{Digest, Hasher};

/// The texts of a plugin, each cut to what a model gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources {
    texts: BTreeMap<&'static str, String>,
}

/// The maximum length of a text, in bytes.
const MAX_BYTES: [(&str, usize); 3] = [
    ("manifest", 32 << 10),
    ("readme", 12 << 10),
    ("program", 16 << 10),
];

impl Sources {
    /// Takes the texts that there are.
    pub fn new(texts: &PluginTexts<'_>) -> Self {
        let all = [Some(texts.manifest), texts.readme, texts.program];
        let pairs = MAX_BYTES.into_iter().zip(all);
        let pairs = pairs.filter_map(|((name, max), text)| {
            let text = text?;
            Some((name, text[..text.floor_char_boundary(max)].to_owned()))
        });
        Self {
            texts: pairs.collect(),
        }
    }

    /// Returns each text with its name.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.texts.iter().map(|(name, text)| (*name, text.as_str()))
    }

    /// Returns the digest of each text.
    pub fn digests(&self) -> BTreeMap<String, String> {
        let digest = |text: &str| Digest::from_content(text.as_bytes()).to_string();
        self.texts()
            .map(|(name, text)| (name.to_owned(), digest(text)))
            .collect()
    }

    /// Returns the digest of all texts.
    pub fn digest(&self) -> String {
        let mut hasher = Hasher::default();
        for (name, digest) in self.digests() {
            hasher.update(format!("{name} {digest}\n").as_bytes());
        }
        hasher.finish().to_string()
    }

    /// Returns the name of the first text that has these words; blanks and the escapes of JSON do not
    /// count.
    pub(crate) fn find(&self, quote: &str) -> Option<&'static str> {
        let quote = bare(quote);
        let mut texts = self.texts();
        let found = texts.find(|(_, text)| bare(text).contains(&quote));
        found.map(|(name, _)| name)
    }
}

/// Returns a text without blanks, and with characters in place of escapes of JSON.
pub(crate) fn bare(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            res.extend((!c.is_whitespace()).then_some(c));
            continue;
        }
        match chars.next() {
            Some('n' | 'r' | 't') | None => {}
            Some('u') => res.extend(escaped(&mut chars)),
            Some(c) => res.extend((!c.is_whitespace()).then_some(c)),
        }
    }
    res
}

/// Reads the four digits of `\u`. A half of a pair has no character of its own.
fn escaped(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let digits: String = chars.as_str().chars().take(4).collect();
    let code = u32::from_str_radix(&digits, 16).ok()?;
    chars.nth(3);
    char::from_u32(code).filter(|c| !c.is_whitespace())
}
