//! `_validate_name`: strips blanks, applies NFKC, then Python's `lower` and `isalnum`.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const MAX: usize = 64;

pub(super) fn flaws(text: Option<&str>, directory: &str) -> Vec<String> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return vec!["`name` must be a non-empty string".to_owned()];
    };
    let name: String = text.nfkc().collect();
    let directory: String = directory.nfkc().collect();
    let length = name.chars().count();
    let mut flaws = Vec::new();
    let mut check = |is_flawed: bool, message: String| {
        if is_flawed {
            flaws.push(message);
        }
    };
    check(
        length > MAX,
        format!("the name has {length} characters, expected at most {MAX}"),
    );
    check(
        name != name.to_lowercase(),
        "the name must be lower case".to_owned(),
    );
    let has_edge = name.starts_with('-') || name.ends_with('-');
    check(has_edge, "the name starts or ends with a hyphen".to_owned());
    check(
        name.contains("--"),
        "the name has two hyphens in a row".to_owned(),
    );
    let is_clean = name.chars().all(|c| c == '-' || is_alnum(c));
    check(
        !is_clean,
        "the name has other characters than letters, digits and hyphens".to_owned(),
    );
    check(
        directory != name,
        format!("the directory is `{directory}`, expected the name `{name}`"),
    );
    flaws
}

/// Reproduces Python's `str.isalnum` for one character: categories L and N. Rust's
/// `is_alphanumeric` also includes `Other_Alphabetic`: vowel signs and other marks, and letters in
/// circles and squares.
pub(super) fn is_alnum(c: char) -> bool {
    let is_enclosed = matches!(u32::from(c), 0x24B6..=0x24E9 | 0x1F130..=0x1F149 | 0x1F150..=0x1F169 | 0x1F170..=0x1F189);
    c.is_alphanumeric() && !is_combining_mark(c) && !is_enclosed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, directory: &str, n_flaws: usize) {
        assert_eq!(flaws(Some(name), directory).len(), n_flaws, "{name}");
    }

    #[test]
    fn follows_python() {
        check("перевод", "перевод", 0);
        check("技能", "技能", 0);
        check("ｐｄｆ", "pdf", 0);
        check(" pdf ", "pdf", 0);
        check("cafe\u{301}", "caf\u{e9}", 0);
        check("สติ", "สติ", 1);
        check("Aa", "Aa", 1);
        check("-a--b", "x", 3);
    }
}
