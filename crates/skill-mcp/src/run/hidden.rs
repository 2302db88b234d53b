//! Paths of this machine, which answers do not show.

use std::borrow::Cow;
use std::path::PathBuf;

use serde_json::Value;

/// The text in place of a path.
const MARK: &str = "…";

/// Absolute paths that are replaced in texts, with everything in a text that is not part of a longer
/// name: `/home/me/s` is replaced in `/home/me/s/tea`, and neither in `/home/me/skills` nor in
/// `/mnt/home/me/s`. Relative paths say nothing about a machine, and their names are also words.
#[derive(Debug)]
pub(super) struct HiddenPaths(Vec<String>);

impl HiddenPaths {
    /// Takes the absolute ones of some paths. The root of the file system is not among them.
    pub(super) fn new(paths: &[PathBuf]) -> Self {
        let absolute = paths.iter().filter(|path| path.is_absolute());
        let texts = absolute.map(|path| path.display().to_string());
        let texts = texts.map(|text| text.trim_end_matches(['/', '\\']).to_owned());
        let mut res: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        res.sort_by_key(|path| std::cmp::Reverse(path.len()));
        Self(res)
    }

    /// Replaces the paths in all texts of a value.
    pub(super) fn hide(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                for path in &self.0 {
                    if let Cow::Owned(without) = without(text, path) {
                        *text = without;
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.hide(field)),
            _ => {}
        }
    }
}

/// Returns a text without a path.
fn without<'t>(text: &'t str, path: &str) -> Cow<'t, str> {
    let mut res = Cow::Borrowed(text);
    let mut done = 0;
    for (at, _) in text.match_indices(path) {
        let end = at + path.len();
        if starts(&text[..at]) && ends(&text[end..]) {
            let mut so_far = match res {
                Cow::Borrowed(_) => String::new(),
                Cow::Owned(so_far) => so_far,
            };
            so_far.push_str(&text[done..at]);
            so_far.push_str(MARK);
            res = Cow::Owned(so_far);
            done = end;
        }
    }
    match res {
        Cow::Owned(so_far) => Cow::Owned(so_far + &text[done..]),
        unchanged @ Cow::Borrowed(_) => unchanged,
    }
}

/// Returns true if an absolute path can start behind a text. An escaped line end (`\n`) ends no name.
fn starts(before: &str) -> bool {
    let mut last = before.chars().rev();
    match (last.next(), last.next()) {
        (Some('n' | 'r' | 't'), Some('\\')) => true,
        (Some(c), _) => !(is_of_name(c) || c == '.'),
        (None, _) => true,
    }
}

/// Returns true if the name of a directory can end before a text.
fn ends(behind: &str) -> bool {
    let mut next = behind.chars();
    match (next.next(), next.next()) {
        (Some('.'), Some(c)) => !is_of_name(c),
        (Some(c), _) => !is_of_name(c),
        (None, _) => true,
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(paths: &[&str], text: &str, expected: &str) {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let mut value = json!({"message": [text]});
        HiddenPaths::new(&paths).hide(&mut value);
        assert_eq!(value, json!({"message": [expected]}), "{text}");
    }

    #[test]
    fn whole_absolute_paths_are_replaced() {
        for (text, expected) in [
            ("/home/me/s", "…"),
            ("cannot read /home/me/s/tea: x", "cannot read …/tea: x"),
            ("cannot read /home/me/s.", "cannot read …."),
            ("'/home/me/s', /home/me/s;", "'…', …;"),
            ("DIR=/home/me/s:/home/me/s/b", "DIR=…:…/b"),
            ("file:///home/me/s/x", "file://…/x"),
            ("不能读取/home/me/s/x", "不能读取…/x"),
            ("a\\n/home/me/s/x", "a\\n…/x"),
            ("/home/me/skills", "/home/me/skills"),
            ("/home/me/s.bak/x", "/home/me/s.bak/x"),
            ("/mnt/home/me/s/x", "/mnt/home/me/s/x"),
            ("home/me/s", "home/me/s"),
        ] {
            check(&["/home/me/s"], text, expected);
        }
        check(&["/a", "/a/b/"], "/a/b/c and /a/c", "…/c and …/c");
    }

    #[test]
    fn words_that_are_also_names_of_directories_stay() {
        let text = "`skills-run approve sk` stores a yes in skills/tea; . and /";
        check(&["skills", "sk", ".", "./skills", "/"], text, text);
    }
}
