//! The members of parameters that are objects or lists.

use serde_json::Value;

use super::Language;
use super::cell::{codes, plain, value};

/// Returns the members of an object, or of the items of a list: `Members: days (default 5)`.
pub(super) fn members(property: &Value, language: Language) -> Option<String> {
    let is_list = property["properties"].is_null();
    if let Some([command, name]) = property["x-like"].as_array().map(Vec::as_slice) {
        let (command, name) = (
            crate::markdown::code(command.as_str()?),
            crate::markdown::code(name.as_str()?),
        );
        let more = property["x-more"].as_array().map(|it| codes(it));
        let more = more.map_or(String::new(), |more| match language {
            Language::English => format!(", and {more}"),
            Language::Chinese => format!("，另有 {more}"),
        });
        let stay = if property["x-change"] == true {
            language.pick("; what is missing stays as it is", "，省略的成员不变")
        } else {
            ""
        };
        return Some(match (language, is_list) {
            (Language::English, true) => format!("Each like {name} of {command}{more}{stay}"),
            (Language::English, false) => format!("Members as of {name} of {command}{more}{stay}"),
            (Language::Chinese, true) => format!("每项同 {command} 的 {name}{more}{stay}"),
            (Language::Chinese, false) => format!("成员同 {command} 的 {name}{more}{stay}"),
        });
    }
    if property["x-nested"] == true {
        return None;
    }
    let of = if is_list {
        &property["items"]
    } else {
        property
    };
    let members = of["properties"].as_object().filter(|it| !it.is_empty())?;
    let is_needed = |name: &String| {
        let needed = of["required"].as_array();
        needed.is_some_and(|all| all.iter().any(|it| it == name))
    };
    let members = members.iter().map(|(name, member)| {
        let facts = member_facts(is_needed(name), member, language);
        let name = crate::markdown::code(name);
        match language {
            _ if facts.is_empty() => name,
            Language::English => format!("{name} ({facts})"),
            Language::Chinese => format!("{name}（{facts}）"),
        }
    });
    let members: Vec<String> = members.collect();
    let label = if is_list {
        language.pick("Members of each: ", "每项成员：")
    } else {
        language.pick("Members: ", "成员：")
    };
    Some(format!("{label}{}", members.join(", ")))
}

/// Returns type, need, choices and default of a member, and its own members.
fn member_facts(is_needed: bool, member: &Value, language: Language) -> String {
    let mut parts = Vec::new();
    let default = member.get("default").map(plain);
    let values = member["enum"].as_array().map_or(&[][..], Vec::as_slice);
    let kind = member["type"].as_str();
    // Its members, its default and its choices show the type.
    let is_plain = member["properties"].is_null() && default.is_none() && values.is_empty();
    let mut bare = member.clone();
    if !is_plain || kind == Some("string") {
        bare["type"] = Value::Null;
    }
    let value = value(is_needed, None, &bare, language);
    parts.extend((!value.is_empty()).then_some(value));
    if !values.is_empty() {
        parts.push(codes(values));
    }
    if let Some(default) = default {
        parts.push(format!("{} {default}", language.pick("default", "默认")));
    }
    parts.extend(members(member, language));
    parts.join(language.pick(", ", "，"))
}

/// Returns the members that have rows of their own, with their names and needs: `tea.name`, `teas[].name`.
pub(super) fn nested(name: &str, property: &Value) -> Vec<(String, bool, Value)> {
    if property["x-nested"] != true || !property["x-like"].is_null() {
        return Vec::new();
    }
    let is_list = property["properties"].is_null();
    let of = if is_list {
        &property["items"]
    } else {
        property
    };
    let needed = of["required"].as_array().map_or(&[][..], Vec::as_slice);
    let separator = if is_list { "[]." } else { "." };
    let members = of["properties"].as_object().into_iter().flatten();
    let (first, rest): (Vec<_>, Vec<_>) =
        members.partition(|(member, _)| needed.iter().any(|it| it == *member));
    let row = |is_needed: bool, (member, it): (&String, &Value)| {
        (format!("{name}{separator}{member}"), is_needed, it.clone())
    };
    let first = first.into_iter().map(|it| row(true, it));
    first
        .chain(rest.into_iter().map(|it| row(false, it)))
        .collect()
}
