//! Every generated document is committed; `codegen --check` compares its content.

use crate::codegen;
use crate::repo::Repo;

pub(super) fn check(repo: &Repo) -> Vec<String> {
    let missing = codegen::documents().filter(|path| !repo.has(path));
    missing
        .map(|path| format!("{path} is missing: run cargo xtask codegen"))
        .collect()
}
