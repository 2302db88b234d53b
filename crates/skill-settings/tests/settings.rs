//! The store, the keys of skills, and the import of an old host's settings.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own skills"
)]

use std::fs;
use std::path::Path;

use serde_json::json;
use skill_language::Language;
use skill_loader::fs::Root;
use skill_model::read_env_file;
use skill_settings::{
    Error, GuardPolicy, SkillId, Store, StoredSkill, import, of_skill, read_host, take, text,
};
use tempfile::TempDir;

const METADATA: &str = "schema: 1\nname: desk\nversion: '1'\nauthor: Kim\ntype: direct\n\
    config:\n  schema: {properties: {CITY: {type: string, x-legacy-default: Oslo}, API_KEY: {type: string}}, required: [API_KEY]}\n\
    \x20 secret: [API_KEY, TOKEN]\n  undeclared: [PROXY, TOKEN]\n\
    \x20 guards: [{key: ALLOWED_DIRS, kind: allow-directories, unset: open}]\n\
    permissions: {environment: [CALLBACK_BASE_URL, CITY, HOME, NODE_OPTIONS, PROJECT_BASE_PATH, SERVER_PORT, VarHttpUrl]}\n\
    legacy: {host: vcp-main, name: Desk, directory: Desk, plugin_type: synchronous}\n";

struct World(TempDir);

impl World {
    fn new() -> Self {
        let res = Self(TempDir::new().unwrap());
        res.write("skills/desk/METADATA.yml", METADATA);
        res
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn state(&self) -> Root {
        Root::make(&self.path("state")).unwrap()
    }

    fn skill(&self) -> SkillId {
        of_skill(&self.path("skills/desk")).unwrap().0
    }

    fn set(&self, pairs: &[(&str, &str)]) {
        let state = self.state();
        let pair = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let add = |stored: &mut StoredSkill| stored.values.extend(pairs.iter().map(pair));
        Store::new(&state).update(&self.skill(), add).unwrap();
    }

    fn values(&self) -> String {
        let stored = Store::new(&self.state()).read(&self.skill()).unwrap();
        json!(*stored.values).to_string()
    }

    /// Imports the host and returns the report for people, with short paths.
    fn import(&self) -> String {
        let host = read_host(&self.path("host")).unwrap();
        let places = (&*self.path("host/Plugin"), &*self.path("skills"));
        let migrated = [("Desk", "desk"), ("Gone", "gone")].into_iter();
        let import = import(&host, places, migrated, &self.state()).unwrap();
        let report = text::import(&import, Language::English);
        report.replace(&self.path("").display().to_string(), "")
    }
}

#[test]
fn values_are_private_and_last_until_they_are_removed() {
    let world = World::new();
    assert_eq!(world.values(), "{}");
    world.set(&[("CITY", "Bergen"), ("API_KEY", "quote ' \" ` all")]);
    world.set(&[("CITY", "Oslo")]);
    assert_eq!(
        world.values(),
        r#"{"API_KEY":"quote ' \" ` all","CITY":"Oslo"}"#
    );
    #[cfg(unix)]
    for entry in fs::read_dir(world.path("state/settings")).unwrap() {
        use std::os::unix::fs::PermissionsExt as _;
        let meta = entry.unwrap().metadata().unwrap();
        let expected = if meta.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(meta.permissions().mode() & 0o777, expected);
    }
    let state = world.state();
    let removed = Store::new(&state).update(&world.skill(), |stored| stored.values.clear());
    assert_eq!(removed.unwrap().changed, ["API_KEY", "CITY"]);
    let files = fs::read_dir(world.path("state/settings")).unwrap();
    let names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    assert!(
        !names
            .iter()
            .any(|name| name.to_string_lossy().ends_with(".json")),
        "{names:?}"
    );
}

#[test]
fn values_belong_to_one_plugin_in_one_directory() {
    let world = World::new();
    world.set(&[("CITY", "Oslo")]);
    for (from, to) in [
        ("author: Kim", "author: Eve"),
        ("name: Desk", "name: Other"),
        ("legacy:", "x-legacy:"),
    ] {
        world.write("skills/desk/METADATA.yml", &METADATA.replace(from, to));
        assert_eq!(world.values(), "{}", "{to}");
    }
    // The same skill in another place has values of its own, and can take those of the first one.
    world.write("skills/desk/METADATA.yml", METADATA);
    world.write("moved/desk/METADATA.yml", METADATA);
    let (moved, _) = of_skill(&world.path("moved/desk")).unwrap();
    let state = world.state();
    let store = Store::new(&state);
    assert!(store.read(&moved).unwrap().values.is_empty());
    let of_other = store.read_of_other_machine(&moved).unwrap();
    assert_eq!(json!(*of_other.values), json!({"CITY": "Oslo"}));
    assert!(!of_other.is_enabled);
}

#[test]
fn a_switch_is_kept_beside_the_values() {
    let world = World::new();
    let state = world.state();
    let store = Store::new(&state);
    let switch = |is_on| {
        let stored = store.update(&world.skill(), |stored| stored.is_enabled = is_on);
        stored.unwrap().is_switched
    };
    let is_enabled = || store.read(&world.skill()).unwrap().is_enabled;
    assert!(!is_enabled());
    assert!(switch(true) && !switch(true) && is_enabled());
    world.set(&[("CITY", "Oslo")]);
    assert!(is_enabled());
    let (id, _) = of_skill(&world.path("skills/desk")).unwrap();
    assert!(store.read_of_other_machine(&id).unwrap().is_enabled);
    // Another author's plugin in the same directory is another skill.
    let other = METADATA.replace("author: Kim", "author: Eve");
    world.write("skills/desk/METADATA.yml", &other);
    assert!(!is_enabled());
    world.write("skills/desk/METADATA.yml", METADATA);
    assert!(switch(false) && !is_enabled());
    assert_eq!(world.values(), r#"{"CITY":"Oslo"}"#);
}

#[test]
fn a_broken_file_is_an_error_and_not_an_empty_store() {
    let world = World::new();
    world.set(&[("CITY", "Oslo")]);
    let files = fs::read_dir(world.path("state/settings")).unwrap();
    let mut paths = files.map(|file| file.unwrap().path());
    let path = paths.find(|path| path.extension().is_some()).unwrap();
    for text in ["", "{", "[]", r#"{"values": {"CITY": 1}}"#] {
        fs::write(&path, text).unwrap();
        let state = world.state();
        let read = Store::new(&state).read(&world.skill());
        assert!(matches!(read, Err(Error::Broken { .. })), "{text}");
        assert!(
            Store::new(&state).update(&world.skill(), |_| {}).is_err(),
            "{text}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn the_keys_of_a_skill() {
    let world = World::new();
    let (_, wanted) = of_skill(&world.path("skills/desk")).unwrap();
    let row = |wanted: &skill_settings::WantedKey| {
        let flags = [
            (wanted.is_required, "required"),
            (wanted.is_guard, "guard"),
            (wanted.is_secret, "secret"),
            (wanted.has_default, "default"),
            (!wanted.is_settable(), "fixed"),
        ];
        let flags = flags.into_iter().filter(|(holds, _)| *holds);
        let flags: Vec<_> = flags.map(|(_, name)| name).collect();
        format!("{} {} {}", wanted.key, wanted.kind.word(), flags.join(" "))
    };
    let rows: Vec<String> = wanted.iter().map(row).collect();
    assert_eq!(
        rows,
        [
            "CITY declared default",
            "API_KEY declared required secret",
            "ALLOWED_DIRS mentioned required guard",
            "PROXY mentioned ",
            "TOKEN mentioned secret",
            "CALLBACK_BASE_URL variable ",
            "NODE_OPTIONS variable fixed",
            "PROJECT_BASE_PATH variable fixed",
            "SERVER_PORT variable ",
            "VarHttpUrl variable ",
        ]
    );
    let pairs = read_env_file(
        "CITY=\nNODE_OPTIONS=-r x\nPROJECT_BASE_PATH=/\nALLOWED_DIRS=/srv\nOTHER=1\nDebugMode=true\n",
    );
    for (policy, values, guards) in [
        (
            GuardPolicy::Stored,
            json!({"ALLOWED_DIRS": "/srv", "CITY": "", "DebugMode": "true"}),
            &[][..],
        ),
        (
            GuardPolicy::Take,
            json!({"ALLOWED_DIRS": "/srv", "CITY": "", "DebugMode": "true"}),
            &[],
        ),
        (
            GuardPolicy::Leave,
            json!({"CITY": "", "DebugMode": "true"}),
            &["ALLOWED_DIRS"],
        ),
    ] {
        let taken = take(&pairs, &wanted, policy);
        assert_eq!(json!(*taken.values), values);
        assert_eq!(taken.guards, guards);
        assert_eq!(taken.others, ["NODE_OPTIONS", "PROJECT_BASE_PATH", "OTHER"]);
    }
}

#[test]
fn the_settings_of_an_old_host() {
    let world = World::new();
    world.write("host/config.env", "# ==== host ====\nPORT=7001\nCALLBACK_BASE_URL=http://h/p\nCITY=host\nAPI_KEY=of-host\nVarHttpUrl=http://h\nKey=of-the-host\nDebugMode=true\n");
    world.write(
        "host/Plugin/Desk/config.env",
        "# ==== desk ====\nCITY=own\nALLOWED_DIRS=/\nSTRANGE=1\nPROXY=\nTOKEN=' '\n",
    );
    let first = world.import();
    assert_eq!(
        first,
        "settings: 4 values for 1 of 1 skills are stored in state/settings\n\
         \x20 desk: API_KEY, CITY, SERVER_PORT, VarHttpUrl\n\
         \x20 desk: not taken, because they restrict the program: ALLOWED_DIRS; check them and store them with: skills-run configure desk --skills skills --state state --from host/Plugin/Desk/config.env\n\
         \x20 desk: not taken, because the tools set them for each call: CALLBACK_BASE_URL\n\
         \x20 desk: not taken, because they have no value: PROXY, TOKEN\n\
         \x20 desk: not taken from the plugin's own file, because the skill does not declare them: STRANGE\n\
         \x20 not taken from host/config.env, because no skill declares them (2): Key, DebugMode\n"
    );
    let stored =
        r#"{"API_KEY":"of-host","CITY":"own","SERVER_PORT":"7001","VarHttpUrl":"http://h"}"#;
    assert_eq!(world.values(), stored);
    // What the user stored stays, and nothing is stored twice.
    world.set(&[("CITY", "mine"), ("ALLOWED_DIRS", "/srv/desk")]);
    let again = world.import();
    assert!(again.contains("0 values for 0 of 1 skills"), "{again}");
    assert!(
        again.contains("your store has other values: CITY\n"),
        "{again}"
    );
    assert!(!again.contains("ALLOWED_DIRS"), "{again}");
    assert!(![first, again].concat().contains("of-host"));
}

/// The directory of the store is the user's own before anything is stored in it.
#[cfg(unix)]
#[test]
fn a_store_that_somebody_else_put_there_is_refused() {
    for is_link in [true, false] {
        let world = World::new();
        let at = world.path("state/settings");
        fs::create_dir_all(world.path("elsewhere")).unwrap();
        fs::create_dir_all(world.path("state")).unwrap();
        if is_link {
            std::os::unix::fs::symlink(world.path("elsewhere"), &at).unwrap();
        } else {
            fs::create_dir(&at).unwrap();
            fs::set_permissions(&at, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        }
        let state = world.state();
        assert!(Store::new(&state).settle().is_err(), "{is_link}");
        let stored = Store::new(&state).update(&world.skill(), |_| {});
        assert!(stored.is_err(), "{is_link}");
    }
}

#[test]
fn a_host_without_settings_and_files_that_cannot_be_read() {
    let world = World::new();
    fs::create_dir_all(world.path("host/Plugin/Desk/config.env")).unwrap();
    let report = world.import();
    assert!(
        report.contains("desk: the plugin's own file was not read: "),
        "{report}"
    );
    assert!(
        report.starts_with("settings: 0 values for 0 of 1 skills"),
        "{report}"
    );
    assert!(read_host(Path::new("/no/such/host")).is_err());
    world.write("one.env", "CITY=x\n");
    assert_eq!(
        read_host(&world.path("one.env")).unwrap().file,
        world.path("one.env")
    );
}
