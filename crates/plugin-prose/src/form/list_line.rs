//! Forms A and B: `- name (type, 必需): text`, `- name: 可选，text`, `- name: text`.

use std::borrow::Cow;

use crate::fact::{self, Facts};
use crate::form::calls;
use crate::form::entry::Entry;
use crate::form::flag;
use crate::form::section::may_select;
use crate::lex::chars::{find_word, is_cjk, strip_word};
use crate::lex::group;
use crate::lex::names::{self, Names};
use crate::param::{Form, Need};

/// Words that resemble names but begin a remark.
const REMARKS: [&str; 32] = [
    "http",
    "https",
    "file",
    "note",
    "notes",
    "example",
    "examples",
    "tip",
    "warning",
    "e",
    "i",
    "eg",
    "ie",
    "usage",
    "json",
    "returns",
    "return",
    "default",
    "step",
    "output",
    "description",
    "todo",
    "limits",
    "limitations",
    "remarks",
    "remark",
    "caution",
    "important",
    "tips",
    "version",
    "see",
    "hint",
];

/// A line that begins with the names of arguments.
#[derive(Clone, Debug)]
pub(crate) enum ListLine {
    /// A parameter.
    Param(Box<Entry>),
    /// An argument that the text fixes to one value.
    Const(String, String),
}

/// The context of a bare `name: text`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trust {
    /// Below a heading of parameters.
    Listed,
    /// Before any heading, where backticks decide.
    Ticked,
    /// Elsewhere, where only words of type or need decide.
    Stated,
}

/// Reads one line (without its bullet).
pub(crate) fn read(text: &str, bullet: bool, trust: Trust) -> Option<ListLine> {
    if !bullet && text.starts_with(['"', '\'', '“', '「']) {
        return None;
    }
    let plain = with_comment(without_stars(text));
    let listed = trust == Trust::Listed;
    let flagged = listed && flag::read(&plain).is_some();
    let bullet = bullet || flagged;
    let (names, rest) = names::take(&plain)
        .filter(|_| !flagged)
        .or_else(|| labelled(&plain).filter(|_| listed))
        .or_else(|| spoken(&plain).filter(|_| listed && bullet))
        .or_else(|| option(&plain).filter(|_| listed))?;
    let optional = rest.strip_prefix('?').filter(|rest| rest.starts_with(':'));
    let after_name = noun(optional.unwrap_or(rest));
    // `2. name参数：…` calls it a parameter itself.
    let is_called_so = bullet && optional.is_none() && after_name.len() < rest.len();
    let trust = if is_called_so { Trust::Listed } else { trust };
    let (mut attrs, had_attrs, rest) = brackets(after_name);
    if optional.is_some() {
        attrs.need = Some(Need::Optional);
    }
    let (rest, separated) = match separator(rest, had_attrs, rest.len() < after_name.len()) {
        Some((rest, separated)) => (rest, separated || flagged),
        None if flagged => (rest.trim(), true),
        None => return None,
    };
    let selects = names.list.len() == 1 && may_select(&names.list[0]);
    if let Some(value) = fixed_value(rest).filter(|_| selects) {
        return names
            .list
            .into_iter()
            .next()
            .map(|name| ListLine::Const(name, value));
    }
    let form = form(&names, &attrs, had_attrs, rest, bullet, separated, trust)?;
    let entry = Entry::new(names, attrs, rest, form);
    Some(ListLine::Param(Box::new(entry)))
}

/// Reads a name in brackets after its label: `城市 (city): …`.
fn labelled(text: &str) -> Option<(Names, &str)> {
    let open = text.find(['(', '（']).filter(|&at| at > 0 && at < 40)?;
    let (inner, rest) = group::take(&text[open..])?;
    let label = text[..open].trim();
    let spoken = label.chars().all(|c| is_cjk(c) || c == ' ') && !label.is_empty();
    let (names, after) = names::take(inner.trim())?;
    let sole = after.trim().is_empty() && names.list.iter().all(|name| name.len() > 1);
    (spoken && sole && rest.trim_start().starts_with([':', '：'])).then_some((names, rest))
}

/// Reads a name in Chinese, which needs attributes: `单号（必填）：…`.
fn spoken(text: &str) -> Option<(Names, &str)> {
    let end = text.find(|c| !is_cjk(c))?;
    let (inner, after) =
        group::take(&text[end..]).filter(|_| text[end..].starts_with(['(', '（']))?;
    let name = &text[..end];
    let facts = fact::read_attrs(inner);
    let stated =
        matches!(facts.need, Some(Need::Required | Need::Optional)) || !facts.types.is_empty();
    let short = end > 0 && name.chars().count() <= 8;
    (short && stated && after.trim_start().starts_with([':', '：']))
        .then(|| (Names::single(name), &text[end..]))
}

/// Reads `--name <value>  text`.
fn option(text: &str) -> Option<(Names, &str)> {
    let (name, rest) = flag::read(text)?;
    Some((Names::single(name), rest))
}

/// Turns a comment into one more clause: `string  // required`.
fn with_comment(text: Cow<'_, str>) -> Cow<'_, str> {
    match text.split_once(" // ") {
        Some((code, comment)) => Cow::Owned(format!(
            "{}，{}",
            code.trim_end().trim_end_matches([',', ';']),
            comment.trim_start()
        )),
        None => text,
    }
}

/// Reads `<int>` after a name.
fn angled(text: &str) -> Option<(&str, &str)> {
    let (inner, rest) = text.strip_prefix('<')?.split_once('>')?;
    fact::types::read(inner).map(|_| (inner, rest))
}

/// Returns a text without the marks of bold type.
fn without_stars(text: &str) -> Cow<'_, str> {
    if text.contains("**") {
        Cow::Owned(text.replace("**", ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// Skips the noun after a name: `name 参数：`, `name parameter:`.
fn noun(rest: &str) -> &str {
    let body = rest.trim_start();
    for word in ["参数", "字段", "parameter", "field"] {
        if let Some(after) = strip_word(body, word)
            .filter(|after| after.trim_start().starts_with([':', '：', '(', '（']))
        {
            return after;
        }
    }
    rest
}

/// Reads the brackets after the names; those without attributes stay in the text.
fn brackets(rest: &str) -> (Facts, bool, &str) {
    let (mut facts, mut had) = (Facts::default(), false);
    let mut rest = rest;
    loop {
        let body = rest.trim_start().trim_start_matches(['*', '_', '`']);
        let Some((inner, after)) = group::take(body).or_else(|| angled(body)) else {
            break;
        };
        if fact::are_attrs(inner) {
            fact::absorb(&mut facts, fact::read_attrs(inner));
            had = true;
        } else if fact::is_form(inner) {
            inner.trim().clone_into(&mut facts.form);
        } else if !after
            .trim_start()
            .starts_with([':', '：', '(', '（', '-', '–', '—'])
        {
            break;
        }
        rest = after.trim_start_matches(['*', '`']);
    }
    (facts, had, rest)
}

/// Skips the separator between the names and the text.
fn separator(rest: &str, had_attrs: bool, had_brackets: bool) -> Option<(&str, bool)> {
    let body = rest.trim_start();
    let blank = body.len() < rest.len() || had_brackets;
    if body.is_empty() {
        return Some((body, false));
    }
    if let Some(after) = body.strip_prefix('：') {
        return Some((after.trim(), true));
    }
    if let Some(after) = body.strip_prefix(':') {
        let open = after.is_empty()
            || had_attrs
            || after.starts_with(|c: char| {
                c.is_whitespace()
                    || is_cjk(c)
                    || matches!(c, '`' | '\'' | '"' | '(' | '（' | '[' | '「' | '“' | '*')
            });
        return open.then(|| (after.trim(), true));
    }
    for mark in ["- ", "– ", "— ", "—— ", "→", "=> ", "-> ", "= "] {
        if let Some(after) = body.strip_prefix(mark).filter(|_| blank || had_attrs) {
            return Some((after.trim(), true));
        }
    }
    if let Some(after) = body
        .strip_prefix('=')
        .filter(|after| !blank && after.starts_with(is_cjk))
    {
        return Some((after.trim(), true));
    }
    if let Some(after) = body.strip_prefix("->").filter(|_| blank) {
        return Some((after.trim(), true));
    }
    had_attrs.then(|| {
        (
            body.trim_start_matches(['，', ',', '。', '.']).trim(),
            false,
        )
    })
}

/// Returns the form of a line, if it has one.
fn form(
    names: &Names,
    attrs: &Facts,
    had_attrs: bool,
    rest: &str,
    bullet: bool,
    separated: bool,
    trust: Trust,
) -> Option<Form> {
    let stated = !attrs.types.is_empty() || attrs.need.is_some();
    if stated && (bullet || separated || rest.is_empty()) {
        return Some(Form::A1);
    }
    if bullet && separated && calls::ends_with_need(rest) {
        return Some(Form::B1);
    }
    if names
        .list
        .iter()
        .any(|name| is_remark(name, bullet, trust) && !names.ticked)
        || (!separated && !bullet)
    {
        return None;
    }
    let leading = fact::read_text(rest);
    let leads = leading.description.len() < rest.trim().len()
        && (leading.need.is_some() || !leading.types.is_empty());
    let optional = leading.need.is_some()
        && (rest.starts_with("可选") || rest.starts_with("必填") || rest.starts_with("必需"));
    let both = leading.need.is_some() && !leading.types.is_empty() && leads;
    if (leads || optional || had_attrs) && (bullet || both || trust == Trust::Listed) {
        return Some(Form::B1);
    }
    if separated && !rest.contains('。') && calls::ends_with_need(rest) {
        return Some(Form::B1);
    }
    let believed = match trust {
        Trust::Listed => true,
        Trust::Ticked => names.ticked && bullet,
        Trust::Stated => false,
    };
    (believed && (separated || rest.is_empty())).then_some(Form::B2)
}

/// Returns true if a line begins with a word that usually begins a remark.
pub(crate) fn is_remark_line(text: &str) -> bool {
    names::take_ident(text.trim_start_matches('*'))
        .is_some_and(|(name, _)| is_remark(name, true, Trust::Stated))
}

/// Returns true for a remark: `Note: …` and `Limits: …` after a list are not parameters, but `note:
/// …` in a list may be one.
fn is_remark(name: &str, bullet: bool, trust: Trust) -> bool {
    let word = name.to_ascii_lowercase();
    let shouted = name.starts_with(|c: char| c.is_ascii_uppercase()) && !bullet;
    REMARKS.contains(&word.as_str()) && (trust != Trust::Listed || shouted)
}

/// Words of need that may precede a fixed value.
const NEEDS: [&str; 5] = ["可选", "必填", "必需", "required", "optional"];

/// Words that fix a value.
const FIXED: [&str; 15] = [
    "固定值为",
    "固定传入",
    "固定填写",
    "固定填",
    "固定使用",
    "固定值",
    "固定为",
    "固定是",
    "固定",
    "必须固定为",
    "值固定为",
    "恒为",
    "fixed",
    "always",
    "constant",
];

/// Returns the value of `固定为 X`, `fixed as X`, `固定传入 X`, `must be "X"`.
///
/// Source: `docs/design/calls-in-prose.md`, "Forms", B0.
pub(crate) fn fixed_value(text: &str) -> Option<String> {
    let body = text.trim_start();
    let body = NEEDS
        .iter()
        .find_map(|need| strip_word(body, need))
        .unwrap_or(body);
    let body = body.trim_start_matches([' ', '，', ',', '；', ';', '.']);
    let rest = FIXED
        .iter()
        .find_map(|cue| strip_word(body, cue))
        .or_else(|| quoted_only(body))?;
    let rest = rest.trim_start_matches([' ', ':', '：', '为', '=']);
    let rest = ["value ", "as ", "to ", "set to "]
        .iter()
        .find_map(|word| strip_word(rest, word))
        .unwrap_or(rest);
    let value = match group::take_quote(rest.trim_start()) {
        Some((inner, _)) => inner.trim(),
        None => names::take_ident(rest)
            .filter(|(_, after)| ends_value(after))
            .map(|(name, _)| name)?,
    };
    let word = !value.is_empty() && value.len() <= 64 && !value.contains(char::is_whitespace);
    word.then(|| value.to_owned())
}

/// Returns true if only punctuation or Chinese follows a bare value: `always print details` fixes
/// no value.
fn ends_value(after: &str) -> bool {
    after
        .trim_start()
        .chars()
        .next()
        .is_none_or(|c| !c.is_ascii_alphanumeric())
        && !after.starts_with(is_cjk)
}

/// Reads `must be "x"` with one quoted value.
fn quoted_only(text: &str) -> Option<&str> {
    let rest = ["必须为", "必须是", "must be ", "set to "]
        .iter()
        .find_map(|cue| strip_word(text, cue))?;
    let (_, after) = group::take_quote(rest.trim_start())?;
    let more = after.trim_start().starts_with(['或', '/', '|', '、', ','])
        || find_word(after.get(..5).unwrap_or(after), "or ", 0).is_some();
    (!more).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Type;

    #[track_caller]
    fn check(text: &str, trust: Trust, expected: Option<Form>) {
        let found = match read(text, true, trust) {
            Some(ListLine::Param(entry)) => Some(entry.form),
            _ => None,
        };
        assert_eq!(found, expected);
    }

    #[track_caller]
    fn check_const(text: &str, key: &str, value: &str) {
        match read(text, true, Trust::Stated) {
            Some(ListLine::Const(found, fixed)) => {
                assert_eq!((found.as_str(), fixed.as_str()), (key, value));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn form_a() {
        check("city (字符串, 必需): 城市", Trust::Stated, Some(Form::A1));
        check("city（必需）：城市", Trust::Stated, Some(Form::A1));
        check(
            "**city** (string, required) - The city",
            Trust::Stated,
            Some(Form::A1),
        );
        check("`city` *(string)*: The city", Trust::Stated, Some(Form::A1));
        check("city [optional]: The city", Trust::Stated, Some(Form::A1));
    }

    #[test]
    fn names_and_types_as_code_writes_them() {
        check(
            "city <string> (required) The city",
            Trust::Stated,
            Some(Form::A1),
        );
        check("cc?: string[]", Trust::Listed, Some(Form::A1));
        check("城市 (city): 必需，名称", Trust::Listed, Some(Form::B1));
        check("文生图(generate)：生成图像", Trust::Stated, None);
    }

    #[test]
    fn form_b() {
        check("city: 可选，城市", Trust::Stated, Some(Form::B1));
        check(
            "city: string, required. The city",
            Trust::Stated,
            Some(Form::B1),
        );
        check("city: 城市", Trust::Listed, Some(Form::B2));
        check("`city`: 城市", Trust::Ticked, Some(Form::B2));
        check("city - the city", Trust::Listed, Some(Form::B2));
        check("city", Trust::Listed, Some(Form::B2));
        check("city（城市）— 必填", Trust::Listed, Some(Form::B1));
    }

    #[test]
    fn other_lines() {
        check("city: 城市", Trust::Stated, None);
        check("worker:fast（默认）= 本地", Trust::Ticked, None);
        check("http://x", Trust::Listed, None);
        check("使用 city 查询", Trust::Listed, None);
        check("city weather is fine", Trust::Listed, None);
    }

    #[test]
    fn constants() {
        check_const("command: 固定为 boil_all。", "command", "boil_all");
        check_const("`command`: fixed as `boil`.", "command", "boil");
        check_const("action (字符串, 必需): 固定为 'steep'。", "action", "steep");
        check_const("command: 可选，固定为 `steep`；不写时", "command", "steep");
    }

    #[test]
    fn words_that_fix_nothing() {
        check("mode: always print details", Trust::Listed, Some(Form::B2));
        check("format: 固定为 json", Trust::Listed, Some(Form::B2));
    }

    #[test]
    fn attributes_are_kept() {
        let Some(ListLine::Param(entry)) = read("n (整数, 可选, 默认3): 条数", true, Trust::Stated)
        else {
            panic!()
        };
        assert_eq!(
            (entry.attrs.types, entry.attrs.need, entry.text.as_str()),
            (vec![Type::Integer], Some(Need::Optional), "条数")
        );
    }
}
