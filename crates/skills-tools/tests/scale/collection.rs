//! A generated collection, and what a run over it wrote.

use skill_testing::tool;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The tool itself.
pub(crate) fn tool() -> Command {
    let mut res = Command::new(tool!("skills-migrate"));
    res.env("NO_COLOR", "1");
    res
}

/// Runs the tool and expects this exit status.
#[track_caller]
pub(crate) fn run(args: &[&str], status: i32) -> Output {
    let output = tool().args(args).output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(status),
        "{args:?}\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Lays out `n` plugins: names that clash, two levels of directories, some switched off, and every
/// fiftieth with a program of 40 kB.
pub(crate) fn lay_out(root: &Path, n: usize) {
    for at in 0..n {
        let directory = root.join(format!("kind-{}/Plugin{at:05}", at % 7));
        fs::create_dir_all(&directory).unwrap();
        // Of eight plugins two have the same name, and four one that differs by case or is not Latin.
        let name = match at % 8 {
            0 | 1 => format!("Shared{}", at / 8),
            2 => format!("shared {}", at / 8),
            3 => format!("天气{}", at / 8),
            _ => format!("Plugin{at}"),
        };
        let manifest = serde_json::json!({
            "manifestVersion": "1.0.0",
            "name": name,
            "displayName": format!("Plugin number {at}"),
            "version": "1.2.3",
            "description": format!("Looks up the number {at} and says what is known of it."),
            "pluginType": if at % 3 == 0 { "static" } else { "synchronous" },
            "entryPoint": { "type": "python", "command": "python main.py" },
            "communication": { "protocol": "stdio", "timeout": 1000 + at },
            "capabilities": { "invocationCommands": [{
                "commandIdentifier": "Look",
                "description": format!("Parameters:\n- number (number, required): the number, for example {at}"),
                "example": "<<<[TOOL_REQUEST]>>>\nnumber:「始」7「末」\n<<<[END_TOOL_REQUEST]>>>"
            }] }
        });
        let file = if at % 11 == 5 {
            "plugin-manifest.json.block"
        } else {
            "plugin-manifest.json"
        };
        fs::write(directory.join(file), manifest.to_string()).unwrap();
        let size = if at % 50 == 7 { 2000 } else { 2 };
        fs::write(
            directory.join("main.py"),
            format!("print({at})  # text\n").repeat(size),
        )
        .unwrap();
        fs::write(directory.join("README.md"), format!("# Plugin {at}\n")).unwrap();
    }
}

/// Every file of a directory of skills with its bytes, without what the store keeps for itself.
pub(crate) fn written(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut acc = BTreeMap::new();
    collect(root, root, &mut acc);
    acc
}

fn collect(root: &Path, directory: &Path, acc: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let relative = path.strip_prefix(root).unwrap().to_owned();
        if relative.starts_with(".skills-migrate") {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, acc);
        } else {
            acc.insert(relative, fs::read(&path).unwrap());
        }
    }
}

/// Compares two directories of skills, file by file.
#[track_caller]
pub(crate) fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (written(one), written(other));
    let paths: Vec<_> = one.keys().chain(other.keys()).collect();
    let different: Vec<_> = paths
        .into_iter()
        .filter(|path| one.get(*path) != other.get(*path))
        .take(5)
        .collect();
    assert!(different.is_empty(), "these differ: {different:?}");
    assert!(one.contains_key(Path::new("skills.lock")));
}
