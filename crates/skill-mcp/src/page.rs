//! Cursors of listings: `after:<name>`. They stay good when skills come and go.

const PREFIX: &str = "after:";
/// Longest cursor, in bytes.
const MAX: usize = 1_024;

/// A cursor that goes on after `name`.
pub(crate) fn after(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// Where a listing begins: after this name, or nothing for the beginning. An error if it is no
/// cursor of ours.
pub(crate) fn start(cursor: Option<&str>) -> Result<&str, ()> {
    match cursor {
        None => Ok(""),
        Some(cursor) if cursor.len() <= MAX => cursor.strip_prefix(PREFIX).ok_or(()),
        Some(_) => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_leads_on() {
        assert_eq!(start(Some(&after("x"))), Ok("x"));
        assert_eq!(start(None), Ok(""));
        assert_eq!(start(Some("x")), Err(()));
        assert_eq!(start(Some(&after(&"x".repeat(2_000)))), Err(()));
    }
}
