//! The lists of an old text that the body has already: parameters of the table, what a caller receives.

use super::items::{Item, fences, is_item, label_level};
use super::known::{Known, without_columns};
use super::told::{Before, MIN_SHARE, share};

/// Returns for each item whether it belongs to a list that its label counts, `三种写法：`, and that the table
/// does not have as a whole: without one of its items, the label would be wrong.
pub(super) fn counted(items: &[Item], before: &Before<'_>) -> Vec<bool> {
    let mut res = vec![false; items.len()];
    let line = |at: usize| match items.get(at) {
        Some(Item::Line(line)) => line.as_str(),
        _ => "",
    };
    for at in 0..items.len() {
        let label = line(at);
        if !counts(label) {
            continue;
        }
        let is_below = |line: &str| {
            let is_deeper = indent(line) > indent(label) || !is_item(label.trim_start());
            is_item(line.trim_start()) && is_deeper
        };
        let end = (at + 1..items.len()).find(|at| !is_below(line(*at)));
        let end = end.unwrap_or(items.len());
        if !(at + 1..end).all(|at| before.has_row(line(at))) {
            res[at + 1..end].fill(true);
        }
    }
    res
}

/// Returns true for a label with a number of things: `三种写法：`, `【4 个模式】`.
fn counts(label: &str) -> bool {
    const UNITS: [char; 6] = ['种', '个', '类', '步', '项', '条'];
    let chars: Vec<char> = label.chars().filter(|c| *c != ' ').collect();
    let is_number = |c: char| c.is_ascii_digit() || "两二三四五六七八九十".contains(c);
    let has_number = chars
        .windows(2)
        .any(|pair| is_number(pair[0]) && UNITS.contains(&pair[1]));
    has_number && label_level(label).is_some()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Drops lists of what a program is for and good at, which its description says. A list that names a parameter
/// stays.
pub(super) fn without_praise(items: &[Item], before: &Before<'_>) -> Vec<Item> {
    const LABELS: [&str; 24] = [
        "功能特性",
        "核心特性",
        "特性",
        "主要功能",
        "核心功能",
        "核心能力",
        "主要能力",
        "主要特点",
        "核心特点",
        "亮点",
        "功能特点",
        "Agent职责",
        "Agent 职责",
        "AI职责",
        "适用场景",
        "使用场景",
        "何时使用",
        "典型用途",
        "典型场景",
        "Features",
        "Key features",
        "Use cases",
        "When to use",
        "应用场景",
    ];
    // A picture may be before the label.
    let is_mark = |c: char| !c.is_alphanumeric();
    let is_label = |line: &str| LABELS.contains(&line.trim().trim_matches(is_mark));
    let mut res: Vec<Item> = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let line = |at: usize| match items.get(at) {
            Some(Item::Line(line)) => Some(line.as_str()),
            _ => None,
        };
        let starts = line(at).is_some_and(|it| label_level(it).is_some() && is_label(it));
        let is_below = |at: &usize| line(*at).is_some_and(|it| is_item(it.trim_start()));
        let end = (at + 1..items.len()).find(|at| !is_below(at));
        let end = end.unwrap_or(items.len());
        let names_none = (at + 1..end)
            .all(|at| line(at).is_some_and(|it| !it.contains('`') && !before.names_parameter(it)));
        if starts && end > at + 1 && names_none {
            res.push(Item::Cut);
            at = end;
        } else {
            res.push(items[at].clone());
            at += 1;
        }
    }
    res
}

/// Adds a label before a list of the values of one parameter that has lost its own:
/// `- "hot"  热饮` after `` `mode`： ``.
pub(super) fn with_owners(items: &[Item], before: &Before<'_>) -> Vec<Item> {
    const MIN: usize = 2;
    let is_code = fences(items);
    let line = |at: usize| match items.get(at) {
        Some(Item::Line(line)) if !is_code[at] => line.as_str(),
        _ => "",
    };
    let mut owners: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    let mut last = "";
    while at < items.len() {
        let is_value = |at: &usize| is_item(line(*at).trim_start());
        let end = (at..items.len()).find(|at| !is_value(at));
        let end = end.unwrap_or(items.len());
        let is_begun = last.trim_end().ends_with(['：', ':', '|']);
        if end >= at + MIN && !is_begun {
            let lines: Vec<&str> = (at..end).map(line).collect();
            owners.extend(before.owner(&lines).map(|name| (at, name)));
        }
        if end > at || !line(at).trim().is_empty() {
            last = line(end.saturating_sub(1).max(at));
        }
        at = end.max(at + 1);
    }
    let mut res = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if let Some((_, name)) = owners.iter().find(|(owner, _)| *owner == at) {
            res.push(Item::Line(format!("`{name}`：")));
        }
        res.push(item.clone());
    }
    res
}

/// Drops lines on parameters of the table, and rows of a table in the text when all of them are known.
pub(super) fn without_table_rows(
    items: Vec<Item>,
    before: &Before<'_>,
    is_counted: &[bool],
) -> Vec<Item> {
    let mut res = Vec::new();
    let mut row: Option<(Known, usize)> = None;
    let mut rows = Rows::default();
    let is_in_fence = fences(&items);
    let known = items
        .iter()
        .zip(&is_in_fence)
        .map(|(item, is_code)| match item {
            Item::Line(line) if !is_code => before.row(line),
            _ => None,
        });
    let known: Vec<Option<(Known, String)>> = known.collect();
    let is_of_told_list = told_lists(&items, &known);
    let states = is_in_fence.into_iter().zip(is_of_told_list).zip(known);
    let states = states.zip(is_counted);
    for (item, (((is_code, is_of_told_list), known), is_counted)) in items.into_iter().zip(states) {
        let Item::Line(line) = &item else {
            row = None;
            rows.end(&mut res);
            res.push(item);
            continue;
        };
        let indent = indent(line);
        let is_selector = !is_code && before.is_selector(line);
        let is_repeated = match (&known, &row) {
            _ if *is_counted => false,
            _ if is_selector || is_of_told_list && !is_code => true,
            (Some((known, rest)), _) => share(known, rest) >= MIN_SHARE,
            (None, Some((known, depth))) => {
                indent > *depth && share(known, &without_columns(line)) >= MIN_SHARE
            }
            (None, None) => false,
        };
        if line.trim().starts_with('|') && !is_code {
            rows.push(item, is_repeated);
            continue;
        }
        rows.end(&mut res);
        row = match known {
            Some((known, _)) if is_repeated => Some((known, indent)),
            None if !line.trim().is_empty() && row.as_ref().is_some_and(|(_, d)| indent > *d) => {
                row
            }
            _ => None,
        };
        res.push(if is_repeated { Item::Cut } else { item });
    }
    rows.end(&mut res);
    res
}

/// Returns for each item whether it belongs to a list of parameters of which the table says at least half: the
/// rest alone would be a riddle.
fn told_lists(items: &[Item], known: &[Option<(Known, String)>]) -> Vec<bool> {
    const MIN: usize = 4;
    let mut res = vec![false; items.len()];
    let is_listed = |item: &Item| matches!(item, Item::Line(line) if is_item(line.trim_start()));
    let mut at = 0;
    while at < items.len() {
        let n_items = items[at..].iter().take_while(|it| is_listed(it)).count();
        let end = at + n_items;
        let rows = &known[at..end];
        let n_told = rows.iter().flatten();
        let n_told = n_told.filter(|(known, rest)| share(known, rest) >= MIN_SHARE);
        if n_items >= MIN && rows.iter().all(Option::is_some) && n_told.count() * 2 >= n_items {
            res[at..end].fill(true);
        }
        at = end.max(at + 1);
    }
    res
}

/// The rows of a table in a text, and whether each is known.
#[derive(Default)]
struct Rows(Vec<(Item, bool)>);

impl Rows {
    fn push(&mut self, item: Item, is_repeated: bool) {
        self.0.push((item, is_repeated));
    }

    /// Ends a table, of which the rows that are not known are kept, with its head.
    fn end(&mut self, res: &mut Vec<Item>) {
        const N_HEAD: usize = 2;
        let rows = std::mem::take(&mut self.0);
        let n_repeated = rows.iter().filter(|(_, is_repeated)| *is_repeated).count();
        // A row or two of many say little alone; `references/legacy-manifest.json` has the whole table.
        let n_kept = rows.len().saturating_sub(n_repeated + N_HEAD);
        if n_repeated > 0 && n_kept * 4 <= n_repeated {
            res.push(Item::Cut);
        } else {
            let kept = rows.into_iter().filter(|(_, is_repeated)| !is_repeated);
            res.extend(kept.map(|(item, _)| item));
        }
    }
}

/// Returns the parts of a list that are below one of its items.
fn deeper(items: &[Item]) -> Vec<(usize, usize)> {
    let depth = |item: &Item| match item {
        Item::Line(line) => indent(line),
        _ => 0,
    };
    let outer = items.iter().map(depth).min().unwrap_or_default();
    let mut res: Vec<(usize, usize)> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match res.last_mut() {
            _ if depth(item) <= outer => {}
            Some((_, end)) if *end == at => *end = at + 1,
            _ => res.push((at, at + 1)),
        }
    }
    res
}

/// Returns true if the last line is the label of what a call returns, which each command says.
fn is_of_result(before: &[Item]) -> bool {
    let is_blank = |item: &&Item| matches!(item, Item::Line(line) if line.trim().is_empty());
    let last = before.iter().rev().find(|item| !is_blank(item));
    let words = ["返回", "结果", "eturn", "esult"];
    matches!(last, Some(Item::Line(line))
        if label_level(line).is_some() && words.iter().any(|word| line.contains(word)))
}

/// Drops lists that an earlier command has as a whole; returns for each other item whether an earlier command
/// has it too, although not all of its list: without a part of them, a list would be wrong.
pub(super) fn repeated(items: Vec<Item>, before: &Before<'_>) -> (Vec<Item>, Vec<bool>) {
    const MIN: usize = 2;
    let is_code = fences(&items);
    let listed = items
        .iter()
        .zip(&is_code)
        .map(|(item, is_code)| match item {
            Item::Line(line) if !is_code && is_item(line.trim_start()) => {
                Some(before.told_all(line))
            }
            _ => None,
        });
    let listed: Vec<Option<bool>> = listed.collect();
    let mut is_partly = vec![false; items.len()];
    let mut is_whole = vec![false; items.len()];
    let mut at = 0;
    while at < items.len() {
        let n_listed = listed[at..].iter().take_while(|it| it.is_some()).count();
        let end = at + n_listed;
        // Those of the table go in any case.
        let own = items[at..end].iter();
        let own = own.filter(|it| !matches!(it, Item::Line(line) if before.has_row(line)));
        let n_items = own.count();
        let told = listed[at..end].iter().filter(|it| **it == Some(true));
        let n_told = told.count();
        if n_items >= MIN && n_told == n_items && !is_of_result(&items[..at]) {
            is_whole[at..end].fill(true);
        } else if n_told > 0 {
            is_partly[at..end].fill(true);
            // Most values of one parameter are those of an earlier command.
            for (from, to) in deeper(&items[at..end]) {
                let told = (at + from..at + to).filter(|at| listed[*at] == Some(true));
                let told: Vec<usize> = told.collect();
                if told.len() >= MIN && told.len() * 2 > to - from {
                    for at in told {
                        is_whole[at] = true;
                    }
                }
            }
        }
        at = end.max(at + 1);
    }
    let kept = items.into_iter().zip(is_whole);
    let kept = kept.map(|(item, is_whole)| if is_whole { Item::Cut } else { item });
    (kept.collect(), is_partly)
}

/// Drops a list of what the caller receives, `您将收到：`, if the section on calls has it.
pub(super) fn without_results(items: Vec<Item>, before: &Before<'_>) -> Vec<Item> {
    const RECEIVES: [&str; 3] = ["您将收到", "你将收到", "you will receive"];
    let mut is_in = false;
    let kept = items.into_iter().map(|item| {
        let Item::Line(line) = &item else {
            is_in = false;
            return item;
        };
        let is_label = label_level(line).is_some();
        if is_label && RECEIVES.iter().any(|word| line.contains(word)) {
            is_in = before.has_result;
        } else {
            is_in &= is_item(line.trim_start());
        }
        if is_in { Item::Cut } else { item }
    });
    kept.collect()
}
