//! The first minutes of a newcomer: a fresh clone, an empty home directory, an empty target
//! directory, and the commands of README.md to the letter.
//!
//! There are two visits: an ordinary user with a network, and root without one after `cargo fetch`.
//! Where this is not started by root, the same user makes both. What a visit leaves out is printed
//! with the reason.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use skill_testing::documented::{Documented, commands};

use crate::repo::Repo;
use crate::{cpu, shell};

/// The user and group `nobody` of Linux distributions.
const NOBODY: &str = "65534";

/// Makes Rust, which may be in root's home directory, readable for another user, and becomes that
/// user. The mount ends with the command.
const AS_NOBODY: &str = r#"mount --bind "$VISIT_SYSROOT" "$VISIT_RUST" &&
exec setpriv --reuid "$VISIT_USER" --regid "$VISIT_USER" --clear-groups sh -c "$VISIT_LINE""#;

/// The way in which one reader follows README.md.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Visit {
    name: &'static str,
    is_nobody: bool,
    is_offline: bool,
}

/// The choices of the arguments.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Options {
    /// Runs `cargo install` as well, which compiles all tools.
    install: bool,
    /// Keeps the directories.
    keep: bool,
}

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let options = options(args)?;
    let readme = shell::capture(shell::program(repo, "git").args(["show", "HEAD:README.md"]))?;
    let commands = commands(&readme);
    let place = env::temp_dir().join(format!("skills-newcomer-{}", process::id()));
    fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
    println!("{}", source(repo)?);
    let mut failed = Vec::new();
    for visit in visits(repo)? {
        let house = House::new(repo, &place, visit)?;
        failed.extend(house.follow(&commands, options)?);
        if !options.keep {
            fs::remove_dir_all(&house.directory)?;
        }
    }
    if options.keep {
        println!("kept: {}", place.display());
    } else {
        fs::remove_dir_all(&place)?;
    }
    ensure!(failed.is_empty(), "failed: {}", failed.join("; "));
    Ok(())
}

fn options(args: &[String]) -> Result<Options> {
    let mut res = Options::default();
    for arg in args {
        match arg.as_str() {
            "--install" => res.install = true,
            "--keep" => res.keep = true,
            _ => bail!("usage: cargo xtask newcomer [--install] [--keep]"),
        }
    }
    Ok(res)
}

/// Names the commit, and what is not in it.
fn source(repo: &Repo) -> Result<String> {
    let git = |args: &[&str]| shell::capture(shell::program(repo, "git").args(args));
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
    let note = if changes.is_empty() {
        ""
    } else {
        ", without the changes that are not committed"
    };
    Ok(format!("clones of {}{note}", commit.trim()))
}

/// Returns the visits that are possible here, and prints those that are not.
fn visits(repo: &Repo) -> Result<Vec<Visit>> {
    let is_root = shell::capture(shell::program(repo, "id").arg("-u"))? == "0\n";
    let can_change = is_root
        && shell::works(shell::program(repo, "unshare").args(["-m", "setpriv", "--version"]));
    if !is_root {
        println!("skipped: root: start this as root");
    } else if !can_change {
        println!("skipped: an ordinary user: root may not run unshare -m and setpriv here");
    }
    let online = Visit {
        name: "an ordinary user",
        is_nobody: is_root,
        is_offline: false,
    };
    let offline = Visit {
        name: if is_root { "root, offline" } else { "offline" },
        is_nobody: false,
        is_offline: true,
    };
    let is_possible = |visit: &Visit| !visit.is_nobody || can_change;
    Ok([online, offline].into_iter().filter(is_possible).collect())
}

/// The directories of one visit.
struct House {
    visit: Visit,
    directory: PathBuf,
    /// The directory with the `bin` of Rust.
    sysroot: PathBuf,
}

impl House {
    /// Makes the directories and clones the repository.
    fn new(repo: &Repo, place: &Path, visit: Visit) -> Result<Self> {
        let sysroot = shell::program(repo, "rustc")
            .args(["--print", "sysroot"])
            .output()?;
        let sysroot = String::from_utf8(sysroot.stdout)?.trim().into();
        let directory = place.join(if visit.is_offline {
            "offline"
        } else {
            "online"
        });
        for name in ["home", "rust", "tmp"] {
            fs::create_dir_all(directory.join(name))?;
        }
        let clone = directory.join("skills");
        let mut git = shell::program(repo, "git");
        shell::run(git.args(["clone", "--quiet"]).arg(repo.root()).arg(&clone))?;
        // A reader's own plugins; README.md calls them `plugins`.
        let plugins = ["fixtures/plugins", "plugins"].map(|name| clone.join(name));
        shell::run(shell::program(repo, "cp").arg("-r").args(plugins))?;
        if visit.is_nobody {
            let owner = format!("{NOBODY}:{NOBODY}");
            shell::run(
                shell::program(repo, "chown")
                    .args(["-R", &owner])
                    .arg(&directory),
            )?;
        }
        Ok(Self {
            visit,
            directory,
            sysroot,
        })
    }

    /// Runs the commands and returns those that failed.
    fn follow(&self, commands: &[Documented], options: Options) -> Result<Vec<String>> {
        println!("── {}", self.visit.name);
        println!("   {:<8} {:>8} {:>8}", "", "seconds", "CPU s");
        let mut failed = Vec::new();
        if self.visit.is_offline {
            let fetch = Documented {
                line: 0,
                text: "cargo fetch --locked".to_owned(),
                may_end_with: 0,
            };
            failed.extend(self.step(&fetch, false)?);
        }
        for command in commands {
            match left_out(&command.text, options) {
                Some(reason) => println!("   skipped: {}: {reason}", plain(&command.text)),
                None => failed.extend(self.step(command, self.visit.is_offline)?),
            }
        }
        Ok(failed)
    }

    /// Runs one command, prints its row, and returns its text if it failed.
    fn step(&self, command: &Documented, is_offline: bool) -> Result<Option<String>> {
        let (start, before) = (Instant::now(), cpu::of_children()?);
        let mut shell = self.shell(&command.text);
        if is_offline {
            shell.env("CARGO_NET_OFFLINE", "true");
        }
        let output = shell.output().context("cannot start a shell")?;
        let seconds = start.elapsed().as_secs_f64();
        let cpu = cpu::of_children()? - before;
        let code = output.status.code();
        let is_fine = code == Some(0) || code == Some(command.may_end_with);
        let word = if is_fine { "fine" } else { "FAILED" };
        let text = plain(&command.text);
        println!("   {word:<8} {seconds:>8.1} {cpu:>8.1}  {text}");
        if is_fine {
            return Ok(None);
        }
        let streams = [output.stdout, output.stderr].concat();
        println!("{}", String::from_utf8_lossy(&streams).trim_end());
        let Visit { name, .. } = self.visit;
        Ok(Some(format!("{name}: {text} ({})", output.status)))
    }

    /// Returns a shell for a line, as the reader has it: nothing of the caller's Rust settings.
    fn shell(&self, line: &str) -> Command {
        let rust = if self.visit.is_nobody {
            self.directory.join("rust")
        } else {
            self.sysroot.clone()
        };
        let home = self.directory.join("home");
        let path = [
            home.join(".cargo/bin").display().to_string(),
            // Until everything is installed, what the quickstart has built.
            self.directory
                .join("skills/target/debug")
                .display()
                .to_string(),
            rust.join("bin").display().to_string(),
            env::var("PATH").unwrap_or_default(),
        ];
        // The documents write to /tmp, which belongs to all users.
        let tmp = format!("{}/tmp/", self.directory.display());
        let line = line.replace("/tmp/", &tmp);
        let mut res = if self.visit.is_nobody {
            let mut res = Command::new("unshare");
            res.args(["-m", "sh", "-c", AS_NOBODY]);
            res.env("VISIT_SYSROOT", &self.sysroot)
                .env("VISIT_RUST", &rust)
                .env("VISIT_USER", NOBODY)
                .env("VISIT_LINE", line);
            res
        } else {
            let mut res = Command::new("sh");
            res.args(["-c", &line]);
            res
        };
        for (name, _) in env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("CARGO") || name.starts_with("RUST") {
                res.env_remove(name);
            }
        }
        res.current_dir(self.directory.join("skills"))
            .env("HOME", home)
            .env("PATH", path.join(":"))
            .env("CARGO_TERM_COLOR", "never")
            .stdin(Stdio::null());
        res
    }
}

/// Returns the reason for which a command is not run, if there is one.
fn left_out(text: &str, options: Options) -> Option<&'static str> {
    if text.starts_with("cargo xtask ") {
        return Some("a task for contributors");
    }
    if options.install {
        return None;
    }
    if text.starts_with("cargo install ") {
        Some("compiles all tools; --install runs it")
    } else if text.starts_with("for tool in ") || text.starts_with("skills-migrate verify") {
        Some("needs what `cargo install` installs; --install runs it")
    } else {
        None
    }
}

/// Returns a command without its comment, on one line.
fn plain(text: &str) -> String {
    let text = text.split("  #").next().unwrap_or(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_has_a_reason() {
        let all = Options {
            install: true,
            keep: false,
        };
        for (text, usual, with_install) in [
            ("cargo xtask ci", true, true),
            ("cargo install --path x", true, false),
            ("for tool in migrate; do ln; done", true, false),
            ("skills-migrate verify plugins skills", true, false),
            ("skills-migrate plugins --out skills", false, false),
            ("cargo run --bin skills-migrate -- a", false, false),
        ] {
            assert_eq!(
                left_out(text, Options::default()).is_some(),
                usual,
                "{text}"
            );
            assert_eq!(left_out(text, all).is_some(), with_install, "{text}");
        }
    }

    #[test]
    fn an_unknown_option_is_an_error() {
        let args = |words: &[&str]| {
            words
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<_>>()
        };
        assert!(options(&args(&["--install"])).unwrap().install);
        assert!(options(&args(&["--all"])).is_err());
    }

    #[test]
    fn commands_are_shown_without_comments() {
        assert_eq!(plain("a  b \n c    # what for"), "a b c");
    }
}
