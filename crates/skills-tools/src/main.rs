//! `skills`: all tools in one program, which is smaller than the tools together.
//!
//! `skills migrate …` is `skills-migrate …`. A link to the program with the name of a tool is that
//! tool.

mod generate;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::Command;
use other_tools::PREFIX;
use skill_language::arguments::WIDTH;
use skill_language::{FLAG, Language, help::translated, say};
use skills_cli::main_of;

/// A row of the table of tools.
struct Tool {
    /// The name without prefix.
    name: &'static str,
    purpose: &'static str,
    main: fn(Vec<OsString>) -> ExitCode,
    command: fn() -> Command,
}

macro_rules! tool {
    ($name:literal, $purpose:literal, $tool:ident) => {
        Tool {
            name: $name,
            purpose: $purpose,
            main: |words| main_of(words, $tool::run),
            command: skill_language::arguments::command::<$tool::Args>,
        }
    };
}

/// The tools, in the order in which a newcomer needs them.
static TOOLS: [Tool; 8] = [
    tool!(
        "migrate",
        "turn legacy plugins into Agent Skills",
        skills_migrate
    ),
    tool!("validate", "check Agent Skills", skills_validate),
    tool!(
        "describe",
        "find the skills that fit a request",
        skills_describe
    ),
    tool!("read", "read one skill as an agent does", skills_read),
    tool!("run", "run a skill as its plugin ran", skills_run),
    tool!("serve", "serve skills to agents over MCP", skills_serve),
    tool!("nodes", "share skills with other machines", skills_nodes),
    tool!(
        "parity",
        "prove that skills do what their plugins did",
        skills_parity
    ),
];

fn main() -> ExitCode {
    // The process that confines a child is this program, started again.
    skill_sandbox::launcher_main();
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = generate::run(&words, |name| Some((find(name)?.command)())) {
        return code;
    }
    let chosen = Language::take_flag(&mut words).unwrap_or_default();
    let language = chosen.unwrap_or_else(skills_cli::locale);
    words.splice(
        1..1,
        chosen.map(|it| format!("{FLAG}={}", it.word()).into()),
    );
    let n_flags = usize::from(chosen.is_some());
    let program = words.first().map(Path::new).and_then(Path::file_stem);
    let program = program.unwrap_or_default().to_string_lossy();
    if let Some(tool) = find(&program) {
        return (tool.main)(words);
    }
    let word = words.get(1 + n_flags).cloned().unwrap_or_default();
    let word = word.to_string_lossy();
    let name = format!("{PREFIX}{word}");
    let Some(tool) = find(&name) else {
        return usage(&word, language);
    };
    words.remove(1 + n_flags);
    words[0] = name.into();
    (tool.main)(words)
}

/// Returns the tool with this name.
fn find(name: &str) -> Option<&'static Tool> {
    let name = name.strip_prefix(PREFIX)?;
    TOOLS.iter().find(|tool| tool.name == name)
}

/// Prints the list of tools, which is an error unless the user asked for it.
fn usage(word: &str, language: Language) -> ExitCode {
    let tools = TOOLS.iter();
    let tools = tools.map(|tool| format!("  {:<10} {}\n", tool.name, tool.purpose));
    let tools: String = tools.collect();
    let list = format!(
        "Usage: skills TOOL [ARGUMENT]...\n\nTools:\n{tools}\n`skills TOOL --help` explains each; `skills-TOOL` is the same.\n"
    );
    let list = translated(&list, language, WIDTH);
    // A closed stream has no reader to inform.
    let _ = match word {
        "--help" | "-h" | "help" => write!(std::io::stdout(), "{list}"),
        "--version" | "-V" => writeln!(std::io::stdout(), "skills {}", env!("CARGO_PKG_VERSION")),
        "" => write!(std::io::stderr(), "{list}"),
        word => {
            let error = say!(language, "error: found `{word}`, expected a tool");
            write!(std::io::stderr(), "{error}\n\n{list}")
        }
    };
    let is_request = ["--help", "-h", "help", "--version", "-V"].contains(&word);
    ExitCode::from(if is_request { 0 } else { 2 })
}
