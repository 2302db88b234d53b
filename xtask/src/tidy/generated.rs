//! Every generated document is committed; whether it is fresh, `codegen --check` says.

use crate::codegen;
use crate::repo::Repo;

pub(super) fn check(repo: &Repo) -> Vec<String> {
    let missing = codegen::documents().filter(|path| !repo.has(path));
    missing
        .map(|path| format!("{path} is missing: run cargo xtask codegen"))
        .collect()
}
