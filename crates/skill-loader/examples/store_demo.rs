//! A scripted writer that a test can kill or starve of resources from outside.
//!
//! ```text
//! store_demo OUT VERSION [SKILLS [FILES]]    one run: every skill at VERSION
//! store_demo OUT rollback                    restores the state before the last run
//! store_demo OUT finish                      a run that only recovers
//! ```
//!
//! Run it under `strace --inject` to test one failing system call at a time.

use std::error::Error;
use std::path::Path;

use skill_loader::Digest;
use skill_loader::store::{State, Store};
use skill_model::{LockedSkill, LockedSource};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let (Some(out), Some(action)) = (args.get(1), args.get(2)) else {
        return Err("store_demo OUT VERSION|rollback|finish [SKILLS [FILES]]".into());
    };
    let number = |at: usize| args.get(at).map_or(Ok(3), |text| text.parse());
    match action.as_str() {
        "rollback" => {
            Store::rollback(Path::new(out), &mut || ())?;
        }
        "finish" => {
            Store::open(Path::new(out))?.finish()?;
        }
        version => update(Path::new(out), version, number(3)?, number(4)?)?,
    }
    Ok(())
}

fn update(
    out: &Path,
    version: &str,
    n_skills: usize,
    n_files: usize,
) -> Result<(), Box<dyn Error>> {
    let store = Store::open(out)?;
    for n in 0..n_skills {
        let name = format!("skill-{n}");
        let files = files(&name, version, n_files);
        let entry = entry(version, &files);
        if store.locked(&name) == Some(&entry) && store.state(&name)? == State::Clean {
            continue;
        }
        if let State::Edited(edits) = store.state(&name)? {
            return Err(format!("{name} looks edited: {edits:?}").into());
        }
        let mut staging = store.stage(&name)?;
        for (path, text) in &files {
            staging.write(path, text.as_bytes(), false)?;
        }
        store.commit(staging, entry)?;
    }
    store.finish()?;
    Ok(())
}

fn files(name: &str, version: &str, n_files: usize) -> Vec<(String, String)> {
    (0..n_files)
        .map(|n| {
            let path = match n {
                0 => "SKILL.md".to_owned(),
                _ => format!("scripts/{}/{version}-{n}.js", n % 3),
            };
            (path, format!("{name} {version} {n}\n").repeat(n + 1))
        })
        .collect()
}

fn entry(version: &str, files: &[(String, String)]) -> LockedSkill {
    LockedSkill {
        source: LockedSource {
            directory: "plugin".to_owned(),
            manifest: "plugin-manifest.json".to_owned(),
            digest: Digest::from_content(version.as_bytes()).to_string(),
        },
        recipe: Digest::from_content(b"demo").to_string(),
        files: files
            .iter()
            .map(|(path, text)| {
                (
                    path.clone(),
                    Digest::from_content(text.as_bytes()).to_string(),
                )
            })
            .collect(),
        base: None,
        conflicts: Vec::new(),
        hosted: false,
    }
}
