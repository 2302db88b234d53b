//! Running the rules.

use skill_diagnostics::{Diagnostic, LineIndex, Severity};
use skill_model::{Lock, codes, decode, is_inkless, parse_skill, repair_frontmatter};

use crate::context::{Context, SKILL_MD, Tree};
use crate::input::SkillFiles;
use crate::profile::Profile;
use crate::rule::{Check, Rule};
use crate::rules::sources::findings_of_rule;
use crate::rules::{RULES, YAML_REPAIRED};
use crate::settings::Settings;
use crate::summary::{OtherVersion, SkillSummary, join};

/// The result of checking one skill.
#[derive(Clone, PartialEq, Debug)]
pub struct SkillReport {
    /// The input of [`validate_tree`] for this skill.
    pub summary: SkillSummary,
    /// Findings by file and position. Paths are relative to the checked directory.
    pub findings: Vec<Diagnostic>,
}

/// Checks one skill with the rules for single skills.
pub fn validate_skill(files: &SkillFiles, lock: Option<&Lock>, settings: &Settings) -> SkillReport {
    let bytes = files.bytes(SKILL_MD).unwrap_or_default();
    let (text, mut parse_findings) = match decode(bytes) {
        Ok(text) => (text, Vec::new()),
        Err(finding) => ("", vec![*finding]),
    };
    let mut skill = None;
    let repaired;
    let mut text = text;
    if parse_findings.is_empty() && files.entry(SKILL_MD).is_some() {
        (skill, parse_findings) = parse_skill(text);
        repaired = repair(text, settings, &parse_findings);
        if let Some((repaired, finding)) = &repaired {
            text = repaired;
            skill = parse_skill(text).0;
            parse_findings = vec![finding.clone()];
        }
    }
    let locked = lock.and_then(|lock| lock.skills.get(&files.directory));
    let is_repaired = parse_findings
        .iter()
        .any(|finding| finding.code == YAML_REPAIRED);
    let cx = Context::new(
        files,
        settings,
        locked,
        text,
        skill.as_ref(),
        &parse_findings,
    );
    let mut findings = findings_of(&cx);
    if is_repaired {
        let original = std::str::from_utf8(bytes).unwrap_or_default();
        in_original(&mut findings, original, cx.text);
    }
    SkillReport {
        findings,
        summary: summary_of(&cx),
    }
}

/// Parses a file whose values have unquoted colons as a lenient client does, with these values in
/// quotes.
fn repair(
    text: &str,
    settings: &Settings,
    findings: &[Diagnostic],
) -> Option<(String, Diagnostic)> {
    let error = findings
        .first()
        .filter(|finding| finding.code == codes::INVALID_YAML)?;
    if settings.profile != Profile::Lenient {
        return None;
    }
    let mut finding = error.clone();
    finding.code = YAML_REPAIRED;
    Some((repair_frontmatter(text)?, finding))
}

/// Converts positions in a repaired text to positions in the file. A repair puts quotes around
/// values: the lines stay the same, and columns after a quote shift.
fn in_original(findings: &mut [Diagnostic], original: &str, repaired: &str) {
    let (old, new) = (LineIndex::new(original), LineIndex::new(repaired));
    for finding in findings
        .iter_mut()
        .filter(|finding| finding.code != YAML_REPAIRED)
    {
        let is_own = finding
            .place
            .file
            .as_deref()
            .is_some_and(|file| file.ends_with(SKILL_MD));
        let Some(span) = finding.place.span.as_mut().filter(|_| is_own) else {
            continue;
        };
        let line = span.position.line;
        let (Some(from), Some(to)) = (new.line_start(line), old.line_start(line)) else {
            continue;
        };
        let end = old
            .line_start(line + 1)
            .map_or(original.len(), |next| next - 1);
        let length = end - to;
        let place = |at: usize| original.floor_char_boundary(to + (at - from).min(length));
        *span = old.span(place(span.start)..place(span.end));
    }
}

fn findings_of(cx: &Context<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (rule, severity) in active(cx.settings) {
        findings.extend(findings_of_rule(rule, cx).into_iter().map(|mut finding| {
            finding.severity = severity;
            show_hidden(&mut finding);
            let file = finding.place.file.as_deref().unwrap_or(SKILL_MD);
            finding.place.file = Some(join(&cx.files.path, file));
            finding
        }));
    }
    sort(&mut findings);
    findings
}

/// Returns every active rule with the severity of its findings.
fn active(settings: &Settings) -> impl Iterator<Item = (&'static Rule, Severity)> {
    // Both lists are sorted by id.
    let mut chosen = settings.levels.iter().peekable();
    RULES.iter().filter_map(move |rule| {
        while chosen
            .next_if(|(code, _)| code.as_str() < rule.code.0)
            .is_some()
        {}
        let own = chosen.next_if(|(code, _)| code.as_str() == rule.code.0);
        let level = own.map_or_else(|| rule.levels.get(settings.profile), |(_, level)| *level);
        Some((rule, level.severity()?))
    })
}

fn summary_of(cx: &Context<'_>) -> SkillSummary {
    let text = |key| cx.field_text(key).map_or("", |(text, _)| text.trim());
    let name = Some(text("name")).filter(|name| !name.is_empty());
    let range = cx.field("description").map(|node| node.range.clone());
    let metadata = cx.metadata_reading().map(|reading| &reading.metadata);
    let legacy = metadata.and_then(|metadata| metadata.legacy.as_ref());
    SkillSummary {
        path: cx.files.path.clone(),
        name: name.unwrap_or(&cx.files.directory).to_owned(),
        description: text("description").to_owned(),
        fallback: metadata.map_or_else(Vec::new, |it| it.fallback.clone()),
        version: metadata.map_or_else(String::new, |it| it.version.clone()),
        requires: metadata.map_or_else(Vec::new, |it| it.requires.skills.clone()),
        plugin: legacy.map(|legacy| legacy.directory.clone()),
        description_span: range.map(|range| LineIndex::new(&cx.text[..range.end]).span(range)),
    }
}

/// Checks the rules across skills. `skills` must be sorted by path. Each `skills.lock` comes with
/// the path of its directory. `versions` are those beside the skills.
pub fn validate_tree(
    skills: &[SkillSummary],
    locks: &[(String, Lock)],
    versions: &[OtherVersion],
    settings: &Settings,
) -> Vec<Diagnostic> {
    let tree = Tree {
        skills,
        settings,
        locks,
        versions,
    };
    let mut findings = Vec::new();
    for (rule, severity) in active(settings) {
        if let Check::Tree(check) = rule.check {
            findings.extend(check(&tree).into_iter().map(|mut finding| {
                finding.severity = severity;
                show_hidden(&mut finding);
                finding
            }));
        }
    }
    sort(&mut findings);
    findings
}

/// Escapes characters in names and values that messages quote, so that they cannot manipulate a
/// terminal.
fn show_hidden(finding: &mut Diagnostic) {
    let texts = std::iter::once(&mut finding.message).chain(finding.help.as_mut());
    for text in texts.filter(|text| text.chars().any(is_inkless)) {
        let shown = text.chars().map(|c| {
            if is_inkless(c) {
                c.escape_unicode().to_string()
            } else {
                c.to_string()
            }
        });
        *text = shown.collect();
    }
}

/// Sorts by file, then by position; findings without a position come first.
fn sort(findings: &mut [Diagnostic]) {
    findings.sort_by(|a, b| {
        let key = |finding: &Diagnostic| {
            let start = finding.place.span.as_ref().map(|span| span.start);
            (finding.place.file.clone(), start, finding.code)
        };
        key(a).cmp(&key(b))
    });
}
