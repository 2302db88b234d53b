//! Programs of other makers that code starts: `spawn('ffmpeg', …)`, `["ffprobe", "-v", …]`.

use std::collections::BTreeMap;

use super::lexer::Token;

/// Programs that a machine may lack, by the names that start them. Interpreters and what each system has
/// are not here, nor programs that only look for or end processes. Sorted.
const PROGRAMS: [&str; 44] = [
    "7z",
    "adb",
    "agy",
    "aria2c",
    "calibre",
    "claude",
    "codex",
    "docker",
    "ebook-convert",
    "espeak",
    "exiftool",
    "ffmpeg",
    "ffprobe",
    "gemini",
    "gh",
    "git",
    "gs",
    "inkscape",
    "kubectl",
    "latexmk",
    "libreoffice",
    "magick",
    "mediainfo",
    "mpv",
    "nmap",
    "nslookup",
    "ollama",
    "opencode",
    "pandoc",
    "pdflatex",
    "pdftoppm",
    "pdftotext",
    "qpdf",
    "redis-cli",
    "rg",
    "soffice",
    "sox",
    "sqlite3",
    "tesseract",
    "unrar",
    "whois",
    "wkhtmltopdf",
    "xelatex",
    "yt-dlp",
];

/// Functions that start the program that is their first argument, or look for it.
const DIRECT: [&str; 8] = [
    "spawn",
    "spawnSync",
    "execFile",
    "execFileSync",
    "execFileAsync",
    "Popen",
    "which",
    "create_subprocess_exec",
];

/// Programs that a system has, the interpreters, and what looks for or ends processes.
const COMMON: [&str; 39] = [
    "apt", "bash", "brew", "cat", "chmod", "cmd", "cp", "df", "echo", "explorer", "find", "free",
    "grep", "head", "kill", "ls", "mkdir", "mv", "node", "npm", "npx", "open", "pgrep", "pip",
    "pip3", "pkill", "ps", "python", "python3", "rm", "sh", "sleep", "start", "sudo", "tail",
    "taskkill", "tasklist", "where", "xdg-open",
];

/// Functions that start a program, or something else: of these only known programs count.
const OTHERS: [&str; 13] = [
    "exec",
    "execSync",
    "execAsync",
    "execPromise",
    "execFilePromise",
    "execa",
    "run",
    "call",
    "check_call",
    "check_output",
    "system",
    "create_subprocess_shell",
    "getoutput",
];

/// Returns the program that the text at a place starts: as the first argument of such a function, or as the
/// first of a list.
pub(super) fn program<'t>(tokens: &[Token<'t>], at: usize) -> Option<&'t str> {
    let Some(Token::Text(text)) = tokens.get(at) else {
        return None;
    };
    let is_line_end = |token: &&Token<'_>| **token == Token::Newline;
    let n_line_ends = tokens[..at].iter().rev().take_while(is_line_end).count();
    let word = text.split_ascii_whitespace().next().unwrap_or_default();
    let name = word.strip_suffix(".exe").unwrap_or(word);
    let is_known = PROGRAMS.binary_search(&name).is_ok();
    let starts = match &tokens[..at - n_line_ends] {
        [.., Token::Word(function), Token::Sign('(')] if DIRECT.contains(function) => {
            is_known || word.len() == text.len() && is_program(name)
        }
        [.., Token::Word(function), Token::Sign('(')] => is_known && OTHERS.contains(function),
        [.., Token::Sign('[')] => is_known && tokens.get(at + 1) == Some(&Token::Sign(',')),
        _ => false,
    };
    starts.then_some(name)
}

/// Returns the constants of a file that are texts: `const FFMPEG = 'ffmpeg'`.
pub(super) fn constants<'t>(tokens: &[Token<'t>]) -> BTreeMap<&'t str, &'t str> {
    let mut res = BTreeMap::new();
    for (at, three) in tokens.windows(3).enumerate() {
        let [Token::Word(name), Token::Sign('='), Token::Text(text)] = three else {
            continue;
        };
        let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let is_constant = matches!(tokens[..at], [.., Token::Word("const")])
            || name.len() > 2 && name.chars().all(is_capital);
        let is_whole = !matches!(tokens.get(at + 3), Some(Token::Sign('+' | '.')));
        if is_constant && is_whole {
            res.entry(*name).or_insert(*text);
        }
    }
    res
}

/// Returns the program that the constant at a position names, as the first argument of a function that starts it.
pub(super) fn named<'t>(
    tokens: &[Token<'t>],
    at: usize,
    constants: &BTreeMap<&'t str, &'t str>,
) -> Option<&'t str> {
    let [.., Token::Word(function), Token::Sign('(')] = tokens[..at] else {
        return None;
    };
    let Token::Word(name) = tokens[at] else {
        return None;
    };
    let is_whole = matches!(tokens.get(at + 1), Some(Token::Sign(',' | ')')));
    let text = constants.get(name).filter(|_| is_whole)?;
    let program = text.strip_suffix(".exe").unwrap_or(text);
    let is_known = PROGRAMS.binary_search(&program).is_ok();
    let starts = DIRECT.contains(&function) && (is_known || is_program(program))
        || OTHERS.contains(&function) && is_known;
    starts.then_some(program)
}

/// Returns true for the name of a program that a machine may lack: `kettle`, and no path.
fn is_program(name: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(is_name)
        && COMMON.binary_search(&name).is_err()
}

#[cfg(test)]
mod tests {
    use super::super::lexer;
    use super::*;

    #[track_caller]
    fn check(code: &str, expected: &[&str]) {
        let tokens = lexer::javascript(code);
        let found = (0..tokens.len()).filter_map(|at| program(&tokens, at));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{code}");
    }

    #[test]
    fn programs_that_code_starts() {
        check("spawn('ffmpeg', args)", &["ffmpeg"]);
        check("execSync('ffmpeg -version')", &["ffmpeg"]);
        check("cmd = ['ffprobe', '-v', 'error']", &["ffprobe"]);
        check("cmd = [\n  'ffprobe', '-v']", &["ffprobe"]);
        check("shutil.which(\"yt-dlp.exe\")", &["yt-dlp"]);
        check("log('ffmpeg'); x = 'git'", &[]);
        check("kinds = ['git']; parts['gs']", &[]);
        check("spawn('node', ['a.js'])", &[]);
        check("spawn('powershell.exe', args)", &["powershell"]);
        check("spawnSync('kettle', ['-v'])", &["kettle"]);
        check("spawn('./kettle', args); spawn(`${dir}/kettle`)", &[]);
    }

    #[test]
    fn programs_behind_constants() {
        let check = |code: &str, expected: &[&str]| {
            let tokens = lexer::javascript(code);
            let constants = constants(&tokens);
            let found = (0..tokens.len()).filter_map(|at| named(&tokens, at, &constants));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{code}");
        };
        check("const FFMPEG = 'ffmpeg'; spawn(FFMPEG, args)", &["ffmpeg"]);
        check("const pot = 'kettle'; spawn(pot, args)", &["kettle"]);
        check("const pot = './kettle'; spawn(pot, args)", &[]);
        check("const pot = 'kettle'; run(pot, args)", &[]);
        check("const FFMPEG = 'ffmpeg' + end; spawn(FFMPEG, args)", &[]);
        check("let FF = other; spawn(FF)", &[]);
    }

    #[test]
    fn the_list_is_sorted() {
        assert!(PROGRAMS.is_sorted() && COMMON.is_sorted());
    }
}
