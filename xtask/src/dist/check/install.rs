//! The ways to install a package: a row for each.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::super::PackageKind;
use super::text;
use crate::shell;

/// The tools of an installed package.
pub(super) enum Place {
    /// In this directory.
    Directory(PathBuf),
    /// In `usr/bin` of the root of another system.
    Root(PathBuf),
}

pub(super) enum Outcome {
    Installed(Place),
    /// This machine lacks something; the text names it.
    NotHere(String),
}

pub(super) struct Way {
    pub(super) name: &'static str,
    pub(super) kind: PackageKind,
    /// Installs the files into an empty directory.
    pub(super) install: fn(&Path, &[PathBuf]) -> Result<Outcome>,
}

pub(super) const WAYS: &[Way] = &[
    Way {
        name: "archive",
        kind: PackageKind::Archive,
        install: archive,
    },
    Way {
        name: "wheel",
        kind: PackageKind::Wheel,
        install: wheel,
    },
    Way {
        name: "npm",
        kind: PackageKind::Npm,
        install: npm,
    },
    Way {
        name: "deb",
        kind: PackageKind::Deb,
        install: deb,
    },
    Way {
        name: "container",
        kind: PackageKind::Container,
        install: container,
    },
    Way {
        name: "homebrew",
        kind: PackageKind::Formula,
        install: homebrew,
    },
];

fn archive(directory: &Path, files: &[PathBuf]) -> Result<Outcome> {
    let mut tar = Command::new("tar");
    tar.args(["--strip-components=1", "--directory"])
        .arg(directory);
    shell::capture(tar.arg("-xzf").args(files))?;
    Ok(Outcome::Installed(Place::Directory(directory.join("bin"))))
}

fn wheel(directory: &Path, files: &[PathBuf]) -> Result<Outcome> {
    if !shell::works(Command::new("python3").args(["-c", "import venv, ensurepip"])) {
        return Ok(Outcome::NotHere("there is no Python with venv".to_owned()));
    }
    let environment = directory.join("venv");
    shell::capture(
        Command::new("python3")
            .args(["-m", "venv"])
            .arg(&environment),
    )?;
    let mut pip = Command::new(environment.join("bin/pip"));
    pip.args(["install", "--no-index", "--disable-pip-version-check"]);
    shell::capture(pip.args(files))?;
    // As pipx does it: links in a directory of their own.
    let links = directory.join("links");
    fs::create_dir(&links)?;
    for entry in fs::read_dir(environment.join("bin"))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("skills") {
            std::os::unix::fs::symlink(entry.path(), links.join(entry.file_name()))?;
        }
    }
    Ok(Outcome::Installed(Place::Directory(links)))
}

fn npm(directory: &Path, files: &[PathBuf]) -> Result<Outcome> {
    if !shell::works(Command::new("npm").arg("--version")) {
        return Ok(Outcome::NotHere("there is no `npm`".to_owned()));
    }
    let mut npm = Command::new("npm");
    npm.args(["install", "--offline", "--no-audit", "--no-fund", "--cache"])
        .arg(directory.join("cache"));
    shell::capture(npm.arg("--prefix").arg(directory).args(files))?;
    let mut npx = Command::new("npx");
    npx.args(["--offline", "--no", "skills-validate", "--version"]);
    shell::capture(npx.current_dir(directory))?;
    let programs = directory.join("node_modules/.bin");
    Ok(Outcome::Installed(Place::Directory(programs)))
}

/// Installs into an empty root that has only the libraries which the package depends on.
fn deb(directory: &Path, files: &[PathBuf]) -> Result<Outcome> {
    let is_root = shell::capture(Command::new("id").arg("-u"))? == "0\n";
    if !is_root || !shell::works(Command::new("dpkg").arg("--version")) {
        return Ok(Outcome::NotHere(
            "it needs dpkg and the right to install".to_owned(),
        ));
    }
    let root = directory.join("root");
    let state = root.join("var/lib/dpkg");
    for name in ["info", "updates", "triggers"] {
        fs::create_dir_all(state.join(name))?;
    }
    let libraries = ["libc6", "libgcc-s1"];
    let mut query = Command::new("dpkg-query");
    let query = query.arg("--status").args(libraries).arg("gcc-12-base");
    let known = shell::capture(query).unwrap_or_default();
    fs::write(state.join("status"), known)?;
    let mut dpkg = Command::new("dpkg");
    dpkg.arg(format!("--root={}", root.display()));
    shell::capture(dpkg.arg("--install").args(files))?;
    copy_libraries(&root)?;
    Ok(Outcome::Installed(Place::Root(root)))
}

/// Copies the shared libraries that the program loads into `root`.
fn copy_libraries(root: &Path) -> Result<()> {
    let program = root.join("usr/bin").join(super::super::PROGRAM);
    let list = shell::capture(Command::new("ldd").arg(&program)).unwrap_or_default();
    let paths = list.split_whitespace().filter(|word| word.starts_with('/'));
    for path in paths {
        let target = root.join(path.trim_start_matches('/'));
        let parent = target.parent().context("a library is in a directory")?;
        fs::create_dir_all(parent)?;
        fs::copy(path, &target).with_context(|| format!("cannot copy {path}"))?;
    }
    Ok(())
}

/// Builds the image. A container is not run: it would need the files of the trial inside it.
fn container(_directory: &Path, files: &[PathBuf]) -> Result<Outcome> {
    let engines = ["docker", "podman"];
    let engine = engines
        .iter()
        .find(|it| shell::works(Command::new(it).arg("info")));
    let Some(engine) = engine else {
        return Ok(Outcome::NotHere(
            "neither Docker nor Podman runs here".to_owned(),
        ));
    };
    let file = files.first().context("there is no container file")?;
    let parent = file.parent().context("it is in a directory")?;
    let mut build = Command::new(engine);
    build
        .args(["build", "--quiet", "--file", &text(file)])
        .arg(parent);
    let image = shell::capture(&mut build)?;
    let mut run = Command::new(engine);
    let run = run.args(["run", "--rm", image.trim(), "--version"]);
    let version = shell::capture(run)?;
    Ok(Outcome::NotHere(format!(
        "built with {engine}, prints `{}`",
        version.trim()
    )))
}

fn homebrew(_directory: &Path, files: &[PathBuf]) -> Result<Outcome> {
    let file = files.first().context("there is no formula")?;
    if shell::works(Command::new("ruby").arg("-c").arg(file)) {
        return Ok(Outcome::NotHere(
            "`ruby -c` accepts it; its archive must be published first".to_owned(),
        ));
    }
    Ok(Outcome::NotHere(
        "there is no Ruby, and its archive must be published first".to_owned(),
    ))
}
