//! The section of SKILL.md that lists the tools of a server.

use std::fmt::Write as _;

use serde_json::Value;
use skill_model::{Command, McpServer, Metadata};

use crate::{
    description::cut,
    markdown::{DefuseReport, code, defuse, inline, one_line},
    plan::{GeneratedFile, Migration},
    render::{Language, fits},
};

use super::page::{TOOLS_PAGE, advice, language_of, record_page, tools_page};
use super::summary::replaced;

/// The lines around the section. What is between them is replaced when the tools are asked for again.
const BEGIN: &str = "<!-- tools -->";
const END: &str = "<!-- end of tools -->";
/// The most arguments that are named for a tool.
const MAX_ARGUMENTS: usize = 8;

/// Returns the text of SKILL.md with the tools of `record`: in place of its section, or at the end.
///
/// ```
/// use skill_migrator::with_tools;
///
/// let text = "schema: 1\nname: a\nversion: '1'\ntype: distributed\nentry: {mcp: {url: 'https://a.example', tools: {ping: x}}}\ncommands: [{id: ping, description: Answers.}]\n";
/// let record = skill_model::read_metadata(text).0.unwrap();
/// let skill = with_tools("---\nname: a\ndescription: A server.\n---\n\n# A\n", &record);
/// assert!(skill.contains("- `ping`: Answers."));
/// assert_eq!(with_tools(&skill, &record), skill);
/// ```
pub fn with_tools(text: &str, record: &Metadata) -> String {
    let (before, after) = match (text.find(BEGIN), text.find(END)) {
        (Some(from), Some(to)) if from < to => (&text[..from], &text[to + END.len()..]),
        _ => (text, "\n"),
    };
    let separator = if before.is_empty() || before.ends_with("\n\n") {
        ""
    } else {
        "\n"
    };
    let language = language_of(record);
    let mut res = String::new();
    for (n_chars, n_advice) in [
        (300, 2_000),
        (120, 2_000),
        (120, 1_000),
        (60, 500),
        (0, 500),
        (0, 0),
    ] {
        let section = section(record, language, n_chars);
        let advice = advice_section(record, language, n_advice);
        res = format!("{before}{separator}{BEGIN}\n{section}{advice}{END}{after}");
        if fits(&res) {
            return res;
        }
    }
    let names = record.commands.len();
    for n_shown in [names / 2, names / 4, names / 8, names / 16] {
        let short = Metadata {
            commands: record.commands[..n_shown].to_vec(),
            ..record.clone()
        };
        let section = section(&short, language, 0);
        let more = language.pick(
            "more: `skills-describe NAME` lists them",
            "个更多：`skills-describe NAME` 列出",
        );
        let more = more.replace("NAME", &record.name);
        res = format!(
            "{before}{separator}{BEGIN}\n{section}- {} {more}\n{END}{after}",
            names - n_shown
        );
        if fits(&res) {
            break;
        }
    }
    res
}

/// Returns the section with the server's own words, at most `n_chars` of them; empty if there are none.
fn advice_section(record: &Metadata, language: Language, n_chars: usize) -> String {
    let server = record.entry.as_ref().and_then(|entry| entry.mcp.as_ref());
    let words = server.and_then(|server| server.instructions.as_deref());
    let Some(words) = words.filter(|_| n_chars > 0) else {
        return String::new();
    };
    let title = language.pick("Advice of the server", "服务器的建议");
    format!("\n## {title}\n\n{}", advice(words, n_chars, language))
}

/// Returns the text of SKILL.md and the page of the tools for a record whose tools were accepted, in place
/// of those for `earlier`, and puts the page into the list of files of the record.
pub fn accept_tools(
    text: &str,
    earlier: &Metadata,
    record: &mut Metadata,
) -> (String, Option<String>) {
    let text = with_tools(&replaced(text, earlier, record), record);
    let page = tools_page(record, &text);
    record_page(record, page.as_deref());
    (text, page)
}

/// Takes the tools that were accepted for the skill on disk into the plan, if its server is the same.
pub fn keep_tools(migration: &mut Migration, earlier: &Metadata) {
    let server = |record: &Metadata| record.entry.as_ref().and_then(|entry| entry.mcp.clone());
    let (Some(planned), Some(known)) = (server(&migration.metadata), server(earlier)) else {
        return;
    };
    let is_same = McpServer {
        tools: known.tools.clone(),
        instructions: known.instructions.clone(),
        ..planned
    } == known;
    let before = migration.metadata.clone();
    let Some(entry) = migration
        .metadata
        .entry
        .as_mut()
        .filter(|_| is_same && !known.tools.is_empty())
    else {
        return;
    };
    entry.mcp = Some(known);
    migration.metadata.commands.clone_from(&earlier.commands);
    let mut page = None;
    for file in &mut migration.generated {
        if file.path == "SKILL.md" {
            (file.text, page) = accept_tools(&file.text, &before, &mut migration.metadata);
        }
    }
    for file in &mut migration.generated {
        if file.path == "METADATA.yml" {
            file.text = migration.metadata.to_yaml();
        }
    }
    migration.generated.extend(page.map(|text| GeneratedFile {
        path: TOOLS_PAGE.to_owned(),
        text,
    }));
    migration.generated.sort();
}

/// Returns the section with descriptions of at most `n_chars` characters.
fn section(record: &Metadata, language: Language, n_chars: usize) -> String {
    let say = |english, chinese| language.pick(english, chinese);
    let title = say("Tools", "工具");
    let server = record.entry.as_ref().and_then(|entry| entry.mcp.as_ref());
    if server.is_none_or(|server| server.tools.is_empty()) {
        let text = say(
            "The tools are not known yet, because only the running server names them. Ask the user, then run `skills-migrate introspect .` in the directory of this skill: it asks the server once and lists them here.",
            "工具尚未知，因为只有运行中的服务器才会列出它们。先询问用户，再在此技能的目录中执行 `skills-migrate introspect .`：它询问服务器一次，并把工具列在这里。",
        );
        return format!("## {title}\n\n{text}\n");
    }
    let intro = say(
        "Each command calls one tool of the server. From the directory of this skill:",
        "每个命令调用服务器的一个工具。在此技能的目录中执行：",
    );
    let line = record.commands.first().map(first_call).unwrap_or_default();
    let outcome = say(
        "The answer is one JSON object: `{\"ok\": true, \"value\": …}` or `{\"ok\": false, \"error\": …}`. The arguments of each tool are in [PAGE](PAGE), in a section with its name: `skills-read . --resource PAGE --section TOOL`.",
        "结果是一个 JSON 对象：`{\"ok\": true, \"value\": …}` 或 `{\"ok\": false, \"error\": …}`。各工具的参数见 [PAGE](PAGE)，每个工具一节：`skills-read . --resource PAGE --section TOOL`。",
    );
    let outcome = outcome.replace("PAGE", TOOLS_PAGE);
    let mut res = format!("## {title}\n\n{intro}\n\n```sh\n{line}\n```\n\n{outcome}\n\n");
    if record.commands.iter().any(Command::needs_approval) {
        let asks = say(
            "Tools marked with ! ask for an approval: ask the user, then add `--approve`.",
            "带 ! 的工具需要批准：先询问用户，再加上 `--approve`。",
        );
        let _ = write!(res, "{asks}\n\n");
    }
    // Harmless texts have no report here; what was changed is visible.
    let mut seen = DefuseReport::default();
    for command in &record.commands {
        let mark = if command.needs_approval() { " !" } else { "" };
        let name = code(&one_line(&defuse(&command.id, &mut seen)));
        let text = one_line(&defuse(&command.description, &mut seen));
        let text = inline(&cut(&text, n_chars).0);
        let text = if n_chars == 0 || text.is_empty() {
            String::new()
        } else {
            format!(": {text}")
        };
        let names = if n_chars == 0 {
            String::new()
        } else {
            arguments(&command.input_schema, &mut seen)
        };
        let _ = writeln!(res, "- {name}{mark}{text}{names}");
    }
    res
}

/// Returns the arguments of a tool in parentheses: those that are needed first, the others with `?`.
fn arguments(schema: &Value, seen: &mut DefuseReport) -> String {
    let Some(properties) = schema["properties"].as_object() else {
        return String::new();
    };
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let is_needed = |name: &&String| required.iter().any(|known| known == name.as_str());
    let mut shown =
        |name: &str, mark: &str| format!("{}{mark}", code(&one_line(&defuse(name, seen))));
    let needed = properties.keys().filter(is_needed);
    let mut names: Vec<String> = needed.map(|name| shown(name, "")).collect();
    let others = properties.keys().filter(|name| !is_needed(name));
    names.extend(others.map(|name| shown(name, "?")));
    if names.len() > MAX_ARGUMENTS {
        names.truncate(MAX_ARGUMENTS);
        names.push("…".to_owned());
    }
    if names.is_empty() {
        return String::new();
    }
    format!(" ({})", names.join(", "))
}

/// Returns a call of a tool, with a value for each argument that is needed.
fn first_call(command: &Command) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:".contains(c);
    let id = if command.id.chars().all(is_plain) {
        command.id.clone()
    } else {
        quoted(&command.id)
    };
    let input = one_line(&command.sample_arguments().to_string());
    format!("skills-run . --command {id} --input {}", quoted(&input))
}
