//! A SKILL.md and a METADATA.yml: no panic, and what is emitted reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skill_model::{parse_skill, parse_skill_bytes, read_metadata};

fuzz_target!(|bytes: &[u8]| {
    let (skill, _) = parse_skill_bytes(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Some(skill) = skill {
        let frontmatter = skill.frontmatter();
        let (again, findings) = parse_skill(&frontmatter.emit("body\n"));
        assert_eq!(findings, []);
        assert_eq!(again.map(|skill| skill.frontmatter()), Some(frontmatter));
    }
    if let (Some(metadata), _) = read_metadata(text) {
        let (again, _) = read_metadata(&metadata.to_yaml());
        assert_eq!(again, Some(metadata));
    }
});
