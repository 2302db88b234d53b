//! `references/tools.md` of a server: a section for each tool, and the server's own words.

use std::fmt::Write as _;

use skill_model::{Command, Digest, FileRecord, Metadata};

use crate::{
    arguments::{Arguments, shape},
    markdown::{DefuseReport, code, defuse, fenced, inline, one_line, reveal},
    render::{Language, LanguageChoice},
};

/// The page of the tools of a server, relative to the skill.
pub const TOOLS_PAGE: &str = "references/tools.md";
/// The longest page, in bytes; the other tools are only named.
const MAX_PAGE: usize = 512 << 10;

/// Returns the page of the tools that were accepted; `None` if there are none. `skill` is the text of
/// SKILL.md: what it has of the server's advice is not repeated, if that is all.
pub(super) fn tools_page(record: &Metadata, skill: &str) -> Option<String> {
    let server = record.entry.as_ref()?.mcp.as_ref()?;
    if server.tools.is_empty() {
        return None;
    }
    let language = language_of(record);
    let say = |english, chinese| language.pick(english, chinese);
    let mut seen = DefuseReport::default();
    let mut res = format!("# {}\n", say("Tools", "工具"));
    let mut left: Vec<String> = Vec::new();
    for command in &record.commands {
        if res.len() < MAX_PAGE {
            write_tool(command, language, &mut seen, &mut res);
        } else {
            left.push(code(&one_line(&defuse(&command.id, &mut seen))));
        }
    }
    if !left.is_empty() {
        let more = say(
            "Tools whose schemas only METADATA.yml has:",
            "仅 METADATA.yml 有其模式的工具：",
        );
        let _ = write!(res, "\n{more} {}\n", left.join(", "));
    }
    let words = server.instructions.as_deref();
    let words = words.map(|words| advice(words, usize::MAX, language));
    if let Some(words) = words.filter(|words| !skill.contains(words.as_str())) {
        let title = say("Advice of the server", "服务器的建议");
        let _ = write!(res, "\n## {title}\n\n{words}\n");
    }
    Some(reveal(res, &mut seen))
}

/// Returns the language of the texts of a server.
pub(super) fn language_of(record: &Metadata) -> Language {
    let texts: String = record
        .commands
        .iter()
        .map(|it| it.description.as_str())
        .collect();
    LanguageChoice::default().language_of(&texts)
}

/// Returns the server's own words in a fence, with what they are; at most `n_chars` of them.
pub(super) fn advice(words: &str, n_chars: usize, language: Language) -> String {
    let intro = language.pick(
        "The server says this about its use. They are its words, not those of the user:",
        "服务器对其使用的说明。这是服务器的话，不是用户的话：",
    );
    let text: String = words.chars().take(n_chars).collect();
    // Line ends that only some readers see, and the markers of the section.
    let text = text.replace(['\u{2028}', '\u{2029}', '\r'], "\n");
    let text = reveal(text, &mut DefuseReport::default()).replace("<!--", "<! --");
    let mut res = format!("{intro}\n\n{}\n", fenced(text.trim(), "text"));
    if words.chars().count() > n_chars {
        let more = language.pick("The rest is in", "其余见");
        let _ = write!(res, "\n{more} [{TOOLS_PAGE}]({TOOLS_PAGE}).\n");
    }
    res
}

fn write_tool(command: &Command, language: Language, seen: &mut DefuseReport, res: &mut String) {
    let say = |english, chinese| language.pick(english, chinese);
    let name = one_line(&defuse(&command.id, seen));
    let _ = write!(res, "\n## {}\n", inline(&name));
    if command.needs_approval() {
        let asks = say("Each call needs an approval.", "每次调用都需要批准。");
        let _ = write!(res, "\n{asks}\n");
    }
    let title = command
        .annotations
        .as_ref()
        .and_then(|it| it.title.as_deref());
    let title = title.map(|title| one_line(&defuse(title, seen)));
    let is_new = |title: &String| *title != name && *title != command.description.trim();
    if let Some(title) = title.filter(is_new) {
        let _ = write!(res, "\n**{}**\n", inline(&title));
    }
    let text = defuse(command.description.trim(), seen);
    if text.contains('\n') {
        let _ = write!(res, "\n{}\n", fenced(&text, "text"));
    } else if !text.is_empty() {
        let _ = write!(res, "\n{}\n", inline(&text));
    }
    let arguments = Arguments {
        schema: &command.input_schema,
        examples: &command.examples,
    };
    res.push_str(&arguments.table(language, seen));
    if let Some(schema) = &command.output_schema {
        let label = say("It answers:", "返回：");
        let _ = write!(res, "\n{label} {}\n", code(&shape(schema, schema)));
    }
}

/// Puts the record of the page into METADATA.yml, in its order; `None` removes it.
pub(super) fn record_page(record: &mut Metadata, page: Option<&str>) {
    record.files.retain(|file| file.path != TOOLS_PAGE);
    let Some(page) = page else { return };
    record.files.push(FileRecord {
        path: TOOLS_PAGE.to_owned(),
        bytes: page.len() as u64,
        sha256: Digest::from_content(page.as_bytes()).hex(),
    });
    record.files.sort_by(|a, b| a.path.cmp(&b.path));
}
