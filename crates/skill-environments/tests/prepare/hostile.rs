//! Skills that choose their requirements to reach files of the user or code of other skills.

use std::error::Error as _;
use std::fs;
use std::os::unix::fs::symlink;

use skill_environments::{Prepared, Request, Source, prepare};

use crate::setting::{Setting, has_node, needs};

fn missing(prepared: &Prepared) -> Vec<&str> {
    let missing = prepared.missing.iter();
    missing.map(|one| one.name.as_str()).collect()
}

/// A skill chooses its requirements: none of them may be an option, or lead to files of the user.
#[test]
fn a_hostile_requirement_reaches_nothing() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    setting.write(
        "secret/package.json",
        r#"{"name": "secret", "version": "1.0.0"}"#,
    );
    setting.write("secret/key.js", "the key");
    let secret = format!("file:{}", setting.path("secret").display());
    let vendored = setting.package(
        "vendored",
        &format!(", \"dependencies\": {{\"inner-secret\": \"{secret}\"}}"),
    );
    let planted = setting.path("planted");
    let option = format!("--prefix={}", planted.display());
    let mut needs = needs(&[
        ("vendored", &vendored),
        ("secret", &secret),
        ("../../secret", ""),
        (&option, ""),
        ("gone", "git+file:///etc"),
    ]);
    needs.npm.get_mut("secret").unwrap().source = Source::Address(setting.path("skill"));
    let prepared = setting.prepare(&[("skill", &needs)]);
    let missing: Vec<&str> = prepared[0]
        .missing
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(
        missing,
        [
            "inner-secret",
            option.as_str(),
            "../../secret",
            "gone",
            "secret"
        ],
        "{prepared:?}"
    );
    assert!(!planted.exists());
    let modules = setting.find(&needs).node_modules.unwrap();
    let names: Vec<String> = fs::read_dir(modules)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.'))
        .collect();
    assert_eq!(names, ["vendored"]);
}

/// A package in a skill or under another name says of itself which name and version it has.
#[test]
fn a_package_of_one_skill_serves_no_other() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    setting.publish("victim", "1.0.0", "");
    setting.publish("evil", "1.0.0", "");
    let fake = setting.package("victim", "");
    let vendored = needs(&[("victim", &fake)]);
    let alias = needs(&[("victim", "npm:evil@1.0.0")]);
    for range in ["1.0.0", "", "^1.0.0"] {
        let plain = needs(&[("victim", range)]);
        let all = [("a", &vendored), ("b", &alias), ("c", &plain)];
        let prepared = setting.prepare(&all);
        let is_whole = prepared.iter().all(|one| one.missing.is_empty());
        assert!(is_whole, "{prepared:?}");
        for (needs, expected) in [
            (&plain, "victim 1.0.0"),
            (&alias, "evil 1.0.0"),
            (&vendored, "victim"),
        ] {
            let code = "console.log(require('victim'))";
            let found = setting.node(&setting.find(needs), "a.cjs", code);
            assert_eq!(found, expected, "{range}");
        }
    }
}

/// npm copies what links in a package lead to.
#[test]
fn a_vendored_package_has_no_links_out_of_its_skill() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    setting.write("secret/key.js", "the key");
    let outer = setting.package(
        "outer",
        ", \"bundleDependencies\": [\"secret\"], \"dependencies\": {\"secret\": \"*\"}",
    );
    let modules = setting.path("packages/outer/node_modules");
    fs::create_dir(&modules).unwrap();
    symlink(setting.path("secret"), modules.join("secret")).unwrap();
    let inner = setting.package("inner", "");
    let needs = needs(&[("outer", &outer), ("inner", &inner)]);
    let prepared = setting.prepare(&[("skill", &needs)]);
    assert_eq!(missing(&prepared[0]), ["outer"]);
    let reason = &prepared[0].missing[0].reason;
    assert!(
        reason.contains("outer/node_modules/secret is a link"),
        "{reason}"
    );
    let installed = setting.find(&needs).node_modules.unwrap();
    assert!(!installed.join("outer").exists());
}

/// A requirement that npm does not understand costs one package, not all skills.
#[test]
fn one_bad_range_does_not_stop_the_others() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    setting.publish("a", "1.0.0", "");
    let bad = needs(&[("a", "^^ foo | bar"), ("evil", "evil.tgz"), ("dots", "..")]);
    let good = needs(&[("a", "1.0.0")]);
    // The registry has no such version: npm fails.
    let gone = needs(&[("a", "99.0.0")]);
    let all = [("bad", &bad), ("good", &good), ("gone", &gone)];
    let prepared = setting.prepare(&all);
    let found: Vec<Vec<&str>> = prepared.iter().map(missing).collect();
    assert_eq!(found, [vec!["a", "dots", "evil"], vec![], vec!["a"]]);
    let reason = &prepared[0].missing[0].reason;
    let file = setting.path("bad/METADATA.yml").display().to_string();
    assert!(reason.contains(&file), "{reason}");
}

/// A package that the registry did not have before is installed as soon as it does.
#[test]
fn what_is_missing_is_tried_again() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    setting.publish("a", "1.0.0", "");
    let both = needs(&[("a", "1.0.0"), ("late", "1.0.0")]);
    let prepared = setting.prepare(&[("skill", &both)]);
    assert_eq!(missing(&prepared[0]), ["late"]);
    let before = setting.find(&both).node_modules;
    // Without a change, the environment stays the same.
    setting.prepare(&[("skill", &both)]);
    assert_eq!(setting.find(&both).node_modules, before);
    setting.publish("late", "1.0.0", "");
    let prepared = setting.prepare(&[("skill", &both)]);
    assert_eq!(missing(&prepared[0]), [""; 0]);
    let code = "console.log(require('late'))";
    let found = setting.node(&setting.find(&both), "a.cjs", code);
    assert_eq!(found, "late 1.0.0");
}

/// Only the user can put a link there, or a program that writes to the state of others.
#[test]
fn a_store_that_is_a_link_is_refused() {
    let setting = Setting::new();
    fs::create_dir(setting.path("elsewhere")).unwrap();
    fs::create_dir(setting.path("state")).unwrap();
    let link = setting.path("state/environments");
    symlink(setting.path("elsewhere"), &link).unwrap();
    let request = Request {
        name: "skill".to_owned(),
        dir: setting.path("skill"),
        needs: needs(&[("a", "1.0.0")]),
    };
    let found = prepare(&setting.store(), &[request], &setting.settings, &mut |_| {});
    let error = found.unwrap_err();
    let text = error.to_string();
    assert!(text.contains(&link.display().to_string()), "{text}");
    let cause = error.source().unwrap().to_string();
    assert!(cause.contains("symbolic link"), "{cause}");
    assert!(
        fs::read_dir(setting.path("elsewhere"))
            .unwrap()
            .next()
            .is_none()
    );
}

/// Programs of packages come first on the PATH of an install script: a package that may run none
/// would run instead of `node`.
#[test]
fn no_package_replaces_the_programs_of_an_install_script() {
    if !has_node() {
        return;
    }
    let mut setting = Setting::new();
    let script =
        r#", "scripts": {"install": "node -e \"require('fs').writeFileSync('built.js', '')\""}"#;
    let native = setting.package("native", script);
    let evil = setting.package(
        "evil",
        r#", "bin": {"node": "./main.js", "evil": "./main.js"}"#,
    );
    let needs = needs(&[("native", &native), ("evil", &evil)]);
    let prepared = setting.prepare(&[("skill", &needs)]);
    setting
        .settings
        .allow_scripts
        .clone_from(&prepared[0].scripts_off);
    setting.prepare(&[("skill", &needs)]);
    let modules = setting.find(&needs).node_modules.unwrap();
    assert!(modules.join("native/built.js").exists());
}
