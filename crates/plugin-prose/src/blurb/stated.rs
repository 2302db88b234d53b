//! The plugin's own words on when to use it.

use super::purpose::plain;
use super::text::{clauses, width};
use crate::lex::chars::is_cjk;

/// The maximum width of the needs; a Chinese character is two wide.
const MAX: usize = 120;

/// Labels of sections on when to use a plugin.
const LABELS: [&str; 12] = [
    "适用场景",
    "使用场景",
    "应用场景",
    "触发场景",
    "何时使用",
    "什么时候使用",
    "触发词",
    "触发条件",
    "when to use",
    "use cases",
    "use case",
    "triggers",
];

/// Returns the sentence on when to use a plugin from its own section, if a text has one.
pub(crate) fn sentence<'t>(mut texts: impl Iterator<Item = &'t str>) -> Option<String> {
    texts.find_map(in_text)
}

/// Returns the needs that the plugin's own section names, one by one.
pub(super) fn items_of<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let needs = texts.flat_map(|text| sections(text).map(|(_, needs)| needs).collect::<Vec<_>>());
    let needs: Vec<String> = needs.collect();
    let items = needs.iter().flat_map(|needs| {
        let first = needs.split(['。', '\n']).next().unwrap_or_default();
        let parts = first.split(['、', '，', ',', '；', ';', '/']);
        parts.map(|part| without_condition(part.trim_matches(is_mark)).to_owned())
    });
    items.filter(|item| !item.is_empty()).collect()
}

/// Returns the need in a condition: `当用户想喝茶时` is `想喝茶`.
fn without_condition(item: &str) -> &str {
    let inner = item.strip_prefix('当').and_then(|it| it.strip_suffix('时'));
    let inner = inner.unwrap_or(item);
    let inner = inner.strip_prefix("用户").unwrap_or(inner);
    inner
        .strip_prefix("提到")
        .unwrap_or(inner)
        .trim_matches(is_mark)
}

/// Returns true for characters around an item that are not part of it.
fn is_mark(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '"' | '“' | '”' | '「' | '」' | '\'' | '‘' | '’' | '.' | '等'
        )
}

fn in_text(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut rests = (0..lines.len()).map(|at| &lines[at..]);
    rests.find_map(|lines| {
        let stated = || section(lines).and_then(|(label, needs)| phrase(&label, &needs));
        requests(lines[0], &lines[1..]).or_else(stated)
    })
}

/// Returns the sections on when to use a plugin: the label and the needs.
fn sections(text: &str) -> impl Iterator<Item = (String, String)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let found = (0..lines.len()).filter_map(|at| section(&lines[at..]));
    found.collect::<Vec<_>>().into_iter()
}

/// Returns the section on when to use a plugin that begins with the first of some lines.
fn section(lines: &[&str]) -> Option<(String, String)> {
    let (label, rest) = labelled(lines.first()?)?;
    let needs = if rest.is_empty() {
        items(&lines[1..])
    } else {
        rest
    };
    Some((label, needs))
}

/// Returns the sentence from a table of what users say, below its heading: `## 触发词对照表`.
fn requests(line: &str, lines: &[&str]) -> Option<String> {
    const MAX_LABEL: usize = 24;
    const N: usize = 4;
    let is_heading = line.contains("触发词") && line.chars().count() <= MAX_LABEL;
    if !is_heading {
        return None;
    }
    let mut rows = lines.iter().skip_while(|line| !line.starts_with('|'));
    let head = rows.next()?;
    if !head.contains("用户") && !head.contains('说') {
        return None;
    }
    let is_mark = |c: char| c == '"' || c == '“' || c == '”' || c == '「' || c == '」';
    let said = rows.skip(1).map_while(|line| {
        let cell = line.strip_prefix('|')?.split('|').next()?;
        let cell = plain(cell);
        let first = cell
            .trim_matches(is_mark)
            .split('/')
            .next()?
            .trim()
            .to_owned();
        (!first.is_empty()).then_some(first)
    });
    let said: Vec<String> = said.take(N).map(|text| format!("“{text}”")).collect();
    (!said.is_empty()).then(|| format!("当用户说{}时使用。", said.concat()))
}

/// Returns the label and the text after it, if a line begins with one: `**适用场景**：…`, `## When to use`.
fn labelled(line: &str) -> Option<(String, String)> {
    let bare = plain(line);
    let bare = bare.trim_start_matches(['-', '•', '【', '[', ' ', '1', '2', '3', '4', '5', '.']);
    let lower = bare.to_lowercase();
    let label = LABELS.iter().find(|label| lower.starts_with(*label))?;
    let rest = bare.get(label.len()..)?;
    let rest = rest.trim_start_matches(['】', ']', ' ']);
    let is_label = rest.is_empty() || rest.starts_with([':', '：', '（', '(']);
    let rest = rest.split_once(['：', ':']).map_or("", |(_, rest)| rest);
    is_label.then(|| ((*label).to_owned(), rest.trim().to_owned()))
}

/// Returns the items of the list that begins the lines.
fn items(lines: &[&str]) -> String {
    let mark = |line: &str| -> Option<String> {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest.strip_prefix(['-', '*', '•', '.', '、', ')'])?;
        Some(plain(rest))
    };
    let lines = lines.iter().skip_while(|line| line.is_empty());
    let mut items: Vec<String> = lines.map_while(|line| mark(line)).take(4).collect();
    // What an agent should weigh up is not what a user says.
    let is_weighed = |item: &String| item.starts_with("需要");
    if !items.iter().all(is_weighed) {
        items.retain(|item| !is_weighed(item));
    }
    let is_wide = items.concat().chars().any(is_cjk);
    items.join(if is_wide { "、" } else { ", " })
}

/// Returns the sentence, in whole clauses.
fn phrase(label: &str, needs: &str) -> Option<String> {
    let first = needs.split(['。', '\n']).next().unwrap_or_default();
    let first = first.split(". ").next().unwrap_or_default();
    let mut kept = String::new();
    for (clause, separator) in clauses(first) {
        if !kept.is_empty() && width(&kept) + width(clause) > MAX {
            break;
        }
        kept.push_str(clause);
        kept.push_str(separator);
    }
    let kept = kept.trim_end_matches(['，', ',', '；', ';', '、', '.', ' ']);
    if kept.chars().count() < 4 || width(kept) > MAX * 2 {
        return None;
    }
    let is_wide = kept.chars().any(is_cjk);
    let is_condition = kept.starts_with('当') || kept.ends_with('时');
    Some(match (is_wide, label.starts_with("触发词")) {
        (true, true) => format!("当用户提到{kept}时使用。"),
        (true, false) if is_condition => {
            let kept = kept.trim_start_matches('当').trim_end_matches('时');
            format!("当{kept}时使用。")
        }
        (true, false) => format!("适用于{}。", kept.trim_start_matches("适用于")),
        (false, _) => format!("Use for {kept}."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(sentence([text].into_iter()).as_deref(), expected, "{text}");
    }

    #[test]
    fn sections_on_use_are_found() {
        check(
            "泡茶。\n适用场景：下午茶、待客。",
            Some("适用于下午茶、待客。"),
        );
        check(
            "**何时使用**\n- 用户口渴\n- 用户想休息\n\n别的",
            Some("适用于用户口渴、用户想休息。"),
        );
        check("触发词：泡茶、烧水", Some("当用户提到泡茶、烧水时使用。"));
        check("使用场景: 当用户想喝茶时", Some("当用户想喝茶时使用。"));
        check(
            "## When to use\n- tea parties\n- long nights",
            Some("Use for tea parties, long nights."),
        );
        check(
            "## ⚡ 触发词对照表\n当用户说：\n\n| 用户说的话 | 选 |\n|---|---|\n| \"泡一壶/来一壶\" | tea |\n| “加冰” | ice |\n",
            Some("当用户说“泡一壶”“加冰”时使用。"),
        );
        check("使用场景很多。", None);
        check("泡茶。", None);
    }
}
