//! The sentence on the output of a call: what its result is, where that is certain.

use skill_model::{Metadata, Placeholder};

use super::Language;
use super::around::{self, Around};
use crate::code::{Json, Member, Outcome, Part, REST, Results};
use crate::markdown::{code, codes};

/// Maximum number of members up to which those with the names of parameters are named as well.
const MAX_MEMBERS: usize = 8;
/// Maximum number of members that are named.
const MAX_NAMED: usize = 16;
/// Maximum number of names with those of inner objects.
const MAX_ALL: usize = 40;
/// The flag of data for a prompt in blocks, of which the old host chose one.
const FOLD: &str = "vcp_dynamic_fold";

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

    /// Returns the place for the calls that a skill shows.
    pub(super) fn of(metadata: &Metadata, around: &Around) -> Self {
        let module = metadata.entry.as_ref().and_then(|it| it.module.as_ref());
        match module {
            Some(_) if around.results.is_bare => Self::TOOL,
            Some(_) => Self::MODULE,
            None if around::needs_tool(metadata, around) => Self::TOOL,
            None => Self::PROGRAM,
        }
    }
}

/// Returns the sentence on an output with a result and an error, with what is known of the result.
pub(super) fn sentence(place: Place, around: &Around, language: Language) -> String {
    let has_own = around.outcomes.len() > 1;
    let what = result(place, &around.results, has_own, language);
    let failure = failures(place, &around.results, language);
    let mut res = match language {
        Language::English => format!("It prints JSON: {what}, a failure is {failure}."),
        Language::Chinese => format!("输出 JSON：{what}，失败见 {failure}。"),
    };
    res.push_str(&told_failures(&around.results, language));
    if around.asks_to_repeat {
        res.push_str(repeated(language));
    }
    res
}

/// Returns the sentence on failures that an answer of success tells in a text; empty if there are none.
fn told_failures(results: &Results, language: Language) -> String {
    const MAX_TEXTS: usize = 2;
    let has_cross = results.has_cross;
    let texts = results.failures.iter();
    let texts = texts.filter(|it| !(has_cross && it.starts_with('❌')));
    let texts: Vec<&String> = texts.collect();
    let shown = texts.iter().take(MAX_TEXTS);
    let is_more = texts.len() > MAX_TEXTS;
    let (open, close) = (language.pick("“", "“"), language.pick("”", "”"));
    let shown: Vec<String> = shown.map(|it| format!("{open}{it}{close}")).collect();
    if shown.is_empty() {
        return String::new();
    }
    let list = shown.join(language.pick(", ", "、"));
    match language {
        Language::English => {
            let more = if is_more { " and the like" } else { "" };
            format!(" A failure may also be in the text of the result: {list}{more}.")
        }
        Language::Chinese => {
            let more = if is_more { "等" } else { "" };
            format!("失败也可能写在结果文本里：{list}{more}。")
        }
    }
}

/// Returns the sentence on a member of a result that only a window of the old host read.
pub(super) fn for_a_window(name: &str, language: Language) -> String {
    let name = code(name);
    match language {
        Language::English => format!(
            "The step in a window of the old client ({name}) does not happen; only the rest of the call has an effect."
        ),
        Language::Chinese => {
            format!("旧客户端窗口中的那一步（{name}）不会发生，只有其余部分生效。")
        }
    }
}

/// Returns the sentence on a place in results that nothing fills.
fn repeated(language: Language) -> &'static str {
    language.pick(
        " A result may ask to repeat `{{VCP_ASYNC_RESULT::…}}`: nothing fills it in an answer, leave it out.",
        "结果里若要求写出 `{{VCP_ASYNC_RESULT::…}}`，不要照做：没有程序会替换它。",
    )
}

/// Returns the place and the form of a result.
fn result(place: Place, results: &Results, has_own: bool, language: Language) -> String {
    let outcome = results.form.as_ref();
    let (text, json) = match outcome {
        Some(Outcome::Text) => (Some(place.text.to_owned()), None),
        Some(Outcome::Members(members)) => match &members[..] {
            // A message of text only.
            [one] if is_text(one) => (
                Some(format!("{}.{}[].text", place.result, one.name)),
                one.parts.iter().find_map(|it| it.json.as_ref()),
            ),
            _ => (None, None),
        },
        _ => (None, None),
    };
    if let Some(name) = text {
        let name = code(&name);
        let what = match json {
            Some(json) => told_json(json, language),
            None => with_labels(results, language),
        };
        let what = in_brackets(&what, language);
        return match language {
            Language::English => format!("the result is the text {name}{what}"),
            Language::Chinese => format!("结果文本在 {name}{what}"),
        };
    }
    let name = code(place.result);
    let what = match (outcome, &results.partly) {
        (Some(it), _) => form(place, it, language),
        (None, Some(it)) => {
            let such = language.pick("depending on the call, such as ", "视调用而定，如 ");
            format!("{such}{}", form(place, it, language))
        }
        (None, None) if has_own => language
            .pick("it depends on the command", "因命令而异")
            .to_owned(),
        (None, None) => String::new(),
    };
    let what = in_brackets(&what, language);
    match language {
        Language::English => format!("the result is {name}{what}"),
        Language::Chinese => format!("结果在 {name}{what}"),
    }
}

/// Returns a text in brackets; nothing for an empty one.
fn in_brackets(text: &str, language: Language) -> String {
    match language {
        _ if text.is_empty() => String::new(),
        Language::English => format!(" ({text})"),
        Language::Chinese => format!("（{text}）"),
    }
}

/// Returns the words on the labels of a text; empty for fewer than two.
fn with_labels(results: &Results, language: Language) -> String {
    const MIN: usize = 3;
    const MAX: usize = 8;
    let labels = &results.labels;
    if labels.len() < MIN {
        return String::new();
    }
    let shown = labels[..labels.len().min(MAX)].join(language.pick(", ", "、"));
    let more = if labels.len() > MAX || results.has_unlabelled {
        language.pick(", …", "等")
    } else {
        ""
    };
    format!("{}{shown}{more}", language.pick("it may have ", "可含 "))
}

/// Returns the words on a text that is JSON: its members, and that of a failure in their place.
fn told_json(json: &Json, language: Language) -> String {
    let known = json.members.iter().filter(|it| *it != REST);
    let known: Vec<String> = known.take(MAX_NAMED).cloned().collect();
    let rest = if known.len() < json.members.len() {
        language.pick(", …", "……")
    } else {
        ""
    };
    let members = codes(&known);
    let is_error = |name: &&String| matches!(name.as_str(), "error" | "plugin_error");
    let failure: Vec<String> = json.failure.iter().filter(is_error).cloned().collect();
    let failure = match language {
        _ if failure.is_empty() => String::new(),
        Language::English => format!("; on a failure {}", codes(&failure)),
        Language::Chinese => format!("；出错时有 {}", codes(&failure)),
    };
    let colon = language.pick("JSON: ", "JSON：");
    if known.is_empty() {
        format!("JSON{failure}")
    } else {
        format!("{colon}{members}{rest}{failure}")
    }
}

/// Returns the places of failures, also of those in answers of success.
fn failures(place: Place, results: &Results, language: Language) -> String {
    let mut res = vec![code("error")];
    if results.has_error {
        res.push(code(&format!("{}.error", place.result)));
    }
    let is_text = matches!(
        results.form,
        Some(Outcome::Text | Outcome::TextOrMembers(_))
    );
    if results.has_cross && is_text {
        let cross = language.pick("a text that begins with ❌", "❌ 开头的结果文本");
        res.push(cross.to_owned());
    }
    res.join(language.pick(" or ", " 或 "))
}

/// Returns the sentence on the output of a program for placeholders: where its data is, and their form.
pub(super) fn of_placeholders(
    placeholders: &[Placeholder],
    results: &Results,
    language: Language,
) -> String {
    let fold = match &results.form {
        Some(Outcome::Members(members)) => members.iter().any(|it| it.name == FOLD),
        _ => false,
    };
    let names = placeholders.iter().map(|it| {
        let path = format!("value.{}", it.key);
        code(&if fold {
            format!("{path}.fold_blocks[].content")
        } else {
            path
        })
    });
    let mut names: Vec<String> = names.collect();
    if names.is_empty() {
        names.push(code("value"));
    }
    let names = names.join(language.pick(", ", "、"));
    let what = match &results.form {
        Some(Outcome::Text) => {
            let labels = with_labels(results, language);
            let comma = if labels.is_empty() {
                ""
            } else {
                language.pick(" ", "，")
            };
            format!("{}{comma}{labels}", language.pick("text", "文本"))
        }
        None => with_labels(results, language),
        Some(_) if fold => language
            .pick(
                "text; the blocks are the same data in more or less detail",
                "文本，各块是同一数据，详略不同",
            )
            .to_owned(),
        Some(form @ (Outcome::List(_) | Outcome::Members(_))) => format!(
            "{}{}",
            language.pick("JSON text: ", "JSON 文本："),
            self::form(Place::TOOL, form, language)
        ),
        _ => String::new(),
    };
    let what = match (language, what.is_empty()) {
        (_, true) => what,
        (Language::English, false) => format!(" ({what})"),
        (Language::Chinese, false) => format!("（{what}）"),
    };
    let told = told_failures(results, language);
    match language {
        Language::English => {
            format!("It prints JSON: the data is {names}{what}, a failure is `error`.{told}")
        }
        Language::Chinese => format!("输出 JSON：数据在 {names}{what}，失败见 `error`。{told}"),
    }
}

/// Returns the sentence on the result of one command.
pub(super) fn returned(place: Place, outcome: &Outcome, language: Language) -> String {
    let what = match outcome {
        Outcome::Text => text_at(place, language),
        outcome => form(place, outcome, language),
    };
    match language {
        Language::English => format!("Returns {what}."),
        Language::Chinese => format!("返回：{what}。"),
    }
}

/// Returns the sentence on a result that an earlier command has as well.
pub(super) fn returned_as(command: &str, language: Language) -> String {
    let name = code(command);
    match language {
        Language::English => format!("Returns the same as {name}."),
        Language::Chinese => format!("返回同 {name}。"),
    }
}

/// Returns the words for a form.
fn form(place: Place, outcome: &Outcome, language: Language) -> String {
    match outcome {
        Outcome::Text => language.pick("text", "文本").to_owned(),
        Outcome::Members(members) => names(members, language),
        Outcome::TextOrMembers(members) => {
            let text = text_at(place, language);
            let or = language.pick(", or ", "，或 ");
            format!("{text}{or}{}", names(members, language))
        }
        Outcome::List(names) => list(names, language),
    }
}

/// Returns the words for a text with its place.
fn text_at(place: Place, language: Language) -> String {
    let name = code(place.text);
    match language {
        Language::English => format!("the text {name}"),
        Language::Chinese => format!("文本 {name}"),
    }
}

/// Returns the words for a list, with the members of its items.
fn list(names: &[String], language: Language) -> String {
    let known = codes(&names[..names.len().min(MAX_NAMED)]);
    match (language, names.is_empty()) {
        (Language::English, true) => "a list".to_owned(),
        (Language::English, false) => format!("a list; its items have {known}"),
        (Language::Chinese, true) => "列表".to_owned(),
        (Language::Chinese, false) => format!("列表，每项有 {known}"),
    }
}

/// Maximum number of arguments in a long result that are named: more are the arguments of the call.
const MAX_ECHOES: usize = 1;

/// Returns the members: `content` with the types of its parts, others with their members.
fn names(members: &[Member], language: Language) -> String {
    let mut known: Vec<&Member> = members.iter().filter(|it| it.name != REST).collect();
    // The message is for the reader.
    known.sort_by_key(|it| it.parts.is_empty());
    // The caller knows the arguments; the rest is what the call is made for.
    let n_all = known.len();
    let n_echoes = known.iter().filter(|it| it.is_echo).count();
    if n_all > MAX_MEMBERS && n_echoes > MAX_ECHOES {
        known.retain(|it| !it.is_echo);
    }
    let has_echoes = known.len() < n_all;
    let is_open = n_all < members.len() || known.len() > MAX_NAMED;
    // Of very many names, those of inner objects go first.
    let n_inner: usize = known
        .iter()
        .map(|it| it.members.len().min(MAX_MEMBERS))
        .sum();
    let is_flat = known.len() + n_inner > MAX_ALL;
    let shown = known.iter().take(MAX_NAMED);
    let names = shown.map(|member| one(member, is_flat && !member.is_list, language));
    let names: Vec<String> = names.collect();
    let mut res = names.join(language.pick(", ", "、"));
    if has_echoes {
        res += language.pick(", and the arguments of the call", "，以及传入的参数");
    }
    if is_open {
        res += language.pick(", …", "……");
    }
    res
}

fn one(member: &Member, is_bare: bool, language: Language) -> String {
    let list = if member.is_list { "[]" } else { "" };
    if !member.parts.is_empty() {
        let parts = member.parts.iter();
        let parts: Vec<String> = parts
            .map(|it| part(&format!("{}[]", member.name), it, language))
            .collect();
        return parts.join(language.pick(", ", "、"));
    }
    let name = code(&format!("{}{list}", member.name));
    // What failed is not what is looked for.
    let inner = member.members.iter();
    let inner = inner.filter(|it| *it != REST && *it != "error" && !is_bare);
    let all: Vec<String> = inner.cloned().collect();
    let inner = &all[..all.len().min(MAX_MEMBERS)];
    let colon = language.pick(": ", "：");
    let is_open = all.len() > MAX_MEMBERS || member.members.iter().any(|it| it == REST);
    let rest = if is_open {
        language.pick(", …", "……")
    } else {
        ""
    };
    if inner.is_empty() {
        name
    } else {
        format!("{name}{colon}{}{rest}", codes(inner))
    }
}

/// Returns true for a message that has only text.
fn is_text(member: &Member) -> bool {
    let is_text = |part: &Part| part.kind == "text" && part.guard.is_none();
    !member.parts.is_empty() && member.parts.iter().all(is_text)
}

/// Returns the name of a part of a message: that of its value, which has the name of its type.
fn part(list: &str, part: &Part, language: Language) -> String {
    let name = code(&format!("{list}.{}", part.kind));
    let word = match part.kind.as_str() {
        "text" => "",
        "image_url" | "image" => language.pick("images ", "图片 "),
        "audio" | "input_audio" => language.pick("audio ", "音频 "),
        _ => "",
    };
    let json = part.json.as_ref().map(|it| told_json(it, language));
    let name = format!("{name}{}", in_brackets(&json.unwrap_or_default(), language));
    match (&part.guard, language) {
        (None, _) => format!("{word}{name}"),
        (Some(guard), Language::English) => format!("{word}{name} (with {})", code(guard)),
        (Some(guard), Language::Chinese) => format!("{word}{name}（设 {} 时）", code(guard)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_known() {
        let known = |form: Option<Outcome>| Around {
            results: Results {
                form,
                ..Results::default()
            },
            ..Around::default()
        };
        let check = |outcome: Option<Outcome>, expected: &str| {
            assert_eq!(
                sentence(Place::TOOL, &known(outcome), Language::Chinese),
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
            guard: guard.map(str::to_owned),
            ..Part::of_kind(kind)
        };
        let member = |name: &str, members: &[&str], parts: &[Part]| Member {
            name: name.to_owned(),
            members: members.iter().map(|&it| it.to_owned()).collect(),
            parts: parts.to_vec(),
            is_list: !parts.is_empty(),
            is_echo: false,
        };
        let long = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        let mut form = Outcome::Members(long.map(|it| member(it, &[], &[])).to_vec());
        form.mark_echoes(&["a".to_owned(), "b".to_owned()].into());
        assert_eq!(
            returned(Place::TOOL, &form, Language::Chinese),
            "返回：`c`、`d`、`e`、`f`、`g`、`h`、`i`，以及传入的参数。"
        );
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
            "输出 JSON：结果在 `value`（`content[].text`、图片 `content[].image_url`（设 `show` 时）、`details`：`path`），失败见 `error`。",
        );
    }
}
