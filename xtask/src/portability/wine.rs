//! Runs `skills-migrate.exe` under wine: the skills must have the same bytes as on Linux.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::repo::Repo;
use crate::shell;

const TARGET: &str = "x86_64-pc-windows-gnu";
const TOOL: &str = "skills-migrate";
/// The command that runs programs of Windows; the variable of the same name replaces it.
const WINE: &str = "wine";
const WINE_VARIABLE: &str = "WINE";
/// The linker, and the variable that replaces it.
const LINKER: &str = "x86_64-w64-mingw32-gcc";
const LINKER_VARIABLE: &str = "CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER";
/// The program that lays out real plugins, where the reference material is.
const CORPUS: &str = "../shared/corpus/materialize.py";
const DIRECTORY: &str = "target/portability";
/// The most differences that are named.
const N_NAMED: usize = 20;

pub(super) fn run(repo: &Repo, installed: &[String]) -> Result<()> {
    let wine = named(WINE_VARIABLE, WINE);
    if let Some(what) = missing(repo, installed, &wine) {
        println!("   not run under wine: {what}");
        return Ok(());
    }
    shell::run(shell::cargo(repo).args(["build", "--quiet", "--locked", "-p", TOOL]))?;
    let for_windows = [
        "build", "--quiet", "--locked", "-p", TOOL, "--target", TARGET,
    ];
    shell::run(shell::cargo(repo).args(for_windows))?;
    for (name, plugins) in inputs(repo)? {
        let n_files = compare(repo, &wine, name, &plugins)?;
        println!("   run under wine: {TOOL} {name}: {n_files} files, the same bytes as on Linux");
    }
    Ok(())
}

fn named(variable: &str, default: &str) -> PathBuf {
    env::var_os(variable).map_or_else(|| default.into(), PathBuf::from)
}

/// Returns what is missing to build and run for Windows.
fn missing(repo: &Repo, installed: &[String], wine: &Path) -> Option<String> {
    let works = |program: &Path| shell::works(shell::program(repo, program).arg("--version"));
    let linker = named(LINKER_VARIABLE, LINKER);
    if !installed.iter().any(|one| one == TARGET) {
        Some(format!(
            "no standard library (`rustup target add {TARGET}`)"
        ))
    } else if !works(&linker) {
        let name = linker.display();
        Some(format!(
            "no linker `{name}` (package gcc-mingw-w64-x86-64, or set {LINKER_VARIABLE})"
        ))
    } else if !works(wine) {
        let name = wine.display();
        Some(format!(
            "no `{name}` (package wine, or set {WINE_VARIABLE})"
        ))
    } else {
        None
    }
}

/// Returns directories of plugins, with a name for each. No file of them is executable, because
/// Windows has no such mode and the digest of a plugin covers it.
fn inputs(repo: &Repo) -> Result<Vec<(&'static str, PathBuf)>> {
    let fixtures = repo.path(DIRECTORY).join("fixtures");
    empty(&fixtures)?;
    for (path, bytes) in tree(&repo.path("fixtures/plugins"))? {
        let path = fixtures.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&fixtures))?;
        fs::write(path, bytes)?;
    }
    let mut res = vec![("fixtures", fixtures)];
    if repo.path(CORPUS).is_file() {
        let corpus = repo.path(DIRECTORY).join("corpus");
        empty(&corpus)?;
        let mut python = shell::program(repo, "python3");
        shell::capture(python.arg(repo.path(CORPUS)).arg(&corpus))?;
        res.push(("corpus", corpus));
    }
    Ok(res)
}

fn empty(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    Ok(())
}

/// Migrates a directory on both systems and compares the results; returns the number of files.
fn compare(repo: &Repo, wine: &Path, name: &str, plugins: &Path) -> Result<usize> {
    let place = |system: &str| repo.path(DIRECTORY).join(format!("{name}-{system}"));
    let (linux, windows) = (place("linux"), place("windows"));
    let here = repo.path("target/debug").join(TOOL);
    let exe = repo.path(&format!("target/{TARGET}/debug/{TOOL}.exe"));
    let mut under_wine = shell::program(repo, wine);
    under_wine.arg(exe);
    let mut statuses = Vec::new();
    for (mut command, out) in [(shell::program(repo, here), &linux), (under_wine, &windows)] {
        empty(out)?;
        command.arg(plugins).arg("--out").arg(out);
        let output = command.output().context("cannot start the tool")?;
        statuses.push(output.status.code());
        if !out.is_dir() {
            bail!(
                "nothing in {}: {}",
                out.display(),
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    if statuses[0] != statuses[1] {
        bail!(
            "{name}: exit status {:?} on Linux, {:?} under wine",
            statuses[0],
            statuses[1]
        );
    }
    let (linux, windows) = (tree(&linux)?, tree(&windows)?);
    let different = differences(&linux, &windows);
    if !different.is_empty() {
        let named = different.iter().take(N_NAMED).map(String::as_str);
        bail!(
            "{name}: {} files differ:\n{}",
            different.len(),
            named.collect::<Vec<_>>().join("\n")
        );
    }
    Ok(linux.len())
}

/// Returns each path that is not the same in both trees, with the reason.
fn differences(
    linux: &BTreeMap<String, Vec<u8>>,
    windows: &BTreeMap<String, Vec<u8>>,
) -> Vec<String> {
    let of_linux = linux
        .iter()
        .filter_map(|(path, bytes)| match windows.get(path) {
            None => Some(format!("{path}: on Linux only")),
            Some(other) if other != bytes => Some(format!("{path}: other bytes")),
            Some(_) => None,
        });
    let of_windows = windows.keys().filter(|path| !linux.contains_key(*path));
    let of_windows = of_windows.map(|path| format!("{path}: under wine only"));
    of_linux.chain(of_windows).collect()
}

/// The private state of the store, which records times and inodes.
const STATE: &str = ".skills-migrate";

/// Returns the files beneath a directory with their bytes, without the state of the store.
fn tree(root: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut res = BTreeMap::new();
    let mut todo = vec![root.to_owned()];
    while let Some(directory) = todo.pop() {
        for entry in fs::read_dir(&directory)? {
            let path = entry?.path();
            let name = path.strip_prefix(root)?.to_string_lossy().into_owned();
            if name == STATE {
                continue;
            }
            if path.is_dir() {
                todo.push(path);
            } else {
                res.insert(name, fs::read(&path)?);
            }
        }
    }
    Ok(res)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_named() {
        let tree = |files: &[(&str, &str)]| {
            let files = files.iter();
            let files = files.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
            files.collect::<BTreeMap<_, _>>()
        };
        let linux = tree(&[("a", "1"), ("b", "1"), ("c", "1")]);
        let windows = tree(&[("a", "1"), ("b", "2"), ("d", "1")]);
        let expected = ["b: other bytes", "c: on Linux only", "d: under wine only"];
        assert_eq!(differences(&linux, &windows), expected);
    }
}
