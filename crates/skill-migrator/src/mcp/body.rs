//! SKILL.md of a server, without the list of its tools.

use std::fmt::Write as _;

use plugin_model::{Server, ServerSetting};
use skill_model::Metadata;

use crate::{
    description::cut,
    markdown::{DefuseReport, cell, code, defuse, inline, one_line},
    render::Language,
};

/// The longest beginning of a description, in characters.
const MAX_LEAD: usize = 1_000;
/// The most tools that the document of the server lists.
const MAX_TOOLS: usize = 40;

/// The parts of a body.
pub(super) struct About<'a> {
    pub(super) server: &'a Server,
    pub(super) settings: &'a [ServerSetting],
    /// Sentences on what is to be read first.
    pub(super) first: &'a [String],
    pub(super) notes: &'a [String],
}

/// Returns the body.
pub(super) fn body(
    about: &About<'_>,
    record: &Metadata,
    language: Language,
    seen: &mut DefuseReport,
) -> String {
    let About {
        server, settings, ..
    } = *about;
    let say = |english, chinese| language.pick(english, chinese);
    let title = if server.title.is_empty() {
        &server.name
    } else {
        &server.title
    };
    let mut res = format!("# {}\n", inline(&one_line(&defuse(title, seen))));
    let lead = match server.long_description.as_str() {
        "" => &server.description,
        long => long,
    };
    let lead = cut(&one_line(&defuse(lead, seen)), MAX_LEAD).0;
    if !lead.is_empty() {
        let _ = write!(res, "\n{}\n", inline(&lead));
    }
    let packages = !record.requires.npm.is_empty() || !record.requires.pip.is_empty();
    for sentence in about.first {
        let _ = write!(res, "\n{sentence}\n");
    }
    if packages || !settings.is_empty() {
        let _ = write!(res, "\n## {}\n", say("Prepare", "准备"));
    }
    if packages {
        let text = say(
            "`skills-run prepare .` installs the packages once.",
            "`skills-run prepare .` 安装软件包（一次即可）。",
        );
        let _ = write!(res, "\n{text}\n");
    }
    res.push_str(&table(settings, record, language, seen));
    if !server.tools.is_empty() {
        let text = say(
            "The bundle lists these tools; the server may have others:",
            "该包列出以下工具；服务器可能还有其他工具：",
        );
        let _ = write!(res, "\n{text}\n\n");
        for (name, text) in server.tools.iter().take(MAX_TOOLS) {
            let name = code(&one_line(&defuse(name, seen)));
            let text = inline(&cut(&one_line(&defuse(text, seen)), 160).0);
            let colon = if text.is_empty() { "" } else { ": " };
            let _ = writeln!(res, "- {name}{colon}{text}");
        }
    }
    if !about.notes.is_empty() {
        let _ = write!(res, "\n## {}\n\n", say("Notes", "说明"));
        for note in about.notes {
            let _ = writeln!(res, "- {}", inline(&one_line(note)));
        }
    }
    res
}

fn table(
    settings: &[ServerSetting],
    record: &Metadata,
    language: Language,
    seen: &mut DefuseReport,
) -> String {
    if settings.is_empty() {
        return String::new();
    }
    let say = |english, chinese| language.pick(english, chinese);
    let intro = say(
        "`skills-run configure NAME KEY=-` stores a value from standard input.",
        "`skills-run configure NAME KEY=-` 存储来自标准输入的值。",
    );
    let head = say("| key | meaning | needed |", "| 键 | 含义 | 必需 |");
    let mut res = format!(
        "\n{}\n\n{head}\n|---|---|---|\n",
        intro.replace("NAME", &record.name)
    );
    for setting in settings {
        let meaning = cut(&one_line(&defuse(&setting.description, seen)), 300).0;
        let needed = if setting.is_required {
            say("yes", "是")
        } else {
            say("no", "否")
        };
        let _ = writeln!(
            res,
            "| {} | {} | {needed} |",
            code(&setting.key),
            cell(&meaning)
        );
    }
    res
}
