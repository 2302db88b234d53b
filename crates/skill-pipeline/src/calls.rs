//! The skills that texts refer to by the names of their host.

use std::collections::BTreeMap;
use std::sync::Arc;

use plugin_model::UnitKey;
use skill_loader::Hasher;
use skill_migrator::Naming;
use skill_model::SkillName;

use crate::unit::Unit;

/// Skills by the names by which hosts call them: `release:review`.
type ByName = BTreeMap<String, SkillName>;

/// The skills that the texts of one package refer to.
#[derive(Clone, Default, Debug)]
pub(crate) struct Calls {
    digest: Arc<str>,
    units: Arc<BTreeMap<UnitKey, SkillName>>,
    own: Arc<ByName>,
    all: Arc<ByName>,
}

impl Calls {
    /// Returns the digest of all names and skills.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the tables for the migration of a text.
    pub(crate) fn of_texts(&self) -> skill_migrator::Calls<'_> {
        skill_migrator::Calls {
            units: &self.units,
            own: &self.own,
            all: &self.all,
        }
    }
}

/// The tables of all packages.
#[derive(Default, Debug)]
pub(crate) struct AllCalls {
    packages: BTreeMap<usize, Calls>,
}

impl AllCalls {
    /// Creates the tables. The first unit with a name keeps it, as in the host. A name means a part
    /// of the same package, else one of the same host, else one of any.
    pub(crate) fn new(all: &[Unit], names: &BTreeMap<usize, Naming>) -> Self {
        let mut any = ByName::new();
        let mut formats: BTreeMap<&'static str, ByName> = BTreeMap::new();
        let mut packages: BTreeMap<usize, (&'static str, BTreeMap<UnitKey, SkillName>, ByName)> =
            BTreeMap::new();
        for (at, naming) in names {
            let unit = &all[*at];
            let Some(head) = &unit.head else { continue };
            let (format, skill) = (unit.package.reader.name, &naming.name);
            let (_, skills, own) = packages
                .entry(unit.number)
                .or_insert_with(|| (format, BTreeMap::new(), ByName::new()));
            skills.insert(head.unit.clone(), skill.clone());
            let of_format = formats.entry(format).or_default();
            let names = std::iter::once(&head.call).chain(&head.aliases);
            for name in names.filter(|name| !name.is_empty()) {
                for table in [&mut *own, &mut *of_format, &mut any] {
                    let entry = table.entry(name.clone());
                    entry.or_insert_with(|| skill.clone());
                }
            }
        }
        let formats: BTreeMap<_, _> = formats
            .into_iter()
            .map(|(format, mut table)| {
                for (name, skill) in &any {
                    table.entry(name.clone()).or_insert_with(|| skill.clone());
                }
                (format, (digest(&table), Arc::new(table)))
            })
            .collect();
        let packages = packages.into_iter().map(|(package, (format, units, own))| {
            let (all_digest, all) = formats.get(format).cloned().unwrap_or_default();
            let calls = Calls {
                digest: Arc::from(format!("{} {all_digest}", digest(&own))),
                units: Arc::new(units),
                own: Arc::new(own),
                all,
            };
            (package, calls)
        });
        Self {
            packages: packages.collect(),
        }
    }

    /// Returns the table of a package.
    pub(crate) fn of(&self, package: usize) -> Calls {
        self.packages.get(&package).cloned().unwrap_or_default()
    }
}

fn digest(table: &ByName) -> String {
    let mut hasher = Hasher::default();
    for (call, name) in table {
        for part in [call.as_str(), name.as_str()] {
            hasher.update(part.as_bytes());
            hasher.update(&[0]);
        }
    }
    hasher.finish().to_string()
}
