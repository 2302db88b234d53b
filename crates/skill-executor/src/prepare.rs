//! Installs the packages of skills, and removes those that no skill uses.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
pub use skill_environments::Settings;
use skill_environments::{Ecosystem, Error, Event, Prepared, Request};

use crate::envelope::{ErrorCode, Failure};
use crate::environment::from_process;
use crate::error_text::error_text;
use crate::package::SkillPackage;
use crate::state::State;
use crate::view;

/// The result of an installation.
#[derive(Clone, PartialEq, Debug)]
pub struct Preparation {
    /// The report, for programs.
    pub report: Value,
    /// True if no skill lacks a package that it cannot do without.
    pub is_whole: bool,
    /// Lines for a POSIX shell, after which the commands in SKILL.md find the packages.
    pub exports: String,
}

/// Returns settings with the environment of this process.
pub fn settings(allow_scripts: Vec<String>) -> Settings {
    Settings {
        allow_scripts,
        environment: from_process(),
    }
}

/// Installs the packages of skills. What is installed already stays as it is. `out` gets lines for a
/// person; a closed stream has no reader to inform.
///
/// # Errors
///
/// Packages cannot be installed at all. A package that cannot be had is part of the report.
pub fn prepare(
    skills: &[SkillPackage],
    state: &State,
    settings: &Settings,
    out: &mut dyn Write,
) -> Result<Preparation, Failure> {
    let requests = skills.iter().map(|skill| Request {
        name: skill.metadata.name.clone(),
        dir: skill.dir.clone(),
        needs: view::needs(skill),
    });
    let requests: Vec<Request> = requests.collect();
    let mut say = |line: &str| {
        let _ = writeln!(out, "{line}");
    };
    let mut on_event = |event: Event<'_>| say(&line(event));
    let store = state.environments();
    let prepared = skill_environments::prepare(store, &requests, settings, &mut on_event);
    let prepared = prepared.map_err(|error| failure(&error))?;
    for one in &prepared {
        for text in remarks(one) {
            say(&text);
        }
    }
    let bytes: u64 = store.size().map_err(|error| failure(&error))?.bytes;
    say(&format!(
        "{} in {}",
        megabytes(bytes),
        store.dir().display()
    ));
    let mut required = prepared.iter().flat_map(|one| &one.missing);
    Ok(Preparation {
        is_whole: required.all(|one| one.is_optional),
        exports: exports(skills, state)?,
        report: json!({
            "ok": true,
            "skills": prepared.iter().map(report).collect::<Vec<_>>(),
            "bytes": bytes,
        }),
    })
}

/// Removes the environments that no skill uses.
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
    Ok(json!({
        "ok": true,
        "removed": pruned.n_removed,
        "kept": pruned.n_kept,
        "freed_bytes": pruned.freed,
        "bytes": pruned.left,
    }))
}

/// Returns the lines for a shell. The last skill that sets a variable wins.
fn exports(skills: &[SkillPackage], state: &State) -> Result<String, Failure> {
    let mut res = String::new();
    let store = state.environments();
    for skill in skills {
        let installed = store.find(&view::needs(skill));
        if let Some(modules) = installed.node_modules {
            let resolver = store.resolver().map_err(|error| failure(&error))?;
            let resolver = resolver.display().to_string().replace(' ', "%20");
            let modules = quoted(&modules.display().to_string());
            let _ = writeln!(res, "export NODE_PATH={modules}");
            let import = quoted(&format!("--import=file://{resolver}"));
            let _ = writeln!(res, "export NODE_OPTIONS={import}");
        }
        if let Some(python) = installed.python {
            let bin = quoted(&python.join("bin").display().to_string());
            let python = quoted(&python.display().to_string());
            let _ = writeln!(
                res,
                "export VIRTUAL_ENV={python}\nexport PATH={bin}:\"$PATH\""
            );
        }
    }
    Ok(res)
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
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
        Event::Installing(Ecosystem::Npm, n) => format!("installing {n} npm packages"),
        Event::Installing(Ecosystem::Pip, n) => format!("installing {n} Python packages"),
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
        let packages = prepared.scripts_off.join(", ");
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
