//! Code that lies where a skill runs and is not in the skill: left there by its earlier calls.
//!
//! A program runs as a copy in the state, beside which it may write. What interpreters load by
//! themselves from there, or from its home, runs with the next call, so it is part of what an
//! approval is for. Data that programs keep is not: a file is code by its name, its executable bit
//! or its first bytes, and a link may lead to code.

use std::collections::BTreeMap;

use skill_loader::fs::{Entry, Kind, Root};

use crate::envelope::Failure;
use crate::package::SkillPackage;
use crate::package::contents::{Contents, described, entries};
use crate::state::State;
use crate::view::{Own, TMP};

/// Ends of the names of files that interpreters load.
const ENDS: [&str; 33] = [
    "bash", "bat", "cjs", "class", "cmd", "dll", "dylib", "egg", "exe", "jar", "js", "jsx", "lua",
    "mjs", "node", "php", "pl", "pm", "ps1", "pth", "py", "pyc", "pyd", "pyo", "pyw", "rb", "sh",
    "so", "tcl", "ts", "tsx", "wasm", "zsh",
];
/// Names of files that decide what is loaded.
const NAMES: [&str; 6] = [
    "package.json",
    "pyvenv.cfg",
    ".npmrc",
    ".pnp.cjs",
    "pip.conf",
    ".deno.json",
];
/// First bytes of programs: scripts, ELF, Java, WebAssembly, zip archives that Python runs.
const MAGIC: [&[u8]; 5] = [
    b"#!",
    b"\x7fELF",
    b"\xca\xfe\xba\xbe",
    b"\0asm",
    b"PK\x03\x04",
];
/// Directories of installed packages, which the host links to those of the skill.
const LINKED: [&str; 3] = ["node_modules", ".venv", "venv"];

/// The code in the state of a skill that its package does not have, by its path there.
pub(super) fn code(
    skill: &SkillPackage,
    package: &Contents,
    state: &State,
) -> Result<BTreeMap<String, String>, Failure> {
    let mut res = BTreeMap::new();
    let Some(own) = Own::of(skill, state) else {
        return Ok(res);
    };
    for dir in &own.dirs {
        for entry in entries(state.root(), dir)? {
            let what = found(state.root(), &entry, &own, (skill, package))?;
            if let Some(what) = what {
                res.insert(entry.path, what);
            }
        }
    }
    Ok(res)
}

/// What an entry is, if it is code and neither the skill's nor the host's.
fn found(
    root: &Root,
    entry: &Entry,
    own: &Own,
    (skill, package): (&SkillPackage, &Contents),
) -> Result<Option<String>, Failure> {
    let path = entry.path.as_str();
    let is_temporary = path.starts_with(&format!("{}/{TMP}/", own.home));
    if is_temporary || !is_code(root, entry)? {
        return Ok(None);
    }
    let what = described(root, entry)?;
    let made = own.made.get(path);
    if made.is_some_and(|target| what == format!("link {target}")) {
        return Ok(None);
    }
    let inner = path
        .strip_prefix(&own.plugin)
        .and_then(|rest| rest.strip_prefix('/'));
    let is_own = inner.is_some_and(|inner| {
        let bytes = |what: &str| what.split_once(' ').map(|(_, rest)| rest.to_owned());
        let same = |known: Option<&String>| known.is_some_and(|it| bytes(it) == bytes(&what));
        let scripts = package.0.get(&format!("scripts/{inner}"));
        let digest = own
            .copied
            .get(inner)
            .map(|digest| format!("sha256:{digest}"));
        let is_copied = digest.is_some() && digest == bytes(&what);
        same(scripts) || same(package.0.get(inner)) || is_copied || is_linked(inner, &what, skill)
    });
    Ok((!is_own).then_some(what))
}

/// Whether this is the link of the host to the packages that are installed in the skill.
fn is_linked(inner: &str, what: &str, skill: &SkillPackage) -> bool {
    let name = inner.rsplit('/').next().unwrap_or_default();
    let target = what.strip_prefix("link ").unwrap_or_default();
    let dir = skill.dir.to_string_lossy();
    let lies = |place: &str| target == format!("{dir}/{place}");
    LINKED.contains(&name) && (lies(inner) || lies(&format!("scripts/{inner}")))
}

fn is_code(root: &Root, entry: &Entry) -> Result<bool, Failure> {
    let Kind::File(info) = &entry.kind else {
        return Ok(entry.kind == Kind::Symlink);
    };
    let name = entry.path.rsplit('/').next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    if info.executable || ENDS.contains(&end) || NAMES.contains(&&*name) || name.contains(".so.") {
        return Ok(true);
    }
    let start = root.read_start(&entry.path, 4);
    let start = start.map_err(|error| crate::state::failed(&error))?;
    Ok(MAGIC.iter().any(|magic| start.starts_with(magic)))
}
