//! The content of a release, in `target/dist`: the program `skills`, a link to it for each tool, man
//! pages, completions, a bill of materials and checksums, and all of it as one archive.
//!
//! The binaries are static where the musl target of Rust is installed and a C compiler for it is
//! there (`ring` has C in it); otherwise they are for the machine that builds them.

mod archive;
mod sbom;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};

use crate::repo::Repo;
use crate::{packages, shell};

const DIST: &str = "target/dist";
/// The program that has all tools.
const PROGRAM: &str = "skills";
const STATIC: &str = "x86_64-unknown-linux-musl";
/// Documents that go with the binaries.
const DOCUMENTS: &[&str] = &[
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
];

/// An output of `skills --generate KIND TOOL`, and its file.
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

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let target = target(repo, args)?;
    check_policy(repo)?;
    let built = build(repo, &target)?;
    let name = format!("skills-{}-{target}", version(repo)?);
    let parent = repo.path(DIST);
    if parent.exists() {
        fs::remove_dir_all(&parent)?;
    }
    let release = Release {
        repo,
        directory: parent.join(&name),
    };
    let tools = repo.binaries()?;
    let program = built.join(PROGRAM);
    release.add_program(&program)?;
    for tool in &tools {
        release.add_tool(&program, tool)?;
    }
    for document in DOCUMENTS {
        release.put(document, repo.read(document)?.as_bytes())?;
    }
    let bill = sbom::bill(&packages::resolve(repo, &target)?, &target, &tools);
    let bill = format!("{}\n", serde_json::to_string_pretty(&bill)?);
    release.put("sbom.cdx.json", bill.as_bytes())?;
    let n_files = release.write_checksums()?;
    let archive = archive::pack(repo, &parent, &name, &commit_time(repo)?)?;
    let sum = sha256(repo, &parent, std::slice::from_ref(&archive))?;
    fs::write(parent.join(format!("{archive}.sha256")), &sum)?;
    print!("{n_files} files in {DIST}/{name}\n{sum}");
    Ok(())
}

/// Returns the requested target; by default static binaries, if they can be built here.
fn target(repo: &Repo, args: &[String]) -> Result<String> {
    match args {
        [flag, target] if flag == "--target" => return Ok(target.clone()),
        [] => {}
        _ => anyhow::bail!("usage: cargo xtask dist [--target TRIPLE]"),
    }
    let libraries = shell::capture(shell::program(repo, "rustc").args([
        "--print",
        "target-libdir",
        "--target",
        STATIC,
    ]))?;
    let lacks = [
        (!Path::new(libraries.trim()).is_dir()).then(|| format!("rustup target add {STATIC}")),
        (!shell::works(shell::program(repo, "musl-gcc").arg("--version")))
            .then(|| "apt-get install musl-tools".to_owned()),
    ];
    let lacks: Vec<String> = lacks.into_iter().flatten().collect();
    if lacks.is_empty() {
        return Ok(STATIC.to_owned());
    }
    let here = host(repo)?;
    println!(
        "not static, for {here}; static binaries need `{}`",
        lacks.join(" && ")
    );
    Ok(here)
}

fn host(repo: &Repo) -> Result<String> {
    let text = shell::capture(shell::program(repo, "rustc").arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

/// Runs cargo-deny if it is installed. Its database of advisories comes from the network; without it,
/// the rest is still checked.
fn check_policy(repo: &Repo) -> Result<()> {
    if !shell::works(shell::cargo(repo).args(["deny", "--version"])) {
        println!("cargo-deny is not installed: no advisories; `cargo xtask tidy` checks the rest");
        return crate::tidy::run(repo, &[]);
    }
    shell::run(shell::cargo(repo).args(["deny", "check", "licenses", "bans", "sources"]))?;
    if shell::works(shell::cargo(repo).args(["deny", "fetch", "db"])) {
        return shell::run(shell::cargo(repo).args(["deny", "check", "advisories"]));
    }
    println!("advisories are not checked: their database is not available");
    Ok(())
}

/// Builds for `target`, without paths of this machine in the binaries; returns their directory.
fn build(repo: &Repo, target: &str) -> Result<PathBuf> {
    let home = env::var("CARGO_HOME").or_else(|_| env::var("HOME").map(|home| home + "/.cargo"));
    let mut flags = vec![format!(
        "--remap-path-prefix={}=/src",
        repo.root().display()
    )];
    flags.extend(home.map(|home| format!("--remap-path-prefix={home}=/cargo")));
    let mut command = shell::cargo(repo);
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    command.args(["build", "--profile", "dist", "--locked"]);
    shell::run(command.args(["--package", "skills-tools", "--bins", "--target", target]))?;
    Ok(repo.path("target").join(target).join("dist"))
}

fn version(repo: &Repo) -> Result<String> {
    let metadata = repo.metadata()?;
    let mut versions = crate::repo::items(&metadata["packages"])
        .filter(|package| package["name"] == "skills-tools")
        .filter_map(|package| package["version"].as_str());
    Ok(versions.next().context("no version")?.to_owned())
}

/// Returns the time of the released commit in seconds since 1970: the time of every archive member.
fn commit_time(repo: &Repo) -> Result<String> {
    let text = shell::capture(shell::program(repo, "git").args(["log", "-1", "--format=%ct"]))?;
    Ok(text.trim().to_owned())
}

/// The directory that is packed into the archive.
struct Release<'a> {
    repo: &'a Repo,
    directory: PathBuf,
}

impl Release<'_> {
    fn add_program(&self, program: &Path) -> Result<()> {
        let path = format!("bin/{PROGRAM}");
        let bytes = fs::read(program).with_context(|| format!("{PROGRAM} was not built"))?;
        self.put(&path, &bytes)?;
        let permissions = fs::metadata(program)?.permissions();
        Ok(fs::set_permissions(
            self.directory.join(&path),
            permissions,
        )?)
    }

    /// Adds a tool: a link to the program, its page and its completions.
    fn add_tool(&self, program: &Path, tool: &str) -> Result<()> {
        symlink(PROGRAM, self.directory.join("bin").join(tool))?;
        EXTRAS
            .iter()
            .try_for_each(|extra| self.generate(program, tool, extra))
    }

    fn generate(&self, program: &Path, tool: &str, extra: &Extra) -> Result<()> {
        let mut command = shell::program(self.repo, program);
        let text = shell::capture(command.args(["--generate", extra.kind, tool]))
            .with_context(|| format!("{tool} cannot print its {} text", extra.kind))?;
        self.put(&(extra.path)(tool), text.as_bytes())
    }

    fn put(&self, relative: &str, bytes: &[u8]) -> Result<()> {
        let path = self.directory.join(relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Writes `SHA256SUMS`; returns the number of files, including it.
    fn write_checksums(&self) -> Result<usize> {
        let files = below(&self.directory, "")?;
        self.put(
            "SHA256SUMS",
            sha256(self.repo, &self.directory, &files)?.as_bytes(),
        )?;
        Ok(files.len() + 1)
    }
}

/// Returns every file below `directory`, sorted.
fn below(directory: &Path, prefix: &str) -> Result<Vec<String>> {
    let mut res = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            res.extend(below(&entry.path(), &format!("{name}/"))?);
        } else {
            res.push(name);
        }
    }
    res.sort();
    Ok(res)
}

fn sha256(repo: &Repo, directory: &Path, files: &[String]) -> Result<String> {
    let mut command = shell::program(repo, "sha256sum");
    shell::capture(command.current_dir(directory).args(files))
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
