//! Environments made by npm and pip of packages in local directories. The registry is a server of this
//! test that knows no package.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "files are laid out, and programs run, as a user would"
)]

mod hostile;
mod python;
mod setting;

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;

use skill_environments::{Installed, Prepared, prune};

use crate::setting::{Setting, has_node, needs};

/// One package that the registry does not have costs only itself; a package that is there only
/// because another one depends on it is found as well.
#[test]
fn what_can_be_had_is_installed_and_the_rest_is_named() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    let inner = setting.package("inner", "");
    let outer = setting.package(
        "outer",
        &format!(", \"dependencies\": {{\"inner\": \"{inner}\"}}"),
    );
    let both = needs(&[("outer", &outer), ("gone-from-registry", "1.2.3")]);
    assert!(!setting.find(&both).missing.is_empty());
    let prepared = setting.prepare(&[("skill", &both)]);
    let missing = &prepared[0].missing;
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0].name, "gone-from-registry");
    assert!(
        missing[0].reason.contains("not in the registry"),
        "{missing:?}"
    );
    let installed = setting.find(&both);
    assert_eq!(&installed.missing, missing);
    let esm = "import outer from 'outer'; import inner from 'inner'; console.log(outer, inner);";
    assert_eq!(setting.node(&installed, "a.mjs", esm), "outer inner");
    let cjs = "console.log(require('outer'), require('inner'));";
    assert_eq!(setting.node(&installed, "a.cjs", cjs), "outer inner");
    assert!(!setting.path("skill").exists(), "the skill is not touched");
}

/// Skills whose packages are in the store need no registry.
#[test]
fn environments_share_what_they_have_in_common() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    setting.publish("a", "1.0.0", "");
    setting.publish("b", "1.0.0", "");
    let both = needs(&[("a", "^1.0.0"), ("b", "1.0.0")]);
    let one = needs(&[("a", "1.0.0")]);
    setting.prepare(&[("both", &both)]);
    fs::remove_dir_all(setting.path("registry")).unwrap();
    fs::remove_dir_all(setting.path("home/npm")).unwrap();
    let prepared = setting.prepare(&[("one", &one), ("same", &both)]);
    let is_whole = prepared.iter().all(|prepared| prepared.missing.is_empty());
    assert!(is_whole, "{prepared:?}");
    let (first, second) = (setting.find(&both), setting.find(&one));
    let file = |installed: &Installed, name: &str| {
        installed
            .node_modules
            .as_ref()
            .unwrap()
            .join(name)
            .join("main.js")
    };
    let inode = |path: &Path| fs::metadata(path).unwrap().ino();
    assert_eq!(inode(&file(&first, "a")), inode(&file(&second, "a")));
    assert!(!file(&second, "b").exists());
    // What no skill uses goes; what one uses stays.
    let keep = |dir: &Path| dir.ends_with("one").then(|| one.clone());
    let pruned = prune(&setting.store(), &keep).unwrap();
    assert_eq!((pruned.n_removed, pruned.n_kept), (1, 1));
    assert!(pruned.freed > 0);
    assert!(setting.find(&both).node_modules.is_none());
    assert_eq!(
        setting.node(&setting.find(&one), "a.cjs", "console.log(require('a'))"),
        "a 1.0.0"
    );
    prune(&setting.store(), &|_| None).unwrap();
    assert!(setting.find(&one).node_modules.is_none());
}

/// A native build would run here: the script writes a file that the module loads.
#[test]
fn install_scripts_run_only_if_the_user_names_the_package() {
    if !has_node() {
        return;
    }
    let mut setting = Setting::new();
    let script =
        r#", "scripts": {"install": "node -e \"require('fs').writeFileSync('built.js', '')\""}"#;
    let native = setting.package("native", script);
    let needs = needs(&[("native", &native)]);
    let built = |setting: &Setting| {
        let modules = setting.find(&needs).node_modules.unwrap();
        modules.join("native/built.js").exists()
    };
    let prepared = setting.prepare(&[("skill", &needs)]);
    // The name alone is that of the package in the registry, and an address can change its content.
    let exact = |prepared: &[Prepared]| {
        let [off] = &prepared[0].scripts_off[..] else {
            panic!("one script is off: {prepared:?}");
        };
        assert!(off.starts_with(&format!("native@{native}#")), "{off}");
        off.clone()
    };
    let first = exact(&prepared);
    assert!(!built(&setting));
    setting.settings.allow_scripts = vec!["native".to_owned(), format!("native@{native}")];
    let prepared = setting.prepare(&[("skill", &needs)]);
    assert_eq!(exact(&prepared), first);
    assert!(!built(&setting));
    setting.write("packages/native/main.js", "module.exports = 'changed';");
    setting.settings.allow_scripts = vec![first.clone()];
    let prepared = setting.prepare(&[("skill", &needs)]);
    let second = exact(&prepared);
    assert_ne!(second, first);
    assert!(!built(&setting));
    setting.settings.allow_scripts = vec![second];
    let prepared = setting.prepare(&[("skill", &needs)]);
    assert_eq!(prepared[0].scripts_off, [""; 0]);
    assert!(built(&setting));
}

/// `node-gyp` downloads the headers of Node.js unless a setting names their place.
#[test]
fn install_scripts_find_the_headers_of_node() {
    if !has_node() {
        return;
    }
    let mut setting = Setting::new();
    let prefix = setting.path("prefix");
    setting.write("prefix/include/node/node_version.h", "");
    fs::create_dir(prefix.join("bin")).unwrap();
    let path = setting.settings.environment["PATH"].clone();
    let real = std::env::split_paths(&path).map(|directory| directory.join("node"));
    let real = real.into_iter().find(|node| node.exists()).unwrap();
    // A copy, because the place of a link is where it leads.
    fs::copy(fs::canonicalize(real).unwrap(), prefix.join("bin/node")).unwrap();
    let path = format!("{}/bin:{path}", prefix.display());
    setting.settings.environment.insert("PATH".to_owned(), path);
    let script = r#", "scripts": {"install": "node -e \"require('fs').writeFileSync('seen', process.env.npm_config_nodedir)\""}"#;
    let native = setting.package("native", script);
    let needs = needs(&[("native", &native)]);
    let off = setting.prepare(&[("skill", &needs)])[0].scripts_off.clone();
    setting.settings.allow_scripts = off;
    setting.prepare(&[("skill", &needs)]);
    let modules = setting.find(&needs).node_modules.unwrap();
    let seen = fs::read_to_string(modules.join("native/seen")).unwrap();
    assert_eq!(seen, prefix.display().to_string());
}

/// npm leaves out an optional dependency for another version of Node.js; the old host used it.
#[test]
fn a_package_for_another_node_is_installed_with_the_rest() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    let new = setting.package("new", ", \"engines\": {\"node\": \">=99\"}");
    let needs = needs(&[("new", &new), ("gone-from-registry", "")]);
    let prepared = setting.prepare(&[("skill", &needs)]);
    let missing: Vec<&str> = prepared[0]
        .missing
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(missing, ["gone-from-registry"]);
    assert_eq!(
        setting.node(
            &setting.find(&needs),
            "a.cjs",
            "console.log(require('new'))"
        ),
        "new"
    );
}

/// Real locks lack the packages of other platforms, and `npm ci` refuses them. Versions are those that the
/// skill requires; its lock is not handed to npm.
#[test]
fn a_lock_that_npm_refuses_does_not_matter() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    setting.publish(
        "a",
        "1.0.0",
        ", \"optionalDependencies\": {\"other-system\": \"1.0.0\"}",
    );
    setting.publish("other-system", "1.0.0", ", \"os\": [\"haiku\"]");
    setting.write("skill/package.json", r#"{"dependencies": {"a": "^1.0.0"}}"#);
    setting.write(
        "skill/package-lock.json",
        r#"{"lockfileVersion": 3, "requires": true, "packages": {
            "": {"dependencies": {"a": "^1.0.0"}},
            "node_modules/a": {"version": "1.0.0", "resolved": "https://mirror.invalid/a/-/a-1.0.0.tgz", "optionalDependencies": {"other-system": "1.0.0"}}}}"#,
    );
    let refused = Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(setting.path("skill"))
        .envs(&setting.settings.environment)
        .output()
        .unwrap();
    assert!(!refused.status.success());
    let needs = needs(&[("a", "1.0.0")]);
    let prepared = setting.prepare(&[("skill", &needs)]);
    assert!(prepared[0].missing.is_empty(), "{prepared:?}");
    let code = "console.log(require('a'))";
    assert_eq!(
        setting.node(&setting.find(&needs), "a.cjs", code),
        "a 1.0.0"
    );
}

/// Maps of sources occupy much and serve only debuggers, as declarations serve only compilers; a file
/// that only has the name of one stays.
#[test]
fn what_no_program_loads_is_left_out() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    let address = setting.package("world", "");
    setting.write("packages/world/main.js.map", "{}");
    setting.write("packages/world/data/europe.map", "a map");
    setting.write("packages/world/main.d.ts", "export {}");
    setting.write("packages/world/types.d.ts", "export {}");
    let plain = needs(&[("world", &address)]);
    setting.prepare(&[("skill", &plain)]);
    let modules = setting.find(&plain).node_modules.unwrap();
    assert!(modules.join("world/main.js").exists());
    assert!(!modules.join("world/main.js.map").exists());
    assert!(!modules.join("world/main.d.ts").exists());
    assert!(modules.join("world/types.d.ts").exists());
    assert!(modules.join("world/data/europe.map").exists());
    let compiler = setting.package("typescript", "");
    let needs = needs(&[("world", &address), ("typescript", &compiler)]);
    setting.prepare(&[("compiled", &needs)]);
    let modules = setting.find(&needs).node_modules.unwrap();
    assert!(modules.join("world/main.d.ts").exists());
}

/// The store is complete or absent: a directory that a killed process left is not used.
#[test]
fn a_preparation_that_was_interrupted_is_made_again() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    let needs = needs(&[("a", &setting.package("a", ""))]);
    let key = needs.key(skill_environments::Ecosystem::Npm).unwrap();
    setting.write(
        &format!("state/environments/npm/{key}-0/node_modules/a/half.js"),
        "half",
    );
    setting.write(&format!("state/environments/unfinished/npm-{key}-0"), "");
    assert!(setting.find(&needs).node_modules.is_none());
    setting.prepare(&[("skill", &needs)]);
    let half = setting.path(&format!(
        "state/environments/npm/{key}-0/node_modules/a/half.js"
    ));
    assert!(!half.exists(), "what was left is removed");
    let marks = fs::read_dir(setting.path("state/environments/unfinished")).unwrap();
    assert_eq!(marks.count(), 0);
    assert_eq!(
        setting.node(&setting.find(&needs), "x.cjs", "console.log(require('a'))"),
        "a"
    );
}
