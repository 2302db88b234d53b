//! `SKILL.md` has more than 500 lines, or its body more than 5,000 tokens.

use skill_diagnostics::{Code, Diagnostic};
use skill_tokens::{Estimator, TokenCounter as _};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("body-too-long"),
    group: Group::Quality,
    levels: Levels::ADVICE,
    what: "`SKILL.md` has more than 500 lines, or its body more than 5,000 tokens.",
    why: "The whole body enters the context when the skill is activated; what is not always needed belongs into `references/`.",
    example: "a reference manual in the body",
    source: "https://agentskills.io/specification#progressive-disclosure (\"< 5000 tokens recommended\", \"under 500 lines\")",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let n_lines = cx.text.lines().count();
    // No token is shorter than a byte.
    let n_tokens = match cx.body().len() {
        n_bytes if n_bytes <= cx.settings.max_tokens => n_bytes,
        _ => Estimator::default().count(cx.body()),
    };
    let (max_lines, max_tokens) = (cx.settings.max_lines, cx.settings.max_tokens);
    let message = if n_lines > max_lines {
        format!("the file has {n_lines} lines, expected at most {max_lines}")
    } else if n_tokens > max_tokens {
        format!("the body has about {n_tokens} tokens, expected at most {max_tokens}")
    } else {
        return Vec::new();
    };
    let start = cx.body_start();
    vec![
        cx.at(RULE.code, start..start, message)
            .with_help("move details into files under `references/`"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn counts_lines_and_tokens() {
        check_rule(&RULE, &body("short\n"), &[]);
        check_rule(&RULE, &body(&"x\n".repeat(496)), &[]);
        check_rule(
            &RULE,
            &body(&"x\n".repeat(600)),
            &["SKILL.md:5:1 the file has 604 lines, expected at most 500"],
        );
        // A token of two characters in six bytes.
        check_rule(&RULE, &body(&"计算".repeat(4000)), &[]);
        check_rule(
            &RULE,
            &body(&"计算".repeat(6000)),
            &["SKILL.md:5:1 the body has about 6000 tokens, expected at most 5000"],
        );
        check_rule(
            &RULE,
            &body(&"a word, ".repeat(2500)),
            &["SKILL.md:5:1 the body has about 7501 tokens, expected at most 5000"],
        );
    }
}
