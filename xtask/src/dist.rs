//! What a release holds: binaries, man pages, completions, checksums, in `target/dist`.

use std::fs;

use anyhow::{Context, Result};

use crate::repo::Repo;
use crate::{crosscheck, shell};

const DIST: &str = "target/dist";

/// What a tool prints for `--generate KIND`, and the file it belongs into.
struct Extra {
    kind: &'static str,
    path: fn(&str) -> String,
}

const EXTRAS: &[Extra] = &[
    Extra {
        kind: "man",
        path: |tool| format!("man/man1/{tool}.1"),
    },
    Extra {
        kind: "bash",
        path: |tool| format!("completions/bash/{tool}"),
    },
    Extra {
        kind: "zsh",
        path: |tool| format!("completions/zsh/_{tool}"),
    },
    Extra {
        kind: "fish",
        path: |tool| format!("completions/fish/{tool}.fish"),
    },
];

pub(crate) fn run(repo: &Repo, _args: &[String]) -> Result<()> {
    crosscheck::build(repo)?;
    let dist = repo.path(DIST);
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    let mut files = Vec::new();
    for tool in repo.binaries()? {
        let path = format!("bin/{tool}");
        let binary = fs::read(repo.path("target/release").join(&tool))
            .with_context(|| format!("{tool} was not built"))?;
        put(repo, &path, &binary)?;
        fs::set_permissions(
            repo.path(DIST).join(&path),
            fs::metadata(repo.path("target/release").join(&tool))?.permissions(),
        )?;
        files.push(path);
        for extra in EXTRAS {
            files.push(generate(repo, &tool, extra)?);
        }
    }
    files.sort();
    write_checksums(repo, &files)?;
    println!("{} files in {DIST}", files.len() + 1);
    Ok(())
}

fn generate(repo: &Repo, tool: &str, extra: &Extra) -> Result<String> {
    let mut command = shell::program(repo, repo.path("target/release").join(tool));
    let text = shell::capture(command.args(["--generate", extra.kind]))
        .with_context(|| format!("{tool} cannot print its {} text", extra.kind))?;
    let path = (extra.path)(tool);
    put(repo, &path, text.as_bytes())?;
    Ok(path)
}

fn put(repo: &Repo, relative: &str, bytes: &[u8]) -> Result<()> {
    let path = repo.path(DIST).join(relative);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn write_checksums(repo: &Repo, files: &[String]) -> Result<()> {
    let mut command = shell::program(repo, "sha256sum");
    let sums = shell::capture(command.current_dir(repo.path(DIST)).args(files))?;
    put(repo, "SHA256SUMS", sums.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_lie_where_shells_look() {
        let paths: Vec<String> = EXTRAS.iter().map(|extra| (extra.path)("t")).collect();
        let expected = [
            "man/man1/t.1",
            "completions/bash/t",
            "completions/zsh/_t",
            "completions/fish/t.fish",
        ];
        assert_eq!(paths, expected);
    }
}
