//! Leaves out what no program loads of npm packages: source maps, declarations for TypeScript, and what
//! a native package was built from.

use std::collections::BTreeSet;

use skill_loader::fs::{Entry, Kind, Root, WalkLimits};

use crate::error::Error;

/// The directory of the packages.
const MODULES: &str = "node_modules";
/// The end of the path of a compiler for TypeScript.
const COMPILER: &str = "node_modules/typescript/package.json";
/// The file in a native package that says how it is built.
const BINDING: &str = "/binding.gyp";
/// The directory in a native package with the results.
const BUILT: &str = "/build/";
/// The directory of what is on its way there.
const OBJECTS: &str = "/obj.target/";
/// The endings of files that only a build reads.
const SOURCES: [&str; 10] = [
    ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".o", ".a", ".mk",
];

/// Removes it from the environment in a directory. Source maps (`x.js.map` beside `x.js`) are a quarter of
/// what packages occupy; declarations (`x.d.ts`) are for a compiler.
pub(super) fn trim(dir: &Root) -> Result<(), Error> {
    if dir.kind(MODULES)? != Some(Kind::Dir) {
        return Ok(());
    }
    let listing = dir.walk(MODULES, &WalkLimits::default(), &|_| false)?;
    let is_file = |entry: &&Entry| matches!(entry.kind, Kind::File(_));
    let files = listing.entries.iter().filter(is_file);
    let files: BTreeSet<&str> = files.map(|entry| entry.path.as_str()).collect();
    for path in unloaded(&files) {
        dir.remove(path)?;
    }
    Ok(())
}

/// Returns the files that no program loads.
fn unloaded<'f>(files: &BTreeSet<&'f str>) -> Vec<&'f str> {
    let has_compiler = files.iter().any(|path| path.ends_with(COMPILER));
    let native = files.iter().filter_map(|path| path.strip_suffix(BINDING));
    let built: Vec<&str> = native.filter(|package| is_built(files, package)).collect();
    let is_unloaded = |path: &str| {
        let mapped = path.strip_suffix(".map");
        let declared = declared(path).filter(|_| !has_compiler);
        let mut inside = built
            .iter()
            .filter_map(|package| path.strip_prefix(package));
        mapped.is_some_and(|mapped| files.contains(mapped))
            || declared.is_some_and(|declared| files.contains(declared.as_str()))
            || inside.any(is_for_build)
    };
    let all = files.iter().copied();
    all.filter(|path| is_unloaded(path)).collect()
}

/// Returns whether a package has a native module that was built here.
fn is_built(files: &BTreeSet<&str>, package: &str) -> bool {
    let inside = files.iter().filter_map(|path| path.strip_prefix(package));
    let mut results = inside.filter(|path| path.starts_with(BUILT) && path.ends_with(".node"));
    results.any(|path| !path.contains(OBJECTS))
}

/// Returns whether a path in a package, not of one inside of it, is only for its build.
fn is_for_build(inside: &str) -> bool {
    let is_source = SOURCES.iter().any(|ending| inside.ends_with(ending));
    let is_object = inside.starts_with(BUILT) && inside.contains(OBJECTS);
    inside.starts_with('/') && !inside.contains("/node_modules/") && (is_source || is_object)
}

/// Returns the module that a file declares: `x.mjs` for `x.d.mts`.
fn declared(path: &str) -> Option<String> {
    let kinds = [(".d.ts", ".js"), (".d.mts", ".mjs"), (".d.cts", ".cjs")];
    kinds.into_iter().find_map(|(declaration, module)| {
        let name = path.strip_suffix(declaration)?;
        Some(format!("{name}{module}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_program_loads() {
        let check = |files: &[&str], expected: &[&str]| {
            let files: BTreeSet<&str> = files.iter().copied().collect();
            assert_eq!(unloaded(&files), expected, "{files:?}");
        };
        let texts = ["m/a.d.ts", "m/a.js", "m/a.js.map", "m/b.d.ts", "m/c.map"];
        check(&texts, &["m/a.d.ts", "m/a.js.map"]);
        let compiler = "m/node_modules/typescript/package.json";
        check(&["m/a.d.ts", "m/a.js", compiler], &[]);
        let tea = [
            "m/tea/binding.gyp",
            "m/tea/build/Release/obj.target/tea.node",
            "m/tea/build/Release/obj.target/tea/tea.o",
            "m/tea/build/Release/tea.a",
            "m/tea/build/Release/tea.node",
            "m/tea/lib/index.js",
            "m/tea/node_modules/pot/pot.h",
            "m/tea/src/tea.cc",
            "m/teapot/pot.h",
        ];
        check(&tea, &[tea[1], tea[2], tea[3], tea[7]]);
        // Not built here: its script did not run, or it came with its module.
        check(&[tea[0], "m/tea/prebuilds/tea.node", tea[7]], &[]);
    }
}
