//! The words of a shell script: what is needed to know its output without running it.

/// A part of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    Text(String),
    /// `$NAME`: the name, and whether quotes are around it.
    Variable(String, bool),
    /// `$(…)`: the script in it, and whether quotes are around it.
    Output(String, bool),
}

/// A word, or a text behind `<<`.
pub(super) type Word = Vec<Piece>;

/// A token of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Word(Word),
    /// The input of the command before it.
    Input(Word),
    /// The output of the command does not go to the conversation.
    Silenced,
    /// The end of a command, with the operator.
    End(&'static str),
}

/// Returns the tokens of a script; `None` for syntax that decides, repeats or writes.
pub(super) fn tokens(script: &str) -> Option<Vec<Token>> {
    if script.contains(['\u{1}', '\u{2}', '\0']) {
        return None;
    }
    let script = script.replace("\r\n", "\n").replace("\\\n", "");
    let mut scan = Scan {
        rest: &script,
        acc: Vec::new(),
        pending: Vec::new(),
    };
    while !scan.rest.is_empty() {
        scan.token()?;
    }
    scan.pending.is_empty().then_some(scan.acc)
}

struct Scan<'s> {
    rest: &'s str,
    acc: Vec<Token>,
    /// The ends of texts that begin on the next line: the place of the token, the mark, whether
    /// its variables are replaced, and whether tabs are removed.
    pending: Vec<(usize, String, bool, bool)>,
}

impl Scan<'_> {
    fn take(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn token(&mut self) -> Option<()> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let is_start = !matches!(self.acc.last(), Some(Token::Word(_)));
        for operator in ["&&", "||", ";"] {
            if self.take(operator) {
                self.acc.push(Token::End(operator));
                return Some(());
            }
        }
        if self.take("\n") {
            self.acc.push(Token::End(";"));
            return self.texts();
        }
        if self.rest.starts_with('#') {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
            return Some(());
        }
        for (written, is_silenced) in [
            ("2>&1", false),
            ("2>/dev/null", false),
            ("2> /dev/null", false),
            ("</dev/null", false),
            ("< /dev/null", false),
            ("1>&2", true),
            (">&2", true),
            ("&>/dev/null", true),
            (">/dev/null", true),
            ("> /dev/null", true),
        ] {
            if self.take(written) {
                if is_silenced {
                    self.acc.push(Token::Silenced);
                }
                return Some(());
            }
        }
        if self.take("<<") {
            return self.mark();
        }
        if self.rest.is_empty() {
            return Some(());
        }
        let word = self.word(is_start)?;
        self.acc.push(Token::Word(word));
        Some(())
    }

    /// Reads the mark at which a text ends.
    fn mark(&mut self) -> Option<()> {
        let has_tabs = self.take("-");
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let is_plain = !self.rest.starts_with(['\'', '"', '\\']);
        let word = self.word(false)?;
        let [Piece::Text(mark)] = word.as_slice() else {
            return None;
        };
        self.pending
            .push((self.acc.len(), mark.clone(), is_plain, has_tabs));
        self.acc.push(Token::Input(Vec::new()));
        Some(())
    }

    /// Reads the texts whose marks were on the line before.
    fn texts(&mut self) -> Option<()> {
        for (at, mark, is_plain, has_tabs) in std::mem::take(&mut self.pending) {
            let mut text = String::new();
            loop {
                if self.rest.is_empty() {
                    return None;
                }
                let end = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
                let (line, rest) = self.rest.split_at(end);
                self.rest = rest;
                let line = if has_tabs {
                    line.trim_start_matches('\t')
                } else {
                    line
                };
                if line.trim_end_matches('\n') == mark {
                    break;
                }
                text.push_str(line);
            }
            let word = if is_plain {
                quoted(&text, "")?.0
            } else {
                vec![Piece::Text(text)]
            };
            self.acc[at] = Token::Input(word);
        }
        Some(())
    }

    fn word(&mut self, is_first: bool) -> Option<Word> {
        let mut acc: Word = Vec::new();
        let mut is_quoted = false;
        while let Some(c) = self.rest.chars().next() {
            match c {
                ' ' | '\t' | '\n' | ';' => break,
                '&' | '|' if self.rest.starts_with("&&") || self.rest.starts_with("||") => break,
                '\'' => {
                    let inner = &self.rest[1..];
                    let end = inner.find('\'')?;
                    acc.push(Piece::Text(inner[..end].to_owned()));
                    self.rest = &inner[end + 1..];
                    is_quoted = true;
                }
                '"' => {
                    let (pieces, n) = quoted(&self.rest[1..], "\"")?;
                    acc.push(Piece::Text(String::new()));
                    acc.extend(pieces);
                    self.rest = &self.rest[1 + n..];
                    is_quoted = true;
                }
                '\\' => {
                    let next = self.rest[1..].chars().next()?;
                    acc.push(Piece::Text(next.to_string()));
                    self.rest = &self.rest[1 + next.len_utf8()..];
                }
                '$' => {
                    let (piece, n) = dollar(self.rest, false)?;
                    acc.push(piece);
                    self.rest = &self.rest[n..];
                }
                // Patterns, groups, redirections, jobs.
                '*' | '?' | '(' | ')' | '<' | '>' | '|' | '&' | '`' | '~' | '{' | '}' => {
                    return None;
                }
                // A test is a command; elsewhere it would be a pattern.
                '[' if !(is_first && self.rest[1..].starts_with(' ')) => return None,
                '!' if is_first && acc.is_empty() => return None,
                c => {
                    acc.push(Piece::Text(c.to_string()));
                    self.rest = &self.rest[c.len_utf8()..];
                }
            }
        }
        let acc = joined(acc);
        let is_empty = acc.is_empty();
        match (is_empty, is_quoted) {
            (true, true) => Some(vec![Piece::Text(String::new())]),
            (true, false) => None,
            _ => Some(acc),
        }
    }
}

/// Joins neighbouring texts.
fn joined(pieces: Word) -> Word {
    let mut res: Word = Vec::new();
    for piece in pieces {
        match (res.last_mut(), piece) {
            (_, Piece::Text(new)) if new.is_empty() => {}
            (Some(Piece::Text(text)), Piece::Text(new)) => text.push_str(&new),
            (_, piece) => res.push(piece),
        }
    }
    res
}

/// Reads what is inside double quotes, or a whole text if there is no end. Returns it with the
/// length of the source.
fn quoted(text: &str, end: &str) -> Option<(Word, usize)> {
    let mut acc = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if !end.is_empty() && rest.starts_with(end) {
            return Some((joined(acc), at + end.len()));
        }
        let c = rest.chars().next()?;
        match c {
            '\\' => {
                let next = rest[1..].chars().next()?;
                let is_special = matches!(next, '$' | '`' | '\\') || end.starts_with(next);
                let text = if is_special {
                    next.to_string()
                } else {
                    format!("\\{next}")
                };
                acc.push(Piece::Text(text));
                at += 1 + next.len_utf8();
            }
            '`' => return None,
            '$' => {
                let (piece, n) = dollar(rest, true)?;
                acc.push(piece);
                at += n;
            }
            c => {
                acc.push(Piece::Text(c.to_string()));
                at += c.len_utf8();
            }
        }
    }
    end.is_empty().then(|| (joined(acc), at))
}

/// Reads what begins with `$`, with its length.
fn dollar(text: &str, is_quoted: bool) -> Option<(Piece, usize)> {
    let rest = &text[1..];
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if rest.starts_with("((") {
        return None;
    }
    if let Some(inner) = rest.strip_prefix('(') {
        let end = closing(inner)?;
        return Some((Piece::Output(inner[..end].to_owned(), is_quoted), end + 3));
    }
    if let Some(inner) = rest.strip_prefix('{') {
        let end = inner.find('}')?;
        let (name, after) = inner[..end].split_at(
            inner[..end]
                .find(|c| !is_of_name(c))
                .unwrap_or(inner[..end].len()),
        );
        // What follows the name is a default for a variable that is not set, or the first element.
        let is_known = ["", "[0]", ":-$0", ":-.", ":-", "[0]:-$0"].contains(&after);
        let is_name = !name.is_empty();
        return (is_known && is_name)
            .then(|| (Piece::Variable(name.to_owned(), is_quoted), end + 3));
    }
    let n = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
    match rest[..n].chars().next() {
        Some('0') => Some((Piece::Variable("0".to_owned(), is_quoted), 2)),
        Some(c) if c.is_ascii_digit() => None,
        Some(_) => Some((Piece::Variable(rest[..n].to_owned(), is_quoted), 1 + n)),
        None if rest.starts_with(['?', '@', '*', '#', '!', '$', '-', '\'', '"']) => None,
        None => Some((Piece::Text("$".to_owned()), 1)),
    }
}

/// Returns the place of the parenthesis that closes a script.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut quote = None;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (None | Some('"'), '\\') => is_escaped = true,
            (Some(open), c) if c == open => quote = None,
            // Quotes inside `$(…)` inside quotes are those of the script.
            (None, '\'' | '"') => quote = Some(c),
            (None | Some('"'), '(') => depth += 1,
            (None | Some('"'), ')') if depth == 0 => return Some(at),
            (None | Some('"'), ')') => depth -= 1,
            _ => {}
        }
    }
    None
}
