//! Finds the known word that somebody probably meant.

/// Returns the candidate nearest to `word` by edit distance, ignoring ASCII case, if one is near
/// enough. The distance may be at most a third of the longer word's length, and at least one letter
/// must match. The first of equally near candidates is returned.
///
/// ```
/// use skill_diagnostics::nearest;
///
/// assert_eq!(nearest("descripton", ["name", "description"]), Some("description"));
/// assert_eq!(nearest("version", ["name", "description"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.to_ascii_lowercase().chars().take(MAX_CHARS).collect();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate
            .to_ascii_lowercase()
            .chars()
            .take(MAX_CHARS)
            .collect();
        let distance = edit_distance(&word, &letters);
        let longer = word.len().max(letters.len());
        if distance * 3 <= longer && distance < longer && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The number of characters that are compared; the limit keeps the cost of a hostile word low.
const MAX_CHARS: usize = 100;

fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, candidates: &[&str], expected: Option<&str>) {
        assert_eq!(nearest(word, candidates.iter().copied()), expected);
    }

    #[test]
    fn suggests_only_what_is_near() {
        check("descripton", &["name", "description"], Some("description"));
        check("Name", &["name", "description"], Some("name"));
        check("version", &["name", "description"], None);
        check("", &["name"], None);
    }
}
