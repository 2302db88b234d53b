//! The name of a host that a program asks for, at its certificate: no panic, and the same certificate each time.

use std::sync::OnceLock;

use emulated_internet::Authority;

static AUTHORITY: OnceLock<Authority> = OnceLock::new();

pub(super) fn run(bytes: &[u8]) {
    let Ok(host) = std::str::from_utf8(bytes) else {
        return;
    };
    let authority = AUTHORITY.get_or_init(|| Authority::new().expect("there are random numbers"));
    let first = authority.certificate_of(host);
    if let Some(certificate) = &first {
        assert_eq!(certificate[0], 0x30, "a sequence of DER");
    }
    assert_eq!(authority.certificate_of(host), first, "{host:?}");
}
