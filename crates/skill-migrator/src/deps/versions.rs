//! The version of each required package, and the best source of it.

use std::collections::{BTreeMap, BTreeSet};

use skill_model::{PackageNeed, PackageSource as Source, Packages};

use super::{
    host::HostRoot,
    lists::{Locked, NpmList, PipList},
};
use crate::code::Imports;

/// All package lists that may name a version, and the imports.
pub(super) struct Lists<'a> {
    pub(super) own_npm: &'a NpmList,
    pub(super) own_pip: &'a PipList,
    pub(super) host: &'a HostRoot,
    /// Ranges in the manifest, by package.
    pub(super) manifest: &'a BTreeMap<String, String>,
    pub(super) imports: &'a Imports,
}

impl Lists<'_> {
    /// Returns the details of all packages.
    pub(super) fn packages(&self, npm: &BTreeSet<String>, pip: &BTreeSet<String>) -> Packages {
        let npm = npm.iter();
        let pip = pip.iter();
        Packages {
            npm: npm
                .map(|name| (name.clone(), self.npm_need(name)))
                .collect(),
            pip: pip
                .map(|name| (name.clone(), self.pip_need(name)))
                .collect(),
        }
    }

    fn npm_need(&self, name: &str) -> PackageNeed {
        let is_optional = self.imports.npm.get(name).copied().unwrap_or(false);
        if let Some((range, is_listed_optional)) = self.own_npm.ranges.get(name) {
            let locked = self.own_npm.locked.get(name);
            let exact = locked.map(|locked| (locked.version.as_str(), Source::PackageLock));
            let (range, source) = exact.unwrap_or((range, Source::PackageJson));
            let known = locked.or_else(|| self.host.npm().locked.get(name));
            return need(Some(range), source, known, *is_listed_optional);
        }
        if let Some(locked) = self.own_npm.locked.get(name) {
            let range = Some(locked.version.as_str());
            return need(range, Source::PackageLock, Some(locked), is_optional);
        }
        if let Some(range) = self.manifest.get(name) {
            return need(Some(range), Source::Manifest, None, is_optional);
        }
        let host = self.host.npm();
        if let Some(locked) = host.locked.get(name) {
            let range = Some(locked.version.as_str());
            return need(range, Source::HostLock, Some(locked), is_optional);
        }
        match host.ranges.get(name) {
            Some((range, _)) => need(Some(range), Source::HostPackageJson, None, is_optional),
            None => need(None, self.unversioned(name, true), None, is_optional),
        }
    }

    fn pip_need(&self, name: &str) -> PackageNeed {
        let is_optional = self.imports.pip.get(name).copied().unwrap_or(false);
        let key = skill_model::pip_key(name);
        if self.own_pip.0.contains_key(&key) {
            return need(self.own_pip.range(name), Source::Requirements, None, false);
        }
        if let Some(range) = self.manifest.get(name) {
            let range = python_range(range);
            return need(range.as_deref(), Source::Manifest, None, is_optional);
        }
        let host = self.host.pip();
        if host.0.contains_key(&key) {
            let range = host.range(name);
            return need(range, Source::HostRequirements, None, is_optional);
        }
        need(None, self.unversioned(name, false), None, is_optional)
    }

    fn unversioned(&self, name: &str, is_npm: bool) -> Source {
        let imports = if is_npm {
            &self.imports.npm
        } else {
            &self.imports.pip
        };
        if imports.contains_key(name) {
            Source::Code
        } else {
            Source::Manifest
        }
    }
}

/// Returns a version of a manifest as pip reads it; `None` for the notations of npm.
fn python_range(range: &str) -> Option<String> {
    match range.chars().next()? {
        '=' | '<' | '>' | '!' | '~' if !range[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            Some(range.to_owned())
        }
        '<' | '>' => Some(range.to_owned()),
        c if c.is_ascii_digit() && !range.contains(['x', '*', ' ']) => Some(format!("=={range}")),
        _ => None,
    }
}

fn need(
    range: Option<&str>,
    source: Source,
    known: Option<&Locked>,
    is_optional: bool,
) -> PackageNeed {
    PackageNeed {
        range: range.map(str::to_owned),
        source,
        native: known.is_some_and(|locked| locked.native),
        install_script: known.is_some_and(|locked| locked.install_script),
        optional: is_optional,
    }
}
