//! The body of `SKILL.md` and the references, within the length limits.
//!
//! The body is first rendered with everything. While it is too long, the commands are shortened,
//! and `references/commands.md` has the rest.

use std::borrow::Cow;
use std::collections::BTreeMap;

use plugin_model::LeftOut;
use plugin_prose::without_plugin;
use serde_json::{Value, json};
use skill_model::{Metadata, SkillName};

use super::earlier::Earlier;
use super::entry::{Detail, Entry, Original, Texts};
use super::known::Known;
use super::plugin_names::PluginNames;
use super::settings::{self, Section};
use super::title::{title, without_identifier};
use super::told::Before;
use super::{
    Around, Language, Shell, TemplateError, Templates, answered, around, batch, budget, files,
    first_call, grouped, notes, order, outcome, outside, parts, prepare, prose, protocol, run,
    waiting,
};
use crate::{
    description::cut,
    markdown::{DefuseReport, defuse, one_line, reveal},
    polish::Polish,
};

/// The input of the texts.
pub(crate) struct Sources<'a> {
    /// The sidecar.
    pub(crate) metadata: &'a Metadata,
    /// Description and examples of each command, unchanged.
    pub(crate) originals: &'a [Original<'a>],
    /// The other plugins of the collection by their directories, and their skills.
    pub(crate) neighbours: &'a BTreeMap<String, SkillName>,
    /// The files that were left out.
    pub(crate) left_out: &'a [LeftOut],
    /// The surroundings that the code needs.
    pub(crate) around: &'a Around,
    /// The reasons why the skill cannot run.
    pub(crate) blockers: &'a [String],
    /// Notes for the user.
    pub(crate) notes: &'a [String],
    /// The description in the frontmatter.
    pub(crate) said: &'a str,
    /// The readmes of the plugin, as paths in the skill.
    pub(crate) readmes: &'a [String],
    /// True if the skill has a template of its settings.
    pub(crate) has_settings_file: bool,
    /// Language of headings.
    pub(crate) language: Language,
    /// Shells of the commands.
    pub(crate) shell: Shell,
    /// Texts in place of the planned ones.
    pub(crate) polish: Option<&'a Polish>,
}

/// The texts of a skill.
#[derive(Debug)]
pub(crate) struct Documents {
    /// Body of `SKILL.md`.
    pub(crate) body: String,
    /// `references/commands.md`.
    pub(crate) commands: Option<String>,
    /// True if the body has the texts of the commands word for word.
    pub(crate) is_whole: bool,
    /// `references/overview.md`.
    pub(crate) overview: Option<String>,
}

const DETAILS: [Detail; 5] = [
    Detail::Prose,
    Detail::Table,
    Detail::Line,
    Detail::Hint,
    Detail::Names,
];

/// Maximum length of a description that is complete in the body, in code points.
const MAX_OVERVIEW: usize = 3_000;

/// Maximum length of an introduction that says nothing below the title, in code points.
const MAX_THIN: usize = 16;

/// Maximum length of a sentence of the introduction that says nothing beside others or a command, in code
/// points.
const THIN_LEAD: usize = 12;

/// Renders all texts.
pub(crate) fn documents(
    sources: &Sources<'_>,
    templates: &Templates,
    seen: &mut DefuseReport,
) -> Result<Documents, TemplateError> {
    let originals: Vec<Texts<'_>> = sources
        .originals
        .iter()
        .map(|original| Texts::new(original, seen))
        .collect();
    let (mut data, lead) = frame(sources, seen);
    let mut body = String::new();
    let (mut is_whole, mut is_short) = (true, false);
    for detail in DETAILS {
        add_commands(&mut data, sources, &originals, &lead, detail);
        is_whole = detail == Detail::Prose && are_whole(&data, &originals);
        is_short = detail != Detail::Prose && !originals.is_empty();
        data["is_short"] = json!(is_short);
        data["references"] = json!(references(sources, is_short));
        if detail != Detail::Names && budget::is_hopeless(&data["commands"]) {
            continue;
        }
        grouped::group(&mut data, sources.language);
        body = templates.render("SKILL.md.jinja", &data)?;
        if budget::fits(&body) {
            break;
        }
    }
    let commands = if is_short {
        let data = commands_data(sources, &originals, &data);
        Some(templates.render("commands.md.jinja", &data)?)
    } else {
        None
    };
    let overview = overview_document(sources, &data);
    // Repeated at the end, because texts reach the templates in several ways.
    let is_value = around::needs_tool(sources.metadata, sources.around);
    let goes_on = sources.metadata.asynchronous.is_some() || sources.around.asks_to_repeat;
    let language = sources.language;
    let legacy = sources.metadata.legacy.as_ref();
    let own = legacy.map(|it| [it.name.as_str(), it.directory.as_str()]);
    let names = PluginNames {
        own: own.into_iter().flatten().collect(),
        others: sources.neighbours,
    };
    let own = |text: String| {
        let text = names.as_skills(&text);
        let text = in_value(own_paths(&text, sources.metadata), is_value, language);
        let commands = &sources.metadata.commands;
        waiting::truthful(&text, commands, goes_on, language).into_owned()
    };
    Ok(Documents {
        body: reveal(own(body), seen),
        commands: commands.map(|text| reveal(own(text), seen)),
        is_whole,
        overview: overview.map(|text| reveal(text, seen)),
    })
}

/// Returns a text whose lists of results name the members as `skills-run` prints them: the object that the
/// old host knew as `result` is its `value`.
fn in_value(text: String, is_value: bool, language: Language) -> String {
    if !is_value || !text.contains("result") {
        return text;
    }
    let mut res = text;
    for name in ["content", "details"] {
        let (old, new) = (format!("result.{name}"), format!("value.{name}"));
        for before in [" ", "`", "（", "("] {
            res = res.replace(&format!("{before}{old}"), &format!("{before}{new}"));
        }
    }
    answered::in_value(&res, language)
}

/// Returns a text with the paths of the plugin's own files in the skill: `Plugin/Tea/a.json` is
/// `scripts/a.json`.
fn own_paths(text: &str, metadata: &Metadata) -> String {
    let Some(legacy) = &metadata.legacy else {
        return text.to_owned();
    };
    let directory = format!("Plugin/{}/", legacy.directory);
    let mut res = String::new();
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once(&directory) {
        res.push_str(head);
        let is_inside = res.ends_with(['/', '\\']);
        res.push_str(if is_inside { &directory } else { "scripts/" });
        rest = tail;
    }
    res.push_str(rest);
    res
}

/// Returns whether the body has every text of every command word for word.
fn are_whole(data: &Value, originals: &[Texts<'_>]) -> bool {
    let mut pairs = originals.iter().enumerate();
    let has_all = data["commands"].as_array().map(Vec::len) == Some(originals.len());
    has_all
        && pairs.all(|(at, texts)| {
            let command = &data["commands"][at];
            let is_same = |key: &str| command[key].as_str() == Some(texts.whole.trim());
            texts.examples.is_empty() && (is_same("prose") || is_same("summary"))
        })
}

/// Returns the frame, and what the introduction says.
fn frame(sources: &Sources<'_>, seen: &mut DefuseReport) -> (Value, Known) {
    let metadata = sources.metadata;
    let language = sources.language;
    let description = unescaped(&metadata.description);
    let description = defuse(&description, seen);
    let name = metadata.display_name.as_deref().unwrap_or(&metadata.name);
    let is_long = description.chars().count() > MAX_OVERVIEW;
    let lead = if is_long {
        cut(&one_line(&description), 400).0
    } else {
        description.to_string()
    };
    let mut before = Before::default();
    // An agent reads the description before the body.
    before.known.add(&defuse(sources.said, seen));
    let said = before.known.clone();
    if let [command] = &metadata.commands[..] {
        let called = vec![first_call::first_arguments(
            &metadata.commands,
            sources.around,
        )];
        before = Before::of(command, before.known, called);
    }
    let texts = sources.originals.iter().map(|it| it.description);
    let lead = without_list(&lead, &texts.collect::<String>()).to_owned();
    let lead = prose::markdown(&without_plugin(&lead), &mut before);
    let lead = unsaid(&lead, &said, sources.said);
    // A few words, which the title or a command says in more.
    let is_thin = lead.chars().count() <= MAX_THIN;
    let lead = if is_thin { String::new() } else { lead };
    let polish = sources.polish.cloned().unwrap_or_default();
    let legacy = metadata.legacy.as_ref().map_or("", |it| &*it.name);
    let title = polish
        .title
        .unwrap_or_else(|| without_identifier(&title(name), legacy));
    let mut run = run::run(metadata, sources.around, language, sources.shell);
    run["files"] = json!(files::sentence(metadata, sources.around, language));
    run["result"] = json!(defuse(&polish.result.unwrap_or_default(), seen));
    let program = notes::Program {
        metadata,
        around: sources.around,
        language,
    };
    let notes = sources
        .notes
        .iter()
        .cloned()
        .chain(notes::of_code(&program));
    let notes: Vec<String> = notes.collect();
    let commands = &metadata.commands;
    let advice = if polish.advice.is_empty() {
        order::sentences(commands, sources.originals, sources.around, language)
    } else {
        defused(&polish.advice, seen)
    };
    let mut care = defused(&polish.care, seen);
    care.extend(outside::cautions(metadata, sources.around, language));
    let mut data = json!({
        "h": language.headings(),
        "title": defuse(&title, seen),
        "lead": lead,
        "overview_elsewhere": is_long,
        "not_runnable": sources.blockers,
        "prepare": prepare::items(metadata, sources.around, language),
        "run": run,
        "advice": advice,
        "care": care,
        "guards": parts::guards(metadata, language),
        "placeholders": parts::placeholders(metadata, sources.around, seen),
        "notes": notes,
        "lost": parts::lost(sources.left_out, metadata, language),
    });
    let section = Section::new(metadata, sources.around, language);
    let more = if section.is_cut && !sources.has_settings_file {
        settings::file(language)
    } else {
        String::new()
    };
    if let (Some(data), Value::Object(section)) = (data.as_object_mut(), section.into_data(&more)) {
        data.extend(section);
    }
    (data, before.known)
}

/// Returns a text with ends of lines where it has `\\n` in their place.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if text.contains("\\n") && !text.contains('\n') {
        text.replace("\\n", "\n").into()
    } else {
        text.into()
    }
}

/// Returns an introduction without its numbered list, if the texts of the commands explain each quoted word
/// of it: `支持：1. 'hot': 热饮 2. 'cold': 冷饮`.
fn without_list<'a>(lead: &'a str, texts: &str) -> &'a str {
    const MIN: usize = 3;
    let starts = ["：1. ", ": 1. ", "：1.", " 1. ", "： 1. ", "\n1. "];
    let at = starts.iter().filter_map(|start| lead.find(start)).min();
    let Some(at) = at else { return lead };
    let (head, list) = lead.split_at(at);
    let quoted: Vec<&str> = list.split('\'').skip(1).step_by(2).collect();
    let is_told = quoted.len() >= MIN && quoted.iter().all(|word| texts.contains(word));
    if !is_told {
        return lead;
    }
    let is_end = |c: char| matches!(c, '。' | '！' | '\n');
    let end = head.char_indices().rev().find(|(_, c)| is_end(*c));
    end.map_or("", |(at, c)| &head[..at + c.len_utf8()])
}

/// Returns an introduction without the sentences of which the description says most.
fn unsaid(lead: &str, said: &Known, text: &str) -> String {
    const MAX_SHARE: usize = 80;
    // A sentence with a number of its own says something else in the same words.
    const MAX_ALIKE: usize = 62;
    let has_number = |it: &str| {
        let mut numbers = it.split(|c: char| !c.is_ascii_digit());
        numbers.any(|number| !number.is_empty() && !text.contains(number))
    };
    let is_said = |it: &str| {
        let share = said.share(it);
        share >= MAX_SHARE || share >= MAX_ALIKE && !has_number(it)
    };
    let lines = lead.lines().map(|line| {
        let kept =
            protocol::sentences(line).filter(|it| !is_said(it) && !has_sentence_of(it, text));
        let kept = kept.collect::<String>();
        protocol::without_link(&kept).to_owned()
    });
    let says = |line: &String| line.is_empty() || line.chars().any(char::is_alphanumeric);
    let lines: Vec<String> = lines.filter(says).collect();
    let lead = lines.join("\n").trim().to_owned();
    // A few words before the sentences that say it.
    let first = protocol::sentences(&lead).next().unwrap_or_default();
    let is_thin = first.chars().count() <= THIN_LEAD && first.len() < lead.len();
    let start = if is_thin { first.len() } else { 0 };
    lead[start..].trim_start().to_owned()
}

/// Returns true for a sentence that has a whole sentence of a text, and little more: `允许主人泡一壶绿茶` of
/// `泡一壶绿茶。`
fn has_sentence_of(sentence: &str, text: &str) -> bool {
    const MIN: usize = 12;
    let length = |text: &str| text.chars().count();
    protocol::sentences(text).any(|said| {
        let said = said.trim().trim_end_matches(['。', '.']);
        let is_most = length(said) >= MIN && length(said) * 5 >= length(sentence) * 3;
        is_most && sentence.contains(said)
    })
}

fn defused(texts: &[String], seen: &mut DefuseReport) -> Vec<String> {
    let texts = texts.iter();
    texts.map(|text| defuse(text, seen).into_owned()).collect()
}

/// Returns the files that tell more.
fn references(sources: &Sources<'_>, is_short: bool) -> Vec<Value> {
    let headings = sources.language.headings();
    let mut res = Vec::new();
    let mut push = |path: &str, what: &str| {
        res.push(json!({ "path": path, "what": headings[what] }));
    };
    for readme in sources.readmes {
        push(readme, "ref_readme");
    }
    if sources.has_settings_file {
        push("assets/config.env.example", "ref_settings");
    }
    if !is_short {
        push("references/legacy-manifest.json", "ref_manifest");
    }
    res
}

fn add_commands(
    data: &mut Value,
    sources: &Sources<'_>,
    originals: &[Texts<'_>],
    lead: &Known,
    detail: Detail,
) {
    let commands = &sources.metadata.commands;
    let is_single = commands.len() == 1;
    let run = ["script", "powershell"].map(|shell| data["run"][shell] != "");
    let is_run = sources.blockers.is_empty() && run.contains(&true);
    let selector = parts::Selector::of(commands);
    let mut earlier = Earlier::new(lead.clone());
    let mut entries = Vec::new();
    let mut results: BTreeMap<String, &str> = BTreeMap::new();
    for (at, (command, texts)) in commands.iter().zip(originals).enumerate() {
        if !sources.around.is_shown(&command.id) {
            continue;
        }
        let mut entry = Entry {
            command,
            name: parts::name(command, commands),
            texts,
            detail,
            language: sources.language,
            is_run: is_run && at == first_call::first_called(commands, sources.around),
            result: result(sources, &command.id).map(|told| {
                let name = parts::name(command, commands);
                let first = results.get(told.as_str());
                let again = first.map(|first| outcome::returned_as(first, sources.language));
                let again = again.filter(|it| it.len() * 2 < told.len());
                results.entry(told.clone()).or_insert(name);
                again.unwrap_or(told)
            }),
            has_result: sources.around.results.form.is_some(),
            has_selector: selector.as_ref().is_some_and(parts::Selector::is_of_all) && !is_single,
        };
        entries.push(entry.data(is_single, &mut earlier));
    }
    data["group"] = Value::Null;
    data["is_single"] = json!(is_single && detail != Detail::Names);
    let selector = selector.map(|it| it.sentence(sources.language));
    data["selector"] = json!(selector.unwrap_or_default());
    data["batch"] = json!(batch::sentence(commands, sources.around, sources.language));
    data["has_commands"] = json!(!commands.is_empty());
    data["command_ids"] = json!(if detail == Detail::Names {
        parts::names(commands)
    } else {
        String::new()
    });
    data["commands"] = json!(if detail == Detail::Names {
        Vec::new()
    } else {
        entries
    });
}

/// Returns the sentence on a command's results: of those that its code shows, unless all commands have one
/// form, which the section on calls says.
fn result(sources: &Sources<'_>, id: &str) -> Option<String> {
    let (around, language) = (sources.around, sources.language);
    let outcome = around.outcomes.get(id);
    let outcome = match &around.results.form {
        None => outcome.cloned(),
        Some(common) if around.results.is_split => outcome.and_then(|it| it.beside(common)),
        Some(_) => None,
    };
    let place = outcome::Place::of(sources.metadata, around);
    let outcome = outcome
        .as_ref()
        .map(|it| outcome::returned(place, it, language));
    let action = around.client_actions.get(id);
    let action = action.map(|name| outcome::for_a_window(name, language));
    let parts: Vec<String> = outcome.into_iter().chain(action).collect();
    (!parts.is_empty()).then(|| parts.join(language.pick(" ", "")))
}

/// Returns every command with all that its texts say, for `references/commands.md`.
fn commands_data(sources: &Sources<'_>, originals: &[Texts<'_>], frame: &Value) -> Value {
    let pairs = sources.metadata.commands.iter().zip(originals);
    let mut earlier = Earlier::default();
    let commands: Vec<Value> = pairs
        .map(|(command, texts)| {
            let mut entry = Entry {
                command,
                name: parts::name(command, &sources.metadata.commands),
                texts,
                detail: Detail::Prose,
                language: sources.language,
                is_run: false,
                result: result(sources, &command.id),
                has_result: sources.around.results.form.is_some(),
                has_selector: false,
            };
            entry.data(false, &mut earlier)
        })
        .collect();
    let title = format!(
        "{} · {}",
        frame["title"].as_str().unwrap_or_default(),
        sources.language.pick("Commands", "命令")
    );
    json!({ "h": frame["h"], "title": title, "commands": commands })
}

fn overview_document(sources: &Sources<'_>, frame: &Value) -> Option<String> {
    let description = defuse(&sources.metadata.description, &mut DefuseReport::default());
    (frame["overview_elsewhere"] == true).then(|| {
        let title = crate::markdown::inline(frame["title"].as_str().unwrap_or_default());
        format!(
            "# {title}\n\n{}\n",
            crate::markdown::fenced(&description, "text")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_the_commands_explain_go() {
        let list = "：1. 'hot': 热饮 2. 'cold': 冷饮 3. 'warm': 温饮";
        let texts = "'hot' 'cold' 'warm'";
        let check = |lead: &str, texts: &str, expected: &str| {
            assert_eq!(without_list(lead, texts), expected, "{lead}");
        };
        check(&format!("泡茶。支持{list}"), texts, "泡茶。");
        check(&format!("泡茶\n支持的茶{list}"), texts, "泡茶\n");
        check(&format!("支持{list}"), texts, "");
        check("泡茶：1. 'hot'", texts, "泡茶：1. 'hot'");
        let whole = format!("泡茶。支持{list}");
        check(&whole, "'hot'", &whole);
    }
}
