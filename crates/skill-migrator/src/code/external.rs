//! Programs of other makers that code starts: `spawn('ffmpeg', …)`, `["ffprobe", "-v", …]`.

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

/// Functions that start a program, or look for one.
const STARTERS: [&str; 21] = [
    "spawn",
    "spawnSync",
    "exec",
    "execSync",
    "execAsync",
    "execPromise",
    "execFile",
    "execFileSync",
    "execFileAsync",
    "execFilePromise",
    "execa",
    "run",
    "Popen",
    "call",
    "check_call",
    "check_output",
    "system",
    "which",
    "create_subprocess_exec",
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
    let starts = match &tokens[..at - n_line_ends] {
        [.., Token::Word(function), Token::Sign('(')] => STARTERS.contains(function),
        [.., Token::Sign('[')] => matches!(tokens.get(at + 1), Some(Token::Sign(','))),
        _ => false,
    };
    let word = text.split_ascii_whitespace().next().unwrap_or_default();
    let name = word.strip_suffix(".exe").unwrap_or(word);
    (starts && PROGRAMS.binary_search(&name).is_ok()).then_some(name)
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
    }

    #[test]
    fn the_list_is_sorted() {
        assert!(PROGRAMS.is_sorted());
    }
}
