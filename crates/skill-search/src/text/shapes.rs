//! Finds the parts of a request that are not prose: addresses, names of files, pasted errors, codes,
//! formulas.
//!
//! An address is about its service, the name of a file about what such files hold, a stack trace about
//! an error in a language. The rest of them says little or nothing: `https`, the path of a user's
//! directory, a checksum.

use std::borrow::Cow;

use super::formulas::without_formulas;
use super::shape_table::{ShapeTable, Topic};

/// The weight of the words of a path.
const PATH_WORDS: f32 = 0.5;
/// The weight of the words of a file's name.
const NAME_WORDS: f32 = 0.85;
/// The weight of what a file holds or a service is.
const TOPIC: f32 = 1.0;
/// The same if another word says it, too.
const BESIDE: f32 = 0.4;
/// The weight of what a pasted error is about, and of the parts of its name.
const ERROR: f32 = 0.6;
/// The minimum length of a code that says nothing, in characters.
const MIN_CODE: usize = 12;

/// A request whose parts that are not prose are reduced to their words.
#[derive(Debug)]
pub(crate) struct Shaped<'t> {
    /// The prose, with the most important words of the other parts in their places.
    pub(crate) prose: Cow<'t, str>,
    /// Further words with their weights, without a place.
    pub(crate) asides: Vec<(f32, String)>,
    /// The topics of the parts, with weights.
    pub(crate) topics: Vec<(f32, &'static Topic)>,
}

/// Reduces the parts of a request that are not prose. `knows` says whether a skill has a word: of names
/// that a user chose, only such words count.
pub(crate) fn shapes<'t>(text: &'t str, knows: &dyn Fn(&str) -> bool) -> Shaped<'t> {
    let Some(rest) = without_formulas(text) else {
        return without_files(text, knows);
    };
    let res = without_files(&rest, knows);
    let formula = (TOPIC, ShapeTable::shipped().formula());
    Shaped {
        prose: Cow::Owned(res.prose.into_owned()),
        asides: res.asides,
        topics: res.topics.into_iter().chain([formula]).collect(),
    }
}

/// Reduces all parts that are not prose but formulas.
fn without_files<'t>(text: &'t str, knows: &dyn Fn(&str) -> bool) -> Shaped<'t> {
    let marks = ['/', '\\', '.', '(', ':'];
    let words = ["rror", "xception", "file", "panicked"];
    if !text.contains(marks) && !words.iter().any(|word| text.contains(word)) {
        return Shaped {
            prose: Cow::Borrowed(text),
            asides: Vec::new(),
            topics: Vec::new(),
        };
    }
    let mut shaper = Shaper {
        knows,
        prose: String::with_capacity(text.len()),
        asides: Vec::new(),
        topics: Vec::new(),
    };
    let mut was_frame = false;
    for line in text.split_inclusive('\n') {
        let kind = line_kind(line, was_frame);
        was_frame = kind == LineKind::Frame;
        shaper.line(line, kind);
    }
    Shaped {
        prose: if shaper.prose == text {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(shaper.prose)
        },
        asides: shaper.asides,
        topics: shaper.topics,
    }
}

/// The parts that were found so far.
struct Shaper<'k> {
    knows: &'k dyn Fn(&str) -> bool,
    prose: String,
    asides: Vec<(f32, String)>,
    topics: Vec<(f32, &'static Topic)>,
}

impl Shaper<'_> {
    /// Adds a line.
    fn line(&mut self, line: &str, kind: LineKind) {
        if kind != LineKind::Prose {
            self.topic(ERROR, ShapeTable::shipped().error());
        }
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| !is_gap(c)) {
            self.prose.push_str(&rest[..start]);
            rest = &rest[start..];
            let end = rest.find(is_gap).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            match kind {
                LineKind::Prose => self.word(word),
                LineKind::Message => self.message(word),
                LineKind::Frame | LineKind::Source => self.frame(word),
            }
            rest = after;
        }
        self.prose.push_str(rest);
    }

    /// Adds a word of the message of an error, which is not a wish: known words count, and less.
    fn message(&mut self, word: &str) {
        let is_plain = word
            .chars()
            .all(|c| c.is_alphanumeric() || ":;.!?-".contains(c));
        if is_plain && !is_error_name(word) {
            self.aside(ERROR, std::iter::once(word));
        } else {
            self.word(word);
        }
    }

    /// Adds a word of a stack trace, of which only the language counts.
    fn frame(&mut self, word: &str) {
        let file = word.rsplit(['/', '\\']).next().unwrap_or_default();
        let file = file.split(':').next().unwrap_or_default();
        if let Some((ending, topic)) = extension(file) {
            self.holds(ending, topic);
        }
    }

    /// Adds a word of prose, with the punctuation around it.
    fn word(&mut self, word: &str) {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '/' | '~' | '\\');
        let start = word.find(is_part).unwrap_or(word.len());
        let (before, rest) = word.split_at(start);
        let bare = rest.trim_end_matches(|c: char| !is_part(c));
        self.prose.push_str(before);
        match () {
            () if is_address(bare) => self.address(bare),
            () if is_code(bare) => {}
            () => self.name(bare),
        }
        self.prose.push_str(&rest[bare.len()..]);
    }

    fn address(&mut self, address: &str) {
        let table = ShapeTable::shipped();
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(end);
        let host = host.rsplit('@').next().unwrap_or_default();
        let host = host.split(':').next().unwrap_or_default().to_lowercase();
        let known = table.host(&host);
        let name = known.and_then(|topic| topic.words().next());
        let name = name.unwrap_or_else(|| service(&host));
        if (self.knows)(name) {
            self.prose.push_str(name);
        }
        if let Some(topic) = known {
            self.topic(TOPIC, topic);
        }
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let mut parts = path.rsplit('/');
        let last = parts.next().unwrap_or_default();
        let file = extension(last);
        if let Some((ending, topic)) = file {
            self.holds(ending, topic);
        }
        let is_known = known.is_some() || file.is_some();
        self.topic(if is_known { BESIDE } else { TOPIC }, table.address());
        let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
        self.aside(PATH_WORDS, parts.chain([stem]));
    }

    /// Adds a word of prose, the name of a file, a path or the name of an error.
    fn name(&mut self, word: &str) {
        let file = word.rsplit(['/', '\\']).next().unwrap_or_default();
        let dirs = &word[..word.len() - file.len()];
        let is_path =
            !dirs.is_empty() && (dirs.starts_with(['/', '~', '.', '\\']) || dirs.contains(":\\"));
        // `main.rs:12:5` is a place in a file.
        let bare = file.split(':').next().unwrap_or_default();
        if let Some((ending, topic)) = extension(bare) {
            let stem = bare[..bare.len() - ending.len()].trim_end_matches('.');
            self.holds(ending, topic);
            self.aside(NAME_WORDS, std::iter::once(stem));
            self.aside(PATH_WORDS, dirs.split(['/', '\\']));
        } else if is_error_name(word) {
            let table = ShapeTable::shipped();
            self.topic(ERROR, table.error());
            let name = word
                .trim_end_matches(':')
                .rsplit('.')
                .next()
                .unwrap_or_default();
            if let Some(topic) = table.error_of(&name.to_lowercase()) {
                self.topic(TOPIC, topic);
            }
            self.aside(ERROR, std::iter::once(word));
        } else if is_path {
            self.prose.push_str(file);
            self.aside(PATH_WORDS, dirs.split(['/', '\\']));
        } else {
            self.prose.push_str(word);
        }
    }

    /// Adds what a file holds, by its ending, which stays in the prose if a skill has it.
    fn holds(&mut self, ending: &str, topic: &'static Topic) {
        if (self.knows)(ending) {
            self.prose.push_str(ending);
            self.prose.push(' ');
            self.topic(BESIDE, topic);
        } else {
            self.topic(TOPIC, topic);
        }
    }

    /// Adds the known words of names.
    fn aside<'w>(&mut self, weight: f32, names: impl Iterator<Item = &'w str>) {
        let names: String = names.map(|name| spaced(name) + " ").collect();
        let words = names.split_whitespace().filter(|word| (self.knows)(word));
        let words = words.collect::<Vec<_>>().join(" ");
        if !words.is_empty() {
            self.asides.push((weight, words));
        }
    }

    fn topic(&mut self, weight: f32, topic: &'static Topic) {
        let mut known = self.topics.iter_mut();
        match known.find(|(_, known)| std::ptr::eq(*known, topic)) {
            Some((known, _)) => *known = known.max(weight),
            None => self.topics.push((weight, topic)),
        }
    }
}

/// The kind of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Prose,
    /// The message of an error, in which only known words count.
    Message,
    /// A frame of a stack trace.
    Frame,
    /// The source code below a frame.
    Source,
}

/// Texts in the message of an error.
const SIGNS: [&str; 10] = [
    "error:",
    "error[",
    "Error:",
    "Exception:",
    "ERR!",
    "panicked",
    "fatal:",
    "Traceback (",
    "Segmentation fault",
    "Uncaught ",
];

fn line_kind(line: &str, after_frame: bool) -> LineKind {
    let is_indented = line.starts_with([' ', '\t']);
    match () {
        () if is_frame(line) => LineKind::Frame,
        () if after_frame && is_indented => LineKind::Source,
        () if SIGNS.iter().any(|sign| line.contains(sign)) => LineKind::Message,
        () => LineKind::Prose,
    }
}

/// Returns true for characters between words of a line. Runs of scripts without spaces are such, too:
/// `打开report.pdf` has the name of a file.
fn is_gap(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '"' | '\'' | '`' | '<' | '>' | '|' | ',' | '(' | ')' | '[' | ']' | '{' | '}' | '='
        )
        || !c.is_ascii() && c > '\u{2fff}'
}

/// Returns true for an address with a scheme or `www.`.
fn is_address(word: &str) -> bool {
    let after = word.split_once("://");
    let has_scheme = after.is_some_and(|(scheme, rest)| {
        !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphabetic()) && !rest.is_empty()
    });
    has_scheme || word.starts_with("www.") && word.len() > 4
}

/// Returns the name of the service of a host: `example` of `api.example.co.uk`.
fn service(host: &str) -> &str {
    let is_number = |label: &str| label.bytes().all(|b| b.is_ascii_digit());
    let mut labels: Vec<&str> = host.split('.').collect();
    if labels.iter().all(|label| is_number(label)) {
        return "";
    }
    if labels.len() > 1 {
        labels.pop();
    }
    let general = ["co", "com", "org", "net", "gov", "edu", "ac"];
    while labels.len() > 1 && labels.last().is_some_and(|last| general.contains(last)) {
        labels.pop();
    }
    labels.last().copied().unwrap_or_default()
}

/// Returns the ending of a file's name that says what it holds, without its dot, or the whole name.
fn extension(file: &str) -> Option<(&str, &'static Topic)> {
    let table = ShapeTable::shipped();
    if let Some(topic) = table
        .file(&file.to_lowercase())
        .filter(|_| file.contains('.') || file.contains("file"))
    {
        return Some((file, topic));
    }
    let (stem, ending) = file.rsplit_once('.')?;
    let is_stem = stem.chars().any(char::is_alphanumeric) || stem == "*" || stem.is_empty();
    let topic = table.file(&ending.to_lowercase()).filter(|_| is_stem)?;
    Some((ending, topic))
}

/// Returns true for a checksum, an address in memory, a UUID, a key or a time stamp.
fn is_code(word: &str) -> bool {
    let is_hex = |text: &str| text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    let n_digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_mixed = n_digits > 0 && n_digits < word.len();
    let is_number = word.strip_prefix("0x").is_some_and(is_hex);
    let is_sum = word.len() >= MIN_CODE && is_mixed && is_hex(word);
    let is_key = word.len() >= 2 * MIN_CODE
        && n_digits >= 4
        && word.bytes().all(|b| b.is_ascii_alphanumeric());
    let is_time = word.len() >= MIN_CODE
        && word.contains('T')
        && word
            .bytes()
            .all(|b| b.is_ascii_digit() || b"-:.TZ+".contains(&b));
    is_number || is_sum || is_key || is_time
}

/// Returns true for the name of an error: `TypeError`, `java.io.IOException`, `E0382`.
fn is_error_name(word: &str) -> bool {
    let name = word.trim_end_matches(':');
    let has_case = name.chars().next().is_some_and(char::is_uppercase) || name.contains('.');
    let is_named = ["Error", "Exception"]
        .iter()
        .any(|end| name.len() > end.len() && name.ends_with(end));
    has_case && is_named
}

/// Returns true for a line of a stack trace.
fn is_frame(line: &str) -> bool {
    let line = line.trim_start();
    let at = line
        .strip_prefix("at ")
        .is_some_and(|rest| rest.contains(['(', ':']) && rest.contains(['.', '/', '<']));
    let python = line.starts_with("File \"") && line.contains(", line ");
    let native = line.starts_with('#') && line.contains(" 0x");
    let rust = line.starts_with("--> ") && line.contains(':');
    at || python || native || rust
}

/// Returns a name as words: `ModuleNotFoundError` is "Module Not Found Error".
fn spaced(name: &str) -> String {
    let mut res = String::new();
    let mut last = ' ';
    for c in name.chars() {
        if c.is_uppercase() && last.is_lowercase() {
            res.push(' ');
        }
        res.push(if c.is_alphanumeric() { c } else { ' ' });
        last = c;
    }
    res
}
