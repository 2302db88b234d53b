//! The formats of a listing.

use std::fmt::Write as _;

use serde_json::json;

use super::extent::Extent;
use super::item::{Format, Item, Settings};
use crate::safe::{escape_xml, one_line};

/// The mark at the end of a shortened description.
const MARK: &str = "…";

/// Writes the listed skills; for a skill without description only the name. Without any skill the
/// text is empty, or an empty list as JSON.
pub(super) fn render(items: &[&Item], shown: &[Extent], settings: &Settings) -> String {
    if items.is_empty() && settings.format != Format::Json {
        return String::new();
    }
    let listed: Vec<(&Item, String)> = items
        .iter()
        .zip(shown)
        .filter(|(_, shown)| **shown != Extent::Omitted)
        .map(|(item, shown)| (*item, description(item, *shown)))
        .collect();
    let is_bare =
        |(item, shown): &(&Item, String)| shown.is_empty() && !item.description.is_empty();
    let n_bare = listed.iter().filter(|it| is_bare(it)).count();
    let note = note(items.len() - listed.len(), n_bare, settings);
    match settings.format {
        Format::Xml => xml(&listed, note, settings),
        Format::Markdown => markdown(&listed, note, settings),
        Format::Json => json(&listed, note, settings),
    }
}

fn description(item: &Item, shown: Extent) -> String {
    match shown {
        Extent::Until(at) if at > 0 && at < item.description.len() => {
            let kept = item.description[..at].trim_end();
            one_line(&format!("{kept}{MARK}"))
        }
        Extent::Until(0) | Extent::Omitted => String::new(),
        _ => one_line(&item.description),
    }
}

fn instruction(settings: &Settings) -> Option<String> {
    let tool = settings.read_tool.as_ref()?;
    Some(format!(
        "When a skill fits the task, call {tool}(skill_name='…') and follow what it says."
    ))
}

/// Returns what is missing in the list, and how it is found; `None` if nothing is.
fn note(n_omitted: usize, n_bare: usize, settings: &Settings) -> Option<String> {
    let omitted = match n_omitted {
        0 => None,
        1 => Some("1 more skill is not listed".to_owned()),
        n => Some(format!("{n} more skills are not listed")),
    };
    // Without such a tool, the caller has the report.
    let bare = match n_bare {
        0 => None,
        _ if settings.search_tool.is_none() => None,
        1 => Some("1 skill is listed without its description".to_owned()),
        n => Some(format!("{n} skills are listed without their descriptions")),
    };
    let missing: Vec<String> = [bare, omitted].into_iter().flatten().collect();
    let tool = settings.search_tool.as_ref();
    let help = tool.map_or_else(String::new, |tool| format!("; {tool} finds them"));
    (!missing.is_empty()).then(|| format!("{}{help}", missing.join(", ")))
}

fn location<'i>(item: &'i Item, settings: &Settings) -> Option<&'i String> {
    item.location.as_ref().filter(|_| settings.has_locations)
}

fn xml(listed: &[(&Item, String)], note: Option<String>, settings: &Settings) -> String {
    let mut res = String::from("<available_skills>\n");
    for (item, description) in listed {
        xml_skill(item, description, settings, &mut res);
    }
    element("note", &note.unwrap_or_default(), &mut res);
    res.push_str("</available_skills>\n");
    if let Some(instruction) = instruction(settings) {
        let _ = writeln!(res, "{instruction}");
    }
    res
}

/// Writes a skill on several lines, or on one if only its name is listed.
fn xml_skill(item: &Item, description: &str, settings: &Settings, res: &mut String) {
    let name = one_line(&item.name);
    let location = location(item, settings).map(|it| one_line(it));
    if description.is_empty() && location.is_none() {
        let _ = writeln!(res, "<skill><name>{}</name></skill>", escape_xml(&name));
        return;
    }
    res.push_str("<skill>\n");
    element("name", &name, res);
    element("description", description, res);
    if !description.is_empty() {
        element("has_resources", word(item.parts.resources), res);
        element("has_scripts", word(item.parts.scripts), res);
    }
    element("location", &location.unwrap_or_default(), res);
    res.push_str("</skill>\n");
}

/// Writes an element on one line; nothing for an empty text.
fn element(name: &str, text: &str, res: &mut String) {
    if !text.is_empty() {
        let _ = writeln!(res, "<{name}>{}</{name}>", escape_xml(text));
    }
}

fn word(is_so: bool) -> &'static str {
    if is_so { "true" } else { "false" }
}

fn markdown(listed: &[(&Item, String)], note: Option<String>, settings: &Settings) -> String {
    let mut res = String::new();
    for (item, description) in listed {
        let _ = write!(res, "- **{}**", plain(&item.name));
        if !description.is_empty() {
            let _ = write!(res, ": {}{}", plain(description), parts(item));
        }
        if let Some(location) = location(item, settings) {
            let _ = write!(res, " `{}`", one_line(location).replace('`', "'"));
        }
        res.push('\n');
    }
    if let Some(note) = note {
        let _ = writeln!(res, "- *{note}*");
    }
    match instruction(settings) {
        Some(instruction) => format!("{res}\n{instruction}\n"),
        None => res,
    }
}

fn parts(item: &Item) -> &'static str {
    match (item.parts.resources, item.parts.scripts) {
        (true, true) => " (resources, scripts)",
        (true, false) => " (resources)",
        (false, true) => " (scripts)",
        (false, false) => "",
    }
}

/// Returns a text that is not HTML and does not start a Markdown block.
fn plain(text: &str) -> String {
    one_line(text).replace('<', "&lt;")
}

fn json(listed: &[(&Item, String)], note: Option<String>, settings: &Settings) -> String {
    let skills = listed.iter().map(|(item, description)| {
        let mut skill = json!({"name": one_line(&item.name)});
        if !description.is_empty() {
            skill["description"] = description.as_str().into();
            skill["has_resources"] = item.parts.resources.into();
            skill["has_scripts"] = item.parts.scripts.into();
        }
        if let Some(location) = location(item, settings) {
            skill["location"] = one_line(location).into();
        }
        skill.to_string()
    });
    let skills = skills.collect::<Vec<_>>().join(",\n");
    let note = note.map(|note| format!(",\n\"note\": {}", json!(note)));
    let instruction = instruction(settings).filter(|_| !listed.is_empty());
    let instruction = instruction.map(|it| format!(",\n\"instruction\": {}", json!(it)));
    format!(
        "{{\"schema\": 1,\n\"skills\": [\n{skills}\n]{}{}}}\n",
        note.unwrap_or_default(),
        instruction.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Facts, Parts};

    #[track_caller]
    fn check(format: Format, expected: &str) {
        let mut item = Item::from_facts(&Facts::from_parts(
            "a-b",
            "Says </skill> & \"no\".\nTwice",
            None,
        ));
        item.parts = Parts {
            resources: false,
            scripts: true,
        };
        item.location = Some("skills/a-b/SKILL.md".to_owned());
        let settings = Settings {
            format,
            has_locations: true,
            ..Settings::default()
        };
        assert_eq!(render(&[&item], &[Extent::Whole], &settings), expected);
    }

    const END: &str =
        "When a skill fits the task, call read_skill(skill_name='…') and follow what it says.";

    #[test]
    fn no_text_leaves_its_place() {
        check(
            Format::Xml,
            &format!(
                "<available_skills>\n<skill>\n<name>a-b</name>\n<description>Says &lt;/skill&gt; &amp; &quot;no&quot;. Twice</description>\n<has_resources>false</has_resources>\n<has_scripts>true</has_scripts>\n<location>skills/a-b/SKILL.md</location>\n</skill>\n</available_skills>\n{END}\n"
            ),
        );
        check(
            Format::Markdown,
            &format!(
                "- **a-b**: Says &lt;/skill> & \"no\". Twice (scripts) `skills/a-b/SKILL.md`\n\n{END}\n"
            ),
        );
        check(
            Format::Json,
            &format!(
                "{{\"schema\": 1,\n\"skills\": [\n{{\"name\":\"a-b\",\"description\":\"Says </skill> & \\\"no\\\". Twice\",\"has_resources\":false,\"has_scripts\":true,\"location\":\"skills/a-b/SKILL.md\"}}\n],\n\"instruction\": \"{END}\"}}\n"
            ),
        );
    }
}
