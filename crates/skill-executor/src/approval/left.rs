//! Code in the state of a skill that is not in its package: earlier calls left it there.
//!
//! A program runs as a copy in the state, next to which it may write. What interpreters load
//! automatically from there, or from its home, runs with the next call, so an approval covers it.
//! Data of programs is not covered: a file is code by its name, its executable bit or its first
//! bytes, and a link may lead to code.

use std::collections::BTreeMap;

use skill_loader::fs::{Entry, Kind, Root};
use skill_model::INSTALLED;

use crate::envelope::Failure;
use crate::package::SkillPackage;
use crate::state::State;
use crate::view::{OwnPaths, TMP};
use skill_loader::contents::{Contents, described, entries};

/// File name suffixes that interpreters load.
const ENDS: [&str; 44] = [
    "awk", "el", "exs", "fish", "groovy", "jl", "mk", "vim", "bash", "bat", "cjs", "class", "cmd",
    "dll", "dylib", "egg", "exe", "jar", "js", "jsx", "lua", "mjs", "mts", "node", "php", "pl",
    "pm", "pmc", "ps1", "r", "pth", "py", "pyc", "pyd", "pyo", "pyw", "rb", "sh", "so", "tcl",
    "ts", "tsx", "wasm", "zsh",
];
/// Names of files that decide what is loaded, or that shells, interpreters and tools load by themselves
/// and that can name commands to run.
const NAMES: [&str; 40] = [
    ".bash_login",
    ".bash_profile",
    ".bashrc",
    ".deno.json",
    ".erlang",
    ".gdbinit",
    ".gitconfig",
    ".guile",
    ".irbrc",
    ".latexmkrc",
    ".npmrc",
    ".octaverc",
    ".pnp.cjs",
    ".profile",
    ".renviron",
    ".rprofile",
    ".sbclrc",
    ".sqliterc",
    ".vimrc",
    ".wgetrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".zlogin",
    ".zprofile",
    ".zshenv",
    ".zshrc",
    "bunfig.toml",
    "delegates.xml",
    "deno.json",
    "deno.jsonc",
    "gemfile",
    "gnumakefile",
    "makefile",
    "package.json",
    "pip.conf",
    "pyvenv.cfg",
    "rakefile",
    "tsconfig.json",
    "yt-dlp.conf",
    "youtube-dl.conf",
];
/// Files of the same kind whose names alone say nothing, by the ends of their paths.
const PATHS: [&str; 6] = [
    "/.cargo/config.toml",
    "/.config/git/config",
    "/.config/yt-dlp/config",
    "/.docker/config.json",
    "/.git/config",
    "/.ssh/config",
];
/// The first bytes of programs: scripts, ELF, Java, WebAssembly, zip archives that Python runs.
const MAGIC: [&[u8]; 5] = [
    b"#!",
    b"\x7fELF",
    b"\xca\xfe\xba\xbe",
    b"\0asm",
    b"PK\x03\x04",
];

/// Returns the code in the state of a skill that its package does not contain, by its path there.
pub(super) fn code(
    skill: &SkillPackage,
    package: &Contents,
    state: &State,
) -> Result<BTreeMap<String, String>, Failure> {
    let mut res = BTreeMap::new();
    let Some(own) = OwnPaths::find(skill, state) else {
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

/// Describes an entry if it is code that neither the skill nor the host put there.
fn found(
    root: &Root,
    entry: &Entry,
    own: &OwnPaths,
    (skill, package): (&SkillPackage, &Contents),
) -> Result<Option<String>, Failure> {
    let path = entry.path.as_str();
    let is_temporary = path.starts_with(&format!("{}/{TMP}/", own.home));
    let inner = path
        .strip_prefix(&own.plugin)
        .and_then(|rest| rest.strip_prefix('/'));
    let is_loaded = inner.is_some_and(|inner| is_of_package(package, inner));
    let is_loaded = is_loaded || is_near(&own.laid, path) || is_module(path);
    if is_temporary || entry.kind == Kind::Dir || !(is_loaded || is_code(root, entry)?) {
        return Ok(None);
    }
    let what = described(root, entry)?;
    let made = own.made.get(path);
    if made.is_some_and(|target| what == format!("link {target}")) {
        return Ok(None);
    }
    let digest = own.laid.get(path).map(|digest| format!("sha256:{digest}"));
    if digest.is_some() && bytes(&what) == digest.as_deref().map(|digest| (false, digest)) {
        return Ok(None);
    }
    let is_own = inner.is_some_and(|inner| {
        let same = |known: Option<&String>| known.is_some_and(|it| bytes(it) == bytes(&what));
        let scripts = package.0.get(&format!("scripts/{inner}"));
        let digest = own
            .copied
            .get(inner)
            .map(|digest| format!("sha256:{digest}"));
        let is_copied = digest.is_some()
            && digest.as_deref()
                == bytes(&what)
                    .filter(|(is_link, _)| !is_link)
                    .map(|(_, rest)| rest);
        same(scripts) || same(package.0.get(inner)) || is_copied || is_linked(inner, &what, skill)
    });
    Ok((!is_own).then_some(what))
}

/// Returns true for a link, and the content of the description, whatever the executable bit: the
/// target of a link, which differs from the bytes of a file.
fn bytes(what: &str) -> Option<(bool, &str)> {
    let (kind, rest) = what.split_once(' ')?;
    Some((kind == "link", rest))
}

/// Returns true if the package has a file with that path, or one that such a file would hide.
fn is_of_package(package: &Contents, inner: &str) -> bool {
    [inner.to_owned(), format!("scripts/{inner}")]
        .iter()
        .any(|path| is_near(&package.0, path))
}

/// Returns true if one of some files has that path, or would be hidden by a file with that path: Node
/// prefers `lib` to `lib.js` and to `lib/index.js`.
fn is_near(files: &BTreeMap<String, String>, path: &str) -> bool {
    let from = files.range(path.to_owned()..);
    let mut near = from.take_while(|(other, _)| other.starts_with(path));
    near.any(|(other, _)| {
        let rest = &other[path.len()..];
        rest.is_empty() || rest.starts_with(['.', '/'])
    })
}

/// Returns true if Node searches this path for modules, whatever their suffix.
fn is_module(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.any(|part| matches!(part, "node_modules" | ".node_modules" | ".node_libraries"))
}

/// Returns true if this is the host's link to the packages that are installed in the skill.
fn is_linked(inner: &str, what: &str, skill: &SkillPackage) -> bool {
    let name = inner.rsplit('/').next().unwrap_or_default();
    let target = what.strip_prefix("link ").unwrap_or_default();
    let dir = skill.dir.to_string_lossy();
    let leads_to = |place: &str| target == format!("{dir}/{place}");
    INSTALLED.contains(&name) && (leads_to(inner) || leads_to(&format!("scripts/{inner}")))
}

fn is_code(root: &Root, entry: &Entry) -> Result<bool, Failure> {
    let Kind::File(info) = &entry.kind else {
        // The content of a pipe is not known before it is read.
        return Ok(entry.kind != Kind::Dir);
    };
    let name = entry.path.rsplit('/').next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    if PATHS.iter().any(|known| entry.path.ends_with(known)) {
        return Ok(true);
    }
    if info.executable || ENDS.contains(&end) || NAMES.contains(&&*name) || name.contains(".so.") {
        return Ok(true);
    }
    let start = root.entry_start(entry, 4);
    let start = start.map_err(|error| Failure::io(&error))?;
    Ok(MAGIC.iter().any(|magic| start.starts_with(magic)))
}
