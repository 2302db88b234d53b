//! The lines of the text of a command: fences, labels without content, and the Markdown that they give.

use super::protocol;
use crate::markdown::{self, Paragraphs};

/// Longer calls have a block of their own after a label, in bytes.
const MAX_INLINE: usize = 100;

/// One line of the result.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Item {
    Line(String),
    Call(String),
    /// A part that is elsewhere in the body.
    Cut,
}

/// Returns for each item whether it is in a fence.
pub(super) fn fences(items: &[Item]) -> Vec<bool> {
    let mut is_open = false;
    let states = items.iter().map(|item| {
        let is_mark = matches!(item, Item::Line(line) if line.trim_start().starts_with("```"));
        is_open ^= is_mark;
        is_open || is_mark
    });
    states.collect()
}

/// Removes labels (`调用格式:`, `## Example`) that no content follows: they end the text, the next label
/// follows them, or what followed was cut and a paragraph comes next. A label before a list of labels
/// goes with the last of them.
pub(super) fn without_empty_labels(items: Vec<Item>) -> Vec<Item> {
    let mut res: Vec<Item> = Vec::new();
    // The level of the next line, whether it is a paragraph, and whether a cut comes before it.
    let mut next: Option<usize> = None;
    let (mut is_paragraph, mut is_cut) = (false, false);
    for item in items.into_iter().rev() {
        let item = match item {
            Item::Line(line) if is_cut || next.is_none() => Item::Line(without_end_label(line)),
            item => item,
        };
        let level = match &item {
            Item::Line(line) if line.trim().is_empty() => {
                res.push(item);
                continue;
            }
            Item::Line(line) => label_level(line),
            Item::Call(_) => None,
            Item::Cut => {
                is_cut = true;
                continue;
            }
        };
        // What is below one of several numbered headings is about it.
        let is_numbered = matches!(&item, Item::Line(line) if is_numbered_heading(line));
        let is_empty = level.is_some_and(|level| {
            next.is_none_or(|next| next <= level) || is_cut && is_paragraph && !is_numbered
        });
        if is_empty {
            is_cut = true;
            continue;
        }
        next = Some(level.unwrap_or(usize::MAX));
        is_paragraph = matches!(&item, Item::Line(line) if !is_item(line) && !line.starts_with([' ', '\t', '|', '`']));
        is_cut = false;
        res.push(item);
    }
    res.reverse();
    res
}

/// Returns true for `### 2. Cold tea`.
fn is_numbered_heading(line: &str) -> bool {
    let text = line.trim_start_matches('#');
    text.len() < line.len() && number(text.trim_start()).is_some()
}

/// Removes the label after the other sentences of a line: `只读取，不写入。示例：`.
fn without_end_label(line: String) -> String {
    const MAX: usize = 10;
    let Some(last) = protocol::sentences(&line).last() else {
        return line;
    };
    let is_label = last.trim_end().ends_with(['：', ':'])
        && last.chars().count() <= MAX
        && last.len() < line.trim_start().len();
    let end = if is_label {
        line.len() - last.len()
    } else {
        line.len()
    };
    line[..end].to_owned()
}

/// Removes the numbers of items whose predecessors were cut, and the sentence before them that counts
/// them: `三种方式:`, of which one is left.
pub(super) fn without_lost_numbers(items: Vec<Item>) -> Vec<Item> {
    const COUNTS: [&str; 5] = ["种方式", "种格式", "种用法", "种模式", " ways"];
    let mut res: Vec<Item> = Vec::new();
    // The indentation and the number of the last item.
    let mut last = (0, 0);
    let mut examples: Vec<usize> = Vec::new();
    for item in items {
        let Item::Line(line) = &item else {
            res.push(item);
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        if let Some((number, label, rest)) = numbered_label(line) {
            let is_next = number <= 1 || examples.contains(&(number - 1));
            examples.push(number);
            res.push(if is_next {
                item
            } else {
                Item::Line(format!("{label}{rest}"))
            });
            continue;
        }
        let Some((own, rest)) = number(line.trim_start()) else {
            res.push(item);
            continue;
        };
        let is_next = own <= 1 || last == (indent, own - 1);
        // Those that follow a number without its predecessor have none either.
        last = if is_next {
            (indent, own)
        } else {
            (indent, usize::MAX)
        };
        if is_next {
            res.push(item);
            continue;
        }
        let is_blank = |item: &Item| matches!(item, Item::Line(line) if line.trim().is_empty());
        let before = res.iter().rposition(|item| !is_blank(item));
        let counts = |at: &usize| matches!(&res[*at], Item::Line(line) if label_level(line).is_some() && COUNTS.iter().any(|word| line.contains(word)));
        if let Some(at) = before.filter(counts) {
            res.truncate(at);
        }
        // Nor has the item directly before it, of the same list.
        if let Some(Item::Line(above)) = res.last_mut()
            && let Some((_, text)) = number(above.trim_start())
            && above.len() - above.trim_start().len() == indent
        {
            *above = format!("{:indent$}- {text}", "");
        }
        let text = format!("{:indent$}{rest}", "");
        let is_label = label_level(&text).is_some();
        let mark = if is_label { "" } else { "- " };
        res.push(Item::Line(format!("{:indent$}{mark}{rest}", "")));
    }
    res
}

/// Removes the label of a first mode when no second one follows: the table has the modes.
pub(super) fn without_lone_modes(items: &[Item]) -> Vec<Item> {
    const PAIRS: [(&str, &str); 6] = [
        ("模式一", "模式二"),
        ("方式一", "方式二"),
        ("方案一", "方案二"),
        ("方式1", "方式2"),
        ("模式1", "模式2"),
        ("Mode 1", "Mode 2"),
    ];
    let marks = |c: char| "#*【- ".contains(c);
    let last = |mode: &str| {
        items
            .iter()
            .rposition(|item| matches!(item, Item::Line(line) if line.contains(mode)))
    };
    let lasts = PAIRS.map(|(one, two)| (one, last(two)));
    let is_lone = |at: usize, line: &str| {
        let bare = line.trim().trim_start_matches(marks);
        let mut pairs = lasts.iter();
        pairs.any(|(one, last)| bare.starts_with(one) && last.is_none_or(|last| last <= at))
    };
    let all = items.iter().enumerate();
    let res = all.map(|(at, item)| match item {
        Item::Line(line) if label_level(line).is_some() && is_lone(at, line) => Item::Cut,
        item => item.clone(),
    });
    res.collect()
}

/// Returns the number of an example and what is around it: `示例2（两杯）：`.
fn numbered_label(line: &str) -> Option<(usize, &str, &str)> {
    let at = line.find(|c: char| c.is_ascii_digit())?;
    let (label, tail) = line.split_at(at);
    let is_example = matches!(label.trim(), "示例" | "例" | "例子" | "Example");
    let rest = tail.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = tail[..tail.len() - rest.len()].parse().ok()?;
    let is_label = is_example && label_level(line).is_some();
    is_label.then_some((number, label.trim_end(), rest))
}

/// Returns the number of an item and what follows it: `3. text`.
fn number(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = line[..line.len() - rest.len()].parse().ok()?;
    let text = rest.strip_prefix(['.', ')', '、'])?;
    let is_item = rest.starts_with('、') || text.starts_with(' ');
    is_item.then(|| (number, text.trim_start()))
}

/// Returns the depth of a label, less for one that contains others: a heading of Markdown, a line that
/// ends with a colon, or such an item of a list. `None` for other lines.
pub(super) fn label_level(line: &str) -> Option<usize> {
    const MAX_LABEL: usize = 60;
    let is_bold = is_bold_label(line.trim());
    let line = line.trim().trim_end_matches(['*', '`']).trim_end();
    let n_marks = line.len() - line.trim_start_matches('#').len();
    if (1..=6).contains(&n_marks) && line[n_marks..].starts_with(' ') {
        return Some(n_marks);
    }
    let is_bracketed = line.starts_with('【') && line.ends_with('】');
    let is_label = line.ends_with([':', '：']) && line.chars().count() <= MAX_LABEL;
    // What is said before the colon is content if it is a sentence.
    let is_sentence =
        line.contains(['。', '；', ';', '！']) || line.contains(". ") && !is_item(line);
    let level = if is_item(line) { 8 } else { 7 };
    (is_bracketed || is_bold || is_label && !is_sentence).then_some(level)
}

/// Returns true for a short line that is bold as a whole, which a paragraph does not need: `**模式一**`.
fn is_bold_label(line: &str) -> bool {
    const MAX: usize = 24;
    let inner = line.strip_prefix("**").and_then(|it| it.strip_suffix("**"));
    inner.is_some_and(|inner| {
        !inner.contains("**")
            && !inner.ends_with(['。', '！', '!', '.', '？', '?'])
            && !inner.contains(['，', ','])
            && inner.chars().count() <= MAX
    })
}

/// Returns true for an item of a list: `1. …`, `- …`, `2) …`.
pub(super) fn is_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < line.len() && rest.starts_with(['.', ')', '、']);
    is_numbered || line.starts_with("- ") || line.starts_with("* ")
}

/// Returns lines whose indentation is that of the lines above them: what was below a line that is cut
/// moves up, and what is below a paragraph begins at the margin, where it is not code.
pub(super) fn levelled(items: Vec<Item>) -> Vec<Item> {
    // The indentation of each line around, before and after, and whether it is an item.
    let mut around: Vec<(usize, usize, bool)> = Vec::new();
    let is_code = fences(&items);
    let level = |(item, is_code): (Item, bool)| {
        let Item::Line(line) = &item else { return item };
        let text = line.trim_start();
        if is_code || text.is_empty() {
            return item;
        }
        let indent = line.len() - text.len();
        while around.last().is_some_and(|(before, ..)| *before >= indent) {
            around.pop();
        }
        let new = match around.last() {
            Some((before, after, true)) => after + (indent - before).min(MAX_STEP),
            Some((_, after, false)) => *after,
            None => 0,
        };
        around.push((indent, new, is_item(text)));
        Item::Line(format!("{:new$}{text}", ""))
    };
    items.into_iter().zip(is_code).map(level).collect()
}

/// The most blanks by which a list is below the item of another one.
const MAX_STEP: usize = 4;

/// Returns a label of a call without the word for its syntax, which is JSON here: `调用格式 (批量):` is
/// `示例 (批量):`.
fn with_plain_label(line: &str) -> String {
    const WORDS: [&str; 4] = ["AI 调用格式", "调用格式示例", "调用格式", "请求格式"];
    let at = line.find(|c: char| !" *#-".contains(c)).unwrap_or(0);
    let (marks, text) = line.split_at(at);
    let rest = WORDS.iter().find_map(|word| text.strip_prefix(word));
    match rest.filter(|_| label_level(line).is_some()) {
        Some(rest) => format!("{marks}示例{rest}"),
        // Its neighbours are elsewhere: `示例2（加冰）:`.
        None if is_numbered_example(text) && label_level(line).is_some() => {
            let rest = text["示例".len()..].trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{marks}示例{rest}")
        }
        // A label after other sentences.
        None => match line.trim_end_matches([':', '：']).strip_suffix("调用格式") {
            Some(head) if line.ends_with([':', '：']) => format!("{head}示例："),
            _ => line.to_owned(),
        },
    }
}

fn is_numbered_example(text: &str) -> bool {
    text.strip_prefix("示例")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

pub(super) fn rendered(items: &[Item]) -> String {
    let mut res = Paragraphs::default();
    let mut is_after_label = false;
    for item in items {
        match item {
            Item::Line(line) => {
                let line = &with_plain_label(line);
                res.line(line);
                is_after_label =
                    label_level(line).is_some() || (is_after_label && line.trim().is_empty());
            }
            Item::Call(call) if is_after_label && call.len() <= MAX_INLINE => {
                res.append(&markdown::call(call));
                is_after_label = false;
            }
            Item::Call(call) => {
                res.block(call, "json");
                is_after_label = false;
            }
            Item::Cut => {}
        }
    }
    res.finish()
}
