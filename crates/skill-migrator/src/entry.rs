//! The start of a skill: `entryPoint` as runtime, argument vector and entry file.
//!
//! Source: `docs/design/legacy-host.md` §1.3 (the command is a shell line), §1.5, §1.6 (modules); `entryPoint.type`
//! has no effect.

use plugin_model::{Field, PluginType};
use skill_diagnostics::{Code, Diagnostic};
use skill_model::{Entry, Runtime};

use crate::{
    codes::{
        ENTRY_INLINE, ENTRY_MISSING, ENTRY_OUTSIDE, ENTRY_PLATFORM, ENTRY_PROGRAM,
        ENTRY_UNDECLARED, SHELL_SYNTAX,
    },
    plugin::Plugin,
    words::{Words, split_words},
};

/// The directory of the plugin's files in the skill.
pub(crate) const SCRIPTS: &str = "scripts";

/// The result of reading the entry.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct EntryReading {
    /// The entry for `METADATA.yml`.
    pub(crate) entry: Option<Entry>,
    /// The entry file, relative to the plugin, if it exists.
    pub(crate) file: Option<String>,
    /// Programs that must be installed.
    pub(crate) bin: Vec<String>,
    /// The entry's file in another plugin, relative to the parent of all plugins' directory.
    pub(crate) neighbour: Option<String>,
    /// Operating systems; empty means any.
    pub(crate) os: Vec<String>,
    /// Findings about the entry, whether or not it can run.
    pub(crate) findings: Vec<Diagnostic>,
    /// True if nothing prevents running it.
    pub(crate) can_start: bool,
}

/// Reads the entry of a plugin.
pub(crate) fn read(plugin: &Plugin<'_>) -> EntryReading {
    let entry_point = &plugin.program.entry_point;
    match (
        is_module(plugin.program.plugin_type.value),
        &entry_point.script,
        &entry_point.command,
    ) {
        (true, Some(script), _) => module(plugin, script),
        (false, _, Some(command)) => command_line(plugin, command),
        (true, None, Some(command)) => command_line(plugin, command),
        (false, Some(script), None) => module(plugin, script),
        (_, None, None) => undeclared(plugin),
    }
}

/// Returns whether the host loads plugins of this type as modules.
pub(crate) fn is_module(plugin_type: PluginType) -> bool {
    matches!(
        plugin_type,
        PluginType::MessagePreprocessor | PluginType::Service | PluginType::HybridService
    )
}

fn undeclared(plugin: &Plugin<'_>) -> EntryReading {
    let is_elsewhere = matches!(
        plugin.program.plugin_type.value,
        PluginType::Distributed | PluginType::Internal
    );
    let finding = Diagnostic::warning(
        ENTRY_UNDECLARED,
        "`entryPoint` has neither a command nor a script",
    )
    .at_pointer("/entryPoint");
    let findings = if is_elsewhere {
        Vec::new()
    } else {
        vec![finding]
    };
    EntryReading {
        findings,
        can_start: is_elsewhere,
        ..EntryReading::default()
    }
}

fn module(plugin: &Plugin<'_>, script: &Field<String>) -> EntryReading {
    let python = script.value.to_ascii_lowercase().ends_with(".py");
    let (runtime, program) = if python {
        (Runtime::Python, "python")
    } else {
        (Runtime::Node, "node")
    };
    let mut res = EntryReading {
        bin: vec![program.to_owned()],
        can_start: true,
        ..EntryReading::default()
    };
    let found = required(&clean(&script.value), |file| plugin.has_file(file));
    let path = found.as_deref().filter(|_| !python);
    res.locate(plugin, path.unwrap_or(&script.value), &script.place.pointer);
    res.entry = Some(Entry {
        module: Some(script.value.replace('\\', "/")),
        ..Entry::new(runtime, SCRIPTS)
    });
    res
}

/// Returns the file that `require` finds for a path that is not a file: with an extension, or the
/// index of a directory. Source: Node's documentation of modules, `LOAD_AS_FILE` and `LOAD_INDEX`.
fn required(path: &str, has_file: impl Fn(&str) -> bool) -> Option<String> {
    const ENDINGS: [&str; 6] = [
        ".js",
        ".json",
        ".node",
        "/index.js",
        "/index.json",
        "/index.node",
    ];
    if has_file(path) {
        return None;
    }
    let path = path.trim_end_matches('/');
    let mut candidates = ENDINGS.iter().map(|ending| format!("{path}{ending}"));
    candidates.find(|file| has_file(file))
}

fn command_line(plugin: &Plugin<'_>, command: &Field<String>) -> EntryReading {
    let line = command.value.trim();
    let mut res = EntryReading {
        can_start: true,
        ..EntryReading::default()
    };
    let argv = match split_words(line) {
        Words::Plain(argv) => argv,
        Words::Shell { sign } => return shell_line(plugin, command, sign, res),
    };
    let Some(program) = argv.first() else {
        return undeclared(plugin);
    };
    let runtime = match interpreter(program) {
        Some((runtime, flags)) => {
            res.bin.push(program.clone());
            res.script_argument(plugin, &argv[1..], flags, &command.place.pointer);
            runtime
        }
        None => {
            res.program(plugin, program, &command.place.pointer);
            Runtime::Native
        }
    };
    res.entry = Some(Entry {
        shell: Some(command.value.clone()),
        argv,
        ..Entry::new(runtime, SCRIPTS)
    });
    res
}

fn shell_line(
    plugin: &Plugin<'_>,
    command: &Field<String>,
    sign: char,
    mut res: EntryReading,
) -> EntryReading {
    let message = format!("the command is a shell line: it contains {}", show(sign));
    let finding = Diagnostic::warning(SHELL_SYNTAX, message)
        .at_pointer(&command.place.pointer)
        .with_help("it is kept as it is and runs only where shell lines are allowed");
    res.findings.push(finding);
    let words = command
        .value
        .split(|c: char| c.is_whitespace() || ";|&()`\"'<>$".contains(c));
    res.file = words.map(clean).find(|word| plugin.has_file(word));
    res.bin.push("sh".to_owned());
    res.entry = Some(Entry {
        shell: Some(command.value.clone()),
        ..Entry::new(Runtime::Shell, SCRIPTS)
    });
    res
}

fn show(sign: char) -> String {
    match sign {
        '\n' => "a line break".to_owned(),
        _ => format!("`{sign}`"),
    }
}

/// The options of an interpreter, to distinguish them from the script.
#[derive(Clone, Copy)]
struct Flags {
    /// Options that precede the program's text.
    inline: &'static [&'static str],
    /// Options that take a value.
    with_value: &'static [&'static str],
    /// Words before the script.
    subcommands: &'static [&'static str],
}

const NODE: Flags = Flags {
    inline: &["-e", "--eval", "-p", "--print"],
    with_value: &["-r", "--require", "--import", "--loader", "--env-file"],
    subcommands: &["run", "tsx"],
};
const PYTHON: Flags = Flags {
    inline: &["-c"],
    with_value: &["-W", "-X"],
    subcommands: &["run", "python", "python3"],
};
const SHELL: Flags = Flags {
    inline: &["-c", "/c", "-Command", "/C"],
    with_value: &["-ExecutionPolicy"],
    subcommands: &[],
};
const OTHER: Flags = Flags {
    inline: &["-e", "-r"],
    with_value: &[],
    subcommands: &["run", "exec"],
};

/// Returns the runtime of a program if it is an interpreter.
fn interpreter(program: &str) -> Option<(Runtime, Flags)> {
    let name = program
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(program)
        .to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    match name {
        "node" | "nodejs" | "deno" | "bun" | "tsx" | "ts-node" => Some((Runtime::Node, NODE)),
        "py" | "uv" | "pypy" | "pypy3" | "poetry" | "pipenv" => Some((Runtime::Python, PYTHON)),
        "sh" | "bash" | "dash" | "zsh" | "pwsh" | "powershell" | "cmd" => {
            Some((Runtime::Shell, SHELL))
        }
        "java" | "go" | "ruby" | "perl" | "php" | "lua" | "rscript" | "dotnet" | "tclsh"
        | "julia" => Some((Runtime::Native, OTHER)),
        _ => {
            let version = name.strip_prefix("python")?;
            let is_version = version
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.');
            is_version.then_some((Runtime::Python, PYTHON))
        }
    }
}

/// Returns a path without `./`, with forward slashes.
fn clean(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.trim_start_matches("./").to_owned()
}

/// Returns the path from the directory of all plugins if it leads to another plugin:
/// `../Other/x.py`.
fn neighbour(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("../")?;
    let (directory, file) = rest.split_once('/')?;
    let is_inside = !leaves(file) && !file.is_empty();
    (is_inside && !matches!(directory, "" | "." | "..")).then_some(rest)
}

/// Returns whether a relative path leaves the directory, or is not relative.
fn leaves(path: &str) -> bool {
    let mut depth = 0_i32;
    let is_absolute = path.starts_with(['/', '~']) || path.get(1..2) == Some(":");
    let escapes = path.split('/').any(|part| {
        depth += match part {
            ".." => -1,
            "" | "." => 0,
            _ => 1,
        };
        depth < 0
    });
    is_absolute || escapes
}

impl EntryReading {
    fn block(&mut self, code: Code, message: String, pointer: &str, help: &str) {
        self.can_start = false;
        self.findings.push(
            Diagnostic::warning(code, message)
                .at_pointer(pointer)
                .with_help(help),
        );
    }

    /// Finds the script among the arguments of an interpreter.
    fn script_argument(
        &mut self,
        plugin: &Plugin<'_>,
        arguments: &[String],
        flags: Flags,
        pointer: &str,
    ) {
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let argument = argument.as_str();
            if flags.inline.contains(&argument) {
                let message =
                    format!("the command holds the program's text itself, after `{argument}`");
                self.findings
                    .push(Diagnostic::warning(ENTRY_INLINE, message).at_pointer(pointer));
                return;
            } else if flags.with_value.contains(&argument) {
                rest.next();
            } else if argument == "-m" {
                return;
            } else if !argument.starts_with('-') && !flags.subcommands.contains(&argument) {
                self.locate(plugin, argument, pointer);
                return;
            }
        }
        let message = "the command names no script".to_owned();
        self.block(
            ENTRY_UNDECLARED,
            message,
            pointer,
            "an interpreter alone waits for a program",
        );
    }

    /// Handles a program that is not a known interpreter: a file of the plugin, or a program to be
    /// installed.
    fn program(&mut self, plugin: &Plugin<'_>, program: &str, pointer: &str) {
        let lower = program.to_ascii_lowercase();
        let windows = [".exe", ".bat", ".cmd", ".ps1"]
            .iter()
            .any(|suffix| lower.ends_with(suffix));
        if windows || program.contains('\\') {
            self.os.push("windows".to_owned());
            let message = format!("`{program}` runs on Windows only");
            let finding = Diagnostic::warning(ENTRY_PLATFORM, message).at_pointer(pointer);
            self.findings
                .push(finding.with_help("on other systems a shell does not find it"));
        }
        let is_installed = program.starts_with('/') && !windows;
        if !is_installed
            && (windows || program.contains(['/', '\\']) || plugin.has_file(&clean(program)))
        {
            self.locate(plugin, program, pointer);
        } else {
            self.bin.push(program.to_owned());
            let message = format!("`{program}` does not come with the plugin");
            let finding = Diagnostic::warning(ENTRY_PROGRAM, message).at_pointer(pointer);
            self.findings
                .push(finding.with_help("it must be installed where the skill runs"));
        }
    }

    /// Checks that the entry file is in the plugin.
    fn locate(&mut self, plugin: &Plugin<'_>, path: &str, pointer: &str) {
        let cleaned = clean(path);
        if let Some(neighbour) = neighbour(&cleaned) {
            self.neighbour = Some(format!("Plugin/{neighbour}"));
            let message = format!("the entry `{path}` is a file of a neighbouring plugin");
            self.findings.push(
                Diagnostic::warning(ENTRY_OUTSIDE, message)
                    .at_pointer(pointer)
                    .with_help("migrate that plugin as well"),
            );
        } else if leaves(&cleaned) {
            let message = format!("the entry `{path}` is outside the plugin directory");
            self.block(
                ENTRY_OUTSIDE,
                message,
                pointer,
                "copy the file into the plugin and name it there",
            );
        } else if plugin.has_file(&cleaned) {
            self.file = Some(cleaned);
        } else {
            let message = format!("the entry file `{path}` is not in the plugin directory");
            let left_out = plugin.left_out.iter().find(|left| left.path == cleaned);
            let help = left_out.map_or("the skill cannot run without it", |left| {
                left.reason.phrase()
            });
            self.block(ENTRY_MISSING, message, pointer, help);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{neighbour, required};

    #[track_caller]
    fn check(path: &str, files: &[&str], expected: Option<&str>) {
        let found = required(path, |file| files.contains(&file));
        assert_eq!(found.as_deref(), expected, "{path}");
    }

    #[test]
    fn neighbours() {
        for (path, expected) in [
            ("../Other/a.py", Some("Other/a.py")),
            ("../Other/lib/a.py", Some("Other/lib/a.py")),
            ("../Other", None),
            ("../../server.js", None),
            ("../Other/../../x.js", None),
            ("a.py", None),
        ] {
            assert_eq!(neighbour(path), expected, "{path}");
        }
    }

    #[test]
    fn scripts_are_found_as_require_finds_them() {
        check("main", &["main", "main.js"], None);
        check("main", &["main.json", "main.js"], Some("main.js"));
        check("main", &["main.mjs"], None);
        check("lib/", &["lib/index.js"], Some("lib/index.js"));
        check("lib", &["lib/index.js", "lib.node"], Some("lib.node"));
    }
}
