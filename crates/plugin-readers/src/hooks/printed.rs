//! The output of a shell script that only prints, without running it.

use std::collections::BTreeMap;

use crate::files::inside;

use super::words::{Piece, Token, Word, tokens};

/// The beginning of paths in the package.
const PACKAGE: &str = "\u{1}";
/// The beginning of paths in the project of the user.
const PROJECT: &str = "\u{2}";
/// The most scripts that start each other.
const MAX_DEPTH: usize = 4;
/// The longest output, in bytes.
const MAX_OUTPUT: usize = 256 * 1024;

/// Returns the texts of the files of a package.
pub(super) type Texts<'t> = dyn Fn(&str) -> Option<String> + 't;

/// Returns the output of a command, if it only prints texts and files of the package. `home` is the
/// directory of the package in a project of the user: `.claude`.
pub(super) fn printed(command: &str, home: &str, text: &Texts<'_>) -> Option<String> {
    let mut shell = Shell {
        text,
        home,
        variables: BTreeMap::new(),
        directory: None,
        script: None,
        is_bash: true,
        depth: 0,
        output: String::new(),
    };
    for name in ["CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT", "extensionPath"] {
        shell.variables.insert(name.to_owned(), PACKAGE.to_owned());
    }
    for name in ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"] {
        shell.variables.insert(name.to_owned(), PROJECT.to_owned());
    }
    shell.run(command)?;
    let is_text = !shell.output.contains(['\u{1}', '\u{2}']);
    is_text.then_some(shell.output)
}

#[derive(Clone)]
struct Shell<'s> {
    text: &'s Texts<'s>,
    home: &'s str,
    variables: BTreeMap<String, String>,
    directory: Option<String>,
    /// The path of the script; `None` for a command in a document.
    script: Option<String>,
    /// True if the shell is bash: others print backslashes in other ways.
    is_bash: bool,
    depth: usize,
    output: String,
}

/// The end of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Success,
    Failure,
    /// The script ends here.
    Exit,
}

impl Shell<'_> {
    fn run(&mut self, script: &str) -> Option<()> {
        let tokens = tokens(script)?;
        let mut last = (End::Success, ";");
        let mut command: Vec<Token> = Vec::new();
        for token in tokens.into_iter().chain([Token::End(";")]) {
            let Token::End(operator) = token else {
                command.push(token);
                continue;
            };
            let command = std::mem::take(&mut command);
            if command.is_empty() {
                // `&&` at the end of a line continues on the next.
                last.1 = if last.1 == ";" { operator } else { last.1 };
                continue;
            }
            let is_run = match last.1 {
                "&&" => last.0 == End::Success,
                "||" => last.0 == End::Failure,
                _ => true,
            };
            if is_run {
                last.0 = self.command(&command)?;
            }
            if last.0 == End::Exit {
                return Some(());
            }
            last.1 = operator;
        }
        (last.0 == End::Success).then_some(())
    }

    fn command(&mut self, tokens: &[Token]) -> Option<End> {
        let mut words = Vec::new();
        let (mut input, mut is_silenced) = (None, false);
        for token in tokens {
            match token {
                Token::Word(word) => {
                    if words.is_empty() && self.assign(word)? {
                        continue;
                    }
                    words.push(self.value(word)?);
                }
                Token::Input(word) => input = Some(self.value(word)?),
                Token::Silenced => is_silenced = true,
                Token::End(_) => {}
            }
        }
        let before = self.output.len();
        let end = self.start(&words, input.as_deref(), is_silenced)?;
        if is_silenced {
            self.output.truncate(before);
        }
        (self.output.len() <= MAX_OUTPUT).then_some(end)
    }

    /// Sets a variable, if a word is an assignment.
    fn assign(&mut self, word: &Word) -> Option<bool> {
        let Some(Piece::Text(first)) = word.first() else {
            return Some(false);
        };
        let Some((name, value)) = first.split_once('=') else {
            return Some(false);
        };
        let is_name = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return Some(false);
        }
        let mut rest = word.clone();
        rest[0] = Piece::Text(value.to_owned());
        let is_stdin =
            matches!(&rest[..], [Piece::Text(_), Piece::Output(it, _)] if it.trim() == "cat");
        if is_stdin {
            // The event, which the script may ignore.
            self.variables.remove(name);
            return Some(true);
        }
        let value = self.value(&rest)?;
        self.variables.insert(name.to_owned(), value);
        Some(true)
    }

    /// Returns the value of a word; `None` if it is not known, or could become several words.
    fn value(&mut self, word: &Word) -> Option<String> {
        let mut res = String::new();
        for piece in word {
            let (value, is_quoted) = match piece {
                Piece::Text(text) => (text.clone(), true),
                Piece::Variable(name, is_quoted) => (self.variable(name)?, *is_quoted),
                Piece::Output(script, is_quoted) => (self.output_of(script)?, *is_quoted),
            };
            let is_one = !value.is_empty() && !value.contains([' ', '\t', '\n', '*', '?', '[']);
            if !is_quoted && !is_one {
                return None;
            }
            res.push_str(&value);
        }
        (res.len() <= MAX_OUTPUT).then_some(res)
    }

    fn variable(&self, name: &str) -> Option<String> {
        match name {
            "0" | "BASH_SOURCE" => self.script.clone(),
            name => self.variables.get(name).cloned(),
        }
    }

    fn output_of(&self, script: &str) -> Option<String> {
        let mut inner = self.inner()?;
        inner.run(script)?;
        Some(inner.output.trim_end_matches('\n').to_owned())
    }

    fn inner(&self) -> Option<Self> {
        let inner = Self {
            depth: self.depth + 1,
            output: String::new(),
            ..self.clone()
        };
        (inner.depth <= MAX_DEPTH).then_some(inner)
    }

    fn start(&mut self, words: &[String], input: Option<&str>, is_silenced: bool) -> Option<End> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Some((name, rest)) = words.split_first() else {
            return Some(End::Success);
        };
        match *name {
            "echo" => self.echo(rest)?,
            "printf" => self.printf(rest)?,
            "cat" => match (rest, input) {
                ([] | ["-"], Some(input)) => self.output.push_str(input),
                ([], None) if is_silenced => {}
                ([], None) => return None,
                (files, None) => {
                    for file in files {
                        let text = self.read(file)?;
                        self.output.push_str(&text);
                    }
                }
                _ => return None,
            },
            "pwd" if rest.is_empty() => {
                let directory = self.directory.clone()?;
                self.output.push_str(&directory);
                self.output.push('\n');
            }
            "dirname" | "basename" => {
                let [path] = rest else { return None };
                let (directory, last) = path.rsplit_once('/')?;
                let part = if *name == "dirname" { directory } else { last };
                self.output.push_str(part);
                self.output.push('\n');
            }
            "cd" => {
                let [path] = rest else { return None };
                self.directory = Some(self.path(path)?);
            }
            "export" => {
                for word in rest {
                    let (name, value) = word.split_once('=')?;
                    self.variables.insert(name.to_owned(), value.to_owned());
                }
            }
            "set" | ":" | "true" => {}
            "exit" if matches!(rest, [] | ["0"]) => return Some(End::Exit),
            "[" | "test" => return self.test(rest),
            "bash" | "sh" => self.shell(name, rest)?,
            path if path.contains('/') && rest.is_empty() => self.file(path, None)?,
            _ => return None,
        }
        Some(End::Success)
    }

    fn echo(&mut self, mut words: &[&str]) -> Option<()> {
        let (mut has_end, mut has_escapes) = (true, false);
        while let Some((flag, rest)) = words.split_first() {
            match *flag {
                "-n" => has_end = false,
                "-e" => has_escapes = true,
                "-ne" | "-en" => (has_end, has_escapes) = (false, true),
                "-E" => has_escapes = false,
                _ => break,
            }
            words = rest;
        }
        let text = words.join(" ");
        if !self.is_bash && (has_escapes || text.contains('\\')) {
            return None;
        }
        let text = if has_escapes { unescaped(&text)? } else { text };
        self.output.push_str(&text);
        self.output.push_str(if has_end { "\n" } else { "" });
        Some(())
    }

    fn printf(&mut self, words: &[&str]) -> Option<()> {
        let words = words.strip_prefix(&["--"]).unwrap_or(words);
        let (format, mut rest) = words.split_first()?;
        let format = unescaped(format)?;
        loop {
            let n_before = rest.len();
            let mut parts = format.split('%');
            self.output.push_str(parts.next()?);
            let mut is_literal = false;
            for part in parts {
                if is_literal {
                    self.output.push_str(part);
                    is_literal = false;
                } else if part.is_empty() {
                    self.output.push('%');
                    is_literal = true;
                } else {
                    let after = part.strip_prefix('s')?;
                    let (value, others) = rest.split_first().unwrap_or((&"", &[]));
                    rest = others;
                    self.output.push_str(value);
                    self.output.push_str(after);
                }
            }
            if rest.is_empty() || self.output.len() > MAX_OUTPUT {
                return Some(());
            }
            if rest.len() == n_before {
                return None;
            }
        }
    }

    fn test(&self, words: &[&str]) -> Option<End> {
        let words = words.strip_suffix(&["]"]).unwrap_or(words);
        let is_so = match words {
            ["-f" | "-r" | "-e", path] => (self.text)(&self.in_package(path)?).is_some(),
            ["-n", text] => !text.is_empty(),
            ["-z", text] => text.is_empty(),
            _ => return None,
        };
        Some(if is_so { End::Success } else { End::Failure })
    }

    fn shell(&mut self, name: &str, words: &[&str]) -> Option<()> {
        match words {
            ["-c", script] => {
                let mut inner = self.inner()?;
                inner.is_bash = name == "bash";
                inner.run(script)?;
                self.output.push_str(&inner.output);
                Some(())
            }
            [path] if !path.starts_with('-') => self.file(path, Some(name == "bash")),
            _ => None,
        }
    }

    /// Runs a script of the package. `is_bash` is known if the command names the shell.
    fn file(&mut self, path: &str, is_bash: Option<bool>) -> Option<()> {
        let path = self.path(path)?;
        let text = self.read(&path)?;
        let first = text.lines().next().unwrap_or_default();
        let is_marked = first.starts_with("#!");
        let named = first.split(['/', ' ']).find_map(|word| match word {
            "bash" => Some(true),
            "sh" => Some(false),
            _ => None,
        });
        let is_shell_file = [".sh", ".bash"].iter().any(|end| path.ends_with(end));
        let is_bash = match (is_bash, is_marked) {
            (Some(is_bash), _) => is_bash,
            (None, true) => named?,
            (None, false) if is_shell_file => true,
            _ => return None,
        };
        let mut inner = self.inner()?;
        (inner.script, inner.is_bash) = (Some(path), is_bash);
        inner.run(&text)?;
        self.output.push_str(&inner.output);
        Some(())
    }

    /// Returns a path that begins with the package or the project.
    fn path(&self, path: &str) -> Option<String> {
        let is_known =
            path.starts_with([PACKAGE, PROJECT].map(|it| it.chars().next().unwrap_or(' ')));
        if is_known {
            return Some(path.to_owned());
        }
        let is_relative = !path.starts_with(['/', '~']);
        let directory = self.directory.as_deref()?;
        is_relative.then(|| format!("{directory}/{path}"))
    }

    /// Returns a path relative to the package; `None` if it is not in it.
    fn in_package(&self, path: &str) -> Option<String> {
        let path = self.path(path)?;
        let below = match path.strip_prefix(PROJECT) {
            Some(below) if !self.home.is_empty() => {
                below.strip_prefix('/')?.strip_prefix(self.home)?
            }
            Some(_) => return None,
            None => path.strip_prefix(PACKAGE)?,
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in below.split('/') {
            match part {
                "" | "." => {}
                ".." => _ = parts.pop()?,
                part => parts.push(part),
            }
        }
        inside(&parts.join("/"))
    }

    fn read(&self, path: &str) -> Option<String> {
        (self.text)(&self.in_package(path)?)
    }
}

/// Returns a text with the escapes that all shells know; `None` if it has others.
fn unescaped(text: &str) -> Option<String> {
    let mut res = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            res.push(c);
            continue;
        }
        res.push(match chars.next()? {
            'n' => '\n',
            't' => '\t',
            '\\' => '\\',
            '"' => '"',
            _ => return None,
        });
    }
    Some(res)
}
