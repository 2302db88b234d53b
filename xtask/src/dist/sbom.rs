//! A software bill of materials of the binaries, in `CycloneDX` 1.6, JSON.
//!
//! It contains no time and no random serial number (both are optional in `CycloneDX`), so the same
//! `Cargo.lock` gives the same bytes.

use serde_json::{Value, json};

use crate::packages::{self, Package, Packages};
use crate::spdx;

/// The bill for `packages`, the tools' graph on `target`, which ends up in the binaries `tools`.
pub(super) fn bill(packages: &Packages, target: &str, tools: &[String]) -> Value {
    let root = packages::root(packages).unwrap_or_default();
    let mut component = packages.get(root).map(component).unwrap_or_default();
    component["type"] = json!("application");
    component["properties"] = json!([
        {"name": "binaries", "value": tools.join(" ")},
        {"name": "target", "value": target},
    ]);
    let others = packages.iter().filter(|(key, _)| *key != root);
    let components: Vec<Value> = others
        .map(|(_, package)| self::component(package))
        .collect();
    let dependencies: Vec<Value> = packages.iter().map(edges).collect();
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component},
        "components": components,
        "dependencies": dependencies,
    })
}

fn component(package: &Package) -> Value {
    let key = format!("{}@{}", package.name, package.version);
    let mut res = json!({
        "type": "library",
        "bom-ref": key,
        "name": package.name,
        "version": package.version,
        "purl": format!("pkg:cargo/{key}"),
    });
    if !package.description.is_empty() {
        let words: Vec<&str> = package.description.split_whitespace().collect();
        res["description"] = json!(words.join(" "));
    }
    if !package.license.is_empty() {
        res["licenses"] = json!([{"expression": spdx::modern(&package.license)}]);
    }
    if !package.checksum.is_empty() {
        res["hashes"] = json!([{"alg": "SHA-256", "content": package.checksum}]);
    }
    if !package.repository.is_empty() {
        res["externalReferences"] = json!([{"type": "vcs", "url": package.repository}]);
    }
    res
}

fn edges((key, package): (&String, &Package)) -> Value {
    json!({"ref": key, "dependsOn": package.dependencies})
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::repo::{Repo, items};

    fn of_this_repository() -> (Packages, Value) {
        let repo = Repo::here().unwrap();
        let target = "x86_64-unknown-linux-gnu";
        let packages = packages::resolve(&repo, target).unwrap();
        let bill = bill(&packages, target, &["skills-read".to_owned()]);
        (packages, bill)
    }

    /// The fields that `CycloneDX` requires, and those that the NTIA's minimum elements ask for:
    /// name, version, identifier, and how packages depend on each other.
    #[test]
    fn every_package_of_this_repository_is_whole() {
        let (packages, bill) = of_this_repository();
        assert_eq!(bill["bomFormat"], "CycloneDX");
        assert_eq!(bill["specVersion"], "1.6");
        assert_eq!(items(&bill["components"]).count(), packages.len() - 1);
        let mut refs = BTreeSet::from([bill["metadata"]["component"]["bom-ref"].as_str().unwrap()]);
        for one in items(&bill["components"]) {
            for field in ["type", "name", "version", "bom-ref", "purl"] {
                let is_filled = one[field].as_str().is_some_and(|text| !text.is_empty());
                assert!(is_filled, "{field} of {one}");
            }
            assert!(one["licenses"][0]["expression"].is_string(), "{one}");
            let hash = one["hashes"][0]["content"].as_str();
            let is_ours = packages[one["bom-ref"].as_str().unwrap()].source.is_empty();
            let is_sha256 = hash.is_some_and(|hash| hash.len() == 64);
            assert!(is_ours || is_sha256, "{one}");
            let is_new = refs.insert(one["bom-ref"].as_str().unwrap());
            assert!(is_new, "{one} twice");
        }
        for edge in items(&bill["dependencies"]) {
            let ends = items(&edge["dependsOn"]).chain([&edge["ref"]]);
            for end in ends {
                assert!(refs.contains(end.as_str().unwrap()), "{end} is no package");
            }
        }
    }

    #[test]
    fn two_bills_are_the_same_bytes() {
        let [first, second] = [(); 2].map(|()| of_this_repository().1.to_string());
        assert_eq!(first, second);
        let root = Repo::here().unwrap().root().display().to_string();
        assert!(!first.contains(&root));
    }
}
