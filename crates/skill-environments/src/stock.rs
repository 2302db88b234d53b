//! npm environments in the store whose packages another skill can have.

use std::collections::BTreeMap;

use crate::closure::InstalledTree;
use crate::needs::Need;
use crate::record::{MissingPackage, Record};
use crate::registries::Registries;
use crate::wanted::Wanted;

/// An environment in the store.
pub(crate) struct Stock {
    pub(crate) key: String,
    pub(crate) record: Record,
    pub(crate) tree: InstalledTree,
    /// True if it was made just now: what it lacks cannot be had.
    pub(crate) is_new: bool,
}

/// Returns the first environment that has what is needed. What a new one could not install in the
/// same version counts as known to be missing.
pub(crate) fn find(
    stocks: &[Stock],
    wanted: &Wanted<'_>,
    registries: &Registries,
) -> Option<usize> {
    stocks
        .iter()
        .position(|stock| has(stock, wanted, registries))
}

fn has(stock: &Stock, wanted: &Wanted<'_>, registries: &Registries) -> bool {
    let Stock { record, tree, .. } = stock;
    if stock.key == wanted.key && stock.is_new {
        return true;
    }
    let is_gone = |name: &str, need: &Need| stock.is_new && is_known_missing(record, name, need);
    let needs = wanted.needs.iter();
    let there: BTreeMap<String, Need> = needs
        .filter(|(name, need)| !is_gone(name, need))
        .map(|(name, need)| (name.clone(), need.clone()))
        .collect();
    if there.is_empty()
        || record.registries != *registries
        || !tree.serves(record, &there, registries)
    {
        return false;
    }
    // What an earlier run could not have is tried again.
    let paths = tree.closure(there.keys());
    stock.is_new || lacking(record, &there, &|name| tree.depends(&paths, name)).is_empty()
}

fn is_known_missing(record: &Record, name: &str, need: &Need) -> bool {
    record.missing.iter().any(|one| one.name == name)
        && record.ranges.get(name) == Some(&need.range)
}

/// Returns what a part of the environment `from` lacks: what is needed, and what its packages depend
/// on.
pub(crate) fn lacking(
    from: &Record,
    needs: &BTreeMap<String, Need>,
    depends: &dyn Fn(&str) -> bool,
) -> Vec<MissingPackage> {
    let missing = from.missing.iter();
    let missing = missing.filter_map(|one| {
        let is_optional = match needs.get(&one.name) {
            Some(need) => need.is_optional,
            None if from.ranges.contains_key(&one.name) || !depends(&one.name) => return None,
            None => one.is_optional,
        };
        Some(MissingPackage {
            is_optional,
            ..one.clone()
        })
    });
    missing.collect()
}

/// Returns the packages of several skills together; of different ranges for a package, the most
/// frequent.
pub(crate) fn union(all: &[&BTreeMap<String, Need>]) -> BTreeMap<String, Need> {
    let mut counts: BTreeMap<&String, BTreeMap<&str, usize>> = BTreeMap::new();
    for needs in all {
        for (name, need) in *needs {
            *counts
                .entry(name)
                .or_default()
                .entry(&need.range)
                .or_default() += 1;
        }
    }
    let most = counts.into_iter().map(|(name, ranges)| {
        let best = ranges.into_iter().max_by_key(|(_, count)| *count);
        let need = Need {
            range: best.map_or("", |(range, _)| range).to_owned(),
            ..Need::default()
        };
        (name.clone(), need)
    });
    most.collect()
}

/// Returns whether an environment that was just made is of no more use than the one before it.
pub(crate) fn is_no_better(new: &Record, old: &Record) -> bool {
    let lacks = |record: &Record, name: &str| record.missing.iter().any(|one| one.name == name);
    new.scripts_run == old.scripts_run
        && new.digests == old.digests
        && new.registries == old.registries
        && new.runtime == old.runtime
        && new.ranges == old.ranges
        && old.missing.iter().all(|one| lacks(new, &one.name))
}
