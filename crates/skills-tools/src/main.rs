//! `skills`: all tools in one program, smaller than the tools together.
//!
//! `skills migrate …` is `skills-migrate …`; a link to it with the name of a tool is that tool.

mod generate;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use skills_cli::main_of;

/// A tool: its name, what it does, and its `main` for these arguments.
type Tool = (&'static str, &'static str, fn(Vec<OsString>) -> ExitCode);

/// The tools, in the order in which a newcomer meets them.
const TOOLS: [Tool; 8] = [
    (
        "skills-migrate",
        "turn legacy plugins into Agent Skills",
        |words| main_of(words, skills_migrate::run),
    ),
    ("skills-validate", "check Agent Skills", |words| {
        main_of(words, skills_validate::run)
    }),
    (
        "skills-describe",
        "find the skills that fit a request",
        |words| main_of(words, skills_describe::run),
    ),
    ("skills-read", "read one skill as an agent does", |words| {
        main_of(words, skills_read::run)
    }),
    ("skills-run", "run a skill as its plugin ran", |words| {
        main_of(words, skills_run::run)
    }),
    ("skills-serve", "serve skills to agents over MCP", |words| {
        main_of(words, skills_serve::run)
    }),
    (
        "skills-nodes",
        "share skills with other machines",
        |words| main_of(words, skills_nodes::run),
    ),
    (
        "skills-parity",
        "prove that skills do what their plugins did",
        |words| main_of(words, skills_parity::run),
    ),
];

fn main() -> ExitCode {
    // The process that confines a child is this program, started again.
    skill_sandbox::launcher_main();
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = generate::run(&words) {
        return code;
    }
    let called = words.first().map(Path::new).and_then(Path::file_stem);
    if let Some(tool) = called.and_then(|name| tool(&name.to_string_lossy())) {
        return tool(words);
    }
    let name = words
        .get(1)
        .map(|word| format!("skills-{}", word.to_string_lossy()));
    let Some(tool) = name.as_deref().and_then(tool) else {
        return usage(words.get(1));
    };
    words.remove(0);
    words[0] = name.unwrap_or_default().into();
    tool(words)
}

fn tool(name: &str) -> Option<fn(Vec<OsString>) -> ExitCode> {
    let row = TOOLS.iter().find(|(tool, ..)| *tool == name)?;
    Some(row.2)
}

/// Prints the list of tools: where it was asked for, and in place of a tool that does not exist.
fn usage(word: Option<&OsString>) -> ExitCode {
    let tools = TOOLS.iter().map(|(tool, purpose, _)| {
        let short = tool.trim_start_matches("skills-");
        format!("  {short:<10} {purpose}\n")
    });
    let tools: String = tools.collect();
    let text = format!(
        "Usage: skills TOOL [ARGUMENT]...\n\nTools:\n{tools}\n`skills TOOL --help` explains each; `skills-TOOL` is the same.\n"
    );
    let word = word.map(|word| word.to_string_lossy());
    match word.as_deref() {
        Some("--help" | "-h" | "help") => print(&mut std::io::stdout(), &text, 0),
        Some("--version" | "-V") => {
            let version = format!("skills {}\n", env!("CARGO_PKG_VERSION"));
            print(&mut std::io::stdout(), &version, 0)
        }
        Some(word) => {
            let text = format!("error: found `{word}`, expected a tool\n\n{text}");
            print(&mut std::io::stderr(), &text, 2)
        }
        None => print(&mut std::io::stderr(), &text, 2),
    }
}

fn print(stream: &mut dyn std::io::Write, text: &str, code: u8) -> ExitCode {
    // A reader that closed the stream is not interested.
    let _ = stream.write_all(text.as_bytes());
    ExitCode::from(code)
}
