//! The packages that the program of a server needs: those of the `package.json`, `requirements.txt` and
//! `pyproject.toml` in its directory, or in the nearest one above it that has one.

use plugin_model::{Node, Server, ServerPackage, parse_json};

use super::package::pypi_package;

/// The files that list packages.
const LISTS: [&str; 3] = ["package.json", "requirements.txt", "pyproject.toml"];

/// Returns true for the path of a file that lists packages.
pub(super) fn is_list(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    LISTS.contains(&name)
}

/// Adds the packages of a program, whose path is relative to the texts.
pub(super) fn add(server: &mut Server, program: &str, texts: &dyn Fn(&str) -> Option<String>) {
    let mut directory = program;
    let found = loop {
        directory = directory.rsplit_once('/').map_or("", |(above, _)| above);
        let found = in_directory(directory, texts);
        if !found.is_empty() || directory.is_empty() {
            break found;
        }
    };
    for package in found {
        if !server.requires.iter().any(|it| it.name == package.name) {
            server.requires.push(package);
        }
    }
}

/// Returns the packages that the lists of a directory name.
fn in_directory(directory: &str, texts: &dyn Fn(&str) -> Option<String>) -> Vec<ServerPackage> {
    let text = |name: &str| match directory {
        "" => texts(name),
        directory => texts(&format!("{directory}/{name}")),
    };
    let [npm, lines, project] = LISTS.map(|name| text(name).unwrap_or_default());
    let mut res = of_npm(&npm);
    let lines = lines
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines = lines.filter(|line| !line.starts_with('-'));
    res.extend(lines.filter_map(pypi_package));
    for package in of_project(&project) {
        if !res.iter().any(|it| it.name == package.name) {
            res.push(package);
        }
    }
    res
}

/// Returns the dependencies of a `pyproject.toml`.
fn of_project(text: &str) -> Vec<ServerPackage> {
    let root: toml::Table = text.parse().unwrap_or_default();
    let list = root.get("project").and_then(|it| it.get("dependencies"));
    let items = list.and_then(toml::Value::as_array).into_iter().flatten();
    items.filter_map(|it| pypi_package(it.as_str()?)).collect()
}

/// Returns the dependencies of a `package.json`.
fn of_npm(text: &str) -> Vec<ServerPackage> {
    let Some(root) = parse_json(text).0 else {
        return Vec::new();
    };
    let found = root
        .get("dependencies")
        .map_or(&[][..], Node::members)
        .iter();
    let found = found.filter_map(|member| {
        let range = member.value.as_str()?;
        let is_range = !range.contains(':') && !range.contains('/');
        is_range.then(|| ServerPackage {
            registry: "npm",
            name: member.key.clone(),
            range: Some(range.to_owned())
                .filter(|range| !matches!(range.as_str(), "" | "*" | "latest")),
        })
    });
    found.collect()
}
