//! The environment that a skill lacks: what of its requirements may be installed.

use std::collections::BTreeMap;
use std::path::Path;

use crate::needs::{Ecosystem, Need, Source};
use crate::record::{MissingPackage, Record};
use crate::request::Request;
use crate::requirement::refusal;
use crate::vendored::checked_digest;

/// The environment that a skill lacks.
pub(crate) struct Wanted<'r> {
    pub(crate) ecosystem: Ecosystem,
    pub(crate) key: String,
    /// The name of the skill.
    pub(crate) name: &'r str,
    /// The packages to install.
    pub(crate) needs: BTreeMap<String, Need>,
    /// The digests of those that are in the skill.
    pub(crate) digests: BTreeMap<String, String>,
    /// Those that no package manager may see.
    pub(crate) refused: Vec<MissingPackage>,
}

impl<'r> Wanted<'r> {
    pub(crate) fn new(
        ecosystem: Ecosystem,
        key: String,
        request: &'r Request,
        allowed: &[String],
    ) -> Self {
        let mut res = Self {
            ecosystem,
            key,
            name: &request.name,
            needs: BTreeMap::new(),
            digests: BTreeMap::new(),
            refused: Vec::new(),
        };
        let file = request.dir.join("METADATA.yml");
        for (name, need) in request.needs.of(ecosystem) {
            let refusal = refusal(ecosystem, name, need, allowed, &file);
            if let Some(reason) = refusal.or_else(|| res.check_vendored(name, need)) {
                res.refused.push(MissingPackage {
                    name: name.clone(),
                    reason,
                    is_optional: need.is_optional,
                });
                continue;
            }
            res.needs.insert(name.clone(), need.clone());
        }
        res
    }

    /// Records the digest of a package that is in the skill; returns why it must not be installed,
    /// if it must not.
    fn check_vendored(&mut self, name: &str, need: &Need) -> Option<String> {
        let (Source::Skill(skill), Some(path)) = (&need.source, need.range.strip_prefix("file:"))
        else {
            return None;
        };
        match checked_digest(Path::new(path), skill) {
            Ok(digest) => {
                self.digests.insert(name.to_owned(), digest);
                None
            }
            Err(reason) => Some(reason),
        }
    }

    /// Returns whether all packages are from the registry and under their own names, so that they
    /// can be shared with other skills.
    pub(crate) fn is_plain(&self) -> bool {
        let mut needs = self.needs.values();
        needs.all(|need| need.source == Source::Registry && !need.range.starts_with("npm:"))
    }

    /// Returns the record of an environment for the skill, which lacks what was refused too.
    pub(crate) fn with_refused(&self, mut record: Record) -> Record {
        let missing = std::mem::take(&mut record.missing).into_iter();
        let is_refused = |one: &MissingPackage| self.refused.iter().any(|no| no.name == one.name);
        record.missing = missing.filter(|one| !is_refused(one)).collect();
        record.missing.extend(self.refused.iter().cloned());
        record
    }

    /// Returns the packages that an environment lacks although they may be installed.
    pub(crate) fn missing<'m>(&self, record: &'m Record) -> Vec<&'m str> {
        let names = record.missing.iter().map(|one| one.name.as_str());
        let is_refused = |name: &str| self.refused.iter().any(|one| one.name == name);
        names.filter(|name| !is_refused(name)).collect()
    }
}
