//! Flaws that the parser of `SKILL.md` finds. Each rule reports the findings of its code.

use skill_diagnostics::Code;
use skill_model::codes;

use crate::level::{Level, Levels};
use crate::rule::{Check, Group, Rule};

/// The values that most of these rules have.
const PARSING: Rule = Rule {
    code: Code(""),
    group: Group::Specification,
    levels: Levels::FATAL,
    what: "",
    why: "",
    example: "",
    source: "",
    check: Check::Parsing,
};

pub(crate) const DUPLICATE_KEY: Rule = Rule {
    code: codes::DUPLICATE_KEY,
    what: "A key occurs twice in one map.",
    why: "Readers disagree: some take the first value, some the last, some refuse the file.",
    example: "name: a\nname: b",
    source: "https://yaml.org/spec/1.2.2/#3213-node-comparison (keys are unique)",
    ..PARSING
};

pub(crate) const FRONTMATTER_MISSING: Rule = Rule {
    code: codes::FRONTMATTER_MISSING,
    what: "`SKILL.md` does not start with a line that is only `---`.",
    why: "Without frontmatter there is no name and no description, so no client can offer the skill.",
    example: "# Title without frontmatter",
    source: "https://agentskills.io/specification#frontmatter",
    ..PARSING
};

pub(crate) const FRONTMATTER_NOT_A_MAP: Rule = Rule {
    code: codes::FRONTMATTER_NOT_A_MAP,
    what: "The frontmatter is a list or a text instead of keys and values.",
    why: "There is no name and no description in it.",
    example: "- name: my-skill",
    source: "https://agentskills.io/specification#frontmatter",
    ..PARSING
};

pub(crate) const FRONTMATTER_UNCLOSED: Rule = Rule {
    code: codes::FRONTMATTER_UNCLOSED,
    what: "No line after the first is only `---`.",
    why: "The whole file would be YAML, or none of it.",
    example: "---\nname: my-skill\n# Title",
    source: "https://agentskills.io/specification#frontmatter",
    ..PARSING
};

pub(crate) const INVALID_UTF8: Rule = Rule {
    code: codes::INVALID_UTF8,
    levels: Levels::everywhere(Level::Error),
    what: "`SKILL.md` has bytes that are not UTF-8.",
    why: "Readers replace them, stop with a traceback, or take them for other characters; nobody knows what the model sees.",
    example: "a file saved as Latin-1 or UTF-16",
    source: "https://agentskills.io/specification (silent; every reader expects UTF-8)",
    ..PARSING
};

pub(crate) const INVALID_YAML: Rule = Rule {
    code: codes::INVALID_YAML,
    what: "The frontmatter is not YAML, or is larger or deeper than any frontmatter has to be.",
    why: "Clients skip a skill whose frontmatter they cannot parse. The bounds (64 KiB, 32 levels, 20,000 values after alias expansion) keep a hostile file from stopping the reader.",
    example: "description: Use this: when you test",
    source: "https://agentskills.io/specification#frontmatter; https://agentskills.io/client-implementation/adding-skills-support (\"unparseable YAML\")",
    ..PARSING
};

pub(crate) const YAML_REPAIRED: Rule = Rule {
    code: Code("yaml-repaired"),
    levels: Levels::everywhere(Level::Off).lenient(Level::Warning),
    what: "The frontmatter is YAML only after values with a colon are put in quotes.",
    why: "A lenient client repairs it in this way and loads the skill; a strict one does not.",
    example: "description: Use this: when you test",
    source: "https://agentskills.io/client-implementation/adding-skills-support (\"malformed YAML\")",
    ..PARSING
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn reports_the_second() {
        let files = skill_text("---\nname: a\ndescription: b\nname: a\n---\n");
        check_rule(
            &DUPLICATE_KEY,
            &files,
            &["SKILL.md:4:1 `name` occurs twice, expected once"],
        );
    }

    #[test]
    fn wants_the_first_line() {
        let message = "SKILL.md:1:1 the file does not start with frontmatter, expected `---` as its first line";
        check_rule(&FRONTMATTER_MISSING, &skill_text("# Title\n"), &[message]);
        check_rule(
            &FRONTMATTER_MISSING,
            &skill_text("\n---\nname: a\n---\n"),
            &[message],
        );
        check_rule(
            &FRONTMATTER_MISSING,
            &skill_text("\u{feff}---\nname: a\n---\n"),
            &[],
        );
    }

    #[test]
    fn wants_keys() {
        let files = skill_text("---\n- name: a\n---\n");
        check_rule(
            &FRONTMATTER_NOT_A_MAP,
            &files,
            &["SKILL.md:2:1 the frontmatter is a list, expected keys and values"],
        );
    }

    #[test]
    fn wants_a_closing_line() {
        let message =
            "SKILL.md:1:1 the frontmatter is not closed, expected a second line that is only `---`";
        check_rule(
            &FRONTMATTER_UNCLOSED,
            &skill_text("---\nname: a\n\n# T\n"),
            &[message],
        );
        check_rule(&FRONTMATTER_UNCLOSED, &skill_text("---\nname: a\n---"), &[]);
    }

    #[test]
    fn reports_the_place() {
        let files = with_bytes("SKILL.md", b"---\nname: \xE9\n---\n");
        check_rule(
            &INVALID_UTF8,
            &files,
            &["SKILL.md:2:7 byte 0xE9 is not UTF-8"],
        );
    }

    #[test]
    fn gives_a_hint_for_colons() {
        let findings = run(
            &INVALID_YAML,
            &skill_text("---\ndescription: Use this: when\n---\n"),
        );
        let hint = "put the value of `description` in double quotes";
        assert_eq!(findings[0].help.as_deref(), Some(hint));
    }

    #[test]
    fn lenient_clients_load_it() {
        let files = skill_text("---\nname: my-skill\ndescription: Use this: when\n---\n");
        let settings = Settings {
            profile: Profile::Lenient,
            ..Settings::default()
        };
        let report = crate::validate_skill(&files, None, &settings);
        let codes: Vec<_> = report.findings.iter().map(|f| f.code.0).collect();
        assert!(codes.contains(&"yaml-repaired"), "{codes:?}");
        assert!(!codes.contains(&"invalid-yaml"), "{codes:?}");
        assert_eq!(report.summary.description, "Use this: when");
    }
}
