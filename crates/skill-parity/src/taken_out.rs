//! The secrets that the migration took out of files (`--secrets redact`).
//!
//! A program may use a file as a whole, such as its digest, so that the plugin with the secret and the skill
//! without it do different things. Both sides therefore get the file as the skill has it, and the result
//! names the file.

use skill_executor::package::SkillPackage;
use skill_loader::fs::Root;
use skill_model::REDACTED;

/// The finding of a migration that met a secret.
const FOUND: &str = "secret-found";
/// The largest file that is compared, in bytes.
const MAX_FILE: u64 = 8 << 20;

/// Returns the files of `skill` that are those of its plugin without secrets, by path in the directory of the
/// plugin.
pub(crate) fn files(plugin: &Root, skill: &SkillPackage) -> Vec<(String, Vec<u8>)> {
    let metadata = &skill.metadata;
    if !metadata.findings.iter().any(|it| it.code == FOUND) {
        return Vec::new();
    }
    let dir = metadata.entry.as_ref().map_or("", |entry| &entry.dir);
    let file = |path: &String| {
        let rest = path.strip_prefix(dir)?.trim_start_matches('/');
        let bytes = skill.root.read(path, MAX_FILE).ok()?;
        let own = plugin.read(rest, MAX_FILE).ok()?;
        let (own, text) = (str::from_utf8(&own).ok()?, str::from_utf8(&bytes).ok()?);
        is_without(own, text).then(|| (rest.to_owned(), bytes))
    };
    let paths = metadata.files.iter().map(|file| &file.path);
    paths.filter_map(file).collect()
}

/// Returns true if `text` is `own` without secrets: values within a line, or keys in PEM form.
fn is_without(own: &str, text: &str) -> bool {
    let mut pieces = text.split(REDACTED);
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = own.strip_prefix(first) else {
        return false;
    };
    let mut pieces = pieces.peekable();
    let mut has_any = false;
    while let Some(piece) = pieces.next() {
        has_any = true;
        let at = match pieces.peek() {
            None => rest.ends_with(piece).then(|| rest.len() - piece.len()),
            Some(_) => rest.find(piece),
        };
        let is_secret = |taken: &str| !taken.contains('\n') || taken.starts_with("-----BEGIN");
        let Some(at) = at.filter(|at| is_secret(&rest[..*at])) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
    }
    has_any && rest.is_empty() && own != text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(own: &str, text: &str, expected: bool) {
        assert_eq!(is_without(own, text), expected, "{own:?}, {text:?}");
    }

    #[test]
    fn only_secrets_are_missing() {
        check("{\"a\": \"s3\"}", "{\"a\": \"REDACTED\"}", true);
        check("a=s3\nb=s4\n", "a=REDACTED\nb=REDACTED\n", true);
        check("s3", "REDACTED", true);
        check(
            "k: -----BEGIN KEY-----\nx\n-----END KEY-----\n",
            "k: REDACTED\n",
            true,
        );
        check("a=s3\n", "a=s3\n", false);
        check("a=REDACTED\n", "a=REDACTED\n", false);
        check("a=s3\nb=1\n", "a=REDACTED\nb=2\n", false);
        check("a=s3\nb=s4\n", "a=REDACTED\n", false);
        check("b=1", "a=REDACTED", false);
    }
}
