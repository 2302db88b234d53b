//! Cursors of listings: `after:<name>`. They stay valid when skills are added or removed.

const PREFIX: &str = "after:";
/// The maximum length of a cursor, in bytes.
const MAX: usize = 1_024;

/// Returns the cursor of the items after `name`.
pub(crate) fn after(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// Returns the name after which a listing continues, or an empty string for its beginning. An error
/// means that this is not a cursor of ours.
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
