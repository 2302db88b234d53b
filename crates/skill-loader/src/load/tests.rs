//! Hostile names and trees, races, and the results of reads.
#![expect(
    clippy::disallowed_methods,
    reason = "what is read here must be made by other means"
)]

mod hostile;
mod race;
mod texts;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;

use super::*;
use crate::fs::Root;

const HEADER: &str = "---\nname: a-skill\ndescription: Does it.\n---\n";

/// `skills/a-skill` with a body and a resource, in a directory of its own.
fn skill(body: &str, resource: &str) -> (TempDir, SkillPlace) {
    let dir = tempfile::tempdir().unwrap();
    let skill = dir.path().join("skills/a-skill");
    fs::create_dir_all(skill.join("references")).unwrap();
    fs::write(skill.join("SKILL.md"), format!("{HEADER}{body}")).unwrap();
    fs::write(skill.join("references/guide.md"), resource).unwrap();
    let place = place(dir.path());
    (dir, place)
}

fn place(dir: &Path) -> SkillPlace {
    let root = Root::open(&dir.join("skills")).unwrap();
    SkillPlace::directory(Arc::new(root), "a-skill")
}

fn section(name: &str) -> Selection {
    Selection {
        section: Some(name.to_owned()),
        cursor: None,
    }
}
