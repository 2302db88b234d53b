//! The plugin that a skill is made from, if several plugins claim its name one after the other.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use crate::tool;

/// Plugins that are added and removed, and a directory of skills.
struct Collection {
    dir: TempDir,
}

impl Collection {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("plugins")).unwrap();
        Self { dir }
    }

    /// Writes a plugin called `Mail` whose program prints `says`.
    fn plugin(&self, directory: &str, author: &str, says: &str) {
        self.named(directory, ("Mail", author), says);
    }

    fn named(&self, directory: &str, (name, author): (&str, &str), says: &str) {
        let dir = self.dir.path().join("plugins").join(directory);
        fs::create_dir_all(&dir).unwrap();
        let manifest = json!({
            "name": name, "displayName": "Mail", "version": "1.0.0", "author": author,
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

    /// Migrates, and compares a line for each plugin: directory, skill, status, and the kinds of its
    /// findings about the origin of the skill.
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

    /// Returns the output of the program of a skill.
    fn says(&self, skill: &str) -> String {
        let path = self.dir.path().join("skills").join(skill);
        fs::read_to_string(path.join("scripts/mail.py")).unwrap()
    }
}

#[test]
fn a_new_plugin_does_not_take_a_name() {
    let collection = Collection::new();
    collection.plugin("b/Mail", "Ann", "ann");
    collection.check(&[], &["b/Mail mail created"]);
    collection.plugin("a/Mail", "Bob", "bob");
    collection.check(&[], &["a/Mail mail-2 created", "b/Mail mail unchanged"]);
    collection.check(&[], &["a/Mail mail-2 unchanged", "b/Mail mail unchanged"]);
    // Nor does it inherit one.
    collection.remove("b");
    collection.check(&[], &["a/Mail mail-2 unchanged", "b/Mail mail stale"]);
    collection.check(
        &["--prune"],
        &["a/Mail mail-2 unchanged", "b/Mail mail removed"],
    );
    assert_eq!(collection.says("mail-2"), "print('bob')\n");
}

#[test]
fn another_plugin_in_its_place_is_a_conflict() {
    let collection = Collection::new();
    collection.plugin("a/Mail", "Ann", "ann");
    collection.check(&[], &["a/Mail mail created"]);
    collection.remove("a");
    collection.plugin("b/Mail", "Bob", "bob");
    collection.check(&["--dry-run"], &["b/Mail mail conflict conflict"]);
    collection.check(&[], &["b/Mail mail conflict conflict"]);
    assert_eq!(collection.says("mail"), "print('ann')\n");
    collection.check(&["--force"], &["b/Mail mail updated origin-changed"]);
    assert_eq!(collection.says("mail"), "print('bob')\n");
    collection.check(&[], &["b/Mail mail unchanged"]);
}

#[test]
fn a_plugin_of_another_name_and_author_at_the_same_path_is_a_conflict() {
    let collection = Collection::new();
    collection.plugin("a/Mail", "Ann", "ann");
    collection.check(&[], &["a/Mail mail created"]);
    collection.named("a/Mail", ("mail", "Bob"), "bob");
    collection.check(&[], &["a/Mail mail conflict conflict"]);
    assert_eq!(collection.says("mail"), "print('ann')\n");
    collection.check(&["--force"], &["a/Mail mail updated origin-changed"]);
    collection.check(&[], &["a/Mail mail unchanged"]);
}

#[test]
fn a_plugin_that_moved_or_changed_its_author_is_reported() {
    let collection = Collection::new();
    collection.plugin("a/Mail", "Ann", "ann");
    collection.check(&[], &["a/Mail mail created"]);
    collection.remove("a");
    collection.plugin("b/Mail", "Ann", "ann");
    collection.check(&[], &["b/Mail mail unchanged"]);
    collection.remove("b");
    collection.plugin("c/Mail", "Ann", "more");
    collection.check(&[], &["c/Mail mail updated origin-changed"]);
    collection.plugin("c/Mail", "Bob", "more");
    collection.check(&[], &["c/Mail mail updated origin-changed"]);
    collection.plugin("c/Mail", "Bob", "still more");
    collection.check(&[], &["c/Mail mail updated"]);
}
