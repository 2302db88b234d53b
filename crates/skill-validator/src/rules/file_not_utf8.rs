//! A text file other than `SKILL.md` is not UTF-8.

use skill_diagnostics::{Code, Diagnostic};
use skill_model::decode;

use crate::context::{Context, SKILL_MD};
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("file-not-utf8"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "A text file other than `SKILL.md` is not UTF-8.",
    why: "Readers display other characters than the author wrote, and rules for text cannot check it.",
    example: "notes.md in GBK",
    source: "https://agentskills.io/specification#frontmatter; https://www.rfc-editor.org/rfc/rfc3629",
    check: Check::Skill(check),
};

/// Extensions of text files.
const ENDINGS: [&str; 16] = [
    ".md", ".txt", ".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".json", ".yml", ".yaml", ".toml",
    ".html", ".css", ".rb", ".ps1",
];

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let files = cx.files.read_files();
    let text = files
        .filter(|(path, _)| *path != SKILL_MD && ENDINGS.iter().any(|end| path.ends_with(end)));
    let flawed = text.filter_map(|(path, bytes)| Some((path, decode(bytes).err()?)));
    flawed
        .map(|(path, error)| {
            let mut finding = cx.finding(RULE.code, error.message).in_file(path);
            finding.place.span = error.place.span;
            finding
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn goes_by_endings() {
        let mut files = body("x");
        add(&mut files, "a.png", b"\xFF\xFE");
        add(&mut files, "b.md", b"x\n\xB2\xCE");
        check_rule(&RULE, &files, &["b.md:2:1 byte 0xB2 is not UTF-8"]);
    }
}
