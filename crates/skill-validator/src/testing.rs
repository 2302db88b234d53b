//! Helpers for the tests of rules.

pub(crate) use crate::input::{Entry, Kind, SkillFiles};
pub(crate) use crate::profile::Profile;
pub(crate) use crate::settings::Settings;

use skill_diagnostics::Diagnostic;

use crate::level::Level;
use crate::rule::Rule;

/// Creates the skill `my-skill` with one file.
pub(crate) fn with_bytes(path: &str, bytes: &[u8]) -> SkillFiles {
    SkillFiles {
        directory: "my-skill".to_owned(),
        entries: vec![Entry::file(path, bytes)],
        hard_links: Vec::new(),
        ..SkillFiles::default()
    }
}

/// Creates the skill `my-skill` with this `SKILL.md`.
pub(crate) fn skill_text(text: &str) -> SkillFiles {
    with_bytes("SKILL.md", text.as_bytes())
}

/// Creates a `SKILL.md` with this frontmatter, which starts on line 2.
pub(crate) fn frontmatter(yaml: &str) -> SkillFiles {
    skill_text(&format!("---\n{yaml}\n---\nBody\n"))
}

/// Creates a valid `SKILL.md` with this body, which starts on line 5.
pub(crate) fn body(text: &str) -> SkillFiles {
    skill_text(&format!(
        "---\nname: my-skill\ndescription: Use when testing.\n---\n{text}"
    ))
}

/// Creates a valid skill with this `METADATA.yml`.
pub(crate) fn metadata(text: &str) -> SkillFiles {
    let mut files = body("x");
    add(&mut files, "METADATA.yml", text.as_bytes());
    files
}

/// Adds a file.
pub(crate) fn add(files: &mut SkillFiles, path: &str, bytes: &[u8]) {
    files.entries.push(Entry::file(path, bytes));
    files.entries.sort_by(|a, b| a.path.cmp(&b.path));
}

/// Adds a symbolic link.
pub(crate) fn add_link(files: &mut SkillFiles, path: &str, target: &str) {
    let kind = Kind::Link {
        target: target.to_owned(),
    };
    let path = path.to_owned();
    files.entries.push(Entry { path, kind });
    files.entries.sort_by(|a, b| a.path.cmp(&b.path));
}

/// Returns the findings of one rule in the profile `spec`.
pub(crate) fn run(rule: &Rule, files: &SkillFiles) -> Vec<Diagnostic> {
    run_with(rule, files, &Settings::default())
}

/// Returns the findings of one rule.
pub(crate) fn run_with(rule: &Rule, files: &SkillFiles, settings: &Settings) -> Vec<Diagnostic> {
    let mut settings = settings.clone();
    if rule.levels.get(settings.profile) == Level::Off && settings.profile == Profile::Spec {
        settings
            .levels
            .insert(rule.code.0.to_owned(), Level::Warning);
    }
    let report = crate::validate_skill(files, None, &settings);
    let findings = report.findings.into_iter();
    findings
        .filter(|finding| finding.code == rule.code)
        .collect()
}

/// Compares the findings of one rule, each as `file:line:column message`.
#[track_caller]
pub(crate) fn check_rule(rule: &Rule, files: &SkillFiles, expected: &[&str]) {
    let found: Vec<String> = run(rule, files).iter().map(shown).collect();
    assert_eq!(found, expected);
}

fn shown(finding: &Diagnostic) -> String {
    let file = finding.place.file.as_deref().unwrap_or_default();
    match &finding.place.span {
        Some(span) => {
            let position = span.position;
            format!(
                "{file}:{}:{} {}",
                position.line, position.column, finding.message
            )
        }
        None => format!("{file} {}", finding.message),
    }
}
