//! A ceiling on what a user has to compile and trust.

use anyhow::Result;

use crate::repo::Repo;

/// Packages of others in `Cargo.lock`; raise it in a commit of its own that says what for.
const MAX_PACKAGES: usize = 418;

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let n_packages = count(&repo.read("Cargo.lock")?);
    let over = n_packages > MAX_PACKAGES;
    Ok(over.then(|| sentence(n_packages)).into_iter().collect())
}

/// The packages that have a source; the crates of this workspace have none.
fn count(lock: &str) -> usize {
    lock.lines()
        .filter(|line| line.starts_with("source = "))
        .count()
}

fn sentence(n_packages: usize) -> String {
    format!("Cargo.lock has {n_packages} packages of others, at most {MAX_PACKAGES}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_packages_of_others() {
        assert_eq!(
            count(
                "version = 4\n\n[[package]]\nname = \"a\"\n\n[[package]]\nname = \"b\"\nsource = \"x\"\n"
            ),
            1
        );
    }
}
