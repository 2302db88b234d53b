//! Installs each package in a clean directory without the network, and runs its tools there.

mod install;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

use self::install::Outcome;
use super::content::Content;
use super::notices;
use super::{DIST, Package, PackageKind};
use crate::repo::Repo;

const WORK: &str = "target/dist-check";

/// One package that is installed, or the reason why it is not.
struct Row {
    name: &'static str,
    /// The sum of its files.
    n_bytes: usize,
    result: Result<Seconds, String>,
}

struct Seconds {
    install: f64,
    run: f64,
}

pub(super) fn run(repo: &Repo, content: &Content, packages: &[Package]) -> Result<()> {
    let work = repo.path(WORK);
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let (mut rows, mut first) = (Vec::new(), None);
    for way in install::WAYS {
        let files: Vec<&Package> = packages.iter().filter(|it| it.kind == way.kind).collect();
        let directory = work.join(way.name);
        fs::create_dir_all(&directory)?;
        let start = Instant::now();
        let paths: Vec<PathBuf> = files
            .iter()
            .map(|it| repo.path(DIST).join(&it.name))
            .collect();
        let outcome = (way.install)(&directory, &paths);
        let install = start.elapsed().as_secs_f64();
        let outcome = outcome.with_context(|| format!("{} cannot be installed", way.name))?;
        let result = match outcome {
            Outcome::NotHere(reason) => Err(reason),
            Outcome::Installed(place) => {
                ensure!(
                    !is_installed_here(way.kind) || has_terms(&directory)?,
                    "{}: found no {}, expected it among the installed files",
                    way.name,
                    notices::FILE
                );
                let start = Instant::now();
                let lock = trial::run(repo, content, &place, &directory.join("trial"))
                    .with_context(|| format!("{} is installed and does not work", way.name))?;
                let expected = first.get_or_insert_with(|| lock.clone());
                ensure!(
                    lock == *expected,
                    "{}: found other skills than by {}",
                    way.name,
                    install::WAYS[0].name
                );
                Ok(Seconds {
                    install,
                    run: start.elapsed().as_secs_f64(),
                })
            }
        };
        rows.push(Row {
            name: way.name,
            n_bytes: files.iter().map(|it| it.bytes.len()).sum(),
            result,
        });
    }
    fs::remove_dir_all(&work)?;
    print!("{}", table(&rows));
    Ok(())
}

/// Returns true if the files of such a package are in the directory of its trial.
fn is_installed_here(kind: PackageKind) -> bool {
    use PackageKind::{Archive, Deb, Npm, Wheel};
    matches!(kind, Archive | Wheel | Npm | Deb)
}

/// Returns true if the licenses of all packages are among the installed files.
fn has_terms(directory: &Path) -> Result<bool> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let is_it = kind.is_file() && entry.file_name() == notices::FILE;
        if is_it && entry.metadata()?.len() > 0 || kind.is_dir() && has_terms(&entry.path())? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn table(rows: &[Row]) -> String {
    let mut res = format!(
        "{:<12} {:>10} {:>11} {:>8}\n",
        "package", "size", "installed", "ran"
    );
    for row in rows {
        let size = size(row.n_bytes);
        let line = match &row.result {
            Ok(seconds) => format!(
                "{:<12} {size:>10} {:>9.1} s {:>6.1} s",
                row.name, seconds.install, seconds.run
            ),
            Err(reason) => format!("{:<12} {size:>10}   not checked: {reason}", row.name),
        };
        res.push_str(&line);
        res.push('\n');
    }
    res
}

fn size(n_bytes: usize) -> String {
    match n_bytes {
        0..10_000 => format!("{n_bytes} B"),
        10_000..1_000_000 => format!("{} kB", n_bytes / 1_000),
        _ => format!("{}.{} MB", n_bytes / 1_000_000, n_bytes / 100_000 % 10),
    }
}

/// Returns the path as an argument.
fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_says_what_was_not_checked() {
        let row = |name, n_bytes, result| Row {
            name,
            n_bytes,
            result,
        };
        let seconds = Seconds {
            install: 1.25,
            run: 0.5,
        };
        let rows = [
            row("wheel", 15_612_345, Ok(seconds)),
            row("homebrew", 900, Err("there is no `brew`".to_owned())),
        ];
        let expected = "package            size   installed      ran\n\
                        wheel           15.6 MB       1.2 s    0.5 s\n\
                        homebrew          900 B   not checked: there is no `brew`\n";
        assert_eq!(table(&rows), expected);
    }
}
