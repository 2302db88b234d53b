//! The importance of a part of a skill's body if not all of it fits.

use super::heading::plain;

/// From kept first to dropped first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Weight {
    /// Triggers, steps, acceptance, self-check, index of resources.
    Needed,
    /// Anything else.
    Other,
    /// The first example.
    Example,
    /// Background and the examples after the first.
    Background,
}

/// Words in titles of parts with instructions.
const NEEDED: [&str; 47] = [
    "trigger",
    "when to",
    "activation",
    "step",
    "workflow",
    "procedure",
    "process",
    "instruction",
    "how to",
    "quick start",
    "quickstart",
    "usage",
    "rule",
    "constraint",
    "acceptance",
    "criteria",
    "definition of done",
    "output format",
    "self-check",
    "self check",
    "selfcheck",
    "checklist",
    "verif",
    "resource",
    "reference",
    "files",
    "scripts",
    "触发",
    "何时",
    "使用场景",
    "适用",
    "步骤",
    "流程",
    "操作",
    "用法",
    "规则",
    "约束",
    "验收",
    "标准",
    "自检",
    "自查",
    "检查",
    "核对",
    "资源",
    "索引",
    "参考",
    "文件",
];
/// Words in titles of parts that explain the reasons.
const BACKGROUND: [&str; 15] = [
    "background",
    "history",
    "motivation",
    "rationale",
    "introduction",
    "changelog",
    "acknowledg",
    "further reading",
    "credits",
    "背景",
    "历史",
    "动机",
    "引言",
    "前言",
    "致谢",
];
/// Words in titles of examples.
const EXAMPLES: [&str; 6] = ["example", "sample", "demo", "示例", "例子", "范例"];

/// Returns the weight of a title; `n_examples` counts the examples so far.
pub(super) fn weigh(title: &str, n_examples: &mut usize) -> Option<Weight> {
    let title = plain(title);
    let has = |words: &[&str]| words.iter().any(|word| title.contains(word));
    if has(&BACKGROUND) {
        return Some(Weight::Background);
    }
    if has(&EXAMPLES) {
        *n_examples += 1;
        return Some(if *n_examples == 1 {
            Weight::Example
        } else {
            Weight::Background
        });
    }
    has(&NEEDED).then_some(Weight::Needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_tell_what_a_part_is_for() {
        let mut n_examples = 0;
        for (title, expected) in [
            ("When to use", Some(Weight::Needed)),
            ("自检清单", Some(Weight::Needed)),
            ("Acceptance criteria", Some(Weight::Needed)),
            ("Example: usage", Some(Weight::Example)),
            ("示例二", Some(Weight::Background)),
            ("背景", Some(Weight::Background)),
            ("Notes", None),
        ] {
            assert_eq!(weigh(title, &mut n_examples), expected, "{title}");
        }
    }
}
