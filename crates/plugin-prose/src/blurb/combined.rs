//! Needs that share a deed or an object, said as one: `搜索绿茶、红茶和白茶`, `创建、编辑和删除茶单`.
//!
//! A plugin with dozens of commands mostly does a few things with many objects, or many things with a few.
//! Said one by one, a handful of needs fills the sentence and hides the others.

use super::text::{DEEDS, begins_with_deed};
use crate::lex::chars::is_cjk;

/// The number of needs from which some are combined.
const MANY: usize = 4;
/// The number of objects from which one deed is said once, and that of deeds of one object.
const MIN_OBJECTS: usize = 3;
const MIN_DEEDS: usize = 2;
/// The maximum number of objects, and of deeds, in one need.
const MAX: usize = 8;
/// The length of a deed, in characters.
const DEED: usize = 2;
/// The minimum length of the end that two objects share, in characters, and the maximum of an object.
const MIN_SHARED: usize = 2;
const MAX_OBJECT: usize = 9;

/// A need in its parts.
struct Parts {
    deed: String,
    object: String,
}

/// Deeds, the objects of all of them, and the needs that they say.
struct Group {
    deeds: Vec<String>,
    objects: Vec<String>,
    members: Vec<usize>,
}

/// Returns the needs with those of one object in one, then those with the same deeds, at the place of
/// the first. What cannot be taken apart stays.
pub(super) fn read(needs: &[String]) -> Vec<String> {
    let mut groups = if needs.len() < MANY {
        Vec::new()
    } else {
        of_deeds(of_objects(needs))
    };
    groups.retain(|it| it.deeds.len() >= MIN_DEEDS || it.objects.len() >= MIN_OBJECTS);
    let mut res = Vec::new();
    for (at, need) in needs.iter().enumerate() {
        match groups.iter().find(|it| it.members.contains(&at)) {
            Some(group) if group.members.iter().min() == Some(&at) => res.push(said(group)),
            Some(_) => {}
            None => res.push(need.clone()),
        }
    }
    res
}

/// Returns the objects of the needs with all that is done with each.
fn of_objects(needs: &[String]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, need) in needs.iter().enumerate() {
        let Some(Parts { deed, object }) = parts(need) else {
            continue;
        };
        let known = groups
            .iter_mut()
            .find(|it| is_same_thing(&it.objects[0], &object));
        let Some(known) = known else {
            groups.push(Group {
                deeds: vec![deed],
                objects: vec![object],
                members: vec![at],
            });
            continue;
        };
        known.members.push(at);
        if !known.deeds.contains(&deed) {
            known.deeds.push(deed);
        }
        if object.len() < known.objects[0].len() {
            known.objects[0] = object;
        }
    }
    groups
}

/// Returns the groups with those of the same deeds in one.
fn of_deeds(groups: Vec<Group>) -> Vec<Group> {
    let mut res: Vec<Group> = Vec::new();
    for group in groups {
        match res.iter_mut().find(|it| it.deeds == group.deeds) {
            Some(known) => {
                known.objects.extend(group.objects);
                known.members.extend(group.members);
            }
            None => res.push(group),
        }
    }
    res
}

fn said(group: &Group) -> String {
    let and = if group.objects.len() > 1 {
        "或"
    } else {
        "和"
    };
    format!(
        "{}{}",
        joined(&group.deeds, and),
        joined(&group.objects, "和")
    )
}

/// Returns a need as a deed and a short object without what is said of it: `通过名称搜索绿茶的详细信息` is
/// `搜索` and `绿茶`.
fn parts(need: &str) -> Option<Parts> {
    let need = from_deed(need);
    if !begins_with_deed(need) {
        return None;
    }
    let rest = need.char_indices().nth(DEED).map(|(at, _)| at)?;
    let (deed, rest) = need.split_at(rest);
    let object = bare(rest);
    let n_chars = object.chars().count();
    let is_plain = object
        .chars()
        .all(|c| is_cjk(c) || c.is_ascii_alphanumeric() || c == ' ');
    let is_word = is_plain && !object.contains(['的', '并', '或', '和', '与', '将']);
    let is_short = (1..=MAX_OBJECT).contains(&n_chars);
    (is_word && is_short).then(|| Parts {
        deed: deed.to_owned(),
        object,
    })
}

/// Returns a need without what comes before its deed: `在茶馆中创建茶单` and `根据编号创建茶单` are `创建茶单`.
fn from_deed(need: &str) -> &str {
    const BEFORE: [&str; 8] = ["在", "按", "通过", "使用", "基于", "根据", "利用", "主动"];
    let is_before = BEFORE.iter().any(|it| need.starts_with(it));
    let deeds = DEEDS.iter().filter_map(|deed| need.find(deed));
    let first = deeds.min().filter(|_| is_before);
    first.map_or(need, |at| &need[at..])
}

/// Returns an object without numerals, adjectives and the part of it that is looked at.
fn bare(object: &str) -> String {
    const BEFORE: [&str; 24] = [
        "详细的",
        "完整的",
        "所有活跃的",
        "一个新的",
        "一个",
        "一篇",
        "一条",
        "新的",
        "新",
        "所有的",
        "所有",
        "全部",
        "任意",
        "指定的",
        "指定",
        "特定的",
        "特定",
        "给定的",
        "某个",
        "某条",
        "已有的",
        "现有",
        "参与的",
        "单个",
    ];
    const AFTER: [&str; 13] = [
        "的详细信息",
        "的完整内容",
        "的内容",
        "的信息",
        "的状态",
        "的列表",
        "详细信息",
        "完整内容",
        "列表",
        "内容",
        "信息",
        "状态",
        "结构",
    ];
    let mut rest = object.trim();
    while let Some(after) = BEFORE.iter().find_map(|it| rest.strip_prefix(it)) {
        rest = after.trim_start();
    }
    // `茶馆中的茶单`, `帖子的完整内容和所有回复`: the thing after its place, before its parts.
    if let Some((_, thing)) = rest.split_once("中的").or_else(|| rest.split_once("里的")) {
        rest = thing;
    }
    while let Some(after) = BEFORE.iter().find_map(|it| rest.strip_prefix(it)) {
        rest = after.trim_start();
    }
    if let Some((thing, part)) = rest.split_once('的')
        && (part.starts_with("完整内容") || part.starts_with("详细信息"))
    {
        rest = thing;
    }
    let whole = rest;
    for end in AFTER {
        rest = rest.strip_suffix(end).unwrap_or(rest);
    }
    let rest = if rest.is_empty() { whole } else { rest };
    rest.trim().to_owned()
}

/// Returns true for two names of one kind of thing: one ends with the other.
fn is_same_thing(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    a == b || short.chars().count() >= MIN_SHARED && long.ends_with(short)
}

/// Returns words as a list, with the first ones of many.
fn joined(words: &[String], and: &str) -> String {
    match words {
        _ if words.len() > MAX => format!("{}等", words[..MAX].join("、")),
        [all @ .., last] if !all.is_empty() => format!("{}{and}{last}", all.join("、")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(needs: &[&str], expected: &[&str]) {
        let needs: Vec<String> = needs.iter().map(|&it| it.to_owned()).collect();
        assert_eq!(read(&needs), expected, "{needs:?}");
    }

    #[test]
    fn one_deed_with_many_objects() {
        check(
            &[
                "通过名称或产地搜索绿茶",
                "获取特定绿茶的详细信息",
                "通过年份搜索普洱",
                "按茶园称重",
                "通过编号搜索茶具",
                "搜索茶",
                "获取详细的茶信息",
            ],
            &[
                "搜索或获取绿茶和茶",
                "通过年份搜索普洱",
                "按茶园称重",
                "通过编号搜索茶具",
            ],
        );
        check(
            &["搜索绿茶", "通过年份搜索普洱", "按茶园称重", "搜索茶具"],
            &["搜索绿茶、普洱和茶具", "按茶园称重"],
        );
    }

    #[test]
    fn many_deeds_with_one_object() {
        check(
            &[
                "在茶馆中创建一个新的茶单",
                "回复茶客",
                "读取一个茶馆茶单的完整内容",
                "列出茶馆中的所有茶单",
            ],
            &["创建、读取和列出茶单", "回复茶客"],
        );
    }

    #[test]
    fn few_needs_and_long_ones_stay() {
        check(&["创建茶单", "删除茶单"], &["创建茶单", "删除茶单"]);
        let all = [
            "创建茶单",
            "把茶单寄给所有订阅的茶客",
            "称茶",
            "查询茶叶在各地的价格",
        ];
        check(&all, &all);
    }
}
