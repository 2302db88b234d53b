//! Packages at pinned versions, each in a directory of its own, which is kept.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::repo::Repo;
use crate::shell;

/// The directory of all packages, below the repository.
pub(crate) const PLACE: &str = "target/clients/agents";
/// Some of the packages need Node 22.
const NODE: &str = "node@22";

/// A package of a registry.
#[derive(Clone, Copy)]
pub(crate) enum Package {
    /// `NAME@VERSION`.
    Npm(&'static str),
    /// `NAME==VERSION`.
    Pip(&'static str),
}

impl Package {
    pub(crate) fn version(self) -> &'static str {
        let (Self::Npm(text) | Self::Pip(text)) = self;
        text.rsplit(['@', '=']).next().unwrap_or_default()
    }

    /// Returns the name of its directory.
    fn directory(self) -> String {
        let (Self::Npm(text) | Self::Pip(text)) = self;
        let end = text.rfind(['@', '=']).unwrap_or(text.len());
        let name = text[..end].trim_end_matches('=');
        name.trim_start_matches('@').replace('/', "-")
    }
}

/// An installed package.
pub(crate) struct Installed {
    place: PathBuf,
    /// The directory of Node's program.
    node: Option<PathBuf>,
}

impl Installed {
    /// Returns the file of a program of the package.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        let bin = match &self.node {
            Some(_) => self.modules().join(".bin"),
            None => self.place.join("bin"),
        };
        bin.join(name)
    }

    /// Returns the directory of the modules of an npm package.
    pub(crate) fn modules(&self) -> PathBuf {
        self.place.join("node_modules")
    }

    /// Returns the directories of programs: that of Node first, if the package needs it.
    pub(crate) fn path(&self) -> String {
        let path = env::var("PATH").unwrap_or_default();
        match &self.node {
            Some(node) => format!("{}:{path}", node.display()),
            None => path,
        }
    }

    /// Returns a call of a program of the package, or of Node, in a directory and with nothing of the user's
    /// environment. Its home is `home`.
    pub(crate) fn program(&self, name: &str, home: &Path, directory: &Path) -> Command {
        let own = self.file(name);
        let found = if name == "node" { name.into() } else { own };
        let mut res = Command::new(found);
        let path = self.path();
        res.env_clear().env("PATH", path).env("HOME", home);
        res.env("TERM", "dumb").env("NO_COLOR", "1");
        res.current_dir(directory);
        res
    }
}

/// Installs a package, if it is not there yet.
pub(crate) fn install(repo: &Repo, package: Package) -> Result<Installed> {
    match package {
        Package::Npm(name) => {
            let node = npm(repo, Package::Npm(NODE), NODE)?;
            let place = npm(repo, package, name)?;
            let node = Some(node.join("node_modules/node/bin"));
            Ok(Installed { place, node })
        }
        Package::Pip(name) => {
            let install = |place: &Path| {
                let mut venv = shell::program(repo, "python3");
                shell::capture(venv.args(["-m", "venv"]).arg(place))?;
                let mut pip = shell::program(repo, place.join("bin/pip"));
                pip.args(["install", "--quiet", "--disable-pip-version-check", name]);
                shell::capture(&mut pip).map(drop)
            };
            let place = once(repo, package, name, install)?;
            Ok(Installed { place, node: None })
        }
    }
}

fn npm(repo: &Repo, package: Package, name: &str) -> Result<PathBuf> {
    once(repo, package, name, |place| {
        fs::write(place.join("package.json"), "{\"private\": true}\n")?;
        let mut npm = shell::program(repo, "npm");
        npm.current_dir(place);
        npm.args(["install", "--no-audit", "--no-fund", "--loglevel", "error"]);
        shell::capture(npm.arg(name)).map(drop)
    })
}

/// Installs into the directory of a package, unless the file `installed` there names the package.
fn once(
    repo: &Repo,
    package: Package,
    name: &str,
    install: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let place = repo.path(PLACE).join(package.directory());
    let installed = place.join("installed");
    if fs::read_to_string(&installed).is_ok_and(|known| known == name) {
        return Ok(place);
    }
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).with_context(|| format!("cannot create {}", place.display()))?;
    install(&place)?;
    fs::write(&installed, name)?;
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_have_a_version_and_a_directory() {
        for (package, version, directory) in [
            (
                Package::Npm("@openai/codex@0.169.0"),
                "0.169.0",
                "openai-codex",
            ),
            (Package::Npm("skills@1.7.4"), "1.7.4", "skills"),
            (Package::Pip("google-adk==2.13.0"), "2.13.0", "google-adk"),
        ] {
            assert_eq!(
                (package.version(), &*package.directory()),
                (version, directory)
            );
        }
    }
}
