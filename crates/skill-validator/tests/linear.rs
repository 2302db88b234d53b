//! Time limits for a skill: linear in its size. Twice the size may take at most a little more than
//! twice the steps. Steps are counted, so a busy machine changes nothing.

use skill_diagnostics::steps;
use skill_validator::{Entry, Profile, Settings, SkillFiles, validate_skill, validate_tree};

/// Size of the smaller input.
const N: usize = 500;
/// Maximum steps of the double input, in percent of those of the single one.
const MOST: u64 = 225;

/// Checks that the steps for a skill with these files grow linearly in every profile.
#[track_caller]
fn check(what: &str, files: impl Fn(usize) -> Vec<(String, String)>) {
    for profile in Profile::ALL {
        let settings = Settings {
            profile,
            ..Settings::default()
        };
        let steps = [N, 2 * N].map(|n| {
            let skill = skill(files(n));
            steps::of(|| {
                validate_skill(&skill, None, &settings);
            })
        });
        assert!(steps[0] > 0, "{what}: nothing was counted");
        let is_linear = steps[1] * 100 <= steps[0] * MOST;
        assert!(is_linear, "{what}, {profile:?}: {steps:?}");
    }
}

fn skill(files: Vec<(String, String)>) -> SkillFiles {
    let files = files.into_iter();
    let mut entries: Vec<Entry> = files.map(|(path, text)| Entry::file(path, text)).collect();
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    SkillFiles {
        path: "a".to_owned(),
        directory: "a".to_owned(),
        entries,
        hard_links: Vec::new(),
    }
}

/// Creates a `SKILL.md` with these lines in its frontmatter and this body.
fn skill_md(frontmatter: &str, body: &str) -> (String, String) {
    let text = format!("---\nname: a\ndescription: Does it.\n{frontmatter}---\n{body}\n");
    ("SKILL.md".to_owned(), text)
}

fn many(n: usize, piece: &str) -> String {
    let pieces: Vec<String> = (0..n)
        .map(|at| piece.replace('#', &at.to_string()))
        .collect();
    pieces.concat()
}

#[test]
fn links_and_names_of_files_that_do_not_exist() {
    for piece in [
        "[x](references/#.md)\n",
        "[x](f.md) ",
        "[x](../#.md)\n",
        "see `scripts/f#.py` and\n",
    ] {
        check(piece, |n| vec![skill_md("", &many(n, piece))]);
    }
}

#[test]
fn entries_of_the_frontmatter() {
    for piece in [
        "k#: v\n",
        "k: v\n",
        "k#: [v]\n",
        "k#:\n  a: b\n",
        "k#: \"a\tb\"\n",
        "k#: 1 #\ta comment\n",
        "k#: !!str v\n",
    ] {
        check(piece, |n| vec![skill_md(&many(n, piece), "x")]);
    }
    check("values that are not text", |n| {
        vec![skill_md(
            &format!("metadata:\n{}", many(n, "  k#: 1\n")),
            "x",
        )]
    });
    check("values on one line", |n| {
        vec![skill_md(
            &format!("metadata: {{{}}}\n", many(n, "k#: 1, ")),
            "x",
        )]
    });
}

#[test]
fn entries_of_the_sidecar() {
    for piece in ["k#: v\n", "k: v\n"] {
        check(piece, |n| {
            let head = "schema: 1\nname: a\ntype: direct\nrunnable: true\n";
            let text = format!("{head}{}", many(n, piece));
            vec![skill_md("", "x"), ("METADATA.yml".to_owned(), text)]
        });
    }
    check("scripts that do not exist", |n| {
        let argv = many(n, "    - s#.py\n");
        let text = format!(
            "schema: 1\nname: a\ntype: direct\nrunnable: true\nentry:\n  runtime: python\n  argv:\n{argv}"
        );
        vec![skill_md("", "x"), ("METADATA.yml".to_owned(), text)]
    });
}

#[test]
fn resources_and_where_they_are_named() {
    let with = |n: usize, body: &str| {
        let resources = (0..n).map(|at| (format!("references/d{at}/f{at}.md"), "x\n".to_owned()));
        let mut files: Vec<_> = resources.collect();
        files.push(skill_md("", body));
        files
    };
    check("named files", |n| {
        with(n, &many(n, "see references/d#/f#.md\n"))
    });
    check("files that nothing names", |n| {
        with(n, &"nothing of it\n".repeat(n))
    });
}

#[test]
fn secrets_of_one_file() {
    check("secrets", |n| {
        let key = ["AKI", "AQ3Z7M2XW9RB4VFYK"].concat();
        let text = format!("k = '{key}'\n").repeat(n);
        vec![skill_md("", "x"), ("scripts/a.py".to_owned(), text)]
    });
}

/// Neighbors are counted by directory, so the findings of many directories are the same as those of
/// one.
#[test]
fn neighbours_in_many_directories() {
    let skill_at = |path: String| {
        let mut skill = skill(vec![
            skill_md("", "x"),
            (
                "METADATA.yml".to_owned(),
                "schema: 1\nname: a\ntype: direct\nfallback: [b]\n".to_owned(),
            ),
        ]);
        skill.path = path;
        validate_skill(&skill, None, &Settings::default()).summary
    };
    let paths = (0..40).map(|at| format!("g{}/s{at}", at / 2));
    let mut skills: Vec<_> = paths.chain(["alone/s".to_owned()]).map(skill_at).collect();
    skills.sort_by(|a, b| a.path.cmp(&b.path));
    let found = validate_tree(&skills, &[], &[], &Settings::default());
    let missing = found
        .iter()
        .filter(|finding| finding.code.0 == "metadata-fallback-missing");
    assert_eq!(missing.count(), 40);
}
