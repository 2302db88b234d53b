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

#[test]
fn neighbours_are_granted() {
    let world = World::new();
    world.skill("s/a", "A", "requires: {skills: [b, Third]}\n");
    world.skill("s/b", "B", "requires: {skills: [deep]}\n");
    world.skill("s/deep", "Deep", "");
    world.skill("s/third", "Third", "");
    world.skill("s/other", "Other", "");
    world.write("s/a/scripts/main", "../Other/main PROJECT_BASE_PATH");
    for name in ["config.env", "prod.env", "keys/server.pem"] {
        world.write(&format!("s/b/scripts/{name}"), "SECRET=1");
    }
    world.write("s/b/scripts/lib.js", "lib");
    let b = world.with("s/b", Some(""), StateFrom::Undecided);
    fs::write(b.plugin.join("private"), "b's").unwrap();
    let a = world.prepare("s/a");
    assert_eq!(world.notes("s/a"), Vec::<&str>::new());
    let beside = world.state("skills/a/beside");
    assert_eq!(a.beside.as_ref(), Some(&beside));
    assert!(!beside.starts_with(&a.base), "read apart from its base");
    // It gets nothing of the neighbour's place or package but its own copy.
    assert_eq!(a.neighbours, Vec::<PathBuf>::new());
    for place in [&b.base, &b.home, &world.dir.path().join("s/b")] {
        assert!(!beside.starts_with(place) && !place.starts_with(&beside));
    }
    let found = |path: &str| text(a.plugin.join(path));
    assert_eq!(found("../B/lib.js"), "lib");
    assert_eq!(found("../Third/main"), "1");
    assert_eq!(found("../B/../Deep/main"), "1", "what a neighbour needs");
    assert_eq!(
        found("../B/../A/main"),
        found("main"),
        "and this one beside it"
    );
    for path in [
        "../B/config.env",
        "../B/prod.env",
        "../B/keys/server.pem",
        "../B/private",
        "../Other/main",
    ] {
        assert_eq!(found(path), "entity not found", "{path}");
    }
    let c = world.prepare("s/third");
    assert_eq!((c.beside, c.neighbours), (None, Vec::new()));
}

#[test]
fn what_a_skill_writes_beside_it_is_its_own() {
    let world = World::new();
    world.skill("s/a", "A", "requires: {skills: [b]}\n");
    world.skill("s/b", "B", "");
    world.write("s/b/scripts/lib.js", "lib");
    let b = world.prepare("s/b");
    fs::write(b.plugin.join("groups.json"), "b's").unwrap();
    let others = [world.dir.path().join("s"), world.state("skills/b")];
    let of_others = || others.each_ref().map(|dir| files(dir));
    let before = of_others();
    let a = world.prepare("s/a");
    let at = |path: &str| a.plugin.join("../B").join(path);
    let own = world.state("skills/a/beside/Plugin/B");
    assert_eq!(resolve(&at("")).unwrap(), resolve(&own).unwrap());
    assert_eq!(text(at("groups.json")), "entity not found");
    fs::write(at("groups.json"), "new").unwrap();
    fs::write(at("lib.js"), "changed").unwrap();
    world.prepare("s/a");
    world.prepare("s/b");
    assert_eq!(of_others(), before, "nothing reaches the neighbour");
    assert_eq!(text(own.join("groups.json")), "new");
    assert_eq!(text(at("groups.json")), "new");
    assert_eq!(text(at("lib.js")), "changed");
    // Code that changed in both is that of the package.
    world.write("s/b/scripts/lib.js", "of the package");
    world.prepare("s/a");
    assert_eq!(text(at("lib.js")), "of the package");
    assert_eq!(text(at("lib.js.1.replaced")), "changed");
    assert_eq!(world.notes("s/a"), ["state-replaced"]);
}

/// Links in a copy lead the host nowhere: it writes neither into a neighbour's place nor outside.
#[test]
fn links_beside_a_skill_lead_nowhere() {
    for name in ["Plugin", "Plugin/B", "Plugin/B/sub", "Plugin/B/lib.js"] {
        let world = World::new();
        world.skill("s/a", "A", "requires: {skills: [b]}\n");
        world.skill("s/b", "B", "");
        world.write("s/b/scripts/lib.js", "lib");
        world.write("s/b/scripts/sub/deep.js", "deep");
        world.write("outside/B/sub/own", "outside");
        let b = world.prepare("s/b");
        fs::write(b.plugin.join("sub/own"), "b's").unwrap();
        let a = world.prepare("s/a");
        let others = ["s", "outside", "state/skills/b"].map(|dir| world.dir.path().join(dir));
        let at = a.beside.unwrap().join(name);
        for target in [world.dir.path().join("outside"), b.plugin] {
            let _ = fs::remove_dir_all(&at).or_else(|_| fs::remove_file(&at));
            symlink(&target, &at).unwrap();
            // There is something to write.
            let text = target.to_string_lossy();
            world.write("s/b/scripts/lib.js", &text);
            world.write("s/b/scripts/sub/deep.js", &text);
            world.write("s/b/scripts/sub/new.js", &text);
            let before = others.each_ref().map(|dir| files(dir));
            // It fails for this skill alone, or works in spite of the link.
            let _ = world.attempt("s/a", None, StateFrom::Undecided);
            let after = others.each_ref().map(|dir| files(dir));
            assert_eq!(after, before, "{name}: {}", target.display());
        }
        world.prepare("s/b");
        assert_eq!(world.notes("s/b"), Vec::<&str>::new());
    }
}

#[test]
fn parts_of_a_host_are_neighbours() {
    let world = World::new();
    world.skill("s/a", "A", "requires: {skills: [b, Third]}\n");
    world.skill("s/.host/b", "B", "requires: {skills: [deep]}\n");
    world.skill("s/deep", "Deep", "");
    world.skill("s/.host/third", "Third", "");
    let a = world.prepare("s/a");
    assert_eq!(world.notes("s/a"), Vec::<&str>::new());
    assert_eq!(text(a.plugin.join("../Third/main")), "1");
    assert_eq!(text(a.plugin.join("../B/../Deep/main")), "1");
    let b = world.prepare("s/.host/b");
    assert_eq!(text(b.plugin.join("../Deep/main")), "1");
}

#[test]
fn a_range_of_versions_has_to_be_met() {
    let world = World::new();
    world.skill("s/one", "One", "");
    world.skill("s/fine", "Fine", "requires: {skills: ['one@^1']}\n");
    assert_eq!(
        text(world.prepare("s/fine").plugin.join("../One/main")),
        "1"
    );
    for (name, requires, why) in [
        (
            "newer",
            "one@^2",
            "requires the skill `one@^2`: no version of `one` is in the range ^2; found 1",
        ),
        (
            "gone",
            "lost@1",
            "requires the skill `lost@1`: there is none in",
        ),
    ] {
        let requires = format!("requires: {{skills: ['{requires}']}}\n");
        world.skill(&format!("s/{name}"), name, &requires);
        let refused = world.attempt(&format!("s/{name}"), None, StateFrom::Undecided);
        let refused = refused.map(drop).unwrap_err();
        assert!(refused.message.contains(why), "{}", refused.message);
    }
}

#[test]
fn versions_side_by_side_meet_ranges() {
    let world = World::new();
    for (path, version) in [
        ("s/tea", "1.4.0"),
        ("s/tea-2", "2.1.0"),
        ("s/.host/tea@3.0.0", "3.0.0"),
    ] {
        world.skill(path, "tea", "");
        let file = world.dir.path().join(path).join("METADATA.yml");
        let text = fs::read_to_string(&file).unwrap();
        let name = path.rsplit('/').next().unwrap();
        let text = text.replace(&format!("name: {name}\n"), "name: tea\n");
        let text = text.replace("version: '1'", &format!("version: '{version}'"));
        fs::write(file, text).unwrap();
        world.write(&format!("{path}/scripts/main"), version);
    }
    for (n, (range, expected)) in [("^1", "1.4.0"), ("^2", "2.1.0"), (">=1, <4", "3.0.0")]
        .into_iter()
        .enumerate()
    {
        let skill = format!("s/shop{n}");
        world.skill(
            &skill,
            &skill[2..],
            &format!("requires: {{skills: ['tea@{range}']}}\n"),
        );
        let view = world.prepare(&skill);
        assert_eq!(text(view.plugin.join("../tea/main")), expected, "{range}");
    }
}

#[test]
fn each_requirement_gets_its_version() {
    let world = World::new();
    world.version("s/one", "one", "One", "1.4.0", "");
    world.version("s/one-2", "one", "Two", "2.1.0", "");
    world.version("s/.host/one@3.0.0", "one", "Three", "3.0.0", "");
    for (name, requires, plugin) in [
        ("a", "one@^1", "One"),
        ("b", "one@^2", "Two"),
        ("c", "one@^3", "Three"),
        ("d", "one@>1", "Three"),
        ("e", "one", "One"),
    ] {
        world.version(&format!("s/{name}"), name, name, "1", requires);
        let view = world.prepare(&format!("s/{name}"));
        let plugins = ["One", "Two", "Three"];
        let found = plugins.map(|plugin| view.plugin.join("..").join(plugin).exists());
        assert_eq!(found, plugins.map(|it| it == plugin), "{name}");
    }
}

/// Two versions of one plugin have one place there: the skill's own requirement gets it.
#[test]
fn the_place_of_a_plugin_is_that_of_the_own_requirement() {
    let world = World::new();
    world.version("s/one", "one", "One", "1.4.0", "");
    world.version("s/one-2", "one", "One", "2.1.0", "");
    world.version("s/pot", "pot", "Pot", "1", "one@^1");
    world.version("s/shop", "shop", "Shop", "1", "pot', 'one@^2");
    let view = world.prepare("s/shop");
    assert_eq!(text(view.plugin.join("../One/main")), "2.1.0");
    assert_eq!(world.notes("s/shop"), ["neighbour-missing"]);
    let pot = world.prepare("s/pot");
    assert_eq!(text(pot.plugin.join("../One/main")), "1.4.0");
}

#[test]
fn neighbours_that_are_missing_or_not_clear() {
    let world = World::new();
    world.skill("s/a", "A", "requires: {skills: [gone, Twice, A]}\n");
    world.skill("s/one", "Twice", "");
    world.skill("s/two", "Twice", "");
    let view = world.prepare("s/a");
    assert_eq!(world.notes("s/a"), ["neighbour-missing"; 2]);
    assert!(!view.base.join("Plugin/Twice").exists());
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
