//! The section "How to run it": the exact command for a shell, or the steps of a host.

use std::time::Duration;

use serde_json::{Value, json};
use skill_model::{Entry, ExecutorKind, Metadata, Runtime};

use super::around::{self, Around};
use super::first_call::first_arguments;
use super::outcome::Place;
use super::powershell::{self, Input};
use super::{Language, Shell, outcome};

/// The start of a program: its commands in each shell.
#[derive(Default)]
struct Start {
    sh: String,
    powershell: String,
    /// True if the command for PowerShell is `skills-run` in place of the program.
    is_replaced: bool,
}

impl Start {
    /// Returns a start in PowerShell, by `skills-run` if it cannot start the program itself.
    fn new(sh: String, powershell: Option<String>, call: Option<&Value>) -> Self {
        let is_replaced = powershell.is_none();
        let powershell = powershell.or_else(|| in_powershell(call));
        Self {
            sh,
            powershell: powershell.unwrap_or_default(),
            is_replaced,
        }
    }
}

/// The section, for all shells.
struct Section {
    intro: String,
    start: Start,
    outcome: String,
}

/// Creates `run` for the template: an introduction, a script for each shell, the output.
pub(super) fn run(metadata: &Metadata, around: &Around, language: Language, shell: Shell) -> Value {
    let Section {
        intro,
        start,
        outcome,
    } = section(metadata, around, language);
    let note = if start.is_replaced && shell.has_powershell() {
        language.pick(
            "PowerShell cannot pass the words of this command on as they are, so `skills-run` starts it there, and prints `{\"ok\": true, \"value\": …}` or `{\"ok\": false, \"error\": …}`.",
            "PowerShell 无法原样传递该命令的各个词，因此在那里由 `skills-run` 启动，输出 `{\"ok\": true, \"value\": …}` 或 `{\"ok\": false, \"error\": …}`。",
        )
    } else {
        ""
    };
    let shown = |is_shown: bool, script: String| if is_shown { script } else { String::new() };
    json!({
        "intro": intro,
        "script": shown(shell.has_sh(), start.sh),
        "powershell": shown(shell.has_powershell(), start.powershell),
        "powershell_note": note,
        "outcome": outcome,
        "limit": limit(metadata, language),
    })
}

/// Returns the time that a call may take, as a further sentence.
fn limit(metadata: &Metadata, language: Language) -> String {
    let limit = metadata.timeout_ms.map(|timeout| {
        let seconds = Duration::from_millis(timeout).as_secs_f64();
        match language {
            Language::English => format!("A call may take {seconds} s."),
            Language::Chinese => format!("最长 {seconds} 秒。"),
        }
    });
    limit.unwrap_or_default()
}

fn section(metadata: &Metadata, around: &Around, language: Language) -> Section {
    let Some(entry) = &metadata.entry else {
        let intro = language.pick(
            "It has no program of its own: the legacy host ran it on another node or in itself.",
            "它自身没有程序：旧宿主在其他节点或宿主内部执行它。",
        );
        return Section {
            intro: intro.to_owned(),
            start: Start::default(),
            outcome: String::new(),
        };
    };
    if around::needs_tool(metadata, around) {
        return run_by_tool(metadata, entry, around, language);
    }
    match &entry.module {
        Some(module) => run_module(metadata, (entry, module), around, language),
        None => run_command(metadata, entry, around, language),
    }
}

/// A skill that needs more than an interpreter runs where that is laid out around it.
fn run_by_tool(metadata: &Metadata, entry: &Entry, around: &Around, language: Language) -> Section {
    let intro = language.pick(
        "From this directory (`skills-run` is one of the skills-tools):",
        "在此目录中执行（`skills-run` 属于 skills-tools）：",
    );
    let has = |name: &str| entry.exports.iter().any(|export| export == name);
    let arguments = first_arguments(&metadata.commands, around);
    let input = match metadata.executor {
        ExecutorKind::Static => None,
        _ if entry.module.is_none() || has("processToolCall") => Some(Value::Object(arguments)),
        _ if has("processMessages") => Some(json!([{"role": "user", "content": "…"}])),
        _ => None,
    };
    let has_routes = has("registerApiRoutes") || has("registerRoutes");
    let start = if input.is_none() && entry.module.is_some() && has_routes {
        return routes(intro, language);
    } else if input.is_some() || entry.module.is_none() {
        let flag = |input: &Value| format!(" --input {}", shell_quote(&input.to_string()));
        let sh = format!(
            "skills-run .{}",
            input.as_ref().map(flag).unwrap_or_default()
        );
        Start::new(sh, in_powershell(input.as_ref()), None)
    } else {
        Start::default()
    };
    if start.sh.is_empty() {
        return not_called(language);
    }
    let place = Place::of(metadata, around);
    let outcome = if metadata.executor == ExecutorKind::Static {
        outcome::of_placeholders(&metadata.placeholders, &around.results, language)
    } else {
        outcome::sentence(place, around, language)
    };
    Section {
        intro: intro.to_owned(),
        start,
        outcome,
    }
}

/// A module that nothing can call.
fn not_called(language: Language) -> Section {
    let intro = language.pick(
        "The legacy host loaded it; it has no call.",
        "由旧宿主加载，没有可直接调用的命令。",
    );
    Section {
        intro: intro.to_owned(),
        start: Start::default(),
        outcome: String::new(),
    }
}

/// Returns the words before a command.
fn here(language: Language) -> &'static str {
    language.pick(
        "From the directory of this skill:",
        "在此技能的目录中执行：",
    )
}

/// Returns the lines for PowerShell that run the skill with `skills-run`.
fn in_powershell(call: Option<&Value>) -> Option<String> {
    let input = call.map(Value::to_string);
    let (words, input) = match &input {
        Some(text) => (&["skills-run", ".", "--input", "-"][..], Input::Text(text)),
        None => (&["skills-run", "."][..], Input::Session),
    };
    let argv: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    powershell::script(None, &argv, input)
}

/// A service without a tool answers requests to its routes.
fn routes(intro: &str, language: Language) -> Section {
    let call = "skills-run . --mode service";
    let start = Start {
        sh: call.to_owned(),
        powershell: call.to_owned(),
        is_replaced: false,
    };
    let outcome = language.pick(
        "It prints the table of its routes. A request to one of them: `skills-run . --input '[{\"method\": \"GET\", \"path\": \"/…\"}]'`.",
        "它输出路由表。向其中一个路由发出请求：`skills-run . --input '[{\"method\": \"GET\", \"path\": \"/…\"}]'`。",
    );
    Section {
        intro: intro.to_owned(),
        start,
        outcome: outcome.to_owned(),
    }
}

fn run_command(metadata: &Metadata, entry: &Entry, around: &Around, language: Language) -> Section {
    let line = command_line(entry);
    let (intro, outcome) = if metadata.executor == ExecutorKind::Static {
        (
            here(language),
            language
                .pick(
                    "It prints the value; standard input stays empty.",
                    "标准输出即为结果；标准输入为空。",
                )
                .to_owned(),
        )
    } else {
        (
            language.pick(
                "From the directory of this skill, with the arguments as one line of JSON on standard input:",
                "在此技能的目录中执行，参数以一行 JSON 写入标准输入：",
            ),
            outcome::sentence(Place::of(metadata, around), around, language),
        )
    };
    let arguments = first_arguments(&metadata.commands, around);
    let has_input = metadata.executor != ExecutorKind::Static && !arguments.is_empty();
    let call = has_input.then(|| Value::Object(arguments));
    let text = call.as_ref().map(Value::to_string);
    let (sh, input) = match &text {
        Some(text) => {
            let input = shell_quote(text);
            let sh = format!("cd {} && printf '%s' {input} | {line}", entry.dir);
            (sh, Input::Text(text))
        }
        None => (
            format!("cd {} && {line} < /dev/null", entry.dir),
            Input::Empty,
        ),
    };
    let direct = powershell::script(Some(&entry.dir), &entry.argv, input);
    let start = Start::new(sh, direct, call.as_ref());
    Section {
        intro: intro.to_owned(),
        start,
        outcome,
    }
}

/// Returns the words of the command quoted for a shell, or the line of the source.
fn command_line(entry: &Entry) -> String {
    match (&entry.argv[..], &entry.shell) {
        ([], Some(line)) => format!("( {line} )"),
        (argv, _) => {
            let words = argv.iter().enumerate().map(|(at, word)| match &word[..] {
                // POSIX systems have this name, and often not the other.
                "python" if at == 0 => "python3".to_owned(),
                word => shell_word(word),
            });
            words.collect::<Vec<_>>().join(" ")
        }
    }
}

fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        shell_quote(word)
    }
}

fn shell_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn run_module(
    metadata: &Metadata,
    (entry, module): (&Entry, &str),
    around: &Around,
    language: Language,
) -> Section {
    let has = |name: &str| entry.exports.iter().any(|export| export == name);
    let intro = language.pick(
        "It is a module that a host loads and keeps running; `initialize(config, dependencies)` comes first where it exists.",
        "它是由宿主加载并常驻的模块；若有 `initialize(config, dependencies)` 则先调用。",
    );
    let call = if entry.runtime != Runtime::Node {
        None
    } else if has("processToolCall") {
        let arguments = first_arguments(&metadata.commands, around);
        Some(format!("m.processToolCall({})", Value::Object(arguments)))
    } else if has("processMessages") {
        Some("m.processMessages([{\"role\":\"user\",\"content\":\"…\"}], {})".to_owned())
    } else {
        None
    };
    let start = call.map(|call| {
        let code = format!(
            "(async () => {{ const m = require(\"./{module}\"); if (m.initialize) await m.initialize({{}}, {{}}); console.log(JSON.stringify(await {call})); process.exit(0); }})()"
        );
        let sh = format!("cd {} && node -e {}", entry.dir, shell_quote(&code));
        let argv = ["node".to_owned(), "-".to_owned()];
        let direct = powershell::script(Some(&entry.dir), &argv, Input::Text(&code));
        Start::new(sh, direct, None)
    });
    let outcome = if entry.exports.is_empty() {
        String::new()
    } else {
        format!(
            "{} `{}`{}",
            language.pick("It exports", "它导出"),
            entry.exports.join("`, `"),
            language.pick(".", "。")
        )
    };
    Section {
        intro: intro.to_owned(),
        start: start.unwrap_or_default(),
        outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_for_a_shell() {
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("x.js"), "x.js");
        assert_eq!(shell_quote("it's"), "'it'\\''s'");
    }
}
