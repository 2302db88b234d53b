//! Writes a `config.env`.

use super::pattern::read_env_file;

/// The text of a `config.env`, and the keys that could not be written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EnvFile {
    /// The text.
    pub text: String,
    /// Keys whose values no line can hold: they mix line breaks or `#` with all kinds of quotes.
    pub left_out: Vec<String>,
}

/// Writes pairs so that [`read_env_file`] gives the same bytes back.
pub fn write_env_file<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> EnvFile {
    let mut res = EnvFile::default();
    for (key, value) in pairs {
        match line(key, value) {
            Some(line) => res.text.extend([line.as_str(), "\n"]),
            None => res.left_out.push(key.to_owned()),
        }
    }
    res
}

/// Lines of every kind, to check that a line before them ends where it should.
const FOLLOWING: &str = "%A='x'\n%B=\"y\"\n%C=`z`\n%D=w\n";

/// The first way to write a pair that reads as it should, whatever follows it. Quotes come first
/// where other readers would take a part of the value for something else.
fn line(key: &str, value: &str) -> Option<String> {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "_./:@%+,=-".contains(char);
    let bare = format!("{key}={value}");
    let quoted = ['\'', '"', '`'].map(|quote| format!("{key}={quote}{value}{quote}"));
    let candidates = if value.chars().all(is_plain) {
        [vec![bare], quoted.into()].concat()
    } else {
        [quoted.into(), vec![bare]].concat()
    };
    candidates.into_iter().find(|line| {
        let read = read_env_file(&format!("{line}\n{FOLLOWING}"));
        let first = read.first();
        first.is_some_and(|first| first.0 == key && first.1 == value)
            && read[1..] == read_env_file(FOLLOWING)
    })
}
