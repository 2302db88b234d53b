//! Decides whether names on one line are aliases or several parameters, and finds other names that
//! a text promises to understand.
//!
//! Source: `docs/design/calls-in-prose.md`, "Labels", rule 4: one parameter if the description names one thing.

use crate::lex::chars::{ends_sentence, head, is_cjk};
use crate::lex::names::{self, Joint, Names};

/// Pairs of words that never name the same thing.
const OPPOSITES: [(&str, &str); 34] = [
    ("width", "height"),
    ("min", "max"),
    ("start", "end"),
    ("from", "to"),
    ("lower", "upper"),
    ("x", "y"),
    ("y", "z"),
    ("w", "h"),
    ("lat", "lon"),
    ("lat", "lng"),
    ("latitude", "longitude"),
    ("cc", "bcc"),
    ("before", "after"),
    ("left", "right"),
    ("top", "bottom"),
    ("begin", "end"),
    ("first", "last"),
    ("row", "col"),
    ("rows", "cols"),
    ("src", "dst"),
    ("source", "target"),
    ("username", "password"),
    ("user", "password"),
    ("key", "value"),
    ("name", "value"),
    ("year", "month"),
    ("month", "day"),
    ("hour", "minute"),
    ("title", "content"),
    ("page", "size"),
    ("old", "new"),
    ("input", "output"),
    ("in", "out"),
    ("host", "port"),
];

/// Words of a description about several things.
const SEVERAL: [&str; 16] = [
    "分别",
    "二选一",
    "三选一",
    "至少提供一个",
    "至少一个",
    "任选",
    "任一",
    "同时",
    "其一",
    "坐标",
    "respectively",
    "either",
    "at least one",
    "one of",
    "both",
    "mutually exclusive",
];
/// Words of a description about one thing.
const ONE: [&str; 11] = [
    "别名",
    "同义",
    "等价",
    "兼容",
    "任一即可",
    "alias",
    "same as",
    "synonym",
    "也可写",
    "均可",
    "equivalent",
];

/// Returns true if the names are several parameters.
pub(crate) fn are_several(
    names: &Names,
    text: &str,
    together: &dyn Fn(&str, &str) -> bool,
) -> bool {
    let list = &names.list;
    match names.joint {
        Joint::Single | Joint::Alias => return false,
        Joint::List => return true,
        Joint::Slash => {}
    }
    if names.numbered {
        return true;
    }
    let first = first_sentence(text);
    let alias = ONE.iter().any(|word| first.contains(word));
    if !alias && (SEVERAL.iter().any(|word| first.contains(word)) || parts_match(list, first)) {
        return true;
    }
    if pairs(list).any(|(a, b)| are_pages(a, b)) {
        return true;
    }
    if is_spelling(list) {
        return false;
    }
    let related = alias || has_nested(list);
    pairs(list).any(|(a, b)| opposite(a, b) || together(a, b))
        || (!related && (strangers(list) || joined_nouns(first) || named_alone(list, text)))
}

/// Returns true for the number of a page and the size of one: `page/per_page`.
fn are_pages(a: &str, b: &str) -> bool {
    let size = words(b).concat();
    words(a).last().is_some_and(|word| word == "page") && ["perpage", "pagesize"].contains(&&*size)
}

fn first_sentence(text: &str) -> &str {
    let text = head(text, 400);
    text.split(ends_sentence).next().unwrap_or(text)
}

fn pairs(names: &[String]) -> impl Iterator<Item = (&str, &str)> {
    names
        .windows(2)
        .map(|pair| (pair[0].as_str(), pair[1].as_str()))
}

/// Splits a name into words: `startDate` and `start_date` are `start`, `date`; `HTMLPage` is
/// `html`, `page`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut res: Vec<String> = vec![String::new()];
    let mut before = ' ';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let lower_follows = chars.peek().is_some_and(char::is_ascii_lowercase);
        let rises = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || (before.is_ascii_uppercase() && lower_follows));
        if rises || !c.is_ascii_alphanumeric() {
            res.push(String::new());
        }
        if let Some(word) = res.last_mut().filter(|_| c.is_ascii_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    res.retain(|word| !word.is_empty());
    res
}

/// Returns true if names differ in one word, and that word is the opposite of the other.
fn opposite(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    let differing: Vec<_> = a.iter().zip(&b).filter(|(a, b)| a != b).collect();
    a.len() == b.len()
        && differing.len() == 1
        && OPPOSITES.iter().any(
            |&(x, y)| matches!(differing[0], (p, q) if (p == x && q == y) || (p == y && q == x)),
        )
}

/// Returns true for spellings of one name: `cup_count / cupCount`.
fn is_spelling(names: &[String]) -> bool {
    let plain = |name: &str| words(name).concat();
    let first = names.first().map(|name| plain(name));
    names.len() > 1 && names.iter().all(|name| Some(plain(name)) == first)
}

/// Returns true if one name contains another: `tool / toolName`.
fn has_nested(names: &[String]) -> bool {
    let all: Vec<_> = names.iter().map(|name| words(name)).collect();
    let inside =
        |a: &[String], b: &[String]| a.len() < b.len() && a.iter().all(|word| b.contains(word));
    all.iter().any(|a| all.iter().any(|b| inside(a, b)))
}

/// Words that many names share without being related.
const COMMON: [&str; 10] = [
    "id", "name", "key", "url", "type", "path", "file", "is", "max", "min",
];

/// Returns true for names of several words each without a common one: `kettleGeneration /
/// waterInstanceId`.
fn strangers(names: &[String]) -> bool {
    let all: Vec<_> = names.iter().map(|name| words(name)).collect();
    let shared = |a: &[String], b: &[String]| {
        a.iter()
            .any(|word| b.contains(word) && !COMMON.contains(&word.as_str()))
    };
    all.len() > 1
        && all.iter().all(|words| words.len() > 1)
        && all
            .iter()
            .enumerate()
            .all(|(at, a)| all[at + 1..].iter().all(|b| !shared(a, b)))
}

/// Returns true if the description has as many parts as there are names: `cc/bcc: 冷泡/热泡`.
fn parts_match(names: &[String], text: &str) -> bool {
    let clause_matches = |clause: &str| {
        let parts: Vec<_> = clause.trim().split('/').collect();
        parts.len() == names.len()
            && parts.iter().all(|part| {
                part.trim().chars().count() <= 6
                    && part.trim().chars().all(is_cjk)
                    && !part.trim().is_empty()
            })
    };
    text.split(['，', ',', '、', '；', '。'])
        .take(3)
        .any(clause_matches)
}

/// Returns true for two nouns joined in the first clause: `主料及额外糖量`.
fn joined_nouns(text: &str) -> bool {
    let clause = text
        .split(['，', ',', '；', '。', '（', '('])
        .map(str::trim)
        .find(|clause| !matches!(*clause, "可选" | "必需" | "必填" | ""));
    clause.is_some_and(|clause| {
        ["及", "和", "与", " and "].iter().any(|word| {
            clause.split_once(word).is_some_and(|(a, b)| {
                let sides =
                    a.chars().count() >= 2 && b.chars().count() >= 2 && b.chars().count() <= 16;
                sides && a.chars().count() <= 16 && !b.contains("一致") && !b.contains("相同")
            })
        })
    })
}

/// Returns true if the text contrasts some of the names: `必须提供 a/b，或开启 c`.
fn named_alone(names: &[String], text: &str) -> bool {
    let text = head(text, 600);
    let n_named = names
        .iter()
        .filter(|name| name.len() > 2 && mentions(text, name))
        .count();
    n_named > 0
        && n_named < names.len()
        && ["提供", "传", "或", "either"]
            .iter()
            .any(|word| text.contains(word))
        && names.len() > 2
}

/// Returns true if a text names a word by itself.
pub(crate) fn mentions(text: &str, name: &str) -> bool {
    let whole = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_');
    text.match_indices(name).any(|(at, _)| {
        whole(text[..at].chars().next_back()) && whole(text[at + name.len()..].chars().next())
    })
}

/// Returns the names after `也兼容`, `alias:` and `also accepts`.
pub(crate) fn compatible_names(text: &str) -> Vec<String> {
    let text = head(text, 1500);
    let mut res = Vec::new();
    if !["兼容", "别名", "也可写", "又名", "also", "alias", "accept"]
        .iter()
        .any(|cue| text.contains(cue))
    {
        return res;
    }
    for cue in [
        "兼容别名",
        "兼容",
        "别名",
        "aliases:",
        "alias:",
        "alias for",
        "aliases",
        "also accepts",
        "also accepted as",
        "alias of",
        "also known as",
        "也可写作",
        "也可写为",
        "也可写成",
        "又名",
    ] {
        for (at, _) in text.match_indices(cue) {
            let rest = text[at + cue.len()..].trim_start_matches([' ', ':', '：', '为', '是']);
            for name in listed(rest) {
                if !res.contains(&name) {
                    res.push(name);
                }
            }
        }
    }
    res
}

/// Returns a list of names that ends with its clause, with `等` or with a word for names.
fn listed(text: &str) -> Vec<String> {
    let Some((found, rest)) = names::take(text) else {
        return Vec::new();
    };
    let rest = rest.trim_start();
    let ended = rest.is_empty()
        || rest.starts_with([
            '。', '，', '；', ')', '）', '.', ';', '等', '字', '参', '\n',
        ]);
    let named = found.list.iter().any(|name| name.len() > 1) || found.ticked;
    let shouted = found
        .list
        .iter()
        .any(|name| name.chars().all(|c| c.is_ascii_uppercase()) && !found.ticked);
    if ended && named && !shouted {
        found.list
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &str, text: &str, several: bool) {
        let (names, _) = names::take(names).unwrap();
        assert_eq!(are_several(&names, text, &|_, _| false), several);
    }

    #[test]
    fn aliases() {
        check("pot / potName", "按编号找一壶茶", false);
        check("garden / origin", "茶叶产地", false);
        check("leaf / kind / l", "茶叶名", false);
        check("cup_count / cupCount", "窗口与数量", false);
        check(
            "TEA2 / tea2 / use_tea2",
            "是否启用预热与混合冲泡，可提供 TEA2 或关闭",
            false,
        );
        check("tin/tinAlias/tinSlot", "可选，茶叶罐", false);
    }

    #[test]
    fn several_parameters() {
        check("cc/bcc", "冷泡/热泡", true);
        check("html/svg", "二选一，写明茶具", true);
        check("width/height", "茶盘尺寸", true);
        check("x / y", "目标位置", true);
        check("main_leaf / main_sugar", "主料及额外糖量", true);
        check(
            "brewId / kettleGeneration / waterInstanceId",
            "校验字段",
            true,
        );
        check("start_date / end_date", "日期", true);
    }

    #[test]
    fn names_seen_in_one_call_are_several() {
        let (names, _) = names::take("expr/imports").unwrap();
        assert!(are_several(&names, "表达式", &|_, _| true));
    }

    #[test]
    fn words_of_names() {
        assert_eq!(words("startDate"), ["start", "date"]);
        assert_eq!(words("HTMLPage_v2"), ["html", "page", "v2"]);
    }

    #[test]
    fn promised_names() {
        assert_eq!(
            compatible_names("也兼容 cup_size 和 volume。"),
            ["cup_size", "volume"]
        );
        assert_eq!(
            compatible_names("关键词；兼容 `kind` / `lf`。"),
            ["kind", "lf"]
        );
        assert!(compatible_names("兼容旧格式").is_empty());
        assert!(compatible_names("兼容 OpenAI 格式").is_empty());
    }
}
