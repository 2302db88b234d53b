//! The environment of a skill as it is after the preparation.

use std::collections::BTreeMap;

use skill_loader::fs::TreeSize;

use crate::error::Error;
use crate::needs::Ecosystem;
use crate::record::MissingPackage;
use crate::request::Request;
use crate::store::OpenStore;

/// The environment of one skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// The name of the skill.
    pub name: String,
    /// The packages that it lacks, with the reasons.
    pub missing: Vec<MissingPackage>,
    /// Its packages whose install scripts were not run.
    pub scripts_off: Vec<String>,
    /// The size of its environment if it were the only one.
    pub size: TreeSize,
}

/// Returns what is known about a skill that wants nothing.
pub(crate) fn nothing(request: &Request) -> Prepared {
    Prepared {
        name: request.name.clone(),
        missing: Vec::new(),
        scripts_off: Vec::new(),
        size: TreeSize::default(),
    }
}

/// Reads what is known about the environment of a skill.
pub(crate) fn prepared(
    store: &OpenStore,
    request: &Request,
    failed: &Failed,
) -> Result<Prepared, Error> {
    let mut res = nothing(request);
    for ecosystem in Ecosystem::ALL {
        let Some(key) = request.needs.key(ecosystem) else {
            continue;
        };
        if let Some(record) = store.record(ecosystem, &key) {
            let size = store.measured(ecosystem, &key, &record)?;
            res.size.n_files += size.n_files;
            res.size.bytes += size.bytes;
            res.size.alone += size.alone;
            res.missing.extend(record.missing);
            res.scripts_off.extend(record.scripts_off);
        } else if let Some(error) = failed.get(&(ecosystem, key)) {
            let needs = request.needs.of(ecosystem).iter();
            res.missing.extend(needs.map(|(name, need)| MissingPackage {
                name: name.clone(),
                reason: error.to_string(),
                is_optional: need.is_optional,
            }));
        }
    }
    Ok(res)
}

/// The environments of which nothing could be installed, by ecosystem and key.
pub(crate) type Failed = BTreeMap<(Ecosystem, String), Error>;
