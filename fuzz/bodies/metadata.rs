//! A METADATA.yml: no panic, and what is emitted reads back the same.

use skill_model::read_metadata;

pub(super) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let (Some(metadata), _) = read_metadata(text) {
        let (again, _) = read_metadata(&metadata.to_yaml());
        assert_eq!(again, Some(metadata));
    }
}
