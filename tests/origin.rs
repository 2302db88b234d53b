//! Which plugin a skill is made from, when several want its name one after the other.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use crate::tool;

/// Plugins that come and go, and one directory of skills.
struct World {
    dir: TempDir,
}

impl World {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("plugins")).unwrap();
        Self { dir }
    }

    /// Writes a plugin called `Mail` whose program says `says`.
    fn plugin(&self, directory: &str, author: &str, says: &str) {
        let dir = self.dir.path().join("plugins").join(directory);
        fs::create_dir_all(&dir).unwrap();
        let manifest = json!({
            "name": "Mail", "displayName": "Mail", "version": "1.0.0", "author": author,
            "description": "Sends mail.", "pluginType": "synchronous",
            "entryPoint": {"type": "python", "command": "python3 mail.py"},
            "communication": {"protocol": "stdio"},
            "capabilities": {"invocationCommands": [{"command": "Send", "description": "Sends."}]},
        });
        fs::write(dir.join("plugin-manifest.json"), manifest.to_string()).unwrap();
        fs::write(dir.join("mail.py"), format!("print('{says}')\n")).unwrap();
    }

    fn remove(&self, directory: &str) {
        fs::remove_dir_all(self.dir.path().join("plugins").join(directory)).unwrap();
    }

    /// Migrates; a line for each plugin: directory, skill, status, and kinds of finding about where
    /// the skill is from.
    #[track_caller]
    fn check(&self, flags: &[&str], expected: &[&str]) {
        let [plugins, skills] = ["plugins", "skills"].map(|name| self.dir.path().join(name));
        let report = tool::report(&plugins, &skills, flags);
        let lines = report["plugins"].as_array().unwrap().iter().map(|plugin| {
            let findings = plugin["findings"].as_array().unwrap().iter();
            let codes = findings.filter_map(|finding| finding["code"].as_str());
            let codes = codes.filter(|code| matches!(*code, "conflict" | "origin-changed"));
            let words = ["directory", "skill", "status"].map(|key| plugin[key].as_str());
            let words = words.into_iter().flatten().chain(codes);
            words.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }

    /// What the program of a skill says.
    fn says(&self, skill: &str) -> String {
        let path = self.dir.path().join("skills").join(skill);
        fs::read_to_string(path.join("scripts/mail.py")).unwrap()
    }
}

#[test]
fn a_new_plugin_does_not_take_a_name() {
    let world = World::new();
    world.plugin("b/Mail", "Ann", "ann");
    world.check(&[], &["b/Mail mail created"]);
    world.plugin("a/Mail", "Bob", "bob");
    world.check(&[], &["a/Mail mail-2 created", "b/Mail mail unchanged"]);
    world.check(&[], &["a/Mail mail-2 unchanged", "b/Mail mail unchanged"]);
    // Nor does it inherit one.
    world.remove("b");
    world.check(&[], &["a/Mail mail-2 unchanged", "b/Mail mail stale"]);
    world.check(
        &["--prune"],
        &["a/Mail mail-2 unchanged", "b/Mail mail removed"],
    );
    assert_eq!(world.says("mail-2"), "print('bob')\n");
}

#[test]
fn another_plugin_in_its_place_is_a_conflict() {
    let world = World::new();
    world.plugin("a/Mail", "Ann", "ann");
    world.check(&[], &["a/Mail mail created"]);
    world.remove("a");
    world.plugin("b/Mail", "Bob", "bob");
    world.check(&["--dry-run"], &["b/Mail mail conflict conflict"]);
    world.check(&[], &["b/Mail mail conflict conflict"]);
    assert_eq!(world.says("mail"), "print('ann')\n");
    world.check(&["--force"], &["b/Mail mail updated origin-changed"]);
    assert_eq!(world.says("mail"), "print('bob')\n");
    world.check(&[], &["b/Mail mail unchanged"]);
}

#[test]
fn a_plugin_that_moved_or_changed_hands_is_told() {
    let world = World::new();
    world.plugin("a/Mail", "Ann", "ann");
    world.check(&[], &["a/Mail mail created"]);
    world.remove("a");
    world.plugin("b/Mail", "Ann", "ann");
    world.check(&[], &["b/Mail mail unchanged"]);
    world.remove("b");
    world.plugin("c/Mail", "Ann", "more");
    world.check(&[], &["c/Mail mail updated origin-changed"]);
    world.plugin("c/Mail", "Bob", "more");
    world.check(&[], &["c/Mail mail updated origin-changed"]);
    world.plugin("c/Mail", "Bob", "still more");
    world.check(&[], &["c/Mail mail updated"]);
}
