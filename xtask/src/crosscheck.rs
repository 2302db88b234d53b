//! Cross-checks: independent programs read the migrated skills.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::repo::Repo;
use crate::shell;

const PACKAGES: &[&str] = &["skills-ref==0.1.1", "pyyaml==6.0.3"];
const SCRIPTS: &str = "xtask/src/crosscheck";
const WORK: &str = "target/crosscheck";

/// A migrated collection.
struct Collection {
    plugins: PathBuf,
    skills: PathBuf,
}

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let python = match reference(repo)? {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: {reason}");
            return Ok(());
        }
    };
    if args.is_empty() {
        return check_collections(repo, &python);
    }
    script(repo, &python, "validate.py", args.iter().map(Path::new))
}

fn check_collections(repo: &Repo, python: &Path) -> Result<()> {
    let tool = build(repo)?;
    let ours = migrate(repo, &tool, repo.path("fixtures/plugins"), "fixtures")?;
    let real = match real_manifests(repo)? {
        Some(plugins) => Some(migrate(repo, &tool, plugins, "corpus")?),
        None => None,
    };
    let all: Vec<&Collection> = [&ours].into_iter().chain(&real).collect();
    let skills = all.iter().map(|collection| collection.skills.as_path());
    script(repo, python, "validate.py", skills)?;
    for collection in all {
        let paths = [collection.plugins.as_path(), &collection.skills];
        script(repo, python, "texts.py", paths)?;
    }
    script(repo, python, "answers.py", [ours.skills.as_path()])?;
    let validate = tool.with_file_name("skills-validate");
    script(repo, python, "differential.py", [validate.as_path()])
}

fn script<'a>(
    repo: &Repo,
    python: &Path,
    name: &str,
    args: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let mut command = shell::program(repo, python);
    command.arg(format!("{SCRIPTS}/{name}")).args(args);
    shell::run(&mut command)
}

/// Returns the Python that has the reference installed, or the reason why there is none.
pub(crate) fn reference(repo: &Repo) -> Result<std::result::Result<PathBuf, String>> {
    let venv = repo.path(WORK).join("venv");
    let python = venv.join("bin/python");
    if can_import(repo, &python) {
        return Ok(Ok(python));
    }
    fs::create_dir_all(repo.path(WORK))?;
    let mut make = shell::program(repo, "python3");
    if let Err(err) = shell::capture(make.args(["-m", "venv"]).arg(&venv)) {
        return Ok(Err(format!("no Python environment: {}", last_line(&err))));
    }
    let packages = PACKAGES.join(" and ");
    let mut pip = shell::program(repo, &python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ])
    .args(PACKAGES);
    if let Err(err) = shell::capture(&mut pip) {
        return Ok(Err(format!(
            "cannot get {packages} from PyPI: {}",
            last_line(&err)
        )));
    }
    ensure!(
        can_import(repo, &python),
        "{packages} are installed but cannot be imported"
    );
    Ok(Ok(python))
}

fn can_import(repo: &Repo, python: &Path) -> bool {
    shell::works(shell::program(repo, python).args(["-c", "import skills_ref.validator, yaml"]))
}

fn last_line(err: &anyhow::Error) -> String {
    let text = format!("{err:#}");
    text.lines().last().unwrap_or_default().trim().to_owned()
}

/// Returns the collection of real manifests, laid out, if it is available.
fn real_manifests(repo: &Repo) -> Result<Option<PathBuf>> {
    let script = repo
        .shared()
        .map(|shared| shared.join("corpus/materialize.py"));
    let Some(script) = script.filter(|script| script.is_file()) else {
        println!("   ../shared/corpus is not here; only our own fixtures are checked");
        return Ok(None);
    };
    let corpus = repo.path(WORK).join("corpus");
    remove(&corpus)?;
    shell::capture(shell::program(repo, "python3").arg(script).arg(&corpus))?;
    Ok(Some(corpus))
}

/// Builds the tools as released and returns the path of `skills-migrate`.
pub(crate) fn build(repo: &Repo) -> Result<PathBuf> {
    // The selected packages decide the features: with the whole workspace nothing is built twice.
    let args = ["build", "--release", "--quiet", "--workspace", "--bins"];
    shell::run(shell::cargo(repo).args(args))?;
    Ok(repo.path("target/release/skills-migrate"))
}

fn migrate(repo: &Repo, tool: &Path, plugins: PathBuf, label: &str) -> Result<Collection> {
    let skills = repo.path(WORK).join(format!("skills-{label}"));
    remove(&skills)?;
    let mut command = shell::program(repo, tool);
    command
        .arg(&plugins)
        .arg("--out")
        .arg(&skills)
        .args(["--include-disabled", "--quiet"]);
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", tool.display()))?;
    // Status 1 means findings, and the fixtures contain many.
    ensure!(
        matches!(status.code(), Some(0 | 1)),
        "skills-migrate ended with {status}"
    );
    Ok(Collection { plugins, skills })
}

fn remove(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    Ok(())
}
