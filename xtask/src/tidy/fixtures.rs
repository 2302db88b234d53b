//! `fixtures/README.md` explains the purpose of each fixture.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::repo::Repo;

const README: &str = "fixtures/README.md";

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let readme = repo.read(README)?;
    let mut acc = Vec::new();
    for area in ["plugins", "broken"] {
        let files = repo.files(&format!("fixtures/{area}"), "")?;
        unexplained(&readme, &directories(&files), &mut acc);
    }
    Ok(acc)
}

/// Directories with a manifest, below `fixtures/<area>/`.
fn directories(files: &[String]) -> BTreeSet<&str> {
    let manifests = files
        .iter()
        .filter_map(|path| path.split_once("/plugin-manifest.json"));
    manifests
        .filter_map(|(directory, _)| directory.splitn(3, '/').nth(2))
        .collect()
}

fn unexplained(readme: &str, directories: &BTreeSet<&str>, acc: &mut Vec<String>) {
    for directory in directories {
        if !readme.contains(&format!("`{directory}`")) {
            acc.push(format!("{README} does not explain `{directory}`"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_the_table_lacks() {
        let files = [
            "fixtures/plugins/A/plugin-manifest.json",
            "fixtures/plugins/b/C/plugin-manifest.json.block",
            "fixtures/plugins/A/main.js",
        ];
        let files = files.map(str::to_owned);
        let mut acc = Vec::new();
        unexplained("| `A` | first |", &directories(&files), &mut acc);
        assert_eq!(acc, ["fixtures/README.md does not explain `b/C`"]);
    }
}
