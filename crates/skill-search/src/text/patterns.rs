//! Searches for many short texts at once.

/// Patterns, grouped by their first byte.
pub(super) struct Patterns {
    by_first: Vec<Vec<&'static str>>,
}

impl Patterns {
    /// Builds the groups. If several patterns match at one position, the first in `patterns` is
    /// found.
    pub(super) fn new(patterns: impl IntoIterator<Item = &'static str>) -> Self {
        let mut by_first = vec![Vec::new(); 256];
        for pattern in patterns {
            if let Some(first) = pattern.bytes().next() {
                by_first[usize::from(first)].push(pattern);
            }
        }
        Self { by_first }
    }

    /// Returns the first position in `text` at or after `start` that matches a pattern, and the
    /// pattern.
    pub(super) fn find(&self, text: &str, start: usize) -> Option<(usize, &'static str)> {
        let bytes = text.as_bytes();
        let mut places = (start..bytes.len()).filter_map(|at| Some((at, self.at(&bytes[at..])?)));
        places.next()
    }

    fn at(&self, bytes: &[u8]) -> Option<&'static str> {
        let mut known = self.by_first[usize::from(*bytes.first()?)].iter();
        let found = known.find(|pattern| bytes.starts_with(pattern.as_bytes()));
        found.copied()
    }
}
