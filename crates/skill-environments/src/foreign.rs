//! Packages from elsewhere. A package that may be installed can depend on any address, and npm gets
//! that as well: a directory of the user, or a repository.

use std::collections::BTreeMap;

use skill_loader::fs::{Root, remove_tree};

use crate::closure::InstalledTree;
use crate::error::Error;
use crate::needs::Need;
use crate::record::MissingPackage;
use crate::variables::redact;

/// Removes the packages of the environment in `dir` that come from elsewhere, and returns them.
pub(crate) fn remove_foreign(
    dir: &Root,
    needs: &BTreeMap<String, Need>,
) -> Result<Vec<MissingPackage>, Error> {
    let tree = InstalledTree::read(dir.path());
    let mut res = Vec::new();
    let mut gone = Vec::new();
    for part in tree.parts() {
        let Some(address) = part.foreign_address(dir.path(), needs) else {
            continue;
        };
        gone.push(part.path);
        res.push(MissingPackage {
            name: part.module().to_owned(),
            reason: format!(
                "a package depends on it from {}, and not from the registry; it was removed",
                redact(&address)
            ),
            is_optional: false,
        });
    }
    if gone.is_empty() {
        return Ok(res);
    }
    for path in &gone {
        remove_tree(&dir.path().join(path))?;
    }
    let is_left = |path: &str| {
        !gone.iter().any(|gone| {
            path.strip_prefix(gone)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let paths = tree.parts().map(|part| part.path);
    let left = paths.filter(|path| is_left(path)).map(str::to_owned);
    tree.write_lock(&left.collect(), dir)?;
    Ok(res)
}
