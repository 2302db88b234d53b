//! The values of an old host, for the skills that its plugins became.
//!
//! A plugin of the old host got the values of its own `config.env`, else those of the host's. The same
//! values go to the user's store. Values that were stored before stay, and those of guards are left
//! out ([`GuardPolicy::Leave`]).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skill_loader::dir_in;
use skill_loader::fs::{ReadError, Root, resolve};
use skill_model::{Metadata, decode, read_env_file, read_metadata};

use crate::names::DEBUG_MODE;
use crate::take::is_comment;
use crate::{
    Error, GuardPolicy, MAX_FILE, SkillId, Store, StoredSkill, Taken, Values, WantedKey, pairs_in,
    take, wanted,
};

/// The file of settings, of a host and of a plugin.
const FILE: &str = "config.env";
/// The largest METADATA.yml or legacy manifest, in bytes.
const MAX_METADATA: u64 = 4 << 20;
/// Variables that the old host set from settings of another name.
const RENAMED: [(&str, &str); 3] = [
    ("SERVER_PORT", "PORT"),
    ("IMAGESERVER_IMAGE_KEY", "Image_Key"),
    ("IMAGESERVER_FILE_KEY", "File_Key"),
];

/// Variables of a host that the tools here set themselves for each call. The address of the old host
/// would take their place.
const REPLACED: [&str; 1] = ["CALLBACK_BASE_URL"];

/// Keys and values, in the order of a file.
type Pairs = Vec<(String, String)>;

/// The settings of an old host.
#[derive(Clone, Debug)]
pub struct HostSettings {
    /// The file that they are in.
    pub file: PathBuf,
    pairs: Pairs,
}

/// Reads the `config.env` of a host: `path` is its directory, or the file. A directory without the
/// file has no settings.
///
/// # Errors
///
/// There is no such directory or file, or it cannot be read.
pub fn read_host(path: &Path) -> Result<HostSettings, Error> {
    let real = resolve(path)?;
    let Ok(root) = Root::open_real(&real) else {
        let pairs = pairs_in(&real)?;
        return Ok(HostSettings {
            file: path.to_owned(),
            pairs,
        });
    };
    Ok(HostSettings {
        file: path.join(FILE),
        pairs: env_file(&root, FILE)?,
    })
}

impl HostSettings {
    /// Returns the values for the skill of a plugin whose directory is below `Plugin` of the host. If
    /// the plugin's own file cannot be read, they are those of the host, with the reason.
    pub fn for_skill(
        &self,
        host: &Root,
        plugin: &str,
        wanted: &[WantedKey],
        guards: GuardPolicy,
    ) -> Taken {
        let (own, problem) = readable(own_file(host, &format!("Plugin/{plugin}")));
        Taken {
            problem,
            ..merged(self, &own, wanted, guards)
        }
    }
}

/// The values that one skill got.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SkillImport {
    /// The name of the skill's directory.
    pub skill: String,
    /// The keys that were stored.
    pub stored: Vec<String>,
    /// The keys that have another value in the store, which stays.
    pub kept: Vec<String>,
    /// The guards that were left out.
    pub guards: Vec<String>,
    /// The file with those guards: the plugin's own, else that of the host.
    pub file: PathBuf,
    /// The keys that the tools here set themselves.
    pub replaced: Vec<String>,
    /// The keys of the plugin's own file that its skill does not declare.
    pub others: Vec<String>,
    /// The keys that have no value: an empty one is none.
    pub empty: Vec<String>,
    /// The reason why the plugin's own file could not be read.
    pub problem: Option<String>,
}

impl SkillImport {
    fn has_news(&self) -> bool {
        if self.problem.is_some() {
            return true;
        }
        let lists = [
            &self.stored,
            &self.kept,
            &self.guards,
            &self.replaced,
            &self.others,
            &self.empty,
        ];
        lists.iter().any(|list| !list.is_empty())
    }
}

/// The result of an import.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Import {
    /// The skills that got a value, or did not get one that was there for them.
    pub skills: Vec<SkillImport>,
    /// The keys of the host that no skill declares.
    pub unused: Vec<String>,
    /// The number of skills that were looked at.
    pub n_skills: usize,
    /// The file of the host.
    pub file: PathBuf,
    /// The directory of the store.
    pub store: PathBuf,
    /// The directory of the skills.
    pub out: PathBuf,
}

/// Stores the values of a host and its plugins. `migrated` has the directory of each plugin below
/// `plugins`, with `#` and more for a part of a plugin, and that of its skill below `skills`.
///
/// # Errors
///
/// A skill, a settings file or the store cannot be read or written.
pub fn import<'m>(
    host: &HostSettings,
    (plugins, skills): (&Path, &Path),
    migrated: impl Iterator<Item = (&'m str, &'m str)>,
    state: &Root,
) -> Result<Import, Error> {
    let plugins = Root::open_real(&resolve(plugins)?)?;
    let skills = resolve(skills)?;
    let store = Store::new(state);
    let mut used = BTreeSet::new();
    let mut res = Import {
        file: host.file.clone(),
        store: store.path(),
        out: skills.clone(),
        ..Import::default()
    };
    for (plugin, name) in migrated {
        let Some((id, wanted)) = of_skill(&dir_in(&skills, name)) else {
            continue;
        };
        res.n_skills += 1;
        let (own, problem) = readable(own_file(&plugins, plugin));
        used.extend(wanted.iter().map(|wanted| wanted.key.clone()));
        let taken = merged(host, &own, &wanted, GuardPolicy::Leave);
        let mut skill = SkillImport {
            problem,
            ..put(&store, &id, name, taken)?
        };
        let is_own = own.iter().any(|(key, _)| skill.guards.contains(key));
        skill.file = if is_own {
            let dir = plugin.split('#').next().unwrap_or_default();
            plugins.path().join(dir).join(FILE)
        } else {
            host.file.clone()
        };
        if skill.has_news() {
            res.skills.push(skill);
        }
    }
    let renamed = RENAMED.iter().filter(|(name, _)| used.contains(*name));
    let renamed: BTreeSet<&str> = renamed.map(|(_, from)| *from).collect();
    let keys = host.pairs.iter().map(|(key, _)| key);
    let keys = keys.filter(|key| !is_comment(key));
    let unused = keys.filter(|key| !used.contains(*key) && !renamed.contains(key.as_str()));
    res.unused = unused.cloned().collect();
    Ok(res)
}

impl Import {
    /// Returns the result for programs.
    pub fn to_json(&self) -> Value {
        let of_skill = |skill: &SkillImport| {
            json!({
                "skill": skill.skill,
                "stored": skill.stored,
                "kept": skill.kept,
                "guards": skill.guards,
                "replaced": skill.replaced,
                "undeclared": skill.others,
                "empty": skill.empty,
                "problem": skill.problem,
            })
        };
        json!({
            "skills": self.skills.iter().map(of_skill).collect::<Vec<_>>(),
            "unused": self.unused,
        })
    }
}

/// Returns the identity of the skill in a directory, an absolute path without links, and its keys;
/// `None` if it has no METADATA.yml that can be read.
pub fn of_skill(dir: &Path) -> Option<(SkillId, Vec<WantedKey>)> {
    let root = Root::open_real(dir).ok()?;
    let text = |path: &str| {
        let bytes = root.read(path, MAX_METADATA).ok()?;
        decode(&bytes).ok().map(str::to_owned)
    };
    let metadata: Metadata = read_metadata(&text("METADATA.yml")?).0?;
    let manifest = text("references/legacy-manifest.json");
    let manifest: Option<Value> = manifest.and_then(|text| serde_json::from_str(&text).ok());
    let wanted = wanted(&metadata, manifest.as_ref());
    Some((SkillId::new(dir, &metadata), wanted))
}

/// The values for one skill: those of its plugin before those of the host.
fn merged(
    host: &HostSettings,
    own: &[(String, String)],
    wanted: &[WantedKey],
    guards: GuardPolicy,
) -> Taken {
    let mut res = take(&host.pairs, wanted, guards);
    // A host has settings for all; what this skill does not declare is not reported for each.
    res.others.clear();
    // The host's own switch does not belong to the skill.
    res.values.remove(DEBUG_MODE);
    for (name, from) in RENAMED {
        let value = host.pairs.iter().find(|(key, _)| key == from);
        let is_wanted = wanted.iter().any(|wanted| wanted.key == name);
        if let (Some((_, value)), true) = (value, is_wanted) {
            res.values
                .entry(name.to_owned())
                .or_insert_with(|| value.clone());
        }
    }
    let own = take(own, wanted, guards);
    res.values.extend(
        own.values
            .iter()
            .map(|(key, value)| (key.clone(), value.clone())),
    );
    res.others = own.others;
    res.guards.extend(own.guards);
    res.guards.sort();
    res.guards.dedup();
    res
}

fn put(store: &Store<'_>, id: &SkillId, name: &str, taken: Taken) -> Result<SkillImport, Error> {
    let Taken {
        mut values,
        guards,
        others,
        ..
    } = taken;
    let mut res = SkillImport {
        skill: name.to_owned(),
        guards,
        others,
        ..SkillImport::default()
    };
    let replaced = REPLACED.iter().filter(|key| values.remove(**key).is_some());
    res.replaced = replaced.map(|key| (*key).to_owned()).collect();
    let empty = values.iter().filter(|(_, value)| value.trim().is_empty());
    res.empty = empty.map(|(key, _)| key.clone()).collect();
    values.retain(|_, value| !value.trim().is_empty());
    // What the user confirmed before is not reported again.
    let known = store.read(id)?.values;
    res.guards.retain(|key| !known.contains_key(key));
    let is_other =
        |(key, value): &(&String, &String)| known.get(*key).is_some_and(|it| it != *value);
    res.kept = values
        .iter()
        .filter(is_other)
        .map(|(key, _)| key.clone())
        .collect();
    let new: Values = values
        .iter()
        .filter(|(key, _)| !known.contains_key(*key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if !new.is_empty() {
        let add = |stored: &mut StoredSkill| {
            let new = new.iter();
            let new = new.map(|(key, value)| (key.clone(), value.clone()));
            stored.values.extend(new);
        };
        res.stored = store.update(id, add)?.changed;
    }
    Ok(res)
}

/// Returns the pairs of a file, or none and the reason why it could not be read.
fn readable(file: Result<Pairs, Error>) -> (Pairs, Option<String>) {
    match file {
        Ok(pairs) => (pairs, None),
        Err(error) => (Pairs::new(), Some(error.to_string())),
    }
}

/// Returns the pairs of a plugin's own file.
fn own_file(plugins: &Root, plugin: &str) -> Result<Pairs, Error> {
    let whole = format!("{plugin}/{FILE}");
    let whole = whole.trim_start_matches('/');
    let pairs = env_file(plugins, whole)?;
    match plugin.split_once('#') {
        Some((dir, _)) if pairs.is_empty() => {
            env_file(plugins, format!("{dir}/{FILE}").trim_start_matches('/'))
        }
        _ => Ok(pairs),
    }
}

/// Returns the pairs of a file below a root; none if it does not exist.
fn env_file(root: &Root, path: &str) -> Result<Pairs, Error> {
    match root.read(path, MAX_FILE) {
        Ok(bytes) => Ok(read_env_file(&String::from_utf8_lossy(&bytes))),
        Err(ReadError::Missing { .. }) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}
