//! Finds the argument that selects the command.
//!
//! Source: `docs/design/calls-in-prose.md`, "Dispatch", and "Labels", rule 3: the call blocks first, then a line that
//! fixes the value, then the code, then the convention. A selector that takes several values
//! within one command is a parameter.

use crate::fact;
use crate::form::calls::{self, FlatCall};
use crate::form::entry::Entry;
use crate::form::outline::Outline;
use crate::form::section::{SELECTORS, may_select};
use crate::reading::{Dispatch, DispatchSource};
use crate::source::CommandSource;

/// Finds the selector.
pub(crate) fn decide(
    source: &CommandSource<'_>,
    outline: &Outline,
    calls: &[FlatCall],
) -> Option<Dispatch> {
    if source.n_commands <= 1 {
        return if is_parameter(source, outline, calls) {
            None
        } else {
            of_single(source, outline, calls)
        };
    }
    by_identifier(source, calls)
        .or_else(|| by_const(outline, calls))
        .or_else(|| by_one_value(outline, calls))
        .or_else(|| by_convention(source, outline, calls))
}

/// Finds the selector of a plugin with one command: its value is the command, or the text fixes it. An
/// example alone shows one of several values as well.
fn of_single(
    source: &CommandSource<'_>,
    outline: &Outline,
    calls: &[FlatCall],
) -> Option<Dispatch> {
    let found = by_identifier(source, calls)
        .filter(|found| SELECTORS.contains(&&*found.key) && !explains(source, found));
    found.or_else(|| by_const(outline, calls))
}

/// Returns true if an item of the text describes the selector without its value: `- command: see below`.
fn explains(source: &CommandSource<'_>, found: &Dispatch) -> bool {
    source.description.lines().any(|line| {
        let text = line.trim().trim_start_matches(['-', '*', '•', '`', ' ']);
        let rest = text.strip_prefix(&*found.key);
        let rest = rest.map(|rest| rest.trim_start_matches(['`', '*', ' ']));
        rest.is_some_and(|rest| {
            rest.starts_with([':', '：', '(', '（'])
                && !rest.contains(&*found.value)
                && !rest.contains("「始")
        })
    })
}

/// Compares identifiers without case and word separators.
fn same(a: &str, b: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect()
    };
    a == b || (!plain(a).is_empty() && plain(a) == plain(b))
}

fn is_id(source: &CommandSource<'_>, value: &str) -> bool {
    !value.is_empty()
        && (same(value, source.id) || source.other_ids.iter().any(|id| same(value, id)))
}

/// Returns true if a selector takes several values in this command.
fn is_parameter(source: &CommandSource<'_>, outline: &Outline, calls: &[FlatCall]) -> bool {
    SELECTORS.iter().any(|key| {
        let declared = outline
            .entries
            .iter()
            .any(|entry| entry.names.list.iter().any(|name| name == key));
        let mut shown = calls.iter().filter_map(|call| call.get(key));
        let first = shown.next();
        let several = first.is_some_and(|first| shown.any(|other| !same(first, other)));
        let one_of_listed = |value: &&str| {
            outline
                .values
                .get(*key)
                .is_some_and(|listed| listed.iter().any(|other| other == value) && listed.len() > 1)
        };
        let many = several || first.is_some_and(|value| !calls::alternatives(value).is_empty());
        let listed = outline
            .values
            .get(*key)
            .is_some_and(|values| values.len() > 1);
        many || (declared && listed && first.is_none())
            || (declared && first.is_some_and(|value| !is_id(source, value.trim())))
            || first.as_ref().is_some_and(one_of_listed)
    })
}

/// Finds a field of a call whose value is the identifier.
fn by_identifier(source: &CommandSource<'_>, calls: &[FlatCall]) -> Option<Dispatch> {
    let arguments = calls.iter().flat_map(|call| &call.arguments);
    let found = arguments
        .filter(|argument| may_select(&argument.key))
        .find(|argument| is_id(source, argument.value.trim()))?;
    Some(Dispatch {
        key: found.key.clone(),
        value: found.value.trim().to_owned(),
        source: DispatchSource::Example,
    })
}

/// Finds a line that fixes an argument to one value.
fn by_const(outline: &Outline, calls: &[FlatCall]) -> Option<Dispatch> {
    let (key, value) = outline.consts.iter().find(|(key, _)| may_select(key))?;
    let shown = calls.iter().any(|call| call.get(key) == Some(value));
    let source = if shown {
        DispatchSource::Example
    } else {
        DispatchSource::Const
    };
    Some(Dispatch {
        key: key.clone(),
        value: value.clone(),
        source,
    })
}

/// Finds a selector that every call sets to the same word, and that no line declares with another value.
fn by_one_value(outline: &Outline, calls: &[FlatCall]) -> Option<Dispatch> {
    SELECTORS.iter().find_map(|key| {
        let value = calls.first()?.get(key)?;
        let word = !value.is_empty()
            && value.len() <= 64
            && value
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        let always = calls.iter().all(|call| call.get(key) == Some(value));
        let declared = outline
            .entries
            .iter()
            .any(|entry| declares(entry, key) && entry.text.trim() != value);
        (word && always && !declared).then(|| Dispatch {
            key: (*key).to_owned(),
            value: value.to_owned(),
            source: DispatchSource::Example,
        })
    })
}

fn declares(entry: &Entry, key: &str) -> bool {
    entry.names.list.iter().any(|name| name == key)
}

/// Assumes `command=<id>` if a plugin has several commands and shows no call of this one, nor lists
/// other values of `command`.
fn by_convention(
    source: &CommandSource<'_>,
    outline: &Outline,
    calls: &[FlatCall],
) -> Option<Dispatch> {
    let has_values =
        |entry: &Entry| declares(entry, SELECTORS[0]) && fact::choice::read(&entry.text).len() > 1;
    let is_listed = outline.entries.iter().any(has_values);
    if source.n_commands <= 1 || !calls.is_empty() || source.id.is_empty() || is_listed {
        return None;
    }
    let ids = std::iter::once(source.id).chain(source.other_ids.iter().copied());
    let in_code = ids.clone().find(|id| source.in_code.contains(id));
    let (value, found) = match in_code {
        Some(id) => (id, DispatchSource::Code),
        None => (source.id, DispatchSource::Assumed),
    };
    Some(Dispatch {
        key: SELECTORS[0].to_owned(),
        value: value.to_owned(),
        source: found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{InCode, NoCode};
    use crate::{CommandReading, read_command};

    #[derive(Debug)]
    struct Code(&'static str);

    impl InCode for Code {
        fn contains(&self, literal: &str) -> bool {
            literal == self.0
        }
    }

    fn read(
        id: &str,
        n_commands: usize,
        description: &str,
        in_code: &dyn InCode,
    ) -> CommandReading {
        read_command(&CommandSource {
            plugin: "T",
            id,
            other_ids: &[],
            n_commands,
            description,
            examples: &[],
            structured: None,
            in_code,
        })
    }

    /// Checks the selector, written as `key=value/source`.
    #[track_caller]
    fn check(id: &str, n_commands: usize, description: &str, expected: Option<&str>) {
        let found = read(id, n_commands, description, &NoCode).dispatch;
        let found =
            found.map(|found| format!("{}={}/{}", found.key, found.value, found.source.word()));
        assert_eq!(found.as_deref(), expected);
    }

    fn block(fields: &str) -> String {
        format!(
            "<<<[TOOL_REQUEST]>>>\ntool_name:「始」T「末」,\n{fields}\n<<<[END_TOOL_REQUEST]>>>"
        )
    }

    #[test]
    fn a_field_that_names_the_command() {
        check(
            "ListAll",
            2,
            &block("command:「始」list_all「末」"),
            Some("command=list_all/example"),
        );
        check(
            "Go",
            2,
            &block("action:「始」go「末」"),
            Some("action=go/example"),
        );
        check(
            "Go",
            1,
            &block("command1:「始」Go「末」,\nx1:「始」1「末」"),
            Some("command=Go/example"),
        );
    }

    #[test]
    fn a_field_with_one_value_of_its_own() {
        check(
            "MakeImage",
            2,
            &block("command:「始」make「末」"),
            Some("command=make/example"),
        );
        let call = block("command:「始」make「末」");
        let declared = format!("参数:\n- command (字符串, 必需): make\n{call}");
        check("MakeImage", 2, &declared, Some("command=make/example"));
        let open = format!("支持 command=make/show。\n{call}");
        check("MakeImage", 2, &open, None);
    }

    #[test]
    fn a_line_that_fixes_the_value() {
        check(
            "Go",
            2,
            "- command: 固定为 go_now。\n- x: 可选，值",
            Some("command=go_now/const"),
        );
    }

    #[test]
    fn nothing_shown() {
        check("Go", 2, "Does it.", Some("command=Go/assumed"));
        check("Go", 1, "Does it.", None);
        check("Go", 2, &block("x:「始」1「末」"), None);
        let found = read("Go", 2, "Does it.", &Code("Go")).dispatch;
        assert_eq!(found.map(|found| found.source), Some(DispatchSource::Code));
    }

    #[test]
    fn the_selector_of_a_single_command_names_it() {
        check("Play", 1, &block("action:「始」song_info「末」"), None);
        check("Play", 1, &block("search_type:「始」play「末」"), None);
        check(
            "Play",
            1,
            &block("action:「始」play「末」"),
            Some("action=play/example"),
        );
        check(
            "Play",
            1,
            &format!(
                "- command: see below\n{}",
                block("command:「始」Play「末」")
            ),
            None,
        );
        check(
            "Play",
            1,
            "- command: 固定为 go。",
            Some("command=go/const"),
        );
    }

    #[test]
    fn a_selector_with_the_identifier_is_told_in_passing() {
        let call = block("command:「始」Play「末」");
        check(
            "Play",
            1,
            &format!("1. tool_name:「始」T「末」\n2. command:「始」Play「末」\n{call}"),
            Some("command=Play/example"),
        );
        check(
            "Play",
            1,
            &format!("{call}\n返回：\n- 成功 -> {{ status, command, key }}"),
            Some("command=Play/example"),
        );
        check(
            "Look",
            2,
            "参数:\n- command (字符串, 必需): look 或 look_json\n- word (字符串): 词",
            None,
        );
    }

    #[test]
    fn a_selector_with_several_values_is_a_parameter() {
        let text = format!(
            "{}\n{}",
            block("command:「始」a「末」"),
            block("command:「始」b「末」")
        );
        check("Go", 1, &text, None);
        check("Go", 1, &block("command:「始」get / set「末」"), None);
        check(
            "Shell",
            1,
            &format!(
                "参数:\n- command (字符串, 必需): 要执行的命令\n{}",
                block("command:「始」ls「末」")
            ),
            None,
        );
    }
}
