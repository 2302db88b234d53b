//! The word lists of `data/intent-words.txt`.

/// Returns the entries of the line that begins with `name`.
pub(super) fn list(name: &str) -> impl Iterator<Item = &'static str> {
    const TABLE: &str = include_str!("../../data/intent-words.txt");
    let mut lines = TABLE.lines();
    let line = lines.find_map(|line| line.strip_prefix(name));
    line.unwrap_or_default().split('|')
}
