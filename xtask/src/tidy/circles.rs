//! Files of a crate import downwards. Circles that are still there are listed in
//! `[workspace.metadata.circles]` of `Cargo.toml`; the list only shrinks.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde_json::Value;

use crate::module_graph::{self, Graph};
use crate::repo::{Repo, items};

const TABLE: &str = "[workspace.metadata.circles] in Cargo.toml";

/// A crate and the modules of one circle, as listed.
type Circle = (String, Vec<String>);

/// A circle in the code.
struct Found {
    package: String,
    modules: Vec<String>,
    /// The shortest way from one of them back to itself.
    round: Vec<String>,
}

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (package, graph) in graphs(repo)? {
        let circles = module_graph::circles(&graph).into_iter();
        found.extend(circles.map(|modules| Found {
            round: module_graph::shortest(&graph, &modules),
            package: package.clone(),
            modules,
        }));
    }
    Ok(problems(&found, &listed(&repo.metadata()?)))
}

/// Prints the imports that circles are made of, for all crates or those that are named.
pub(crate) fn run(repo: &Repo, packages: &[String]) -> Result<()> {
    for (package, graph) in graphs(repo)? {
        if !packages.is_empty() && !packages.contains(&package) {
            continue;
        }
        for circle in module_graph::circles(&graph) {
            println!("{package}: {}", circle.join(", "));
            for from in &circle {
                let inside = graph[from].iter().filter(|to| circle.contains(to));
                println!(
                    "   {from} -> {}",
                    inside.cloned().collect::<Vec<_>>().join(", ")
                );
            }
        }
    }
    Ok(())
}

fn graphs(repo: &Repo) -> Result<BTreeMap<String, Graph>> {
    let mut res = BTreeMap::new();
    for manifest in repo.files("crates", "Cargo.toml")? {
        let Some(root) = manifest.strip_suffix("/Cargo.toml") else {
            continue;
        };
        let directory = format!("{root}/src/");
        let mut files = Vec::new();
        for path in repo.files(&directory, ".rs")? {
            let text = repo.read(&path)?;
            files.push((path.trim_start_matches(&directory).to_owned(), text));
        }
        let package = root.trim_start_matches("crates/").to_owned();
        res.insert(package, module_graph::of_crate(&files));
    }
    Ok(res)
}

fn listed(metadata: &Value) -> BTreeSet<Circle> {
    let table = metadata["metadata"]["circles"].as_object();
    let rows = table.into_iter().flatten().flat_map(|(package, circles)| {
        items(circles).map(|circle| {
            let modules = items(circle).filter_map(Value::as_str);
            (package.clone(), modules.map(str::to_owned).collect())
        })
    });
    rows.collect()
}

fn problems(found: &[Found], listed: &BTreeSet<Circle>) -> Vec<String> {
    let is_listed = |it: &&Found| {
        let mut circles = listed.iter().filter(|(package, _)| *package == it.package);
        circles.any(|(_, modules)| it.modules.iter().all(|module| modules.contains(module)))
    };
    let new = found.iter().filter(|it| !is_listed(it)).map(|it| {
        format!(
            "{}: files import each other: {}; move what they share into a file that both import \
             (`cargo xtask circles {}` shows the imports)",
            it.package,
            it.round.join(" -> "),
            it.package
        )
    });
    let is_gone = |package: &String, module: &String| {
        let mut circles = found.iter().filter(|it| it.package == *package);
        !circles.any(|it| it.modules.contains(module))
    };
    let gone = listed.iter().flat_map(|(package, modules)| {
        let modules = modules.iter().filter(|module| is_gone(package, module));
        modules.map(move |module| {
            format!("{package}: `{module}` is in a circle no longer; take it off {TABLE}")
        })
    });
    new.chain(gone).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(found: &[&str], expected: &[&str]) {
        let metadata = json!({"metadata": {"circles": {"a": [["x", "y", "z"]]}}});
        let modules: Vec<String> = found.iter().map(|&it| it.to_owned()).collect();
        let found = Found {
            package: "a".to_owned(),
            round: modules.clone(),
            modules,
        };
        assert_eq!(problems(&[found], &listed(&metadata)), expected);
    }

    #[test]
    fn a_listed_circle_is_fine() {
        check(&["x", "y", "z"], &[]);
    }

    #[test]
    fn the_list_shrinks_with_the_circle() {
        check(
            &["x", "z"],
            &[
                "a: `y` is in a circle no longer; take it off [workspace.metadata.circles] in Cargo.toml",
            ],
        );
    }

    #[test]
    fn a_new_circle_is_named() {
        check(
            &["x", "y", "z", "w"],
            &[
                "a: files import each other: x -> y -> z -> w; move what they share into a file \
               that both import (`cargo xtask circles a` shows the imports)",
            ],
        );
    }
}
