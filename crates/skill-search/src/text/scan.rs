//! Cuts a text into words and runs.

use super::fold;

/// A piece of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece<'t> {
    /// A word of a script with spaces, folded.
    Word(&'t str),
    /// Characters of a script without spaces, folded.
    Run(&'t [char]),
    /// The end of a sentence or clause.
    Break,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Run,
    /// Ends a word.
    Space,
    /// Ends a clause.
    Stop,
}

/// Cuts texts and reuses its buffers.
pub(crate) struct Scanner {
    /// If true, words are also cut where their case changes, as in names.
    split_names: bool,
    word: String,
    whole: String,
    run: Vec<char>,
    last: Class,
}

impl Scanner {
    pub(crate) fn new(split_names: bool) -> Self {
        Self {
            split_names,
            word: String::new(),
            whole: String::new(),
            run: Vec::new(),
            last: Class::Space,
        }
    }

    /// Calls `each` with every piece of `text`, in order.
    pub(crate) fn scan(&mut self, text: &str, mut each: impl FnMut(Piece<'_>)) {
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let class = class(c);
            match class {
                Class::Run => {
                    self.end_word(&mut each);
                    let run = &mut self.run;
                    fold(c, |c| run.push(c));
                }
                Class::Lower | Class::Upper | Class::Digit => {
                    self.end_run(&mut each);
                    let next = chars.peek().map(|c| self::class(*c));
                    if self.split_names && self.is_seam(class, next) {
                        self.end_part(&mut each);
                    }
                    let word = &mut self.word;
                    fold(c, |c| {
                        if c.is_alphanumeric() {
                            word.push(c);
                        }
                    });
                }
                Class::Space | Class::Stop => {
                    let next = chars.peek().copied();
                    if self.joins(c, next) {
                        self.word.push(c);
                        continue;
                    }
                    self.end_run(&mut each);
                    self.end_word(&mut each);
                    if matches!(c, '\'' | '’') {
                        skip_ending(&mut chars);
                    }
                    let is_end = c != '.' || next.is_none_or(char::is_whitespace);
                    if class == Class::Stop && is_end {
                        each(Piece::Break);
                    }
                }
            }
            self.last = class;
        }
        self.end_run(&mut each);
        self.end_word(&mut each);
        self.last = Class::Space;
    }

    /// Returns true if `c` continues a word, as in `3.11`, `c++`, `c#` and `f#`.
    fn joins(&self, c: char, next: Option<char>) -> bool {
        match c {
            '.' => {
                let is_number = !self.word.is_empty()
                    && self.word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
                is_number && next.is_some_and(|next| next.is_ascii_digit())
            }
            '+' => self.word == "c" && next == Some('+') || self.word == "c+",
            '#' => matches!(&self.word[..], "c" | "f"),
            _ => false,
        }
    }

    /// Returns true if a new part of a name begins here, as in `fooBar` and `HTTPServer`.
    fn is_seam(&self, class: Class, next: Option<Class>) -> bool {
        match (self.last, class) {
            (Class::Lower | Class::Digit, Class::Upper) => true,
            (Class::Upper, Class::Upper) => next == Some(Class::Lower),
            _ => false,
        }
    }

    fn end_part(&mut self, each: &mut impl FnMut(Piece<'_>)) {
        if self.word.is_empty() {
            return;
        }
        each(Piece::Word(&self.word));
        self.whole.push_str(&self.word);
        self.word.clear();
    }

    fn end_word(&mut self, each: &mut impl FnMut(Piece<'_>)) {
        if !self.word.is_empty() {
            each(Piece::Word(&self.word));
        }
        if !self.whole.is_empty() {
            self.whole.push_str(&self.word);
            each(Piece::Word(&self.whole));
            self.whole.clear();
        }
        self.word.clear();
    }

    fn end_run(&mut self, each: &mut impl FnMut(Piece<'_>)) {
        if !self.run.is_empty() {
            each(Piece::Run(&self.run));
            self.run.clear();
        }
    }
}

/// Skips the ending of `it's`, `don't` and `we'll`.
fn skip_ending(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let mut ahead = chars.clone();
    let mut ending = String::new();
    while let Some(c) = ahead.next_if(|c| c.is_alphanumeric()) {
        ending.push(c);
    }
    if matches!(&ending[..], "s" | "t" | "re" | "ve" | "ll" | "d" | "m") {
        *chars = ahead;
    }
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        '.' | '!' | '?' | ';' | ':' | ',' | '\n' | '(' | ')' | '|' | '"' | '[' | ']' => Class::Stop,
        '\0'..='\x7f' => Class::Space,
        '。' | '！' | '？' | '；' | '：' | '，' | '、' | '（' | '）' | '“' | '”' | '「' | '」'
        | '—' => Class::Stop,
        _ if is_unspaced(c) => Class::Run,
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_alphabetic() => Class::Lower,
        _ if c.is_numeric() => Class::Digit,
        _ => Class::Space,
    }
}

/// Returns true for scripts that write words without spaces, and for Korean, whose words end in
/// particles.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{2e80}'..='\u{2fdf}'
        | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{323af}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}')
        && c != '・'
}
