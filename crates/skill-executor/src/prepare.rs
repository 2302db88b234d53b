//! Installs the packages of skills, and removes those that no skill uses.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use std::str::FromStr;

use serde_json::{Value, json};
pub use skill_environments::Settings;
use skill_environments::{Ecosystem, Error, Event, Prepared, Request};
use skill_sandbox::find_program;

use crate::call::Host;
use crate::configure;
use crate::envelope::{ErrorCode, Failure};
use crate::environment::from_process;
use crate::error_text::error_text;
use crate::http::prune_answers;
use crate::package::SkillPackage;
use crate::preflight;
use crate::state::State;
use crate::view;

/// The result of an installation.
#[derive(Clone, PartialEq, Debug)]
pub struct Preparation {
    /// The report, for programs.
    pub report: Value,
    /// True if no skill lacks a package that it cannot do without, or cannot run.
    pub is_whole: bool,
    /// The variables with which the commands in SKILL.md find the packages, in order; the last value
    /// of a variable wins.
    pub variables: Vec<Variable>,
}

/// A variable of the environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    name: &'static str,
    value: String,
    placement: Placement,
}

/// The place of a value, relative to the one that the variable has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Placement {
    /// Instead of it.
    Whole,
    /// Before it.
    First,
    /// After it.
    Last,
}

/// A shell that sets variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shell {
    /// A POSIX shell.
    Sh,
    /// Windows PowerShell 5.1 or PowerShell 7.
    PowerShell,
}

impl Shell {
    /// Returns the lines that set the variables; for PowerShell at least a comment, because
    /// `Invoke-Expression` refuses an empty text.
    pub fn lines(self, variables: &[Variable]) -> String {
        let mut res = String::new();
        if self == Self::PowerShell && variables.is_empty() {
            res.push_str("# nothing\n");
        }
        for Variable {
            name,
            value,
            placement,
        } in variables
        {
            const SEPARATOR: &str = "[IO.Path]::PathSeparator";
            use Placement::{First, Last, Whole};
            let value = self.quote(value);
            let value = match (self, placement) {
                (_, Whole) => value,
                (Self::Sh, First) => format!("{value}:\"${name}\""),
                (Self::Sh, Last) => format!("\"${name}\":{value}"),
                (Self::PowerShell, First) => format!("{value} + {SEPARATOR} + $env:{name}"),
                (Self::PowerShell, Last) => format!("$env:{name} + {SEPARATOR} + {value}"),
            };
            let _ = match self {
                Self::Sh => writeln!(res, "export {name}={value}"),
                Self::PowerShell => writeln!(res, "$env:{name} = {value}"),
            };
        }
        res
    }

    /// Returns a text in single quotes. PowerShell has four more characters for them than a POSIX
    /// shell (`about_Quoting_Rules`).
    fn quote(self, text: &str) -> String {
        match self {
            Self::Sh => format!("'{}'", text.replace('\'', "'\\''")),
            Self::PowerShell => {
                let is_quote = |c: char| matches!(c, '\'' | '\u{2018}'..='\u{201B}');
                let double = |c: char| std::iter::repeat_n(c, 1 + usize::from(is_quote(c)));
                format!("'{}'", text.chars().flat_map(double).collect::<String>())
            }
        }
    }
}

impl FromStr for Shell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "sh" => Ok(Self::Sh),
            "powershell" => Ok(Self::PowerShell),
            _ => Err("expected sh or powershell".to_owned()),
        }
    }
}

/// Returns settings with the environment of this process.
pub fn settings(allow_scripts: Vec<String>) -> Settings {
    Settings {
        allow_scripts,
        environment: from_process(),
    }
}

/// Installs the packages of skills. What is installed already stays as it is. `remark` gets lines
/// for a person.
///
/// # Errors
///
/// Packages cannot be installed at all. A package that cannot be had is part of the report.
pub fn prepare(
    skills: &[SkillPackage],
    state: &State,
    settings: &Settings,
    remark: &mut dyn FnMut(&str),
) -> Result<Preparation, Failure> {
    let requests = skills.iter().map(|skill| Request {
        name: skill.metadata.name.clone(),
        dir: skill.dir.clone(),
        needs: view::needs(skill),
    });
    let requests: Vec<Request> = requests.collect();
    let mut on_event = |event: Event<'_>| remark(&line(event));
    let store = state.environments();
    let prepared = skill_environments::prepare(store, &requests, settings, &mut on_event);
    let prepared = prepared.map_err(|error| failure(&error))?;
    for one in &prepared {
        for text in remarks(one) {
            remark(&text);
        }
    }
    let bytes: u64 = store.size().map_err(|error| failure(&error))?;
    remark(&format!(
        "{} in {}",
        megabytes(bytes),
        store.dir().display()
    ));
    let mut required = prepared.iter().flat_map(|one| &one.missing);
    let is_whole = required.all(|one| one.is_optional);
    Ok(Preparation {
        is_whole,
        variables: variables(skills, state)?,
        report: json!({
            "ok": is_whole,
            "skills": prepared.iter().map(report).collect::<Vec<_>>(),
            "bytes": bytes,
        }),
    })
}

/// Installs the packages of skills as [`prepare`] does, and names what else they need before a call: a
/// skill that is switched off or cannot run, and settings without a value.
///
/// # Errors
///
/// Those of [`prepare`], and the user's settings cannot be read.
pub fn prepare_whole(
    skills: &[SkillPackage],
    host: &Host,
    settings: &Settings,
    remark: &mut dyn FnMut(&str),
) -> Result<Preparation, Failure> {
    let mut res = prepare(skills, &host.state, settings, remark)?;
    for (at, skill) in skills.iter().enumerate() {
        let name = &skill.metadata.name;
        let is_enabled = configure::is_enabled(skill, &host.state)?;
        if !is_enabled {
            remark(&configure::switched_off(name));
        }
        if let Some(why) = preflight::obstacle(skill) {
            remark(&format!("{name}: cannot run: {why}"));
            res.report["skills"][at]["cannot_run"] = why.into();
            res.report["ok"] = false.into();
            res.is_whole = false;
        }
        if let Some(program) = absent_program(skill, settings) {
            let why =
                format!("the program `{program}` of its MCP server is not on PATH; install it");
            remark(&format!("{name}: cannot run: {why}"));
            res.report["skills"][at]["cannot_run"] = why.into();
            res.report["ok"] = false.into();
            res.is_whole = false;
        }
        let keys = configure::lacking(skill, host)?;
        if !keys.is_empty() {
            let keys = keys.join(", ");
            remark(&format!(
                "{name}: no value for {keys}; store each that it needs with: skills-run configure {name} KEY=VALUE"
            ));
        }
        let report = &mut res.report["skills"][at];
        report["enabled"] = is_enabled.into();
        report["settings_missing"] = keys.into();
    }
    Ok(res)
}

/// Returns the program of the MCP server of a skill, if it is one of the machine and not on `PATH`.
fn absent_program<'s>(skill: &'s SkillPackage, settings: &Settings) -> Option<&'s str> {
    let entry = skill.metadata.entry.as_ref();
    let server = entry.and_then(|entry| entry.mcp.as_ref());
    let server = server.filter(|it| it.package.is_none() && it.url.is_none())?;
    let program = server.command.as_deref()?;
    let path = settings.environment.get("PATH").map(OsStr::new);
    let is_plain = !program.contains(['/', '\\', '$']);
    let is_absent = || find_program(OsStr::new(program), path, Path::new("/")).is_none();
    (is_plain && is_absent()).then_some(program)
}

/// Removes the environments that no skill uses, and the files of long answers.
///
/// # Errors
///
/// The state directory cannot be read or written.
pub fn prune(state: &State) -> Result<Value, Failure> {
    let needs_of = |dir: &Path| {
        SkillPackage::read(dir)
            .ok()
            .map(|skill| view::needs(&skill))
    };
    let pruned = skill_environments::prune(state.environments(), &needs_of);
    let pruned = pruned.map_err(|error| failure(&error))?;
    let (n_answers, answer_bytes) = prune_answers(state)?;
    Ok(json!({
        "ok": true,
        "removed": pruned.n_removed,
        "kept": pruned.n_kept,
        "freed_bytes": pruned.freed,
        "bytes": pruned.left,
        "answers_removed": n_answers,
        "answers_freed_bytes": answer_bytes,
    }))
}

fn variables(skills: &[SkillPackage], state: &State) -> Result<Vec<Variable>, Failure> {
    let mut acc = Vec::new();
    let mut set = |name, value: &Path, placement| {
        acc.push(Variable {
            name,
            value: value.display().to_string(),
            placement,
        });
    };
    let store = state.environments();
    for skill in skills {
        let installed = store.find(&view::needs(skill));
        if let Some(modules) = installed.node_modules {
            let resolver = store.resolver().map_err(|error| failure(&error))?;
            let resolver = resolver.display().to_string().replace(' ', "%20");
            let option = format!("--import=file://{resolver}");
            set("NODE_PATH", &modules, Placement::Whole);
            set("NODE_OPTIONS", Path::new(&option), Placement::Whole);
        }
        if let Some(python) = installed.python {
            let interpreter = store
                .interpreter(&python)
                .map_err(|error| failure(&error))?;
            set("VIRTUAL_ENV", &python, Placement::Whole);
            set("PATH", &interpreter, Placement::First);
            // A program of a package must not take the place of one of the machine.
            set("PATH", &python.join("bin"), Placement::Last);
        }
    }
    Ok(acc)
}

fn failure(error: &Error) -> Failure {
    let code = match error {
        Error::Path(_) | Error::Read(_) | Error::Lock { .. } => ErrorCode::Io,
        _ => ErrorCode::Unavailable,
    };
    Failure::new(code, error_text(error))
}

fn line(event: Event<'_>) -> String {
    match event {
        Event::Waiting(dir) => {
            format!("waiting for another process that changes {}", dir.display())
        }
        Event::Installing(Ecosystem::Npm, 1, name) => format!("installing 1 npm package: {name}"),
        Event::Installing(Ecosystem::Pip, 1, name) => {
            format!("installing 1 Python package: {name}")
        }
        Event::Installing(Ecosystem::Npm, n, names) => {
            format!("installing {n} npm packages: {names}")
        }
        Event::Installing(Ecosystem::Pip, n, names) => {
            format!("installing {n} Python packages: {names}")
        }
        Event::Retrying(name, packages) => format!("{name}: trying again to install {packages}"),
        Event::Linking(name) => format!("{name}: its packages are in the store"),
        _ => String::new(),
    }
}

/// Returns the lines about a skill that a person should read.
fn remarks(prepared: &Prepared) -> Vec<String> {
    let name = &prepared.name;
    let missing = prepared.missing.iter().map(|one| {
        let kind = if one.is_optional {
            "optional package"
        } else {
            "package"
        };
        format!(
            "{name}: the {kind} `{}` is missing: {}",
            one.name, one.reason
        )
    });
    let mut res: Vec<String> = missing.collect();
    if !prepared.scripts_off.is_empty() {
        let words = prepared.scripts_off.iter().map(|word| {
            let is_address = word.contains('#');
            if is_address {
                format!("'{word}'")
            } else {
                word.clone()
            }
        });
        let packages = words.collect::<Vec<_>>().join(", ");
        res.push(format!(
            "{name}: these install scripts were not run: {packages}; `skills-run prepare {name} --allow-scripts` with one of these words runs it"
        ));
    }
    res
}

fn report(prepared: &Prepared) -> Value {
    let missing = prepared
        .missing
        .iter()
        .map(|one| json!({"package": one.name, "reason": one.reason, "optional": one.is_optional}));
    json!({
        "skill": prepared.name,
        "missing": missing.collect::<Vec<_>>(),
        "scripts_off": prepared.scripts_off,
        "files": prepared.size.n_files,
        "bytes": prepared.size.bytes,
    })
}

fn megabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_set_in_each_shell() {
        let variable = |name, value: &str, placement| Variable {
            name,
            value: value.to_owned(),
            placement,
        };
        let variables = [
            variable("A", "it's\u{2019}", Placement::Whole),
            variable("PATH", "/x/bin", Placement::First),
            variable("PATH", "/y/bin", Placement::Last),
        ];
        for (shell, variables, expected) in [
            (
                Shell::Sh,
                &variables[..],
                "export A='it'\\''s\u{2019}'\nexport PATH='/x/bin':\"$PATH\"\nexport PATH=\"$PATH\":'/y/bin'\n",
            ),
            (
                Shell::PowerShell,
                &variables,
                "$env:A = 'it''s\u{2019}\u{2019}'\n$env:PATH = '/x/bin' + [IO.Path]::PathSeparator + $env:PATH\n$env:PATH = $env:PATH + [IO.Path]::PathSeparator + '/y/bin'\n",
            ),
            (Shell::Sh, &[], ""),
            (Shell::PowerShell, &[], "# nothing\n"),
        ] {
            assert_eq!(shell.lines(variables), expected);
        }
    }
}
