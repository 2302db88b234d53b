//! The values of a document that matches report and filters check.

use super::varint;
use crate::Document;

/// A record in the bytes of an index, decoded only when it is needed.
#[derive(Clone, Copy)]
pub(crate) struct Record<'i> {
    bytes: &'i [u8],
}

/// The position of the domain among the parts of a record, each of which is a list of strings.
const DOMAIN: usize = 0;
const KEYWORDS: usize = 1;
const TRIGGERS: usize = 2;
const N_PARTS: usize = 3;

impl<'i> Record<'i> {
    pub(super) fn new(bytes: &'i [u8]) -> Self {
        Self { bytes }
    }

    /// Returns the domain, folded.
    pub(crate) fn domain(self) -> Option<&'i str> {
        self.part(DOMAIN).next()
    }

    /// Returns keywords, tags and commands, folded.
    pub(crate) fn keywords(self) -> impl Iterator<Item = &'i str> {
        self.part(KEYWORDS)
    }

    /// Returns intents, phrases and examples as they are written.
    pub(crate) fn triggers(self) -> impl Iterator<Item = &'i str> {
        self.part(TRIGGERS)
    }

    fn part(self, wanted: usize) -> impl Iterator<Item = &'i str> {
        let mut bytes = self.bytes;
        for _ in 0..wanted {
            for _ in 0..varint::take(&mut bytes).unwrap_or(0) {
                if take_string(&mut bytes).is_none() {
                    break;
                }
            }
        }
        let n_strings = varint::take(&mut bytes).unwrap_or(0);
        (0..n_strings).map_while(move |_| take_string(&mut bytes))
    }
}

fn take_string<'b>(bytes: &mut &'b [u8]) -> Option<&'b str> {
    let length = varint::take(bytes)? as usize;
    let (string, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    std::str::from_utf8(string).ok()
}

/// Returns the record of a document.
pub(super) fn record(document: &Document) -> Vec<u8> {
    let parts: [Vec<String>; N_PARTS] = [
        document
            .domain
            .iter()
            .map(|domain| folded(domain))
            .collect(),
        keywords(document),
        triggers(document),
    ];
    let mut res = Vec::new();
    for part in parts {
        put_number(part.len(), &mut res);
        for string in part {
            put_number(string.len(), &mut res);
            res.extend_from_slice(string.as_bytes());
        }
    }
    res
}

fn put_number(number: usize, acc: &mut Vec<u8>) {
    varint::put(super::strings::offset(number), acc);
}

fn keywords(document: &Document) -> Vec<String> {
    let keywords = document.keywords.iter().chain(&document.tags);
    let commands = document.commands.iter().map(|command| &command.id);
    keywords.chain(commands).map(|word| folded(word)).collect()
}

fn triggers(document: &Document) -> Vec<String> {
    let triggers = &document.triggers;
    let texts = triggers.intents.iter().chain(&triggers.phrases);
    texts.chain(&document.examples).cloned().collect()
}

/// Returns a text for comparison: folded, without blanks at its ends.
pub(crate) fn folded(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    for c in text.trim().chars() {
        crate::text::fold(c, |c| res.push(c));
    }
    res
}
