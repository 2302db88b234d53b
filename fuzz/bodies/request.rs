//! A request of an agent: no panic, and a name that is one comes back as it was asked for.

use skill_loader::request::parse_request;

pub(super) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Some(request) = parse_request(text) {
        assert!(!request.skill_name.trim().is_empty() || text.contains('&'));
    }
    let escaped = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let whole = format!("<skill_request><skill_name>{escaped}</skill_name></skill_request>");
    let again = parse_request(&whole).map(|request| request.skill_name);
    let wanted = Some(text.trim().to_owned()).filter(|name| !name.is_empty());
    assert_eq!(again, wanted);
}
