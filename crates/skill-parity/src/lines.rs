//! Texts to which concurrent work writes lines, such as the log of a program with threads.

use std::collections::BTreeSet;

use crate::words::shape;

/// Returns true if the order of lines differs among `texts`, and `text` has the lines that all of these have and
/// no line that none of them has. Numbers count only in lines that all of them have.
pub(crate) fn has_same_lines(texts: &[&str], text: &str) -> bool {
    let sets: Vec<BTreeSet<&str>> = texts.iter().map(|text| text.lines().collect()).collect();
    let is_common = |line: &&str| sets.iter().all(|set| set.contains(line));
    let mut orders = texts.iter().map(|text| {
        let common = text.lines().filter(is_common);
        common.collect::<Vec<_>>()
    });
    let first = orders.next();
    if orders.all(|order| Some(order) == first) {
        return false;
    }
    let lines: BTreeSet<&str> = text.lines().collect();
    let has_common = sets[0].iter().filter(|line| is_common(line));
    let shapes: BTreeSet<String> = sets.iter().flatten().map(|line| shape(line)).collect();
    has_common.into_iter().all(|line| lines.contains(line))
        && lines.iter().all(|line| shapes.contains(&shape(line)))
}

#[cfg(test)]
mod tests {
    use super::has_same_lines;

    /// Checks lines, which a blank separates here.
    #[track_caller]
    fn check(texts: &[&str], text: &str, expected: bool) {
        let text_of = |text: &str| text.replace(' ', "\n");
        let texts: Vec<String> = texts.iter().map(|text| text_of(text)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(has_same_lines(&texts, &text_of(text)), expected, "{text}");
    }

    #[test]
    fn lines_of_threads_have_no_order() {
        let runs = ["begin one two sent-1", "begin two one sent-2 late"];
        check(&runs, "two one begin sent-3", true);
        check(&runs, "begin two one late sent-9", true);
        check(&runs, "begin two sent-1", false);
        check(&runs, "begin one two three sent-1", false);
        // The order of these lines is always the same.
        check(
            &["begin at-1 end", "begin at-2 end"],
            "end at-3 begin",
            false,
        );
        check(&["one"], "one", false);
    }
}
