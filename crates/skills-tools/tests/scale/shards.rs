//! A collection in parts.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::collection::{assert_same, lay_out, run, tool};

/// A collection of `n` plugins, and what one run writes of it.
fn collection(n: usize) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("in"), n);
    run(
        &[&path(&dir, "in"), "--out", &path(&dir, "single"), "-q"],
        0,
    );
    dir
}

fn path(dir: &TempDir, name: &str) -> String {
    dir.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn shards_into_one_directory_give_what_one_run_gives() {
    let dir = collection(120);
    for shard in ["2/3", "1/3", "3/3"] {
        let args = [&path(&dir, "in"), "--out", &path(&dir, "out"), "-q"];
        run(&[&args[..], &["--shard", shard]].concat(), 0);
    }
    assert_same(&dir.path().join("single"), &dir.path().join("out"));
}

#[test]
fn shards_that_run_at_the_same_time_wait_for_each_other() {
    let dir = collection(60);
    let children: Vec<_> = ["1/3", "2/3", "3/3"]
        .into_iter()
        .map(|shard| {
            let args = [&path(&dir, "in"), "--out", &path(&dir, "out"), "-q"];
            tool().args(args).args(["--shard", shard]).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_same(&dir.path().join("single"), &dir.path().join("out"));
}

/// Runs each of `n` shards into a directory of its own and merges them.
fn merge(dir: &TempDir, n: usize, more: &[&str], status: i32) {
    let mut outs = Vec::new();
    for at in 1..=n {
        let out = path(dir, &format!("part-{at}"));
        let shard = format!("{at}/{n}");
        let args = [&path(dir, "in"), "--out", &out, "-q", "--shard", &shard];
        run(&args, 0);
        outs.push(out);
    }
    let mut args = vec!["merge-shards"];
    args.extend(outs.iter().map(String::as_str));
    let out = path(dir, "out");
    args.extend(["--out", &out]);
    args.extend(more);
    run(&args, status);
}

#[test]
fn merged_shards_give_what_one_run_gives() {
    let dir = collection(120);
    merge(&dir, 4, &[], 0);
    assert_same(&dir.path().join("single"), &dir.path().join("out"));
    // Nothing is left for a whole run to do, and merging again changes nothing.
    run(
        &[&path(&dir, "in"), "--out", &path(&dir, "out"), "--check"],
        0,
    );
    merge(&dir, 4, &[], 0);
    assert_same(&dir.path().join("single"), &dir.path().join("out"));
}

#[test]
fn more_shards_than_plugins_are_fine() {
    let dir = collection(3);
    merge(&dir, 9, &[], 0);
    assert_same(&dir.path().join("single"), &dir.path().join("out"));
}

#[test]
fn a_plugin_that_is_gone_is_pruned_by_its_shard_and_by_a_merge() {
    let dir = collection(40);
    merge(&dir, 2, &[], 0);
    fs::remove_dir_all(dir.path().join("in/kind-4/Plugin00004")).unwrap();
    for shard in ["1/2", "2/2"] {
        let args = [&path(&dir, "in"), "--out", &path(&dir, "single"), "-q"];
        run(&[&args[..], &["--prune", "--shard", shard]].concat(), 0);
    }
    let skill = "plugin4/SKILL.md";
    assert!(!dir.path().join("single").join(skill).is_file());
    fs::remove_dir_all(dir.path().join("part-1")).unwrap();
    fs::remove_dir_all(dir.path().join("part-2")).unwrap();
    merge(&dir, 2, &[], 0);
    assert!(dir.path().join("out").join(skill).is_file());
    merge(&dir, 2, &["--prune"], 0);
    assert_same(&dir.path().join("single"), &dir.path().join("out"));
}

#[test]
fn a_plugin_that_moved_to_another_shard_is_not_pruned() {
    let dir = collection(16);
    // In eight places, so that some of them are in the other shard.
    for at in 0..8 {
        let place = |at: usize| dir.path().join(format!("in/place-{at}"));
        let from = match at {
            0 => dir.path().join("in/kind-4/Plugin00004"),
            at => place(at - 1),
        };
        fs::rename(from, place(at)).unwrap();
        for shard in ["1/2", "2/2"] {
            let args = [&path(&dir, "in"), "--out", &path(&dir, "single"), "-q"];
            run(&[&args[..], &["--prune", "--shard", shard]].concat(), 0);
            assert!(is_there(&dir, "single/plugin4/SKILL.md"), "{at} {shard}");
        }
    }
}

fn is_there(dir: &TempDir, name: &str) -> bool {
    dir.path().join(name).is_file()
}

#[test]
fn what_was_edited_is_a_conflict_on_either_side() {
    let dir = collection(20);
    merge(&dir, 2, &[], 0);
    let append = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        fs::write(path, text + "edited\n").unwrap();
    };
    append(&dir.path().join("out/plugin4/SKILL.md"));
    let parts = [path(&dir, "part-1"), path(&dir, "part-2")];
    let args = [
        "merge-shards",
        &parts[0],
        &parts[1],
        "--out",
        &path(&dir, "out"),
    ];
    // The same source: the copy here stays as it was edited.
    let output = run(&args, 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("`plugin4`"));
    let text = fs::read_to_string(dir.path().join("out/plugin4/SKILL.md")).unwrap();
    assert!(text.ends_with("edited\n"));
    let of_part = parts
        .iter()
        .map(|part| Path::new(part).join("plugin6/SKILL.md"))
        .find(|path| path.is_file());
    append(&of_part.unwrap());
    let args = [
        "merge-shards",
        &parts[0],
        &parts[1],
        "--out",
        &path(&dir, "new"),
    ];
    let output = run(&args, 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("not as it was written"));
    assert!(!is_there(&dir, "new/plugin6/SKILL.md"));
}
