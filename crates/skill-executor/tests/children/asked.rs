//! The approvals of a user: for skills, and for secrets of the environment.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use serde_json::{Value, json};
use skill_executor::approval;
use skill_executor::call::Options;
use skill_executor::environment::HostEnvironment;
use skill_executor::package::SkillPackage;

use crate::world::{World, shown};

const ASKS: &str = "type: direct\ntransport: stdio-json\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n\
    permissions: {network: none, filesystem: skill, admin: false, approval: required}\n";
/// Does with its state what its input says.
const LEAVES: &str = "case $(cat) in\n\
    *module*) echo 'raise' > json.py;;\n\
    *itself*) printf '\\n# more\\n' >> main;;\n\
    *packages*) mkdir -p node_modules/x; echo 1 > node_modules/x/index.js;;\n\
    *home*) mkdir -p $HOME/.local/lib; echo 1 > $HOME/.local/lib/sitecustomize.py;;\n\
    *shell*) echo 'x=1' > $HOME/.zshenv;;\n\
    *statistics*) echo 'q()' > .Rprofile;;\n\
    *versions*) mkdir -p $HOME/.config/git; echo '[core]' > $HOME/.config/git/config;;\n\
    *program*) echo x > tool; chmod +x tool;;\n\
    *script*) echo '#!/bin/sh' > tool;;\n\
    *link*) ln -s /elsewhere lib;;\n\
    *data*) echo '{}' > data.json; echo x > notes.txt; mkdir -p cache; echo x > $HOME/history;;\n\
    *digest*) d=$(sha256sum main); d=sha256:${d%% *}; mv main $d; ln -s $d main;;\n\
    *unmarked*) chmod -x main; printf '\\n# more\\n' >> main;;\n\
    *temporary*) echo 1 > $TMPDIR/x.py;;\n\
    esac\n\
    echo '{\"status\":\"success\",\"result\":[1]}'";

fn skill(world: &World) -> SkillPackage {
    SkillPackage::read(&world.dir.path().join("skill")).unwrap()
}

fn approve(world: &World) {
    approval::store(&skill(world), &world.host.state).unwrap();
}

fn is_approved(world: &World) -> bool {
    approval::is_stored(&skill(world), &world.host.state)
}

/// Row 19: an approval is for every bit of the package.
#[test]
fn an_approval_ends_when_the_skill_changes() {
    type Change = fn(&Path);
    let deep = |dir: &Path| dir.join("scripts").join("d/".repeat(100));
    let changes: [(&str, Change, Change); 7] = [
        (
            "bytes",
            |_| (),
            |dir| fs::write(dir.join("scripts/main"), "true").unwrap(),
        ),
        (
            "a file 100 directories deep",
            |dir| {
                let deep = dir.join("scripts").join("d/".repeat(100));
                fs::create_dir_all(&deep).unwrap();
                fs::write(deep.join("x"), "1").unwrap();
            },
            |dir| {
                fs::write(dir.join("scripts").join("d/".repeat(100)).join("x"), "2").unwrap();
            },
        ),
        (
            "where a link leads",
            |dir| symlink("one", dir.join("scripts/link")).unwrap(),
            |dir| {
                fs::remove_file(dir.join("scripts/link")).unwrap();
                symlink("two", dir.join("scripts/link")).unwrap();
            },
        ),
        (
            "an executable bit",
            |dir| fs::write(dir.join("scripts/tool"), "x").unwrap(),
            |dir| {
                let mode = fs::Permissions::from_mode(0o755);
                fs::set_permissions(dir.join("scripts/tool"), mode).unwrap();
            },
        ),
        (
            "a directory",
            |_| (),
            |dir| fs::create_dir(dir.join("scripts/new")).unwrap(),
        ),
        (
            "permissions",
            |_| (),
            |dir| {
                let path = dir.join("METADATA.yml");
                let text = fs::read_to_string(&path).unwrap();
                fs::write(path, text.replace("filesystem: skill", "filesystem: any")).unwrap();
            },
        ),
        (
            "a file of another place",
            |_| (),
            |dir| fs::write(dir.join("other.txt"), "x").unwrap(),
        ),
    ];
    for (what, before, after) in changes {
        let world = World::new(ASKS, &[("main", LEAVES)]);
        let dir = world.dir.path().join("skill");
        before(&dir);
        approve(&world);
        assert_eq!(world.answer(&Value::Null, ""), json!([1]), "{what}");
        assert_eq!(world.answer(&Value::Null, ""), json!([1]), "{what}");
        after(&dir);
        assert!(!is_approved(&world), "{what}");
        let refused = world.answer(&Value::Null, "").to_string();
        assert!(
            refused.contains("has changed since it was approved"),
            "{what}: {refused}"
        );
    }
    // What cannot be looked at whole cannot be approved.
    let world = World::new(ASKS, &[("main", LEAVES)]);
    let deep = deep(&world.dir.path().join("skill")).join("d/".repeat(200));
    fs::create_dir_all(deep).unwrap();
    let failure = approval::store(&skill(&world), &world.host.state).unwrap_err();
    assert!(
        failure.message.contains("256 directories deep"),
        "{}",
        failure.message
    );
}

/// METADATA.yml of one skill names another: neither has the other's yes, or takes it away.
#[test]
fn an_approval_is_for_one_directory() {
    let world = World::new(ASKS, &[("main", "true")]);
    let namesake = world.dir.path().join("namesake");
    fs::create_dir(&namesake).unwrap();
    for file in ["METADATA.yml", "scripts"] {
        let from = world.dir.path().join("skill").join(file);
        let to = namesake.join(file);
        if from.is_dir() {
            fs::create_dir(&to).unwrap();
            fs::copy(from.join("main"), to.join("main")).unwrap();
        } else {
            fs::copy(from, to).unwrap();
        }
    }
    let namesake = SkillPackage::read(&namesake).unwrap();
    let state = &world.host.state;
    approve(&world);
    assert!(!approval::is_stored(&namesake, state));
    approval::store(&namesake, state).unwrap();
    assert!(is_approved(&world));
    assert!(approval::forget(&namesake, state).unwrap());
    assert!(is_approved(&world));
    // What a version before this one kept under the name.
    let digest = approval::digest(&namesake, state).unwrap();
    let old = json!({ namesake.metadata.name.as_str(): digest }).to_string();
    fs::write(state.path("approvals/approvals.json"), old).unwrap();
    assert!(!approval::is_stored(&namesake, state) && !is_approved(&world));
}

/// Row 19: code that a call leaves where the next one runs is not what was approved.
#[test]
fn an_approval_ends_when_a_call_leaves_code() {
    for (what, named) in [
        ("module", Some("json.py")),
        ("itself", Some("main")),
        ("packages", Some("node_modules/x/index.js")),
        ("home", Some("sitecustomize.py")),
        ("shell", Some(".zshenv")),
        ("statistics", Some(".Rprofile")),
        ("versions", Some(".config/git/config")),
        ("program", Some("tool")),
        ("script", Some("tool")),
        ("link", Some("lib")),
        ("digest", Some("main")),
        ("unmarked", Some("main")),
        ("data", None),
        ("temporary", None),
    ] {
        // The program is marked as one, so that its copy is code by its bit.
        let world = World::new(ASKS, &[("main", LEAVES)]);
        approve(&world);
        let input = json!({"do": what});
        assert_eq!(world.answer(&input, ""), json!([1]), "{what}");
        let answer = world.answer(&json!({"do": "nothing"}), "");
        match named {
            None => assert_eq!(answer, json!([1]), "{what}"),
            Some(name) => {
                let answer = answer.to_string();
                let is_told =
                    answer.contains("code that is not in the skill") && answer.contains(name);
                assert!(is_told, "{what}: {answer}");
            }
        }
        // A new approval is for what is there now.
        approve(&world);
        assert_eq!(
            world.answer(&json!({"do": "nothing"}), ""),
            json!([1]),
            "{what}"
        );
    }
}

/// State of an older version becomes the skill's own before the approval, not after it.
#[test]
fn an_approval_is_for_state_that_is_taken_over() {
    let world = World::new(
        ASKS,
        &[("main", "echo '{\"status\":\"success\",\"result\":[1]}'")],
    );
    let skill = skill(&world);
    let state = world.host.state.path("");
    let name = skill.legacy_directory();
    let old = state.join("legacy/Plugin").join(name);
    fs::create_dir_all(&old).unwrap();
    fs::write(
        old.join("main"),
        "echo '{\"status\":\"success\",\"result\":[2]}'",
    )
    .unwrap();
    let from = skill.dir.join("scripts");
    let record = json!({"from": from, "files": {"main": "1:1:false"}});
    fs::create_dir_all(state.join("views")).unwrap();
    fs::write(state.join(format!("views/{name}.json")), record.to_string()).unwrap();
    let denied = world.answer(&Value::Null, "").to_string();
    assert!(denied.contains("code that is not in the skill"), "{denied}");
    let left = approval::store(&skill, &world.host.state).unwrap();
    assert!(left[0].ends_with("/main"), "{left:?}");
}

/// Row 21: naming a secret of the caller is not enough to get it.
#[test]
fn secrets_of_the_caller_are_asked_for_by_name() {
    let metadata = "type: direct\ntransport: stdio-json\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n\
        config: {schema: {properties: {AWS_SECRET_ACCESS_KEY: {type: string}, CITY: {type: string}}}, undeclared: [OPENAI_API_KEY]}\n\
        permissions: {network: none, filesystem: skill, environment: [SSH_AUTH_SOCK, LD_PRELOAD, OPENAI_API_KEY], admin: false, approval: none}\n";
    let main = "printf '{\"status\":\"success\",\"result\":[\"%s\",\"%s\",\"%s\",\"%s\",\"%s\"]}' \
        \"$AWS_SECRET_ACCESS_KEY\" \"$SSH_AUTH_SOCK\" \"$OPENAI_API_KEY\" \"$LD_PRELOAD\" \"$CITY\"";
    let names = ["AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK"];
    let denied = |names: &[&str]| {
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        json!(format!(
            "denied: skill `child` declares {}, set in your environment, which may be secrets and no skill gets unasked: allow each by `--allow-env NAME`, or give values (empty for none) in the file of `--config` or with `skills-run configure`",
            names.join(", ")
        ))
    };
    for (allowed, config, answer, withheld) in [
        (&[][..], "", denied(&names), "LD_PRELOAD`, `OPENAI_API_KEY"),
        (
            &names[..1],
            "",
            denied(&names[1..]),
            "LD_PRELOAD`, `OPENAI_API_KEY",
        ),
        (
            &names[..],
            "",
            json!(["aws", "ssh", "", "", "Oslo"]),
            "LD_PRELOAD`, `OPENAI_API_KEY",
        ),
        (
            &["SSH_AUTH_SOCK", "OPENAI_API_KEY", "LD_PRELOAD"][..],
            "AWS_SECRET_ACCESS_KEY=mine",
            json!(["mine", "ssh", "openai", "", "Oslo"]),
            "LD_PRELOAD",
        ),
        (
            &["SSH_AUTH_SOCK"][..],
            "AWS_SECRET_ACCESS_KEY=",
            json!(["", "ssh", "", "", "Oslo"]),
            "LD_PRELOAD`, `OPENAI_API_KEY",
        ),
    ] {
        let mut world = World::new(metadata, &[("main", main)]);
        let own = [
            ("AWS_SECRET_ACCESS_KEY", "aws"),
            ("SSH_AUTH_SOCK", "ssh"),
            ("OPENAI_API_KEY", "openai"),
            ("LD_PRELOAD", "/nowhere/x.so"),
            ("CITY", "Oslo"),
        ];
        let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut all = world.host.environment.clone().into_given();
        all.extend(own);
        let allowed: Vec<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
        world.host.environment = HostEnvironment::from_caller(all, &allowed);
        let envelope = world.call(&Value::Null, config, &Options::default());
        let warnings = envelope.to_value()["warnings"].clone();
        assert_eq!(warnings[0]["code"], "environment-withheld", "{allowed:?}");
        let told = format!("withheld from `child`: `{withheld}`;");
        let message = warnings[0]["message"].as_str().unwrap();
        assert!(message.starts_with(&told), "{message}");
        assert_eq!(shown(envelope), answer, "{allowed:?} {config}");
    }
}
