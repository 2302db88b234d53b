//! Groups of words that mean the same to somebody who asks for a tool.

use std::sync::OnceLock;

use crate::text::terms;

/// The table: one group of words per line; `#` begins a comment.
const TABLE: &str = include_str!("../data/synonym-groups.txt");

/// Groups of terms with one meaning, across languages.
pub(crate) struct SynonymGroups {
    groups: Vec<Vec<String>>,
    /// The groups of each term, sorted by term.
    places: Vec<(String, usize)>,
}

impl SynonymGroups {
    /// Returns the table that is compiled in.
    pub(crate) fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<SynonymGroups> = OnceLock::new();
        SHIPPED.get_or_init(|| Self::parse(TABLE))
    }

    fn parse(table: &str) -> Self {
        let lines = table.lines().filter(|line| !line.starts_with('#'));
        let group = |line: &str| line.split_whitespace().filter_map(term).collect();
        let groups: Vec<Vec<String>> = lines.map(group).collect();
        let mut places: Vec<(String, usize)> = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            places.extend(group.iter().map(|term| (term.clone(), at)));
        }
        places.sort_unstable();
        places.dedup();
        Self { groups, places }
    }

    /// Returns the terms that share a group with `term`, including `term` itself. A term may occur
    /// more than once.
    pub(crate) fn synonyms(&self, term: &str) -> impl Iterator<Item = &str> {
        let from = self.places.partition_point(|(known, _)| &known[..] < term);
        let own = self.places[from..].iter();
        let own = own.take_while(move |(known, _)| known == term);
        own.flat_map(|(_, group)| self.groups[*group].iter().map(String::as_str))
    }
}

/// Returns the term for a word of the table: its stem, or for a run of characters its last pair.
pub(crate) fn term(word: &str) -> Option<String> {
    let mut terms = terms(word);
    if terms.len() > 1 {
        terms.retain(|term| term.chars().count() == 2);
    }
    terms.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_a_term_and_every_group_has_some() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            assert!(line.split_whitespace().nth(1).is_some(), "{line}");
            for word in line.split_whitespace() {
                let known = term(word).map(|term| (term.chars().count(), terms(word).len()));
                let is_one = known.is_some_and(|(n_chars, n_terms)| n_terms == 1 || n_chars == 2);
                assert!(is_one, "{word}: {:?}", terms(word));
            }
        }
    }

    #[test]
    fn synonyms_cross_languages() {
        let groups =
            SynonymGroups::parse("# of pictures\nphotos images 图片\nprints 图片 幻灯片\n");
        let synonyms = |term: &str| groups.synonyms(term).collect::<Vec<_>>();
        assert_eq!(synonyms("photo"), ["photo", "imag", "图片"]);
        assert_eq!(
            synonyms("图片"),
            ["photo", "imag", "图片", "print", "图片", "灯片"]
        );
        assert_eq!(synonyms("weather"), [""; 0]);
    }
}
