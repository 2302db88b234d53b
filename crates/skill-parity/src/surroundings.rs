//! The surroundings of a plugin in the old host: the modules of the host that it loads, the plugins that it
//! reads, the host's installed packages, its settings, and the data in its shared directories.
//!
//! The skill says which ones; they come from the old host and from the plugins themselves, not from the
//! skill, so that a bad copy is found. What the skill does not name is missing on both sides, and a
//! plugin that fails proves nothing. Only data is for both sides: that of the shared directories, and that
//! beside the plugin which the migration leaves to the user. One thing comes from the skill: files from which
//! the migration took secrets, and nothing else ([`taken_out`]).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use skill_executor::environment::Environment;
use skill_executor::package::SkillPackage;
use skill_executor::view::{self, InstalledPackages};
use skill_loader::fs::{Kind, MirrorRules, Prefer, ReadError, Root, WalkLimits};
use skill_model::PrivateKind;

use crate::pairs::Pairs;
use crate::taken_out;

/// The largest module of the host, in bytes.
const MAX_MODULE: u64 = 2 << 20;
/// The example of the host's settings.
const EXAMPLE: &str = "config.env.example";
/// The largest example, in bytes.
const MAX_EXAMPLE: u64 = 4 << 20;
/// Variables that lead to the user's own files and sessions. Both programs have directories of their own.
const OF_USER: [&str; 12] = [
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "TMPDIR",
    "PWD",
    "OLDPWD",
    "SSH_AUTH_SOCK",
    "GPG_AGENT_INFO",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "DOCKER_HOST",
];
/// The beginnings of further names of this kind.
const OF_SESSION: [&str; 2] = ["XDG_", "DBUS_"];
/// The most data of a shared directory that a run gets a copy of, in bytes and in files.
const MAX_SHARED: (u64, usize) = (8 << 20, 1000);
/// The finding of a migration that left data to the user.
const LEFT_OUT: &str = "user-data-left-out";
/// The ends of names of files with data.
const DATA: [&str; 7] = [
    ".json", ".jsonl", ".csv", ".txt", ".db", ".sqlite", ".sqlite3",
];
/// The manifest of a plugin.
const MANIFEST: &str = "plugin-manifest.json";
/// The directory of all plugins in the old host's.
const PLUGINS: &str = "Plugin";
/// The directory of installed packages.
const PACKAGES: &str = "node_modules";
/// Directories that are linked instead of copied.
const INSTALLED: [&str; 3] = [PACKAGES, ".venv", "venv"];

/// The surroundings of one plugin.
#[derive(Debug, Default)]
pub(crate) struct Surroundings<'p> {
    /// The directory of the old host, if it is known.
    host: Option<&'p Root>,
    /// Files of the host, by path in its directory.
    modules: Vec<String>,
    /// The plugins that it reads, with the names of their directories.
    neighbours: Vec<(String, Root)>,
    /// Files of the directories that the host's plugins share and the skill was granted, by path in the
    /// host's directory.
    shared: Vec<(String, Vec<u8>)>,
    /// The plugin's data, which the migration leaves to the user, by path in the plugin's directory.
    data: Vec<(String, Vec<u8>)>,
    /// The same of its neighbours, by path in the host's directory: the files that the skill shares with them.
    data_beside: Vec<(String, Vec<u8>)>,
    /// Files of the plugin and its neighbours as their skills have them, without secrets, by path in the
    /// host's directory.
    taken_out: Vec<(String, Vec<u8>)>,
}

impl<'p> Surroundings<'p> {
    /// Returns the surroundings that `skill` names. A neighbour that is not there any more is left out.
    pub(crate) fn new(pairs: &'p Pairs, skill: &SkillPackage) -> Self {
        let others = view::neighbours(skill);
        let skills = others.iter().chain([skill]);
        let modules = skills.flat_map(|skill| skill.metadata.host_modules.iter().cloned());
        let mut modules: Vec<String> = modules.collect();
        modules.sort_unstable();
        modules.dedup();
        let open = |other: &SkillPackage| {
            let name = other.legacy_directory();
            let root = Root::open_real(&pairs.dir_of(name)?).ok()?;
            Some((name.to_owned(), root))
        };
        let granted = skill.metadata.permissions.shared.iter();
        let shared = granted.flat_map(|dir| files(pairs.host(), dir));
        let data_beside = others.iter().flat_map(|other| {
            let dir = format!("{PLUGINS}/{}", other.legacy_directory());
            let files = data(pairs, other).into_iter();
            files.map(move |(path, bytes)| (format!("{dir}/{path}"), bytes))
        });
        let shared_files = skill.metadata.permissions.shared_files();
        let shared_files = shared_files.map(|file| format!("{PLUGINS}/{file}"));
        let shared_files: BTreeSet<String> = shared_files.collect();
        let data_beside = data_beside.filter(|(path, _)| shared_files.contains(path));
        let taken_out = others.iter().chain([skill]).flat_map(|skill| {
            let plugin = open(skill).map(|(_, root)| root);
            let files = plugin.map(|plugin| taken_out::files(&plugin, skill));
            let dir = format!("{PLUGINS}/{}", skill.legacy_directory());
            let files = files.unwrap_or_default().into_iter();
            files.map(move |(path, bytes)| (format!("{dir}/{path}"), bytes))
        });
        Self {
            host: pairs.host(),
            modules,
            neighbours: others.iter().filter_map(open).collect(),
            shared: shared.collect(),
            data: data(pairs, skill),
            data_beside: data_beside.collect(),
            taken_out: taken_out.collect(),
        }
    }

    /// Returns the files of which both sides have the skill's version, without secrets.
    pub(crate) fn taken_out(&self) -> Vec<String> {
        self.taken_out
            .iter()
            .map(|(path, _)| path.clone())
            .collect()
    }

    /// Returns the directories that a program may read besides its own.
    pub(crate) fn readable(&self) -> Vec<PathBuf> {
        let neighbours = self.neighbours.iter();
        let neighbours = neighbours.map(|(_, root)| root.path().to_owned());
        neighbours.chain(self.packages()).collect()
    }

    /// Returns the environment of the host: `own`, and what the host's example of its settings has besides,
    /// with the names of these. The settings themselves are never read. What leads to the user's own files
    /// is left out.
    pub(crate) fn environment(&self, own: &Environment) -> (Environment, Vec<String>) {
        let read = |host: &Root| host.read(EXAMPLE, MAX_EXAMPLE).ok();
        let text = self.host.and_then(read).unwrap_or_default();
        let pairs = skill_model::read_env_file(&String::from_utf8_lossy(&text));
        let is_new = |(name, _): &(String, String)| !own.contains_key(name);
        let pairs: Vec<_> = pairs.into_iter().filter(is_new).collect();
        let names = pairs.iter().map(|(name, _)| name.clone()).collect();
        let mut res = own.clone();
        res.extend(pairs);
        res.retain(|name, _| !leads_to_user(name));
        (res, names)
    }

    /// Returns the directory of the packages that the host itself had installed.
    fn packages(&self) -> Option<PathBuf> {
        let is_there =
            |host: &&Root| matches!(host.kind(PACKAGES), Ok(Some(Kind::Dir | Kind::Symlink)));
        let dir = self.host.filter(is_there)?.path().join(PACKAGES);
        skill_loader::fs::resolve(&dir).ok()
    }

    /// Lays everything out in `base`, which replaces the directory of the host and is a path beneath
    /// the state directory. The host's packages count only where none are `installed`.
    pub(crate) fn lay_out(
        &self,
        state: &Root,
        base: &str,
        installed: &InstalledPackages,
    ) -> Result<(), ReadError> {
        for path in &self.modules {
            self.module(path, state, base)?;
        }
        let is_installed = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or_default();
            INSTALLED.contains(&name)
        };
        let rules = MirrorRules {
            link: &is_installed,
            skip: &|_| false,
            prefer: Prefer::Source,
        };
        for (name, root) in &self.neighbours {
            let target = format!("{base}/{PLUGINS}/{name}");
            state.mirror(&target, (root, ""), &BTreeMap::new(), &rules)?;
        }
        if let Some(dir) = self.packages().filter(|_| !installed.has_npm()) {
            state.link(&format!("{base}/{PACKAGES}"), &text(&dir))?;
        }
        write_all(&self.taken_out, state, base)
    }

    /// Writes copies of the shared files beneath `base`, a path beneath the state directory.
    pub(crate) fn share(&self, state: &Root, base: &str) -> Result<(), ReadError> {
        write_all(&self.shared, state, base)
    }

    /// Writes the plugin's data where its skill keeps its own, as a user does who moves: `dir` is that directory
    /// beneath the state directory. `beside` is that of its copies of other skills.
    pub(crate) fn put_data(
        &self,
        state: &Root,
        dir: &str,
        beside: Option<&str>,
    ) -> Result<(), ReadError> {
        let put = |files: &[(String, Vec<u8>)], dir: &str| {
            let is_new = |path: &str| !matches!(state.kind(&format!("{dir}/{path}")), Ok(Some(_)));
            let new = files.iter().filter(|(path, _)| is_new(path)).cloned();
            write_all(&new.collect::<Vec<_>>(), state, dir)
        };
        put(&self.data, dir)?;
        beside.map_or(Ok(()), |beside| put(&self.data_beside, beside))
    }

    fn module(&self, path: &str, state: &Root, base: &str) -> Result<(), ReadError> {
        let Some(host) = self.host else {
            return Ok(());
        };
        // A module that is gone from the host is missing for the plugin.
        let Ok(bytes) = host.read(path, MAX_MODULE) else {
            return Ok(());
        };
        let at = format!("{base}/{path}");
        let (dir, name) = at.rsplit_once('/').unwrap_or((".", &at));
        state.write_whole(dir, name, &bytes)
    }
}

/// Writes files beneath `base`, a path beneath the state directory.
fn write_all(files: &[(String, Vec<u8>)], state: &Root, base: &str) -> Result<(), ReadError> {
    files.iter().try_for_each(|(path, bytes)| {
        let at = format!("{base}/{path}");
        let (dir, name) = at.rsplit_once('/').unwrap_or((".", &at));
        state.write_whole(dir, name, bytes)
    })
}

/// Returns the data of a plugin that its skill does not have: the migration names it, and a user copies it into
/// the state of the skill. Settings, keys and programs are never among it.
fn data(pairs: &Pairs, skill: &SkillPackage) -> Vec<(String, Vec<u8>)> {
    let mut findings = skill.metadata.findings.iter();
    let plugin = pairs.dir_of(skill.legacy_directory());
    let plugin = plugin.filter(|_| findings.any(|finding| finding.code == LEFT_OUT));
    let Some(plugin) = plugin.and_then(|dir| Root::open_real(&dir).ok()) else {
        return Vec::new();
    };
    let source = skill.metadata.entry.as_ref();
    let source = source.map_or("", |entry| entry.dir.as_str());
    let is_left = |(path, _): &(String, Vec<u8>)| {
        let kind = skill_model::private_path(path).map(|row| row.kind);
        let has_end = DATA.iter().any(|end| path.ends_with(end));
        let is_data = kind.map_or(has_end, |kind| kind == PrivateKind::UserData);
        let carried = skill.root.kind(&format!("{source}/{path}"));
        is_data && path != MANIFEST && !matches!(carried, Ok(Some(_)))
    };
    let all = files(Some(&plugin), "").into_iter();
    all.filter(is_left).collect()
}

/// Returns the files in a directory of the host, by path, up to the limits. Links, and files that cannot be
/// read, are left out: both sides miss the same.
fn files(host: Option<&Root>, dir: &str) -> Vec<(String, Vec<u8>)> {
    let Some(host) = host.filter(|host| matches!(host.kind(dir), Ok(Some(Kind::Dir)))) else {
        return Vec::new();
    };
    let is_hidden = |path: &str| {
        path.rsplit('/')
            .next()
            .is_some_and(|name| name.starts_with('.'))
    };
    let walk = host.walk(dir, &WalkLimits::default(), &is_hidden);
    let entries = walk.map(|listing| listing.entries).unwrap_or_default();
    let (mut left, max_files) = MAX_SHARED;
    let mut res = Vec::new();
    for entry in entries {
        let Kind::File(info) = entry.kind else {
            continue;
        };
        if info.size > left || res.len() == max_files {
            continue;
        }
        if let Ok(bytes) = host.read(&entry.path, info.size) {
            left -= info.size;
            res.push((entry.path, bytes));
        }
    }
    res
}

/// Returns true for a variable that leads to the user's own files.
fn leads_to_user(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    OF_USER.contains(&name.as_str()) || OF_SESSION.iter().any(|start| name.starts_with(start))
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
