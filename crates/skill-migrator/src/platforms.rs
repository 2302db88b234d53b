//! The systems for which a plugin brings its programs, by their names: `Kettle-aarch64-unknown-linux-musl`.

use std::collections::BTreeSet;

use crate::plugin::Plugin;

/// Words of file names, and the system of each.
const SYSTEMS: [(&str, &str); 7] = [
    ("windows", "Windows"),
    ("win32", "Windows"),
    ("win64", "Windows"),
    ("linux", "Linux"),
    ("darwin", "macOS"),
    ("macos", "macOS"),
    ("apple", "macOS"),
];

/// Words of file names, and the processor of each.
const PROCESSORS: [(&str, &str); 5] = [
    ("x86_64", "x64"),
    ("x64", "x64"),
    ("amd64", "x64"),
    ("aarch64", "arm64"),
    ("arm64", "arm64"),
];

/// The compiled programs of a plugin.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Compiled {
    /// The systems that they are for: `Linux arm64`. Empty for a plugin without such programs.
    pub(crate) systems: BTreeSet<String>,
    /// The `Cargo.toml` of their source, relative to the plugin.
    pub(crate) manifest: Option<String>,
}

/// Returns the compiled programs beside the manifest of a plugin.
pub(crate) fn compiled(plugin: &Plugin<'_>) -> Compiled {
    let paths: Vec<&str> = plugin.files.iter().map(|file| &*file.path).collect();
    of_paths(&paths)
}

fn of_paths(paths: &[&str]) -> Compiled {
    let systems: BTreeSet<String> = paths.iter().filter_map(|path| system(path)).collect();
    let manifests = paths.iter().filter(|path| {
        let name = path.rsplit('/').next();
        name == Some("Cargo.toml")
    });
    let manifest = manifests.min_by_key(|path| path.matches('/').count());
    Compiled {
        manifest: manifest
            .filter(|_| !systems.is_empty())
            .map(|path| (*path).to_owned()),
        systems,
    }
}

/// Returns the system of a program: a file without an extension, or with `.exe`.
fn system(path: &str) -> Option<String> {
    let lower = path.to_lowercase();
    let stem = lower.strip_suffix(".exe").unwrap_or(&lower);
    let is_program = !stem.contains(['.', '/']);
    let of = |table: &[(&str, &'static str)]| {
        let found = table.iter().find(|(word, _)| stem.contains(word));
        found.map(|(_, name)| *name)
    };
    let system = of(&SYSTEMS).filter(|_| is_program)?;
    Some(match of(&PROCESSORS) {
        Some(processor) => format!("{system} {processor}"),
        None => system.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_in_the_names_of_programs() {
        let check = |paths: &[&str], systems: &[&str], manifest: Option<&str>| {
            let found = of_paths(paths);
            let names: Vec<&str> = found.systems.iter().map(String::as_str).collect();
            assert_eq!(
                (names, found.manifest.as_deref()),
                (systems.to_vec(), manifest)
            );
        };
        check(
            &[
                "Tea-aarch64-unknown-linux-musl",
                "Tea-x86_64-pc-windows-msvc.exe",
                "src/Cargo.toml",
                "src/parts/Cargo.toml",
            ],
            &["Linux arm64", "Windows x64"],
            Some("src/Cargo.toml"),
        );
        check(&["tea-darwin", "tea.js"], &["macOS"], None);
        check(&["Tea.exe", "src/Cargo.toml"], &[], None);
        check(&["bin/tea-linux", "linux.js", "README-linux.md"], &[], None);
    }
}
