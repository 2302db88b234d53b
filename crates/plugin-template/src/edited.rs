//! A template with the edits that were made in its prose.

use crate::code::in_code;
use crate::piece::PieceKind;
use crate::{ProseSettings, Template};

/// The headings of what follows the prose in SKILL.md.
const SECTIONS: [&str; 4] = [
    "## Input",
    "## 输入",
    "## From the old host",
    "## 旧宿主的规定",
];
/// The most pairs of lines that are compared.
const MAX_PAIRS: usize = 4_000_000;

/// A line of a template, or several if a placeholder is written as more than one.
#[derive(Default)]
struct Row {
    source: String,
    prose: String,
}

/// Returns the source of a template whose prose was edited: lines that are as before have their
/// placeholders, and in the others the names of arguments and the requests to run a command become
/// the placeholders that they were. `edited` is the body of SKILL.md.
///
/// ```
/// use plugin_template::{Dialect, Language, ProseSettings, Template, edited_source};
///
/// let template = Template::parse("Fix $ARGUMENTS.\nBe quick.", Dialect::Claude, &[]);
/// let settings = ProseSettings {
///     language: Language::English,
///     arguments: &template.arguments(""),
///     first_index: 0,
///     replace: &|_| None,
/// };
/// let body = "Fix `<arguments>`.\nTest `<arguments>`, too.\n\n## Input\n\n…\n";
/// let source = edited_source(&template, &settings, body);
/// assert_eq!(source, "Fix $ARGUMENTS.\nTest $ARGUMENTS, too.");
/// ```
pub fn edited_source(template: &Template, settings: &ProseSettings<'_>, edited: &str) -> String {
    let segments = template.segments(settings);
    let rows = rows(template, &segments);
    let words = words(template, &segments);
    let before: Vec<(usize, &str)> = rows
        .iter()
        .enumerate()
        .flat_map(|(at, row)| {
            row.prose
                .trim_end_matches('\n')
                .split('\n')
                .map(move |line| (at, line))
        })
        .map(|(at, line)| (at, line.trim_end_matches('\r')))
        .collect();
    let after: Vec<&str> = main_part(edited).lines().collect();
    let same = same_lines(&before, &after);
    let mut res: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(line) = after.get(at) {
        let row = same[at].and_then(|start| whole_row(&before, &same, start, at));
        if let Some((row, n_lines)) = row {
            res.push(rows[row].source.trim_end_matches(['\n', '\r']).to_owned());
            at += n_lines;
        } else {
            let restored = words
                .iter()
                .fold((*line).to_owned(), |line, (prose, source)| {
                    line.replace(prose, source)
                });
            res.push(restored);
            at += 1;
        }
    }
    let end = if template.text().ends_with('\n') {
        "\n"
    } else {
        ""
    };
    format!("{}{end}", res.join("\n").trim_end())
}

/// Returns the body before the sections that the migration adds.
fn main_part(body: &str) -> &str {
    let mut at = 0;
    let mut end = body.len();
    for line in body.split_inclusive('\n') {
        if SECTIONS.contains(&line.trim_end()) {
            end = at;
            if line.contains("Input") || line.contains("输入") {
                break;
            }
        }
        at += line.len();
    }
    body[..end].trim_matches('\n')
}

/// Cuts the pieces into lines. `segments` has the prose of each piece.
fn rows(template: &Template, segments: &[String]) -> Vec<Row> {
    let mut res = vec![Row::default()];
    for (piece, prose) in template.pieces().iter().zip(segments) {
        let source = template.source(piece);
        let is_text = matches!(piece.kind, PieceKind::Text) || source == prose;
        let parts: Vec<&str> = if is_text {
            source.split_inclusive('\n').collect()
        } else {
            vec![source]
        };
        for part in parts {
            if let Some(row) = res.last_mut() {
                row.source.push_str(part);
                row.prose.push_str(if is_text { part } else { prose });
            }
            if is_text && part.ends_with('\n') {
                res.push(Row::default());
            }
        }
    }
    // SKILL.md begins with the first line that is not empty.
    let first = res.iter().position(|row| !row.prose.trim().is_empty());
    res.drain(..first.unwrap_or(0));
    res
}

/// Returns the words for arguments and commands, with the placeholder of each, the longest first.
fn words(template: &Template, segments: &[String]) -> Vec<(String, String)> {
    let mut res: Vec<(String, String)> = Vec::new();
    for (piece, prose) in template.pieces().iter().zip(segments) {
        let source = template.source(piece).to_owned();
        let is_argument = matches!(
            piece.kind,
            PieceKind::Arguments | PieceKind::Argument { .. }
        );
        let is_command = matches!(piece.kind, PieceKind::Shell { .. }) && !prose.contains('\n');
        if piece.doubt.is_some() || prose.is_empty() || *prose == source {
            continue;
        }
        if is_argument {
            let name = prose.trim_matches('`');
            res.push((in_code(name), source.clone()));
            res.push((name.to_owned(), source));
        } else if is_command {
            res.push((prose.clone(), source));
        }
    }
    res.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
    res.dedup_by(|a, b| a.0 == b.0);
    res
}

/// Returns for each line after an edit the line before it that is the same one: those of a longest
/// common subsequence.
fn same_lines(before: &[(usize, &str)], after: &[&str]) -> Vec<Option<usize>> {
    let mut res = vec![None; after.len()];
    let pairs = before.iter().zip(after);
    let n_head = pairs.take_while(|((_, old), new)| old == *new).count();
    let tails = before[n_head..]
        .iter()
        .rev()
        .zip(after[n_head..].iter().rev());
    let n_tail = tails.take_while(|((_, old), new)| old == *new).count();
    for (at, same) in res.iter_mut().enumerate() {
        if at < n_head {
            *same = Some(at);
        } else if at + n_tail >= after.len() {
            *same = Some(at + before.len() - after.len());
        }
    }
    let old = &before[n_head..before.len() - n_tail];
    let new = &after[n_head..after.len() - n_tail];
    if old.len().saturating_mul(new.len()) > MAX_PAIRS {
        return res;
    }
    let width = new.len() + 1;
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i * width + j] = if old[i].1 == new[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        if old[i].1 == new[j] {
            res[n_head + j] = Some(n_head + i);
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    res
}

/// Returns the row that begins at a line and its number of lines, if all of them are the same after
/// the edit, from the line `at` on.
fn whole_row(
    before: &[(usize, &str)],
    same: &[Option<usize>],
    start: usize,
    at: usize,
) -> Option<(usize, usize)> {
    let row = before[start].0;
    let is_first = start == 0 || before[start - 1].0 != row;
    let n_lines = before[start..].iter().take_while(|it| it.0 == row).count();
    let is_whole = (0..n_lines).all(|n| same.get(at + n) == Some(&Some(start + n)));
    (is_first && is_whole).then_some((row, n_lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, Language, input_section};

    /// Edits the body of a prompt by replacing texts in it, and compares the template.
    #[track_caller]
    fn check(source: &str, dialect: Dialect, edits: &[(&str, &str)], expected: &str) {
        let template = Template::parse(source, dialect, &[]);
        let settings = ProseSettings {
            language: Language::English,
            arguments: &template.arguments(""),
            first_index: 1,
            replace: &|_| None,
        };
        let mut body = template.prose(&settings);
        if let Some(section) = input_section(&template, &settings) {
            body = format!("{}\n\n{section}", body.trim_end());
        }
        for (old, new) in edits {
            assert!(body.contains(old), "{body}");
            body = body.replace(old, new);
        }
        assert_eq!(edited_source(&template, &settings, &body), expected);
    }

    #[test]
    fn an_unedited_body_is_the_template() {
        for source in [
            "Fix $1 in $2.\n\n!`git diff`\n\nEnd\n",
            "One line",
            "```!\nls\npwd\n```\nThen $ARGUMENTS\n",
            "- a\n- a\n\n- $ARGUMENTS\n- a\n",
        ] {
            check(source, Dialect::Claude, &[], source);
        }
        check(
            "\nA {{args}}\n@{x.md}\n",
            Dialect::Gemini,
            &[],
            "A {{args}}\n@{x.md}\n",
        );
    }

    #[test]
    fn edits_are_in_the_template() {
        let source = "Fix $1.\nOld line.\n\nStatus: !`git status`\nUse $2 too.\n";
        check(
            source,
            Dialect::Claude,
            &[
                ("Old line.", "New line for `<argument-1>`."),
                ("too", "as well"),
            ],
            "Fix $1.\nNew line for $1.\n\nStatus: !`git status`\nUse $2 as well.\n",
        );
        check(
            source,
            Dialect::Claude,
            &[
                ("Old line.\n", ""),
                ("Use `<argument-2>` too.", "Done.\n\nReally."),
            ],
            "Fix $1.\n\nStatus: !`git status`\nDone.\n\nReally.\n",
        );
        check(
            "Look:\n```!\nls\npwd\n```\nEnd\n",
            Dialect::Claude,
            &[("End", "The end")],
            "Look:\n```!\nls\npwd\n```\nThe end\n",
        );
        check("A", Dialect::Gemini, &[("A", "B\n\nC")], "B\n\nC");
    }
}
