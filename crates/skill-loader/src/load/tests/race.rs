//! Files and directories swapped for links while they are read.

use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

/// Number of reads during the swaps.
const N_READS: usize = 4_000;

/// Swaps `name` for a link to `target` and back until `stop` is set; returns the number of swaps.
fn swap(dir: &Path, name: &str, target: &str, stop: &AtomicBool) -> usize {
    let (real, link) = (dir.join("..real"), dir.join("..link"));
    let name = dir.join(name);
    symlink(target, &link).unwrap();
    let mut n_swaps = 0;
    while !stop.load(Ordering::Relaxed) {
        fs::rename(&name, &real).unwrap();
        fs::rename(&link, &name).unwrap();
        fs::rename(&name, &link).unwrap();
        fs::rename(&real, &name).unwrap();
        n_swaps += 2;
    }
    n_swaps
}

/// Reads while `name` in the skill is swapped; only the skill's own text may be returned.
#[track_caller]
fn check(beneath: &str, name: &str, target: &str) {
    let (dir, place) = skill("OURS\n", "OURS\n");
    fs::create_dir_all(dir.path().join("outside/references")).unwrap();
    for path in ["SKILL.md", "references/guide.md", "guide.md"] {
        let text = format!("{HEADER}SECRET");
        fs::write(dir.path().join("outside").join(path), text).unwrap();
    }
    let stop = AtomicBool::new(false);
    let n_swaps = std::thread::scope(|scope| {
        let swapping = scope.spawn(|| swap(&dir.path().join(beneath), name, target, &stop));
        for _ in 0..N_READS {
            read_both(&place);
        }
        stop.store(true, Ordering::Relaxed);
        swapping.join().unwrap()
    });
    assert!(n_swaps > 100, "only {n_swaps} swaps");
}

fn read_both(place: &SkillPlace) {
    let (all, limits) = (Selection::default(), Limits::default());
    let path = "references/guide.md";
    for result in [
        load_skill_body(place, &all, &limits),
        load_resource(place, path, &all, &limits),
    ] {
        match result {
            Ok(loaded) => assert_eq!(loaded.text, "OURS\n"),
            Err(error) => {
                let code = error.code().0;
                assert!(["path-traversal-blocked", "io"].contains(&code), "{error}");
            }
        }
    }
}

#[test]
fn a_file_swapped_for_a_link() {
    check(
        "skills/a-skill/references",
        "guide.md",
        "../../../outside/guide.md",
    );
    check("skills/a-skill", "SKILL.md", "../../outside/SKILL.md");
}

#[test]
fn a_directory_swapped_for_a_link() {
    check("skills/a-skill", "references", "../../outside/references");
    check("skills", "a-skill", "../outside");
}

#[test]
fn the_root_swapped_for_a_link() {
    check("", "skills", "outside");
}

#[test]
fn a_growing_file_is_bounded() {
    let (dir, place) = skill("x\n", "");
    let limits = Limits {
        file_bytes: 1000,
        ..Limits::default()
    };
    let path = dir.path().join("skills/a-skill/references/guide.md");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                fs::write(&path, "x".repeat(n % 2000)).unwrap();
            }
        });
        for _ in 0..N_READS {
            match load_resource(
                &place,
                "references/guide.md",
                &Selection::default(),
                &limits,
            ) {
                Ok(loaded) => assert!(loaded.report.bytes_read <= 1000),
                Err(error) => assert_eq!(error.code(), codes::FILE_TOO_LARGE),
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}
