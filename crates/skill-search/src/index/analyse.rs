//! Splits documents into terms, many at a time.

use rayon::prelude::*;

use super::intern::Interner;
use super::mention_kind::MentionKind;
use super::record::{folded, record};
use super::strings::Strings;
use crate::Document;
use crate::document::BODY_CHARS;
use crate::text::{MAX_WORD, Piece, Porter2, Scanner, Stemmer, is_stop_char, is_stop_word};

/// The maximum number of documents that one thread reads at a time. Each word is stemmed once per
/// batch, and fewer vocabularies mean less to merge.
const BATCH: usize = 1 << 16;

/// Documents with a vocabulary of their own.
pub(super) struct Batch {
    /// The terms in the order of first appearance.
    pub(super) vocabulary: Strings,
    pub(super) documents: Vec<DocumentTerms>,
}

/// The terms of a document as numbers.
pub(super) struct DocumentTerms {
    pub(super) name: String,
    pub(super) record: Vec<u8>,
    pub(super) keys: Vec<(String, MentionKind)>,
    pub(super) lengths: [u16; 4],
    pub(super) priority: u8,
    /// The counts, by term.
    pub(super) hits: Vec<(u32, Hit)>,
    /// The terms of the short fields in order, packed with their fields.
    pub(super) head: Vec<u32>,
}

/// The number of occurrences of a term in a document, by field.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Hit {
    pub(crate) name: u8,
    pub(crate) description: u8,
    pub(crate) extra: u8,
    pub(crate) exclusion: u8,
    pub(crate) body: u8,
}

impl Hit {
    /// Returns the sums by field.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            name: self.name.saturating_add(other.name),
            description: self.description.saturating_add(other.description),
            extra: self.extra.saturating_add(other.extra),
            exclusion: self.exclusion.saturating_add(other.exclusion),
            body: self.body.saturating_add(other.body),
        }
    }
}

/// The short fields of a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Field {
    Name,
    OtherName,
    Description,
    Commands,
    Keywords,
    Triggers,
    /// The parts of the description that say what the skill is not for.
    Exclusion,
    /// The end of a phrase, not a term.
    Break,
}

impl Field {
    const ALL: [Self; 8] = [
        Self::Name,
        Self::OtherName,
        Self::Description,
        Self::Commands,
        Self::Keywords,
        Self::Triggers,
        Self::Exclusion,
        Self::Break,
    ];

    pub(super) fn pack(self, term: u32) -> u32 {
        term << 3 | self as u32
    }

    /// Splits a packed number into a term and its field.
    pub(super) fn unpack(packed: u32) -> (u32, Self) {
        let field = Self::ALL.get(packed as usize & 7);
        (packed >> 3, *field.unwrap_or(&Self::Break))
    }

    /// Returns the word for this field in explanations.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::OtherName => "other name",
            Self::Description => "description",
            Self::Commands => "commands",
            Self::Keywords => "keywords",
            Self::Triggers => "triggers",
            Self::Exclusion => "exclusion",
            Self::Break => "",
        }
    }
}

/// Reads documents on all cores.
pub(super) fn analyse(documents: &[Document]) -> Vec<Batch> {
    let n_threads = rayon::current_num_threads();
    let n_rounds = documents.len().div_ceil(n_threads * BATCH).max(1);
    let even = documents.len().div_ceil(n_threads * n_rounds).max(1);
    documents
        .par_chunks(even)
        .map(|documents| Reader::new().read_all(documents))
        .collect()
}

/// The number in place of a term for a stop word.
const NONE: u32 = u32::MAX;

/// Reads documents one after the other and caches the words that it has seen.
struct Reader {
    /// Stems, pairs and characters.
    terms: Interner,
    /// The words as they are written, folded.
    words: Interner,
    /// The term of each word.
    stems: Vec<u32>,
    scanners: [Scanner; 2],
    /// The counts of each term in the current document; `touched` lists the terms that it has.
    hits: Vec<Hit>,
    touched: Vec<u32>,
    head: Vec<u32>,
    lengths: [u32; 4],
}

impl Reader {
    fn new() -> Self {
        Self {
            terms: Interner::new(),
            words: Interner::new(),
            stems: Vec::new(),
            scanners: [Scanner::new(false), Scanner::new(true)],
            hits: Vec::new(),
            touched: Vec::new(),
            head: Vec::new(),
            lengths: [0; 4],
        }
    }

    fn read_all(mut self, documents: &[Document]) -> Batch {
        let documents = documents
            .iter()
            .map(|document| self.read(document))
            .collect();
        Batch {
            vocabulary: self.terms.into_strings(),
            documents,
        }
    }

    fn read(&mut self, document: &Document) -> DocumentTerms {
        self.field(&document.name, Some(Field::Name));
        let others = std::iter::once(&document.display_name).chain(&document.aliases);
        for name in others {
            self.field(name, Some(Field::OtherName));
        }
        for (is_exclusion, text) in crate::text::clauses(&document.description) {
            let field = if is_exclusion {
                Field::Exclusion
            } else {
                Field::Description
            };
            self.field(text, Some(field));
        }
        for command in &document.commands {
            self.field(&command.id, Some(Field::Commands));
            self.field(&command.description, Some(Field::Commands));
        }
        for keyword in document.keywords.iter().chain(&document.tags) {
            self.field(keyword, Some(Field::Keywords));
        }
        let triggers = &document.triggers;
        for text in triggers
            .intents
            .iter()
            .chain(&triggers.phrases)
            .chain(&document.examples)
        {
            self.field(text, Some(Field::Triggers));
        }
        let end = document.body.char_indices().nth(BODY_CHARS);
        let end = end.map_or(document.body.len(), |(at, _)| at);
        self.field(&document.body[..end], None);
        self.finish(document)
    }

    fn finish(&mut self, document: &Document) -> DocumentTerms {
        let touched = std::mem::take(&mut self.touched);
        let hits = touched.into_iter();
        let hits = hits.map(|term| (term, std::mem::take(&mut self.hits[term as usize])));
        let hits = hits.collect();
        let lengths = std::mem::take(&mut self.lengths);
        DocumentTerms {
            name: document.name.clone(),
            record: record(document),
            keys: keys(document),
            lengths: lengths.map(|length| u16::try_from(length).unwrap_or(u16::MAX)),
            priority: priority(document.priority),
            hits,
            head: std::mem::take(&mut self.head),
        }
    }

    /// Reads a text of a short field, or of the body if `field` is `None`.
    fn field(&mut self, text: &str, field: Option<Field>) {
        let is_name = matches!(
            field,
            Some(Field::Name | Field::OtherName | Field::Commands)
        );
        let mut scanner = std::mem::replace(
            &mut self.scanners[usize::from(is_name)],
            Scanner::new(is_name),
        );
        scanner.scan(text, |piece| match piece {
            Piece::Word(word) => self.word(word, field),
            Piece::Run(run) => self.run(run, field),
            Piece::Break => self.end_phrase(field),
        });
        self.end_phrase(field);
        self.scanners[usize::from(is_name)] = scanner;
    }

    fn end_phrase(&mut self, field: Option<Field>) {
        let end = Field::Break.pack(0);
        if field.is_some() && self.head.last().is_some_and(|last| *last != end) {
            self.head.push(end);
        }
    }

    fn word(&mut self, word: &str, field: Option<Field>) {
        if word.len() > MAX_WORD {
            return;
        }
        let (number, is_new) = self.words.intern(word);
        if is_new {
            let stem = if is_stop_word(word) {
                NONE
            } else {
                self.terms.intern(&Porter2.stem(word)).0
            };
            self.stems.push(stem);
        }
        let term = self.stems[number as usize];
        if term != NONE {
            self.count(term, field, true);
        }
    }

    fn run(&mut self, run: &[char], field: Option<Field>) {
        let mut buffer = [0; 16];
        for (at, &c) in run.iter().enumerate() {
            if let Some(&next) = run.get(at + 1) {
                let length = c.encode_utf8(&mut buffer).len();
                let length = length + next.encode_utf8(&mut buffer[length..]).len();
                let pair = std::str::from_utf8(&buffer[..length]).unwrap_or_default();
                let term = self.terms.intern(pair).0;
                self.count(term, field, true);
            }
            if run.len() == 1 || !is_stop_char(c) {
                let term = self.terms.intern(c.encode_utf8(&mut buffer)).0;
                self.count(term, field, run.len() == 1);
            }
        }
    }

    fn count(&mut self, term: u32, field: Option<Field>, in_order: bool) {
        let at = term as usize;
        if self.hits.len() <= at {
            self.hits.resize(at + 1, Hit::default());
        }
        let hit = &mut self.hits[at];
        if *hit == Hit::default() {
            self.touched.push(term);
        }
        let (count, length) = match field {
            Some(Field::Name | Field::OtherName) => (&mut hit.name, 0),
            Some(Field::Description) => (&mut hit.description, 1),
            Some(Field::Exclusion) => (&mut hit.exclusion, 3),
            Some(_) => (&mut hit.extra, 2),
            None => (&mut hit.body, 3),
        };
        *count = count.saturating_add(1);
        self.lengths[length] += u32::from(in_order && field != Some(Field::Exclusion));
        if let (Some(field), true) = (field, in_order) {
            self.head.push(field.pack(term));
        }
    }
}

/// Converts a priority to 255ths, clamped to 0..=1; NaN becomes 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "cut to the range before"
)]
fn priority(priority: f32) -> u8 {
    (priority.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// Returns the folded names, aliases and commands by which a request can mention a document.
fn keys(document: &Document) -> Vec<(String, MentionKind)> {
    let name = (folded(&document.name), MentionKind::Name);
    let aliases = document.aliases.iter();
    let aliases = aliases.map(|alias| (folded(alias), MentionKind::Alias));
    let commands = document.commands.iter();
    let commands = commands.map(|command| (folded(&command.id), MentionKind::Command));
    let mut res: Vec<_> = std::iter::once(name)
        .chain(aliases)
        .chain(commands)
        .collect();
    res.retain(|(key, _)| !key.is_empty());
    res.sort();
    // A name that is also an alias counts as a name.
    res.dedup_by(|b, a| a.0 == b.0);
    res
}
