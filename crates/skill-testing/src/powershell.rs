//! A reader of PowerShell: what a script of one program starts, with which arguments and input.
//!
//! It knows those of the documented rules that such a script needs (`about_Quoting_Rules`,
//! `about_Parsing`, `about_Operators`, and the tables of `CharTraits.cs` in PowerShell's source). It
//! rejects everything else, including what Windows PowerShell 5.1 and PowerShell 7 read differently.
//! It was written from these rules alone, so that it shares no code with what it checks.

use std::iter::Peekable;
use std::str::Chars;

/// The standard input of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// That of the session.
    Session,
    /// Nothing.
    Empty,
    /// This text; PowerShell adds a line end.
    Text(String),
}

/// The program that a script starts, and what precedes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Started {
    /// The assignments before it, as they are written.
    pub assignments: Vec<String>,
    /// The directory that the script changes to.
    pub directory: Option<String>,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The standard input.
    pub input: Input,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// A word without quotes.
    Bare(String),
    /// A string in single quotes, or a here-string.
    Quoted(String),
    /// `|`, `&` or `@()`.
    Sign(&'static str),
    NewLine,
}

/// Reads a script that starts one program.
///
/// # Errors
///
/// The script is something else, or PowerShell would not read it as its text suggests.
pub fn started(script: &str) -> Result<Started, String> {
    let mut res = Started {
        assignments: Vec::new(),
        directory: None,
        argv: Vec::new(),
        input: Input::Session,
    };
    let mut rest = script;
    while rest.starts_with(['[', '$']) {
        let (line, after) = rest.split_once('\n').ok_or("only an assignment")?;
        if line.contains(['\'', '"', '`', '|', ';', '#']) {
            return Err(format!("not a plain assignment: {line}"));
        }
        res.assignments.push(line.to_owned());
        rest = after;
    }
    let tokens = tokens(rest)?;
    let statements = tokens.split(|token| *token == Token::NewLine);
    for statement in statements.filter(|statement| !statement.is_empty()) {
        match statement {
            _ if !res.argv.is_empty() => return Err("a second program".to_owned()),
            [Token::Bare(cd), Token::Bare(dir) | Token::Quoted(dir)] if cd == "cd" => {
                res.directory = Some(dir.clone());
            }
            _ => (res.input, res.argv) = pipeline(statement)?,
        }
    }
    if res.argv.is_empty() {
        return Err("no program".to_owned());
    }
    Ok(res)
}

fn pipeline(statement: &[Token]) -> Result<(Input, Vec<String>), String> {
    let elements: Vec<&[Token]> = statement.split(|it| *it == Token::Sign("|")).collect();
    match elements[..] {
        [command] => Ok((Input::Session, argv(command)?)),
        [[Token::Sign("@()")], command] => Ok((Input::Empty, argv(command)?)),
        [[Token::Quoted(text)], command] => Ok((Input::Text(text.clone()), argv(command)?)),
        _ => Err(format!("not a program with its input: {statement:?}")),
    }
}

/// Returns the words of a command. A first word in quotes is a value, unless `&` precedes it.
fn argv(command: &[Token]) -> Result<Vec<String>, String> {
    let (words, is_called) = match command {
        [Token::Sign("&"), words @ ..] => (words, true),
        words => (words, false),
    };
    let mut res = Vec::new();
    for word in words {
        let text = match word {
            Token::Bare(text) if res.is_empty() && !is_called => {
                check_name(text)?;
                text
            }
            Token::Bare(text) => {
                check_argument(text)?;
                text
            }
            Token::Quoted(text) if res.is_empty() && !is_called => {
                return Err(format!("a value, not a command: {text}"));
            }
            Token::Quoted(text) => text,
            other => return Err(format!("unexpected {other:?}")),
        };
        check_passing(text)?;
        res.push(text.clone());
    }
    match res.first() {
        Some(name) if ALIASES.contains(&&*name.to_lowercase()) => {
            Err(format!("`{name}` is an alias of a cmdlet"))
        }
        Some(_) => Ok(res),
        None => Err("no command".to_owned()),
    }
}

/// Checks a command's name without quotes: neither a keyword, nor an operator, nor a number.
fn check_name(name: &str) -> Result<(), String> {
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        || ["./", "../", "/", ".\\", "..\\"]
            .iter()
            .any(|start| name.starts_with(start));
    if !starts_well || KEYWORDS.contains(&&*name.to_lowercase()) {
        return Err(format!("`{name}` is not the name of a command"));
    }
    Ok(())
}

/// Checks an argument without quotes: `-a.b` becomes two arguments in Windows PowerShell, `--%` stops
/// the parser, and a number can change its form.
fn check_argument(text: &str) -> Result<(), String> {
    let is_split = text.starts_with('-') && text.contains(['.', ':']);
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '+')
        || text.starts_with('.') && text[1..].starts_with(|c: char| c.is_ascii_digit());
    if is_split || is_number || text.starts_with("--%") || text == "--" {
        return Err(format!("PowerShell can change the argument `{text}`"));
    }
    Ok(())
}

/// Checks that Windows PowerShell passes an argument to a program as it is: it drops double quotes and
/// empty arguments, and a backslash before its own closing quote escapes that.
fn check_passing(text: &str) -> Result<(), String> {
    let is_quoted = text.contains(char::is_whitespace);
    if text.is_empty() || text.contains('"') || is_quoted && text.ends_with('\\') {
        return Err(format!("Windows PowerShell changes the argument `{text}`"));
    }
    Ok(())
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut chars = text.chars().peekable();
    let mut acc = Vec::new();
    // True after a word, which the next one must not touch.
    let mut is_close = false;
    while let Some(c) = chars.next() {
        let token = match c {
            '\n' => Token::NewLine,
            ' ' => {
                is_close = false;
                continue;
            }
            '|' => Token::Sign("|"),
            '&' if chars.peek() != Some(&'&') => Token::Sign("&"),
            '@' if chars.peek() == Some(&'(') => {
                if chars.next_if_eq(&'(').is_none() || chars.next() != Some(')') {
                    return Err("only `@()` is known".to_owned());
                }
                Token::Sign("@()")
            }
            '@' if chars.next_if(|c| is_single_quote(*c)).is_some() => {
                Token::Quoted(here_string(&mut chars)?)
            }
            _ if is_single_quote(c) => Token::Quoted(string(&mut chars)?),
            _ => Token::Bare(bare(c, &mut chars)?),
        };
        let is_word = matches!(token, Token::Bare(_) | Token::Quoted(_));
        if is_word && is_close {
            return Err(format!("{token:?} touches the word before it"));
        }
        is_close = is_word;
        acc.push(token);
    }
    Ok(acc)
}

/// Returns true for the characters that open and close a literal string: `SpecialChars` of PowerShell.
fn is_single_quote(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}'..='\u{201B}')
}

/// Reads a string after its opening quote. Two quotes are the second one.
fn string(chars: &mut Peekable<Chars<'_>>) -> Result<String, String> {
    let mut res = String::new();
    while let Some(c) = chars.next() {
        if !is_single_quote(c) {
            res.push(c);
        } else if let Some(second) = chars.next_if(|c| is_single_quote(*c)) {
            res.push(second);
        } else {
            return Ok(res);
        }
    }
    Err("a string without an end".to_owned())
}

/// Reads a here-string after `@'`. It ends with a line that begins with `'@`; its text has neither
/// the first nor the last line end.
fn here_string(chars: &mut Peekable<Chars<'_>>) -> Result<String, String> {
    if chars.next() != Some('\n') {
        return Err("a here-string begins on the next line".to_owned());
    }
    let mut lines = vec![String::new()];
    while let Some(c) = chars.next() {
        let last = lines.last_mut().expect("at least one line");
        if last.is_empty() && is_single_quote(c) && chars.next_if_eq(&'@').is_some() {
            lines.pop();
            return Ok(lines.join("\n"));
        }
        match c {
            '\n' => lines.push(String::new()),
            '\r' => return Err("a carriage return ends a line".to_owned()),
            _ => last.push(c),
        }
    }
    Err("a here-string without an end".to_owned())
}

fn bare(first: char, chars: &mut Peekable<Chars<'_>>) -> Result<String, String> {
    let mut res = String::from(first);
    while let Some(c) = chars.next_if(|c| !matches!(c, ' ' | '\n' | '|')) {
        res.push(c);
    }
    let has_meaning =
        |c: char| !c.is_ascii() || c.is_ascii_control() || "`$\"'(){};,&<>#@*?[]~%!^".contains(c);
    match res.find(has_meaning) {
        Some(_) => Err(format!("`{res}` is not a plain word")),
        None => Ok(res),
    }
}

/// Source: `about_Reserved_Words`, and words of `about_Language_Keywords`.
const KEYWORDS: &[&str] = &[
    "begin",
    "break",
    "catch",
    "class",
    "clean",
    "configuration",
    "continue",
    "data",
    "define",
    "do",
    "dynamicparam",
    "else",
    "elseif",
    "end",
    "enum",
    "exit",
    "filter",
    "finally",
    "for",
    "foreach",
    "from",
    "function",
    "hidden",
    "if",
    "in",
    "inlinescript",
    "parallel",
    "param",
    "process",
    "return",
    "sequence",
    "static",
    "switch",
    "throw",
    "trap",
    "try",
    "until",
    "using",
    "var",
    "while",
    "workflow",
];

/// The aliases of Windows PowerShell 5.1 that are also names of programs. Source: `about_Aliases`, and
/// "Compatibility aliases" in the documentation of PowerShell.
const ALIASES: &[&str] = &[
    "cat", "cd", "chdir", "clear", "cls", "compare", "copy", "cp", "curl", "del", "diff", "dir",
    "echo", "erase", "fc", "group", "h", "history", "kill", "lp", "ls", "man", "md", "measure",
    "mount", "move", "mv", "popd", "ps", "pushd", "pwd", "r", "rd", "ren", "rm", "rmdir", "sc",
    "select", "set", "shcm", "sleep", "sort", "start", "tee", "type", "wget", "where", "write",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(script: &str, directory: Option<&str>, argv: &[&str], input: &Input) {
        let found = started(script).unwrap_or_else(|error| panic!("{script}: {error}"));
        assert_eq!(found.directory.as_deref(), directory, "{script}");
        assert_eq!(found.argv, argv, "{script}");
        assert_eq!(&found.input, input, "{script}");
    }

    #[test]
    fn scripts_are_read() {
        check("node x.js", None, &["node", "x.js"], &Input::Session);
        check(
            "cd a\n@() | node x",
            Some("a"),
            &["node", "x"],
            &Input::Empty,
        );
        check("& 'a b' 'it''s'", None, &["a b", "it's"], &Input::Session);
        check(
            "& 'x' '\u{2019}\u{2019}'",
            None,
            &["x", "\u{2019}"],
            &Input::Session,
        );
        let text = &Input::Text("{\"a\": \"'@\"}".to_owned());
        check(
            "@'\n{\"a\": \"'@\"}\n'@ | node -",
            None,
            &["node", "-"],
            text,
        );
        let text = &Input::Text("a\nb".to_owned());
        check("'a\nb' | python x.py", None, &["python", "x.py"], text);
    }

    #[test]
    fn everything_else_is_rejected() {
        for script in [
            "",
            "$x = 1\n",
            "'node' x",
            "node \"x\"",
            "node x > y",
            "node x < y",
            "node $x",
            "node x#y",
            "node a,b",
            "node `x",
            "a && b",
            "a; b",
            "a\nb",
            "curl x",
            "if x",
            "node -a.b",
            "node --",
            "node --% x",
            "node 'a\"b'",
            "node ''",
            "node 'a b\\'",
            "node 1kb",
            "node 'a",
            "@'\nx\n '@ | a",
            "@'x\n'@ | a",
            "node 'a'b",
            "1 x",
            ". x",
            "% x",
            "a | b | c",
            "node \u{2018}",
        ] {
            assert!(started(script).is_err(), "{script}: {:?}", started(script));
        }
    }
}
