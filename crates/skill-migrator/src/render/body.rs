//! The body of `SKILL.md` and the references, within the length limits.
//!
//! The body is first rendered with everything. While it is too long, the commands are shortened,
//! and `references/commands.md` has the rest.

use std::borrow::Cow;

use plugin_model::LeftOut;
use plugin_prose::without_plugin;
use serde_json::{Value, json};
use skill_model::Metadata;

use super::earlier::Earlier;
use super::known::Known;
use super::settings::{self, Section};
use super::title::title;
use super::told::Before;
use super::{
    Around, Language, Shell, TemplateError, Templates, batch, budget, parts, prepare, prose,
    protocol, run, schema_table,
};
use crate::{
    description::cut,
    markdown::{DefuseReport, code, defuse, one_line, reveal},
    polish::Polish,
};

/// The input of the texts.
pub(crate) struct Sources<'a> {
    /// The sidecar.
    pub(crate) metadata: &'a Metadata,
    /// Description and examples of each command, unchanged.
    pub(crate) originals: &'a [Original<'a>],
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

/// The texts of one command, unchanged.
pub(crate) struct Original<'a> {
    pub(crate) description: &'a str,
    pub(crate) examples: Vec<&'a str>,
    /// True if its arguments are unknown, as opposed to a command without arguments.
    pub(crate) is_undeclared: bool,
}

/// The texts of a skill.
#[derive(Debug)]
pub(crate) struct Documents {
    /// Body of `SKILL.md`.
    pub(crate) body: String,
    /// `references/commands.md`.
    pub(crate) commands: Option<String>,
    /// `references/overview.md`.
    pub(crate) overview: Option<String>,
}

/// The detail of each command in the body, most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Detail {
    /// Everything, including what the text says beyond the table.
    Prose,
    /// Summary, table, example.
    Table,
    /// Summary and parameters in one line.
    Line,
    /// The beginning of the summary.
    Hint,
    /// The identifiers.
    Names,
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

/// The share of the summary of a single command, in percent, from which the description says the same.
const MIN_SAID: usize = 75;
/// Maximum number of parameters in a list; more are in a table.
const MAX_LIST: usize = 2;

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
    let mut is_whole = true;
    for detail in DETAILS {
        add_commands(&mut data, sources, &originals, &lead, detail);
        is_whole = detail == Detail::Prose && are_whole(&data, &originals);
        let is_short = detail != Detail::Prose && !originals.is_empty();
        data["is_short"] = json!(is_short);
        data["commands_elsewhere"] = json!(!is_whole);
        data["references"] = json!(references(sources, is_whole, is_short));
        if detail != Detail::Names && budget::is_hopeless(&data["commands"]) {
            continue;
        }
        body = templates.render("SKILL.md.jinja", &data)?;
        if budget::fits(&body) {
            break;
        }
    }
    let commands = if is_whole || sources.metadata.commands.is_empty() {
        None
    } else {
        Some(templates.render(
            "commands.md.jinja",
            &commands_data(sources, &originals, &data),
        )?)
    };
    let overview = overview_document(sources, &data);
    // Repeated at the end, because texts reach the templates in several ways.
    Ok(Documents {
        body: reveal(body, seen),
        commands: commands.map(|text| reveal(text, seen)),
        overview: overview.map(|text| reveal(text, seen)),
    })
}

/// A command's defused texts.
struct Texts<'a> {
    whole: Cow<'a, str>,
    examples: Vec<Cow<'a, str>>,
    is_undeclared: bool,
}

impl<'a> Texts<'a> {
    fn new(original: &'a Original<'_>, seen: &mut DefuseReport) -> Self {
        let examples = original.examples.iter();
        Self {
            whole: defuse(original.description, seen),
            examples: examples.map(|text| defuse(text, seen)).collect(),
            is_undeclared: original.is_undeclared,
        }
    }

    /// Returns true if a text shows a call of the legacy host.
    fn has_protocol(&self) -> bool {
        let mut texts = self.examples.iter().chain([&self.whole]);
        texts.any(|text| text.contains("「始"))
    }
}

/// Returns whether the body has every text of every command word for word.
fn are_whole(data: &Value, originals: &[Texts<'_>]) -> bool {
    let mut pairs = originals.iter().enumerate();
    pairs.all(|(at, texts)| {
        let command = &data["commands"][at];
        let is_same = |key: &str| command[key].as_str() == Some(texts.whole.trim());
        texts.examples.is_empty() && (is_same("prose") || is_same("summary"))
    })
}

/// Returns the frame, and what the introduction says.
fn frame(sources: &Sources<'_>, seen: &mut DefuseReport) -> (Value, Known) {
    let metadata = sources.metadata;
    let language = sources.language;
    let description = defuse(&metadata.description, seen);
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
    let lead = prose::markdown(&without_plugin(&lead), &mut before);
    let lead = unsaid(&lead, &said);
    let polish = sources.polish.cloned().unwrap_or_default();
    let title = polish.title.unwrap_or_else(|| title(name));
    let mut run = run::run(metadata, sources.around, language, sources.shell);
    run["result"] = json!(defuse(&polish.result.unwrap_or_default(), seen));
    let mut data = json!({
        "h": language.headings(),
        "title": defuse(&title, seen),
        "lead": lead,
        "overview_elsewhere": is_long,
        "not_runnable": sources.blockers,
        "prepare": prepare::items(metadata, sources.around, language),
        "run": run,
        "advice": defused(&polish.advice, seen),
        "care": defused(&polish.care, seen),
        "guards": parts::guards(metadata, language),
        "placeholders": parts::placeholders(metadata, seen),
        "notes": sources.notes,
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

/// Returns an introduction without the sentences of which the description says most.
fn unsaid(lead: &str, said: &Known) -> String {
    const MAX_SHARE: usize = 80;
    let lines = lead.lines().map(|line| {
        let kept = protocol::sentences(line).filter(|sentence| said.share(sentence) < MAX_SHARE);
        kept.collect::<String>()
    });
    let says = |line: &String| line.is_empty() || line.chars().any(char::is_alphanumeric);
    let lines: Vec<String> = lines.filter(says).collect();
    lines.join("\n").trim().to_owned()
}

fn defused(texts: &[String], seen: &mut DefuseReport) -> Vec<String> {
    let texts = texts.iter();
    texts.map(|text| defuse(text, seen).into_owned()).collect()
}

/// Returns the files that tell more.
fn references(sources: &Sources<'_>, is_whole: bool, is_short: bool) -> Vec<Value> {
    let headings = sources.language.headings();
    let mut res = Vec::new();
    let mut push = |path: &str, what: &str| {
        res.push(json!({ "path": path, "what": headings[what] }));
    };
    if !is_whole && !is_short && !sources.metadata.commands.is_empty() {
        push("references/commands.md", "ref_commands");
    }
    for readme in sources.readmes {
        push(readme, "ref_readme");
    }
    if sources.has_settings_file {
        push("assets/config.env.example", "ref_settings");
    }
    if is_whole || sources.metadata.commands.is_empty() {
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
    let selector = parts::selector(commands);
    let mut earlier = Earlier::new(lead.clone());
    let mut entries = Vec::new();
    for (at, (command, texts)) in commands.iter().zip(originals).enumerate() {
        let mut entry = Entry {
            command,
            texts,
            detail,
            language: sources.language,
            is_run: is_run && at == 0,
            has_selector: selector.is_some() && !is_single,
        };
        entries.push(entry.data(is_single, &mut earlier));
    }
    data["is_single"] = json!(is_single && detail != Detail::Names);
    data["selector"] = json!(selector.map_or_else(String::new, |key| {
        let text = sources.language.headings()["selector"].clone();
        text.as_str().unwrap_or_default().replace("KEY", &code(key))
    }));
    data["batch"] = json!(batch::sentence(commands, sources.language));
    let also_read = commands.first().map(|command| &command.also_read[..]);
    data["also_read"] = json!(settings::names_of(also_read.unwrap_or_default()));
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

/// A command at a level of detail.
struct Entry<'a> {
    command: &'a skill_model::Command,
    texts: &'a Texts<'a>,
    detail: Detail,
    language: Language,
    /// True if the section on calls shows its call.
    is_run: bool,
    /// True if a sentence on all commands says what selects them.
    has_selector: bool,
}

impl Entry<'_> {
    fn data(&mut self, is_single: bool, earlier: &mut Earlier) -> Value {
        let Self {
            command,
            texts,
            detail,
            language,
            ..
        } = *self;
        let rows = schema_table::rows(&command.input_schema, &command.examples, language);
        let rows = earlier.unrepeated(&command.id, schema_table::merged(rows), language);
        let columns = schema_table::columns(&rows);
        let is_line = detail == Detail::Line
            || detail < Detail::Line && !rows.is_empty() && columns_are_empty(&columns);
        let example = self.example(&earlier.shown);
        let has_example = !example.is_empty() && detail <= Detail::Table;
        for value in run::arguments(command).values() {
            earlier.shown.add(&schema_table::plain(value));
        }
        let summary = self.summary(is_single, &earlier.known);
        // Nor is what the description says already repeated below the table.
        earlier.known.add(&command.description);
        earlier
            .known
            .add(&protocol::without_agent(&command.description));
        let mut before = Before::of(
            command,
            earlier.known.clone(),
            vec![run::arguments(command)],
        );
        before.told = std::mem::take(&mut earlier.told);
        let prose = if detail == Detail::Prose {
            prose::markdown(&texts.whole, &mut before)
        } else {
            String::new()
        };
        earlier.told = before.told;
        let is_selected = self.is_run || has_example || self.has_selector;
        let dispatch = if is_selected || detail > Detail::Line {
            String::new()
        } else {
            parts::dispatch(command)
        };
        json!({
            "id": command.id,
            "summary": if detail == Detail::Hint { cut(&summary, 80).0 } else { summary },
            "dispatch": dispatch,
            "columns": columns,
            "is_list": rows.len() <= MAX_LIST,
            "parameters": if detail <= Detail::Table && !is_line { rows } else { Vec::new() },
            "parameter_line": if is_line { schema_table::line(&command.input_schema, language) } else { String::new() },
            "undeclared": texts.is_undeclared && detail <= Detail::Line,
            "example": if has_example { call(&example) } else { String::new() },
            "prose": prose,
        })
    }

    /// Returns the call as one line of JSON, unless the body shows it elsewhere.
    fn example(&self, shown: &Known) -> String {
        let arguments = run::arguments(self.command);
        let n_selectors = usize::from(self.command.dispatch.is_some());
        let says_nothing =
            self.has_selector && (arguments.len() <= n_selectors || self.shows_nothing(shown));
        if self.is_run || arguments.is_empty() || says_nothing {
            String::new()
        } else {
            Value::Object(arguments).to_string()
        }
    }

    /// Returns true if the table and other calls say all of the example: its names, and what its values
    /// look like.
    fn shows_nothing(&self, shown: &Known) -> bool {
        let properties = &self.command.input_schema["properties"];
        let Some(Value::Object(example)) = self.command.examples.first() else {
            return true;
        };
        example.iter().all(|(name, value)| {
            let property = &properties[name];
            let text = schema_table::plain(value);
            let is_words =
                |c: char| c.is_alphabetic() || c.is_whitespace() || "_，。、！？".contains(c);
            let text_of_row = property["description"].as_str().unwrap_or_default();
            let is_plain = text.chars().all(is_words) || text_of_row.contains(&text);
            let is_flag = matches!(&*text, "true" | "false") || text.parse::<u32>().is_ok();
            !property.is_null() && (is_plain || is_flag || shown.has_exactly(&text))
        })
    }

    /// Returns the summary without what the introduction says, unless it is only a label of the text.
    fn summary(&self, is_single: bool, lead: &Known) -> String {
        let sentences = protocol::sentences(&self.command.description);
        let before = Before::of(self.command, Known::default(), Vec::new());
        let is_repeated = |sentence: &str| {
            let said = protocol::without_agent(sentence);
            is_single && (lead.has(&said) || lead.share(&said) >= MIN_SAID)
                || before.tells(sentence)
        };
        let summary: String = sentences
            .filter(|sentence| !is_repeated(sentence) && !protocol::is_left_out(sentence))
            .map(protocol::without_agent)
            .collect();
        let is_label = || {
            let mut lines = self.texts.whole.lines();
            lines.any(|line| {
                line.trim().trim_end_matches([':', '：']) == summary && line.trim() != summary
            })
        };
        if is_single && is_label() {
            String::new()
        } else {
            summary.trim().to_owned()
        }
    }
}

/// Returns a call as code, in a line if it is short.
fn call(text: &str) -> String {
    const MAX_INLINE: usize = 160;
    if text.len() <= MAX_INLINE {
        code(text)
    } else {
        crate::markdown::fenced(text, "json")
    }
}

/// Returns true if a table would have names alone.
fn columns_are_empty(columns: &Value) -> bool {
    let columns = columns.as_object();
    columns.is_some_and(|columns| columns.values().all(|has| has == false))
}

fn commands_data(sources: &Sources<'_>, originals: &[Texts<'_>], frame: &Value) -> Value {
    let pairs = sources.metadata.commands.iter().zip(originals);
    let commands: Vec<Value> = pairs
        .map(|(command, texts)| {
            json!({
                "id": command.id,
                "summary": command.description,
                "dispatch": parts::dispatch(command),
                "parameters": schema_table::rows(&command.input_schema, &command.examples, sources.language),
                "examples": command.examples.iter().map(|example| parts::with_dispatch(command, example).to_string()).collect::<Vec<_>>(),
                "original": texts.whole,
                "original_examples": texts.examples,
            })
        })
        .collect();
    let title = format!(
        "{} · {}",
        frame["title"].as_str().unwrap_or_default(),
        sources.language.pick("Commands", "命令")
    );
    let has_protocol = originals.iter().any(Texts::has_protocol);
    json!({ "h": frame["h"], "title": title, "commands": commands, "has_protocol": has_protocol })
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
