//! Finds closed lists of values.
//!
//! Source: `docs/design/calls-in-prose.md`, "Labels", rule 9. A list is closed unless it ends in `等`, follows `例如` or `推荐`,
//! or has a free form next to it.

use crate::fact::lead::Lead;
use crate::fact::listing::{self, List, one_of_them, skip_blanks};
use crate::fact::parallel;
use crate::fact::value::{is_truth, is_value};
use crate::lex::tokens::{self, Token};

/// Returns the closed list that a text states, in written order; empty if there is none.
pub(crate) fn read(text: &str) -> Vec<String> {
    let tokens = tokens::read(text);
    if let Some(found) = barred(&tokens) {
        return found;
    }
    let mut at = 0;
    while at < tokens.len() {
        let Some((list, next)) = listing::read(&tokens, at) else {
            at += 1;
            continue;
        };
        if is_closed(&tokens, at, next, &list) {
            return list.values();
        }
        at = next.max(at + 1);
    }
    spoken(&tokens)
        .or_else(|| in_group(&tokens))
        .or_else(|| parallel::read(text))
        .unwrap_or_default()
}

/// Returns the values of a text that consists of a list of values, or of one value.
pub(crate) fn read_items(text: &str) -> Vec<String> {
    let tokens = tokens::read(text);
    match listing::read(&tokens, skip_blanks(&tokens, 0)) {
        Some((list, end)) if skip_blanks(&tokens, end) == tokens.len() => list.values(),
        _ => Vec::new(),
    }
}

/// Reads a list inside one pair of quotes: `` `auto|fast|slow` ``.
fn barred(tokens: &[Token<'_>]) -> Option<Vec<String>> {
    tokens.iter().enumerate().find_map(|(at, token)| {
        let Token::Quoted(text) = token else {
            return None;
        };
        let items: Vec<&str> = text.split('|').map(str::trim).collect();
        let words = items.len() > 1
            && items.iter().all(|item| {
                !item.is_empty()
                    && item
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
            });
        (words && !is_truth(&items) && Lead::new(tokens, at) != Lead::Open)
            .then(|| items.into_iter().map(str::to_owned).collect())
    })
}

/// Returns true if a list is complete.
fn is_closed(tokens: &[Token<'_>], start: usize, end: usize, list: &List<'_>) -> bool {
    let values = list.items.len() > 1
        && !list.items.iter().any(|item| is_aside(item))
        && !is_rate(&list.items)
        && !is_truth(&list.items)
        && list.items.iter().all(|item| is_value(item, list.quoted));
    if !values || goes_on(tokens, end) {
        return false;
    }
    let chosen = matches!(tokens.get(skip_blanks(tokens, end)), Some(Token::Text(text)) if one_of_them(text));
    match Lead::new(tokens, start) {
        Lead::Open => false,
        Lead::First if list.is_tight() => false,
        Lead::First | Lead::Introduced => list.quoted || ends_here(tokens, end),
        _ if chosen => true,
        _ if list.is_joined_by_and() => false,
        Lead::Later => false,
        lead => list.quoted || (list.is_slashed() && lead == Lead::Plain && ends_here(tokens, end)),
    }
}

/// Returns true if `等`, `etc.`, `...` or a free form after a list leaves it open.
fn goes_on(tokens: &[Token<'_>], end: usize) -> bool {
    let next = skip_blanks(tokens, end);
    let comma = matches!(tokens.get(next), Some(Token::Sign('，' | ',' | '、')));
    let next = if comma {
        skip_blanks(tokens, next + 1)
    } else {
        next
    };
    match tokens.get(next) {
        Some(Token::Text("或")) => {
            comma
                && !matches!(
                    tokens.get(skip_blanks(tokens, next + 1)),
                    Some(Token::Quoted(_))
                )
        }
        Some(Token::Text(text)) => {
            text.starts_with('等')
                || (text.starts_with("也可")
                    || text.starts_with("可自")
                    || text.starts_with("亦可"))
                    && text.contains("自定义")
        }
        Some(Token::Word(word)) => {
            word.eq_ignore_ascii_case("etc")
                || word.starts_with("..")
                || (comma && word.eq_ignore_ascii_case("or"))
        }
        Some(Token::Sign('…')) => true,
        Some(Token::Sign('.')) => matches!(tokens.get(next + 1), Some(Token::Sign('.'))),
        _ => false,
    }
}

/// Returns true if a clause ends at a token; `三选一` after a list ends it as well.
fn ends_here(tokens: &[Token<'_>], at: usize) -> bool {
    match tokens.get(skip_blanks(tokens, at)) {
        None | Some(Token::Group(_)) => true,
        Some(Token::Sign(sign)) => "，,。.；;)）-—!\n".contains(*sign),
        Some(Token::Text(text)) => one_of_them(text),
        _ => false,
    }
}

/// Returns true for a unit such as `km/h`, which is not a list.
fn is_rate(items: &[&str]) -> bool {
    matches!(items, [first, "h" | "s" | "min" | "hour" | "sec" | "day" | "m2" | "m3" | "L"] if first.len() < 5)
}

/// Returns true for `etc`, `e.g` and `i.e`, which accompany values but are not values.
fn is_aside(item: &str) -> bool {
    matches!(
        item.to_ascii_lowercase().trim_end_matches('.'),
        "etc" | "e.g" | "i.e" | "eg" | "ie" | "others" | "more" | "custom"
    )
}

/// Reads Chinese words after a label that introduces values: `可选：写实、动漫、水彩`.
fn spoken(tokens: &[Token<'_>]) -> Option<Vec<String>> {
    let cue = |token: &Token<'_>| matches!(token, Token::Text(text) if ["可选值", "可选", "取值", "选项", "枚举", "可选项"].iter().any(|cue| text.ends_with(cue)));
    let label = tokens.iter().position(cue)?;
    let next = skip_blanks(tokens, label + 1);
    let (values, ended) = match tokens.get(next)? {
        Token::Sign(':' | '：') => {
            let (values, end) = words(tokens, skip_blanks(tokens, next + 1));
            (values, ends_here(tokens, end) && !goes_on(tokens, end))
        }
        Token::Group(inner) => {
            let inner = tokens::read(inner);
            let (values, end) = words(&inner, skip_blanks(&inner, 0));
            (values, end == inner.len())
        }
        _ => return None,
    };
    let open = values
        .iter()
        .any(|value| value.ends_with('等') || value.starts_with('等') || value.chars().count() > 8);
    (values.len() > 1 && ended && !open && values.iter().all(|value| is_value(value, true)))
        .then_some(values)
}

/// Reads a row of words, Chinese or not, each with an optional bracket; returns the words and the
/// end of the row.
fn words(tokens: &[Token<'_>], start: usize) -> (Vec<String>, usize) {
    let (mut res, mut at) = (Vec::new(), start);
    while let Some(Token::Text(text) | Token::Word(text)) = tokens.get(at) {
        res.push((*text).to_owned());
        at = skip_blanks(tokens, at + 1);
        if matches!(tokens.get(at), Some(Token::Group(_))) {
            at = skip_blanks(tokens, at + 1);
        }
        if !matches!(tokens.get(at), Some(Token::Sign('、' | '/' | '|'))) {
            break;
        }
        at = skip_blanks(tokens, at + 1);
    }
    (res, at)
}

/// Reads a bracket that contains only bare values: `周期(day, week, month)`.
fn in_group(tokens: &[Token<'_>]) -> Option<Vec<String>> {
    let sentence = tokens
        .iter()
        .position(|token| matches!(token, Token::Sign('。')))
        .unwrap_or(tokens.len());
    tokens[..sentence]
        .iter()
        .enumerate()
        .find_map(|(at, token)| {
            let Token::Group(inner) = token else {
                return None;
            };
            let inner = tokens::read(inner);
            let (list, end) = listing::read(&inner, skip_blanks(&inner, 0))?;
            let whole = skip_blanks(&inner, end) == inner.len() && !list.is_joined_by_or();
            let plain = list
                .items
                .iter()
                .all(|item| is_value(item, list.quoted) && !is_aside(item))
                && !is_truth(&list.items);
            let named = matches!(
                at.checked_sub(1).map(|at| tokens[at]),
                Some(Token::Text(_) | Token::Word(_) | Token::Blank) | None
            );
            (whole && plain && Lead::new(tokens, at) != Lead::Open && named && list.items.len() > 1)
                .then(|| list.values())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(read(text), expected);
    }

    #[test]
    fn quoted_lists() {
        check("可选值：'a', 'b', 'c'", &["a", "b", "c"]);
        check("排序，可选 'asc'(升序)、'desc'(降序)。", &["asc", "desc"]);
        check("将此值设为 'x' 或 'y'", &["x", "y"]);
        check("\"low\"=快、\"high\"=慢。默认 low", &["low", "high"]);
        check("可选值：「1x1」、「2x2」。", &["1x1", "2x2"]);
        check("输出格式 'raw'|'json'", &["raw", "json"]);
        check("指令类型：'get'/'set'", &["get", "set"]);
        check("协议，可选 `https` 或 `http`。", &["https", "http"]);
        check("'up'=上游 或 'own'=自己，默认up", &["up", "own"]);
        check("只能为 `0` None、`1` Low、`5` High。", &["0", "1", "5"]);
        check("只能为 0 None、1 Low、5 High。", &["0", "1", "5"]);
        check(
            "one of \"day\", \"week\", or \"month\"",
            &["day", "week", "month"],
        );
    }

    #[test]
    fn bare_lists() {
        check(
            "boiling / brewing / poured",
            &["boiling", "brewing", "poured"],
        );
        check("1K / 2K，默认 1K", &["1K", "2K"]);
        check(
            "green、black、white；清淡用 green",
            &["green", "black", "white"],
        );
        check("hot 或 iced，默认 hot", &["hot", "iced"]);
        check("指定周期(day, week, month)搜索", &["day", "week", "month"]);
        check(
            "只能填 hot（热饮）或 iced（冷饮）；不能填 warm、cool 等",
            &["hot", "iced"],
        );
        check("槽位 m1/m2/m3；不填用默认", &["m1", "m2", "m3"]);
        check("音质，low|mid|high 三选一", &["low", "mid", "high"]);
        check("auto|fast|slow", &["auto", "fast", "slow"]);
    }

    #[test]
    fn lists_of_chinese_words() {
        check(
            "风格，可选：写实、动漫、水彩。默认：写实",
            &["写实", "动漫", "水彩"],
        );
        check("可选：写实、动漫等", &[]);
        check("选填，可选【童话/科幻】", &["童话", "科幻"]);
        check("说明：图片、视频", &[]);
    }

    #[test]
    fn open_lists() {
        check("尺寸，如 1024x1024、512x512", &[]);
        check("例如 'a'、'b'", &[]);
        check("可写 a、b 等", &[]);
        check("推荐值: \"a\"(1:1), \"b\"(2:1)", &[]);
        check("写法 (例如: 'big5', 'gbk')", &[]);
    }

    #[test]
    fn texts_that_are_not_lists_of_values() {
        check("照片 URL/file://，空格分隔", &[]);
        check("一张照片的 URL/base64/data URI，或照片数组", &[]);
        check("true/false，默认 false", &[]);
        check("md,txt,html", &[]);
        check("只看书架上的 epub/pdf 文件", &[]);
        check("范围 1-10", &[]);
        check("The city name, in English or Chinese", &[]);
    }
}
