//! The words on a setting: what it is, when it is needed, and a value to give it.

use skill_model::Metadata;

use super::Language;
use super::around::Around;
use super::{host_words, parameter, protocol};
use crate::env_example;
use crate::markdown::{DefuseReport, defuse, one_line};
use crate::needed;

/// Returns what the manifest or the example of the settings says of one, if it is more than its name.
pub(super) fn explanation(
    metadata: &Metadata,
    around: &Around,
    key: &str,
    language: Language,
) -> Option<String> {
    let schema = metadata.config.schema.as_ref();
    let declared = schema.and_then(|schema| schema["properties"][key]["description"].as_str());
    let comment = around.comments.get(key);
    let comment_text = comment.map_or("", |it| it.text.as_str());
    let mut said = declared.and_then(|text| short(key, text));
    let more = short(key, comment_text);
    if around.posted.contains(key) && !said.iter().chain(&more).any(|it| it.contains("/chat")) {
        // The comment says less than the code.
        let whole = language.pick(
            "the whole address, such as https://…/v1/chat/completions",
            "完整的请求地址，如 https://…/v1/chat/completions",
        );
        said = Some(whole.to_owned());
    }
    let res = match (said, more) {
        (Some(said), Some(more))
            if is_condition(&more)
                && !is_condition(&said)
                && !starts_alike(&more, &said)
                && said.is_ascii() == more.is_ascii() =>
        {
            Some(format!("{said}；{more}"))
        }
        (said, more) => said.or(more),
    };
    let condition = comment.map_or("", |it| it.condition.as_str());
    let condition = res
        .as_deref()
        .map_or(condition, |said| without_said_example(condition, said));
    let res = match res {
        Some(said) if condition.is_empty() || says_alike(&said, condition) => said,
        // One language is enough.
        Some(said) if condition.is_ascii() && !said.is_ascii() => said,
        // One word on what holds without it is enough.
        Some(said) if says_without(&said) && says_without(condition) => said,
        Some(said) => format!("{said}；{condition}"),
        None if condition.is_empty() => return None,
        None => condition.to_owned(),
    };
    let values = comment.map_or(&[][..], |it| &it.values);
    if !are_choices(values) {
        return Some(res);
    }
    Some(format!("{res} ({})", values.join(" / ")))
}

/// Returns a condition without a first clause whose example is said already: `例如 127.0.0.1，不需要则留空`.
fn without_said_example<'a>(condition: &'a str, said: &str) -> &'a str {
    let Some((first, rest)) = condition.split_once('，') else {
        return condition;
    };
    let example = ["例如", "如", "例："]
        .iter()
        .find_map(|word| first.trim().strip_prefix(word));
    let is_said = example.is_some_and(|it| !it.trim().is_empty() && said.contains(it.trim()));
    if is_said { rest } else { condition }
}

/// Returns true for words that code knows: `READ`, `READ_WRITE`; names are those of its author.
fn are_choices(values: &[String]) -> bool {
    let is_word = |it: &String| {
        it.chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '_' | '-'))
    };
    !values.is_empty() && values.iter().all(is_word)
}

/// Returns true for a text that has the words of a condition.
fn says_alike(text: &str, condition: &str) -> bool {
    const N: usize = 4;
    let start: String = condition.chars().take(N).collect();
    text.contains(&start)
}

/// Returns the name of a setting; of a family, with a sign for the part that the user chooses: `TABLE_<茶名>`.
pub(super) fn shown(around: &Around, key: &str) -> String {
    let Some((first, last)) = key.split_once('*') else {
        return key.to_owned();
    };
    let form = around.comments.get(key).map_or("", |it| it.form.as_str());
    let part = form
        .strip_prefix(first)
        .and_then(|rest| rest.strip_suffix(last))
        .filter(|part| !part.is_empty());
    format!("{first}<{}>{last}", part.unwrap_or("NAME"))
}

/// Returns true for two texts that begin with the same words.
fn starts_alike(first: &str, second: &str) -> bool {
    const N: usize = 4;
    first.chars().take(N).eq(second.chars().take(N))
}

/// Returns true for a text that says when a setting is needed or how to get it.
fn is_condition(text: &str) -> bool {
    const WORDS: [&str; 9] = [
        "仅",
        "留空",
        "获取",
        "模式",
        "二选一",
        " mode",
        "only",
        "leave empty",
        "get it",
    ];
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// Returns the first sentence of a text, if it is short and more than the name.
fn short(key: &str, text: &str) -> Option<String> {
    const MAX: usize = 80;
    const BARE: [&str; 6] = ["可选", "必填", "必需", "选填", "optional", "required"];
    let text = host_words::plain_words(&without_place(&one_line(text)));
    let bare = |it: &str| it.trim().trim_end_matches(['。', '.', '；']).to_owned();
    let all = protocol::sentences(&text).map(bare);
    let mut all = all
        .filter(|it| !BARE.contains(&it.to_lowercase().as_str()))
        .peekable();
    let mut first = all.next()?;
    if let Some(rest) = all.next_if(|_| first.ends_with("e.g")) {
        first = format!("{first}. {rest}");
    }
    // What holds without it.
    let is_short = |it: &&String| first.chars().count() + it.chars().count() < MAX;
    let next = all.next().filter(|it| says_without(it));
    let text = match next.as_ref().filter(is_short) {
        Some(next) => format!("{first}；{next}"),
        None => first,
    };
    let letters = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let says = !letters(key).contains(&letters(&text)) && text.chars().count() <= MAX;
    says.then(|| defuse(&text, &mut DefuseReport::default()).into_owned())
}

/// Returns true for a sentence on what holds without a setting: `留空则不登录`.
fn says_without(text: &str) -> bool {
    const WORDS: [&str; 8] = [
        "留空",
        "不填",
        "不配置",
        "不设置",
        "匿名",
        "无鉴权",
        "leave empty",
        "if empty",
    ];
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// Returns a text without clauses on the file of the old host: `（仅 x 模式需要，也支持从根目录config.env读取）`.
fn without_place(text: &str) -> String {
    let names_file = |clause: &str| clause.contains("config.env") && clause.contains("目录");
    if !names_file(text) {
        return text.to_owned();
    }
    let mut res = String::new();
    for clause in text.split_inclusive(['，', ',', '；', '（', '(']) {
        if !names_file(clause) {
            res.push_str(clause);
            continue;
        }
        let end = clause
            .find(['）', ')', '。'])
            .map_or("", |at| &clause[at..]);
        res.truncate(res.trim_end_matches(['，', ',', '；', ' ']).len());
        res.push_str(end);
    }
    res.replace("（）", "").replace("()", "")
}

/// Returns the usual value that an explanation names: `端口，隐式 TLS 通常为 993`.
fn usual(text: &str) -> Option<&str> {
    let words = [
        "通常为",
        "一般为",
        "通常是",
        "usually",
        "默认为",
        "默认值为",
        "默认",
    ];
    let rest = words
        .iter()
        .find_map(|word| text.split_once(word).map(|(_, rest)| rest))?;
    let rest = rest.trim_start_matches([' ', ':', '：', '`']);
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_-./:".contains(c);
    let value = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
    let value = value.trim_end_matches(['.', ':']);
    let is_plain = !value.is_empty() && !env_example::is_placeholder(value);
    (is_plain && value.contains(|c: char| c.is_ascii_digit())).then_some(value)
}

/// Returns a value of a setting: of an address that the old host gave to its plugins, the short one that
/// the manifest suggests, or the one of the example file.
pub(super) fn sample(metadata: &Metadata, around: &Around, key: &str) -> String {
    const MAX: usize = 40;
    const MAX_TABLE: usize = 200;
    let schema = metadata.config.schema.as_ref();
    let property = schema.map(|schema| &schema["properties"][key]);
    let suggested = property.and_then(|it| it.get("x-legacy-default").or(it.get("default")));
    let suggested = suggested.map(parameter::plain).unwrap_or_default();
    let is_flag = property.is_some_and(|it| it["type"] == "boolean");
    // The whole table, because without it the program refuses everything.
    let is_table = around.needed.tables.contains(key);
    let max = if is_table { MAX_TABLE } else { MAX };
    let is_word =
        |c: char| c.is_ascii_alphanumeric() || "_-./:".contains(c) || is_table && c == ',';
    let is_name = !is_flag && suggested.chars().all(|c| c.is_ascii_alphabetic());
    match key {
        _ if is_flag && suggested.is_empty() => "true".to_owned(),
        "VarHttpsUrl" => "https://localhost".to_owned(),
        _ if (1..=max).contains(&suggested.len())
            && suggested.chars().all(is_word)
            && !is_name
            && needed::elsewhere(&suggested).is_none()
            && !env_example::is_of_host(&suggested)
            && !env_example::is_placeholder(&suggested) =>
        {
            suggested
        }
        _ if key.contains('*') => {
            let values = around.comments.get(key).map_or(&[][..], |it| &it.values);
            let values = values.first().filter(|_| are_choices(values));
            values.map_or("VALUE", String::as_str).to_owned()
        }
        _ => {
            let sample = around.samples.get(key);
            let sample = sample.filter(|it| needed::elsewhere(it).is_none());
            let text = schema.and_then(|schema| schema["properties"][key]["description"].as_str());
            let usual = text.and_then(usual);
            let sample = sample.map(String::as_str).or(usual);
            sample.unwrap_or("VALUE").to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_on_settings() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(short("TEA_KEY", text).as_deref(), expected, "{text}");
        };
        check(
            "可选。不配置时匿名访问（额度较低）。可填多个。",
            Some("不配置时匿名访问（额度较低）"),
        );
        check("茶馆的密钥。留空=无鉴权。", Some("茶馆的密钥；留空=无鉴权"));
        check("茶馆的密钥。可填多个。", Some("茶馆的密钥"));
        check("Tea Key", None);
        check("可选", None);
    }
}
