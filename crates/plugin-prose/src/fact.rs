//! Reads the facts that words state about one parameter: type, need, default, closed list of
//! values.

pub(crate) mod choice;
pub(crate) mod default;
pub(crate) mod lead;
pub(crate) mod listing;
pub(crate) mod need;
pub(crate) mod parallel;
pub(crate) mod types;
pub(crate) mod value;

use crate::lex::chars::{ends_clause, head};
use crate::lex::group;
use crate::lex::tokens::WINDOW;
use crate::param::{Default, Need, Type};

/// The facts in attributes and description of one parameter.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Facts {
    /// Types.
    pub(crate) types: Vec<Type>,
    /// Need.
    pub(crate) need: Option<Need>,
    /// Default.
    pub(crate) default: Option<Default>,
    /// Closed list of values.
    pub(crate) choices: Vec<String>,
    /// Text without the leading attributes; of brackets, what is not an attribute.
    pub(crate) description: String,
    /// The forms of a value beside its type, in the words of the text: `数字或逗号分隔的数字`.
    pub(crate) form: String,
}

/// Reads the attributes in brackets (without the brackets).
pub(crate) fn read_attrs(attrs: &str) -> Facts {
    let mut res = Facts::default();
    let mut others = Vec::new();
    for attr in split_attrs(attrs) {
        if !merge_attr(&mut res, attr) && !default::starts(attr) {
            others.push(attr);
        }
    }
    res.default = default::read(attrs);
    res.choices = choice::read(&others.join(", "));
    let is_said = |attr: &&str| {
        let is_choice = res
            .choices
            .iter()
            .any(|choice| attr.contains(choice.as_str()));
        let is_other = ["默认", "default", "省略"]
            .iter()
            .any(|word| attr.contains(word));
        is_choice || is_other
    };
    others.retain(|attr| !is_said(attr));
    if let Some(at) = others.iter().position(|attr| is_form(attr)) {
        others.remove(at).trim().clone_into(&mut res.form);
    }
    res.description = others.join("，");
    res
}

/// Returns true for words on a value that may be several in one text: `数字或逗号分隔的数字`.
pub(crate) fn is_form(text: &str) -> bool {
    const MAX: usize = 24;
    let is_short = text.trim().chars().count() <= MAX;
    let words = ["分隔的", "分割的", "separated "];
    let is_choice = text.contains('或') || text.to_lowercase().contains(" or ");
    is_short && is_choice && words.iter().any(|word| text.contains(word))
}

/// Returns true if brackets hold attributes: at least one word of type, need or default.
pub(crate) fn are_attrs(attrs: &str) -> bool {
    let is_mark = |attr: &str| matches!(attr.trim(), "默认" | "缺省" | "default");
    split_attrs(attrs).into_iter().any(|attr| {
        types::read(attr).is_some()
            || need::read(attr).is_some()
            || default::starts(attr) && !is_mark(attr)
    })
}

fn split_attrs(attrs: &str) -> Vec<&str> {
    group::split(head(attrs, WINDOW), |c| {
        matches!(c, ',' | '，' | ';' | '；' | '、' | '。')
    })
}

/// Adds the facts of one attribute; returns false if it may contain more than type and need.
fn merge_attr(facts: &mut Facts, attr: &str) -> bool {
    if let Some(found) = types::read(attr) {
        facts.types = found;
        return true;
    }
    if types::states_true_and_false(attr) {
        facts.types = vec![Type::Boolean];
        return true;
    }
    if let Some((word, rest)) = attr.split_once([':', '：'])
        && let Some(need @ (Need::Required | Need::Optional)) = need::read(word)
    {
        facts.need = Some(need);
        return rest.trim().is_empty();
    }
    let Some(need) = need::read(attr) else {
        return false;
    };
    if let Some(found) = types::beside_need(attr) {
        facts.types = found;
    }
    facts.need = Some(need);
    true
}

/// Reads a description: the leading attributes, then the statements of its sentences.
pub(crate) fn read_text(text: &str) -> Facts {
    if let Some(found) = assignment(text) {
        return found;
    }
    let (mut res, body) = read_leading(text);
    body.clone_into(&mut res.description);
    let body = head(body, WINDOW);
    if let Some(found) = trailing_attrs(body) {
        if res.types.is_empty() {
            res.types = found.types;
        }
        res.need = res.need.or(found.need);
        res.choices = found.choices;
    }
    if res.types.is_empty() {
        res.types = types::in_text(body);
    }
    if res.need.is_none() {
        res.need = need::in_text(body);
    }
    if !matches!(
        res.default,
        Some(Default::Bare(_) | Default::Quoted(_) | Default::Json(_))
    ) {
        res.default = default::read(body).or(res.default);
    }
    if res.choices.is_empty() {
        res.choices = choice::read(body);
    }
    res
}

/// Reads the bracket that ends a text and states a need: `份数（可选，整数）`.
fn trailing_attrs(text: &str) -> Option<Facts> {
    let text = text.trim_end_matches(['。', '.', ' ']);
    let open = text.rfind(['(', '（'])?;
    let (inner, rest) = group::take(&text[open..])?;
    let facts = (open > 0 && rest.is_empty()).then(|| read_attrs(inner))?;
    facts.need.is_some().then_some(facts)
}

/// Reads a declaration in the syntax of code: `boolean = false`, `"a" | "b" = "a"`.
fn assignment(text: &str) -> Option<Facts> {
    let (left, right) = text.split_once(" = ").filter(|_| text.len() < 200)?;
    let (left, right) = (left.trim(), right.trim().trim_end_matches([',', ';']));
    let types = types::read(left).unwrap_or_default();
    let choices = choice::read_items(left);
    if types.is_empty() && choices.len() < 2 {
        return None;
    }
    let default = default::read(&format!("default: {right}"))?;
    Some(Facts {
        types,
        choices,
        default: Some(default),
        ..Facts::default()
    })
}

/// Reads `(必需) …`, `可选，…`, `string, required. …` at the start of a text.
fn read_leading(text: &str) -> (Facts, &str) {
    let mut res = Facts::default();
    let mut rest = text.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, ':' | '：' | '-' | '–' | '—')
    });
    while let Some((inner, after)) = group::take(rest).filter(|(inner, _)| are_attrs(inner)) {
        absorb(&mut res, read_attrs(inner));
        rest = after.trim_start_matches(|c: char| {
            c.is_whitespace() || matches!(c, ',' | '，' | ':' | '：')
        });
    }
    if let Some((inner, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'))
        && are_attrs(inner)
    {
        absorb(&mut res, read_attrs(inner));
        rest = after.trim_start();
    }
    while let Some(end) = clause_end(rest) {
        let Some((found, need)) = leading_clause(rest[..end].trim()) else {
            break;
        };
        if !found.is_empty() {
            res.types = found;
        }
        res.need = need.or(res.need);
        rest = rest[end..].trim_start_matches(|c: char| {
            c.is_whitespace() || ends_clause(c) || matches!(c, '.' | ':' | '：')
        });
        rest = ["- ", "– ", "— "]
            .iter()
            .find_map(|dash| rest.strip_prefix(dash))
            .unwrap_or(rest);
        if let Some((inner, after)) = group::take(rest).filter(|(inner, _)| are_attrs(inner)) {
            absorb(&mut res, read_attrs(inner));
            rest = after.trim_start_matches(|c: char| {
                c.is_whitespace() || matches!(c, ',' | '，' | ':' | '：' | '-' | '–' | '—')
            });
        }
        if rest.is_empty() {
            break;
        }
    }
    (res, rest)
}

/// Returns the length of the first clause, if it is short; a bracket ends it as well.
fn clause_end(text: &str) -> Option<usize> {
    let window = head(text, 120);
    let at = window.char_indices().find(|&(at, c)| {
        let after = window[at + c.len_utf8()..].chars().next();
        let stop = c == '.' && after.is_none_or(char::is_whitespace);
        let dash =
            matches!(c, '-' | '–' | '—') && window[..at].ends_with(' ') && after == Some(' ');
        let bracket = matches!(c, '(' | '（') || (c == '[' && after != Some(']'));
        ends_clause(c) || stop || dash || bracket || matches!(c, ':' | '：')
    });
    match at {
        Some((0, _)) => None,
        Some((at, _)) => Some(at),
        None => (!text.is_empty() && window.len() == text.len()).then_some(text.len()),
    }
}

/// Reads a clause that states only a type or a need.
fn leading_clause(clause: &str) -> Option<(Vec<Type>, Option<Need>)> {
    if let Some(found) = types::read(clause).filter(|_| !types::may_be_value(clause)) {
        return Some((found, None));
    }
    need::whole_clause(clause)
        .map(|need| (types::beside_need(clause).unwrap_or_default(), Some(need)))
}

/// Adds the facts of one more bracket.
pub(crate) fn absorb(facts: &mut Facts, more: Facts) {
    if !more.types.is_empty() {
        facts.types = more.types;
    }
    facts.need = more.need.or(facts.need.take());
    facts.default = more.default.or(facts.default.take());
    if !more.form.is_empty() {
        facts.form = more.form;
    }
    if !more.choices.is_empty() {
        facts.choices = more.choices;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, types: &[Type], need: Option<Need>, description: &str) {
        let found = read_text(text);
        assert_eq!(
            (
                found.types.as_slice(),
                found.need,
                found.description.as_str()
            ),
            (types, need, description)
        );
    }

    #[test]
    fn leading_attributes_are_taken_off() {
        check("(必需) 城市名", &[], Some(Need::Required), "城市名");
        check("可选，返回条数", &[], Some(Need::Optional), "返回条数");
        check(
            "string, required. The city",
            &[Type::String],
            Some(Need::Required),
            "The city",
        );
        check(
            "number (optional) - how often",
            &[Type::Number],
            Some(Need::Optional),
            "how often",
        );
        check(
            "optional boolean. If true",
            &[Type::Boolean],
            Some(Need::Optional),
            "If true",
        );
        check(
            "数量（可选，默认1）",
            &[],
            Some(Need::Optional),
            "数量（可选，默认1）",
        );
        check(
            "整数，可选，-1 表示随机",
            &[Type::Integer],
            Some(Need::Optional),
            "-1 表示随机",
        );
        check("整数，可选", &[Type::Integer], Some(Need::Optional), "");
    }

    #[test]
    fn declarations_as_code() {
        let found = read_text("boolean = false");
        assert_eq!(
            (found.types, found.default),
            (vec![Type::Boolean], Some(Default::Bare("false".to_owned())))
        );
        assert_eq!(read_text("\"a\" | \"b\" = \"a\"").choices, ["a", "b"]);
    }

    #[test]
    fn brackets_that_explain_stay() {
        check("(摄氏) 温度", &[], None, "(摄氏) 温度");
    }

    #[test]
    fn attributes_with_more_than_one_word() {
        let found = read_attrs("optional: open|done, default open");
        assert_eq!(
            (found.need, found.choices),
            (
                Some(Need::Optional),
                vec!["open".to_owned(), "done".to_owned()]
            )
        );
        assert_eq!(read_attrs("可选，true/false").types, [Type::Boolean]);
    }

    #[test]
    fn attribute_words() {
        assert!(are_attrs("字符串, 必需"));
        assert!(are_attrs("optional, default 3"));
        assert!(!are_attrs("层数"));
    }
}
