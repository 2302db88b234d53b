//! The skills that agents are given, as `skills-migrate package` packs them.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _, copy, sink};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::FIXTURES;
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
    /// The names of those that the server has an entry and an archive for.
    served: BTreeSet<String>,
    /// The program `skills`, which installs from an index.
    installer: Installed,
    server: Server,
}

impl Collection {
    /// Migrates the plugins in a directory, packs their skills, and serves them.
    pub(super) fn make(repo: &Repo, plugins: &str) -> Result<Self> {
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
        // Others' plugins are taken whole: also those that are switched off or contain a secret.
        let whole: &[&str] = match plugins {
            FIXTURES => &[],
            _ => &["--include-disabled", "--secrets", "redact"],
        };
        // The second run moves the parts of the host away, and keeps what was there before.
        let keep = ["--hosted", "keep"];
        for options in [&keep[..], &[]] {
            let run = [plugins, "--out", &skills_text, "--quiet"];
            migrate(&[&run, whole, options].concat())?;
        }
        let hidden = [".host", ".skills-migrate/previous/old"].map(|name| skills.join(name));
        ensure!(
            hidden.iter().all(|place| place.is_dir()),
            "{plugins} has no part of a host, which agents must not list"
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
        ensure!(!names.is_empty(), "the package of {plugins} has no skill");
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
        let mut served = names.clone();
        for name in &names {
            if n_files(&package.join("skills").join(name))? > MAX_SERVED {
                served.remove(name);
            }
        }
        Ok(Self {
            program,
            place,
            home,
            package,
            project,
            names,
            served,
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

    /// Returns the command of a server of the same skills over standard input and output.
    pub(super) fn stdio_command(&self) -> Vec<String> {
        let skills = self.package.join("skills");
        let words = [self.program.as_path(), Path::new("serve"), &skills];
        let words = words.map(|word| word.to_string_lossy().into_owned());
        words.into_iter().chain(["--stdio".to_owned()]).collect()
    }

    /// Returns the address of the server's MCP endpoint.
    pub(super) fn url(&self) -> &str {
        &self.server.url
    }

    /// Compares the skills that an agent found with those that it was given.
    pub(super) fn compare(&self, found: &BTreeSet<String>) -> Result<String> {
        compare(&self.names, found)?;
        Ok(format!("all {} skills, no other", found.len()))
    }

    /// Compares the skills that came from the server's index with those that it has an archive for.
    pub(super) fn compare_served(&self, found: &BTreeSet<String>) -> Result<String> {
        compare(&self.served, found)?;
        Ok(format!("{}, no other", self.n_served()))
    }

    /// Returns how many skills have an entry, and why the others have none.
    pub(super) fn n_served(&self) -> String {
        let (n_served, n_all) = (self.served.len(), self.names.len());
        match n_all - n_served {
            0 => format!("all {n_all} skills"),
            n => format!("{n_served} of {n_all} skills; {n} with more than {MAX_SERVED} files"),
        }
    }

    /// Returns the number of skills with an entry.
    pub(super) fn n_entries(&self) -> usize {
        self.served.len()
    }

    /// Returns how many characters of each description `skills-describe` says that Codex shows.
    pub(super) fn shown_by_codex(&self, context: &str) -> Result<Vec<(String, usize)>> {
        // Codex pays for the paths of its skills, so they are those of its session.
        let mut describe = std::process::Command::new(&self.program);
        describe.env("HOME", &self.home);
        describe
            .arg("describe")
            .arg(self.project.join(".agents/skills"));
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

/// The maximum number of files of a skill with an entry, as SEP-2640 has it.
const MAX_SERVED: usize = 512;

/// Returns the number of files in a directory and below.
fn n_files(place: &Path) -> Result<usize> {
    let mut res = 0;
    for entry in fs::read_dir(place)? {
        let path = entry?.path();
        res += if path.is_dir() { n_files(&path)? } else { 1 };
    }
    Ok(res)
}

fn compare(expected: &BTreeSet<String>, found: &BTreeSet<String>) -> Result<()> {
    let [missing, foreign] = [expected.difference(found), found.difference(expected)]
        .map(|names| names.cloned().collect::<Vec<_>>());
    ensure!(
        missing.is_empty() && foreign.is_empty(),
        "not listed: [{}], not ours: [{}]",
        missing.join(", "),
        foreign.join(", ")
    );
    Ok(())
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
        let res = Self { child, url };
        res.make_archives()?;
        Ok(res)
    }

    /// Asks for the index of the skills, for which a debug build hashes for longer than installers wait.
    fn make_archives(&self) -> Result<()> {
        let address = self.url.trim_start_matches("http://");
        let address = address.trim_end_matches("/mcp");
        let mut stream = TcpStream::connect(address)?;
        let request = format!(
            "GET /.well-known/agent-skills/index.json HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        ensure!(
            answer.starts_with("HTTP/1.1 200 "),
            "the server has no index: {answer}"
        );
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
