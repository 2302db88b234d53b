//! The tools of MCP servers, written into the skills that call them.
//!
//! - [`servers`]: the skills with a server, among those that a user names.
//! - [`introspect_all`]: asks the server of a skill for its tools, and writes them as commands into
//!   METADATA.yml, as a list into SKILL.md, and with their arguments into a reference.
//! - [`updated`]: the same as texts, without a server or files.
//!
//! - `lock`: what was written is recorded in the `skills.lock` of the migration.
//!
//! **Invariant:** only METADATA.yml, SKILL.md, `references/tools.md` and `skills.lock` are written, each as a whole
//! or not at all, and only if the tools differ from those that were accepted.

mod lock;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skill_executor::call::Purpose;
use skill_executor::cancel::Cancel;
use skill_executor::envelope::{Envelope, ErrorCode, Failure};
use skill_executor::mcp::Introspection;
use skill_executor::package::SkillPackage;
use skill_executor::{PreparedCall, Request, Runner, target};
use skill_loader::catalog::Bounds;
use skill_loader::fs::Root;
use skill_loader::instructions_in;
use skill_migrator::{TOOLS_PAGE, accept_tools};
use skill_model::{Command, Metadata, read_metadata_full, yaml};

use lock::{Locked, Texts};

/// The largest file of a skill that is rewritten, in bytes.
const MAX_FILE: u64 = 8 << 20;
const METADATA: &str = "METADATA.yml";
const SKILL: &str = "SKILL.md";
/// The most of what a server says about its use that is kept, in characters.
const MAX_INSTRUCTIONS: usize = 8_000;

/// Returns the skills with an MCP server that a name means: a skill, its directory, or a directory of
/// skills.
///
/// # Errors
///
/// The name means nothing, or a directory cannot be read.
pub fn servers(name: &str, roots: &[PathBuf]) -> Result<Vec<SkillPackage>, Failure> {
    let io = |error: &dyn std::error::Error| Failure::new(ErrorCode::Io, error.to_string());
    let root = Root::open_following(Path::new(name)).ok();
    let is_of_skills = root.is_some_and(|root| instructions_in(&root).is_none());
    if is_of_skills {
        let mut all = target::all(vec![name.into()]).map_err(|error| io(&error))?;
        all.retain(has_server);
        if all.is_empty() {
            let message =
                format!("no skill below `{name}` has an MCP server (`entry.mcp` in METADATA.yml)");
            return Err(Failure::new(ErrorCode::NotFound, message));
        }
        return Ok(all);
    }
    let (skill, _) = target::find(name, roots.to_vec()).map_err(|error| io(&error))??;
    if !has_server(&skill) {
        let message = format!(
            "skill `{}` has no MCP server (`entry.mcp` in METADATA.yml), so there is nothing to ask",
            skill.metadata.name
        );
        return Err(Failure::new(ErrorCode::NotRunnable, message));
    }
    Ok(vec![skill])
}

fn has_server(skill: &SkillPackage) -> bool {
    let entry = skill.metadata.entry.as_ref();
    entry.is_some_and(|entry| entry.mcp.is_some())
}

/// The fate of the tools that servers have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tools {
    /// They are written into the skills.
    Written,
    /// They are only shown, with what would change.
    Shown,
}

impl Tools {
    /// Returns what happens with `--dry-run`.
    pub fn of_dry_run(is_dry_run: bool) -> Self {
        if is_dry_run {
            Self::Shown
        } else {
            Self::Written
        }
    }
}

/// Asks the server of a skill for its tools, and writes them into the skill. The result says what was
/// found: `skill`, `server`, `tools`, `left_out`, `kept` with a page that was edited by hand, and `changes` if
/// something was written, or would be.
///
/// # Errors
///
/// The call is not permitted, the server cannot be asked, or the skill cannot be written.
fn introspect(
    prepared: &PreparedCall<'_>,
    skill: &SkillPackage,
    tools: Tools,
) -> Result<Value, Failure> {
    let found = prepared.introspect()?;
    reported(skill, found, tools)
}

fn reported(skill: &SkillPackage, found: Introspection, tools: Tools) -> Result<Value, Failure> {
    let server = skill
        .metadata
        .entry
        .as_ref()
        .and_then(|entry| entry.mcp.as_ref());
    let accepted = server
        .map(|server| server.tools.clone())
        .unwrap_or_default();
    let changes = found.difference(&accepted, &skill.metadata.commands);
    let changes = changes.or_else(|| news(skill, &found));
    let is_written = changes.is_some() && tools == Tools::Written;
    let keeps_page = is_written && write(skill, &found)?;
    let mut res = json!({
        "skill": skill.metadata.name,
        "server": found.server,
        "tools": found.tools.keys().collect::<Vec<_>>(),
    });
    if !found.left_out.is_empty() {
        res["left_out"] = found.left_out.into();
    }
    if keeps_page {
        res["kept"] = json!([TOOLS_PAGE]);
    }
    if let Some(changes) = changes {
        res["changes"] = changes.into();
    }
    Ok(res)
}

/// Returns what METADATA.yml does not have yet, although the tools are those that were accepted: an
/// earlier version wrote neither hints nor schemas of answers.
fn news(skill: &SkillPackage, found: &Introspection) -> Option<String> {
    let lacks = |known: &&Command| {
        let tool = found.tools.get(&known.id).map(|tool| &tool.command);
        tool.is_some_and(|tool| {
            (known.annotations.is_none() && tool.annotations.is_some())
                || (known.output_schema.is_none() && tool.output_schema.is_some())
        })
    };
    let n_lacking = skill.metadata.commands.iter().filter(lacks).count();
    if n_lacking > 0 {
        return Some(format!("hints and schemas of answers of {n_lacking} tools"));
    }
    let entry = skill.metadata.entry.as_ref();
    let known = entry.and_then(|entry| entry.mcp.as_ref()?.instructions.clone());
    if known != instructions(found) {
        return Some("the advice of the server".to_owned());
    }
    let has_page = skill.root.kind(TOOLS_PAGE).is_ok_and(|kind| kind.is_some());
    (!has_page && !found.tools.is_empty()).then(|| format!("the page {TOOLS_PAGE}"))
}

/// Returns what a server says about its use, as it is kept.
fn instructions(found: &Introspection) -> Option<String> {
    let text = found.instructions.trim();
    let text: String = text.chars().take(MAX_INSTRUCTIONS).collect();
    (!text.is_empty()).then_some(text)
}

/// Writes the tools into a skill. A page that was edited by hand is not written; the result is true for
/// such a page.
fn write(skill: &SkillPackage, found: &Introspection) -> Result<bool, Failure> {
    let read = |file: &str| {
        let bytes = skill.root.read(file, MAX_FILE);
        let bytes = bytes.map_err(|error| Failure::new(ErrorCode::Io, error.to_string()))?;
        String::from_utf8(bytes).map_err(|_| {
            let message = format!("{} is not text in UTF-8", skill.dir.join(file).display());
            Failure::new(ErrorCode::Io, message)
        })
    };
    let instructions = instructions_in(&skill.root).unwrap_or(SKILL);
    // The lock first: until it is ours, another process may write these files.
    let mut locked = Locked::open(skill)?;
    let (metadata, text) = (read(METADATA)?, read(instructions)?);
    let has_page = skill.root.kind(TOOLS_PAGE).is_ok_and(|kind| kind.is_some());
    let old_page = if has_page {
        Some(read(TOOLS_PAGE)?)
    } else {
        None
    };
    if let Some(locked) = &mut locked {
        let page = old_page.iter().map(|page| (TOOLS_PAGE, page.as_bytes()));
        let own = [
            (METADATA, metadata.as_bytes()),
            (instructions, text.as_bytes()),
        ];
        locked.find_edits(&own.into_iter().chain(page).collect());
    }
    let keeps_page = locked.as_ref().is_some_and(|it| it.is_edited(TOOLS_PAGE));
    let new = updated(&metadata, &text, found);
    let new = new.map_err(|why| Failure::new(ErrorCode::NotRunnable, why))?;
    let made = locked.as_ref().and_then(|locked| {
        let earlier = (locked.made(METADATA)?, locked.made(instructions)?);
        updated(&earlier.0, &earlier.1, found).ok()
    });
    let Updated {
        metadata,
        skill: text,
        page,
    } = &new;
    let max = Bounds::default().file_bytes;
    if metadata.len() as u64 > max {
        let message = format!(
            "the tools of the MCP server need {} bytes in {METADATA}, expected at most {max}; nothing was written",
            metadata.len()
        );
        return Err(Failure::new(ErrorCode::TooLarge, message));
    }
    let failed = |error: &dyn std::error::Error| Failure::new(ErrorCode::Io, error.to_string());
    let root = &skill.root;
    let (directory, name) = TOOLS_PAGE.rsplit_once('/').unwrap_or((".", TOOLS_PAGE));
    if let Some(page) = page.as_ref().filter(|_| !keeps_page) {
        let written = root.write_whole(directory, name, page.as_bytes());
        written.map_err(|error| failed(&error))?;
    }
    // METADATA.yml last: until it is written, the tools are not accepted.
    for (file, text) in [(instructions, text), (METADATA, metadata)] {
        root.replace(file, text.as_bytes())
            .map_err(|error| failed(&error))?;
    }
    let mut written = new.texts(instructions);
    let mut made = made.as_ref().map(|made| made.texts(instructions));
    if keeps_page {
        // The next migration merges the page that it makes with the edited one.
        for texts in [Some(&mut written), made.as_mut()].into_iter().flatten() {
            texts.remove(TOOLS_PAGE);
        }
    }
    if let Some(locked) = locked {
        locked.accept(&written, made.as_ref())?;
    }
    Ok(keeps_page)
}

/// The files of a skill with the tools of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Updated {
    /// METADATA.yml.
    pub metadata: String,
    /// SKILL.md.
    pub skill: String,
    /// The reference with the arguments of the tools, [`TOOLS_PAGE`]; `None` if there are no tools.
    pub page: Option<String>,
}

impl Updated {
    /// Returns the files by path.
    fn texts<'t>(&'t self, instructions: &'t str) -> Texts<'t> {
        let page = self.page.iter().map(|page| (TOOLS_PAGE, page.as_bytes()));
        let own = [
            (METADATA, self.metadata.as_bytes()),
            (instructions, self.skill.as_bytes()),
        ];
        own.into_iter().chain(page).collect()
    }
}

/// Returns the files of a skill with the tools of a server. Examples and approvals of commands
/// that stay are kept, and so are keys that this version does not know.
///
/// # Errors
///
/// METADATA.yml cannot be read, has no server, or could not be read with the new tools.
pub fn updated(metadata: &str, text: &str, found: &Introspection) -> Result<Updated, String> {
    let reading = read_metadata_full(metadata)
        .map_err(|finding| format!("{METADATA} cannot be read: {}", finding.message))?;
    let mut record = reading.metadata;
    let earlier = record.clone();
    let server = record.entry.as_mut().and_then(|entry| entry.mcp.as_mut());
    let server = server.ok_or_else(|| format!("{METADATA} has no `entry.mcp`"))?;
    server.tools = found.digests();
    server.instructions = instructions(found);
    let mut old: BTreeMap<String, Command> = std::mem::take(&mut record.commands)
        .into_iter()
        .map(|command| (command.id.clone(), command))
        .collect();
    let new = found.tools.values().map(|tool| {
        let command = tool.command.clone();
        match old.remove(&command.id) {
            Some(old) => Command {
                approval: command.approval.clone().or(old.approval),
                examples: old.examples,
                ..command
            },
            None => command,
        }
    });
    record.commands = new.collect();
    let (skill, page) = accept_tools(text, &earlier, &mut record);
    let metadata = to_yaml(&record, &reading.unknown);
    read_metadata_full(&metadata).map_err(|finding| {
        format!(
            "the tools of the MCP server do not fit into {METADATA}: {}; nothing was written",
            finding.message
        )
    })?;
    Ok(Updated {
        metadata,
        skill,
        page,
    })
}

/// Returns the text of METADATA.yml, with the keys that were not known.
fn to_yaml(record: &Metadata, unknown: &BTreeMap<String, Value>) -> String {
    if unknown.is_empty() {
        return record.to_yaml();
    }
    let mut value = serde_json::to_value(record).unwrap_or_default();
    for (pointer, kept) in unknown {
        let Some((parent, key)) = pointer.rsplit_once('/') else {
            continue;
        };
        // The tools were replaced.
        if parent.starts_with("/commands/") {
            continue;
        }
        if let Some(Value::Object(map)) = value.pointer_mut(parent) {
            map.insert(key.replace("~1", "/").replace("~0", "~"), kept.clone());
        }
    }
    yaml::to_string(&value)
}

/// Asks the servers of skills, one after the other. A name is that of a skill, its directory, or a
/// directory of skills. `before` is called before each, and may ask a person. The report has what was
/// found for each skill, or its failure; the second part is true if there was none. Tools that are only shown
/// are not accepted.
///
/// # Errors
///
/// An error of `before`.
pub fn introspect_all<E>(
    (names, roots): &(Vec<String>, Vec<PathBuf>),
    (runner, cancel, tools): &(&Runner, Cancel, Tools),
    before: &mut dyn FnMut(&PreparedCall<'_>) -> Result<(), E>,
) -> Result<(Value, bool), E> {
    let mut found = Vec::new();
    let mut is_whole = true;
    let mut add = |name: &str, result: Result<Value, Failure>| {
        is_whole &= result.is_ok();
        found.push(result.unwrap_or_else(|failure| {
            let envelope = Envelope::failed(name, "none", failure);
            json!({"skill": name, "error": envelope.to_value()["error"]})
        }));
    };
    for name in names {
        let skills = match servers(name, roots) {
            Ok(skills) => skills,
            Err(failure) => {
                add(name, Err(failure));
                continue;
            }
        };
        for skill in &skills {
            let mut request = Request::default();
            request.options.cancel = cancel.clone();
            request.options.purpose = Purpose::Introspect;
            let prepared = runner.prepare(skill, request);
            if let Ok(prepared) = &prepared {
                before(prepared)?;
            }
            let result = prepared.and_then(|prepared| introspect(&prepared, skill, *tools));
            add(&skill.metadata.name, result);
        }
    }
    let mut res = json!({"ok": is_whole, "skills": found});
    if *tools == Tools::Shown {
        res["dry_run"] = true.into();
    }
    Ok((res, is_whole))
}

#[cfg(test)]
mod tests;
