//! The slots: places for sentences.

use serde::{Deserialize, Serialize};
use skill_migrator::Polish;

/// A sentence, and what it rests on.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// The sentence.
    pub text: String,
    /// Words of the source, unchanged; empty for a sentence by hand.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// The source of the quote: `manifest`, `readme` or `program`; empty for a sentence by hand.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// The slots of one skill.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Slots {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<Slot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<Slot>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    when: Vec<Slot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    english: Option<Slot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Slot>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    advice: Vec<Slot>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    care: Vec<Slot>,
}

/// The kind of a slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SlotKind {
    /// The title of the body.
    Title,
    /// The purpose of the skill.
    What,
    /// A need of users.
    When,
    /// The English sentence of a Chinese skill.
    English,
    /// The result of a call.
    Result,
    /// Advice on the use.
    Advice,
    /// A danger.
    Care,
}

impl SlotKind {
    /// Every kind, in the order of the checks: what a later one may not repeat comes first.
    pub const ALL: [Self; 7] = [
        Self::Title,
        Self::What,
        Self::When,
        Self::English,
        Self::Result,
        Self::Advice,
        Self::Care,
    ];

    /// Returns the key in answers and in the lock.
    pub fn key(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::What => "what",
            Self::When => "when",
            Self::English => "english",
            Self::Result => "result",
            Self::Advice => "advice",
            Self::Care => "care",
        }
    }

    /// Returns the maximum number of sentences.
    pub fn max_items(self) -> usize {
        match self {
            Self::When | Self::Advice => 8,
            Self::Care => 5,
            _ => 1,
        }
    }

    /// Returns the maximum length of a sentence. A Chinese character counts as two.
    pub fn max_width(self) -> usize {
        match self {
            Self::Title => 48,
            Self::When => 60,
            Self::English => 120,
            Self::What | Self::Advice | Self::Care => 240,
            Self::Result => 300,
        }
    }

    /// Returns true if a skill can have several.
    pub fn is_list(self) -> bool {
        self.max_items() > 1
    }
}

impl Slots {
    /// Adds a sentence; a slot for one sentence keeps its first.
    pub fn push(&mut self, kind: SlotKind, slot: Slot) {
        let one = match kind {
            SlotKind::When => return self.when.push(slot),
            SlotKind::Advice => return self.advice.push(slot),
            SlotKind::Care => return self.care.push(slot),
            SlotKind::Title => &mut self.title,
            SlotKind::What => &mut self.what,
            SlotKind::English => &mut self.english,
            SlotKind::Result => &mut self.result,
        };
        one.get_or_insert(slot);
    }

    /// Returns the sentences of a kind.
    pub fn get(&self, kind: SlotKind) -> &[Slot] {
        match kind {
            SlotKind::When => &self.when,
            SlotKind::Advice => &self.advice,
            SlotKind::Care => &self.care,
            SlotKind::Title => self.title.as_slice(),
            SlotKind::What => self.what.as_slice(),
            SlotKind::English => self.english.as_slice(),
            SlotKind::Result => self.result.as_slice(),
        }
    }

    /// Returns all sentences with their kinds.
    pub fn all(&self) -> impl Iterator<Item = (SlotKind, &Slot)> {
        let kinds = SlotKind::ALL.into_iter();
        kinds.flat_map(|kind| self.get(kind).iter().map(move |slot| (kind, slot)))
    }

    /// Returns true if there is no sentence.
    pub fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// Returns the texts for the migration.
    pub fn to_polish(&self) -> Polish {
        let texts = |kind| self.get(kind).iter().map(|slot| slot.text.clone());
        let one = |kind| texts(kind).next();
        Polish {
            title: one(SlotKind::Title),
            what: one(SlotKind::What),
            when: texts(SlotKind::When).collect(),
            english: one(SlotKind::English),
            result: one(SlotKind::Result),
            advice: texts(SlotKind::Advice).collect(),
            care: texts(SlotKind::Care).collect(),
        }
    }
}
