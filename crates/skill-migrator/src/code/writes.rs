//! Code that writes files.
//!
//! A program that writes beside itself changes its skill, so that its command goes through
//! `skills-run`, which runs a copy in the state.

use super::lexer::Token;

/// Functions that write, by name, in both languages; a `(` follows.
const WRITERS: [&str; 34] = [
    "DatabaseSync",
    "FileHandler",
    "RotatingFileHandler",
    "TimedRotatingFileHandler",
    "appendFile",
    "appendFileSync",
    "copyFile",
    "copyFileSync",
    "copyfile",
    "copyfileobj",
    "copytree",
    "cpSync",
    "createWriteStream",
    "ensureDir",
    "ensureDirSync",
    "ensureFile",
    "makedirs",
    "mkdir",
    "mkdirSync",
    "mkdtemp",
    "outputFile",
    "outputJson",
    "rename",
    "renameSync",
    "rmSync",
    "rmtree",
    "savefig",
    "unlinkSync",
    "urlretrieve",
    "writeFile",
    "writeFileSync",
    "writeJson",
    "write_bytes",
    "write_text",
];
/// Modules whose databases are files.
const DATABASES: [&str; 5] = ["better-sqlite3", "lowdb", "nedb", "sqlite3", "shelve"];
/// Tokens that are searched for the mode of `open(path, 'w')`.
const MODE_WINDOW: usize = 24;

/// Returns true if the token at `at` writes a file or loads a database that does.
pub(super) fn writes(tokens: &[Token<'_>], at: usize) -> bool {
    let is_called = matches!(tokens.get(at + 1), Some(Token::Sign('(')));
    match tokens[at] {
        Token::Word("open" | "openSync") if is_called => opens_to_write(&tokens[at + 2..]),
        Token::Word(word) if is_called => WRITERS.contains(&word),
        Token::Word(word) => {
            DATABASES.contains(&word) && matches!(tokens[..at], [.., Token::Word("import")])
        }
        Token::Text(text) => {
            DATABASES.contains(&text)
                && matches!(
                    tokens[..at],
                    [.., Token::Word("require"), Token::Sign('(')] | [.., Token::Word("from")]
                )
        }
        _ => false,
    }
}

/// Returns true if an argument of `open` is a mode that writes.
fn opens_to_write(arguments: &[Token<'_>]) -> bool {
    let mut depth = 0_usize;
    for (at, token) in arguments.iter().take(MODE_WINDOW).enumerate() {
        match token {
            Token::Sign('(') => depth += 1,
            Token::Sign(')') if depth == 0 => return false,
            Token::Sign(')') => depth -= 1,
            // The first argument is the path.
            Token::Text(mode) if at > 0 && depth == 0 && is_writing_mode(mode) => return true,
            _ => {}
        }
    }
    false
}

fn is_writing_mode(mode: &str) -> bool {
    let is_mode = mode.len() <= 3 && mode.chars().all(|c| "rwaxbt+sU".contains(c));
    is_mode && mode.contains(['w', 'a', 'x', '+'])
}

#[cfg(test)]
mod tests {
    use crate::code::lexer::{javascript, python};

    #[test]
    fn finds_code_that_writes() {
        let check = |tokens: Vec<super::Token<'_>>, expected: bool| {
            let found = (0..tokens.len()).any(|at| super::writes(&tokens, at));
            assert_eq!(found, expected, "{tokens:?}");
        };
        for (code, expected) in [
            ("fs.writeFileSync(path, 'x')", true),
            ("const D = require('better-sqlite3')", true),
            ("fs.readFileSync(path)", false),
            ("const note = 'writeFile'", false),
            ("fs.openSync(path, 'r')", false),
        ] {
            check(javascript(code), expected);
        }
        for (code, expected) in [
            ("with open(join(d, 'a'), 'w') as f: pass", true),
            ("open(path, mode='ab')", true),
            ("open('w')", false),
            ("open(path, encoding='utf-8')", false),
            ("import sqlite3", true),
            ("Path(x).write_text('')", true),
        ] {
            check(python(code), expected);
        }
    }
}
