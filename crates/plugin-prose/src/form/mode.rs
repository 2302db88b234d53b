//! Headings of modes: a text with two ways to call has different required parameters in each.

use std::collections::{BTreeMap, BTreeSet};

use crate::form::entry::Entry;
use crate::lex::group;
use crate::lex::line::Line;
use crate::param::Need;

/// The maximum length of the name of a mode, in characters.
const MAX: usize = 32;

/// Returns the mode that a heading names: `【简单模式】`, `模式二：定制`, `### Custom mode`, `当 a=b 时：`.
pub(crate) fn heading(line: &Line<'_>) -> Option<String> {
    if line.bullet || line.text.starts_with('|') {
        return None;
    }
    let text = line.text.trim_end();
    let is_marked = text.starts_with(['#', '*', '【']) || text.ends_with([':', '：']);
    let label = text.trim_matches(|c: char| "#*【】:： ".contains(c));
    let bare = without_bracket(label);
    let is_mode = (bare.ends_with("模式") || bare.to_lowercase().ends_with(" mode"))
        && !["种模式", "支持", "个模式"]
            .iter()
            .any(|word| bare.contains(word));
    let is_numbered = label.strip_prefix("模式").is_some_and(|rest| {
        rest.chars()
            .nth(1)
            .is_some_and(|c| matches!(c, ':' | '：' | ' '))
    });
    let starts = ["当", "如果", "若", "when ", "When ", "if ", "If "];
    let is_condition = starts.iter().any(|start| bare.starts_with(start))
        && (bare.ends_with('时') || bare.contains('='));
    let is_heading = is_marked && (is_mode || is_condition) || is_numbered;
    (is_heading && label.chars().count() <= MAX).then(|| named(label).to_owned())
}

/// Returns the name of a mode without its number and a remark in brackets: `模式二：定制(高级)` is `定制`.
fn named(label: &str) -> &str {
    let name = label.strip_prefix("模式").and_then(|rest| {
        let mut chars = rest.chars();
        let is_number = chars
            .next()
            .is_some_and(|c| c.is_ascii_digit() || "一二三四五六七八九".contains(c));
        let rest = chars.as_str().strip_prefix([':', '：'])?;
        is_number.then(|| without_bracket(rest.trim()))
    });
    name.filter(|name| !name.is_empty()).unwrap_or(label)
}

/// Returns a label without the brackets at its end.
fn without_bracket(label: &str) -> &str {
    let at = label.rfind(['(', '（']);
    let found = at.filter(|at| group::take(&label[*at..]).is_some_and(|(_, rest)| rest.is_empty()));
    found.map_or(label, |at| label[..at].trim_end())
}

/// Returns true for a heading that ends the modes: that of common parameters, or any other section.
pub(crate) fn ends(line: &Line<'_>) -> bool {
    let is_common = ["通用", "公共", "共同", "common"]
        .iter()
        .any(|word| line.text.to_lowercase().contains(word));
    let is_label = line.text.trim_end_matches('*').ends_with([':', '：']);
    !line.bullet && (line.text.starts_with(['#', '【']) || is_common && is_label)
}

/// Makes what one of several modes requires conditional, unless all of them do.
pub(crate) fn apply(entries: &mut [Entry]) {
    let modes: BTreeSet<String> = entries
        .iter()
        .filter_map(|entry| entry.mode.clone())
        .collect();
    if modes.len() < 2 {
        return;
    }
    let is_required = |entry: &Entry| {
        let need = entry.attrs.need.as_ref().or(entry.section_need.as_ref());
        need == Some(&Need::Required)
    };
    let required: BTreeSet<(String, String)> = entries
        .iter()
        .filter(|entry| is_required(entry))
        .filter_map(|entry| Some((entry.names.list.first()?.clone(), entry.mode.clone()?)))
        .collect();
    let switches = switches(entries);
    for entry in entries.iter_mut() {
        let Some((name, mode)) = entry.names.list.first().zip(entry.mode.clone()) else {
            continue;
        };
        let n_modes = modes
            .iter()
            .filter(|mode| required.contains(&(name.clone(), (*mode).clone())));
        if n_modes.count() == modes.len() || entry.when.is_some() {
            continue;
        }
        match switches.get(&mode) {
            Some((switch, value)) if switch == name => {
                entry.text = format!("{value}：{mode}");
                entry.attrs.need = None;
                entry.section_need = None;
            }
            switch if is_required(entry) => {
                let condition = switch.map(|(switch, value)| format!("{switch} = {value}"));
                entry.when = Some(condition.unwrap_or(mode));
            }
            _ => {}
        }
    }
}

/// Returns the parameter and its value that select each mode: the only one that a mode fixes to a truth
/// value, `- custom: true`.
fn switches(entries: &[Entry]) -> BTreeMap<String, (String, String)> {
    let mut fixed: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for entry in entries {
        let value = entry.text.trim();
        if let Some((name, mode)) = entry.names.list.first().zip(entry.mode.as_deref())
            && matches!(value, "true" | "false")
        {
            fixed.entry(mode).or_default().push((name, value));
        }
    }
    let only = fixed.into_iter().filter_map(|(mode, all)| match all[..] {
        [(name, value)] => Some((mode.to_owned(), (name.to_owned(), value.to_owned()))),
        _ => None,
    });
    only.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_modes() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(heading(&Line::new(text)).as_deref(), expected, "{text}");
        };
        check("【灵感模式】", Some("灵感模式"));
        check("模式二：定制", Some("定制"));
        check("**模式2：定制(高级)**", Some("定制"));
        check("### Custom mode (slow)", Some("Custom mode (slow)"));
        check("当 custom=true 时：", Some("当 custom=true 时"));
        check("支持两种模式：", None);
        check("- 灵感模式：", None);
        check("这是灵感模式", None);
    }
}
