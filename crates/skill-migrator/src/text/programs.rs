//! Programs that the old host put on the `PATH`, and texts call by their bare names.

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::Format;
use skill_diagnostics::Diagnostic;

use crate::codes::LINKS_REWRITTEN;

use super::TextUnit;

/// The directory whose programs Claude Code puts on the `PATH`.
///
/// Source: <https://code.claude.com/docs/en/plugins-reference>, "File locations reference".
const DIRECTORY: &str = "bin";
/// The languages of fences that have commands.
const SHELLS: [&str; 6] = ["", "sh", "bash", "shell", "zsh", "console"];

/// A text with the paths of programs, and the programs.
pub(crate) struct Called {
    pub(crate) body: String,
    pub(crate) named: BTreeSet<String>,
    pub(crate) finding: Option<Diagnostic>,
}

/// Writes the names of the package's programs in commands as paths in the skill.
pub(crate) fn as_paths(unit: &TextUnit<'_>, body: String) -> Called {
    let mut paths = BTreeMap::new();
    if unit.package.format == Format::Claude {
        for file in unit.files_below(DIRECTORY) {
            let name = &file.path[DIRECTORY.len() + 1..];
            if !name.contains('/') {
                paths.insert(name, unit.target(&file.path));
            }
        }
    }
    if paths.is_empty() {
        let (named, finding) = (BTreeSet::new(), None);
        return Called {
            body,
            named,
            finding,
        };
    }
    let (body, names) = replaced(&body, &paths);
    let message = format!(
        "programs that the old host put on the `PATH` were written as paths in the skill: {}",
        names
            .iter()
            .map(|it| it.escape_debug().to_string())
            .collect::<Vec<_>>()
            .join(", ")
    );
    let finding = (!names.is_empty()).then(|| Diagnostic::note(LINKS_REWRITTEN, message));
    let named = names.iter().map(|name| format!("{DIRECTORY}/{name}"));
    Called {
        body,
        named: named.collect(),
        finding,
    }
}

/// Returns a text with other names of programs in its code, and the names that it has.
fn replaced<'p>(body: &str, paths: &BTreeMap<&'p str, String>) -> (String, BTreeSet<&'p str>) {
    let mut res = String::with_capacity(body.len());
    let mut names = BTreeSet::new();
    // The mark of the open fence, and whether it has commands.
    let mut open: Option<(&str, bool)> = None;
    for line in body.split_inclusive('\n') {
        let trimmed = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        match (open, mark) {
            (Some((begin, _)), Some(end)) if begin == end => open = None,
            (None, Some(mark)) => {
                let info = trimmed.trim_start_matches(['`', '~']).trim();
                open = Some((mark, SHELLS.contains(&info)));
            }
            (Some((_, true)), _) => {
                command(line, paths, &mut names, &mut res);
                continue;
            }
            (None, None) if !line.contains("``") => {
                for (at, part) in line.split('`').enumerate() {
                    res.push_str(if at > 0 { "`" } else { "" });
                    if at % 2 == 1 {
                        command(part, paths, &mut names, &mut res);
                    } else {
                        res.push_str(part);
                    }
                }
                continue;
            }
            _ => {}
        }
        res.push_str(line);
    }
    (res, names)
}

/// Writes a command with paths in place of the words that begin it, or a command behind an operator.
fn command<'p>(
    text: &str,
    paths: &BTreeMap<&'p str, String>,
    names: &mut BTreeSet<&'p str>,
    res: &mut String,
) {
    let is_end = |c: char| c.is_whitespace() || "|;&()".contains(c);
    let mut is_start = true;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if is_end(c) {
            is_start |= !c.is_whitespace();
            res.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let (word, after) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
        match paths.get_key_value(word).filter(|_| is_start) {
            Some((name, path)) => {
                names.insert(*name);
                res.push_str(path);
            }
            None => res.push_str(word),
        }
        // The prompt of a terminal is not a command.
        is_start &= word == "$";
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: &str) {
        let paths = BTreeMap::from([("steep", "bin/steep".to_owned())]);
        assert_eq!(replaced(body, &paths).0, expected);
    }

    #[test]
    fn names_at_the_start_of_commands_are_paths() {
        check("Run `steep 3` to steep.", "Run `bin/steep 3` to steep.");
        check(
            "`cat x | steep && echo steep`",
            "`cat x | bin/steep && echo steep`",
        );
        check(
            "`./steep` `a/steep` `steeper`",
            "`./steep` `a/steep` `steeper`",
        );
        check(
            "```sh\n$ steep\n  steep x\n```\nsteep",
            "```sh\n$ bin/steep\n  bin/steep x\n```\nsteep",
        );
        check(
            "```text\nsteep the leaves\n```\n`steep`",
            "```text\nsteep the leaves\n```\n`bin/steep`",
        );
        check("~~~\n```\nsteep\n~~~\n", "~~~\n```\nbin/steep\n~~~\n");
        check("``steep `x` `` stays", "``steep `x` `` stays");
    }
}
