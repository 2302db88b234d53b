//! Python packages, with uv, or with pip in a virtual environment.
//!
//! Only built packages (wheels) are installed: building one runs code of its author, which the user
//! must allow by name. Nothing of a filled environment is started: what it holds is read from its
//! files.

mod distribution;
mod installer;
mod lean;
mod site;
pub(crate) mod stock;

use std::collections::BTreeMap;

use skill_loader::fs::{Kind, Root};
use skill_model::pip_key;

use self::installer::{Installer, Sources, is_offline};
use crate::error::Error;
use crate::needs::Need;
use crate::record::{MissingPackage, Record};
use crate::registries::Registries;
use crate::requirement::is_pip_name;
use crate::tool::Tools;
use crate::variables::secret_setting;

/// The reason of each requirement that could not be installed, by name.
type Reasons<'n> = BTreeMap<&'n str, String>;

/// Installs packages into the empty directory `dir`, which becomes a virtual environment. Returns
/// what is known about the result, except its directory.
pub(crate) fn install(
    tools: Tools<'_>,
    dir: &Root,
    needs: &BTreeMap<String, Need>,
    allowed: &[String],
) -> Result<Record, Error> {
    let mut installer = Installer::new(tools, dir)?;
    let mut reasons = fill(&mut installer, tools, needs, allowed)?;
    if !needs.is_empty()
        && reasons.len() == needs.len()
        && reasons.values().all(|reason| is_offline(reason))
    {
        return Err(Error::Failed {
            command: installer.name().to_owned(),
            reason: reasons.into_values().next().unwrap_or_default(),
        });
    }
    if let Some(path) = installer.site().changed(dir) {
        let reason = format!(
            "one of the packages replaces {path} of the environment, so none of them is installed"
        );
        reasons = needs
            .keys()
            .map(|name| (name.as_str(), reason.clone()))
            .collect();
        installer.reset()?;
    }
    let installed = installer.site().installed(dir)?;
    let missing = needs.iter().filter_map(|(name, need)| {
        let has = installed.contains(&pip_key(name))
            || is_excluded(need) && !reasons.contains_key(name.as_str());
        (!has).then(|| MissingPackage {
            name: name.clone(),
            reason: reasons
                .get(name.as_str())
                .cloned()
                .unwrap_or_else(|| "it was not installed".to_owned()),
            is_optional: need.is_optional,
        })
    });
    let missing: Vec<MissingPackage> = missing.collect();
    lean::trim(dir, &installer.site().packages)?;
    installer.compile();
    Ok(Record {
        ranges: Record::ranges(needs),
        missing,
        scripts_run: allowed
            .iter()
            .filter(|name| needs.contains_key(*name))
            .cloned()
            .collect(),
        runtime: installer.site().version.clone(),
        installer: installer.word().to_owned(),
        registries: Registries::of_pip(tools.environment),
        ..Record::default()
    })
}

/// Installs what can be had. Wheels come first: then no code of a package runs, even one that may.
fn fill<'n>(
    installer: &mut Installer<'_>,
    tools: Tools<'_>,
    needs: &'n BTreeMap<String, Need>,
    allowed: &[String],
) -> Result<Reasons<'n>, Error> {
    // `NAME@ADDRESS` allows an address, not to build what the index has.
    let built = allowed.iter().map(String::as_str);
    let built: Vec<&str> = built.filter(|name| is_pip_name(name)).collect();
    let has_sources = needs.values().any(builds);
    if needs.is_empty() || built.is_empty() && !has_sources {
        return fill_from(installer, needs, Sources::Wheels);
    }
    let lines = lines(needs);
    let lines: Vec<&str> = lines.values().map(String::as_str).collect();
    if !has_sources && installer.install(&lines, Sources::Wheels)?.is_none() {
        return Ok(Reasons::new());
    }
    let Some(secret) = secret_setting(tools.environment, &["PIP_", "UV_"]) else {
        return fill_from(installer, needs, Sources::Build(&built));
    };
    let why = |reason: &str| {
        format!(
            "{reason}; it is not built from its source, because the program that builds it could read the password in {secret}; put the password into a file such as ~/.netrc, and the address without it into {secret}"
        )
    };
    let wheels = needs.iter().filter(|(_, need)| !builds(need));
    let wheels = wheels.map(|(name, need)| (name.clone(), need.clone()));
    let wheels: BTreeMap<String, Need> = wheels.collect();
    let failed = fill_from(installer, &wheels, Sources::Wheels)?;
    let names = needs.keys().map(String::as_str);
    let reasons = names.filter_map(|name| match failed.get(name) {
        Some(reason) => Some((name, why(reason))),
        None => (!wheels.contains_key(name)).then(|| (name, why("it has no wheel"))),
    });
    Ok(reasons.collect())
}

/// Installs all requirements, or those that can be had together.
fn fill_from<'n>(
    installer: &mut Installer<'_>,
    needs: &'n BTreeMap<String, Need>,
    sources: Sources<'_>,
) -> Result<Reasons<'n>, Error> {
    let mut reasons = Reasons::new();
    let lines = lines(needs);
    let all: Vec<&str> = lines.values().map(String::as_str).collect();
    if all.is_empty() {
        return Ok(reasons);
    }
    let Some(together) = installer.install(&all, sources)? else {
        return Ok(reasons);
    };
    if let [_] = all[..] {
        reasons.extend(lines.into_keys().map(|name| (name, together.clone())));
        installer.reset()?;
        return Ok(reasons);
    }
    // One that cannot be had fails all: each alone shows which.
    let mut fit = BTreeMap::new();
    for (name, line) in &lines {
        match installer.try_out(&[line], sources)? {
            Some(reason) => drop(reasons.insert(name, reason)),
            None => drop(fit.insert(*name, line.as_str())),
        }
    }
    let found: Vec<&str> = fit.values().copied().collect();
    if found.is_empty() || installer.install(&found, sources)?.is_none() {
        return Ok(reasons);
    }
    // Each can be had, but not all together: the first ones are kept.
    let mut kept: Vec<&str> = Vec::new();
    for (name, line) in &fit {
        kept.push(line);
        if let Some(reason) = installer.try_out(&kept, sources)? {
            kept.pop();
            reasons.insert(name, reason);
        }
    }
    if let Some(reason) = installer.install(&kept, sources)? {
        reasons.extend(fit.into_keys().map(|name| (name, reason.clone())));
        installer.reset()?;
    }
    Ok(reasons)
}

/// Returns whether installing it runs code of the package: a repository or a source archive at an
/// address that the user allowed.
fn builds(need: &Need) -> bool {
    let address = need.range.split(['#', '?']).next().unwrap_or_default();
    need.range.starts_with('@') && !address.trim_end().ends_with(".whl")
}

/// A condition (`; python_version < '3.8'`) may exclude a package from this machine.
fn is_excluded(need: &Need) -> bool {
    need.range.contains(';')
}

/// Returns the lines of a `requirements.txt`, by name.
fn lines(needs: &BTreeMap<String, Need>) -> BTreeMap<&str, String> {
    let line = |(name, need): (&'_ String, &Need)| {
        let space = if need.range.starts_with('@') { " " } else { "" };
        format!("{name}{space}{}", need.range)
    };
    needs
        .iter()
        .map(|(name, need)| (name.as_str(), line((name, need))))
        .collect()
}

/// Returns whether the environment in a directory can be used: its interpreter exists.
pub(crate) fn is_usable(dir: &Root) -> bool {
    matches!(
        dir.kind("bin/python"),
        Ok(Some(Kind::Symlink | Kind::File(_)))
    )
}
