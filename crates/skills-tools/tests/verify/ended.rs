//! Runs of `verify` that a signal ends.

use skill_testing::tool;
use std::fs;
use std::path::PathBuf;

use skill_testing::find;

use super::Collection;

/// Returns the names of the directories of runs.
fn scratch(collection: &Collection) -> Vec<String> {
    let all = fs::read_dir(collection.path("tmp")).unwrap().flatten();
    let names = all.map(|entry| entry.file_name().into_string().unwrap());
    names
        .filter(|name| name.starts_with("skills-verify-"))
        .collect()
}

/// Looks for at most half a minute.
fn until(is_so: impl Fn() -> bool) -> bool {
    for _ in 0..3_000 {
        if is_so() {
            return true;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    false
}

/// A run that ends while a plugin runs records nothing, and what it leaves goes with the next.
#[test]
fn a_run_that_is_ended_leaves_nothing() {
    if find::python().is_none() {
        return;
    }
    let collection = Collection::new();
    let endless = "import os, time\nopen('new', 'w').write(str(os.getpid()))\nos.rename('new', 'begun')\ntime.sleep(600)\n";
    collection.write("plugins/Ledger/main.py", endless);
    collection.tool(&["plugins", "--out", "skills", "--quiet"]);
    collection.write("tmp/other", "x");
    let mut arguments = vec!["verify", "plugins", "skills", "--sandbox", "none"];
    arguments.extend(["--cases", "cases.json"]);
    // Where the plugins that run say their numbers.
    let begun = || -> Vec<PathBuf> {
        let runs = scratch(&collection).into_iter();
        let runs = runs.filter_map(|name| fs::read_dir(collection.path("tmp").join(name)).ok());
        let files = runs.flatten().flatten();
        let files = files.map(|pair| pair.path().join("run/legacy/Plugin/Ledger/begun"));
        files.filter(|file| file.exists()).collect()
    };
    for (signal, status, left) in [("-KILL", None, 1), ("-TERM", Some(2), 0)] {
        let mut tool = std::process::Command::new(tool!("skills-migrate"))
            .args(&arguments)
            .current_dir(collection.0.path())
            .env("TMPDIR", collection.path("tmp"))
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let is_begun = until(|| !begun().is_empty());
        let id = tool.id().to_string();
        let killed = std::process::Command::new("kill")
            .args([signal, &id])
            .status();
        if !is_begun {
            tool.kill().unwrap();
        }
        let ended = tool.wait().unwrap();
        assert!(is_begun && killed.unwrap().success(), "{signal}");
        assert_eq!(
            (ended.code(), scratch(&collection).len()),
            (status, left),
            "{signal}"
        );
        // Nobody is left to end the plugin of the run that was killed.
        for file in begun() {
            let id = fs::read_to_string(&file).unwrap();
            let _ = std::process::Command::new("kill")
                .args(["-KILL", &id])
                .status();
            fs::remove_file(file).unwrap();
        }
    }
    assert!(
        !collection
            .path("skills/.skills-migrate/parity.json")
            .exists()
    );
}
