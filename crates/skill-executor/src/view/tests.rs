//! The state that skills leave behind, and its visibility to others.
#![expect(
    clippy::disallowed_methods,
    reason = "what programs do to the state must be done by other means"
)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::Value;
use skill_loader::fs::resolve;
use tempfile::TempDir;

use super::*;
use crate::call::{Host, Options, StateFrom};
use crate::config::{Given, resolve as resolved};
use crate::envelope::Failure;
use crate::sandbox::Sandbox;
use crate::zone::Zone;

mod exchange;
mod neighbours;

/// Skills in trees, and one state.
struct World {
    dir: TempDir,
    host: Host,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let host = Host {
            environment: BTreeMap::new().into(),
            state: State::open(&dir.path().join("state")).unwrap(),
            allow_shell: false,
            strict: false,
            sandbox: Sandbox::off(),
            zone: Zone::utc(),
            loaders: BTreeMap::new(),
            fixed_ms: None,
        };
        Self { dir, host }
    }

    /// Writes a skill at `path`, which was the plugin in `directory`.
    fn skill(&self, path: &str, directory: &str, more: &str) {
        let name = path.rsplit('/').next().unwrap();
        let metadata = format!(
            "schema: 1\nname: {name}\nversion: '1'\nenabled: true\nrunnable: true\ntype: direct\n\
             entry: {{runtime: native, argv: [x], dir: scripts}}\nlegacy:\n  host: vcp-main\n  name: X\n  \
             directory: {directory}\n  plugin_type: synchronous\n{more}"
        );
        self.write(&format!("{path}/METADATA.yml"), &metadata);
        self.write(&format!("{path}/scripts/main"), "1");
    }

    /// A skill of this name, whose program is its version.
    fn version(&self, path: &str, name: &str, directory: &str, version: &str, requires: &str) {
        self.skill(path, directory, "");
        let metadata = text(self.dir.path().join(path).join("METADATA.yml"));
        let last = path.rsplit('/').next().unwrap();
        let metadata = metadata
            .replace(&format!("name: {last}\n"), &format!("name: {name}\n"))
            .replace("version: '1'", &format!("version: '{version}'"));
        let requires = match requires {
            "" => String::new(),
            requires => format!("requires: {{skills: ['{requires}']}}\n"),
        };
        self.write(&format!("{path}/METADATA.yml"), &(metadata + &requires));
        self.write(&format!("{path}/scripts/main"), version);
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn prepare(&self, path: &str) -> View {
        self.with(path, None, StateFrom::Undecided)
    }

    fn with(&self, path: &str, file: Option<&str>, state_from: StateFrom) -> View {
        self.attempt(path, file, state_from).unwrap()
    }

    fn attempt(
        &self,
        path: &str,
        file: Option<&str>,
        state_from: StateFrom,
    ) -> Result<View, Failure> {
        let skill = self.package(path);
        let given = Given {
            file,
            ..Given::default()
        };
        let options = Options {
            state_from,
            ..Options::default()
        };
        View::prepare(&Call {
            skill: &skill,
            command: None,
            input: &Value::Null,
            config: &resolved(
                &skill.metadata,
                skill.manifest.as_ref(),
                given,
                &self.host.environment,
            ),
            options: &options,
            host: &self.host,
            others: None,
        })
    }

    fn package(&self, path: &str) -> SkillPackage {
        SkillPackage::read(&self.dir.path().join(path)).unwrap()
    }

    /// Returns the codes of the warnings of the last preparation.
    fn notes(&self, path: &str) -> Vec<&'static str> {
        let dir = resolve(&self.dir.path().join(path)).unwrap();
        let notes = self.host.state.notes(&dir);
        notes.iter().map(|note| note.code).collect()
    }

    fn state(&self, path: &str) -> PathBuf {
        self.host.state.path(path)
    }
}

/// Returns the content of all files in a directory, by path; the target of a link.
fn files(dir: &std::path::Path) -> BTreeMap<PathBuf, String> {
    let mut res = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match fs::symlink_metadata(&path).unwrap() {
            found if found.is_dir() => res.extend(files(&path)),
            found if found.is_symlink() => {
                let target = fs::read_link(&path).unwrap();
                res.insert(path, target.to_string_lossy().into_owned());
            }
            _ => {
                let content = text(&path);
                res.insert(path, content);
            }
        }
    }
    res
}

fn text(path: impl AsRef<std::path::Path>) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| error.kind().to_string())
}

/// Whatever METADATA.yml says, two skills have nothing in common.
#[track_caller]
fn check_apart(a: (&str, &str, &str), b: (&str, &str, &str), notes: &[&str]) {
    let world = World::new();
    world.skill(a.0, a.1, a.2);
    world.skill(b.0, b.1, b.2);
    let first = world.prepare(a.0);
    fs::write(first.plugin.join("sent.log"), "private").unwrap();
    let second = world.prepare(b.0);
    for (one, other) in [(&first.base, &second.base), (&first.home, &second.home)] {
        assert!(!one.starts_with(other) && !other.starts_with(one));
    }
    assert_eq!(text(second.plugin.join("sent.log")), "entity not found");
    assert_eq!(world.notes(b.0), notes);
    // The next time as well, in any order.
    assert_eq!((world.prepare(b.0), world.prepare(a.0)), (second, first));
}

#[test]
fn one_skill_one_state() {
    let none = "";
    check_apart(("s/mail", "Mail", none), ("s/evil", "Mail", none), &[]);
    check_apart(
        ("s/mail", "Mail", none),
        ("s/evil", "'../../home'", none),
        &[],
    );
    check_apart(("s/mail", "mail", none), ("s/evil", "evil", none), &[]);
    let taken = ["state-of-another"];
    check_apart(("a/mail", "Mail", none), ("b/mail", "Mail", none), &taken);
}

/// The name in METADATA.yml is the skill's choice, its directory the user's.
#[test]
fn a_name_gives_nothing() {
    let world = World::new();
    world.skill("s/mail", "Mail", "");
    world.skill("s/evil", "Evil", "");
    let metadata = text(world.dir.path().join("s/evil/METADATA.yml"));
    for name in ["mail", "../../x"] {
        let renamed = metadata.replace("name: evil", &format!("name: '{name}'"));
        world.write("s/evil/METADATA.yml", &renamed);
        let view = world.prepare("s/evil");
        assert_eq!(view.home, world.state("skills/evil/home"));
        assert_eq!(view.base, world.state("skills/evil/base"));
    }
    assert_eq!(
        world.prepare("s/mail").home,
        world.state("skills/mail/home")
    );
}

/// The place for a second skill of a name is not to be had by calling a skill like that.
#[test]
fn a_place_belongs_to_its_owner() {
    let world = World::new();
    world.skill("a/mail", "Mail", "");
    world.skill("b/mail", "Mail", "");
    world.prepare("a/mail");
    let second = world.prepare("b/mail");
    let key = second.home.parent().unwrap().file_name().unwrap();
    let squatter = format!("c/{}", key.to_str().unwrap());
    world.skill(&squatter, "Mail", "");
    let view = world.prepare(&squatter);
    assert_ne!(view.home, second.home);
    assert_eq!(bytes(&world.package("b/mail"), &world.host.state), 1);
}

/// Another author's plugin in the place of the one that was there.
#[test]
fn another_plugin_has_another_state() {
    let world = World::new();
    let skill = |author: &str| world.skill("s/mail", "Mail", author);
    skill("author: Ann\n");
    let first = world.prepare("s/mail");
    fs::write(first.plugin.join("sent.log"), "private").unwrap();
    for author in ["author: Bob\n", "", "author: Eve\n"] {
        skill(author);
        let other = world.prepare("s/mail");
        assert_eq!(text(other.plugin.join("sent.log")), "entity not found");
        assert_eq!(world.notes("s/mail"), ["state-of-another"], "{author}");
        assert_eq!(world.prepare("s/mail"), other);
    }
    skill("author: ' Ann '\n");
    assert_eq!(world.prepare("s/mail"), first);
    assert_eq!(world.notes("s/mail"), Vec::<&str>::new());
    // The user decides that it is the same plugin.
    skill("author: Ann and Bob\n");
    fs::remove_file(world.state("owners/mail.json")).unwrap();
    assert_eq!(world.prepare("s/mail"), first);
    // A record of a version that did not know the plugin is completed by the next call.
    let dir = resolve(&world.dir.path().join("s/mail")).unwrap();
    let record = serde_json::json!({"dir": dir}).to_string();
    world.write("state/owners/mail.json", &record);
    assert_eq!(world.prepare("s/mail"), first);
    skill("author: Bob\n");
    assert_ne!(world.prepare("s/mail"), first);
}

#[test]
fn shared_directories_are_granted() {
    let world = World::new();
    world.skill("s/own", "Own", "");
    world.skill("s/a", "A", "permissions: {shared: [dailynote]}\n");
    world.skill("s/b", "B", "permissions: {shared: [dailynote, image]}\n");
    let own = world.prepare("s/own");
    let (a, b) = (world.prepare("s/a"), world.prepare("s/b"));
    assert_eq!(own.shared, Vec::<PathBuf>::new());
    assert_eq!(a.shared, [world.state("legacy/dailynote")]);
    assert_eq!(b.shared.len(), 2);
    fs::write(a.base.join("dailynote/n"), "note").unwrap();
    assert_eq!(text(b.base.join("dailynote/n")), "note");
    assert_eq!(text(own.base.join("dailynote/n")), "entity not found");
}

/// A skill that replaces what the host laid out breaks it for itself alone, or not at all.
#[test]
fn what_a_skill_replaces() {
    let world = World::new();
    let outside = world.dir.path().join("outside");
    fs::create_dir(&outside).unwrap();
    world.skill("s/a", "A", "permissions: {shared: [dailynote]}\n");
    world.skill("s/b", "B", "permissions: {shared: [dailynote]}\n");
    let a = world.prepare("s/a");
    let replace = |name: &str| {
        let at = a.base.join(name);
        let gone = fs::remove_file(&at).or_else(|_| fs::remove_dir(&at));
        gone.unwrap();
        at
    };
    for name in ["dailynote", "image"] {
        symlink(&outside, replace(name)).unwrap();
    }
    assert_eq!(world.prepare("s/a"), a);
    assert_eq!(world.notes("s/a"), Vec::<&str>::new(), "repaired");
    assert_eq!(
        fs::read_link(a.base.join("dailynote")).unwrap(),
        PathBuf::from("../../../legacy/dailynote")
    );
    assert!(fs::symlink_metadata(a.base.join("image")).unwrap().is_dir());
    for name in ["dailynote", "image"] {
        fs::write(replace(name), "mine").unwrap();
    }
    world.prepare("s/a");
    assert_eq!(world.notes("s/a"), ["state-in-the-way"; 2]);
    world.prepare("s/b");
    assert_eq!(world.notes("s/b"), Vec::<&str>::new());
    assert_eq!(fs::read_dir(outside).unwrap().count(), 0);
}

/// Each skill finds its own keys of a file that was written for all of them.
#[test]
fn config_env_holds_the_skills_own_keys() {
    let world = World::new();
    let schema = "config: {schema: {properties: {MAIL_PASSWORD: {type: string}}}}\n";
    world.skill("s/mail", "Mail", schema);
    world.skill("s/probe", "Probe", "requires: {skills: [mail]}\n");
    let file = Some("MAIL_PASSWORD=\"a # b\"\nBANK_PIN=1234\n");
    let mail = world.with("s/mail", file, StateFrom::Undecided);
    let probe = world.with("s/probe", file, StateFrom::Undecided);
    assert_eq!(
        text(mail.plugin.join("config.env")),
        "MAIL_PASSWORD='a # b'\n"
    );
    assert_eq!(text(probe.plugin.join("config.env")), "");
    assert_eq!(
        text(probe.plugin.join("../Mail/config.env")),
        "entity not found"
    );
}

/// A file that a program wrote is never overwritten.
/// Agents do not find the skill inside; the program finds it by its own name.
#[test]
fn a_skill_inside_has_its_name_where_the_program_runs() {
    let world = World::new();
    world.skill("a/kit", "Kit", "");
    for text in ["1", "2"] {
        world.write("a/kit/scripts/tea/SKILL.upstream.md", text);
        let view = world.prepare("a/kit");
        assert_eq!(self::text(view.plugin.join("tea/SKILL.md")), text);
    }
    let package = world.dir.path().join("a/kit/scripts/tea/SKILL.md");
    assert!(!package.exists());
}

#[test]
fn what_the_program_wrote_stays() {
    let world = World::new();
    world.skill("s/a", "A", "");
    let view = world.prepare("s/a");
    fs::write(view.plugin.join("schedules.json"), "by the program").unwrap();
    world.write("s/a/scripts/schedules.json", "by a shell line");
    world.write("s/a/scripts/main", "2");
    world.prepare("s/a");
    assert_eq!(text(view.plugin.join("main")), "2");
    assert_eq!(text(view.plugin.join("schedules.json")), "by the program");
    assert_eq!(world.notes("s/a"), ["state-kept"]);
    world.with("s/a", None, StateFrom::Skill);
    assert_eq!(text(view.plugin.join("schedules.json")), "by a shell line");
    let aside = view.plugin.join("schedules.json.1.replaced");
    assert_eq!(text(aside), "by the program");
    assert_eq!(world.notes("s/a"), ["state-replaced"]);
    world.prepare("s/a");
    assert_eq!(world.notes("s/a"), Vec::<&str>::new());
}

/// The state of an earlier version, for exactly this skill.
#[test]
fn the_state_of_older_versions_is_adopted() {
    let world = World::new();
    let schema = "config: {schema: {properties: {KEY: {type: string}}}}\n";
    world.skill("s/mail", "Mail", schema);
    world.skill("s/evil", "Mail", "");
    let from = resolve(&world.dir.path().join("s/mail/scripts")).unwrap();
    let record = serde_json::json!({"from": from, "files": {"main": "1:0:false"}});
    for (path, text) in [
        ("state/views/Mail.json", record.to_string().as_str()),
        ("state/legacy/Plugin/Mail/main", "1"),
        ("state/legacy/Plugin/Mail/sent.log", "private"),
        (
            "state/legacy/Plugin/Mail/config.env",
            "KEY=own\nOTHER=not mine\n",
        ),
        ("state/home/mail/.settings", "mine"),
    ] {
        world.write(path, text);
    }
    let evil = world.prepare("s/evil");
    assert_eq!(text(evil.plugin.join("sent.log")), "entity not found");
    let mail = world.prepare("s/mail");
    assert_eq!(text(mail.plugin.join("sent.log")), "private");
    assert_eq!(text(mail.plugin.join("config.env")), "KEY=own\n");
    assert_eq!(text(mail.home.join(".settings")), "mine");
    assert_eq!(world.notes("s/mail"), Vec::<&str>::new());
    // People find it where it was.
    assert_eq!(text(world.state("legacy/Plugin/Mail/sent.log")), "private");
}
