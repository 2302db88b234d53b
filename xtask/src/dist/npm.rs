//! Packages for npm and `npx`: one with a starter, and one with the program for one system, which npm
//! installs where `os`, `cpu` and `libc` match. Nothing is downloaded by an install script.
//!
//! Format: <https://docs.npmjs.com/cli/configuring-npm/package-json>

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::content::{Content, ExtraKind, NAME, PROGRAM, SUMMARY};
use super::elf::Libc;
use super::entry::Entry;
use super::gzip::gzip;
use super::tar::tar;

/// Starts the program of the package for this system.
const STARTER: &str = include_str!("../../../packaging/npm/start.js");

/// Returns the names and bytes of both packages.
pub(super) fn packages(content: &Content) -> Result<Vec<(String, Vec<u8>)>> {
    let system = system(content);
    Ok(vec![
        packed(content, NAME, starters(content, &system))?,
        packed(
            content,
            &format!("{NAME}-{system}"),
            for_system(content, &system),
        )?,
    ])
}

fn packed(content: &Content, name: &str, entries: Vec<Entry>) -> Result<(String, Vec<u8>)> {
    let entries: Vec<Entry> = entries.into_iter().map(|it| it.below("package/")).collect();
    let file = format!("{name}-{}.tgz", content.version);
    Ok((file, gzip(&tar(&entries, "", content.time())?)?))
}

/// Returns the name of the package for a system, without its scope: `linux-x64`.
fn system(content: &Content) -> String {
    format!("linux-{}", content.needs.machine.node())
}

fn starters(content: &Content, system: &str) -> Vec<Entry> {
    let mut res = vec![Entry::file("start.js", STARTER.as_bytes())];
    let mut bin = Map::new();
    let words = content.tools.iter().map(|tool| {
        let word = tool.strip_prefix("skills-").unwrap_or(tool);
        (tool.as_str(), format!("\"{word}\""))
    });
    for (command, word) in [(PROGRAM, String::new())].into_iter().chain(words) {
        let path = format!("bin/{command}.js");
        let text = format!("#!/usr/bin/env node\nrequire(\"../start.js\")({word});\n");
        res.push(Entry::program(path.clone(), text.into_bytes()));
        bin.insert(command.to_owned(), json!(path));
    }
    let mut pages = Vec::new();
    for extra in &content.extras {
        let directory = match extra.kind {
            ExtraKind::Man => "man".to_owned(),
            kind => format!("completions/{}", kind.word()),
        };
        let path = format!("{directory}/{}", extra.file_name());
        if extra.kind == ExtraKind::Man {
            pages.push(json!(path));
        }
        res.push(Entry::file(path, extra.text.clone()));
    }
    let mut manifest = manifest(content, NAME);
    manifest["bin"] = Value::Object(bin);
    manifest["man"] = Value::Array(pages);
    manifest["engines"] = json!({"node": ">=18"});
    manifest["optionalDependencies"] = json!({format!("@{NAME}/{system}"): content.version});
    finish(content, &manifest, res)
}

fn for_system(content: &Content, system: &str) -> Vec<Entry> {
    let mut manifest = manifest(content, &format!("@{NAME}/{system}"));
    manifest["os"] = json!(["linux"]);
    manifest["cpu"] = json!([content.needs.machine.node()]);
    // A static program runs with any C library.
    if content.needs.libc != Libc::Static {
        manifest["libc"] = json!(["glibc"]);
    }
    manifest["preferUnplugged"] = json!(true);
    let program = Entry::program(format!("bin/{PROGRAM}"), content.program.clone());
    let mut entries = vec![program];
    let bill = content.documents.get(super::SBOM);
    entries.extend(bill.map(|bill| Entry::file(super::SBOM, bill.clone())));
    finish(content, &manifest, entries)
}

fn manifest(content: &Content, name: &str) -> Value {
    json!({
        "name": name,
        "version": content.version,
        "description": SUMMARY,
        "license": "MIT OR Apache-2.0",
        "repository": {"type": "git", "url": format!("git+{}.git", content.repository)},
        "homepage": content.repository,
        // Scoped packages are private unless they say otherwise.
        "publishConfig": {"access": "public"},
    })
}

/// Adds the manifest, the licenses and the page for the registry.
fn finish(content: &Content, manifest: &Value, mut entries: Vec<Entry>) -> Vec<Entry> {
    let manifest = format!("{manifest:#}\n");
    entries.push(Entry::file("package.json", manifest.into_bytes()));
    entries.push(Entry::file("README.md", content.about.as_bytes()));
    let licenses = content.licenses();
    entries.extend(licenses.map(|(name, text)| Entry::file(name, text.clone())));
    entries
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn manifest_of(entries: &[Entry]) -> Value {
        let found = entries.iter().find(|it| it.path == "package.json").unwrap();
        serde_json::from_slice(found.bytes().unwrap()).unwrap()
    }

    #[test]
    fn the_starter_asks_for_the_package_of_the_system() {
        let content = sample::content();
        let [start, system] = [
            manifest_of(&starters(&content, "linux-x64")),
            manifest_of(&for_system(&content, "linux-x64")),
        ];
        let name = system["name"].as_str().unwrap();
        assert_eq!(name, "@skills-tools/linux-x64");
        assert_eq!(start["optionalDependencies"][name], system["version"]);
        assert_eq!(system["libc"], json!(["glibc"]));
        assert!(STARTER.contains("@skills-tools/${process.platform}-${process.arch}"));
    }

    #[test]
    fn every_command_has_its_file() {
        let entries = starters(&sample::content(), "linux-x64");
        let manifest = manifest_of(&entries);
        let files = manifest["bin"].as_object().unwrap().values();
        let files = files.chain(manifest["man"].as_array().unwrap());
        for file in files {
            let path = file.as_str().unwrap();
            assert!(entries.iter().any(|it| it.path == path), "{path}");
        }
        let read = entries.iter().find(|it| it.path == "bin/skills-read.js");
        assert_eq!(
            read.unwrap().bytes().unwrap().as_ref(),
            b"#!/usr/bin/env node\nrequire(\"../start.js\")(\"read\");\n"
        );
    }
}
