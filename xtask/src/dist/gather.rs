//! Collects the content of a release from the checkout and from the built program.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::SBOM;
use super::content::{Content, Extra, ExtraKind, PROGRAM};
use super::{elf, notices, sbom};
use crate::repo::{Repo, items};
use crate::{packages, shell};

/// Documents that go with the programs.
const DOCUMENTS: &[&str] = &[
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
];
/// The text for pages of registries.
const ABOUT: &str = "packaging/about.md";

pub(super) fn content(repo: &Repo, program: &Path) -> Result<Content> {
    let bytes = fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let needs = elf::needs(&bytes).with_context(|| program.display().to_string())?;
    let target = needs.target();
    let metadata = repo.metadata()?;
    let tools = repo.binaries()?;
    let mut documents = BTreeMap::new();
    for name in DOCUMENTS {
        documents.insert((*name).to_owned(), repo.read(name)?.into_bytes().into());
    }
    let packages = packages::resolve(repo, &target)?;
    let bill = sbom::bill(&packages, &target, &tools);
    documents.insert(SBOM.to_owned(), format!("{bill:#}\n").into_bytes().into());
    let terms = notices::notices(repo, &packages)?;
    documents.insert(notices::FILE.to_owned(), terms.into_bytes().into());
    Ok(Content {
        version: version(&metadata)?,
        repository: setting(&metadata, "repository")?,
        maintainer: setting(&metadata, "maintainer")?,
        seconds: commit_time(repo)?,
        extras: extras(program, &tools)?,
        about: repo.read(ABOUT)?,
        program: bytes.into(),
        target,
        needs,
        tools,
        documents,
    })
}

fn version(metadata: &Value) -> Result<String> {
    let mut versions = items(&metadata["packages"])
        .filter(|package| package["name"] == super::content::NAME)
        .filter_map(|package| package["version"].as_str());
    Ok(versions.next().context("no version")?.to_owned())
}

/// Returns a value of `[workspace.metadata.dist]` in Cargo.toml.
fn setting(metadata: &Value, key: &str) -> Result<String> {
    let value = metadata["metadata"]["dist"][key].as_str();
    let value = value.with_context(|| {
        format!("Cargo.toml: found no `{key}` in [workspace.metadata.dist], expected a text")
    })?;
    Ok(value.trim_end_matches('/').to_owned())
}

/// Returns the time of the released commit in seconds since 1970.
fn commit_time(repo: &Repo) -> Result<u64> {
    let text = shell::capture(shell::program(repo, "git").args(["log", "-1", "--format=%ct"]))?;
    Ok(text.trim().parse()?)
}

/// Returns the man pages and completions that the program prints.
fn extras(program: &Path, tools: &[String]) -> Result<Vec<Extra>> {
    let help = shell::capture(Command::new(program).arg("--help"))?;
    let mut res = vec![Extra {
        kind: ExtraKind::Man,
        tool: PROGRAM.to_owned(),
        text: page(&help).into_bytes().into(),
    }];
    for tool in tools {
        for kind in ExtraKind::ALL {
            let mut command = Command::new(program);
            let text = shell::capture(command.args(["--generate", kind.word(), tool]));
            let text = text.with_context(|| format!("{tool}: no text of kind {}", kind.word()))?;
            ensure!(
                !text.is_empty(),
                "{tool}: found an empty text of kind {}",
                kind.word()
            );
            res.push(Extra {
                kind: *kind,
                tool: tool.clone(),
                text: text.into_bytes().into(),
            });
        }
    }
    Ok(res)
}

/// Returns the man page of the program with all tools: its help.
fn page(help: &str) -> String {
    let help = help.replace('\\', "\\e").replace('-', "\\-");
    // A line that begins with a dot or an apostrophe would be a request.
    let lines = help.lines().map(|line| format!("\\&{line}\n"));
    let lines: String = lines.collect();
    format!(
        ".TH {PROGRAM} 1\n.SH NAME\n{PROGRAM} \\- all tools in one program\n.SH DESCRIPTION\n.nf\n{lines}.fi\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_as_a_page() {
        let expected = ".TH skills 1\n.SH NAME\nskills \\- all tools in one program\n\
                        .SH DESCRIPTION\n.nf\n\\&.a \\-\\-b\n.fi\n";
        assert_eq!(page(".a --b\n"), expected);
    }

    #[test]
    fn this_repository_has_the_settings() {
        let repo = Repo::here().unwrap();
        let metadata = repo.metadata().unwrap();
        assert!(
            setting(&metadata, "repository")
                .unwrap()
                .starts_with("https://")
        );
        assert!(setting(&metadata, "maintainer").unwrap().contains('@'));
        let err = setting(&metadata, "color").unwrap_err().to_string();
        assert!(err.starts_with("Cargo.toml: found no `color`"), "{err}");
        assert!(!version(&metadata).unwrap().is_empty());
    }
}
