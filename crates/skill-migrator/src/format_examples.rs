//! Examples that lack a part of the form that their parameter states: `get_time` for a name of the form
//! `` `server_tool` ``, where the texts list `` `time_get_time` ``.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use skill_model::Command;

use crate::plugin::Plugin;

/// Replaces such values by the only listed one that ends with them.
pub(crate) fn apply(plugin: &Plugin<'_>, commands: &mut [Command]) {
    for command in commands {
        let schema = &command.input_schema;
        for example in command.examples.iter_mut().filter_map(Value::as_object_mut) {
            for (name, value) in example.iter_mut() {
                let text = schema["properties"][name]["description"].as_str();
                let sign = text.and_then(joined_by);
                let (Some(sign), Some(given)) = (sign, value.as_str()) else {
                    continue;
                };
                let texts = plugin.texts.values();
                let listed: BTreeSet<&str> =
                    texts.flat_map(|text| listed(text, given, sign)).collect();
                if let (Some(only), 1) = (listed.first(), listed.len()) {
                    *value = json!(only);
                }
            }
        }
    }
}

/// Returns the sign between the two names of a stated form: `` 格式为 `服务器名_工具名` ``.
fn joined_by(text: &str) -> Option<char> {
    let at = ["格式", "form", "Form"]
        .iter()
        .find_map(|word| text.find(word))?;
    let form = text[at..].split('`').nth(1)?;
    let mut signs = form.chars().filter(|c| !c.is_alphanumeric());
    let sign = signs
        .next()
        .filter(|c| matches!(c, '_' | '.' | '/' | ':'))?;
    signs.next().is_none().then_some(sign)
}

/// Returns the names in backticks that end with a sign and a name.
fn listed<'t>(text: &'t str, given: &str, sign: char) -> Vec<&'t str> {
    let ending = format!("{sign}{given}");
    let is_end = |it: &&str| {
        it.strip_suffix(&*ending).is_some_and(|start| {
            !start.is_empty() && start.chars().all(|c| c.is_ascii_alphanumeric())
        })
    };
    text.split('`').skip(1).step_by(2).filter(is_end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_and_lists() {
        assert_eq!(joined_by("名称，格式为 `服务器名_工具名`"), Some('_'));
        assert_eq!(joined_by("名称 `a_b`"), None);
        assert_eq!(joined_by("格式为 `YYYY-MM-DD`"), None);
        let text = "- `tea_brew_cup`: x\n- `pot_wash`: y";
        assert_eq!(listed(text, "brew_cup", '_'), ["tea_brew_cup"]);
        assert_eq!(listed(text, "brew", '_'), [""; 0]);
    }
}
