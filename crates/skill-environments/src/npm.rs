//! npm packages, with npm, pnpm or bun.
//!
//! All packages are optional dependencies of an otherwise empty project: npm then leaves out what
//! the registry does not have and installs the rest, where one missing dependency would fail
//! everything. A lock of the old host is not used as such: `npm ci` refuses real ones.

mod lean;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::{Map, json};
use skill_loader::fs::{Kind, Root, WalkLimits, resolve};

use crate::closure::InstalledTree;
use crate::error::Error;
use crate::foreign::remove_foreign;
use crate::needs::Need;
use crate::record::{MissingPackage, Record};
use crate::registries::Registries;
use crate::tool::{Tools, Variables, reason};
use crate::variables::secret_setting;

/// The package managers that can be used, best first.
const MANAGERS: [&str; 3] = ["npm", "pnpm", "bun"];
/// Arguments of npm that every command gets.
const QUIET: [&str; 5] = [
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--no-update-notifier",
    "--loglevel=error",
];
/// Keeps packages from depending on addresses: only requirements themselves may be one, because
/// those were checked. An older npm does not know these, and ignores them.
const REGISTRY_ONLY: [&str; 3] = [
    "--allow-git=root",
    "--allow-remote=root",
    "--allow-file=root",
];
/// The maximum number of packages whose absence is explained by asking the registry.
const MAX_ASKED: usize = 20;

/// Installs packages into the empty directory `dir`. Returns what is known about the result, except
/// its directory.
pub(crate) fn install(
    tools: Tools<'_>,
    dir: &Root,
    needs: &BTreeMap<String, Need>,
    allowed: &[String],
    registries: &Registries,
) -> Result<Record, Error> {
    let manager = tools.first(&MANAGERS).ok_or(Error::NoTool {
        wanted: "npm, pnpm or bun",
        what: "npm packages",
    })?;
    write_package(dir, needs, &[])?;
    let failure = run_install(tools, dir, manager)?;
    let mut missing = missing(tools, dir, manager, needs, failure.as_deref());
    if let (Some(reason), true) = (failure, missing.len() == needs.len()) {
        return Err(Error::Failed {
            command: format!("{manager} install"),
            reason,
        });
    }
    let unfit = missing.iter().filter(|one| one.reason == UNFIT);
    let unfit: Vec<&str> = unfit.map(|one| one.name.as_str()).collect();
    if !unfit.is_empty() {
        // Packages for another version of Node.js are left out only if they are optional.
        write_package(dir, needs, &unfit)?;
        run_install(tools, dir, manager)?;
        missing.retain(|one| !has(dir, &one.name));
    }
    missing.extend(remove_foreign(dir, needs)?);
    let mut record = Record {
        ranges: Record::ranges(needs),
        missing,
        runtime: runtime(tools, dir),
        registries: registries.clone(),
        ..Record::default()
    };
    run_scripts(tools, dir, manager, allowed, &mut record)?;
    lean::trim(dir)?;
    Ok(record)
}

/// Writes the project; the packages in `required` are not optional.
fn write_package(
    dir: &Root,
    needs: &BTreeMap<String, Need>,
    required: &[&str],
) -> Result<(), Error> {
    let (mut needed, mut optional) = (Map::new(), Map::new());
    for (name, need) in needs {
        let range = if need.range.is_empty() {
            "*"
        } else {
            &need.range
        };
        let list = if required.contains(&name.as_str()) {
            &mut needed
        } else {
            &mut optional
        };
        list.insert(name.clone(), range.into());
    }
    let package =
        json!({"private": true, "dependencies": needed, "optionalDependencies": optional});
    Ok(dir.write_whole(".", "package.json", package.to_string().as_bytes())?)
}

/// Returns the packages that are not installed, with the reasons.
fn missing(
    tools: Tools<'_>,
    dir: &Root,
    manager: &str,
    needs: &BTreeMap<String, Need>,
    failure: Option<&str>,
) -> Vec<MissingPackage> {
    let gone = needs.iter().filter(|(name, _)| !has(dir, name));
    let missing = gone.enumerate().map(|(at, (name, need))| {
        let is_asked = at < MAX_ASKED && manager == "npm";
        let asked = is_asked.then(|| why_missing(tools, dir, name, need));
        let reason = asked.flatten().or_else(|| failure.map(str::to_owned));
        MissingPackage {
            name: name.clone(),
            reason: reason.unwrap_or_else(|| format!("{manager} did not install it")),
            is_optional: need.is_optional,
        }
    });
    missing.collect()
}

/// Returns the version of Node.js; empty without it.
pub(crate) fn runtime(tools: Tools<'_>, dir: &Root) -> String {
    let version = tools.check(&["node", "--version"], dir.path());
    version.unwrap_or_default()
}

/// Runs the installation; returns why it failed, if it did.
fn run_install(tools: Tools<'_>, dir: &Root, manager: &str) -> Result<Option<String>, Error> {
    let mut words = vec![manager, "install", "--ignore-scripts"];
    match manager {
        "npm" => {
            words.extend(["--install-links", "--prefer-offline", "--omit=dev"]);
            words.extend(REGISTRY_ONLY);
            words.extend(QUIET);
        }
        "pnpm" => words.extend(["--prod", "--prefer-offline", "--config.node-linker=hoisted"]),
        _ => words.push("--production"),
    }
    let mut outcome = tools.run(&words, dir.path(), Variables::All)?;
    if !outcome.exit.success() && reason(&outcome).contains("ERESOLVE") {
        // Packages of one program whose peers disagree: the old host installed them as well.
        words.push("--force");
        outcome = tools.run(&words, dir.path(), Variables::All)?;
    }
    Ok((!outcome.exit.success()).then(|| reason(&outcome)))
}

fn has(dir: &Root, name: &str) -> bool {
    let path = format!("node_modules/{name}/package.json");
    matches!(dir.kind(&path), Ok(Some(Kind::File(_))))
}

/// The reason of a package that the registry has.
const UNFIT: &str = "it does not fit this system, or something that it depends on is missing";

/// Asks the registry about a package that was not installed.
fn why_missing(tools: Tools<'_>, dir: &Root, name: &str, need: &Need) -> Option<String> {
    if need.range.contains(':') {
        return Some(UNFIT.to_owned());
    }
    let wanted = if need.range.is_empty() {
        name.to_owned()
    } else {
        format!("{name}@{}", need.range)
    };
    let mut words = vec!["npm", "view", &wanted, "version"];
    words.extend(QUIET);
    let outcome = tools.run(&words, dir.path(), Variables::All).ok()?;
    if !outcome.exit.success() {
        let reason = reason(&outcome);
        return Some(if reason.contains("404") {
            format!("{wanted} is not in the registry")
        } else {
            reason
        });
    }
    let is_known = !outcome.stdout.trim_ascii().is_empty();
    Some(if is_known {
        UNFIT.to_owned()
    } else {
        format!("the registry has no version {wanted}")
    })
}

/// Runs the install scripts of the packages that the user allowed, and records those of others.
fn run_scripts(
    tools: Tools<'_>,
    dir: &Root,
    manager: &str,
    allowed: &[String],
    record: &mut Record,
) -> Result<(), Error> {
    let tree = InstalledTree::read(dir.path());
    let (mut on, mut off) = (BTreeSet::new(), BTreeSet::new());
    for part in tree.with_scripts() {
        let allowance = part.allowance(dir.path(), record.registries.of(part.name()));
        if !allowed.contains(&allowance) || manager != "npm" {
            off.insert(allowance);
            continue;
        }
        let reason = match secret_setting(tools.environment, &["npm_config_", "NPM_CONFIG_"]) {
            Some(secret) => Some(format!(
                "its install script was not run, because it could read the password in {secret}; put the password into ~/.npmrc, and the address without it into {secret}"
            )),
            None => run_script(tools, dir, part.path)?
                .map(|reason| format!("its install script failed: {reason}")),
        };
        if let Some(reason) = reason {
            record.missing.push(MissingPackage {
                reason,
                name: part.name().to_owned(),
                is_optional: false,
            });
        }
        on.insert(allowance);
    }
    record.scripts_run = on.into_iter().collect();
    record.scripts_off = off.into_iter().collect();
    Ok(())
}

/// Runs the install script of the package at a path; returns why it failed, if it did. Of a name,
/// npm would run those of all packages that have it.
fn run_script(tools: Tools<'_>, dir: &Root, path: &str) -> Result<Option<String>, Error> {
    remove_shadows(tools, dir, path)?;
    let path = format!("./{path}");
    let words = [
        "npm",
        "rebuild",
        &path,
        "--ignore-scripts=false",
        "--foreground-scripts",
    ];
    let words: Vec<&str> = words.into_iter().chain(QUIET).collect();
    let environment = with_headers(tools);
    let tools = Tools {
        environment: &environment,
    };
    let outcome = tools.run(&words, dir.path(), Variables::Harmless)?;
    Ok((!outcome.exit.success()).then(|| reason(&outcome)))
}

/// Returns the environment in which `node-gyp` builds with the headers that were installed with
/// Node.js. Without this setting (`nodedir`), it downloads them from nodejs.org for each user, which
/// fails where only the registry can be reached.
fn with_headers(tools: Tools<'_>) -> BTreeMap<String, String> {
    const SETTING: &str = "npm_config_nodedir";
    let mut res = tools.environment.clone();
    let node = tools.find("node").and_then(|node| resolve(&node).ok());
    let prefix = node.and_then(|node| Some(node.parent()?.parent()?.to_owned()));
    let has_headers =
        |prefix: &PathBuf| resolve(&prefix.join("include/node/node_version.h")).is_ok();
    if let Some(prefix) = prefix.filter(has_headers)
        && let Some(prefix) = prefix.to_str()
    {
        res.entry(SETTING.to_owned())
            .or_insert_with(|| prefix.to_owned());
    }
    res
}

/// Removes programs of packages that have the name of a program of the machine. npm puts the
/// directories of packages' programs first on the PATH of an install script, so that a package
/// without permission could replace `node` or `sh` for one that has it.
fn remove_shadows(tools: Tools<'_>, dir: &Root, package: &str) -> Result<(), Error> {
    for directory in program_directories(package) {
        if dir.kind(&directory)? != Some(Kind::Dir) {
            continue;
        }
        let limits = WalkLimits {
            depth: 0,
            ..WalkLimits::default()
        };
        for entry in dir.walk(&directory, &limits, &|_| false)?.entries {
            let name = entry.path.rsplit('/').next().unwrap_or_default();
            if tools.first(&[name]).is_some() {
                dir.remove(&entry.path)?;
            }
        }
    }
    Ok(())
}

/// Returns the directories of programs that npm puts on the PATH of a package's install script.
fn program_directories(package: &str) -> Vec<String> {
    let mut res = vec!["node_modules/.bin".to_owned()];
    let ends = package.match_indices("/node_modules/").map(|(at, _)| at);
    let owners = ends.chain([package.len()]).map(|end| &package[..end]);
    res.extend(owners.map(|owner| format!("{owner}/node_modules/.bin")));
    res
}

#[cfg(test)]
mod tests {
    #[test]
    fn programs_of_a_package_and_of_those_around_it() {
        assert_eq!(
            super::program_directories("node_modules/@s/a/node_modules/b"),
            [
                "node_modules/.bin",
                "node_modules/@s/a/node_modules/.bin",
                "node_modules/@s/a/node_modules/b/node_modules/.bin",
            ]
        );
    }
}
