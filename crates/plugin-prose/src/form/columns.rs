//! Reads columns without bars: `city    字符串  必填  城市名`, `` `city` <string> 必填 城市名 ``.

use crate::fact::{Facts, need, types};
use crate::form::entry::Entry;
use crate::lex::chars::is_cjk;
use crate::lex::names;
use crate::param::{Form, Need};

/// Reads one line: a name, then cells with at least one type and one need.
pub(crate) fn read(text: &str) -> Option<Entry> {
    let (name, rest) = names::take(text).filter(|(name, _)| name.list.len() == 1)?;
    let aligned = rest.starts_with("  ") || rest.starts_with('\t');
    let angled = rest.trim_start().starts_with('<');
    if !aligned && !angled {
        return None;
    }
    let mut attrs = Facts::default();
    let mut rest = rest.trim_start();
    for _ in 0..2 {
        let (cell, after) = cell(rest);
        let inner = cell.trim_matches(['<', '>', '(', ')', '（', '）']);
        if let Some(found) = types::read(inner).filter(|_| attrs.types.is_empty()) {
            attrs.types = found;
        } else if let Some(found @ (Need::Required | Need::Optional)) = need::read(inner) {
            attrs.need = Some(found);
        } else {
            break;
        }
        rest = after;
    }
    let stated = !attrs.types.is_empty()
        && (attrs.need.is_some() || aligned && !rest.is_empty() && rest.starts_with(is_cjk));
    stated.then(|| Entry::new(name, attrs, rest, Form::A1))
}

/// Returns the first word and the text after the blanks that follow it.
fn cell(text: &str) -> (&str, &str) {
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&(&str, Option<Need>, &str)>) {
        let found = read(text);
        let found = found.as_ref().map(|entry| {
            (
                entry.names.list[0].as_str(),
                entry.attrs.need.clone(),
                entry.text.as_str(),
            )
        });
        assert_eq!(found.as_ref(), expected);
    }

    #[test]
    fn aligned_cells() {
        check(
            "leaf    字符串  必填  茶名",
            Some(&("leaf", Some(Need::Required), "茶名")),
        );
        check("cups\t整数\t几杯", Some(&("cups", None, "几杯")));
        check(
            "`leaf` <string> 选填 茶名",
            Some(&("leaf", Some(Need::Optional), "茶名")),
        );
        check("leaf 字符串", None);
        check("tea  is fine", None);
    }
}
