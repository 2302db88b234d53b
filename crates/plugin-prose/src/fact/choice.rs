//! Closed lists of values.
//!
//! Source: labelling guide, rule 9. A list is closed unless it ends in `等`, follows `例如` or
//! `推荐`, or has a free form beside it.

use crate::fact::parallel;
use crate::lex::tokens::{self, Token};

/// Most values that a list is believed to have.
const MAX: usize = 64;

/// Words after which a list is a set of examples, or something else than values.
const OPEN_CUES: [&str; 38] = [
    "例如",
    "比如",
    "如",
    "诸如",
    "譬如",
    "推荐",
    "常用",
    "建议",
    "常见",
    "语法",
    "不能",
    "不可",
    "不支持",
    "禁止",
    "兼容",
    "别名",
    "可传",
    "可写",
    "参考",
    "字段",
    "参数",
    "e.g",
    "such as",
    "example",
    "examples",
    "like",
    "recommended",
    "alias",
    "aliases",
    "including",
    "类似",
    "请用",
    "省略",
    "替代",
    "语法同",
    "传入",
    "使用",
    "配合",
];

/// Words that introduce a closed list.
const CLOSED_CUES: [&str; 27] = [
    "可选值",
    "可选",
    "取值",
    "只能填",
    "只能是",
    "只能为",
    "只允许",
    "必须是",
    "必须为",
    "值",
    "枚举",
    "设为",
    "为",
    "支持",
    "选项",
    "类型",
    "模式",
    "one of",
    "either",
    "values",
    "allowed",
    "options",
    "enum",
    "choices",
    "can be",
    "must be",
    "valid",
];

/// The closed list that a text states, in written order; empty when there is none.
pub(crate) fn read(text: &str) -> Vec<String> {
    let tokens = tokens::read(text);
    if let Some(found) = barred(&tokens) {
        return found;
    }
    let mut at = 0;
    while at < tokens.len() {
        let Some((list, next)) = list_at(&tokens, at) else {
            at += 1;
            continue;
        };
        if is_closed(&tokens, at, next, &list) {
            return list.values();
        }
        at = next.max(at + 1);
    }
    in_group(&tokens)
        .or_else(|| parallel::read(text))
        .unwrap_or_default()
}

/// `` `auto|fast|slow` ``: a list inside one pair of quotes.
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
        (words && !is_truth(&items) && !Before::new(tokens, at).open)
            .then(|| items.into_iter().map(str::to_owned).collect())
    })
}

/// The values of a text that is nothing but a list of values, or one value.
pub(crate) fn read_items(text: &str) -> Vec<String> {
    let tokens = tokens::read(text);
    match list_at(&tokens, skip_blanks(&tokens, 0)) {
        Some((list, end)) if skip_blanks(&tokens, end) == tokens.len() => list.values(),
        _ => Vec::new(),
    }
}

/// A list as it was found.
struct List<'a> {
    items: Vec<&'a str>,
    quoted: bool,
    slashed: bool,
    only_or: bool,
    only_and: bool,
}

impl List<'_> {
    fn values(&self) -> Vec<String> {
        let mut res: Vec<String> = Vec::new();
        for item in &self.items {
            if !res.iter().any(|other| other == item) {
                res.push((*item).to_owned());
            }
        }
        res
    }
}

/// Reads a list that starts at a token.
fn list_at<'a>(tokens: &[Token<'a>], start: usize) -> Option<(List<'a>, usize)> {
    let (first, quoted) = item(tokens.get(start)?)?;
    let joined = |sign: &Token<'_>| matches!(sign, Token::Word(_) | Token::Sign('/' | '\\'));
    if start > 0 && !quoted && joined(&tokens[start - 1]) {
        return None;
    }
    let mut list = List {
        items: vec![first],
        quoted,
        slashed: false,
        only_or: true,
        only_and: true,
    };
    let mut end = gloss(tokens, start + 1, quoted);
    while list.items.len() < MAX {
        let Some((next, joint)) = separator(tokens, end) else {
            break;
        };
        let Some((value, is_quoted)) = tokens.get(next).and_then(item) else {
            break;
        };
        if is_quoted != quoted {
            break;
        }
        list.slashed |= joint == Joint::Slash;
        list.only_or &= joint == Joint::Or;
        list.only_and &= joint == Joint::And;
        list.items.push(value);
        end = gloss(tokens, next + 1, quoted);
    }
    Some((list, end))
}

fn item<'a>(token: &Token<'a>) -> Option<(&'a str, bool)> {
    match token {
        Token::Quoted(text) if !text.trim().is_empty() && text.len() <= 60 => {
            Some((text.trim(), true))
        }
        Token::Word(text) => Some((text, false)),
        _ => None,
    }
}

/// Skips the explanation of a value: a bracket, or `=…` and `:…` after a quoted one.
fn gloss(tokens: &[Token<'_>], at: usize, quoted: bool) -> usize {
    let next = skip_blanks(tokens, at);
    match tokens.get(next) {
        Some(Token::Group(_)) => next + 1,
        Some(Token::Sign('=' | ':' | '：')) if quoted => {
            let stop = tokens[next..].iter().position(|token| {
                matches!(
                    token,
                    Token::Sign('、' | ',' | '，' | ';' | '；' | '。' | '/' | '|')
                )
            });
            stop.map_or(tokens.len(), |stop| next + stop)
        }
        _ => at,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    Slash,
    Comma,
    Or,
    And,
}

/// Reads what joins two values; gives where the next value stands.
fn separator(tokens: &[Token<'_>], at: usize) -> Option<(usize, Joint)> {
    let start = skip_blanks(tokens, at);
    let joint = match tokens.get(start)? {
        Token::Sign('/' | '|' | '／') => Joint::Slash,
        Token::Sign('、' | ',' | '，') => Joint::Comma,
        Token::Quoted(_) => return Some((start, Joint::Comma)),
        token => conjunction(token).filter(|_| start > at || matches!(token, Token::Text(_)))?,
    };
    let next = skip_blanks(tokens, start + 1);
    match tokens.get(next).and_then(conjunction) {
        Some(word) if joint == Joint::Comma => Some((skip_blanks(tokens, next + 1), word)),
        _ => Some((next, joint)),
    }
}

/// `或`, `or`, `和`, `and`.
fn conjunction(token: &Token<'_>) -> Option<Joint> {
    match token {
        Token::Text("或" | "或者") => Some(Joint::Or),
        Token::Text("和" | "与" | "及") => Some(Joint::And),
        Token::Word(word) if word.eq_ignore_ascii_case("or") => Some(Joint::Or),
        Token::Word(word) if word.eq_ignore_ascii_case("and") => Some(Joint::And),
        _ => None,
    }
}

pub(crate) fn skip_blanks(tokens: &[Token<'_>], at: usize) -> usize {
    at + tokens[at.min(tokens.len())..]
        .iter()
        .take_while(|token| matches!(token, Token::Blank))
        .count()
}

/// Whether a list names all values that there are.
fn is_closed(tokens: &[Token<'_>], start: usize, end: usize, list: &List<'_>) -> bool {
    if list.items.len() < 2
        || is_truth(&list.items)
        || !list.items.iter().all(|item| is_value(item, list.quoted))
    {
        return false;
    }
    if goes_on(tokens, end) {
        return false;
    }
    let before = Before::new(tokens, start);
    if before.open {
        return false;
    }
    let chosen = matches!(tokens.get(skip_blanks(tokens, end)), Some(Token::Text(text)) if one_of_them(text));
    let introduced = before.first || before.cue || chosen;
    if list.only_and && !introduced {
        return false;
    }
    if list.quoted {
        return introduced || !before.later;
    }
    let ended = ends_here(tokens, end);
    ended && (introduced || (list.slashed && !before.after_word && !before.later))
}

/// `等`, `etc.`, `...` or a free form after a list leave it open.
fn goes_on(tokens: &[Token<'_>], end: usize) -> bool {
    let next = skip_blanks(tokens, end);
    let comma = matches!(tokens.get(next), Some(Token::Sign('，' | ',' | '、')));
    let next = if comma {
        skip_blanks(tokens, next + 1)
    } else {
        next
    };
    match tokens.get(next) {
        Some(Token::Text(text)) => {
            text.starts_with('等')
                || (*text == "或"
                    && !matches!(
                        tokens.get(skip_blanks(tokens, next + 1)),
                        Some(Token::Quoted(_))
                    ))
                    && comma
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

/// Whether a clause ends at a token; `三选一` behind a list ends it as well.
fn ends_here(tokens: &[Token<'_>], at: usize) -> bool {
    match tokens.get(skip_blanks(tokens, at)) {
        None | Some(Token::Group(_)) => true,
        Some(Token::Sign(sign)) => "，,。.；;)）-—!\n".contains(*sign),
        Some(Token::Text(text)) => one_of_them(text),
        _ => false,
    }
}

/// `三选一`, `之一`: the list before it is closed.
fn one_of_them(text: &str) -> bool {
    ["之一", "其一", "选一", "中的一个"]
        .iter()
        .any(|tail| text.ends_with(tail))
        || text.starts_with("任选")
}

/// What stands before a list in its sentence.
struct Before {
    /// Nothing.
    first: bool,
    /// A word that opens the list.
    open: bool,
    /// A word that closes the list.
    cue: bool,
    /// A bare ASCII word.
    after_word: bool,
    /// Another sentence.
    later: bool,
}

impl Before {
    fn new(tokens: &[Token<'_>], start: usize) -> Self {
        let head = &tokens[..start];
        let sentence = head
            .iter()
            .rposition(|token| matches!(token, Token::Sign('。' | '；' | ';' | '\n' | '，' | ',')))
            .map_or(0, |at| at + 1);
        let clause = &head[sentence..];
        let text: String = clause.iter().map(show).collect();
        let text = text
            .trim()
            .trim_end_matches([':', '：', ' ', '是', '为'])
            .to_lowercase();
        let open = OPEN_CUES.iter().any(|cue| near_end(&text, cue))
            || text.contains("默认")
            || previous_clause_is_open(head, sentence);
        let cue = CLOSED_CUES.iter().any(|cue| near_end(&text, cue))
            || clause
                .iter()
                .rev()
                .find(|token| !matches!(token, Token::Blank))
                .is_some_and(|token| matches!(token, Token::Sign(':' | '：')));
        let last = head
            .iter()
            .rev()
            .find(|token| !matches!(token, Token::Blank));
        Self {
            first: text.is_empty(),
            open,
            cue,
            after_word: matches!(last, Some(Token::Word(_))),
            later: head.iter().any(|token| matches!(token, Token::Sign('。'))),
        }
    }
}

fn show(token: &Token<'_>) -> String {
    match token {
        Token::Quoted(text) | Token::Word(text) | Token::Text(text) => (*text).to_owned(),
        Token::Group(_) => "()".to_owned(),
        Token::Sign(sign) => sign.to_string(),
        Token::Blank => " ".to_owned(),
    }
}

/// Whether a cue stands at the end of a text or a few characters before it.
fn near_end(text: &str, cue: &str) -> bool {
    let Some(at) = text.rfind(cue) else {
        return false;
    };
    let after = text[at + cue.len()..].trim_matches([' ', ':', '：']);
    let sure = cue != "如" || !after.starts_with('果');
    let whole = !cue.is_ascii() || !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
    sure && whole && after.chars().count() <= if cue.chars().count() > 1 { 6 } else { 0 }
}

/// `例如,` may stand before the comma that ends its clause.
fn previous_clause_is_open(head: &[Token<'_>], sentence: usize) -> bool {
    let Some(before) = sentence.checked_sub(2) else {
        return false;
    };
    matches!(
        head[before],
        Token::Text("例如" | "如" | "比如") | Token::Word("e.g")
    )
}

pub(crate) fn is_truth(items: &[&str]) -> bool {
    items
        .iter()
        .all(|item| matches!(item.to_ascii_lowercase().as_str(), "true" | "false"))
}

/// Whether a text may be a value of a list: no address, no kind of thing, no sentence.
pub(crate) fn is_value(item: &str, quoted: bool) -> bool {
    let kind = matches!(
        item.to_ascii_lowercase().as_str(),
        "url"
            | "urls"
            | "uri"
            | "base64"
            | "path"
            | "id"
            | "api"
            | "ids"
            | "data"
            | "http"
            | "https"
    );
    let address = item.contains("://") || item.starts_with("http") && item.len() > 5;
    let pattern = ["YYYY", "yyyy", "HH:", "xxx", "...", "<"]
        .iter()
        .any(|sign| item.contains(sign));
    !kind
        && !address
        && !pattern
        && (quoted || !item.starts_with(['-', '+', '%', '@', '.']))
        && !item.contains(['，', '。', '\n'])
}

/// `周期(day, week, month)`: a bracket that holds nothing but bare values.
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
            let (list, end) = list_at(&inner, skip_blanks(&inner, 0))?;
            let whole = skip_blanks(&inner, end) == inner.len() && !list.only_or;
            let plain =
                list.items.iter().all(|item| is_value(item, list.quoted)) && !is_truth(&list.items);
            let before = Before::new(tokens, at);
            let named = matches!(
                at.checked_sub(1).map(|at| tokens[at]),
                Some(Token::Text(_) | Token::Word(_) | Token::Blank) | None
            );
            (whole && plain && !before.open && named && list.items.len() > 1).then(|| list.values())
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
        check(
            "one of \"day\", \"week\", or \"month\"",
            &["day", "week", "month"],
        );
    }

    #[test]
    fn bare_lists() {
        check(
            "running / success / failure",
            &["running", "success", "failure"],
        );
        check("1K / 2K，默认 1K", &["1K", "2K"]);
        check("png、jpg、webp；透明用 png", &["png", "jpg", "webp"]);
        check("desc 或 asc，默认 desc", &["desc", "asc"]);
        check("指定周期(day, week, month)搜索", &["day", "week", "month"]);
        check(
            "只能填 cn（中国）或 intl（国际）；不能填 us、jp 等",
            &["cn", "intl"],
        );
        check("槽位 m1/m2/m3；不填用默认", &["m1", "m2", "m3"]);
        check("音质，low|mid|high 三选一", &["low", "mid", "high"]);
        check("auto|fast|slow", &["auto", "fast", "slow"]);
    }

    #[test]
    fn open_lists() {
        check("尺寸，如 1024x1024、512x512", &[]);
        check("例如 'a'、'b'", &[]);
        check("可写 a、b 等", &[]);
        check("推荐值: \"a\"(1:1), \"b\"(2:1)", &[]);
        check("格式 (例如: 'utf8', 'ascii')", &[]);
    }

    #[test]
    fn what_is_no_list_of_values() {
        check("附件 URL/file://，逗号分隔", &[]);
        check("单图 URL/base64/data URI，或图片数组", &[]);
        check("true/false，默认 false", &[]);
        check("只检索该目录下的 md/txt 文件", &[]);
        check("范围 1-10", &[]);
        check("The city name, in English or Chinese", &[]);
    }
}
