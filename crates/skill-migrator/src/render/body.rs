//! The body of `SKILL.md` and the references, within the length limits.
//!
//! The body is first rendered with everything. While it is too long, the commands are shortened,
//! and `references/commands.md` has the rest.

use std::borrow::Cow;

use plugin_model::LeftOut;
use serde_json::{Value, json};
use skill_model::Metadata;

use super::{Around, Language, Shell, TemplateError, Templates, budget, parts, run, schema_table};
use crate::{
    description::cut,
    markdown::{DefuseReport, defuse, one_line, reveal},
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
    /// Language of headings.
    pub(crate) language: Language,
    /// Shells of the commands.
    pub(crate) shell: Shell,
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
    /// Everything, including the original text without call blocks.
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
/// Maximum number of rows of a table; `METADATA.yml` has them all.
const MAX_CONFIG_ROWS: usize = 60;

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
    let mut data = frame(sources, seen);
    let mut body = String::new();
    let mut is_whole = true;
    for detail in DETAILS {
        add_commands(&mut data, sources, &originals, detail);
        is_whole = detail == Detail::Prose && originals.iter().all(Texts::is_whole_without_calls);
        data["commands_elsewhere"] = json!(!is_whole);
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

/// A command's defused texts, with the calls removed for the body.
struct Texts<'a> {
    whole: Cow<'a, str>,
    examples: Vec<Cow<'a, str>>,
    prose: String,
    is_undeclared: bool,
}

impl<'a> Texts<'a> {
    fn new(original: &'a Original<'_>, seen: &mut DefuseReport) -> Self {
        let whole = defuse(original.description, seen);
        let prose = parts::without_calls(&whole);
        let examples = original
            .examples
            .iter()
            .map(|text| defuse(text, seen))
            .collect();
        Self {
            whole,
            examples,
            prose,
            is_undeclared: original.is_undeclared,
        }
    }

    /// Returns whether the body loses nothing if it has only the prose.
    fn is_whole_without_calls(&self) -> bool {
        self.prose.len() == self.whole.trim().len() && self.examples.is_empty()
    }
}

fn frame(sources: &Sources<'_>, seen: &mut DefuseReport) -> Value {
    let metadata = sources.metadata;
    let language = sources.language;
    let description = defuse(&metadata.description, seen);
    let title = metadata.display_name.as_deref().unwrap_or(&metadata.name);
    let lead = one_line(&description);
    let (lead, was_cut) = cut(&lead, 400);
    let lead = if lead.is_empty() {
        metadata.name.clone()
    } else {
        lead
    };
    let is_long = description.chars().count() > MAX_OVERVIEW;
    let says_more = was_cut || description.trim().contains('\n');
    let rows = parts::config_rows(metadata, language);
    json!({
        "h": language.headings(),
        "title": defuse(title, seen),
        "lead": lead,
        "overview": if says_more && !is_long { description.as_ref() } else { "" },
        "overview_elsewhere": is_long,
        "not_runnable": sources.blockers,
        "run": run::run(metadata, sources.around, language, sources.shell),
        "guards": parts::guards(metadata, language),
        "facts": parts::facts(metadata, language),
        "config_needed": parts::list(&sources.around.needed),
        "config_more": rows.len() > MAX_CONFIG_ROWS,
        "config": rows.into_iter().take(MAX_CONFIG_ROWS).collect::<Vec<_>>(),
        "placeholders": parts::placeholders(metadata, seen),
        "notes": sources.notes,
        "lost": parts::lost(sources.left_out, metadata, language),
    })
}

fn add_commands(data: &mut Value, sources: &Sources<'_>, originals: &[Texts<'_>], detail: Detail) {
    let commands = &sources.metadata.commands;
    let pairs = commands.iter().zip(originals);
    let entries: Vec<Value> = pairs
        .map(|(command, texts)| command_data(command, texts, detail, sources.language))
        .collect();
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

fn command_data(
    command: &skill_model::Command,
    texts: &Texts<'_>,
    detail: Detail,
    language: Language,
) -> Value {
    let rows = schema_table::rows(&command.input_schema, language);
    let example = Value::Object(run::arguments(command));
    let has_example = example.as_object().is_some_and(|map| !map.is_empty());
    let keep = |wanted: Detail, text: String| {
        if detail <= wanted {
            text
        } else {
            String::new()
        }
    };
    // A prose that only repeats the summary is left out.
    let repeats = one_line(&texts.prose) == one_line(&command.description);
    json!({
        "id": command.id,
        "summary": if detail == Detail::Hint { cut(&command.description, 80).0 } else { command.description.clone() },
        "dispatch": keep(Detail::Line, parts::dispatch(command)),
        "parameters": if detail <= Detail::Table { rows } else { Vec::new() },
        "parameter_line": if detail == Detail::Line { schema_table::line(&command.input_schema, language) } else { String::new() },
        "undeclared": texts.is_undeclared && detail <= Detail::Line,
        "batch": command.batch.is_some() && detail <= Detail::Line,
        "example": if has_example { keep(Detail::Table, pretty(&example)) } else { String::new() },
        "prose": if repeats { String::new() } else { keep(Detail::Prose, texts.prose.clone()) },
    })
}

fn commands_data(sources: &Sources<'_>, originals: &[Texts<'_>], frame: &Value) -> Value {
    let pairs = sources.metadata.commands.iter().zip(originals);
    let commands: Vec<Value> = pairs
        .map(|(command, texts)| {
            json!({
                "id": command.id,
                "summary": command.description,
                "dispatch": parts::dispatch(command),
                "parameters": schema_table::rows(&command.input_schema, sources.language),
                "examples": command.examples.iter().map(|example| pretty(&parts::with_dispatch(command, example))).collect::<Vec<_>>(),
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

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a JSON value is written")
}
