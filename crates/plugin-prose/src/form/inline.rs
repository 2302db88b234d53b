//! Form C: lists inside a sentence: `必需参数: a(数字), b。可选: c`, ``Required fields: `a`. ``

use crate::fact::{self, Facts, need};
use crate::form::entry::Entry;
use crate::form::label::{self, Label};
use crate::form::list_line::fixed_value;
use crate::lex::chars::{is_cjk, strip_word};
use crate::lex::group;
use crate::lex::names::{self, Joint, Names};
use crate::param::{Form, Need};

/// The declarations in the lists of a line.
#[derive(Clone, Default, Debug)]
pub(crate) struct Inline {
    /// Parameters.
    pub(crate) entries: Vec<Entry>,
    /// Arguments with a fixed value.
    pub(crate) consts: Vec<(String, String)>,
}

/// Reads the lists of one line.
pub(crate) fn read(line: &str) -> Inline {
    let mut res = Inline::default();
    if let Some((list, label)) = provided(line) {
        read_list(&list[..list_length(list)], label, &mut res);
    }
    let mut at = 0;
    while let Some((label, start)) = label::next(line, at) {
        let list = &line[start..];
        let length = list_length(list);
        read_list(&list[..length], label, &mut res);
        at = start + length.max(1);
        at = trailing(line, at, &mut res);
        while !line.is_char_boundary(at.min(line.len())) {
            at += 1;
        }
    }
    res
}

/// Reads names of one way to call among parameters: `编号写法：cup1、cup2 …（说明）`.
pub(crate) fn way(line: &str) -> Inline {
    let mut res = Inline::default();
    let Some((label, list)) = line.split_once(['：', ':']) else {
        return res;
    };
    let label = label.trim().trim_matches('*');
    let named = ["写法", "形式", "方式", "格式", "字段", "style", "form"]
        .iter()
        .any(|tail| label.ends_with(tail));
    if named && label.chars().count() <= 12 {
        let list = list.trim().trim_end_matches(['…', '.', ' ']);
        read_list(
            list[..list.find(['（', '(', '…', '。']).unwrap_or(list.len())].trim(),
            Label::Any,
            &mut res,
        );
    }
    res
}

/// Reads a list without a colon, which has backticks or brackets: `Provide either `a` or `b`.`, `参数
/// a（…），b（…）`.
fn provided(line: &str) -> Option<(&str, Label)> {
    let english = ["Provide ", "Requires ", "requires ", "Needs "]
        .iter()
        .find_map(|cue| {
            let list = &line[line.find(cue)? + cue.len()..];
            strip_word(list, "either ")
                .unwrap_or(list)
                .starts_with('`')
                .then_some((list, Label::Required))
        });
    english.or_else(|| {
        let list = line[line.find("参数 ")? + "参数 ".len()..].trim_start();
        let (_, rest) = names::take(list)?;
        rest.trim_start()
            .starts_with(['（', '('])
            .then_some((list, Label::Any))
    })
}

/// Returns the length of a list, which ends with its sentence.
fn list_length(text: &str) -> usize {
    let (mut at, mut before) = (0, ' ');
    while let Some(c) = text[at..].chars().next() {
        let stop = matches!(c, '。' | '\n')
            || (at > 0
                && matches!(c, '；' | ';' | '，' | ',')
                && label::follows(&text[at + c.len_utf8()..]))
            || matches!(c, ')' | '）')
            || (c == '.'
                && text[at + 1..]
                    .chars()
                    .next()
                    .is_none_or(char::is_whitespace));
        if stop {
            break;
        }
        at += group::skip(&text[at..], c, before);
        before = c;
    }
    at
}

/// Reads the entries of one list; adds nothing if the text turns out not to be a list.
fn read_list(list: &str, label: Label, res: &mut Inline) {
    // Those in brackets belong to one piece.
    let semicolons = group::split(list, |c| matches!(c, '；' | ';')).len() > 1;
    let pieces = group::split(list, |c| {
        if semicolons {
            matches!(c, '；' | ';')
        } else {
            matches!(c, ',' | '，' | '、')
        }
    });
    let mut reader = Reader {
        label,
        list,
        choosing: false,
        found: Vec::new(),
        consts: Vec::new(),
    };
    if pieces.into_iter().all(|piece| reader.piece(piece)) {
        res.entries.append(&mut reader.found);
        res.consts.append(&mut reader.consts);
    }
}

/// Reads the pieces of one list.
struct Reader<'a> {
    label: Label,
    list: &'a str,
    choosing: bool,
    found: Vec<Entry>,
    consts: Vec<(String, String)>,
}

impl Reader<'_> {
    /// Reads one piece; returns false if the text is not a list.
    fn piece(&mut self, piece: &str) -> bool {
        let (stated, piece) = stated_need(self.cue(piece.trim()));
        let Some((names, rest)) = names::take(piece) else {
            return self.attach(piece);
        };
        if let Some(need) = stated.filter(|_| rest.trim().is_empty()) {
            let facts = Facts {
                need: Some(need),
                ..Facts::default()
            };
            self.push(&names, &facts, "", piece);
            return true;
        }
        if names.list.iter().any(|name| is_nothing(name)) {
            return true;
        }
        if let Some(value) =
            fixed_value(rest.trim_start_matches([':', '：'])).filter(|_| names.list.len() == 1)
        {
            self.consts
                .extend(names.list.into_iter().map(|name| (name, value.clone())));
            return true;
        }
        if let Some((inner, more)) = joined(rest) {
            let facts = if fact::are_attrs(inner) {
                fact::read_attrs(inner)
            } else {
                fact::read_text(inner)
            };
            self.push(&names, &facts, inner, piece);
            return self.piece(more);
        }
        if let Some((inner, more)) = alternative(rest) {
            return self.either(&names, inner, more);
        }
        let Some((rest, facts)) = entry_rest(rest, names.ticked || self.label != Label::Any) else {
            return false;
        };
        let text = if strip_word(rest.trim_start(), "plus ").is_some() {
            ""
        } else {
            rest
        };
        self.push(&names, &facts, text, piece);
        match strip_word(rest.trim_start(), "plus ") {
            Some(more) => {
                self.choosing = false;
                self.piece(more)
            }
            None => true,
        }
    }

    /// Reads two names of which one is given, each with its bracket: `pot(壶名) 或 cup(杯名)`. Where others are
    /// called optional and these are not, one of them is needed.
    fn either(&mut self, first: &Names, inner: &str, more: &str) -> bool {
        let Some((second, rest)) = names::take(more) else {
            return false;
        };
        let Some((rest, other)) = entry_rest(rest, second.ticked || self.label != Label::Any)
        else {
            return false;
        };
        let facts = fact::read_attrs(inner);
        let stated = facts.need.clone().or_else(|| other.need.clone());
        let need = match stated {
            Some(Need::Required) => Some(Need::When("二选一".to_owned())),
            None if self.list.contains("可选") => Some(Need::When("二选一".to_owned())),
            stated => stated,
        };
        for (names, facts, text) in [(first, facts, inner), (&second, other, rest)] {
            let facts = Facts {
                need: need.clone(),
                ..facts
            };
            self.push(names, &facts, text, "");
        }
        true
    }

    /// Removes `one of`, `or` and `plus` from a piece and records their meaning.
    fn cue<'b>(&mut self, piece: &'b str) -> &'b str {
        for cue in [
            "one of",
            "either",
            "任一",
            "其中之一",
            "plus",
            "or",
            "and",
            "和",
            "以及",
            "或",
        ] {
            if let Some(rest) = strip_word(piece, cue)
                .filter(|rest| !cue.is_ascii() || rest.starts_with([' ', '`']))
            {
                self.choosing = match cue {
                    "plus" => false,
                    "and" | "和" | "以及" => self.choosing,
                    _ => true,
                };
                return rest.trim_start_matches([' ', ':']);
            }
        }
        piece
    }

    fn push(&mut self, names: &Names, facts: &Facts, rest: &str, piece: &str) {
        let either =
            names.joint == Joint::Slash && (piece.contains(" or ") || piece.contains('或'));
        let conditional = self.choosing || either;
        let mut facts = facts.clone();
        if either && names.list.len() == 2 && facts.need == Some(Need::Required) {
            let words = if piece.contains('或') {
                "二选一"
            } else {
                "one of them"
            };
            facts.need = Some(Need::When(words.to_owned()));
        }
        for names in split_names(names, conditional) {
            let mut entry = Entry::new(names, facts.clone(), rest, Form::C);
            entry.section_need = if conditional && self.label == Label::Required {
                Some(Need::When(self.list.trim().to_owned()))
            } else {
                self.label.need()
            };
            self.found.push(entry);
        }
    }

    /// Adds a piece without a name to the entry before it: `limit，默认10`.
    fn attach(&mut self, piece: &str) -> bool {
        match self.found.last_mut() {
            Some(last) if !piece.is_empty() => last.push_text(piece),
            Some(_) => {}
            None => return false,
        }
        true
    }
}

/// Reads the need before or after a name: `optional cups`, `cups?`.
fn stated_need(piece: &str) -> (Option<Need>, &str) {
    if let Some(name) = piece.strip_suffix('?') {
        return (Some(Need::Optional), name);
    }
    let words = [
        ("optionally ", Need::Optional),
        ("optional ", Need::Optional),
        ("required ", Need::Required),
        ("可选的", Need::Optional),
        ("可选", Need::Optional),
    ];
    let found = words.into_iter().find_map(|(word, need)| {
        let rest = piece.strip_prefix(word)?.trim_start();
        names::take(rest).map(|_| (Some(need), rest))
    });
    found.unwrap_or((None, piece))
}

/// Splits `（…）与 days（…）` into the bracket of one entry and the next entry.
fn joined(rest: &str) -> Option<(&str, &str)> {
    let (inner, after) = group::take(rest.trim_start())?;
    let after = after.trim_start();
    let more = ["以及", "和", "与", "及", "and "]
        .iter()
        .find_map(|joint| after.strip_prefix(joint))?;
    let more = more.trim_start();
    let (_, next) = names::take(more)?;
    group::take(next.trim_start()).map(|_| (inner, more))
}

/// Splits `（…）或 cup（…）` into the bracket of one entry and the other entry.
fn alternative(rest: &str) -> Option<(&str, &str)> {
    let (inner, after) = group::take(rest.trim_start())?;
    let more = after.trim_start();
    let more = more
        .strip_prefix("或")
        .or_else(|| more.strip_prefix("or "))?;
    let more = more.trim_start();
    names::take(more).map(|_| (inner, more))
}

fn is_nothing(name: &str) -> bool {
    matches!(
        name.to_ascii_lowercase().as_str(),
        "none" | "null" | "n" | "na" | "nothing" | "no" | "see"
    )
}

/// Splits alternatives into several parameters; `a / b` stays one entry.
fn split_names(names: &Names, conditional: bool) -> Vec<Names> {
    if !conditional {
        return vec![names.clone()];
    }
    let one = |name: &String| Names {
        list: vec![name.clone()],
        joint: Joint::Single,
        ..names.clone()
    };
    names.list.iter().map(one).collect()
}

/// Reads the text after the names of a piece: a bracket, words of need, a description in Chinese,
/// or nothing. Anything else means that the sentence is not a list.
fn entry_rest(rest: &str, believed: bool) -> Option<(&str, Facts)> {
    let body = rest.trim_start();
    if let Some((inner, after)) = group::take(body) {
        let facts = if fact::are_attrs(inner) {
            fact::read_attrs(inner)
        } else {
            fact::read_text(inner)
        };
        let text = if after.trim().is_empty() {
            inner
        } else {
            after.trim()
        };
        return Some((text, facts));
    }
    let spaced = body.len() < rest.len();
    let plain = match body.chars().next() {
        None => true,
        Some(c) if is_cjk(c) => true,
        Some(c) if c.is_ascii_alphabetic() => {
            need::in_text(body).is_some()
                || strip_word(body, "plus ").is_some()
                || (believed && strip_word(body, "to ").is_some())
        }
        Some(':' | '：' | '=' | '-') => spaced || !body.starts_with("://"),
        Some(_) => false,
    };
    plain.then(|| {
        let text = body.trim_start_matches([':', '：', '=', '-', ' ']);
        (text, fact::read_text(text))
    })
}

/// Reads `name(…，必须)`, which may follow a list without a label.
fn trailing(line: &str, at: usize, res: &mut Inline) -> usize {
    let rest = line.get(at.min(line.len())..).unwrap_or_default();
    let body = rest.trim_start_matches(['。', '.', ' ', '，', ',']);
    if res.entries.is_empty() || body.len() == rest.len() {
        return at;
    }
    let Some((found, after)) = names::take(body) else {
        return at;
    };
    let Some((inner, after)) = group::take(after) else {
        return at;
    };
    let facts = fact::read_attrs(inner);
    if facts.need.is_none() {
        return at;
    }
    res.entries.push(Entry::new(found, facts, inner, Form::C));
    line.len() - after.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks names with `!` if required, `?` if optional, `~` under a condition.
    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let found: Vec<String> = read(line).entries.iter().flat_map(show).collect();
        assert_eq!(found, expected);
    }

    fn show(entry: &Entry) -> Vec<String> {
        let need = entry
            .attrs
            .need
            .clone()
            .or_else(|| entry.section_need.clone());
        let mark = match need {
            Some(Need::Required) => "!",
            Some(Need::Optional) => "?",
            Some(Need::When(_)) => "~",
            None => "",
        };
        entry
            .names
            .list
            .iter()
            .map(|name| format!("{name}{mark}"))
            .collect()
    }

    #[test]
    fn chinese_lists() {
        check(
            "必需参数: id(编号), text(内容)。可选: page, q(关键词)。",
            &["id!", "text!", "page?", "q?"],
        );
        check(
            "参数：leaf（必需）、water（可选，水温）。写法：",
            &["leaf!", "water?"],
        );
        check(
            "主要参数：leaf 必需，最多 9 克；ms 默认 100；cups 为整数。",
            &["leaf!", "ms", "cups"],
        );
        check(
            "参数: pot 或 cup(必需), leaf(必需)。",
            &["pot~", "cup~", "leaf!"],
        );
        check(
            "参数: pot(壶名) 或 cup(杯名), leaf(可选)。",
            &["pot~", "cup~", "leaf?"],
        );
        check(
            "参数: pot(可选,壶名) 或 cup(杯名), leaf(必需)。",
            &["pot?", "cup?", "leaf!"],
        );
        check(
            "参数: scope(可选，默认daily；指定时查该壶), done(可选)。",
            &["scope?", "done?"],
        );
        check("- list：列表（参数：limit，默认10）", &["limit"]);
        check(
            "必需参数: leaf, guests(客人)。host(你的名字，必须)",
            &["leaf!", "guests!", "host!"],
        );
    }

    #[test]
    fn english_lists() {
        check(
            "Read it. Required fields: `id`. Optional: `goal`, `mode` (`a|b`).",
            &["id!", "goal?", "mode?"],
        );
        check(
            "Required fields: one of `tin`, `bag`, or `loose`. Optional: `kind`.",
            &["tin~", "bag~", "loose~", "kind?"],
        );
        check(
            "Required fields: `pot` or `cup`, plus `leaf`.",
            &["pot~", "cup~", "leaf!"],
        );
        check("Provide either `a` or `b` plus `c`.", &["a~", "b~", "c!"]);
        check(
            "Removes old entries. Requires `before` (YYYY-MM-DD).",
            &["before!"],
        );
        check("Optional: `a` / `b` to select one.", &["a?", "b?"]);
    }

    #[test]
    fn ways_to_call() {
        let names: Vec<_> = way("编号写法：cup1、cup2 …（按顺序）")
            .entries
            .iter()
            .flat_map(show)
            .collect();
        assert_eq!(names, ["cup1", "cup2"]);
        assert!(way("安装方式：npm install x").entries.is_empty());
    }

    #[test]
    fn sentences_that_are_not_lists() {
        check("参数: 无。", &[]);
        check("Parameters: see below", &[]);
        check("Optional: none", &[]);
        check("注意：url 很重要", &[]);
    }

    #[test]
    fn constants() {
        assert_eq!(
            read("烧水。参数：command 固定为 Boil。写法：").consts,
            [("command".to_owned(), "Boil".to_owned())]
        );
    }
}
