//! The description of a server in the frontmatter: what it is, and what its tools do once they are known.

use skill_model::{Command, Frontmatter, Metadata};
use skill_tokens::upper_bound;

use crate::{
    description::{self, cut},
    markdown::{DefuseReport, one_line},
    render::Language,
};

/// Maximum tokens of a description: the entry of a catalog, with the name, has at most 100.
const MAX_TOKENS: usize = 72;
/// The most tools that a description names.
const MAX_TOOLS: usize = 24;
/// The longest text about the server, in characters.
const MAX_WHAT: usize = 220;

/// Returns the description of a server with the tools that are known.
pub(super) fn description(
    record: &Metadata,
    language: Language,
    seen: &mut DefuseReport,
) -> String {
    let tools = tools(record);
    let mut n_tools = tools.len().min(MAX_TOOLS);
    let mut n_chars = MAX_WHAT;
    loop {
        let parts = description::Parts {
            what: what(record, n_chars, language),
            when: if record.enabled {
                when(tools, n_tools, language)
            } else {
                off(language).to_owned()
            },
            ..description::Parts::default()
        };
        let (res, _) = description::description(&parts, seen);
        let fits = tools.is_empty() || upper_bound(&res) <= MAX_TOKENS;
        if fits || n_tools <= 3 && n_chars <= 60 {
            return res;
        }
        // Half of the room is for the tools.
        if n_chars > 100 || n_tools <= 3 {
            n_chars -= 40;
        } else {
            n_tools -= 1;
        }
    }
}

/// Returns the tools that were accepted.
fn tools(record: &Metadata) -> &[Command] {
    let server = record.entry.as_ref().and_then(|entry| entry.mcp.as_ref());
    let is_known = server.is_some_and(|server| !server.tools.is_empty());
    if is_known { &record.commands } else { &[] }
}

fn what(record: &Metadata, n_chars: usize, language: Language) -> String {
    let own = record.legacy.as_ref().map(|legacy| legacy.name.as_str());
    let title = record.display_name.as_deref().or(own);
    let title = title.unwrap_or(&record.name);
    let text = match one_line(&record.description) {
        text if text.is_empty() => {
            let text = language.pick("Tools of the MCP server NAME.", "MCP 服务器 NAME 的工具。");
            text.replace("NAME", title)
        }
        text if text.to_lowercase().contains(&title.to_lowercase()) => text,
        text => format!("{title}: {text}"),
    };
    cut(&text, n_chars).0
}

/// Returns the sentence on a server that its host had switched off.
fn off(language: Language) -> &'static str {
    language.pick(
        "The old host had it switched off: use only when the user asks for it.",
        "旧宿主已将其停用：仅在用户要求时使用。",
    )
}

fn when(tools: &[Command], n_tools: usize, language: Language) -> String {
    if tools.is_empty() {
        let text = language.pick(
            "Use when its tools are needed, or when the user names it.",
            "当需要其工具或用户提到它时使用。",
        );
        return text.to_owned();
    }
    let shown: Vec<String> = tools.iter().take(n_tools).map(words).collect();
    let shown = shown.join(language.pick(", ", "、"));
    match (tools.len() - n_tools.min(tools.len()), language) {
        (0, Language::English) => format!("Use for: {shown}."),
        (0, Language::Chinese) => format!("用于：{shown}。"),
        (more, Language::English) => format!("Use for: {shown} and {more} more."),
        (_, Language::Chinese) => format!("用于：{shown} 等 {} 项。", tools.len()),
    }
}

/// Returns the name of a tool as words: `readTextFile` and `read_text_file` are `read text file`.
fn words(command: &Command) -> String {
    let mut res = String::new();
    let mut was_small = false;
    for c in command.id.chars() {
        if was_small && c.is_uppercase() {
            res.push(' ');
        }
        was_small = c.is_lowercase() || c.is_ascii_digit();
        match c {
            '_' | '-' | '.' | '/' => res.push(' '),
            c if c.is_ascii_uppercase() => res.push(c.to_ascii_lowercase()),
            c => res.push(c),
        }
    }
    one_line(&res)
}

/// Returns the text of SKILL.md with the description for the tools of `record`, if it still has the one
/// that was written for those of `earlier`, or for none: earlier versions left that as it was.
pub(super) fn replaced(text: &str, earlier: &Metadata, record: &Metadata) -> String {
    let without = Metadata {
        commands: Vec::new(),
        ..earlier.clone()
    };
    let head = text.find("\n---").unwrap_or(text.len());
    for language in [Language::English, Language::Chinese] {
        for old in [earlier, &without] {
            let old = line(old, language);
            if text.find(&old).is_some_and(|at| at <= head) {
                return text.replacen(&old, &line(record, language), 1);
            }
        }
    }
    text.to_owned()
}

/// Returns the line of the frontmatter with the description, between two line ends.
fn line(record: &Metadata, language: Language) -> String {
    let block = Frontmatter {
        name: record.name.clone(),
        description: description(record, language, &mut DefuseReport::default()),
        ..Frontmatter::default()
    };
    let block = block.emit_block();
    format!("\n{}\n", block.lines().nth(2).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(description: &str, ids: &[&str]) -> Metadata {
        let tools: Vec<String> = ids.iter().map(|id| format!("{id}: x")).collect();
        let commands: Vec<String> = ids.iter().map(|id| format!("{{id: {id}}}")).collect();
        let text = format!(
            "schema: 1\nname: files\nversion: '1'\ntype: distributed\ndisplay_name: Files\ndescription: '{description}'\nentry: {{mcp: {{url: 'https://a.example', tools: {{{}}}}}}}\ncommands: [{}]\n",
            tools.join(", "),
            commands.join(", ")
        );
        skill_model::read_metadata(&text).0.expect("a record")
    }

    #[track_caller]
    fn check(record: &Metadata, language: Language, expected: &str) {
        let found = description(record, language, &mut DefuseReport::default());
        assert_eq!(found, expected);
        assert!(upper_bound(&found) <= MAX_TOKENS, "{found}");
    }

    #[test]
    fn a_server_that_was_off_is_not_offered() {
        let off = Metadata {
            enabled: false,
            ..record("", &["ping"])
        };
        let said = "The old host had it switched off: use only when the user asks for it.";
        check(
            &off,
            Language::English,
            &format!("Tools of the MCP server Files. {said}"),
        );
    }

    #[test]
    fn descriptions_say_what_the_tools_do() {
        let few = ["read_text_file", "writeFile", "move"];
        check(
            &record("", &[]),
            Language::English,
            "Tools of the MCP server Files. Use when its tools are needed, or when the user names it.",
        );
        check(
            &record("", &few),
            Language::English,
            "Tools of the MCP server Files. Use for: read text file, write file, move.",
        );
        check(
            &record("", &few),
            Language::Chinese,
            "MCP 服务器 Files 的工具。用于：read text file、write file、move。",
        );
        let names: Vec<String> = (0..60)
            .map(|n| format!("browser_take_snapshot_{n}"))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let long = "Something that is described at length. ".repeat(12);
        let found = description(
            &record(&long, &names),
            Language::English,
            &mut DefuseReport::default(),
        );
        assert!(upper_bound(&found) <= MAX_TOKENS, "{found}");
        assert!(found.contains("browser take snapshot 0"), "{found}");
        assert!(found.contains(" more."), "{found}");
    }

    #[test]
    fn a_description_that_somebody_wrote_stays() {
        let (before, after) = (record("", &[]), record("", &["ping"]));
        let block = |text: &str| format!("---\nname: files\ndescription: \"{text}\"\n---\n# F\n");
        let own = "Tools of the MCP server Files. Use when its tools are needed, or when the user names it.";
        assert_eq!(
            replaced(&block(own), &before, &after),
            block("Tools of the MCP server Files. Use for: ping.")
        );
        assert_eq!(replaced(&block("Mine."), &before, &after), block("Mine."));
    }
}
