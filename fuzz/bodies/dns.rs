//! A query of a child to the resolver: no panic, an answer to each query and to nothing else, as long as its
//! question at most.

use std::net::Ipv4Addr;

use skill_sandbox::dns::{LONGEST, answer};

/// The longest answer besides its question: a header of 12 bytes and a record of 16.
const OWN: usize = 28;

pub(super) fn run(bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let known = |name: &str| {
        assert!(name.len() <= 255, "{name}");
        assert!(
            !name.ends_with('.') && name == name.to_ascii_lowercase(),
            "{name}"
        );
        (!name.starts_with('b')).then_some(Ipv4Addr::LOCALHOST)
    };
    let Some(found) = answer(bytes, known) else {
        assert!(bytes.len() < 12 || bytes[2] & 0x80 != 0, "{bytes:?}");
        return;
    };
    assert_eq!(found[..2], bytes[..2], "the number of the query");
    assert!(found.len() <= bytes.len() + OWN, "{found:?}");
    assert_eq!(answer(&found, known), None, "an answer is no query");
}
