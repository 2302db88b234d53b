//! Texts by others, usually a model, in place of planned ones.
//!
//! They are sentences in fixed places. Names, calls, parameters and paths are never among them, so a
//! bad text cannot break a call. `skill-polish` checks them.

use crate::{description::Parts, render::Language};

/// The texts for one skill. An empty one stays as it is planned.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Polish {
    /// The title of the body.
    pub title: Option<String>,
    /// The purpose of the skill, in one sentence.
    pub what: Option<String>,
    /// The needs of users: phrases after "when the user wants to".
    pub when: Vec<String>,
    /// One sentence in English at the end of a Chinese description.
    pub english: Option<String>,
    /// The result of a call, and the part of it to use.
    pub result: Option<String>,
    /// Advice on the use.
    pub advice: Vec<String>,
    /// Warnings: what deletes, costs, publishes.
    pub care: Vec<String>,
}

impl Polish {
    /// Replaces the parts of the description for which there is a text. What the skill does replaces
    /// the further sentences too; the whole text is in the body.
    pub(crate) fn apply(&self, parts: &mut Parts, language: Language) {
        if let Some(what) = &self.what {
            parts.what.clone_from(what);
            parts.more.clear();
        }
        if let Some(when) = self.when_sentence(language) {
            parts.when = when;
        }
        if self.english.is_some() {
            parts.english.clone_from(&self.english);
        }
    }

    fn when_sentence(&self, language: Language) -> Option<String> {
        let (last, others) = self.when.split_last()?;
        Some(match (language, others) {
            (Language::Chinese, []) => format!("当用户要{last}时使用。"),
            (Language::Chinese, _) => format!("当用户要{}或{last}时使用。", others.join("、")),
            (Language::English, []) => format!("Use when the user wants to {last}."),
            (Language::English, [one]) => {
                format!("Use when the user wants to {one} or {last}.")
            }
            (Language::English, _) => {
                let others = others.join(", ");
                format!("Use when the user wants to {others}, or {last}.")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_one_sentence() {
        let check = |language, when: &[&str], expected: &str| {
            let polish = Polish {
                when: when.iter().map(|it| (*it).to_owned()).collect(),
                ..Polish::default()
            };
            let sentence = polish.when_sentence(language).unwrap_or_default();
            assert_eq!(sentence, expected);
        };
        check(Language::English, &[], "");
        let english = "Use when the user wants to roll dice.";
        check(Language::English, &["roll dice"], english);
        let english = "Use when the user wants to roll dice or flip a coin.";
        check(Language::English, &["roll dice", "flip a coin"], english);
        let english = "Use when the user wants to a, b, or c.";
        check(Language::English, &["a", "b", "c"], english);
        check(Language::Chinese, &["查天气"], "当用户要查天气时使用。");
        let chinese = "当用户要查天气、看预警或问风力时使用。";
        check(Language::Chinese, &["查天气", "看预警", "问风力"], chinese);
    }
}
