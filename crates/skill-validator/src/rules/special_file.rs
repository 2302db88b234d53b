//! The skill has a pipe, a socket or a device.

use crate::input::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("special-file"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "The skill has a pipe, a socket or a device.",
    why: "Programs that read it may wait indefinitely.",
    example: "mkfifo pipe",
    source: "docs/design/security.md, \"Files\"",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let special = cx
        .files
        .entries
        .iter()
        .filter(|entry| entry.kind == Kind::Special);
    special
        .map(|entry| {
            let message = "a pipe, socket or device, expected a regular file";
            cx.finding(RULE.code, message).in_file(entry.path.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_regular_files() {
        let mut files = body("x");
        files.entries.push(Entry {
            path: "p".to_owned(),
            kind: Kind::Special,
        });
        check_rule(
            &RULE,
            &files,
            &["p a pipe, socket or device, expected a regular file"],
        );
    }
}
