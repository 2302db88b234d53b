//! Reads running text that declares: `` `url` is required. `method` may be GET or PUT ``, `需要传入
//! a（…）和 b（…）两个参数，均为必填；另有可选参数 c，默认 none`.
//!
//! A sentence is cut at the names in it. The text before a name, and the text after it up to the
//! next name, describe it.

use crate::fact::{self, Facts};
use crate::form::entry::Entry;
use crate::lex::chars::{floor, head, in_name, is_cjk, starts_name};
use crate::lex::{group, names};
use crate::param::{Form, Need};

/// The number of bytes of a line that are read.
const WINDOW: usize = 2000;

/// The statements of running text about names.
#[derive(Clone, Default, Debug)]
pub(crate) struct Prose {
    /// The declared names.
    pub(crate) entries: Vec<Entry>,
    /// Remarks about names that other forms may declare.
    pub(crate) remarks: Vec<Entry>,
}

/// Reads one line.
pub(crate) fn read(line: &str) -> Prose {
    let mut res = Prose::default();
    let mut rest = head(line, WINDOW);
    while !rest.is_empty() {
        let end = sentence_end(rest);
        sentence(&rest[..end], &mut res);
        rest = rest[end..].trim_start_matches(['。', '；', ';', '.', ' ']);
    }
    res
}

/// Returns the length of the first sentence, without regard to brackets and quotes.
fn sentence_end(text: &str) -> usize {
    let (mut at, mut before) = (0, ' ');
    while let Some(c) = text[at..].chars().next() {
        let blank = text[at + c.len_utf8()..]
            .chars()
            .next()
            .is_none_or(char::is_whitespace);
        if at > 0 && (matches!(c, '。' | '；' | ';') || (c == '.' && blank)) {
            return at;
        }
        at += group::skip(&text[at..], c, before);
        before = c;
    }
    text.len()
}

/// A name with the text before and after it.
struct Topic<'a> {
    name: &'a str,
    before: &'a str,
    after: &'a str,
    ticked: bool,
}

fn sentence(text: &str, res: &mut Prose) {
    let chinese = text.contains(is_cjk);
    let topics = topics(text, chinese);
    let shared = if chinese { shared_need(text) } else { None };
    let mut run: Option<Need> = None;
    let mut found: Vec<(Entry, bool)> = Vec::new();
    let mut open = 0;
    for topic in &topics {
        let joined = joins(topic.before);
        let cued = need_before(topic.before);
        if !joined || cued.is_some() {
            open = found.len();
            run.clone_from(&cued);
        }
        let after = need_after(topic.after);
        let text = words(topic.after);
        let mut entry = Entry::single(topic.name, Facts::default(), &text, Form::C);
        entry.section_need = run
            .clone()
            .or_else(|| shared.clone().filter(|_| cued.is_some() || joined));
        let ticked = topic.ticked || chinese && topic.after.trim_start().starts_with(['(', '（']);
        found.push((entry, ticked));
        if let Some(need) = after {
            for (entry, _) in &mut found[open..] {
                entry.section_need = Some(need.clone());
                if entry.text.is_empty()
                    && topic
                        .after
                        .trim_start_matches(['`', ' '])
                        .starts_with("are ")
                {
                    entry.text.clone_from(&text);
                }
            }
        }
    }
    let named = ["参数", "字段", "parameter", "argument", "field"]
        .iter()
        .any(|word| text.contains(word));
    for (entry, ticked) in found {
        let facts = fact::read_text(&entry.text);
        let need = entry.section_need.is_some();
        let lists = says_values(&entry.text);
        if need && (named || ticked) && (ticked || chinese) {
            res.entries.push(entry);
        } else if need || facts.default.is_some() || (lists && facts.choices.len() > 1) {
            if !need && ticked && lists && !chinese {
                res.entries.push(entry);
            } else {
                let mut entry = entry;
                if !lists {
                    entry.text.clear();
                    entry.attrs.default = facts.default;
                }
                res.remarks.push(entry);
            }
        }
    }
}

/// Returns names in backticks; in Chinese also bare ones.
fn topics(text: &str, chinese: bool) -> Vec<Topic<'_>> {
    let mut res: Vec<(usize, usize, &str, bool)> = Vec::new();
    let (mut at, mut before) = (0, ' ');
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c == '`'
            && let Some((inner, after)) = group::take_quote(rest)
        {
            let end = text.len() - after.len();
            if names::take_ident(inner).is_some_and(|(_, rest)| rest.is_empty())
                && inner.len() > 1
                && !is_shouted(inner)
            {
                res.push((at, end, inner, true));
            }
            at = end;
        } else if starts_name(c) && !in_name(before) {
            let (name, after) = names::take_ident(rest).unwrap_or((&rest[..1], &rest[1..]));
            let end = text.len() - after.len();
            let shouted = name.chars().all(|c| !c.is_ascii_lowercase());
            let place = before == ' ' || is_cjk(before) || matches!(before, '，' | '、' | ',');
            let next = after.trim_start().chars().next();
            let outside = place
                && (next.is_none_or(|c| is_cjk(c) || matches!(c, '(' | '（' | '，' | '、' | ',')));
            if chinese
                && outside
                && !shouted
                && name.len() > 1
                && name.len() < 40
                && is_subject(&text[..at], after, res.last().map(|topic| topic.1))
            {
                res.push((at, end, name, false));
            }
            at = end.max(at + 1);
        } else {
            at += group::skip(rest, c, before);
        }
        before = text[..at].chars().next_back().unwrap_or(' ');
    }
    let ends: Vec<usize> = res
        .iter()
        .skip(1)
        .map(|topic| topic.0)
        .chain([text.len()])
        .collect();
    let mut start = 0;
    res.into_iter()
        .zip(ends)
        .map(|((from, to, name, ticked), end)| {
            let before = &text[start..from];
            start = to;
            Topic {
                name,
                before,
                after: &text[to..end],
                ticked,
            }
        })
        .collect()
}

/// Returns true for a setting of the environment, such as `API_KEY`.
fn is_shouted(name: &str) -> bool {
    name.len() > 3 && name.contains('_') && !name.chars().any(|c| c.is_ascii_lowercase())
}

/// Returns true if a bare word in Chinese text is a subject rather than a value: values follow a
/// cue or another value.
fn is_subject(before: &str, after: &str, last: Option<usize>) -> bool {
    let near = &before[floor(before, before.len().saturating_sub(30))..];
    let near = near.trim_end();
    let value = [
        "取值",
        "默认",
        "为",
        "是",
        "可选值",
        "使用",
        "支持",
        "如",
        "填",
        "：",
        ":",
        "或",
        "设为",
        "/",
    ]
    .iter()
    .any(|cue| near.ends_with(cue));
    let offered = ["参数", "字段", "传入", "提供"]
        .iter()
        .any(|cue| near.ends_with(cue));
    if value || offered {
        return offered;
    }
    let follows = after.trim_start();
    let starts = |cues: &[&str]| cues.iter().any(|cue| follows.starts_with(cue));
    let joined = last.is_some_and(|end| is_joint(&before[end..]));
    let clause = near.is_empty() || near.ends_with(['，', ',']);
    let spoken = starts(&[
        "为必", "为可", "是必", "是可", "必填", "必需", "可选", "选填", "不填", "留空", "取值",
        "默认", "缺省", "参数", "字段",
    ]);
    (spoken && (clause || joined || near.ends_with(['和', '与', '、'])))
        || (joined && starts(&["和", "与", "、", "（", "("]))
        || (clause && starts(&["和", "与", "、"]))
        || (near.is_empty() && starts(&["（", "("]))
}

/// Returns true if a name continues the list of the name before it.
fn joins(before: &str) -> bool {
    let text = before.trim();
    let tail = text
        .rsplit([')', '）'])
        .next()
        .unwrap_or(text)
        .trim_start_matches([' ', ',', '，', '、']);
    matches!(
        tail.trim(),
        "" | "和"
            | "与"
            | "及"
            | "以及"
            | "参数和"
            | "参数与"
            | "参数、"
            | "字段和"
            | "and"
            | "or"
    ) && !text.is_empty()
        || tail.trim() == ", and"
}

/// Returns true if only a bracket and a joint separate two names.
fn is_joint(between: &str) -> bool {
    let text = between.trim_start_matches(['`', ' ']);
    let text = group::take(text).map_or(text, |(_, rest)| rest);
    matches!(
        text.trim(),
        "和" | "与" | "及" | "以及" | "、" | "，" | "," | "，以及" | "，和"
    )
}

/// Reads the need directly before a name: `you must pass`, `optionally pass`, `需要传入`, `另有可选参数`.
fn need_before(before: &str) -> Option<Need> {
    let text = before
        .trim_end_matches([' ', '`', '：', ':'])
        .to_lowercase();
    let near = text.rsplit([',', '，', ')', '）']).next().unwrap_or(&text);
    let optional = [
        "optionally pass",
        "optionally provide",
        "optionally specify",
        "optionally set",
        "optionally",
        "可选参数",
        "可选",
        "可选字段",
        "可选传入",
        "还可以传入",
        "也可以传入",
        "还可传入",
    ];
    if optional.iter().any(|cue| near.ends_with(cue)) {
        return Some(Need::Optional);
    }
    let required = [
        "must pass",
        "must provide",
        "must specify",
        "must supply",
        "must set",
        "must include",
        "have to pass",
        "need to pass",
        "需要传入",
        "必须传入",
        "必须提供",
        "需要提供",
        "需传入",
        "须传入",
        "请传入",
        "请提供",
        "需要",
        "必填参数",
        "必填字段",
    ];
    let near = near
        .strip_prefix("调用时")
        .or_else(|| near.strip_prefix("使用时"))
        .unwrap_or(near);
    let conditional = ["if ", "when ", "如", "若", "当", "时"]
        .iter()
        .any(|cue| near.contains(cue));
    (required.iter().any(|cue| near.ends_with(cue)) && !conditional).then_some(Need::Required)
}

/// Reads the need directly after a name: `is required`, `are optional objects`, `为必填项`.
fn need_after(after: &str) -> Option<Need> {
    let text = after.trim_start_matches([' ', '`']).to_lowercase();
    let text = match group::take(&text) {
        Some((_, rest)) => rest.trim_start().to_owned(),
        None => text,
    };
    let starts = |cues: &[&str]| {
        cues.iter()
            .find_map(|cue| text.strip_prefix(cue).map(str::to_owned))
    };
    if let Some(rest) = starts(&[
        "is required",
        "are required",
        "is mandatory",
        "are mandatory",
        "must be given",
        "must be provided",
        "为必填",
        "是必填",
        "均为必填",
        "都是必填",
        "必填",
        "为必需",
        "是必需",
        "必须提供",
        "不能为空",
    ]) {
        let rest = rest.trim_start();
        // `ffmpeg is required to be installed` demands no argument.
        if ["to be ", "on ", "in ", "as "]
            .iter()
            .any(|cue| rest.starts_with(cue))
        {
            return None;
        }
        let conditional = ["if ", "when ", "unless ", "for ", "之一"]
            .iter()
            .any(|cue| rest.starts_with(cue));
        return Some(if conditional {
            Need::When(after.trim().to_owned())
        } else {
            Need::Required
        });
    }
    starts(&[
        "is optional",
        "are optional",
        "为可选",
        "是可选",
        "为选填",
        "是选填",
        "选填",
        "均为可选",
        "可不填",
        "可省略",
    ])
    .map(|_| Need::Optional)
}

/// Reads a need of all names of a sentence: `两个参数，均为必填`.
fn shared_need(text: &str) -> Option<Need> {
    let at = ["均为必填", "都是必填", "都为必填", "均必填", "均为必需"]
        .iter()
        .any(|cue| text.contains(cue));
    at.then_some(Need::Required)
}

/// Returns true for words that introduce the values of a name.
fn says_values(text: &str) -> bool {
    [
        "取值",
        "可选值",
        "may be ",
        "can be ",
        "one of",
        "must be one",
        "支持",
    ]
    .iter()
    .any(|cue| head(text, 60).contains(cue))
}

/// Returns the text after a name as its description: `and defaults to x` is a clause of its own.
fn words(after: &str) -> String {
    let text = after.trim().trim_start_matches(['`', ',', '，', ' ']);
    let text = text
        .replace(" and defaults to", ", defaults to")
        .replace("are optional ", "optional ");
    let text = [
        "are optional",
        "is optional",
        "is required",
        "are required",
        "为必填项",
        "为必填",
        "为可选项",
        "为可选",
        "which is ",
        "is ",
    ]
    .iter()
    .find_map(|cue| text.strip_prefix(cue))
    .unwrap_or(&text);
    let text = text.trim().trim_end_matches([',', '，', '、', ' ']);
    if matches!(text, "and" | "or" | "和" | "与") {
        return String::new();
    }
    let text = text
        .strip_suffix(" and")
        .or_else(|| text.strip_suffix('和'))
        .unwrap_or(text);
    text.trim_end_matches([',', '，', '、', ' '])
        .trim_start_matches([',', '，', ' ', '.'])
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks declared names with `!` or `?`, then remarks after a bar.
    #[track_caller]
    fn check(line: &str, expected: &str) {
        let found = read(line);
        let show = |entries: &[Entry]| -> String {
            let marked = entries.iter().map(|entry| {
                let mark = match entry.section_need {
                    Some(Need::Required) => "!",
                    Some(Need::Optional) => "?",
                    Some(Need::When(_)) => "~",
                    None => "",
                };
                format!("{}{mark}", entry.names.list[0])
            });
            marked.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            format!("{} | {}", show(&found.entries), show(&found.remarks)),
            expected
        );
    }

    #[test]
    fn english_sentences() {
        check(
            "You must pass `leaf` (a string). Optionally pass `cups` (integer), and `pot`.",
            "leaf! cups? pot? | ",
        );
        check(
            "`leaf` is required. `pot` may be iron or clay and defaults to clay.",
            "leaf! pot | ",
        );
        check("`cups` and `pot` are optional objects.", "cups? pot? | ");
        check("Run `brew` first.", " | ");
    }

    #[test]
    fn words_that_are_not_arguments() {
        check("`TEA_KEY` is required.", " | ");
        check("`kettle` is required to be installed.", " | ");
    }

    #[test]
    fn chinese_sentences() {
        check(
            "需要传入 leaf（茶名）和 cups（杯数）两个参数，均为必填；另有可选参数 pot，默认 clay。",
            "leaf! cups! pot? | ",
        );
        check(
            "leaf 和 cups 为必填项，pot 不填时默认 clay。",
            " | leaf! cups! pot",
        );
        check("pot 取值：iron（铁）、clay（陶）。", " | pot");
        check("泡茶用 Rust 写成。", " | ");
        check("需要提供 leaf 参数和 pot 参数。", "leaf! pot! | ");
    }
}
