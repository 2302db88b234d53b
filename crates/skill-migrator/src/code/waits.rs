//! The time for which a program itself waits: `timeout: 180000`, a number of attempts with a pause.

use super::analysis::Analysis;
use super::arguments::Reader;
use super::facts::Language;
use super::lexer::Token;

/// Longer times are not those of a call, in seconds.
const MAX: f64 = 1_800.0;

/// Returns the longest time for which the code waits for one answer, in seconds.
pub(crate) fn longest_wait(code: &Analysis<'_, '_>) -> Option<u64> {
    let all = code
        .readers
        .iter()
        .flat_map(|reader| (0..reader.tokens.len()).filter_map(|at| wait(reader, at)));
    let found = all.filter(|it| *it <= MAX).max_by(f64::total_cmp);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the maximum"
    )]
    found.map(|seconds| seconds.ceil() as u64)
}

/// Returns the time that a request at a position may take, in seconds.
fn wait(reader: &Reader<'_, '_>, at: usize) -> Option<f64> {
    use Token::{Sign, Word};
    let is_python = reader.language == Language::Python;
    let (value, end) = match reader.tokens[at..] {
        [Word("timeout"), Sign(':'), Word(value), Sign(end), ..] if !is_python => (value, end),
        [Word("timeout"), Sign('='), Word(value), Sign(end), ..] if is_python => (value, end),
        [
            Word("AbortSignal"),
            Sign('.'),
            Word("timeout"),
            Sign('('),
            Word(value),
            Sign(end),
            ..,
        ] => (value, end),
        _ => return None,
    };
    let is_whole = matches!(end, ',' | '}' | ')');
    let number: f64 = value.replace('_', "").parse().ok().filter(|_| is_whole)?;
    Some(if is_python { number } else { number / 1_000.0 })
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn times_that_code_waits() {
        let check = |path: &str, code: &str, expected: Option<u64>| {
            let found = of_file(path, code, |analysis: &Analysis<'_, '_>| {
                longest_wait(analysis)
            });
            assert_eq!(found, expected, "{code}");
        };
        check(
            "a.js",
            "axios.post(u, b, { timeout: 180_000 }); get({ timeout: 5000, a })",
            Some(180),
        );
        check(
            "a.js",
            "fetch(u, { signal: AbortSignal.timeout(90000) })",
            Some(90),
        );
        check(
            "a.js",
            "get({ timeout: 60 * 1000 }); get({ timeout: T })",
            None,
        );
        check(
            "a.py",
            "requests.get(u, timeout=300)\nx(timeout=90000)\n",
            Some(300),
        );
        check("a.py", "x = {'a': 1}\n", None);
    }
}
