//! The trial of an installed package: the tools print their version, migrate the fixtures, validate
//! the result, and run a skill.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::super::content::Content;
use super::install::Place;
use super::text;
use crate::repo::Repo;
use crate::shell;

/// The plugins, relative to the root of the repository.
const PLUGINS: &str = "fixtures/plugins";
/// A skill of them that needs only a shell.
const SKILL: &str = "heart-beat";

/// Returns the lock file of the migrated skills.
pub(super) fn run(
    repo: &Repo,
    content: &Content,
    place: &Place,
    directory: &Path,
) -> Result<Vec<u8>> {
    fs::create_dir_all(directory)?;
    for tool in &content.tools {
        let version = shell::capture(place.command(tool).arg("--version"))?;
        let expected = format!("{tool} {}\n", content.version);
        ensure!(
            version == expected,
            "found version {version:?}, expected {expected:?}"
        );
    }
    let (plugins, skills, lock) = match place {
        Place::Directory(_) => {
            let skills = directory.join("skills");
            (
                text(&repo.path(PLUGINS)),
                text(&skills),
                skills.join("skills.lock"),
            )
        }
        Place::Root(root) => {
            let copy = root.join("plugins");
            shell::capture(
                Command::new("cp")
                    .arg("-r")
                    .arg(repo.path(PLUGINS))
                    .arg(copy),
            )?;
            fs::create_dir_all(root.join("tmp"))?;
            (
                "/plugins".to_owned(),
                "/skills".to_owned(),
                root.join("skills/skills.lock"),
            )
        }
    };
    let mut migrate = place.command("skills-migrate");
    shell::capture(migrate.args([&plugins, "--out", &skills]))?;
    shell::capture(place.command("skills-validate").arg(&skills))?;
    // A root with nothing but the package has no shell for the skill.
    if let Place::Directory(_) = place {
        let mut run = place.command("skills-run");
        let home = directory.join("home");
        run.args([SKILL, "--skills", &skills, "--input", "{}"])
            .env("HOME", home);
        let answer = shell::capture(&mut run)?;
        ensure!(answer.contains("\"ok\":true"), "{SKILL} answered {answer}");
    }
    fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))
}

impl Place {
    fn command(&self, tool: &str) -> Command {
        match self {
            Self::Directory(directory) => Command::new(directory.join(tool)),
            Self::Root(root) => {
                let mut res = Command::new("chroot");
                res.arg(root).arg(format!("/usr/bin/{tool}"));
                res
            }
        }
    }
}
