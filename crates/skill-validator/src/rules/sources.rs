//! Findings that several rules share, and positions.

use skill_diagnostics::{Code, Diagnostic, LineIndex};
use skill_model::metadata_codes;
use skill_model::yaml::{Content, Style};

use crate::context::{Context, METADATA_YML};
use crate::input::{Entry, Kind as EntryKind};
use crate::markdown::normalized;
use crate::rule::{Check, Rule};
use crate::unicode::{Hit, Kind};

/// Returns the findings of a rule in one skill; none for a rule across skills.
pub(crate) fn findings_of_rule(rule: &Rule, cx: &Context<'_>) -> Vec<Diagnostic> {
    match rule.check {
        Check::Skill(check) => check(cx),
        Check::Parsing => forwarded(cx, rule.code),
        Check::Metadata => metadata_findings(cx, rule.code),
        Check::Signal => signal_findings(cx, rule.code),
        Check::Hidden(kind) => unicode_findings(cx, rule.code, kind),
        Check::Tree(_) => Vec::new(),
    }
}

/// Returns the parse findings with a code.
fn forwarded(cx: &Context<'_>, code: Code) -> Vec<Diagnostic> {
    let findings = cx
        .parse_findings
        .iter()
        .filter(|finding| finding.code == code);
    findings.cloned().collect()
}

/// Reports a required key that is absent, null or blank.
pub(super) fn missing_text(cx: &Context<'_>, code: Code, key: &str) -> Vec<Diagnostic> {
    let Some(skill) = cx.skill else {
        return Vec::new();
    };
    match skill.get(key) {
        None => {
            let start = skill.split.frontmatter.start;
            vec![cx.at(code, start..start, format!("the key `{key}` is missing"))]
        }
        Some(node)
            if node.to_value().is_null() || node.text().is_some_and(|t| t.trim().is_empty()) =>
        {
            vec![cx.at(code, node.range.clone(), format!("`{key}` has no value"))]
        }
        Some(_) => Vec::new(),
    }
}

/// Returns the findings of reading `METADATA.yml` with a code.
fn metadata_findings(cx: &Context<'_>, code: Code) -> Vec<Diagnostic> {
    let found: &[Diagnostic] = match cx.metadata() {
        None => &[],
        Some(Ok(reading)) => &reading.findings,
        Some(Err(finding)) => std::slice::from_ref(finding.as_ref()),
    };
    // A duplicate key in METADATA.yml makes that file unreadable; the frontmatter's rule does not
    // apply.
    let is_unreadable = cx.metadata().is_some_and(Result::is_err);
    let wanted = found.iter().filter(|finding| {
        finding.code == code || (is_unreadable && code == metadata_codes::METADATA_UNREADABLE)
    });
    let moved = wanted.cloned().map(|mut finding| {
        finding.code = code;
        finding.in_file(METADATA_YML)
    });
    moved.collect()
}

/// Adds the position of a key of `METADATA.yml` to a finding.
pub(super) fn at_metadata(cx: &Context<'_>, finding: Diagnostic, key: &str) -> Diagnostic {
    let finding = finding.in_file(METADATA_YML).at_pointer(format!("/{key}"));
    let text = cx.metadata_text().unwrap_or_default();
    let mut lines = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    });
    let value = lines.find_map(|(start, line)| {
        let rest = line.strip_prefix(key)?.strip_prefix(':')?;
        let gap = rest.len() - rest.trim_start().len();
        let is_block = rest.trim().is_empty();
        Some(start + if is_block { 0 } else { key.len() + 1 + gap })
    });
    match value {
        Some(start) => finding.at(LineIndex::new(text).span(start..start)),
        None => finding,
    }
}

/// Returns the symbolic links with their targets.
pub(super) fn links<'a>(cx: &Context<'a>) -> impl Iterator<Item = (&'a Entry, &'a str)> {
    cx.files
        .entries
        .iter()
        .filter_map(|entry| match &entry.kind {
            EntryKind::Link { target } => Some((entry, target.as_str())),
            _ => None,
        })
}

/// Returns whether a link's target, relative to its directory, is in the skill.
pub(super) fn stays_inside(entry: &Entry, target: &str) -> bool {
    let directory = entry
        .path
        .rsplit_once('/')
        .map_or("", |(directory, _)| directory);
    !target.starts_with(['/', '\\', '~'])
        && normalized(format!("{directory}/{target}").trim_start_matches('/')).is_some()
}

/// Reports hidden characters of one kind: one finding per file.
fn unicode_findings(cx: &Context<'_>, code: Code, kind: Kind) -> Vec<Diagnostic> {
    let files = cx.hidden().iter();
    let mut findings: Vec<Diagnostic> = files
        .filter_map(|(path, text, hits)| {
            let hits: Vec<&Hit> = hits.iter().filter(|hit| hit.kind == kind).collect();
            let first = hits.first()?;
            let message = hidden_message(kind, first.c, hits.len() - 1);
            Some(cx.at_file(code, (path, text), first.range.clone(), message))
        })
        .collect();
    findings.extend(escaped(cx, code, kind));
    findings
}

fn hidden_message(kind: Kind, c: char, n_more: usize) -> String {
    let what = kind.what();
    let more = if n_more > 0 {
        format!(" and {n_more} more")
    } else {
        String::new()
    };
    format!(
        "{what} (U+{:04X}){more}, which readers cannot see",
        u32::from(c)
    )
}

/// Reports hidden characters that are written as escapes in quoted values of the frontmatter.
fn escaped(cx: &Context<'_>, code: Code, kind: Kind) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut nodes: Vec<_> = cx.skill.iter().map(|skill| &skill.header).collect();
    while let Some(node) = nodes.pop() {
        match &node.content {
            Content::Mapping { entries, .. } => {
                nodes.extend(entries.iter().flat_map(|(k, v)| [k, v]));
            }
            Content::Sequence { items, .. } => nodes.extend(items),
            Content::Scalar {
                text,
                style: Style::Quoted,
            } if cx.text[node.range.clone()].contains('\\') => {
                let hit = crate::unicode::scan(text)
                    .into_iter()
                    .find(|hit| hit.kind == kind);
                findings.extend(
                    hit.map(|hit| cx.at(code, node.range.clone(), hidden_message(kind, hit.c, 0))),
                );
            }
            Content::Scalar { .. } => {}
        }
    }
    findings
}

/// Reports the signals of one rule, at most one per file: the others appear after that one is
/// fixed.
fn signal_findings(cx: &Context<'_>, code: Code) -> Vec<Diagnostic> {
    let files = cx.signals().iter();
    files
        .filter_map(|(path, text, hits)| {
            let hit = hits.iter().find(|hit| hit.code == code.0)?;
            Some(cx.at_file(code, (path, text), hit.range.clone(), hit.what))
        })
        .collect()
}
