//! Removes what no skill uses.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use skill_loader::fs::{Root, TreeSize, remove_tree, remove_unshared, tree_size};

use crate::error::Error;
use crate::needs::{Ecosystem, Needs};
use crate::store::{FILES, OpenStore, RECORDS, Store, USES};

/// The result of a removal.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Pruned {
    /// The number of environments that were removed.
    pub n_removed: usize,
    /// The number of environments that stayed.
    pub n_kept: usize,
    /// The bytes on disk that became free.
    pub freed: u64,
    /// The bytes on disk that remain.
    pub left: u64,
}

/// Removes the environments that no skill uses any more, and files that no environment uses.
/// `needs_of` returns the present requirements of the skill in a directory; `None` if it is gone.
///
/// # Errors
///
/// The store cannot be read or written.
pub fn prune(store: &Store, needs_of: &dyn Fn(&Path) -> Option<Needs>) -> Result<Pruned, Error> {
    if Root::open_real(store.dir()).is_err() {
        return Ok(Pruned::default());
    }
    let open = store.open(&mut || {})?;
    let trees = [FILES, "npm", "pip"].map(|dir| open.path(dir));
    let before = tree_size(&trees)?;
    let used = used(&open, needs_of)?;
    let mut res = Pruned::default();
    for ecosystem in Ecosystem::ALL {
        let mut kept = BTreeSet::new();
        for (key, record) in open.records(ecosystem)? {
            if used.contains(&(ecosystem, key.clone())) {
                kept.insert(record.dir);
            } else {
                let path = format!("{RECORDS}/{}-{key}", ecosystem.word());
                open.root.remove(&path)?;
            }
        }
        for name in open.names(ecosystem.word())? {
            let dir = format!("{}/{name}", ecosystem.word());
            if kept.contains(&dir) {
                res.n_kept += 1;
            } else {
                remove_tree(&open.path(&dir))?;
                res.n_removed += 1;
            }
        }
    }
    let TreeSize { .. } = remove_unshared(&open.path(FILES))?;
    res.left = tree_size(&trees)?.bytes;
    res.freed = before.bytes.saturating_sub(res.left);
    Ok(res)
}

/// Returns the keys of environments that skills use, and forgets the uses by skills that are gone
/// or require something else now.
fn used(
    open: &OpenStore,
    needs_of: &dyn Fn(&Path) -> Option<Needs>,
) -> Result<BTreeSet<(Ecosystem, String)>, Error> {
    let mut res = BTreeSet::new();
    for (name, value) in open.uses()? {
        let skill = value["skill"].as_str().unwrap_or_default();
        let now = needs_of(Path::new(skill));
        let mut is_used = false;
        for ecosystem in Ecosystem::ALL {
            let recorded = value[ecosystem.word()].as_str();
            let present = now.as_ref().and_then(|needs| needs.key(ecosystem));
            if let (Some(recorded), Some(present)) = (recorded, present)
                && recorded == present
            {
                res.insert((ecosystem, present));
                is_used = true;
            }
        }
        if !is_used || value == Value::Null {
            open.root.remove(&format!("{USES}/{name}"))?;
        }
    }
    Ok(res)
}
