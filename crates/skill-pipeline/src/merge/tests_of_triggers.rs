//! Merges the tests of a skill by their rows, so that they never wait for a decision.

use serde_json::Value;
use serde_json::value::RawValue;
use skill_migrator::triggers_text;

/// Returns the rows of `ours` without those that the plugin took back, and with those that it added.
/// `None` if nothing changes, or if `ours` is not a list of rows.
pub(super) fn rows_of_tests(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let own: Vec<&RawValue> = serde_json::from_str(ours).ok()?;
    let [base, theirs] = [base, theirs].map(rows);
    let is_in =
        |rows: &[&RawValue], row: &RawValue| rows.iter().any(|other| query(other) == query(row));
    let is_unchanged = |row: &RawValue| base.iter().any(|other| other.get() == row.get());
    let (kept, n_own): (Vec<&RawValue>, _) = {
        let kept = own.iter().copied();
        let kept = kept.filter(|row| is_in(&theirs, row) || !is_unchanged(row));
        (kept.collect(), own.len())
    };
    let added = theirs.iter().copied();
    let added: Vec<&RawValue> = added
        .filter(|row| !is_in(&base, row) && !is_in(&own, row))
        .collect();
    if kept.len() == n_own && added.is_empty() {
        return None;
    }
    let rows: Vec<&str> = kept.iter().chain(&added).map(|row| row.get()).collect();
    Some(triggers_text(&rows))
}

fn rows(text: &str) -> Vec<&RawValue> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Returns what a row asks.
fn query(row: &RawValue) -> Option<String> {
    let row: Value = serde_json::from_str(row.get()).ok()?;
    Some(row.get("query")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests as their queries; one with `!` was edited by hand.
    fn text(queries: &str) -> String {
        let rows = queries.split_whitespace().map(|query| {
            let should_trigger = !query.ends_with('!');
            let query = query.trim_end_matches('!');
            format!("{{\"query\": \"{query}\", \"should_trigger\": {should_trigger}}}")
        });
        triggers_text(&rows.collect::<Vec<_>>())
    }

    #[track_caller]
    fn check(base: &str, ours: &str, theirs: &str, expected: Option<&str>) {
        let merged = rows_of_tests(&text(base), &text(ours), &text(theirs));
        assert_eq!(merged, expected.map(text), "{base} / {ours} / {theirs}");
    }

    #[test]
    fn rows_of_both_sides_are_kept() {
        check("a b", "a b x", "a b c", Some("a b x c"));
        check("a b", "a x", "a b c", Some("a x c"));
        check("a b", "a b x", "a", Some("a x"));
        check("a b", "a b! x", "a", None);
        check("a", "a! x", "a", None);
        check("", "x", "a", Some("x a"));
        check("", "a! x", "a", None);
    }

    #[test]
    fn a_file_that_is_no_list_stays() {
        assert_eq!(rows_of_tests("", "{\"tests\": []}", &text("a")), None);
        assert_eq!(rows_of_tests("", "not JSON", &text("a")), None);
    }
}
