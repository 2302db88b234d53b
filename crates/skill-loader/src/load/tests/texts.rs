//! The results of reads, and their reports.

use proptest::{prop_assert, prop_assert_eq, proptest};

use super::*;
use skill_model::Digest;

const BODY: &str = "\n# 日报\n\n开头\n\n## 指标定义\n\n```\n## no heading\n```\n\n口径\n\n## Usage\n\n### Options\n\n-v\n\n## 自检\n\n- ok\n";

fn body(selection: &Selection, limits: &Limits) -> Result<LoadedText, LoadError> {
    let (_dir, place) = skill(BODY, "");
    load_skill_body(&place, selection, limits)
}

#[test]
fn a_body_is_given_whole_with_its_account() {
    let loaded = body(&Selection::default(), &Limits::default()).unwrap();
    let file = format!("{HEADER}{BODY}");
    assert_eq!(loaded.text, BODY);
    let expected = LoadReport {
        path: "SKILL.md".to_owned(),
        sha256: Digest::from_content(file.as_bytes()),
        bytes_read: file.len() as u64,
        total_bytes: file.len() as u64,
        chars_returned: BODY.chars().count(),
        lines: Lines { first: 5, last: 26 },
        truncated: false,
        strategy: Strategy::Whole,
        section: None,
        next_cursor: None,
        storage_ref: None,
    };
    assert_eq!(loaded.report, expected);
    assert!(loaded.sections.is_empty() && loaded.findings.is_empty());
}

#[test]
fn a_section_is_given_alone() {
    for (wanted, expected, lines) in [
        (
            "## 指标定义",
            "## 指标定义\n\n```\n## no heading\n```\n\n口径\n\n",
            (10, 17),
        ),
        ("Usage", "## Usage\n\n### Options\n\n-v\n\n", (18, 23)),
        ("Usage/Options", "### Options\n\n-v\n\n", (20, 23)),
        ("自检", "## 自检\n\n- ok\n", (24, 26)),
    ] {
        let loaded = body(&section(wanted), &Limits::default()).unwrap();
        let first_line = expected.lines().next().map(str::to_owned);
        assert_eq!(loaded.text, expected);
        assert_eq!(loaded.report.section, first_line);
        let found = loaded.report.lines;
        assert_eq!((found.first, found.last), lines, "{wanted}");
    }
}

#[test]
fn a_missing_section_gives_the_beginning_and_says_so() {
    let loaded = body(&section("Usag"), &Limits::default()).unwrap();
    assert_eq!(loaded.text, BODY);
    assert_eq!(loaded.report.strategy, Strategy::Beginning);
    assert_eq!(
        loaded.sections,
        [
            "# 日报",
            "## 指标定义",
            "## Usage",
            "### Options",
            "## 自检"
        ]
    );
    let [finding] = &loaded.findings[..] else {
        panic!("{:?}", loaded.findings)
    };
    assert_eq!(finding.code, codes::SECTION_NOT_FOUND);
    assert_eq!(finding.help.as_deref(), Some("did you mean `Usage`?"));
}

#[test]
fn a_long_body_is_trimmed_or_refused() {
    let mut limits = Limits {
        body_lines: 20,
        ..Limits::default()
    };
    let loaded = body(&Selection::default(), &limits).unwrap();
    assert!(
        loaded.report.truncated && loaded.text.contains("[cut: "),
        "{}",
        loaded.text
    );
    assert!(loaded.text.contains("- ok") && loaded.text.lines().count() <= 20);
    let selection = Selection {
        section: None,
        cursor: loaded.report.next_cursor,
    };
    assert_eq!(body(&selection, &limits).unwrap().text, BODY);
    limits.beyond = BeyondLimit::Reject;
    let error = body(&Selection::default(), &limits).unwrap_err();
    assert_eq!(error.code(), codes::FILE_TOO_LARGE);
    assert_eq!(
        error.help().unwrap(),
        "move to references/: `## 指标定义` (36 characters), `## Usage` (27 characters), `## 自检` (12 characters)"
    );
}

#[test]
fn a_long_resource_opens_with_what_it_holds() {
    let text = format!(
        "# A\n\n{}\n## Contents\n\n- b\n\n## B\n",
        "filler\n".repeat(50)
    );
    let (_dir, place) = skill("", &text);
    let mut limits = Limits {
        excerpt_chars: 100,
        ..Limits::default()
    };
    let read = |limits: &Limits| {
        load_resource(&place, "references/guide.md", &Selection::default(), limits)
    };
    let loaded = read(&limits).unwrap();
    assert_eq!(loaded.text, "## Contents\n\n- b\n\n");
    assert_eq!(loaded.report.strategy, Strategy::Overview);
    assert!(loaded.report.truncated && loaded.report.next_cursor.is_some());
    limits.beyond = BeyondLimit::Reject;
    assert_eq!(read(&limits).unwrap_err().code(), codes::FILE_TOO_LARGE);
}

#[test]
fn a_cursor_of_another_text_is_refused() {
    let selection = Selection {
        section: None,
        cursor: Some("000000000000-0-1".to_owned()),
    };
    let error = body(&selection, &Limits::default()).unwrap_err();
    assert_eq!(error.code(), codes::IO);
}

#[test]
fn frontmatter_is_mended_or_refused() {
    for (text, expected) in [
        ("---\nname: a\ndescription: Use: when\n---\nBody", "Body"),
        ("\u{feff}---\r\nname: a\r\n---\r\nBody", "Body"),
        ("# no frontmatter\n", "invalid-frontmatter"),
        ("---\nname: a\n", "invalid-frontmatter"),
        ("---\n- a\n---\nBody", "invalid-frontmatter"),
        ("---\nname: \"a\n---\nBody", "invalid-frontmatter"),
    ] {
        let (dir, place) = skill("", "");
        fs::write(dir.path().join("skills/a-skill/SKILL.md"), text).unwrap();
        let got = match load_skill_body(&place, &Selection::default(), &Limits::default()) {
            Ok(loaded) => loaded.text,
            Err(error) => error.code().to_string(),
        };
        assert_eq!(got, expected, "{text:?}");
    }
}

#[test]
fn the_whole_text_is_kept_for_the_run() {
    let (dir, place) = skill(BODY, "resource");
    let limits = Limits {
        storage: Some(Observations {
            dir: dir.path().to_owned(),
            run: RunId::new("run-7").unwrap(),
        }),
        ..Limits::default()
    };
    for _ in 0..2 {
        let loaded = load_skill_body(&place, &section("自检"), &limits).unwrap();
        let at = loaded.report.storage_ref.unwrap();
        assert!(at.starts_with(".agent/runs/run-7/observations/"), "{at}");
        let kept = fs::read_to_string(dir.path().join(&at)).unwrap();
        assert_eq!(kept, format!("{HEADER}{BODY}"));
    }
    fs::remove_dir_all(dir.path().join(".agent")).unwrap();
    std::os::unix::fs::symlink("skills", dir.path().join(".agent")).unwrap();
    let error = load_skill_body(&place, &Selection::default(), &limits).unwrap_err();
    assert_eq!(error.code(), codes::PATH_TRAVERSAL_BLOCKED);
}

proptest! {
    #[test]
    fn pages_of_a_resource_are_all_of_it(text in "(#{1,3} [a-z]{1,5}\n|[^\0]{0,9}|\n){0,60}", max_chars in 1_usize..50) {
        let (_dir, place) = skill("", &text);
        let limits = Limits { excerpt_chars: max_chars, ..Limits::default() };
        let digest = Digest::from_content(text.as_bytes());
        let mut cursor = Some(cursor::write(&digest, &(0..text.len())));
        let mut acc = String::new();
        while cursor.is_some() {
            let selection = Selection { section: None, cursor };
            let loaded = load_resource(&place, "references/guide.md", &selection, &limits).unwrap();
            prop_assert!(loaded.report.chars_returned <= max_chars);
            acc.push_str(&loaded.text);
            cursor = loaded.report.next_cursor;
        }
        prop_assert_eq!(acc, text);
    }
}
