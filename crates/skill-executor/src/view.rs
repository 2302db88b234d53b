//! The legacy view: a skill's program where its code expects to lie.
//!
//! Code that builds `../..` paths, or takes `PROJECT_BASE_PATH`, finds the directories of the old
//! host below `<state>/legacy`. The program itself is a copy in `legacy/Plugin/<directory>`, so
//! that what it writes beside itself persists there and the package stays as it was
//! (`manifests-and-mapping.md` §3.4: plain links fail, because Node resolves them).

mod neighbours;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::PoisonError;

use serde_json::{Map, Value, json};
use skill_loader::fs::Root;

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure};
use crate::json;
use crate::package::SkillPackage;
use crate::state::{State, bytes_beneath, failed};

/// What stands for the old host's directory, beneath the state directory.
pub const LEGACY: &str = "legacy";
/// Directories that plugins of the old host write into.
pub(crate) const WRITABLE: [&str; 6] = [
    "dailynote",
    "image",
    "file",
    "VCPTimedContacts",
    "VCPAsyncResults",
    "DebugLog",
];
/// The directory of all plugins, in the old host's.
pub(crate) const PLUGINS: &str = "Plugin";
const MANIFEST: &str = "plugin-manifest.json";
/// Temporary files, in the home directory of a skill; where nothing more private is to be had.
pub(crate) const TMP: &str = "tmp";
/// Where the migrator puts programs.
const SCRIPTS: &str = "scripts";
/// Installed packages: linked, not copied.
const LINKED: [&str; 3] = ["node_modules", ".venv", "venv"];

/// Where a program runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// `PROJECT_BASE_PATH`.
    pub base: PathBuf,
    /// The directory that stands for the plugin's.
    pub plugin: PathBuf,
    /// The working directory of the program.
    pub cwd: PathBuf,
    /// A home directory of its own.
    pub home: PathBuf,
    /// Whether its files speak of places outside their directory.
    pub reaches_out: bool,
    /// Directories of other plugins whose names its files mention.
    pub neighbours: Vec<PathBuf>,
}

impl View {
    /// Brings the view of the skill that is called up to date.
    pub fn prepare(call: &Call<'_>) -> Result<Self, Failure> {
        let (skill, state) = (call.skill, &call.host.state);
        let _one = state.views.lock().unwrap_or_else(PoisonError::into_inner);
        for dir in WRITABLE {
            state.make_dir(&format!("{LEGACY}/{dir}"))?;
        }
        let name = skill.legacy_directory();
        let (source, rest) = source(skill);
        let home = format!("home/{}", skill.metadata.name);
        state.make_dir(&format!("{home}/{TMP}"))?;
        let reaches_out = mirror(skill, state, source)?;
        let mut neighbours = Vec::new();
        if reaches_out {
            for other in neighbours::of(skill) {
                mirror(&other, state, self::source(&other).0)?;
                let dir = format!("{LEGACY}/{PLUGINS}/{}", other.legacy_directory());
                put(state, &dir, MANIFEST, manifest(&other))?;
                neighbours.push(state.path(&dir));
            }
        }
        let plugin = format!("{LEGACY}/{PLUGINS}/{name}");
        for (file, text) in [
            (MANIFEST, manifest(skill)),
            ("config.env", call.config.raw.clone()),
        ] {
            put(state, &plugin, file, text)?;
        }
        let plugin = state.path(&plugin);
        Ok(Self {
            base: state.path(LEGACY),
            cwd: if rest.is_empty() {
                plugin.clone()
            } else {
                plugin.join(rest)
            },
            plugin,
            home: state.path(&home),
            reaches_out,
            neighbours,
        })
    }
}

/// Bytes that a skill occupies in the state directory: its view and its home.
pub fn bytes(skill: &SkillPackage, state: &State) -> u64 {
    let view = format!("{LEGACY}/{PLUGINS}/{}", skill.legacy_directory());
    let home = format!("home/{}", skill.metadata.name);
    bytes_beneath(state, &view) + bytes_beneath(state, &home)
}

/// What of the skill is copied, and where in it the program runs.
fn source(skill: &SkillPackage) -> (&'static str, &str) {
    let dir = skill
        .metadata
        .entry
        .as_ref()
        .map_or("", |entry| entry.dir.as_str());
    let dir = dir.trim_matches('/').trim_start_matches("./");
    match dir.strip_prefix(SCRIPTS) {
        Some("") => (SCRIPTS, ""),
        Some(rest) if rest.starts_with('/') => (SCRIPTS, &rest[1..]),
        _ if dir == "." => ("", ""),
        _ => ("", dir),
    }
}

/// Brings the copy of a skill's files up to date, and says whether they reach out of their directory.
fn mirror(skill: &SkillPackage, state: &State, source: &str) -> Result<bool, Failure> {
    let name = skill.legacy_directory();
    let record = format!("{name}.json");
    let target = format!("{LEGACY}/{PLUGINS}/{name}");
    let root: &Root = &skill.root;
    let from = skill.dir.join(source).to_string_lossy().into_owned();
    let known = state.read(&format!("views/{record}"));
    let known = known.filter(|known| known["from"] == from.as_str());
    let known_reach = known
        .as_ref()
        .and_then(|known| known["reaches_out"].as_bool());
    let files = known.map_or_else(BTreeMap::new, |known| stamps(&known));
    if root.kind(source).map_err(|error| failed(&error))?.is_none() {
        // A command line without files of its own.
        state.make_dir(&target)?;
        return Ok(neighbours::reaches_out(skill));
    }
    let mirrored = state
        .root()
        .mirror(&target, (root, source), &files, &is_linked);
    let mirrored = mirrored.map_err(|error| failed(&error))?;
    match known_reach.filter(|_| mirrored.files == files) {
        Some(reaches_out) => Ok(reaches_out),
        None => {
            let reaches_out = neighbours::reaches_out(skill);
            let text = json!({"from": from, "files": mirrored.files, "reaches_out": reaches_out});
            state.write("views", &record, &json::stringify(&text))?;
            Ok(reaches_out)
        }
    }
}

/// Whether a directory is linked instead of copied.
fn is_linked(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    LINKED.contains(&name)
}

fn stamps(record: &Value) -> BTreeMap<String, String> {
    let files = record["files"].as_object().into_iter().flatten();
    files
        .filter_map(|(path, stamp)| Some((path.clone(), stamp.as_str()?.to_owned())))
        .collect()
}

fn manifest(skill: &SkillPackage) -> Option<String> {
    let map: &Map<String, Value> = skill.manifest.as_ref()?.as_object()?;
    Some(json::stringify(&Value::Object(map.clone())))
}

/// Writes a file that is not the skill's into the view; without a text, what the skill has stays.
fn put(state: &State, dir: &str, name: &str, text: Option<String>) -> Result<(), Failure> {
    let Some(text) = text else { return Ok(()) };
    if state.read_text(&format!("{dir}/{name}")).as_deref() == Some(&text) {
        return Ok(());
    }
    state.write(dir, name, &text).map_err(|failure| {
        Failure::new(
            ErrorCode::Io,
            format!("cannot prepare {name}: {}", failure.message),
        )
    })
}
