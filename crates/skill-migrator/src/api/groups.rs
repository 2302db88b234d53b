//! The references of a service: one page for each group of operations.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use plugin_model::ApiOperation;
use skill_model::{is_portable_name, slug};

use crate::{
    arguments::Arguments,
    markdown::{DefuseReport, code, defuse, inline, one_line},
    plan::GeneratedFile,
    render::Language,
};

use super::Service;

/// A group with the path of its page.
pub(super) struct Group<'a> {
    pub(super) name: &'a str,
    pub(super) path: String,
    pub(super) operations: Vec<&'a ApiOperation>,
}

/// Returns the groups of a service with the paths of their pages, which differ.
pub(super) fn groups<'a>(service: &Service<'a>) -> Vec<Group<'a>> {
    let groups = service.groups();
    let names: Vec<&str> = groups.iter().map(|(name, _)| *name).collect();
    let groups = groups.into_iter().zip(file_names(&names));
    let groups = groups.map(|((name, operations), file)| Group {
        name,
        path: format!("references/{file}"),
        operations,
    });
    groups.collect()
}

/// Returns the names of the pages of groups: they differ, and every system can store them, also that of
/// a group `AUX`.
fn file_names(groups: &[&str]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let names = groups.iter().enumerate().map(|(at, group)| {
        let stem = slug(group).map_or_else(|| format!("group-{}", at + 1), |it| it.to_string());
        let numbered = (2..).map(|n| format!("{stem}-{n}.md"));
        let mut names = std::iter::once(format!("{stem}.md")).chain(numbered);
        let name = names.find(|name| is_portable_name(name) && taken.insert(name.clone()));
        name.expect("numbers do not end, and a name with one is portable")
    });
    names.collect()
}

/// Returns the page of a group.
pub(super) fn page(
    group: &Group<'_>,
    language: Language,
    seen: &mut DefuseReport,
) -> GeneratedFile {
    let name = defuse(group.name, seen);
    let mut text = format!("# {}\n", inline(&name));
    for operation in &group.operations {
        write_operation(operation, language, seen, &mut text);
    }
    GeneratedFile {
        path: group.path.clone(),
        text,
    }
}

fn write_operation(
    operation: &ApiOperation,
    language: Language,
    seen: &mut DefuseReport,
    res: &mut String,
) {
    let say = |english, chinese| language.pick(english, chinese);
    let _ = write!(res, "\n## {}\n\n", inline(&defuse(&operation.id, seen)));
    let request = format!("{} {}", operation.http.method, operation.http.path);
    let _ = writeln!(res, "{}", code(&request));
    let summary = one_line(&defuse(&operation.summary, seen));
    if summary != request {
        let _ = write!(res, "\n{}\n", inline(&summary));
    }
    let mut notes = Vec::new();
    if operation.is_deprecated {
        notes.push(say("Deprecated.", "已弃用。"));
    }
    if operation.needs_approval {
        notes.push(say("Each call needs an approval.", "每次调用都需要批准。"));
    }
    if !notes.is_empty() {
        let _ = write!(res, "\n{}\n", notes.join(" "));
    }
    write_description(operation, seen, res);
    let arguments = Arguments {
        schema: &operation.input_schema,
        examples: &operation.examples,
    };
    res.push_str(&arguments.table(language, seen));
    if !operation.responses.is_empty() {
        let _ = write!(res, "\n{}\n\n", say("It answers:", "返回："));
    }
    for (status, meaning) in &operation.responses {
        let meaning = one_line(&defuse(meaning, seen));
        let _ = writeln!(res, "- {}: {}", inline(status), escaped(&meaning));
    }
}

/// Escapes a text that has inline code.
fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(at, part)| match at % 2 {
        0 => inline(part),
        _ => format!("`{part}`"),
    });
    let mut res = String::new();
    for (at, part) in parts.enumerate() {
        let is_text = at % 2 == 0;
        let source = text.split('`').nth(at).unwrap_or_default();
        if is_text && source.starts_with(' ') {
            res.push(' ');
        }
        res.push_str(part.trim());
        if is_text && source.ends_with(' ') && source.len() > 1 {
            res.push(' ');
        }
    }
    res
}

/// Writes the description, if it says more than the summary.
fn write_description(operation: &ApiOperation, seen: &mut DefuseReport, res: &mut String) {
    let description = defuse(&operation.description, seen);
    let whole = one_line(&description);
    if whole.is_empty() || whole == one_line(&operation.summary) {
        return;
    }
    for paragraph in description.split("\n\n") {
        let line = one_line(paragraph);
        if !line.is_empty() {
            let _ = write!(res, "\n{}\n", inline(&line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(groups: &[&str], expected: &[&str]) {
        assert_eq!(file_names(groups), expected, "{groups:?}");
    }

    #[test]
    fn pages_have_names_that_differ_and_are_portable() {
        check(
            &["Pets", "pets", "宠物"],
            &["pets.md", "pets-2.md", "group-3.md"],
        );
        check(
            &["AUX", "aux", "aux-2"],
            &["aux-2.md", "aux-3.md", "aux-2-2.md"],
        );
        check(
            &["nul", "com1", "console"],
            &["nul-2.md", "com1-2.md", "console.md"],
        );
    }
}
