//! A file of the skill has another name on the disk.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("hard-link"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "A file has another name on the disk (a hard link).",
    why: "It may be any file of the machine, so it is neither read, nor served, nor packed; a copy works everywhere.",
    example: "ln /etc/hosts references/hosts.md",
    source: "docs/design/security.md, \"Files\"",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let files = cx.files.hard_links.iter();
    let finding = |path: &String| {
        let message = "the file has another name (a hard link), expected a copy".to_owned();
        let finding = cx.finding(RULE.code, message).in_file(path.clone());
        finding.with_help("replace it with a copy: cp FILE copy && mv copy FILE")
    };
    files.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn reports_files_with_other_names() {
        let mut files = body("x");
        check_rule(&RULE, &files, &[]);
        files.hard_links.push("a.md".to_owned());
        check_rule(
            &RULE,
            &files,
            &["a.md the file has another name (a hard link), expected a copy"],
        );
    }
}
