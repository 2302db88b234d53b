//! Names of one product: how it calls itself, and what else people call it.

use super::fold;

/// The table: the names of one product per line, separated by commas; `#` begins a comment.
const TABLE: &str = include_str!("../../data/product-names.txt");

/// Returns, for each product that a text names, the other names of it.
pub(crate) fn other_names(text: &str) -> Vec<Vec<&'static str>> {
    let mut folded = String::with_capacity(text.len());
    text.chars().for_each(|c| fold(c, |c| folded.push(c)));
    rows()
        .filter_map(|row| {
            let names: Vec<&str> = row.split(", ").collect();
            let (known, others): (Vec<&str>, Vec<&str>) =
                names.into_iter().partition(|name| has(&folded, name));
            (!known.is_empty() && !others.is_empty()).then_some(others)
        })
        .collect()
}

fn rows() -> impl Iterator<Item = &'static str> {
    TABLE.lines().filter(|line| !line.starts_with('#'))
}

/// Returns true if a folded text has a name. Letters before or after a name in Latin letters make it
/// a part of another word.
fn has(text: &str, name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_letter);
        let after = text[at + name.len()..]
            .chars()
            .next()
            .is_some_and(is_letter);
        !(before && name.starts_with(is_letter) || after && name.ends_with(is_letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_names_of_a_product() {
        let check = |text: &str, expected: &[&[&str]]| {
            assert_eq!(other_names(text), expected, "{text}");
        };
        check("在B站上找视频", &[&["bilibili", "哔哩哔哩", "哔哩"]]);
        check("on Bilibili", &[&["b站", "哔哩哔哩", "哔哩"]]);
        check("web站", &[]);
        check("bilibilified", &[]);
        check("k8s pods", &[&["kubernetes"]]);
        check("k8sx", &[]);
        check("video", &[]);
    }

    #[test]
    fn rows_are_folded_and_have_two_names() {
        for row in rows() {
            assert!(row.split(", ").count() > 1, "{row}");
            let mut folded = String::new();
            row.chars().for_each(|c| fold(c, |c| folded.push(c)));
            assert_eq!(folded, row);
        }
    }
}
