//! Commands for PowerShell, which Windows PowerShell 5.1 and PowerShell 7 read alike.
//!
//! JSON goes through a pipe, never through an argument: Windows PowerShell drops double quotes in the
//! arguments of programs. It is a here-string, whose text needs no escapes, so that a reader can
//! replace it.
//!
//! Source: `about_Quoting_Rules`, `about_Parsing`, `about_Character_Encoding`, and `CharTraits.cs` in
//! PowerShell's source for the four other characters that are single quotes.

use std::fmt::Write as _;

/// The standard input of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Input<'a> {
    /// That of the session.
    Session,
    /// Nothing.
    Empty,
    /// This text.
    Text(&'a str),
}

/// Reads and prints UTF-8; the default of Windows PowerShell for input is ASCII.
const UTF_8: &str =
    "[Console]::OutputEncoding = $OutputEncoding = [Text.UTF8Encoding]::new($false)";

/// Programs whose names are neither keywords nor aliases.
const PLAIN_PROGRAMS: &[&str] = &[
    "bash",
    "bun",
    "deno",
    "go",
    "java",
    "node",
    "npm",
    "npx",
    "perl",
    "php",
    "python",
    "python3",
    "ruby",
    "sh",
    "skills-run",
    "uv",
];

/// The aliases of Windows PowerShell that hide programs of the same name, also after `&`.
const ALIASES: &[&str] = &[
    "cat", "cd", "chdir", "clear", "cls", "compare", "copy", "cp", "curl", "del", "diff", "dir",
    "echo", "erase", "fc", "group", "h", "history", "kill", "lp", "ls", "man", "md", "measure",
    "mount", "move", "mv", "popd", "ps", "pushd", "pwd", "r", "rd", "ren", "rm", "rmdir", "sc",
    "select", "set", "shcm", "sleep", "sort", "start", "tee", "type", "wget", "where", "write",
];

/// Returns the lines that start a program, or `None` if PowerShell cannot pass its words on as they
/// are.
pub(super) fn script(dir: Option<&str>, argv: &[String], input: Input<'_>) -> Option<String> {
    let (program, arguments) = argv.split_first()?;
    let mut command = name(program)?;
    for word in arguments {
        let _ = write!(command, " {}", argument(word)?);
    }
    let mut res = format!("{UTF_8}\n");
    if let Some(dir) = dir {
        let _ = writeln!(res, "cd {}", argument(dir)?);
    }
    match input {
        Input::Session => {}
        Input::Empty => res.push_str("@() | "),
        Input::Text(text) => {
            let _ = write!(res, "{} | ", text_literal(text));
        }
    }
    res.push_str(&command);
    Some(res)
}

/// Returns a text as a here-string, or in quotes if its lines could end one.
fn text_literal(text: &str) -> String {
    if text.starts_with(is_single_quote) || text.contains(['\n', '\r']) {
        quote(text)
    } else {
        format!("@'\n{text}\n'@")
    }
}

/// Returns the name of a program as the first word of a command.
fn name(program: &str) -> Option<String> {
    if ALIASES.contains(&&*program.to_lowercase()) {
        None
    } else if PLAIN_PROGRAMS.contains(&program) {
        Some(program.to_owned())
    } else {
        is_passed_on(program).then(|| format!("& {}", quote(program)))
    }
}

fn argument(word: &str) -> Option<String> {
    let res = if is_plain(word) {
        word.to_owned()
    } else {
        quote(word)
    };
    is_passed_on(word).then_some(res)
}

/// Returns true for a word without a meaning of its own. Windows PowerShell divides `-a.b`, and a
/// number can lose its form.
fn is_plain(word: &str) -> bool {
    let starts_well = word.starts_with(|c: char| c.is_ascii_alphabetic() || "_/".contains(c))
        || word == "."
        || word.starts_with("./")
        || word.starts_with("../");
    let is_option = word.strip_prefix('-').is_some_and(|rest| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "-_=".contains(c);
        rest.chars().all(is_letter) && !matches!(rest, "" | "-")
    });
    let is_ordinary = |c: char| c.is_ascii_alphanumeric() || "_-./\\=+:".contains(c);
    is_option || starts_well && word.chars().all(is_ordinary)
}

/// Returns true if Windows PowerShell gives a word to a program as it is: it loses empty words and
/// double quotes, and a backslash at the end escapes the quote that it adds around blanks.
fn is_passed_on(word: &str) -> bool {
    let is_divided = word.contains(char::is_whitespace) && word.ends_with('\\');
    !word.is_empty() && !word.contains('"') && !is_divided
}

fn quote(text: &str) -> String {
    let mut res = String::with_capacity(text.len() + 2);
    res.push('\'');
    for c in text.chars() {
        if is_single_quote(c) {
            res.push(c);
        }
        res.push(c);
    }
    res.push('\'');
    res
}

fn is_single_quote(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}'..='\u{201B}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use skill_testing::powershell::{self as reader, started};

    use super::*;

    /// Checks that the reader finds in the script what the script was made from.
    #[track_caller]
    fn check(dir: Option<&str>, argv: &[&str], input: Input<'_>) -> String {
        let argv: Vec<String> = argv.iter().map(|&word| word.to_owned()).collect();
        let script = script(dir, &argv, input).expect("PowerShell has a command for it");
        let found = started(&script).unwrap_or_else(|error| panic!("{script}\n{error}"));
        let input = match input {
            Input::Session => reader::Input::Session,
            Input::Empty => reader::Input::Empty,
            Input::Text(text) => reader::Input::Text(text.to_owned()),
        };
        assert_eq!(found.argv, argv, "{script}");
        assert_eq!(found.input, input, "{script}");
        assert_eq!(found.directory.as_deref(), dir, "{script}");
        assert_eq!(found.assignments, [UTF_8], "{script}");
        script.split_once('\n').expect("two lines").1.to_owned()
    }

    #[test]
    fn commands_are_these() {
        for (argv, input, expected) in [
            (
                &["node", "x.js"][..],
                Input::Empty,
                "cd scripts\n@() | node x.js",
            ),
            (
                &["python3", "-u", "a b.py"],
                Input::Text("{\"it's\":\"\u{201C}…\u{201D}\"}"),
                "cd scripts\n@'\n{\"it's\":\"\u{201C}…\u{201D}\"}\n'@ | python3 -u 'a b.py'",
            ),
            (&["./bin/run"], Input::Session, "cd scripts\n& './bin/run'"),
            (&["if", "-a.b"], Input::Session, "cd scripts\n& 'if' '-a.b'"),
            (&["x", "it's"], Input::Session, "cd scripts\n& 'x' 'it''s'"),
        ] {
            assert_eq!(check(Some("scripts"), argv, input), expected);
        }
    }

    #[test]
    fn what_powershell_changes_has_no_command() {
        for argv in [
            &["node", "a\"b"][..],
            &["node", ""],
            &["node", "a b\\"],
            &["cat", "x"],
            &["Curl"],
            &[],
        ] {
            let argv: Vec<String> = argv.iter().map(|&word| word.to_owned()).collect();
            assert_eq!(script(None, &argv, Input::Session), None, "{argv:?}");
        }
    }

    #[test]
    fn both_lists_of_aliases_agree() {
        for alias in ALIASES {
            assert!(started(&format!("& '{alias}'")).is_err(), "{alias}");
        }
    }

    fn word() -> impl Strategy<Value = String> {
        let signs = "[-a-z0-9 .:=,;@#$%&(){}<>|*?`~!\\[\\]^_/\\\\+'\u{2018}\u{2019}\u{201A}\u{201B}\u{201C}ä中\n]{1,8}";
        prop_oneof![
            signs,
            "--%",
            "-[a-z]{1,3}",
            "[0-9]{1,2}kb",
            "0x1F",
            "\\.[0-9]"
        ]
    }

    proptest! {
        #[test]
        fn every_word_arrives(argv in prop::collection::vec(word(), 1..5), text in "\\PC{0,20}|['’]@.{0,3}\n'@") {
            let made = script(None, &argv, Input::Text(&text));
            if argv.iter().all(|word| is_passed_on(word)) && !ALIASES.contains(&&*argv[0]) {
                let argv: Vec<&str> = argv.iter().map(String::as_str).collect();
                check(Some("scripts"), &argv, Input::Text(&text));
            } else {
                prop_assert_eq!(made, None);
            }
        }
    }
}
