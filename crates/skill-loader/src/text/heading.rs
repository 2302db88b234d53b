//! Matching headings by an approximate name.

/// A requested heading, `## 指标定义` or `Usage`: a title, and a level if one is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct HeadingQuery {
    level: Option<usize>,
    title: String,
}

impl HeadingQuery {
    /// Parses one part of a section path.
    pub(super) fn parse(text: &str) -> Self {
        let text = text.trim();
        let title = text.trim_start_matches('#');
        let n_hashes = text.len() - title.len();
        Self {
            level: (n_hashes > 0).then_some(n_hashes),
            title: plain(title),
        }
    }

    /// Returns whether the request matches a heading.
    pub(super) fn fits(&self, level: usize, title: &str) -> bool {
        self.level.is_none_or(|wanted| wanted == level) && self.title == plain(title)
    }

    /// Returns whether the request is a name without a heading.
    pub(super) fn names(&self, name: &str) -> bool {
        self.level.is_none() && self.title == plain(name)
    }
}

/// Normalizes a title: drops case, doubled blanks, emphasis marks and closing `#`.
pub(super) fn plain(title: &str) -> String {
    let title = title.trim().trim_end_matches('#');
    let words: Vec<String> = title
        .split_whitespace()
        .map(|word| word.replace(['*', '`'], "").to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &str, level: usize, title: &str, fits: bool) {
        assert_eq!(
            HeadingQuery::parse(wanted).fits(level, title),
            fits,
            "{wanted}"
        );
    }

    #[test]
    fn forgives_what_does_not_tell_headings_apart() {
        check("usage", 2, "Usage", true);
        check("## Usage ##", 2, "Usage", true);
        check(" ##指标定义", 2, "指标定义", true);
        check("How  to `run`", 3, "How to run", true);
        check("ÜBERSICHT", 1, "Übersicht", true);
    }

    #[test]
    fn a_written_level_counts() {
        check("### Usage", 2, "Usage", false);
        check("Usage", 6, "Usage", true);
        check("Usage notes", 2, "Usage", false);
    }
}
