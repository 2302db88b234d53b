//! The skill carries an archive or compiled Python.

use crate::input::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("opaque-file"),
    group: Group::Safety,
    levels: Levels::REMARK,
    what: "The skill carries an archive or compiled Python.",
    why: "Its content is neither reviewed nor checked here.",
    example: "tool.zip",
    source: "docs/design/security.md, \"Files\"",
    check: Check::Skill(check),
};

const ENDINGS: [&str; 12] = [
    ".zip", ".tar", ".tgz", ".gz", ".xz", ".bz2", ".7z", ".rar", ".jar", ".pyc", ".whl", ".asar",
];

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let files = cx
        .files
        .entries
        .iter()
        .filter(|entry| matches!(entry.kind, Kind::File { .. }));
    let opaque = files.filter(|entry| {
        let name = entry.name().to_ascii_lowercase();
        ENDINGS.iter().any(|end| name.ends_with(end))
    });
    opaque
        .map(|entry| {
            let message = "an archive or compiled file, which is not inspected";
            cx.finding(RULE.code, message).in_file(entry.path.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn goes_by_names() {
        let mut files = body("x");
        add(&mut files, "a.ZIP", b"PK");
        add(&mut files, "b.py", b"x");
        check_rule(
            &RULE,
            &files,
            &["a.ZIP an archive or compiled file, which is not inspected"],
        );
    }
}
