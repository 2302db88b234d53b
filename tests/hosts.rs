//! Packages of other hosts: the skill of each part, and promises that hold for all.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skill_model::{Frontmatter, parse_skill, read_metadata};
use tempfile::TempDir;

use crate::{cases, migrate, tool, tree};

#[test]
fn each_part_becomes_this() {
    let out = TempDir::new().unwrap();
    let report = tool::report(&cases::fixtures("hosts"), out.path(), &[]);
    let stories = migrate::plugins(&report).map(|plugin| {
        let key = plugin["directory"].as_str().unwrap().replace('#', "__");
        (key, migrate::story(plugin, out.path()))
    });
    cases::check_each_case("hosts", stories);
}

/// Runs the migration over all packages, and returns its output.
fn run(out: &Path, more: &[&str]) -> tool::Run {
    let input = cases::fixtures("hosts");
    let args = [input.to_str().unwrap(), "--out", out.to_str().unwrap()];
    tool::migrate(&[&args[..], more].concat())
}

#[test]
fn what_a_fate_names_exists() {
    let out = TempDir::new().unwrap();
    let report = tool::report(&cases::fixtures("hosts"), out.path(), &["--rules"]);
    let mut n_fates = 0;
    for plugin in migrate::plugins(&report) {
        let Some(skill) = plugin["skill"].as_str() else {
            continue;
        };
        let written = Written::read(&skill_loader::dir_in(out.path(), skill));
        for fate in plugin["fates"].as_array().into_iter().flatten() {
            let Some(to) = fate["to"].as_str() else {
                continue;
            };
            n_fates += 1;
            assert!(written.has(to), "{}: {fate}", plugin["directory"]);
        }
    }
    assert!(n_fates > 200, "{n_fates}");
}

/// A skill as it was written, in which the destinations of fates are looked up.
struct Written {
    directory: PathBuf,
    body: String,
    frontmatter: Frontmatter,
    metadata: Value,
}

impl Written {
    fn read(directory: &Path) -> Self {
        let text = |file| fs::read_to_string(directory.join(file)).unwrap_or_default();
        let skill_text = text("SKILL.md") + &text("SKILL.host.md");
        let skill = parse_skill(&skill_text).0;
        let metadata = read_metadata(&text("METADATA.yml")).0;
        Self {
            directory: directory.to_owned(),
            body: skill
                .as_ref()
                .map_or("", |it| it.body(&skill_text))
                .to_owned(),
            frontmatter: skill.map(|it| it.frontmatter()).unwrap_or_default(),
            metadata: serde_json::to_value(&metadata).unwrap(),
        }
    }

    fn has(&self, to: &str) -> bool {
        let header = &self.frontmatter;
        match to.split_once('#') {
            Some(("METADATA.yml", pointer)) => self.metadata.pointer(pointer).is_some(),
            Some(("SKILL.md", "Input")) => {
                let titles = ["\n## Input\n", "\n## 输入\n"];
                titles.iter().any(|title| self.body.contains(title))
            }
            Some(("SKILL.md", "name")) => !header.name.is_empty(),
            Some(("SKILL.md", "description")) => !header.description.is_empty(),
            Some(("SKILL.md", "license")) => header.license.is_some(),
            Some(("SKILL.md", "compatibility")) => header.compatibility.is_some(),
            Some(("SKILL.md", "allowed-tools")) => header.allowed_tools.is_some(),
            Some(("SKILL.md", key)) => key
                .strip_prefix("metadata.")
                .is_some_and(|key| header.metadata.contains_key(key)),
            // A file of the skill, or the file of the unit in the package.
            _ => self.directory.join(to).exists() || !self.body.is_empty(),
        }
    }
}

#[test]
fn a_second_run_changes_nothing() {
    let dir = TempDir::new().unwrap();
    let [first, second] = [dir.path().join("a"), dir.path().join("b")];
    run(&first, &[]);
    let again = run(&first, &[]);
    assert!(
        again.stdout.contains(" 0 created, 0 updated, "),
        "{again:?}"
    );
    assert!(
        again.stdout.contains("nothing had to be written"),
        "{again:?}"
    );
    let check = run(&first, &["--check"]);
    assert!(
        check.stdout.contains(" 0 to create, 0 to update, "),
        "{check:?}"
    );
    run(&second, &[]);
    let all = |path: &str| !path.starts_with(".skills-migrate/");
    assert_eq!(tree::render(&first, all), tree::render(&second, all));
}

#[test]
fn the_skills_are_valid() {
    let out = TempDir::new().unwrap();
    run(out.path(), &[]);
    for profile in ["spec", "skills-ref"] {
        let run = tool::validate(&[out.path().to_str().unwrap(), "--profile", profile]);
        assert!(run.stdout.contains(" 0 errors"), "{run:?}");
    }
}

/// A change of one part changes the skill of that part only.
#[test]
fn a_changed_part_updates_its_skill() {
    let dir = TempDir::new().unwrap();
    let [input, out] = [dir.path().join("in"), dir.path().join("out")];
    cases::copy(&cases::fixtures("hosts/market"), &input);
    let args = [input.to_str().unwrap(), "--out", out.to_str().unwrap()];
    tool::migrate(&args);
    let file = input.join("plugins/tea/skills/review/SKILL.md");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("Taste it.", "Taste it twice.")).unwrap();
    let report = dir.path().join("report.json");
    tool::migrate(&[&args[..], &["--report", report.to_str().unwrap()]].concat());
    let report: Value = serde_json::from_str(&fs::read_to_string(&report).unwrap()).unwrap();
    let changed = migrate::plugins(&report).filter(|plugin| plugin["status"] == "updated");
    let changed: Vec<&str> = changed
        .map(|plugin| plugin["directory"].as_str().unwrap())
        .collect();
    assert_eq!(changed, ["plugins/tea#skill/review"]);
}
