//! A release, in `target/dist`: the program `skills` as an archive, a Python wheel, npm packages and
//! a Debian package, each with a link or a starter for every tool, man pages and completions; a
//! Homebrew formula, a container file, a bill of materials, the licenses of all packages in the
//! program, and checksums.
//!
//! Two runs for the same commit give the same bytes. The binaries are static where the musl target
//! of Rust is installed and a C compiler for it is there (`ring` has C in it); otherwise they are for
//! the machine that builds them.

mod check;
mod container;
mod content;
mod deb;
mod digest;
mod elf;
mod entry;
mod formula;
mod gather;
mod gzip;
mod notices;
mod npm;
mod options;
#[cfg(test)]
mod sample;
mod sbom;
mod tar;
mod wheel;
mod zip;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};

use self::content::{Content, PROGRAM};
use self::entry::Entry;
use self::options::Options;
use crate::repo::Repo;
use crate::shell;

pub(crate) const USAGE: &str = options::USAGE;

const DIST: &str = "target/dist";
const STATIC: &str = "x86_64-unknown-linux-musl";
/// The bill of materials among the documents.
const SBOM: &str = "sbom.cdx.json";
const SUMS: &str = "SHA256SUMS";
/// A word of the addresses in Cargo.toml that a publisher replaces.
const PLACEHOLDER: &str = "OWNER";

/// A file of the release.
struct Package {
    kind: PackageKind,
    name: String,
    bytes: Vec<u8>,
    sha256: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PackageKind {
    Archive,
    Wheel,
    Npm,
    Deb,
    Formula,
    Container,
}

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let options = Options::from_args(args)?;
    let program = match &options.program {
        Some(program) => env::current_dir()?.join(program),
        None => {
            let target = target(repo, options.target)?;
            check_policy(repo)?;
            build(repo, &target)?.join(PROGRAM)
        }
    };
    let content = gather::content(repo, &program)?;
    let packages = packages(&content)?;
    let directory = repo.path(DIST);
    write(&directory, &packages)?;
    for package in &packages {
        println!("{:>10}  {DIST}/{}", package.bytes.len(), package.name);
    }
    if [&content.repository, &content.maintainer]
        .iter()
        .any(|it| it.contains(PLACEHOLDER))
    {
        println!(
            "not to be published yet: [workspace.metadata.dist] in Cargo.toml still has {PLACEHOLDER}"
        );
    }
    if options.check {
        check::run(repo, &content, &packages)?;
    }
    Ok(())
}

/// Returns the requested target; by default static binaries, if they can be built here.
fn target(repo: &Repo, requested: Option<String>) -> Result<String> {
    if let Some(target) = requested {
        return Ok(target);
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
    shell::run(command.args(["--package", content::NAME, "--bins", "--target", target]))?;
    Ok(repo.path("target").join(target).join("dist"))
}

/// Returns every file of the release.
fn packages(content: &Content) -> Result<Vec<Package>> {
    let mut res = Vec::new();
    let (archive_name, archive) = archive(content)?;
    res.push(Package::new(
        PackageKind::Archive,
        archive_name.clone(),
        archive,
    )?);
    let archive_sum = res[0].sha256.clone();
    let (name, bytes) = wheel::wheel(content)?;
    res.push(Package::new(PackageKind::Wheel, name, bytes)?);
    for (name, bytes) in npm::packages(content)? {
        res.push(Package::new(PackageKind::Npm, name, bytes)?);
    }
    let (deb_name, bytes) = deb::deb(content)?;
    let container = container::file(content, &archive_name, &deb_name);
    res.push(Package::new(PackageKind::Deb, deb_name, bytes)?);
    let text = formula::formula(content, &archive_sum);
    res.push(Package::new(PackageKind::Formula, formula::FILE, text)?);
    res.push(Package::new(
        PackageKind::Container,
        container::FILE,
        container,
    )?);
    Ok(res)
}

/// Returns the archive that needs no installer.
fn archive(content: &Content) -> Result<(String, Vec<u8>)> {
    let name = content.archive_name();
    let mut entries = content.archive_entries();
    let mut sums = String::new();
    for entry in &entries {
        if let Some(bytes) = entry.bytes() {
            let _ = writeln!(sums, "{}  {}", digest::sha256(bytes)?, entry.path);
        }
    }
    entries.push(Entry::file(SUMS, sums.into_bytes()));
    let prefix = format!("{name}/");
    let entries: Vec<Entry> = entries.into_iter().map(|it| it.below(&prefix)).collect();
    let bytes = gzip::gzip(&tar::tar(&entries, "", content.time())?)?;
    Ok((format!("{name}.tar.gz"), bytes))
}

impl Package {
    fn new(kind: PackageKind, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Result<Self> {
        let bytes = bytes.into();
        let sha256 = digest::sha256(&bytes)?;
        let name = name.into();
        Ok(Self {
            kind,
            name,
            bytes,
            sha256,
        })
    }
}

/// Writes the packages and their checksums into a new directory.
fn write(directory: &Path, packages: &[Package]) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    fs::create_dir_all(directory)?;
    let mut sums = String::new();
    for package in packages {
        fs::write(directory.join(&package.name), &package.bytes)
            .with_context(|| format!("cannot write {}", package.name))?;
        let line = format!("{}  {}\n", package.sha256, package.name);
        if package.kind == PackageKind::Archive {
            fs::write(directory.join(format!("{}.sha256", package.name)), &line)?;
        }
        sums.push_str(&line);
    }
    Ok(fs::write(directory.join(SUMS), sums)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(content: &Content) -> Vec<(String, String)> {
        let packages = packages(content).unwrap();
        let sums = packages.into_iter().map(|it| (it.name, it.sha256));
        sums.collect()
    }

    #[test]
    fn two_runs_give_the_same_bytes() {
        let content = sample::content();
        let names: Vec<String> = sums(&content).into_iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [
                "skills-0.1.0-x86_64-unknown-linux-gnu.tar.gz",
                "skills_tools-0.1.0-py3-none-manylinux_2_34_x86_64.whl",
                "skills-tools-0.1.0.tgz",
                "skills-tools-linux-x64-0.1.0.tgz",
                "skills-tools_0.1.0_amd64.deb",
                "skills-tools.rb",
                "Containerfile",
            ]
        );
        assert_eq!(sums(&content), sums(&content));
    }

    #[test]
    fn the_checksums_of_the_archive_are_those_of_its_files() {
        let work = Repo::here().unwrap().path("target/xtask-test-dist");
        let _ = fs::remove_dir_all(&work);
        let packages = packages(&sample::content()).unwrap();
        write(&work, &packages).unwrap();
        let check = "sha256sum --check --quiet SHA256SUMS && tar -xzf skills-*.tar.gz \
                     && cd skills-*/ && sha256sum --check --quiet SHA256SUMS && ls -l bin";
        let mut command = std::process::Command::new("sh");
        let text = shell::capture(command.args(["-c", check]).current_dir(&work)).unwrap();
        fs::remove_dir_all(&work).unwrap();
        assert!(text.contains("skills-read -> skills\n"), "{text}");
    }

    /// cargo-binstall downloads the archive that `pkg-url` names and takes the program from `bin-dir`.
    #[test]
    fn binstall_finds_the_archive() {
        let content = sample::content();
        let manifest = Repo::here()
            .unwrap()
            .read("crates/skills-tools/Cargo.toml")
            .unwrap();
        let value = |key: &str| {
            let line = manifest.lines().find(|line| line.starts_with(key)).unwrap();
            let text = line.split('"').nth(1).unwrap();
            let text = text.replace("{ version }", &content.version);
            let text = text.replace("{ target }", &content.target);
            let text = text.replace("{ repo }", &content.repository);
            text.replace("{ bin }{ binary-ext }", PROGRAM)
        };
        assert_eq!(value("pkg-url"), content.archive_url());
        let path = value("bin-dir");
        let inside = path
            .strip_prefix(&format!("{}/", content.archive_name()))
            .unwrap();
        assert!(
            content.archive_entries().iter().any(|it| it.path == inside),
            "{path}"
        );
    }
}
