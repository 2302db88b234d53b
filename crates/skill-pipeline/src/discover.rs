//! Where the plugins are, and which skill name each of them gets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Deserialize;
use skill_diagnostics::{Code, Diagnostic, Severity};
use skill_loader::fs::{Kind, Listing, NoteKind, Root, WalkLimits};
use skill_loader::store::Store;
use skill_migrator::{
    DISABLED_SUFFIX, MANIFEST_FILE, NameRequest, Naming, assign_names, leave_directory,
};
use skill_model::{SkillName, wildcard};

use crate::{Error, MigrateOptions};

/// Directories below the input that are entered in search of plugins. Collections nest them two
/// deep (`plugins/<type>/<name>/`).
const SEARCH_DEPTH: usize = 8;
/// Entries that a search looks at.
const SEARCH_ENTRIES: usize = 2_000_000;
/// Largest manifest that is read. The largest of 89 known ones has 160 kB.
pub const MAX_MANIFEST_BYTES: u64 = 8 << 20;

/// A directory of plugins.
#[derive(Debug)]
pub struct Collection {
    /// Plugins that are to be looked at, sorted by directory.
    pub plugins: Vec<Found>,
    /// Directories that the selection passes over, or that belong to another shard.
    pub passed_over: BTreeSet<String>,
    /// The names of their skills.
    pub names_passed_over: BTreeSet<String>,
    /// Where plugins may lie that the search did not see; errors where it should have.
    pub not_searched: Vec<Diagnostic>,
}

impl Collection {
    /// Whether something could not be searched.
    pub fn is_blind(&self) -> bool {
        let mut findings = self.not_searched.iter();
        findings.any(|finding| finding.severity == Severity::Error)
    }
}

/// A directory with a manifest.
#[derive(Clone, Debug)]
pub struct Found {
    /// Directory relative to the input; empty when the input is the plugin.
    pub directory: String,
    /// Name of the manifest file.
    pub manifest_file: &'static str,
    /// The skill's name; none when the manifest cannot be read.
    pub naming: Option<Naming>,
    /// The plugin's name, as far as it can be read.
    pub name: Option<String>,
    /// Whether it is switched off and not wanted.
    pub is_skipped: bool,
    /// The plugins that lie beside it: what each becomes, by the name of its directory.
    pub(crate) neighbours: Neighbours,
}

/// The plugins in one directory, itself included.
pub(crate) type Neighbours = Arc<BTreeMap<String, SkillName>>;

impl Found {
    /// The name of the skill, if it gets one.
    pub fn skill_name(&self) -> Option<&str> {
        self.naming.as_ref().map(|naming| naming.name.as_str())
    }
}

/// Finds and names all plugins.
pub(crate) fn discover(input: &Root, options: &MigrateOptions) -> Result<Collection, Error> {
    let (directories, not_searched) = plugin_directories(input)?;
    let heads: Vec<Option<Head>> = directories
        .par_iter()
        .map(|(directory, file)| read_head(input, directory, file))
        .collect();
    let held = held(options);
    let mut names = names(&directories, &heads, &held);
    let beside = beside(&directories, &names);
    let mut res = Collection {
        plugins: Vec::new(),
        passed_over: BTreeSet::new(),
        names_passed_over: BTreeSet::new(),
        not_searched,
    };
    for (at, ((directory, manifest_file), head)) in directories.into_iter().zip(heads).enumerate() {
        let naming = names.remove(&at);
        let skill = naming.as_ref().map(|naming| naming.name.as_str());
        let is_in_shard = options.shard.is_none_or(|shard| shard.holds(&directory));
        if !is_in_shard || !is_selected(options, &directory, head.as_ref(), skill) {
            res.names_passed_over.extend(skill.map(str::to_owned));
            res.passed_over.insert(directory);
            continue;
        }
        res.plugins.push(Found {
            is_skipped: manifest_file.ends_with(DISABLED_SUFFIX) && !options.include_disabled,
            neighbours: beside.get(split(&directory).0).cloned().unwrap_or_default(),
            directory,
            manifest_file,
            naming,
            name: head.map(|head| head.name),
        });
    }
    res.plugins.sort_by(|a, b| a.directory.cmp(&b.directory));
    Ok(res)
}

/// The plugins of each directory that holds some.
fn beside(directories: &[Place], names: &BTreeMap<usize, Naming>) -> BTreeMap<String, Neighbours> {
    let mut res: BTreeMap<&str, BTreeMap<String, SkillName>> = BTreeMap::new();
    for (at, naming) in names {
        let (parent, name) = split(&directories[*at].0);
        let all = res.entry(parent).or_default();
        all.insert(name.to_owned(), naming.name.clone());
    }
    let res = res.into_iter();
    res.map(|(parent, all)| (parent.to_owned(), Arc::new(all)))
        .collect()
}

/// The directory that a plugin lies in, and its name there.
fn split(directory: &str) -> (&str, &str) {
    directory.rsplit_once('/').unwrap_or(("", directory))
}

/// A directory and the name of its manifest.
type Place = (String, &'static str);

const NOT_SEARCHED: Code = Code("not-searched");

/// Every directory with a manifest, and which one it is: the first of the two file names. A
/// plugin's own directories are not searched.
fn plugin_directories(input: &Root) -> Result<(Vec<Place>, Vec<Diagnostic>), Error> {
    const FILES: [&str; 2] = [MANIFEST_FILE, concat!("plugin-manifest.json", ".block")];
    let manifest_of = |directory: &str| {
        let is_there = |file: &&str| {
            let path = if directory.is_empty() {
                (*file).to_owned()
            } else {
                format!("{directory}/{file}")
            };
            matches!(input.kind(&path), Ok(Some(_)))
        };
        FILES.into_iter().find(is_there)
    };
    if let Some(file) = manifest_of("") {
        return Ok((vec![(String::new(), file)], Vec::new()));
    }
    let found = std::sync::Mutex::new(Vec::new());
    let prune = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        if leave_directory(name).is_some_and(|_| !is_searched_anyway(name)) {
            return true;
        }
        let manifest = manifest_of(path);
        if let Some(file) = manifest {
            let mut found = found
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            found.push((path.to_owned(), file));
        }
        manifest.is_some()
    };
    let limits = WalkLimits {
        depth: SEARCH_DEPTH,
        entries: SEARCH_ENTRIES,
    };
    let listing = input.walk("", &limits, &prune)?;
    let not_searched = not_searched(&listing)?;
    let mut res = found
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    res.sort();
    Ok((res, not_searched))
}

/// A plugin directory may have a name that is no portable file name: only files keep theirs. And a
/// directory `target` that holds plugins is somebody's, not a compiler's.
fn is_searched_anyway(name: &str) -> bool {
    !skill_migrator::is_portable_name(name) || name.eq_ignore_ascii_case("target")
}

/// What the search could not see. A search that ends early must not look like one that found
/// everything.
fn not_searched(listing: &Listing) -> Result<Vec<Diagnostic>, Error> {
    let mut acc = Vec::new();
    for note in &listing.notes {
        let finding = match &note.kind {
            NoteKind::TooMany => {
                return Err(Error::TooManyEntries {
                    limit: SEARCH_ENTRIES,
                });
            }
            NoteKind::Pruned => continue,
            NoteKind::Unreadable(error) => Diagnostic::error(
                NOT_SEARCHED,
                format!("the directory cannot be read: {error}"),
            ),
            NoteKind::TooDeep => {
                let message = format!("the directory lies deeper than {SEARCH_DEPTH} levels");
                Diagnostic::warning(NOT_SEARCHED, message)
            }
            NoteKind::NotUtf8 => Diagnostic::warning(NOT_SEARCHED, "the name is not UTF-8"),
        };
        acc.push(
            finding
                .in_file(&note.path)
                .with_help("plugins in it were not found"),
        );
    }
    let links = listing
        .entries
        .iter()
        .filter(|entry| entry.kind == Kind::Symlink);
    acc.extend(links.map(|link| {
        Diagnostic::warning(NOT_SEARCHED, "a symbolic link is not followed")
            .in_file(&link.path)
            .with_help("a plugin behind it was not found; give its directory as the input")
    }));
    Ok(acc)
}

/// An object of which nothing is wanted but that it is one.
#[derive(Debug, Deserialize)]
struct AnyObject {}

/// The part of a manifest that naming and selection need.
#[derive(Debug, Deserialize)]
struct Head {
    name: String,
    #[serde(rename = "pluginType")]
    plugin_type: String,
    #[serde(rename = "entryPoint")]
    _entry_point: AnyObject,
}

fn read_head(input: &Root, directory: &str, file: &str) -> Option<Head> {
    let path = if directory.is_empty() {
        file.to_owned()
    } else {
        format!("{directory}/{file}")
    };
    let bytes = input.read(&path, MAX_MANIFEST_BYTES).ok()?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    serde_json::from_slice(bytes)
        .ok()
        .or_else(|| read_head_with_repeats(bytes))
}

/// A key that stands twice is an error to `serde` and the last value to the host.
fn read_head_with_repeats(bytes: &[u8]) -> Option<Head> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (manifest, _) = plugin_manifest::read(text);
    let manifest = manifest?;
    Some(Head {
        name: manifest.name.value,
        plugin_type: manifest.plugin_type_word,
        _entry_point: AnyObject {},
    })
}

/// The name that the skill of each plugin had the last time, by the plugin's directory. Parts of a
/// collection do without: no part knows the names of the others.
fn held(options: &MigrateOptions) -> BTreeMap<String, String> {
    if options.shard.is_some() || !options.keep_names {
        return BTreeMap::new();
    }
    // What cannot be read is reported when the output is opened.
    let Ok(store) = Store::open_read_only(&options.out) else {
        return BTreeMap::new();
    };
    let skills = store.lock().skills.iter();
    skills
        .map(|(name, locked)| (locked.source.directory.clone(), name.clone()))
        .collect()
}

/// The names, by position. They do not depend on the selection, so that a part of a collection
/// gets the same names as the whole.
fn names(
    directories: &[Place],
    heads: &[Option<Head>],
    held: &BTreeMap<String, String>,
) -> BTreeMap<usize, Naming> {
    let readable: Vec<(usize, NameRequest<'_>)> = directories
        .iter()
        .zip(heads)
        .enumerate()
        .filter_map(|(at, ((directory, file), head))| {
            let name = head.as_ref()?.name.as_str();
            let enabled = !file.ends_with(DISABLED_SUFFIX);
            (!name.trim().is_empty()).then_some((
                at,
                NameRequest {
                    directory,
                    name,
                    enabled,
                    held: held.get(directory).map(String::as_str),
                },
            ))
        })
        .collect();
    let requests: Vec<_> = readable
        .iter()
        .map(|(_, request)| request.clone())
        .collect();
    readable
        .iter()
        .map(|(at, _)| *at)
        .zip(assign_names(&requests))
        .collect()
}

fn is_selected(
    options: &MigrateOptions,
    directory: &str,
    head: Option<&Head>,
    skill: Option<&str>,
) -> bool {
    let name = head.map(|head| head.name.as_str());
    let names = [Some(directory), directory.rsplit('/').next(), name, skill];
    let fits = |patterns: &[String]| {
        let mut names = names.iter().flatten();
        names.any(|name| {
            patterns
                .iter()
                .any(|pattern| wildcard::matches(pattern, name))
        })
    };
    let plugin_type = head.map_or("", |head| head.plugin_type.as_str());
    let type_fits = options
        .types
        .iter()
        .any(|pattern| wildcard::matches(pattern, plugin_type));
    (options.only.is_empty() || fits(&options.only))
        && !fits(&options.exclude)
        && (options.types.is_empty() || type_fits)
}
