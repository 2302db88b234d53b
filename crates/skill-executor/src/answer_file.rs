//! Answers in files of the state: those that are long, and those that are not text.

use skill_loader::fs::Root;

/// The directory of these answers in the state.
pub(crate) const DIR: &str = "answers";
/// The number of hex digits of a name, which are the beginning of the digest of the file.
pub(crate) const DIGITS: usize = 32;

/// Media types and the endings of their files. A type that is not here has `.bin`, and a text `.txt`.
const ENDINGS: [(&str, &str); 16] = [
    ("application/json", ".json"),
    ("application/pdf", ".pdf"),
    ("application/zip", ".zip"),
    ("audio/mpeg", ".mp3"),
    ("audio/ogg", ".ogg"),
    ("audio/wav", ".wav"),
    ("audio/x-wav", ".wav"),
    ("image/gif", ".gif"),
    ("image/jpeg", ".jpg"),
    ("image/png", ".png"),
    ("image/svg+xml", ".svg"),
    ("image/webp", ".webp"),
    ("text/csv", ".csv"),
    ("text/html", ".html"),
    ("text/xml", ".xml"),
    ("video/mp4", ".mp4"),
];

/// An answer in a file of the state. It is not passed on to other machines, which do not have the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnswerFile {
    /// The name of the file: hex digits of its digest, and the ending of its media type.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its media type, as the service named it; it may be empty.
    pub media_type: String,
}

/// Reads an answer of at most `max` bytes from the state. Returns `None` if there is no such answer.
pub fn read(state: &Root, name: &str, max: u64) -> Option<Vec<u8>> {
    is_name(name).then_some(())?;
    state.read(&format!("{DIR}/{name}"), max).ok()
}

/// Returns true for the form of the names of these files.
pub(crate) fn is_name(name: &str) -> bool {
    let Some((digits, ending)) = name.split_once('.') else {
        return false;
    };
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    digits.len() == DIGITS
        && digits.bytes().all(is_digit)
        && !ending.is_empty()
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns the ending of a file of a media type.
pub(crate) fn ending(media_type: &str) -> &'static str {
    let known = ENDINGS.iter().find(|(known, _)| *known == media_type);
    match known {
        Some((_, ending)) => ending,
        None if media_type.ends_with("+json") => ".json",
        None if media_type.starts_with("text/") => ".txt",
        None => ".bin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_answers_are_read() {
        let digits = "0a".repeat(DIGITS / 2);
        assert!(is_name(&format!("{digits}.png")));
        for bad in [
            "",
            "a.png",
            &digits,
            &format!("{digits}."),
            &format!("{digits}./x"),
            &format!("{digits}.a.b"),
            &format!("../{digits}.png"),
            &format!("{}.png", digits.to_uppercase()),
        ] {
            assert!(!is_name(bad), "{bad}");
        }
    }

    #[test]
    fn a_media_type_has_an_ending() {
        for (media_type, expected) in [
            ("image/png", ".png"),
            ("application/problem+json", ".json"),
            ("text/markdown", ".txt"),
            ("application/octet-stream", ".bin"),
            ("", ".bin"),
        ] {
            assert_eq!(ending(media_type), expected, "{media_type}");
        }
    }
}
