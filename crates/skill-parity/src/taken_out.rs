//! The secrets that the migration took out of files (`--secrets redact`).
//!
//! A program may use a file as a whole, such as its digest, so that the plugin with the secret and the skill
//! without it do different things. Both sides therefore get the file as the skill has it, and the result
//! names the file.

use std::collections::BTreeSet;

use skill_executor::package::SkillPackage;
use skill_loader::fs::Root;
use skill_migrator::{redact, redact_values};
use skill_model::scan_secrets;

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

/// Returns true if `text` is what the migration makes of `own`. A secret that it knows from another file
/// is not taken for one here.
fn is_without(own: &str, text: &str) -> bool {
    let hits = scan_secrets(own);
    let values = hits.iter().map(|hit| own[hit.range.clone()].to_owned());
    let values: BTreeSet<String> = values.collect();
    own != text && redact_values(&redact(own), &values) == text
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
        let own = "{\"password\": \"Tr0ub4dor-x9\", \"n\": 1}\n";
        let text = "{\"password\": \"REDACTED\", \"n\": 1}\n";
        check(own, text, true);
        check(own, own, false);
        check(text, text, false);
        check(own, &text.replace("1}", "2}"), false);
        check(own, &text.replace(", \"n\": 1", ""), false);
        check(own, &own.replace('1', "REDACTED"), false);
        check("a=f(x) && g(y)\n", "a=REDACTED\n", false);
        check("a=\n", "a=REDACTED\n", false);
        let key = "-----BEGIN PRIVATE KEY-----\nMIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4w\n-----END PRIVATE KEY-----\n";
        let cut = format!("k: {key}important=1\n");
        check(&cut, &redact(&cut), true);
        check(&cut, "k: REDACTED\n", false);
    }
}
