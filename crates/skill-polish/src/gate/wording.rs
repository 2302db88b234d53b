//! The wording of a slot: nothing of the old host, no filler, nothing twice, no orders to the agent.

use skill_wording::{filler, host_residue, overlap};

use crate::slots::{SlotKind, Slots};

/// Words with which a text would steer the agent instead of describing the skill.
const ORDERS: [&str; 16] = [
    "ignore previous",
    "ignore all",
    "ignore the",
    "disregard",
    "system prompt",
    "do not tell the user",
    "without asking",
    "always use this",
    "instead of other",
    "best skill",
    "忽略以上",
    "忽略之前",
    "系统提示",
    "不要告诉用户",
    "优先使用本",
    "无需用户同意",
];

/// The words for what a skill no longer is.
const SELVES: [&str; 5] = ["插件", "plugin", "占位符", "placeholder", "manifest"];

pub(super) fn check(kind: SlotKind, text: &str) -> Result<(), String> {
    if let Some(range) = host_residue(text) {
        return Err(format!("has `{}`, a word of the old host", &text[range]));
    }
    if let Some(range) = filler(text) {
        return Err(format!(
            "has `{}`, which is true of every skill",
            &text[range]
        ));
    }
    let lower = text.to_lowercase();
    if let Some(order) = ORDERS.iter().find(|order| lower.contains(*order)) {
        return Err(format!(
            "has `{order}`, which steers the agent instead of describing the skill"
        ));
    }
    let is_description = matches!(
        kind,
        SlotKind::Title | SlotKind::What | SlotKind::When | SlotKind::English
    );
    match SELVES.iter().find(|word| lower.contains(*word)) {
        Some(word) if is_description => Err(format!("has `{word}`; it describes a skill")),
        _ => Ok(()),
    }
}

/// The share of words, in percent, from which two sentences say the same.
const SAME: usize = 80;

/// Checks that a sentence does not repeat an earlier one of its kind, nor a need what the skill does.
pub(super) fn repeats(kind: SlotKind, text: &str, earlier: &Slots) -> Result<(), String> {
    let what = earlier.get(SlotKind::What).iter();
    let what = what.filter(|_| kind == SlotKind::When);
    let others = earlier.get(kind).iter().chain(what);
    for other in others {
        let (share, n_words) = overlap(text, &other.text);
        let is_same = text.eq_ignore_ascii_case(&other.text);
        if is_same || n_words > 2 && share >= SAME {
            return Err(format!("repeats \"{}\"", other.text));
        }
    }
    Ok(())
}
