//! The file list in `METADATA.yml` differs from the files of the skill.

use crate::input::Kind;
use skill_diagnostics::{Code, Diagnostic};
use skill_model::{Digest, FileRecord};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("metadata-files"),
    group: Group::Metadata,
    levels: Levels::ADVICE,
    what: "The file list in `METADATA.yml` differs from the files of the skill.",
    why: "A file was changed, added or deleted after the list was written.",
    example: "files: [{path: scripts/gone.py}]",
    source: "skill_model::Metadata::files",
    check: Check::Skill(check),
};

/// Maximum number of findings.
const MAX: usize = 10;

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let files = cx
        .metadata_reading()
        .map(|reading| reading.metadata.files.as_slice());
    let flaws = files
        .unwrap_or_default()
        .iter()
        .filter_map(|record| flaw(cx, record));
    flaws
        .take(MAX)
        .map(|message| super::sources::at_metadata(cx, cx.finding(RULE.code, message), "files"))
        .collect()
}

fn flaw(cx: &Context<'_>, record: &FileRecord) -> Option<String> {
    let path = record.path.escape_debug();
    let Some(entry) = cx.files.entry(&record.path) else {
        return Some(format!("`{path}` is listed and does not exist"));
    };
    let Kind::File { size, .. } = entry.kind else {
        return Some(format!("`{path}` is listed and is not a file"));
    };
    if size != record.bytes {
        return Some(format!(
            "`{path}` has {size} bytes, the list says {}",
            record.bytes
        ));
    }
    let digest = Digest::from_content(entry.bytes()?).hex();
    let listed = record.sha256.trim_start_matches("sha256:");
    (digest != listed && !listed.is_empty())
        .then(|| format!("`{path}` has another digest than listed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_the_same_bytes() {
        let list = |path: &str, bytes: usize, sha: &str| {
            metadata(&format!(
                "files:\n  - path: {path}\n    bytes: {bytes}\n    sha256: \"{sha}\"\n"
            ))
        };
        let sha = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
        let with = |mut files: SkillFiles| {
            add(&mut files, "a.py", b"x");
            files
        };
        check_rule(&RULE, &with(list("a.py", 1, sha)), &[]);
        check_rule(
            &RULE,
            &with(list("a.py", 1, &sha.replace('2', "3"))),
            &["METADATA.yml:1:1 `a.py` has another digest than listed"],
        );
        check_rule(
            &RULE,
            &with(list("a.py", 9, sha)),
            &["METADATA.yml:1:1 `a.py` has 1 bytes, the list says 9"],
        );
        check_rule(
            &RULE,
            &with(list("b.py", 1, sha)),
            &["METADATA.yml:1:1 `b.py` is listed and does not exist"],
        );
    }
}
