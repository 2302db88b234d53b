//! Finds parameters inside running text: `… 另：flag (布尔, 可选) 为…`, `可加 model 参数`, `必须提供 key`.
//!
//! Source: `docs/design/calls-in-prose.md`, "Labels", rule 12: a mention counts if the text asks the caller to send it.

use crate::fact;
use crate::form::entry::Entry;
use crate::form::section::SELECTORS;
use crate::lex::chars::{ends_sentence, floor, head, in_name, starts_name};
use crate::lex::group;
use crate::lex::names::{self, Names};
use crate::param::{Form, Need};

/// The parameters in running text.
#[derive(Clone, Default, Debug)]
pub(crate) struct Mentions {
    /// Parameters that a sentence declares with type and need.
    pub(crate) entries: Vec<Entry>,
    /// Names that the text demands, to be matched with names from other forms.
    pub(crate) demanded: Vec<Names>,
}

/// The place of a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// In running text.
    Text,
    /// In the description of a parameter, where brackets are usually about that parameter.
    Description,
}

/// Reads one line; a name at its very start belongs to the other productions.
pub(crate) fn read(line: &str, place: Place) -> Mentions {
    let mut res = Mentions::default();
    declared(line, place, &mut res);
    if line.contains('可') {
        offered(line, &mut res);
        omitted(line, &mut res);
    }
    if line.contains('=') {
        assigned(line, &mut res);
    }
    stated(line, &mut res);
    if ["需", "必须", "must"].iter().any(|cue| line.contains(cue)) {
        demanded(line, &mut res);
    }
    res
}

/// Reads `name (type, need)` after other words, and `name（必填）` in running text.
fn declared(line: &str, place: Place, res: &mut Mentions) {
    for (at, _) in line.match_indices(['(', '（']) {
        let Some(name) = name_before(&line[..at]) else {
            continue;
        };
        let Some((inner, after)) = group::take(&line[at..]).filter(|(inner, _)| inner.len() < 120)
        else {
            continue;
        };
        let facts = fact::read_attrs(inner);
        let typed = !facts.types.is_empty();
        if facts.need.is_none() || !(typed || (place == Place::Text && is_bare(name, inner))) {
            continue;
        }
        let listed = after.trim_start().starts_with([',', '，', '、', ';', '；']);
        let text = if typed && !listed {
            clause_after(after.trim_start_matches([':', '：', ' ']))
        } else {
            ""
        };
        let mut entry = Entry::single(name, facts, text, if typed { Form::A1 } else { Form::C });
        entry.when = condition(line);
        res.entries.push(entry);
    }
}

/// Returns the name at the end of a text, unless it is the whole text or inside a path or quotes.
fn name_before(text: &str) -> Option<&str> {
    let body = text.trim_end().trim_end_matches(['`', '*']);
    let length = body
        .bytes()
        .rev()
        .take(65)
        .take_while(|&b| in_name(char::from(b)))
        .count();
    let (before, name) = body.split_at(body.len() - length);
    let before = before.trim_end_matches(['`', '*', ' ']);
    let ticked = before.len() < text.len() && text.trim_end().ends_with('`');
    let english = !ticked && before.ends_with(|c: char| c.is_ascii_alphanumeric());
    let inside = english || before.is_empty() || before.ends_with(['"', '\'', '/', '.', '-', '|']);
    (name.starts_with(starts_name) && name.len() <= 64 && !inside).then_some(name)
}

/// Returns true if the brackets after a name contain only attributes, and the name is not an
/// abbreviation.
fn is_bare(name: &str, attrs: &str) -> bool {
    let shouted = name.chars().all(|c| c.is_ascii_uppercase());
    let mut attrs =
        group::split(attrs, |c| matches!(c, ',' | '，' | ';' | '；' | '、')).into_iter();
    !shouted && name.len() > 1 && attrs.all(fact::are_attrs)
}

/// Reads `action=add：…` at the start of a line, which limits the rest of the line.
fn condition(line: &str) -> Option<String> {
    let end = line.find([':', '：']).filter(|&end| end < 60)?;
    assignment(&line[..end]).map(|_| line[..end].trim().to_owned())
}

/// Reads an optional argument: `可加 model 参数`, `可选提供 folder 字段`.
fn offered(line: &str, res: &mut Mentions) {
    for cue in [
        "可选 ",
        "可加",
        "可选提供",
        "可传入",
        "可传",
        "可提供",
        "可附加",
        "可指定",
        "可使用",
        "可用",
        "可通过",
        "还可加",
        "可额外传",
    ] {
        for (at, _) in line.match_indices(cue) {
            let rest = line[at + cue.len()..].trim_start_matches([' ', '`']);
            let Some((name, after)) = names::take_ident(rest) else {
                continue;
            };
            let after = after.trim_start_matches([' ', '`']);
            let bracket = cue == "可选 " && after.starts_with(['（', '(']);
            if bracket || after.starts_with("参数") || after.starts_with("字段") {
                let text = group::take(after).map_or("", |(inner, _)| inner);
                let mut entry = Entry::single(name, fact::Facts::default(), text, Form::P);
                entry.section_need = Some(Need::Optional);
                res.entries.push(entry);
            }
        }
    }
}

/// Reads an optional argument: `name 可省略`.
fn omitted(line: &str, res: &mut Mentions) {
    for cue in ["可省略", "可以省略", "可不填", "可不传", "可留空"] {
        for (at, _) in line.match_indices(cue) {
            let before = line[..at].trim_end_matches([' ', '`']);
            let length = before
                .bytes()
                .rev()
                .take(65)
                .take_while(|&b| in_name(char::from(b)))
                .count();
            let name = &before[before.len() - length..];
            if name.len() > 1 && name.len() <= 64 && name.starts_with(starts_name) {
                let mut entry = Entry::single(name, fact::Facts::default(), "", Form::P);
                entry.section_need = Some(Need::Optional);
                res.entries.push(entry);
            }
        }
    }
}

/// Reads assignments that begin with a selector, which name arguments: `用 command=list, scope=域
/// 查询`.
fn assigned(line: &str, res: &mut Mentions) {
    for selector in SELECTORS {
        let mut at = 0;
        while let Some(found) = line[at..].find(selector) {
            let start = at + found;
            at = start + selector.len();
            let whole = !line[..start].ends_with(in_name);
            if !whole || !line[at..].trim_start().starts_with('=') {
                continue;
            }
            let pairs = head(&line[start..], 300);
            let pairs = &pairs[..pairs.find(ends_sentence).unwrap_or(pairs.len())];
            at = start + pairs.len().max(selector.len());
            if !pairs.contains("==") {
                let names = group::split(pairs, |c| matches!(c, ',' | '，' | '、' | '&'))
                    .into_iter()
                    .map_while(assignment);
                res.entries.extend(
                    names.map(|name| Entry::single(name, fact::Facts::default(), "", Form::P)),
                );
            }
        }
    }
}

/// Returns the name of `name=value`.
fn assignment(text: &str) -> Option<&str> {
    let (name, rest) = names::take_ident(text)?;
    rest.trim_start()
        .strip_prefix('=')
        .filter(|value| !value.trim().is_empty())
        .map(|_| name)
}

/// Reads a stated need: `device_id 为必填参数`, `level 是可选字段`.
fn stated(line: &str, res: &mut Mentions) {
    for (words, need) in [
        (["为必填", "是必填", "为必需", "是必需"], Need::Required),
        (["为可选", "是可选", "为选填", "是选填"], Need::Optional),
    ] {
        for (at, word) in words.iter().flat_map(|word| line.match_indices(word)) {
            let before = line[..at].trim_end_matches([' ', '`']);
            let length = before
                .bytes()
                .rev()
                .take(65)
                .take_while(|&b| in_name(char::from(b)))
                .count();
            let name = &before[before.len() - length..];
            let noun = line[at + word.len()..]
                .starts_with(['参', '字', '项', '，', '。', '；', '、', ',', ';']);
            if noun && name.len() > 1 && name.len() <= 64 && name.starts_with(starts_name) {
                let text = clause_after(&line[at + word.len()..]);
                let mut entry = Entry::single(name, fact::Facts::default(), text, Form::C);
                entry.section_need = Some(need.clone());
                res.entries.push(entry);
            }
        }
    }
}

/// Returns the rest of a sentence after `为必填参数`.
fn clause_after(text: &str) -> &str {
    let text = head(text, 400);
    let text = text
        .trim_start_matches("参数")
        .trim_start_matches("字段")
        .trim_start_matches('项');
    let text =
        text[..text.find(ends_sentence).unwrap_or(text.len())].trim_start_matches(['，', ',', ' ']);
    // A clause that begins with a name is about that name.
    let next = text
        .match_indices(['，', ','])
        .map(|(at, c)| (at, text[at + c.len()..].trim_start()));
    let other = next.into_iter().find(|(_, clause)| {
        names::take_ident(clause).is_some_and(|(_, rest)| rest.starts_with(' '))
    });
    let first = names::take_ident(text).is_some_and(|(_, rest)| rest.starts_with(' '));
    if first {
        ""
    } else {
        &text[..other.map_or(text.len(), |(at, _)| at)]
    }
}

/// Reads demanded names: `必须提供 …`, `仅需提供 …`, `Provide either …`. The names in the sentence are
/// demanded, unless it offers a choice.
fn demanded(line: &str, res: &mut Mentions) {
    for cue in [
        "必须提供",
        "需要提供",
        "需提供",
        "只需提供",
        "必须传入",
        "需要传入",
        "必须填写",
        "只需传入",
        "必须包含参数",
        "must provide",
        "must supply",
        "you must pass",
    ] {
        let mut at = 0;
        while let Some(found) = line[at..].find(cue) {
            let start = at + found;
            let conditional = is_conditional(&line[..start]);
            let rest = head(&line[start + cue.len()..], 300);
            let sentence = &rest[..rest.find(ends_sentence).unwrap_or(rest.len())];
            at = start + cue.len() + sentence.len();
            let choice = ["或", " or ", "若", "如果", "either", "当"]
                .iter()
                .any(|word| sentence.contains(word));
            if !choice && !conditional {
                res.demanded.extend(names_in(sentence));
            }
        }
    }
}

/// Returns true if the sentence up to here states a condition: `如需翻译，必须提供 lang`.
fn is_conditional(before: &str) -> bool {
    let near = &before[floor(before, before.len().saturating_sub(120))..];
    let start = near.rfind(ends_sentence).unwrap_or(0);
    ["如需", "如果", "若", "当", "时", "则", "if ", "when "]
        .iter()
        .any(|cue| near[start..].contains(cue))
}

/// Returns all names of a sentence, `a/b` as one group.
fn names_in(sentence: &str) -> Vec<Names> {
    let mut res = Vec::new();
    let mut rest = sentence;
    while let Some(at) = rest.find(|c: char| starts_name(c) || c == '`') {
        let inside = rest[..at].ends_with(in_name);
        match names::take(&rest[at..]) {
            Some((found, after)) if !inside => {
                res.push(found);
                rest = after;
            }
            _ => {
                let next = rest[at..]
                    .find(|c: char| !in_name(c) && c != '`')
                    .unwrap_or(rest.len() - at);
                rest = &rest[at + next.max(1)..];
            }
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, entries: &[&str], demanded: &[&str]) {
        let found = read(line, Place::Text);
        let names: Vec<_> = found
            .entries
            .iter()
            .flat_map(|entry| entry.names.list.clone())
            .collect();
        let wanted: Vec<_> = found
            .demanded
            .iter()
            .flat_map(|names| names.list.clone())
            .collect();
        assert_eq!(
            (names, wanted),
            (
                entries.iter().map(ToString::to_string).collect(),
                demanded.iter().map(ToString::to_string).collect()
            )
        );
    }

    #[test]
    fn declared_inside_a_sentence() {
        check("验证码。另：force (布尔, 可选) 为标志", &["force"], &[]);
        check("或显式提供 base (字符串, 可选): 指定库", &["base"], &[]);
        check("The expression to evaluate (required)", &[], &[]);
        check("函数 sin(x) 与 root(x, n)", &[], &[]);
        check(
            "- add：需要 content（必填）、tag（可选）",
            &["content", "tag"],
            &[],
        );
        assert!(
            read("投票 id（关闭时必填）", Place::Description)
                .entries
                .is_empty()
        );
        check("选项 \"deep\" (布尔值, 默认false): 是否", &[], &[]);
    }

    #[test]
    fn offered_and_demanded() {
        check("可加 model 参数指定模型", &["model"], &[]);
        check("仅需提供拿到的 pot_id/potId。", &[], &["pot_id", "potId"]);
        check("每次必须提供 `code`，内容是", &[], &["code"]);
        check(
            "device_id 为必填参数，表示编号；level 为可选参数。",
            &["device_id", "level"],
            &[],
        );
        check("有 url 即可，token 可省略。", &["token"], &[]);
        check("用 command=list, scope=域 查询", &["command", "scope"], &[]);
        check("必须提供 a1，或开启 b1", &[], &[]);
        check("如需翻译，必须提供 lang。", &[], &[]);
    }
}
