//! Real documents of APIs, from `../shared/formats`: every operation is a command, and the skills are short
//! by the exact count of tokens.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use skill_model::{parse_skill, read_metadata, yaml};
use skill_tokens::TokenCounter as _;
use skill_tokens_exact::ExactO200k;
use tempfile::TempDir;

use crate::tool;

/// The most tokens of an API in a catalog: its name and its description.
const MAX_ENTRY: usize = 100;
/// The most tokens of SKILL.md.
const MAX_SKILL: usize = 5_000;
/// The document without an operation.
const WITHOUT_OPERATIONS: &str = "webhook-example.json";

/// Unpacks the documents, or skips the test.
fn documents() -> Option<(TempDir, Vec<PathBuf>)> {
    let archive = skill_testing::find::shared("formats/files.tar.xz")?;
    let dir = TempDir::new().unwrap();
    let mut tar = Command::new("tar");
    tar.arg("-xJf").arg(&archive).arg("-C").arg(dir.path());
    assert!(tar.status().unwrap().success(), "{tar:?}");
    let mut documents = Vec::new();
    collect(&dir.path().join("files/openapi"), &mut documents);
    documents.sort();
    Some((dir, documents))
}

fn collect(dir: &Path, documents: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, documents);
        } else if path
            .extension()
            .is_some_and(|it| it == "json" || it == "yaml")
        {
            documents.push(path);
        }
    }
}

/// Returns the number of operations of a document, which refers to no other file.
fn operations(document: &Path) -> usize {
    const METHODS: [&str; 8] = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace",
    ];
    let text = fs::read_to_string(document).unwrap();
    let document: Value =
        serde_json::from_str(&text).unwrap_or_else(|_| yaml::from_str(&text).unwrap());
    let paths = document["paths"].as_object().into_iter().flatten();
    let methods = paths.map(|(_, path)| METHODS.iter().filter(|it| path.get(**it).is_some()));
    methods.map(Iterator::count).sum()
}

#[test]
fn every_operation_is_a_command_of_a_short_skill() {
    let Some((dir, documents)) = documents() else {
        return;
    };
    assert!(documents.len() >= 10, "{documents:?}");
    for (n, document) in documents.iter().enumerate() {
        let out = dir.path().join(format!("out{n}"));
        let report = tool::report(document, &out, &[]);
        let n_operations = operations(document);
        if document.ends_with(WITHOUT_OPERATIONS) {
            assert!(n_operations == 0 && !report.to_string().contains("\"created\""));
            continue;
        }
        let mut n_commands = 0;
        for entry in fs::read_dir(&out).unwrap() {
            let skill = entry.unwrap().path();
            if skill.join("SKILL.md").is_file() {
                n_commands += check(&skill);
            }
        }
        assert_eq!(n_commands, n_operations, "{document:?}");
        let run = tool::validate(&[out.to_str().unwrap()]);
        assert!(run.stdout.contains(" 0 errors"), "{document:?}: {run:?}");
    }
}

/// Checks the budgets of a skill and returns the number of its commands.
#[track_caller]
fn check(skill: &Path) -> usize {
    let text = fs::read_to_string(skill.join("SKILL.md")).unwrap();
    let exact = ExactO200k::new();
    let n_tokens = exact.count(&text);
    assert!(
        n_tokens <= MAX_SKILL,
        "{}: {n_tokens} tokens",
        skill.display()
    );
    let metadata = fs::read_to_string(skill.join("METADATA.yml")).unwrap();
    let metadata = read_metadata(&metadata).0.unwrap();
    let listed = parse_skill(&text).0.unwrap().frontmatter();
    let entry = format!("- {}: {}\n", listed.name, listed.description);
    let n_tokens = exact.count(&entry);
    assert!(n_tokens <= MAX_ENTRY, "{entry}: {n_tokens} tokens");
    metadata.commands.len()
}
