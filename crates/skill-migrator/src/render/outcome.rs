//! The sentence on the output of a call: what its result is, where that is certain.

use super::Language;
use crate::code::{Member, Outcome, Part};
use crate::markdown::{code, codes};

/// Maximum number of members that are named.
const MAX_MEMBERS: usize = 6;

/// The place of a result in the output of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The member with the result.
    pub(super) result: &'static str,
    /// The member with a result that is a text.
    pub(super) text: &'static str,
}

impl Place {
    /// The output of a program.
    pub(super) const PROGRAM: Self = Self {
        result: "result",
        text: "result",
    };
    /// The output of `skills-run`, which gives a text the name that the old host gave it.
    pub(super) const TOOL: Self = Self {
        result: "value",
        text: "value.original_plugin_output",
    };
    /// The output of `skills-run` for a module, whose object is left as it is.
    pub(super) const MODULE: Self = Self {
        result: "value",
        text: "value.result",
    };
}

/// Returns the sentence on an output with a result and an error, with what is known of the result.
pub(super) fn sentence(place: Place, outcome: Option<&Outcome>, language: Language) -> String {
    if let Some(Outcome::Text) = outcome {
        let name = code(place.text);
        return match language {
            Language::English => {
                format!("It prints JSON: the result is the text {name}, a failure is `error`.")
            }
            Language::Chinese => format!("输出 JSON：结果文本在 {name}，失败见 `error`。"),
        };
    }
    let name = code(place.result);
    let what = outcome.map_or_else(String::new, |it| form(it, language));
    let what = match (language, what.is_empty()) {
        (_, true) => what,
        (Language::English, false) => format!(" ({what})"),
        (Language::Chinese, false) => format!("（{what}）"),
    };
    match language {
        Language::English => {
            format!("It prints JSON: the result is {name}{what}, a failure is `error`.")
        }
        Language::Chinese => format!("输出 JSON：结果在 {name}{what}，失败见 `error`。"),
    }
}

/// Returns the sentence on the result of one command; a text needs none.
pub(super) fn returned(outcome: &Outcome, language: Language) -> Option<String> {
    let what = form(outcome, language);
    (*outcome != Outcome::Text).then(|| match language {
        Language::English => format!("Returns {what}."),
        Language::Chinese => format!("返回：{what}。"),
    })
}

/// Returns the words for a form.
fn form(outcome: &Outcome, language: Language) -> String {
    match outcome {
        Outcome::Text => language.pick("text", "文本").to_owned(),
        Outcome::Members(members) => names(members, language),
        Outcome::TextOrMembers(members) => {
            let or = language.pick("text, or ", "文本，或 ");
            format!("{or}{}", names(members, language))
        }
        Outcome::List(names) => list(names, language),
    }
}

/// Returns the words for a list, with the members of its items.
fn list(names: &[String], language: Language) -> String {
    let known = codes(&names[..names.len().min(MAX_MEMBERS)]);
    match (language, names.is_empty()) {
        (Language::English, true) => "a list".to_owned(),
        (Language::English, false) => format!("a list; its items have {known}"),
        (Language::Chinese, true) => "列表".to_owned(),
        (Language::Chinese, false) => format!("列表，每项有 {known}"),
    }
}

/// Returns the members: `content` with the types of its parts, others with their members.
fn names(members: &[Member], language: Language) -> String {
    let known = members.iter().take(MAX_MEMBERS);
    let names: Vec<String> = known.map(|member| one(member, language)).collect();
    let etc = if members.len() > MAX_MEMBERS {
        language.pick(", …", "……")
    } else {
        ""
    };
    names.join(language.pick(", ", "、")) + etc
}

fn one(member: &Member, language: Language) -> String {
    let name = code(&member.name);
    let inner: Vec<String> = member.members.iter().take(MAX_MEMBERS).cloned().collect();
    let words: Vec<String> = member.parts.iter().map(|it| part(it, language)).collect();
    let colon = language.pick(": ", "：");
    if !words.is_empty() {
        format!("{name}{colon}{}", words.join(language.pick(" and ", "与")))
    } else if inner.is_empty() {
        name
    } else {
        format!("{name}{colon}{}", codes(&inner))
    }
}

fn part(part: &Part, language: Language) -> String {
    let word = match part.kind.as_str() {
        "text" => language.pick("text", "文字"),
        "image_url" | "image" => language.pick("images", "图片"),
        "audio" | "input_audio" => language.pick("audio", "音频"),
        other => other,
    };
    match (&part.guard, language) {
        (None, _) => word.to_owned(),
        (Some(guard), Language::English) => format!("{word} (with {})", code(guard)),
        (Some(guard), Language::Chinese) => format!("{word}（设 {} 时）", code(guard)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_known() {
        let check = |outcome: Option<Outcome>, expected: &str| {
            assert_eq!(
                sentence(Place::TOOL, outcome.as_ref(), Language::Chinese),
                expected
            );
        };
        check(None, "输出 JSON：结果在 `value`，失败见 `error`。");
        check(
            Some(Outcome::Text),
            "输出 JSON：结果文本在 `value.original_plugin_output`，失败见 `error`。",
        );
        check(
            Some(Outcome::List(vec!["url".to_owned()])),
            "输出 JSON：结果在 `value`（列表，每项有 `url`），失败见 `error`。",
        );
        let part = |kind: &str, guard: Option<&str>| Part {
            kind: kind.to_owned(),
            guard: guard.map(str::to_owned),
        };
        let member = |name: &str, members: &[&str], parts: &[Part]| Member {
            name: name.to_owned(),
            members: members.iter().map(|&it| it.to_owned()).collect(),
            parts: parts.to_vec(),
        };
        let members = vec![
            member(
                "content",
                &[],
                &[part("text", None), part("image_url", Some("show"))],
            ),
            member("details", &["path"], &[]),
        ];
        check(
            Some(Outcome::Members(members)),
            "输出 JSON：结果在 `value`（`content`：文字与图片（设 `show` 时）、`details`：`path`），失败见 `error`。",
        );
    }
}
