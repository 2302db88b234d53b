//! Word frequencies in skills at large, the background of every catalog.

use std::sync::OnceLock;

/// The table that `cargo xtask fit` writes. The first line has the version and the number of texts;
/// each other line is `frequency term term …`, with the terms sorted.
const TABLE: &str = include_str!("../data/background.txt");

/// Document frequencies of terms in a collection of skills.
pub(crate) struct Background {
    n_texts: f32,
    /// Sorted by term.
    frequencies: Vec<(&'static str, u16)>,
}

impl Background {
    /// Returns the table that is compiled in.
    pub(crate) fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<Background> = OnceLock::new();
        SHIPPED.get_or_init(|| Self::parse(TABLE))
    }

    fn parse(table: &'static str) -> Self {
        let mut lines = table.lines();
        let head = lines.next().unwrap_or_default();
        let n_texts = head.split(' ').next_back().and_then(|n| n.parse().ok());
        let mut frequencies = Vec::new();
        for line in lines {
            let mut words = line.split(' ');
            let frequency = words.next().and_then(|n| n.parse().ok()).unwrap_or(0);
            frequencies.extend(words.map(|word| (word, frequency)));
        }
        frequencies.sort_unstable();
        Self {
            n_texts: n_texts.unwrap_or(0.0),
            frequencies,
        }
    }

    /// Returns the inverse document frequency of a term. A term that is not in the table gets the
    /// highest one.
    pub(crate) fn idf(&self, term: &str) -> f32 {
        let found = self.frequencies.binary_search_by_key(&term, |pair| pair.0);
        let frequency = found.map_or(0, |at| self.frequencies[at].1);
        idf(self.n_texts, f32::from(frequency))
    }

    /// Returns true if the table has the term.
    pub(crate) fn knows(&self, term: &str) -> bool {
        let found = self.frequencies.binary_search_by_key(&term, |pair| pair.0);
        found.is_ok()
    }
}

/// Returns the inverse document frequency in Lucene's form, which is never negative.
pub(crate) fn idf(n_documents: f32, n_with_term: f32) -> f32 {
    (1.0 + (n_documents - n_with_term + 0.5) / (n_with_term + 0.5)).ln()
}
