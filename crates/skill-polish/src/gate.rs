//! The gates that a slot has to pass.
//!
//! Source: the gates follow from the defects that readers found in migrated skills, and from what a model
//! could do with a text that agents follow: invent, link, steer.

pub(crate) mod form;
mod ground;
mod wording;

use serde_json::Value;
use skill_migrator::Language;

use crate::answer::Answer;
use crate::job::Job;
use crate::lock::Entry;
use crate::slots::{Slot, SlotKind, Slots};

/// A slot that failed a gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The slot: `what`, `when[2]`.
    pub slot: String,
    /// The problem, and what was expected.
    pub reason: String,
}

/// The result for one skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The name of the skill.
    pub skill: String,
    /// The accepted slots; `None` if there are none.
    pub entry: Option<Entry>,
    /// The slots that failed.
    pub refused: Vec<Refused>,
}

/// Checks an answer against its job.
pub fn judge(job: &Job, answer: &Answer) -> Verdict {
    let mut refused = Vec::new();
    let mut slots = Slots::default();
    if answer.digest == job.sources.digest() {
        slots = accepted(job, answer, &mut refused);
    } else {
        refused.push(Refused {
            slot: "digest".to_owned(),
            reason: "is not that of the plugin as it is now; export the job again".to_owned(),
        });
    }
    let entry = (!slots.is_empty()).then(|| Entry {
        sources: job.sources.digests(),
        model: answer.model.clone(),
        slots,
    });
    Verdict {
        skill: job.skill.clone(),
        entry,
        refused,
    }
}

fn accepted(job: &Job, answer: &Answer, refused: &mut Vec<Refused>) -> Slots {
    let mut res = Slots::default();
    for kind in SlotKind::ALL {
        let value = answer.slots.get(kind.key()).unwrap_or(&Value::Null);
        for (at, item) in items(kind, value).into_iter().enumerate() {
            let checked = if at < kind.max_items() {
                slot_of(item).and_then(|slot| check(job, kind, slot, &res))
            } else {
                Err(format!(
                    "is one too many, expected at most {}",
                    kind.max_items()
                ))
            };
            match checked {
                Ok(slot) => res.push(kind, slot),
                Err(reason) => {
                    let index = if kind.is_list() {
                        format!("[{at}]")
                    } else {
                        String::new()
                    };
                    let slot = format!("{}{index}", kind.key());
                    refused.push(Refused { slot, reason });
                }
            }
        }
    }
    let known = |key: &&String| !SlotKind::ALL.iter().any(|kind| kind.key() == *key);
    for key in answer.slots.keys().filter(known) {
        let keys = SlotKind::ALL.map(SlotKind::key).join(", ");
        refused.push(Refused {
            slot: key.clone(),
            reason: format!("is not a slot, expected one of {keys}"),
        });
    }
    res
}

/// Returns the sentences of a slot. Empty ones are left out.
fn items(kind: SlotKind, value: &Value) -> Vec<&Value> {
    let all = match value {
        Value::Array(items) if kind.is_list() => items.iter().collect(),
        other => vec![other],
    };
    let is_empty = |value: &&Value| {
        let text = value.get("text").unwrap_or(value);
        text.is_null() || text.as_str().is_some_and(|text| text.trim().is_empty())
    };
    all.into_iter().filter(|it| !is_empty(it)).collect()
}

fn slot_of(value: &Value) -> Result<Slot, String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    match (text("text"), text("quote")) {
        (Some(text), Some(quote)) => Ok(Slot {
            text: text.trim().to_owned(),
            quote: quote.trim().to_owned(),
            source: String::new(),
        }),
        _ => Err("is not an object with the texts `text` and `quote`".to_owned()),
    }
}

/// Passes a slot through all gates, and finds the source of its quote.
fn check(job: &Job, kind: SlotKind, mut slot: Slot, earlier: &Slots) -> Result<Slot, String> {
    form::check(kind, &slot.text)?;
    language(kind, job.language, &slot.text)?;
    let source = ground::quote(&job.sources, &slot.quote)?;
    ground::words(&job.sources, &slot.text)?;
    wording::check(kind, &slot.text)?;
    wording::repeats(kind, &slot.text, earlier)?;
    source.clone_into(&mut slot.source);
    Ok(slot)
}

fn language(kind: SlotKind, language: Language, text: &str) -> Result<(), String> {
    let has_han = text.chars().any(|c| matches!(c, '\u{3400}'..='\u{9FFF}'));
    match (kind, language) {
        (SlotKind::English, Language::English) => {
            Err("is for Chinese skills, and this one is English".to_owned())
        }
        (SlotKind::English, _) if has_han => {
            Err("has Chinese characters, expected English".to_owned())
        }
        // A title may be the name of a product.
        (SlotKind::English | SlotKind::Title, _) => Ok(()),
        (_, Language::English) if has_han => {
            Err("has Chinese characters, and the skill is English".to_owned())
        }
        (_, Language::Chinese) if !has_han => {
            Err("has no Chinese characters, and the skill is Chinese".to_owned())
        }
        _ => Ok(()),
    }
}
