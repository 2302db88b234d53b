//! Crash tests with real processes that are killed.
//!
//! The test program starts itself again as a child (`child` below, directed by a variable), so that
//! no other program has to be built. `SKILL_STORE_KILLS` sets the number of killed children; 100 by
//! default.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test that starts processes and looks at files from outside"
)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use skill_loader::Digest;
use skill_loader::fs::{Root, WalkLimits};
use skill_loader::store::{State, Store, StoreError};
use skill_model::{LockedSkill, LockedSource};

const VARIABLE: &str = "SKILL_STORE_CHILD";
const N_SKILLS: usize = 12;
const N_FILES: usize = 8;
const N_THREADS: usize = 4;

/// The files of one skill in one version. Each third version has one skill less.
fn wanted(n: usize, version: u64) -> Option<BTreeMap<String, String>> {
    if version.is_multiple_of(3) && n as u64 == version / 3 % N_SKILLS as u64 {
        return None;
    }
    let files = (0..N_FILES).map(|file| {
        let path = match file {
            0 => "SKILL.md".to_owned(),
            _ => format!("scripts/{}/{}-{file}.js", file % 3, version % 5),
        };
        (
            path,
            format!("{n} {version} {file}\n").repeat(50 * file + 1),
        )
    });
    Some(files.collect())
}

fn entry(files: &BTreeMap<String, String>) -> LockedSkill {
    let digests = files.iter().map(|(path, text)| {
        (
            path.clone(),
            Digest::from_content(text.as_bytes()).to_string(),
        )
    });
    LockedSkill {
        source: LockedSource {
            directory: "plugin".to_owned(),
            manifest: "plugin-manifest.json".to_owned(),
            digest: Digest::from_content(b"").to_string(),
        },
        recipe: Digest::from_content(b"").to_string(),
        files: digests.collect(),
        base: None,
        conflicts: Vec::new(),
        hosted: false,
    }
}

/// One run. A skill that looks edited by hand is an error.
fn update(out: &Path, version: u64) -> Result<(), StoreError> {
    let store = Store::open(out)?;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..N_THREADS)
            .map(|thread| {
                let store = &store;
                scope.spawn(move || {
                    (thread..N_SKILLS)
                        .step_by(N_THREADS)
                        .try_for_each(|n| update_one(store, n, version))
                })
            })
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap())
    })?;
    store.finish()?;
    Ok(())
}

fn update_one(store: &Store, n: usize, version: u64) -> Result<(), StoreError> {
    let name = format!("skill-{n}");
    let state = store.state(&name)?;
    assert!(
        matches!(state, State::Absent | State::Clean),
        "{name} at {version}: {state:?}"
    );
    let Some(files) = wanted(n, version) else {
        return store.remove(&name).map(drop);
    };
    let entry = entry(&files);
    if state == State::Clean && store.locked(&name) == Some(&entry) {
        return Ok(());
    }
    let mut staging = store.stage(&name)?;
    for (path, text) in &files {
        staging.write(path, text.as_bytes(), false)?;
    }
    store.commit(staging, entry).map(drop)
}

/// Not a test: the entry point of a child process.
#[test]
fn child() {
    let Ok(order) = std::env::var(VARIABLE) else {
        return;
    };
    let mut words = order.split(' ');
    let (action, out) = (words.next().unwrap(), Path::new(words.next().unwrap()));
    match action {
        "rollback" => drop(Store::rollback(out, &mut || ()).unwrap()),
        "umask" => {
            rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
            update(out, 1).unwrap();
        }
        version => update(out, version.parse().unwrap()).unwrap(),
    }
}

fn start(order: &str, out: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child"])
        .env(VARIABLE, format!("{order} {}", out.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns each skill as the text of all its files.
fn skills(out: &Path) -> BTreeMap<String, String> {
    let Ok(root) = Root::open(out) else {
        return BTreeMap::new();
    };
    let mut res = BTreeMap::new();
    let listing = root
        .walk("", &WalkLimits::default(), &|path| path.starts_with('.'))
        .unwrap();
    for entry in listing.entries {
        let Some((skill, path)) = entry.path.split_once('/') else {
            continue;
        };
        let text: &mut String = res.entry(skill.to_owned()).or_default();
        if let Ok(bytes) = root.read(&entry.path, u64::MAX) {
            text.push_str(path);
            text.push_str(&String::from_utf8(bytes).unwrap());
        }
    }
    res
}

fn skill_of(n: usize, version: u64) -> Option<String> {
    let files = wanted(n, version)?;
    let texts: Vec<String> = files.into_iter().flat_map(<[String; 2]>::from).collect();
    Some(texts.concat())
}

/// A simple generator; the outcome depends on timing anyway.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound.max(1)
    }
}

fn n_kills() -> u64 {
    std::env::var("SKILL_STORE_KILLS").map_or(100, |text| text.parse().unwrap())
}

#[test]
fn a_killed_run_leaves_every_skill_old_or_new() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("skills");
    let took: [Duration; 3] = ["1", "2", "1"].map(|version| {
        let began = Instant::now();
        assert!(start(version, &out).wait().unwrap().success());
        began.elapsed()
    });
    let shortest = took.into_iter().min().unwrap();
    let longest = u64::try_from(shortest.as_micros()).unwrap() * 12 / 10;
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for version in 2..n_kills() + 2 {
        let before = skills(&out);
        let mut child = start(&version.to_string(), &out);
        std::thread::sleep(Duration::from_micros(dice.below(longest)));
        let _ = child.kill();
        child.wait().unwrap();
        let after = skills(&out);
        for n in 0..N_SKILLS {
            let name = format!("skill-{n}");
            let got = after.get(&name).cloned();
            let is_whole = got == before.get(&name).cloned() || got == skill_of(n, version);
            assert!(is_whole, "{name} is torn at version {version}");
        }
        if dice.below(2) == 0 {
            // The next child repairs, and may be killed while it does.
            continue;
        }
        assert_intact(&out);
        if dice.below(2) == 0 {
            let mut child = start("rollback", &out);
            std::thread::sleep(Duration::from_micros(dice.below(longest)));
            let _ = child.kill();
            child.wait().unwrap();
            assert_intact(&out);
        }
    }
}

/// Checks that every skill matches its entry, and that no other file is left.
fn assert_intact(out: &Path) {
    let seen = Store::open_read_only(out).unwrap().lock().clone();
    let store = Store::open(out).unwrap();
    // Opening the store completes an interrupted rollback and changes nothing else.
    let goes_on = store
        .recovery()
        .is_some_and(|recovery| recovery.rolled_back);
    assert!(
        goes_on || store.lock() == &seen,
        "the read-only view differs"
    );
    let there = skills(out);
    assert!(there.keys().eq(store.lock().skills.keys()));
    for name in there.keys() {
        assert_eq!(store.state(name).unwrap(), State::Clean, "{name}");
    }
    assert!(!store.finish().unwrap());
    for entry in fs::read_dir(out.join(".skills-migrate")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_kept = [".gitignore", "base", "lock", "previous", "stamps"].contains(&name.as_str());
        assert!(is_kept, "{name} was left");
    }
}

#[test]
fn eight_writers_at_once_tear_nothing() {
    const N_ROUNDS: u64 = 5;
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("skills");
    for round in 0..N_ROUNDS {
        let versions: Vec<u64> = (1..=8).map(|writer| round * 8 + writer).collect();
        let children: Vec<Child> = versions
            .iter()
            .map(|version| start(&version.to_string(), &out))
            .collect();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        let got = skills(&out);
        let is_one_version = versions.iter().any(|version| {
            (0..N_SKILLS).all(|n| got.get(&format!("skill-{n}")).cloned() == skill_of(n, *version))
        });
        assert!(is_one_version, "a mixture after round {round}");
        assert_intact(&out);
    }
}

#[test]
fn modes_do_not_depend_on_the_umask() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("skills");
    fs::create_dir(&out).unwrap();
    assert!(start("umask", &out).wait().unwrap().success());
    for (path, want) in [
        ("skill-1", 0o755),
        ("skill-1/scripts/1", 0o755),
        ("skill-1/SKILL.md", 0o644),
        ("skills.lock", 0o644),
    ] {
        let mode = fs::metadata(out.join(path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, want, "{path}");
    }
}
