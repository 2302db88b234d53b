//! Labels and lists that are left with one thing: it is a paragraph then.

use super::items::{Item, is_item, label_level};

/// Labels that say nothing about what follows them.
const LABELS: [&str; 10] = [
    "注意",
    "注意事项",
    "重要提示",
    "提示",
    "说明",
    "备注",
    "Note",
    "Notes",
    "Important",
    "Tip",
];

/// Removes labels that say nothing (`注意：`) before a paragraph, and the marks of lists with one item.
pub(super) fn paragraphs(items: &[Item]) -> Vec<Item> {
    without_lone_marks(&without_labels(items))
}

fn without_labels(items: &[Item]) -> Vec<Item> {
    let mut res: Vec<Item> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let is_label = matches!(item, Item::Line(line) if is_needless(line));
        if !(is_label && next(&items[at + 1..]).is_some_and(is_paragraph)) {
            res.push(item.clone());
        }
    }
    res
}

fn without_lone_marks(items: &[Item]) -> Vec<Item> {
    let mut res = items.to_vec();
    for (at, item) in items.iter().enumerate() {
        let Item::Line(line) = item else { continue };
        let before = items[..at].iter().rev().find(|it| !is_blank(it));
        let is_first = before.is_none_or(|it| matches!(it, Item::Line(line) if is_plain(line)));
        let after = next(&items[at + 1..]);
        let is_last = after.is_none_or(|it| !matches!(it, Item::Line(line) if is_listed(line)));
        let is_other = label_level(line).is_some() || is_named(without_mark(line));
        if is_item(line) && !is_other && is_first && is_last {
            res[at] = Item::Line(without_mark(line).to_owned());
        }
    }
    res
}

/// Returns the next item that is not blank.
fn next(items: &[Item]) -> Option<&Item> {
    items.iter().find(|it| !is_blank(it))
}

fn is_blank(item: &Item) -> bool {
    matches!(item, Item::Cut) || matches!(item, Item::Line(line) if line.trim().is_empty())
}

fn is_paragraph(item: &Item) -> bool {
    matches!(item, Item::Line(line) if is_plain(line))
}

/// Returns true for a line of a paragraph at the margin.
fn is_plain(line: &str) -> bool {
    !is_item(line)
        && label_level(line).is_none()
        && !line.starts_with([' ', '\t', '|', '`', '#', '>'])
}

/// Returns true for a line that belongs to a list.
fn is_listed(line: &str) -> bool {
    is_item(line) || line.starts_with([' ', '\t'])
}

fn is_needless(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| "*#:：【】 ".contains(c));
    label_level(line).is_some() && !is_item(line) && LABELS.contains(&bare)
}

/// Returns true for an item on something with a name: `` `cups`: 杯数 ``.
fn is_named(item: &str) -> bool {
    let (name, _) = item.split_once([':', '：', '(', '（']).unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_`*-/ .".contains(c);
    !name.is_empty() && name.chars().all(is_name)
}

/// Returns an item without its mark or number.
fn without_mark(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.trim_start_matches(['-', '*', '.', ')', '、'])
        .trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_a_paragraph() {
        let check = |lines: &[&str], expected: &[&str]| {
            let items = lines.iter().map(|line| Item::Line((*line).to_owned()));
            let expected = expected.iter().map(|line| Item::Line((*line).to_owned()));
            let items: Vec<Item> = items.collect();
            assert_eq!(paragraphs(&items), expected.collect::<Vec<_>>());
        };
        check(&["注意：", "水要热。"], &["水要热。"]);
        check(
            &["注意：", "- 水要热。", "- 茶要淡。"],
            &["注意：", "- 水要热。", "- 茶要淡。"],
        );
        check(&["**水温：**", "水要热。"], &["**水温：**", "水要热。"]);
        check(&["水要热。", "- 茶要淡。"], &["水要热。", "茶要淡。"]);
        check(&["2. 茶要淡。"], &["茶要淡。"]);
        check(&["- `cups`: 杯数"], &["- `cups`: 杯数"]);
        check(&["- 茶要淡。", "  - 绿茶"], &["- 茶要淡。", "  - 绿茶"]);
    }
}
