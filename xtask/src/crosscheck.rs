//! The second opinion: the Python reference reads what we wrote.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::repo::Repo;
use crate::shell;

const PACKAGES: &[&str] = &["skills-ref==0.1.1", "pyyaml==6.0.3"];
const SCRIPT: &str = "xtask/src/crosscheck.py";
const WORK: &str = "target/crosscheck";

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let python = match reference(repo)? {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: {reason}");
            return Ok(());
        }
    };
    let directories = match args {
        [] => migrate_all(repo)?,
        given => given.iter().map(PathBuf::from).collect(),
    };
    shell::run(shell::program(repo, python).arg(SCRIPT).args(directories))
        .context("the reference found errors, or no skill at all")
}

/// The Python that has the reference installed, or the reason why there is none.
fn reference(repo: &Repo) -> Result<std::result::Result<PathBuf, String>> {
    let venv = repo.path(WORK).join("venv");
    let python = venv.join("bin/python");
    let ready = |python: &Path| {
        shell::works(shell::program(repo, python).args(["-c", "import skills_ref.validator, yaml"]))
    };
    if ready(&python) {
        return Ok(Ok(python));
    }
    fs::create_dir_all(repo.path(WORK))?;
    if let Err(err) = shell::capture(
        shell::program(repo, "python3")
            .args(["-m", "venv"])
            .arg(&venv),
    ) {
        return Ok(Err(format!("no Python environment: {}", last_line(&err))));
    }
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--retries",
        "1",
    ];
    if let Err(err) = shell::capture(shell::program(repo, &python).args(pip).args(PACKAGES)) {
        let packages = PACKAGES.join(" and ");
        return Ok(Err(format!(
            "cannot get {packages} from PyPI: {}",
            last_line(&err)
        )));
    }
    ensure!(
        ready(&python),
        "{} is installed but cannot be imported",
        PACKAGES.join(" and ")
    );
    Ok(Ok(python))
}

fn last_line(err: &anyhow::Error) -> String {
    let text = format!("{err:#}");
    text.lines().last().unwrap_or_default().trim().to_owned()
}

/// Migrates our fixtures, and the real manifests where somebody has them.
fn migrate_all(repo: &Repo) -> Result<Vec<PathBuf>> {
    let tool = build(repo)?;
    let mut res = vec![migrate(
        repo,
        &tool,
        &repo.path("fixtures/plugins"),
        "fixtures",
    )?];
    match repo
        .shared()
        .map(|shared| shared.join("corpus/materialize.py"))
    {
        Some(script) if script.is_file() => {
            let corpus = repo.path(WORK).join("corpus");
            remove(&corpus)?;
            shell::capture(shell::program(repo, "python3").arg(script).arg(&corpus))?;
            res.push(migrate(repo, &tool, &corpus, "corpus")?);
        }
        _ => println!("   ../shared/corpus is not here; only our own fixtures are checked"),
    }
    Ok(res)
}

pub(crate) fn build(repo: &Repo) -> Result<PathBuf> {
    let args = [
        "build",
        "--release",
        "--quiet",
        "--package",
        "skills-cli",
        "--bins",
    ];
    shell::run(shell::cargo(repo).args(args))?;
    Ok(repo.path("target/release/skills-migrate"))
}

fn migrate(repo: &Repo, tool: &Path, source: &Path, label: &str) -> Result<PathBuf> {
    let out = repo.path(WORK).join(format!("skills-{label}"));
    remove(&out)?;
    let mut command = shell::program(repo, tool);
    command
        .arg(source)
        .arg("--out")
        .arg(&out)
        .args(["--include-disabled", "--quiet"]);
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", tool.display()))?;
    // Status 1 means findings, and fixtures are full of them.
    ensure!(
        matches!(status.code(), Some(0 | 1)),
        "skills-migrate ended with {status}"
    );
    Ok(out)
}

fn remove(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    Ok(())
}
