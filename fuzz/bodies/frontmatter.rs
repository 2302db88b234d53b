//! A SKILL.md: no panic, and what is emitted reads back the same.

use skill_model::{parse_skill, parse_skill_bytes};

pub(super) fn run(bytes: &[u8]) {
    let (Some(skill), _) = parse_skill_bytes(bytes) else {
        return;
    };
    let frontmatter = skill.frontmatter();
    let (again, findings) = parse_skill(&frontmatter.emit("body\n"));
    assert_eq!(findings, []);
    assert_eq!(again.map(|skill| skill.frontmatter()), Some(frontmatter));
}
