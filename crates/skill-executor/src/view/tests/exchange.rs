//! Data files that two skills share.

use super::*;

const BRIEFING: &str =
    "requires: {skills: [calendar]}\npermissions: {shared: [Calendar/entries.json]}\n";

/// A calendar and a briefing that reads its entries, with these authors.
fn world(calendar: &str, briefing: &str) -> World {
    let world = World::new();
    world.skill("s/calendar", "Calendar", &format!("author: {calendar}\n"));
    world.write("s/calendar/scripts/entries.json", "[]");
    world.skill(
        "s/briefing",
        "Briefing",
        &format!("author: {briefing}\n{BRIEFING}"),
    );
    world
}

impl World {
    /// Returns the two files: that of the calendar, and that of the briefing.
    fn entries(&self) -> [PathBuf; 2] {
        [
            self.state("skills/calendar/base/Plugin/Calendar/entries.json"),
            self.state("skills/briefing/beside/Plugin/Calendar/entries.json"),
        ]
    }

    fn approve(&self, path: &str) {
        let dir = resolve(&self.dir.path().join(path)).unwrap();
        self.host.state.set_reader(&dir, true);
    }
}

#[test]
fn one_body_of_state() {
    let world = world("Ada", "Ada");
    world.prepare("s/briefing");
    world.prepare("s/calendar");
    let [own, copy] = world.entries();
    assert_eq!(text(copy.clone()), "[]");
    fs::write(&own, "[1]").unwrap();
    world.prepare("s/briefing");
    assert_eq!(text(copy.clone()), "[1]");
    // The briefing removes what is over.
    fs::write(&copy, "[2]").unwrap();
    world.prepare("s/calendar");
    assert_eq!(text(own.clone()), "[2]");
    fs::remove_file(&copy).unwrap();
    world.prepare("s/calendar");
    assert_eq!(text(own.clone()), "entity not found");
    fs::write(&own, "[3]").unwrap();
    world.prepare("s/briefing");
    assert_eq!(text(copy), "[3]");
    assert_eq!(world.notes("s/briefing"), Vec::<&str>::new());
}

/// The content of a package does not replace what a program wrote.
#[test]
fn a_new_package_is_no_change() {
    let world = world("Ada", "Ada");
    world.prepare("s/calendar");
    let [own, copy] = world.entries();
    fs::write(&own, "[1]").unwrap();
    world.prepare("s/briefing");
    assert_eq!(text(copy.clone()), "[1]");
    world.write("s/calendar/scripts/entries.json", "[0]");
    world.prepare("s/briefing");
    assert_eq!(text(own), "[1]");
    assert_eq!(text(copy), "[1]");
}

#[test]
fn of_two_changes_the_newer_one_counts() {
    let world = world("Ada", "Ada");
    world.prepare("s/calendar");
    world.prepare("s/briefing");
    let [own, copy] = world.entries();
    fs::write(&copy, "older").unwrap();
    let past = std::time::SystemTime::now() - std::time::Duration::from_mins(1);
    let file = fs::File::options().write(true).open(&copy).unwrap();
    file.set_modified(past).unwrap();
    fs::write(&own, "newer").unwrap();
    world.prepare("s/calendar");
    assert_eq!(text(own), "newer");
    assert_eq!(text(copy.clone()), "newer");
    let aside = copy.with_file_name("entries.json.replaced");
    assert_eq!(text(aside), "older");
    assert_eq!(world.notes("s/calendar"), ["state-replaced"]);
}

/// A skill of another author reads only, and only after an approval.
#[test]
fn another_author_reads_after_an_approval() {
    let world = world("Ada", "Eve");
    world.prepare("s/calendar");
    let [own, copy] = world.entries();
    fs::write(&own, "[1]").unwrap();
    world.prepare("s/briefing");
    assert_eq!(text(copy.clone()), "[]");
    assert_eq!(world.notes("s/briefing"), ["shared-file-withheld"]);
    world.approve("s/briefing");
    world.prepare("s/briefing");
    assert_eq!(text(copy.clone()), "[1]");
    fs::write(&copy, "[2]").unwrap();
    world.prepare("s/briefing");
    world.prepare("s/calendar");
    assert_eq!(text(own), "[1]");
    assert_eq!(text(copy), "[2]");
}

/// Nothing that is not data travels, and nothing that a skill put in place of a file is followed.
#[test]
fn only_data_travels() {
    for (what, expected) in [
        ("#!/bin/sh\n", "[]"),
        ("\u{7f}ELF\0", "[]"),
        ("# Netscape HTTP Cookie File\n", "[]"),
        ("plain", "plain"),
    ] {
        let world = world("Ada", "Ada");
        world.prepare("s/calendar");
        world.prepare("s/briefing");
        let [own, copy] = world.entries();
        fs::write(&copy, what).unwrap();
        world.prepare("s/calendar");
        assert_eq!(text(own), expected, "{what:?}");
    }
    let world = world("Ada", "Ada");
    world.prepare("s/calendar");
    world.prepare("s/briefing");
    let [own, copy] = world.entries();
    world.write("secret", "of the user");
    fs::remove_file(&copy).unwrap();
    symlink(world.dir.path().join("secret"), &copy).unwrap();
    world.prepare("s/calendar");
    assert_eq!(text(own.clone()), "[]");
    fs::remove_file(&copy).unwrap();
    fs::hard_link(world.dir.path().join("secret"), &copy).unwrap();
    world.prepare("s/calendar");
    assert_eq!(text(own.clone()), "[]");
    assert_eq!(world.notes("s/calendar"), ["shared-file-kept"]);
    // Its whole directory leads elsewhere.
    let place = world.state("skills/briefing/beside/Plugin/Calendar");
    fs::remove_dir_all(&place).unwrap();
    symlink(world.dir.path(), &place).unwrap();
    fs::write(&own, "[1]").unwrap();
    world.prepare("s/calendar");
    assert!(!world.dir.path().join("entries.json").exists());
    assert_eq!(text(own), "[1]");
}

/// A skill in another tree, or one that does not name the file, gets nothing.
#[test]
fn skills_elsewhere_share_nothing() {
    let world = world("Ada", "Ada");
    let more = "author: Ada\nrequires: {skills: [calendar]}\n";
    world.skill("s/silent", "Silent", more);
    world.skill(
        "t/briefing",
        "Briefing",
        &format!("author: Ada\n{BRIEFING}"),
    );
    world.prepare("s/calendar");
    let [own, _] = world.entries();
    fs::write(&own, "[1]").unwrap();
    world.prepare("s/silent");
    let silent = world.state("skills/silent/beside/Plugin/Calendar/entries.json");
    assert_eq!(text(silent), "[]");
    world.prepare("t/briefing");
    let there = world.state("skills/briefing/beside/Plugin/Calendar/entries.json");
    assert_eq!(text(there), "entity not found");
}
