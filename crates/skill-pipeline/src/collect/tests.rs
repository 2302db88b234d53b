//! Plugin directories: the files that are copied, and those that are left out.

use std::fs;
use std::path::Path;

use super::*;

/// Writes a plugin to the disk, collects it, and compares the files that are copied and those that
/// are not.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "a test lays out its own files")]
fn check(lay_out: impl Fn(&Path), files: &[&str], left_out: &[(&str, LeaveReason)]) {
    let dir = tempfile::tempdir().unwrap();
    let plugin = dir.path().join("p");
    fs::create_dir(&plugin).unwrap();
    fs::write(plugin.join("plugin-manifest.json"), "{}").unwrap();
    lay_out(&plugin);
    let found = Candidate {
        directory: "p".to_owned(),
        key: "p".to_owned(),
        manifest_file: "plugin-manifest.json".to_owned(),
        manifest: None,
        marketplace: None,
        naming: None,
        name: None,
        is_skipped: false,
        package: 0,
        unit: UnitKey::ONLY,
        reader: plugin_readers::READERS[0],
        searches_inside: false,
        files: None,
        siblings: Arc::default(),
        neighbours: Arc::default(),
        host: Arc::default(),
        calls: crate::calls::Calls::default(),
        inherited: Arc::default(),
        unpacked: None,
        read_by_others: Arc::default(),
    };
    let input = Root::open(dir.path()).unwrap();
    let choice = Choice {
        max_file_size: 1000,
        carry: &[],
    };
    let collected = survey(&input, &found)
        .unwrap()
        .collect(&found, choice, None)
        .unwrap();
    assert_eq!(
        collected
            .files
            .iter()
            .map(|file| file.path.as_str())
            .collect::<Vec<_>>(),
        files
    );
    let left: Vec<_> = collected
        .left_out
        .iter()
        .map(|left| (left.path.as_str(), left.reason))
        .collect();
    assert_eq!(left, left_out);
    // What is in memory is counted, whatever decided that it is carried.
    let in_memory = collected.bytes.values().map(|bytes| bytes.len() as u64);
    assert_eq!(collected.in_memory, in_memory.sum::<u64>());
}

#[expect(clippy::disallowed_methods, reason = "a test lays out its own files")]
fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn links_carry_nothing_from_outside() {
    use LeaveReason::{HardLink, Link};
    let lay_out = |plugin: &Path| {
        write(&plugin.join("../outside"), "x");
        write(&plugin.join("a.js"), "x");
        fs::hard_link(plugin.join("../outside"), plugin.join("hard.txt")).unwrap();
        fs::hard_link(plugin.join("a.js"), plugin.join("same.js")).unwrap();
        std::os::unix::fs::symlink("../outside", plugin.join("soft.txt")).unwrap();
    };
    check(
        lay_out,
        &["a.js", "same.js"],
        &[("hard.txt", HardLink), ("soft.txt", Link)],
    );
}

#[test]
fn names_that_other_systems_confuse_stay_behind() {
    use LeaveReason::UnportableName;
    let lay_out = |plugin: &Path| {
        for name in ["A.txt", "a.txt", "con.js", "caf\u{e9}", "cafe\u{301}"] {
            write(&plugin.join(name), "x");
        }
    };
    check(
        lay_out,
        &["A.txt", "cafe\u{301}"],
        &[
            ("a.txt", UnportableName),
            ("caf\u{e9}", UnportableName),
            ("con.js", UnportableName),
        ],
    );
}

#[test]
fn what_the_program_wrote_stays_behind() {
    let lay_out = |plugin: &Path| {
        write(
            &plugin.join("a.js"),
            "const FILE = path.join(__dirname, 'schedules.json');\n\
             const WORDS = path.join(__dirname, 'words.json');\n\
             const RULES = path.join(__dirname, 'default-rules.json');\n\
             fs.writeFileSync(FILE, x);\nfs.readFileSync(WORDS);\nfs.writeFileSync(RULES, x);",
        );
        write(
            &plugin.join("b.py"),
            "with open('reminders.json', 'w') as f:\n    json.dump(x, f)\n\
             with open('empty.json', 'w') as f:\n    json.dump(x, f)\n\
             with open('table.json', 'r') as f:\n    pass\n",
        );
        for name in ["default-rules", "schedules", "words", "reminders", "table"] {
            write(&plugin.join(format!("{name}.json")), r#"[{"at": "9:00"}]"#);
        }
        write(&plugin.join("empty.json"), "[]");
    };
    check(
        lay_out,
        &[
            "a.js",
            "b.py",
            "default-rules.json",
            "empty.json",
            "table.json",
            "words.json",
        ],
        &[
            ("reminders.json", LeaveReason::UserData),
            ("schedules.json", LeaveReason::UserData),
        ],
    );
}

#[test]
fn what_the_program_only_reads_is_carried() {
    let lay_out = |plugin: &Path| {
        write(
            &plugin.join("a.js"),
            "new Database('words.db', {readonly: true})",
        );
        for name in ["words.db", "notes.db"] {
            write(&plugin.join(name), "SQLite format 3\0");
        }
    };
    let left = [("notes.db", LeaveReason::UserData)];
    check(lay_out, &["a.js", "words.db"], &left);
}

#[test]
fn settings_large_files_and_packages_stay_behind() {
    use LeaveReason::{Regenerable, Settings, TooLarge};
    let lay_out = |plugin: &Path| {
        write(&plugin.join("config.env"), "A=1");
        write(&plugin.join("big.bin"), &"x".repeat(1001));
        write(&plugin.join("node_modules/x/index.js"), "x");
    };
    check(
        lay_out,
        &[],
        &[
            ("big.bin", TooLarge),
            ("config.env", Settings),
            ("node_modules/", Regenerable),
        ],
    );
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test lays out its own files")]
fn the_archive_of_a_package_in_itself_is_left_out() {
    check(
        |plugin| {
            fs::write(plugin.join("P.zip"), "x").unwrap();
            fs::write(plugin.join("words.zip"), "x").unwrap();
        },
        &["words.zip"],
        &[("P.zip", LeaveReason::Leftover)],
    );
}
