//! Turns the permissions and limits of METADATA.yml into the confinement of a child.
//!
//! The program runs as a copy in the state directory ([`crate::view`]); what `filesystem: skill` may
//! write is its own base with that copy, its home, and the shared directories of the old host that it
//! was granted. The package itself is never written. Sources: `docs/metadata.md` (permissions, limits), `docs/design/security.md`, "Confinement".

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};
use skill_sandbox::{
    AtExit, Confinement, Error, LostFiles, Network, OpenPath, Policy, Report, Spec,
};

use crate::approval::{self, StartGuard};
use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Warning};
use crate::environment;
use crate::guards;
use crate::network;
use crate::user_hosts;
use crate::view::{self, View};

/// Applies the skill's policy to what is about to be started. The result is to be kept until that
/// is started.
pub(crate) fn confine(
    call: &Call<'_>,
    view: &View,
    spec: &mut Spec,
) -> Result<Option<StartGuard>, Failure> {
    let Some(at_least) = call.host.sandbox.at_least else {
        return Ok(None);
    };
    let metadata = &call.skill.metadata;
    // A skill that is not asynchronous has nothing to send.
    let callback = metadata
        .asynchronous
        .as_ref()
        .and_then(|_| spec.env.get(OsStr::new(network::CALLBACK)));
    let callback = callback.map(OsString::as_os_str);
    let network = network::network(&metadata.permissions, callback)?;
    let network = user_hosts::add(network, call)?;
    let network = network::emulated(network, call.host.sandbox.emulation.as_ref());
    check_guarded(call, view)?;
    let policy = policy(call, view, network)?;
    if !policy.write.iter().any(|held| held.at() == Path::new("/")) {
        // In a sandbox with a private `/tmp`, this becomes that.
        spec.env
            .insert("TMPDIR".into(), view.home.join(view::TMP).into());
    }
    let started = approval::begin(call)?;
    spec.confinement = Some(Confinement {
        policy,
        at_least,
        launcher: call.host.sandbox.launcher.clone(),
        lease: Some(started.lease.clone()),
    });
    Ok(Some(started))
}

/// Refuses directories of a guard that contain the state of all skills, or are inside that of
/// another one: a program can access neither approvals nor the state of others.
fn check_guarded(call: &Call<'_>, view: &View) -> Result<(), Failure> {
    let state = call.host.state.root().path();
    let reach = guards::reach(call, view);
    let meets = |dir: &&PathBuf| {
        state.starts_with(dir) || dir.starts_with(state) && !dir.starts_with(&view.base)
    };
    let Some(dir) = reach.directories().iter().find(meets) else {
        return Ok(());
    };
    let message = format!(
        "the directory {} that the configuration allows holds, or lies in, the state of all skills ({}); \
         allow directories beside it, or choose another place for the state with --state",
        dir.display(),
        state.display()
    );
    Err(Failure::new(ErrorCode::Denied, message))
}

/// Processes that a call leaves behind after its answer may continue as long as the call itself
/// could.
pub(crate) fn at_exit(timeout: Option<Duration>) -> AtExit {
    timeout.map_or(AtExit::Leave, AtExit::LeaveFor)
}

/// Programs that the programs of skills start themselves; they can be read where they are installed,
/// as can those of `requires.bin`.
const COMPANIONS: [&str; 10] = [
    "node", "npm", "npx", "python", "python3", "pip", "perl", "ruby", "java", "deno",
];

fn policy(call: &Call<'_>, view: &View, network: Network) -> Result<Policy, Failure> {
    let io = |error: Error| Failure::io(&error);
    let metadata = &call.skill.metadata;
    let required = metadata.requires.bin.iter().map(OsString::from);
    let reach = guards::reach(call, view);
    let word = reach.word(&metadata.permissions.filesystem);
    let (mut read, mut write) = files(word, call, view);
    read.extend(call.host.sandbox.also_read.iter().cloned());
    write.extend(call.host.sandbox.also_write.iter().cloned());
    let (mut read, mut write) = (held(read).map_err(io)?, held(write).map_err(io)?);
    read.extend(view.packages.readable().map_err(io)?);
    if word != "any" {
        read.extend(authorities(call));
    }
    let guarded = existing(reach.directories()).map_err(io)?;
    match word {
        "none" => {}
        "read-only" => read.extend(guarded),
        _ => write.extend(guarded),
    }
    let mut protect = Vec::new();
    if word == "any" {
        let state = &call.host.state;
        let cover = view.cover(state)?;
        let over = OpenPath::open(cover.dir).map_err(io)?;
        protect.push(over.shown_at(state.root().path()));
        protect.extend(existing(&cover.read).map_err(io)?);
        write.extend(held(cover.write).map_err(io)?);
    }
    Ok(Policy {
        protect,
        read,
        write,
        network,
        search: call.host.environment.get("PATH").map(OsString::from),
        distrusted: vec![call.host.state.root().path().to_owned()],
        programs: COMPANIONS
            .iter()
            .map(OsString::from)
            .chain(required)
            .collect(),
        memory: Some(metadata.limits.memory_mb << 20).filter(|bytes| *bytes > 0),
        ..Policy::default()
    })
}

/// Opens the files with authorities that the user's environment names. One that cannot be opened is one
/// that the program cannot read.
fn authorities(call: &Call<'_>) -> Vec<OpenPath> {
    let files = environment::authorities(call).into_iter();
    let opened = files.map(|(real, named)| OpenPath::open(real).map(|held| held.shown_at(named)));
    opened.filter_map(Result::ok).collect()
}

/// Opens directories, each once, without following a link.
fn held(paths: Vec<PathBuf>) -> skill_sandbox::Result<Vec<OpenPath>> {
    paths.into_iter().map(OpenPath::open).collect()
}

/// Opens directories of the user's configuration; those that do not exist give nothing.
fn existing(paths: &[PathBuf]) -> skill_sandbox::Result<Vec<OpenPath>> {
    let opened = paths.iter().map(OpenPath::open);
    let is_there = |opened: &skill_sandbox::Result<OpenPath>| !matches!(opened, Err(Error::Open { source, .. }) if source.kind() == ErrorKind::NotFound);
    opened.filter(is_there).collect()
}

/// Returns what may be read, and what may also be written.
fn files(word: &str, call: &Call<'_>, view: &View) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let neighbours = view.neighbours.iter().cloned();
    let mut own: Vec<PathBuf> = neighbours.chain([call.skill.dir.clone()]).collect();
    let shared = view.shared.iter().cloned();
    let beside = view.beside.iter().cloned();
    match word {
        "any" => (Vec::new(), vec!["/".into()]),
        "none" => {
            own.extend(beside.chain([view.plugin.clone()]));
            (own, vec![view.home.join(view::TMP)])
        }
        "read-only" => {
            own.extend([view.base.clone(), view.home.clone()]);
            own.extend(shared.chain(beside));
            (own, vec![view.home.join(view::TMP)])
        }
        // `skill`, and words of later versions: never more than is known to be meant.
        _ => {
            let write = [view.base.clone(), view.home.clone()];
            (own, shared.chain(beside).chain(write).collect())
        }
    }
}

/// Adds the level of confinement to an answer.
pub(crate) fn note(extra: &mut Map<String, Value>, call: &Call<'_>, report: &Report) {
    extra.insert("sandbox".to_owned(), report.level.as_str().into());
    if call.host.sandbox.at_least.is_some() && !report.missing.is_empty() {
        extra.insert("sandbox_missing".to_owned(), report.missing.clone().into());
    }
}

/// Returns a warning if a child was confined less than required for `full`.
pub(crate) fn weaker(extra: &Map<String, Value>) -> Option<Warning> {
    let missing = extra.get("sandbox_missing")?.as_array()?;
    let missing: Vec<&str> = missing.iter().filter_map(Value::as_str).collect();
    let level = extra.get("sandbox").and_then(Value::as_str)?;
    Some(Warning {
        code: WEAKER,
        message: format!(
            "the sandbox was \"{level}\", not \"full\": {}",
            missing.join("; ")
        ),
        pointer: None,
    })
}

/// Adds the files that were removed with the program's own `/tmp` to an answer.
pub(crate) fn note_lost(extra: &mut Map<String, Value>, lost: &LostFiles) {
    if lost.count > 0 {
        let lost = json!({"count": lost.count, "names": lost.names});
        extra.insert(LOST_FILES.to_owned(), lost);
    }
}

/// Returns a warning for files that were removed with the program's own `/tmp`.
pub(crate) fn lost(extra: &Map<String, Value>) -> Option<Warning> {
    let lost = extra.get(LOST_FILES)?;
    let names = lost["names"].as_array()?.iter().filter_map(Value::as_str);
    // A program chose them.
    let names: Vec<String> = names
        .map(|name| format!("`{}`", name.escape_debug()))
        .collect();
    let n_more = lost["count"].as_u64()?.saturating_sub(names.len() as u64);
    let more = if n_more > 0 {
        format!(" and {n_more} more")
    } else {
        String::new()
    };
    let message = format!(
        "the program left {}{more} in its own /tmp, which was removed with it; what is to stay belongs in its working directory or in $HOME",
        names.join(", ")
    );
    Some(Warning {
        code: "temporary-files-removed",
        message,
        pointer: None,
    })
}

/// The key in `meta` for files that were removed with `/tmp`.
const LOST_FILES: &str = "temporary_files_removed";

/// The code of the warning about an incomplete sandbox.
pub const WEAKER: &str = "sandbox-incomplete";

/// Returns the failure for a child that was not started because its confinement would be too weak.
pub(crate) fn too_low(error: &Error) -> Option<Failure> {
    let Error::Unconfined { .. } = error else {
        return None;
    };
    let experiment = if cfg!(target_os = "macos") {
        ", --sandbox seatbelt with the sandbox of macOS, which is experimental"
    } else {
        ""
    };
    let message = format!("{error}; --sandbox none runs it without{experiment}");
    Some(Failure::new(ErrorCode::Denied, message))
}
