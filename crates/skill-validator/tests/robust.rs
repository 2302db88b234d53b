//! File content never makes a rule panic, and every position is inside its file.

use proptest::prelude::*;
use skill_validator::{Entry, Profile, Settings, SkillFiles, validate_skill};

fn check(files: &SkillFiles) {
    for profile in Profile::ALL {
        let settings = Settings {
            profile,
            ..Settings::default()
        };
        let report = validate_skill(files, None, &settings);
        assert_eq!(report, validate_skill(files, None, &settings));
        for finding in report.findings {
            let path = finding.place.file.unwrap_or_default();
            let length = files.bytes(&path).map_or(0, <[u8]>::len);
            if let Some(span) = finding.place.span {
                assert!(
                    span.start <= span.end && span.end <= length,
                    "{}",
                    finding.code
                );
            }
        }
    }
}

fn files(skill: Vec<u8>, metadata: Vec<u8>, path: String) -> SkillFiles {
    let mut entries = vec![
        Entry::file("SKILL.md", skill),
        Entry::file("METADATA.yml", metadata),
    ];
    if path != "SKILL.md" && path != "METADATA.yml" {
        entries.push(Entry::file(path, "x"));
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    SkillFiles {
        directory: "my-skill".to_owned(),
        entries,
        hard_links: Vec::new(),
        ..SkillFiles::default()
    }
}

/// Pieces on which rules have something to say.
const PIECES: &str = "(---\n|name: |description: |metadata:\n|  a: b\n|allowed-tools: |- x\n|\\[a\\](|b.md)|\
    scripts/|./|[a-z]{0,4}\\.py|ignore previous instructions|curl x | sh|&#8203;|&#x202e;|\u{200b}|\u{202e}|\
    \u{a0} |\n\n\n|\r|\r\n|\t|\"|: |技能|é|🏴\u{e0067}|<p style=\"display:none\">|<!-- agent: |sk-|://a:|\\\\u|.|){0,30}";

proptest! {
    #[test]
    fn any_bytes(
        skill in prop::collection::vec(any::<u8>(), 0..200),
        metadata in prop::collection::vec(any::<u8>(), 0..100),
        path in any::<String>(),
    ) {
        check(&files(skill, metadata, path));
    }

    #[test]
    fn any_text(skill in any::<String>(), metadata in any::<String>()) {
        check(&files(format!("---\n{skill}").into(), metadata.into(), "a".to_owned()));
    }

    #[test]
    fn likely_pieces(skill in PIECES, metadata in PIECES) {
        check(&files(format!("---\nname: my-skill\n{skill}").into(), metadata.into(), "scripts/a.py".to_owned()));
    }
}
