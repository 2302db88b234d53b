//! Trees and the catalogs made from them.
#![expect(
    clippy::disallowed_methods,
    reason = "what is read here must be made by other means"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use skill_diagnostics::Code;
use tempfile::TempDir;

use super::*;
use crate::load::{self, Limits, Source};

fn tree(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(dir.path(), path, text);
    }
    dir
}

fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\n# {name}\n")
}

fn settings(dir: &Path, roots: &[(&str, Source)]) -> CatalogSettings {
    let roots = roots.iter().map(|(path, source)| SkillRoot {
        path: dir.join(path),
        source: *source,
    });
    CatalogSettings {
        roots: roots.collect(),
        ..CatalogSettings::default()
    }
}

fn codes_of(catalog: &Catalog) -> Vec<Code> {
    catalog
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect()
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.skills.keys().map(String::as_str).collect()
}

#[test]
fn parts_of_a_host_are_found_by_name_only() {
    let dir = tree(&[
        ("s/a/SKILL.md", &skill("a")),
        ("s/.host/b/SKILL.host.md", &skill("b")),
        ("s/.host/a/SKILL.md", &skill("a")),
        ("s/group/.host/c/SKILL.md", &skill("c")),
        ("s/d/SKILL.host.md", &skill("d")),
    ]);
    let catalog = Catalog::read(&settings(dir.path(), &[("s", Source::Project)]));
    assert_eq!(names(&catalog), ["a"]);
    assert_eq!(catalog.find("b").unwrap().name, "b");
    assert!(catalog.find("c").is_err());
    let all: Vec<&str> = catalog.all().map(|skill| &*skill.name).collect();
    assert_eq!(all, ["a", "b"]);
    assert_eq!(codes_of(&catalog), [codes::SKILL_SHADOWED]);
    let host = Catalog::read(&settings(dir.path(), &[("s/.host", Source::Project)]));
    assert_eq!(names(&host), ["a", "b"]);
}

#[test]
fn finds_directories_and_single_files() {
    let dir = tree(&[
        ("s/b/SKILL.md", &skill("b")),
        (
            "s/b/METADATA.yml",
            "schema: 1\nname: b\nversion: 1.0.0\ntype: direct\n",
        ),
        ("s/b/inner/SKILL.md", &skill("inner")),
        ("s/group/a/SKILL.md", &skill("a")),
        (
            "s/code-review.md",
            "---\ndescription: Reviews: code.\n---\n",
        ),
        ("s/README.md", "# No skill\n"),
        ("s/group/single.md", &skill("not-at-the-top")),
        ("s/.git/x/SKILL.md", &skill("hidden")),
    ]);
    let catalog = Catalog::read(&settings(dir.path(), &[("s", Source::Project)]));
    assert_eq!(names(&catalog), ["a", "b", "code-review"]);
    assert_eq!(catalog.findings, []);
    assert!(catalog.skills["b"].metadata.is_some());
    assert_eq!(catalog.skills["code-review"].description, "Reviews: code.");
}

#[test]
fn the_first_source_wins_and_shadowing_is_told() {
    let dir = tree(&[
        ("user/x/SKILL.md", &skill("same")),
        ("project/y/SKILL.md", &skill("same")),
        ("project/z/SKILL.md", &skill("same")),
    ]);
    let roots = [("user", Source::User), ("project", Source::Project)];
    let catalog = Catalog::read(&settings(dir.path(), &roots));
    let skill = &catalog.skills["same"];
    assert_eq!(
        (skill.source, skill.place.file.as_str()),
        (Source::Project, "y/SKILL.md")
    );
    assert_eq!(codes_of(&catalog), [codes::SKILL_SHADOWED; 2]);
}

#[test]
fn one_bad_skill_never_hurts_the_rest() {
    let dir = tree(&[
        ("s/good/SKILL.md", &skill("good")),
        ("s/bad/SKILL.md", "# no frontmatter\n"),
        ("s/mute/SKILL.md", "---\nname: mute\n---\n"),
        ("s/latin/SKILL.md", "x"),
        (
            "s/name/SKILL.md",
            "---\nname: \"a\\nb\"\ndescription: x\n---\n",
        ),
        ("outside.md", &skill("outside")),
    ]);
    fs::write(
        dir.path().join("s/latin/SKILL.md"),
        b"---\nname: \xff\n---\n",
    )
    .unwrap();
    fs::create_dir(dir.path().join("s/linked")).unwrap();
    symlink("../../outside.md", dir.path().join("s/linked/SKILL.md")).unwrap();
    let catalog = Catalog::read(&settings(dir.path(), &[("s", Source::Project)]));
    assert_eq!(names(&catalog), ["good"]);
    assert_eq!(catalog.findings.len(), 5);
    for (name, code) in [
        ("bad", load::codes::INVALID_FRONTMATTER),
        ("mute", load::codes::INVALID_FRONTMATTER),
        ("linked", load::codes::PATH_TRAVERSAL_BLOCKED),
        ("goood", load::codes::SKILL_NOT_FOUND),
    ] {
        let error = catalog.find(name).unwrap_err();
        assert_eq!(error.code(), code, "{name}");
    }
    let help = catalog.find("goood").unwrap_err().help();
    assert_eq!(help.as_deref(), Some("did you mean `good`?"));
}

#[test]
fn a_bound_that_is_hit_is_a_finding() {
    let dir = tree(&[
        ("s/a/b/c/SKILL.md", &skill("deep")),
        ("s/d/SKILL.md", &skill("d")),
    ]);
    let mut settings = settings(dir.path(), &[("s", Source::Project)]);
    settings.bounds.depth = 2;
    assert_eq!(codes_of(&Catalog::read(&settings)), [codes::BOUND_HIT]);
    settings.bounds = Bounds {
        directories: 2,
        ..Bounds::default()
    };
    let catalog = Catalog::read(&settings);
    assert_eq!(codes_of(&catalog), [codes::BOUND_HIT]);
    assert_eq!(names(&catalog), [""; 0]);
}

#[test]
fn a_link_is_followed_only_where_it_is_trusted() {
    let dir = tree(&[
        ("far/skill/SKILL.md", &skill("far")),
        ("s/near/SKILL.md", &skill("near")),
    ]);
    symlink("../far/skill", dir.path().join("s/link")).unwrap();
    symlink("s", dir.path().join("linked-root")).unwrap();
    let roots = [("linked-root", Source::Project)];
    let mut settings = settings(dir.path(), &roots);
    assert_eq!(codes_of(&Catalog::read(&settings)), [codes::NOT_LISTED]);
    let real = crate::fs::resolve(dir.path()).unwrap();
    settings.trusted = vec![real.join("s")];
    let catalog = Catalog::read(&settings);
    assert_eq!(codes_of(&catalog), [codes::LINK_NOT_FOLLOWED]);
    assert_eq!(names(&catalog), ["near"]);
    settings.trusted.push(real.join("far"));
    let catalog = Catalog::read(&settings);
    assert_eq!(
        (codes_of(&catalog), names(&catalog)),
        (vec![], vec!["far", "near"])
    );
}

#[test]
fn a_refresh_reads_only_what_changed() {
    let dir = tree(&[("s/a/SKILL.md", &skill("a")), ("s/b/SKILL.md", &skill("b"))]);
    let cache = CatalogCache::new(settings(dir.path(), &[("s", Source::Project)]));
    let before = cache.current();
    write(
        dir.path(),
        "s/a/SKILL.md",
        &skill("a").replace("Does", "Makes"),
    );
    write(dir.path(), "s/c/SKILL.md", &skill("c"));
    let one = cache.refresh_skill("a");
    assert_eq!(one.skills["a"].description, "Makes a.");
    assert_eq!(names(&one), ["a", "b"]);
    let all = cache.refresh();
    assert_eq!(names(&all), ["a", "b", "c"]);
    assert!(Arc::ptr_eq(&before.skills["b"], &all.skills["b"]));
    assert!(Arc::ptr_eq(&one.skills["a"], &all.skills["a"]));
    assert_eq!(names(&before), ["a", "b"]);
    assert_ne!(before.digest(), all.digest());
    fs::remove_dir_all(dir.path().join("s/b")).unwrap();
    assert_eq!(names(&cache.refresh_skill("b")), ["a", "c"]);
}

#[test]
fn the_last_good_state_is_kept() {
    let dir = tree(&[("s/a/SKILL.md", &skill("a"))]);
    let cache = CatalogCache::new(settings(dir.path(), &[("s", Source::Project)]));
    write(dir.path(), "s/a/SKILL.md", "---\nname: \"a\n---\n");
    for catalog in [cache.refresh_skill("a"), cache.refresh()] {
        assert_eq!(catalog.skills["a"].description, "Does a.");
        assert_eq!(codes_of(&catalog), [codes::KEPT_LAST_GOOD]);
    }
    fs::rename(dir.path().join("s"), dir.path().join("gone")).unwrap();
    let catalog = cache.refresh();
    assert_eq!(names(&catalog), ["a"]);
    assert_eq!(codes_of(&catalog), [codes::NOT_LISTED]);
}

#[test]
fn many_callers_are_served_by_few_looks() {
    let dir = tree(&[("s/a/SKILL.md", &skill("a"))]);
    let cache = CatalogCache::new(settings(dir.path(), &[("s", Source::Project)]));
    write(dir.path(), "s/b/SKILL.md", &skill("b"));
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| assert_eq!(names(&cache.refresh()), ["a", "b"]));
        }
    });
}

#[test]
fn a_name_that_is_not_portable_is_a_finding() {
    let names_of_others = ["skills/con", "skills/a:b", "skills/x."];
    let texts = names_of_others.map(|dir| (format!("{dir}/SKILL.md"), skill("x")));
    let mut files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let fine = skill("fine");
    files.push(("skills/fine/SKILL.md", &fine));
    let dir = tree(&files);
    let catalog = Catalog::read(&settings(dir.path(), &[("skills", Source::Project)]));
    assert_eq!(names(&catalog), ["fine"]);
    assert_eq!(codes_of(&catalog), [codes::NOT_LISTED; 3]);
    let device = &catalog.findings[1].message;
    let expected = "the name is reserved on Windows, expected a name that every system can store";
    assert!(device.ends_with(expected), "{device}");
}

#[test]
fn a_directory_names_the_skill_in_it() {
    let dir = tree(&[
        ("tea/SKILL.md", &skill("tea")),
        ("tea/more/mate/SKILL.md", &skill("mate")),
        ("broken/SKILL.md", "no frontmatter"),
    ]);
    let check = |root: &str, named: &str, expected: Option<&str>| {
        let catalog = Catalog::read(&settings(dir.path(), &[(root, Source::Project)]));
        let found = catalog.find_named(named).ok();
        assert_eq!(found.map(|skill| &*skill.name), expected, "{root} {named}");
    };
    check("tea", ".", Some("tea"));
    check("tea", "../tea", Some("tea"));
    check("", "tea", Some("tea"));
    check("", ".", None);
    check("broken", ".", None);
    assert_eq!(directory("tea"), None);
}

#[test]
fn what_a_skill_builds_on_is_read_once_and_within_the_room() {
    let metadata = |version: &str, requires: &str| {
        format!(
            "schema: 1\nname: x\nversion: '{version}'\ntype: prompt\nrequires:\n  skills: [{requires}]\n"
        )
    };
    let skills = [
        ("s/report", "1", "'pdf@^1.2', fonts"),
        ("s/pdf", "2.1", ""),
        ("s/v1/pdf", "1.4", "fonts"),
        ("s/fonts", "0.3", "report"),
        ("s/broken", "1", "'pdf@^3'"),
    ];
    let dir = tree(&[]);
    for (path, version, requires) in skills {
        let name = path.rsplit('/').next().unwrap();
        write(dir.path(), &format!("{path}/SKILL.md"), &skill(name));
        let text = metadata(version, requires);
        write(dir.path(), &format!("{path}/METADATA.yml"), &text);
    }
    let catalog = Catalog::read(&settings(dir.path(), &[("s", Source::Project)]));
    let read = |name: &str, room| {
        let found = catalog.read_required(&catalog.skills[name], &Limits::default(), room);
        let found = found.map_err(|error| format!("{}: {error}", error.code()))?;
        let shown = found.iter().map(|one| {
            let (name, version) = (&one.skill.name, one.skill.version());
            format!("{name} {version} {}", one.loaded.is_some())
        });
        Ok::<_, String>(shown.collect::<Vec<_>>().join(", "))
    };
    assert_eq!(
        read("report", 1_000).unwrap(),
        "fonts 0.3 true, pdf 1.4 true"
    );
    assert_eq!(read("report", 10).unwrap(), "fonts 0.3 true, pdf 1.4 false");
    assert_eq!(read("pdf", 1_000).unwrap(), "");
    assert_eq!(
        read("broken", 1_000).unwrap_err(),
        "required-skill-missing: `broken` cannot be read with what it requires: \
         no version of `pdf` is in the range ^3; found 2.1, 1.4"
    );
}

#[test]
fn a_broken_metadata_file_is_a_finding() {
    let dir = tree(&[
        ("s/a/SKILL.md", &skill("a")),
        ("s/a/METADATA.yml", "name: [a"),
        ("s/b/SKILL.md", &skill("b")),
    ]);
    let cache = CatalogCache::new(settings(dir.path(), &[("s", Source::Project)]));
    for catalog in [cache.current(), cache.refresh()] {
        assert_eq!(names(&catalog), ["a", "b"]);
        assert_eq!(codes_of(&catalog), [codes::METADATA_UNUSABLE]);
        let place = &catalog.findings[0].place;
        assert!(
            place
                .file
                .as_ref()
                .is_some_and(|it| it.ends_with("a/METADATA.yml"))
        );
        assert!(place.span.is_some());
    }
}

#[test]
fn the_places_of_required_skills_have_other_versions_of_an_unmet_range() {
    let dir = tree(&[]);
    for (name, version, requires) in [("report", "1", "'pdf@^3'"), ("pdf", "2.1", "")] {
        write(dir.path(), &format!("s/{name}/SKILL.md"), &skill(name));
        let text = format!(
            "schema: 1\nname: {name}\nversion: '{version}'\ntype: prompt\nrequires:\n  skills: [{requires}]\n"
        );
        write(dir.path(), &format!("s/{name}/METADATA.yml"), &text);
    }
    let catalog = Catalog::read(&settings(dir.path(), &[("s", Source::Project)]));
    let places = catalog.required_places(&catalog.skills["report"]);
    assert_eq!(places[0].0, "pdf");
}
