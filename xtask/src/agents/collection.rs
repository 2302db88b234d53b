//! The skills that agents are given: those of the fixtures, as `skills-migrate package` packs them.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, copy, sink};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::install::{self, Installed, PLACE};
use super::installers;
use crate::repo::{Repo, items};
use crate::shell;

/// The skills in all places where agents look for them.
pub(super) struct Collection {
    program: PathBuf,
    /// The directory of everything below.
    pub(super) place: PathBuf,
    /// The home directory of agents; they write their state there.
    pub(super) home: PathBuf,
    /// The package for hosts.
    pub(super) package: PathBuf,
    /// A repository with the output of the migration, parts of the host and earlier versions included,
    /// in `.agents/skills` and `.claude/skills`.
    pub(super) project: PathBuf,
    /// The names of the skills.
    pub(super) names: BTreeSet<String>,
    /// The program `skills`, which installs from an index.
    installer: Installed,
    server: Server,
}

impl Collection {
    /// Migrates the fixtures, packs them, and serves them.
    pub(super) fn make(repo: &Repo) -> Result<Self> {
        let build = [
            "build",
            "--quiet",
            "--workspace",
            "--bins",
            "--example",
            "tour",
        ];
        shell::run(shell::cargo(repo).args(build))?;
        let program = repo.path("target/debug/skills").canonicalize()?;
        let place = repo.path(PLACE).join("work");
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place)?;
        let place = place.canonicalize()?;
        let [home, package, project, skills] =
            ["home", "package", "project", "skills"].map(|name| place.join(name));
        let migrate = |args: &[&str]| {
            let mut command = shell::program(repo, &program);
            shell::capture(command.arg("migrate").args(args)).map(drop)
        };
        let [skills_text, package_text] = [&skills, &package].map(|path| path.to_string_lossy());
        // The second run moves the parts of the host away, and keeps what was there before.
        let keep = ["--hosted", "keep"];
        for options in [&keep[..], &[]] {
            let run = ["fixtures/plugins", "--out", &skills_text, "--quiet"];
            migrate(&[&run, options].concat())?;
        }
        let hidden = [".host", ".skills-migrate/previous/old"].map(|name| skills.join(name));
        ensure!(
            hidden.iter().all(|place| place.is_dir()),
            "the fixtures have no part of a host, which agents must not list"
        );
        migrate(&[
            "package",
            &skills_text,
            "--out",
            &package_text,
            "--license",
            "MIT",
            "--author",
            "Example",
        ])?;
        let names = directories(&package.join("skills"))?;
        ensure!(
            !names.is_empty(),
            "the package of the fixtures has no skill"
        );
        for parent in [".agents", ".claude"] {
            let parent = project.join(parent);
            fs::create_dir_all(&parent)?;
            let mut copy = shell::program(repo, "cp");
            copy.arg("-R").arg(&skills).arg(&parent);
            shell::run(&mut copy)?;
        }
        fs::create_dir_all(&home)?;
        let mut git = shell::program(repo, "git");
        shell::run(git.args(["init", "--quiet"]).current_dir(&project))?;
        let server = Server::start(&program, &package.join("skills"))?;
        Ok(Self {
            program,
            place,
            home,
            package,
            project,
            names,
            installer: install::install(repo, installers::SKILLS)?,
            server,
        })
    }

    /// Returns an empty directory for one check, and a home directory in it.
    pub(super) fn fresh(&self, name: &str) -> Result<(PathBuf, PathBuf)> {
        let place = self.place.join(name);
        let home = place.join("home");
        fs::create_dir_all(&home)?;
        let project = place.join("project");
        fs::create_dir_all(&project)?;
        Ok((home, project))
    }

    /// Installs the skills of the server for an agent into a project, by `npx skills add URL`.
    pub(super) fn install_from_index(
        &self,
        agent: &str,
        home: &Path,
        project: &Path,
    ) -> Result<()> {
        installers::install_for(&self.installer, self.url(), agent, home, project)
    }

    /// Returns the name of the package, as its manifests have it.
    pub(super) fn package_name(&self) -> Result<String> {
        let text = fs::read(self.package.join("plugin.json"))?;
        let manifest: Value = serde_json::from_slice(&text)?;
        let name = manifest["name"].as_str();
        Ok(name.context("plugin.json has no name")?.to_owned())
    }

    /// Returns the address of the server's MCP endpoint.
    pub(super) fn url(&self) -> &str {
        &self.server.url
    }

    /// Compares the skills that an agent found with those that it was given.
    pub(super) fn compare(&self, found: &BTreeSet<String>) -> Result<String> {
        let [missing, foreign] = [self.names.difference(found), found.difference(&self.names)]
            .map(|names| names.cloned().collect::<Vec<_>>());
        ensure!(
            missing.is_empty() && foreign.is_empty(),
            "not listed: [{}], not ours: [{}]",
            missing.join(", "),
            foreign.join(", ")
        );
        Ok(format!("all {} skills, no other", found.len()))
    }

    /// Returns how many characters of each description `skills-describe` says that Codex shows.
    pub(super) fn shown_by_codex(&self, context: &str) -> Result<Vec<(String, usize)>> {
        let mut describe = std::process::Command::new(&self.program);
        describe.arg("describe").arg(self.package.join("skills"));
        describe.args([
            "--client",
            "codex",
            "--format",
            "json",
            "--context",
            context,
        ]);
        let listing: Value = serde_json::from_str(&shell::capture(&mut describe)?)?;
        let row = |row: &Value| {
            let name = row["name"].as_str()?.to_owned();
            Some((
                name,
                usize::try_from(row["shown_characters"].as_u64()?).ok()?,
            ))
        };
        Ok(items(&listing["skills"]).filter_map(row).collect())
    }
}

/// Returns the names of the directories in a directory, except hidden ones.
pub(super) fn directories(place: &Path) -> Result<BTreeSet<String>> {
    let mut res = BTreeSet::new();
    for entry in fs::read_dir(place).with_context(|| place.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && !name.starts_with('.') {
            res.insert(name);
        }
    }
    Ok(res)
}

/// A server of the skills, ended when it goes out of scope.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(program: &Path, skills: &Path) -> Result<Self> {
        let mut command = std::process::Command::new(program);
        command.arg("serve").arg(skills);
        command.args(["--http", "127.0.0.1:0"]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let stderr = child.stderr.take().context("the server has no stderr")?;
        let mut lines = BufReader::new(stderr);
        let mut line = String::new();
        while lines.read_line(&mut line)? > 0 && !line.contains(" skills at ") {
            line.clear();
        }
        let url = line
            .trim()
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .to_owned();
        // The rest is not waited for.
        thread::spawn(move || copy(&mut lines, &mut sink()));
        ensure!(
            url.ends_with("/mcp"),
            "skills-serve names no address: {line}"
        );
        Ok(Self { child, url })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
