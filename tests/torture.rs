//! Corpora that were made to break parsers, if they are in `../shared/torture`. They are not part of
//! the project, so these tests are skipped without them.
//!
//! A panic fails the test, so there is no assertion for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use skill_model::{parse_skill, parse_skill_bytes, read_metadata};
use skill_testing::{Need, find, skip};
use tempfile::TempDir;

use crate::tool;

#[test]
fn valid_and_invalid_json_are_distinguished() {
    let Some(suite) = torture("JSONTestSuite") else {
        return;
    };
    let files = labels(&suite);
    assert_eq!(files.len(), 318);
    let mut wrong = Vec::new();
    for (file, label) in files {
        let bytes = fs::read(suite.join(&file)).unwrap();
        let (text, _) = plugin_manifest::decode(&bytes);
        let root = text.and_then(|text| plugin_model::parse_json(text).0);
        if let Some(root) = &root {
            let lost: Vec<_> = root
                .leaves()
                .into_iter()
                .filter(|leaf| root.at(leaf).is_none())
                .collect();
            assert!(lost.is_empty(), "{file}: {lost:?}");
        }
        if !fits(&label, root.is_some()) {
            wrong.push(format!("{file}: {label}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Each file is used as a whole manifest, and as a value in a manifest that is otherwise good.
#[test]
fn json_is_migrated_or_rejected() {
    let Some(suite) = torture("JSONTestSuite") else {
        return;
    };
    let dir = TempDir::new().unwrap();
    let input = dir.path().join("plugins");
    let mut expected = BTreeMap::new();
    for (n, (file, label)) in labels(&suite).into_iter().enumerate() {
        let content = fs::read(suite.join(&file)).unwrap();
        let head = format!(
            r#"{{"name":"Probe{n}","pluginType":"synchronous","entryPoint":{{"command":"node x.js"}},"extra":"#
        );
        let inside = [head.as_bytes(), &content, b"}"].concat();
        plugin(&input, &format!("whole{n}"), &content);
        plugin(&input, &format!("inside{n}"), &inside);
        expected.insert(format!("whole{n}"), (file.clone(), "reject".to_owned()));
        expected.insert(format!("inside{n}"), (file, label));
    }
    let report = tool::report(&input, &dir.path().join("skills"), &[]);
    let mut wrong = Vec::new();
    for plugin in report["plugins"].as_array().unwrap() {
        let (file, label) = &expected[plugin["directory"].as_str().unwrap()];
        let status = plugin["status"].as_str().unwrap();
        let is_known = matches!(status, "created" | "rejected");
        if !is_known || !fits(label, status == "created") {
            wrong.push(format!("{} {file}: {label}, {status}", plugin["directory"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(report["plugins"].as_array().unwrap().len(), 2 * 318);
}

/// Documents that the parser accepts and the suite refuses: `%` directives, and a tag that is written
/// wrongly. None of them changes the value.
const TAKEN_THOUGH_INVALID: usize = 1;

#[test]
fn yaml_does_no_harm_to_its_readers() {
    let Some(archive) = torture("yaml-test-suite.tar.gz") else {
        return;
    };
    let dir = TempDir::new().unwrap();
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(&archive).arg("-C").arg(dir.path());
    assert!(tar.status().unwrap().success());
    let suite = dir.path().join("yaml-test-suite");
    let mut taken = Vec::new();
    for (case, label) in labels(&suite) {
        let bytes = fs::read(suite.join("cases").join(&case).join("in.yaml")).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let skill = format!("---\nname: a\n{text}\n---\nbody\n");
        if let (Some(skill), _) = parse_skill(&skill) {
            let emitted = skill.frontmatter();
            let (again, findings) = parse_skill(&emitted.emit("body\n"));
            assert_eq!(findings, [], "{case}");
            assert_eq!(
                again.map(|skill| skill.frontmatter()),
                Some(emitted),
                "{case}"
            );
        }
        let _ = parse_skill_bytes(&bytes);
        for prefix in ["", "schema: 1\nname: a\nversion: 1.0.0\ntype: direct\n"] {
            if let (Some(metadata), _) = read_metadata(&format!("{prefix}{text}")) {
                let (again, _) = read_metadata(&metadata.to_yaml());
                assert_eq!(again, Some(metadata), "{case}");
            }
        }
        if label == "reject" && skill_model::yaml::parse(&text).is_ok() {
            taken.push(case);
        }
    }
    assert!(taken.len() <= TAKEN_THOUGH_INVALID, "{taken:?}");
}

#[test]
fn naughty_strings_survive() {
    let Some(folder) = torture("naughty-strings") else {
        return;
    };
    let strings: Vec<String> =
        serde_json::from_str(&fs::read_to_string(folder.join("blns.json")).unwrap()).unwrap();
    let dir = TempDir::new().unwrap();
    let [input, out] = ["plugins", "skills"].map(|name| dir.path().join(name));
    for (n, text) in strings.iter().enumerate() {
        let manifest = naughty_manifest(n, text);
        plugin(&input, &format!("p{n}"), manifest.to_string().as_bytes());
    }
    let report = tool::report(&input, &out, &[]);
    let plugins = report["plugins"].as_array().unwrap();
    assert_eq!(plugins.len(), strings.len());
    let skills: Vec<(PathBuf, &String)> = plugins
        .iter()
        .map(|plugin| {
            assert_eq!(plugin["status"], "created", "{plugin}");
            let n: usize = plugin["directory"].as_str().unwrap()[1..].parse().unwrap();
            (out.join(plugin["skill"].as_str().unwrap()), &strings[n])
        })
        .collect();
    for (skill, text) in &skills {
        read_back_by_us(skill, text);
    }
    read_back_by_pyyaml(dir.path(), &skills);
    // An HTML entity is plain text that names the character that it stands for.
    let entities: Vec<String> = skills
        .iter()
        .filter(|(_, text)| text.contains("&#"))
        .map(|(skill, _)| format!("{}/", skill.display()))
        .collect();
    let mut hidden = hidden_in_texts(&out);
    hidden.retain(|finding| {
        !entities
            .iter()
            .any(|skill| finding.contains(skill.as_str()))
    });
    assert_eq!(hidden, Vec::<String>::new());
    output_has_no_controls(&input, &out.with_file_name("again"));
}

fn naughty_manifest(n: usize, text: &str) -> Value {
    json!({
        "name": format!("Naughty{n}"),
        "displayName": text,
        "description": text,
        "author": text,
        "version": "1.0.0",
        "pluginType": "synchronous",
        "entryPoint": { "command": "node x.js" },
        "communication": { "protocol": "stdio" },
        "probe": text,
        text: 1,
        "capabilities": { "invocationCommands": [
            { "commandIdentifier": "run", "description": text, "example": text },
        ] },
    })
}

/// Returns the errors of `skills-validate` in the written Markdown.
fn hidden_in_texts(out: &Path) -> Vec<String> {
    let run = tool::validate(&[out.to_str().unwrap(), "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let errors = findings.filter(|it| it["severity"] == "error");
    let in_texts = errors.filter(|it| {
        it["file"]
            .as_str()
            .is_some_and(|file| file.ends_with(".md"))
    });
    in_texts.map(Value::to_string).collect()
}

/// Checks the values that must be exact: unknown fields are copied word for word.
fn read_back_by_us(skill: &Path, text: &str) {
    let metadata = fs::read_to_string(skill.join("METADATA.yml")).unwrap();
    let (metadata, findings) = read_metadata(&metadata);
    assert_eq!(findings, [], "{text:?}");
    assert_eq!(metadata.unwrap().legacy.unwrap().extra["probe"], text);
    let body = fs::read_to_string(skill.join("SKILL.md")).unwrap();
    let (parsed, findings) = parse_skill(&body);
    assert_eq!(findings, [], "{text:?}");
    let name = parsed.unwrap().frontmatter().name;
    assert_eq!(Some(&*name), skill.file_name().and_then(|it| it.to_str()));
    let raw = |c: &char| c.is_control() && !matches!(c, '\n' | '\t');
    assert_eq!(body.chars().find(raw), None, "a raw control for {text:?}");
}

/// Reads all values in one Python process.
fn read_back_by_pyyaml(dir: &Path, skills: &[(PathBuf, &String)]) {
    const PROGRAM: &str = "
import json, pathlib, sys
import yaml
res = []
for skill, text in json.load(sys.stdin):
    skill = pathlib.Path(skill)
    metadata = yaml.safe_load((skill / 'METADATA.yml').read_text(encoding='utf-8'))
    front = (skill / 'SKILL.md').read_text(encoding='utf-8').split('\\n---\\n', 1)[0]
    front = yaml.safe_load(front.split('---\\n', 1)[1])
    author = front['metadata'].get('author', '')
    if metadata['legacy']['extra']['probe'] != text:
        res.append([skill.name, text, metadata['legacy']['extra']['probe']])
    if metadata.get('author', '') != author and '\\\\u{' not in author:
        res.append([skill.name, text, author])
    if front['name'] != skill.name or not isinstance(front['description'], str):
        res.append([skill.name, text, front])
json.dump(res, sys.stdout)
";
    let has_yaml = Command::new("python3")
        .args(["-c", "import yaml"])
        .output()
        .is_ok_and(|it| it.status.success());
    if !skip::unless_so(Need::Python, has_yaml, "there is no python3 with PyYAML") {
        return;
    }
    let list = dir.join("list.json");
    fs::write(&list, serde_json::to_vec(skills).unwrap()).unwrap();
    let mut python = Command::new("python3");
    python
        .args(["-c", PROGRAM])
        .stdin(fs::File::open(&list).unwrap());
    let output = python.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "[]", "{errors}");
}

/// Checks that the output for people has no raw control character.
fn output_has_no_controls(input: &Path, out: &Path) {
    let [input, out] = [input, out].map(|path| path.to_str().unwrap());
    let run = tool::migrate(&[input, "--out", out, "-vv", "--dry-run"]);
    for text in [run.stdout, run.stderr] {
        let raw = text.lines().find(|line| line.chars().any(char::is_control));
        assert_eq!(raw, None);
    }
}

/// Returns true if a verdict agrees with a label of a corpus.
fn fits(label: &str, is_taken: bool) -> bool {
    match label {
        "accept" => is_taken,
        "reject" => !is_taken,
        _ => true,
    }
}

/// Returns the first two columns of `labels.csv`.
fn labels(suite: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(suite.join("labels.csv")).unwrap();
    let rows = text.lines().skip(1).filter_map(|line| {
        let mut cells = line.split(',');
        Some((cells.next()?.to_owned(), cells.next()?.to_owned()))
    });
    rows.collect()
}

fn plugin(input: &Path, name: &str, manifest: &[u8]) {
    let directory = input.join(name);
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("plugin-manifest.json"), manifest).unwrap();
    fs::write(directory.join("x.js"), "").unwrap();
}

/// Finds a corpus, or skips the test.
fn torture(name: &str) -> Option<PathBuf> {
    find::shared(&format!("torture/{name}"))
}
