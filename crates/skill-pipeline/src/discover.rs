//! Names the skills of the units that were found, and selects them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plugin_model::UnitKey;
use plugin_readers::{Reader, UnitHead};
use rayon::prelude::*;
use skill_diagnostics::{Code, Diagnostic, Severity};
use skill_loader::fs::{Kind, Root};
use skill_loader::store::Store;
use skill_migrator::{Agents, HostRoot, NameRequest, Naming, assign_names};
use skill_model::{SkillName, wildcard};

use crate::calls::{AllCalls, Calls};
use crate::error::Error;
use crate::host_files::HostFiles;
use crate::inherited::{Inherited, Licenses};
use crate::options::MigrateOptions;
use crate::packages::packages;
use crate::same_skills;
use crate::unit::{PackageDirectory, Unit, each_once, names_ending, path_in, path_of, siblings};
use crate::unpacked::Unpacked;

/// A directory of plugins.
#[derive(Debug)]
pub struct Collection {
    /// The selected units, sorted by directory.
    pub plugins: Vec<Candidate>,
    /// Keys of units that the selection excludes, or that belong to another shard.
    pub passed_over: BTreeSet<String>,
    /// The names of their skills.
    pub names_passed_over: BTreeSet<String>,
    /// Keys of agents that become references of other skills, or are left out.
    pub agents_left: BTreeSet<String>,
    /// Findings about directories that were not searched; errors if they should have been.
    pub not_searched: Vec<Diagnostic>,
}

impl Collection {
    /// Returns true if a part of the input could not be searched.
    pub fn is_incomplete(&self) -> bool {
        has_errors(&self.not_searched)
    }
}

/// Returns true if a directory was not searched that should have been.
pub(crate) fn has_errors(not_searched: &[Diagnostic]) -> bool {
    let mut findings = not_searched.iter();
    findings.any(|finding| finding.severity == Severity::Error)
}

/// A unit of a package that may become a skill. A package with one program is one unit.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Directory of the package relative to the input; empty if the input is the package.
    pub directory: String,
    /// The key of the unit in the collection: the directory, followed by `#` and the key within
    /// the package if the package has several units.
    pub key: String,
    /// The name of the manifest file; empty if the package has none.
    pub manifest_file: String,
    /// The manifest, if it is not the content of that file but a part of one elsewhere.
    pub(crate) manifest: Option<Arc<[u8]>>,
    /// The path of the marketplace whose entry the manifest is, relative to the input.
    pub(crate) marketplace: Option<String>,
    /// The name of the skill, or `None` if the manifest cannot be read.
    pub naming: Option<Naming>,
    /// The name of the unit, if it can be read.
    pub name: Option<String>,
    /// True if the host disabled the package and the options do not include such packages.
    pub is_skipped: bool,
    /// The number of the package. Several can be in one directory.
    pub(crate) package: usize,
    /// True if directories inside of the package can be packages of their own.
    pub(crate) searches_inside: bool,
    /// The files of the package besides the manifest, sorted, if they are not all of the directory.
    pub(crate) files: Option<Arc<[String]>>,
    /// The key of the unit within its package.
    pub(crate) unit: UnitKey,
    /// The paths in the keys of all units of the package.
    pub(crate) siblings: Arc<BTreeSet<String>>,
    /// The reader of the format.
    pub(crate) reader: &'static Reader,
    /// The skills of the packages in the same parent directory, by the name of their directory.
    pub(crate) neighbours: Neighbours,
    /// The package lists of the old host.
    pub(crate) host: Arc<HostRoot>,
    /// The skills that the text refers to.
    pub(crate) calls: Calls,
    /// License files above a package of texts.
    pub(crate) inherited: Arc<Inherited>,
    /// The files, if the package is an archive.
    pub(crate) unpacked: Option<Arc<Unpacked>>,
    /// The files and directories in the package that other packages read, relative to it.
    pub(crate) read_by_others: Arc<BTreeSet<String>>,
}

/// The skills of the packages in one directory, the package itself included.
pub(crate) type Neighbours = Arc<BTreeMap<String, SkillName>>;

impl Candidate {
    /// Returns the name of the skill, if it gets one.
    pub fn skill_name(&self) -> Option<&str> {
        self.naming.as_ref().map(|naming| naming.name.as_str())
    }

    /// Returns true if a file of the package has the name of the unit.
    pub(crate) fn is_file_of(&self, file: &str) -> bool {
        let path = path_of(&self.unit);
        names_ending(file).any(|name| name == path)
    }

    /// Returns true if a file of the package has the name of any of its units.
    pub(crate) fn is_unit_file(&self, file: &str) -> bool {
        names_ending(file).any(|name| self.siblings.contains(name))
    }

    /// Returns the path of the manifest, relative to the input.
    pub(crate) fn manifest_path(&self) -> String {
        let list = self.marketplace.clone();
        list.unwrap_or_else(|| self.path_of(&self.manifest_file))
    }

    /// Returns the place of a finding in a file of the package, relative to the input.
    pub(crate) fn place_of(&self, file: Option<&str>) -> String {
        let file = file.filter(|file| *file != self.manifest_file);
        file.map_or_else(|| self.manifest_path(), |file| self.path_of(file))
    }

    /// Returns a finding of the package with its place relative to the input.
    pub(crate) fn in_input(&self, finding: Diagnostic) -> Diagnostic {
        let place = self.place_of(finding.place.file.as_deref());
        finding.in_file(place)
    }

    /// Returns the path of a file of the package, relative to the input.
    pub(crate) fn path_of(&self, file: &str) -> String {
        path_in(&self.directory, file)
    }
}

/// Finds and names all units.
pub(crate) fn discover(input: &Root, options: &MigrateOptions) -> Result<Collection, Error> {
    let (packages, mut not_searched) = packages(input, options)?;
    let heads: Vec<Vec<UnitHead>> = packages
        .par_iter()
        .map(|package| package.heads(input))
        .collect();
    let mut agents_left = BTreeSet::new();
    let units = units(
        packages,
        heads,
        options,
        &mut not_searched,
        &mut agents_left,
    );
    let is_wanted = |unit: &Unit| {
        let names = (unit.package.directory.as_str(), unit.key.as_str());
        is_selected(options, names, unit.head.as_ref(), None)
    };
    let units = same_skills::once(input, units, &is_wanted, &mut not_searched);
    let mut names = names(&units, &earlier_names(options));
    let beside = beside(&units, &names);
    let siblings = siblings(&units, &agents_left);
    let calls = AllCalls::new(&units, &names);
    let mut res = Collection {
        plugins: Vec::new(),
        passed_over: BTreeSet::new(),
        names_passed_over: BTreeSet::new(),
        agents_left,
        not_searched,
    };
    let mut host = HostFiles::new(options)?;
    let mut licenses = Licenses::new(input);
    for (at, unit) in units.into_iter().enumerate() {
        let calls = calls.of(unit.number);
        let Unit {
            package,
            number,
            key,
            head,
        } = unit;
        let naming = names.remove(&at);
        let skill = naming.as_ref().map(|naming| naming.name.as_str());
        let is_in_shard = options.shard.is_none_or(|shard| shard.holds(&key));
        if !is_in_shard || !is_selected(options, (&package.directory, &key), head.as_ref(), skill) {
            res.names_passed_over.extend(skill.map(str::to_owned));
            res.passed_over.insert(key);
            continue;
        }
        let beside = beside.get(split(&package.directory).0);
        let (unit, name) = head.map(|head| (head.unit, head.name)).unzip();
        let unit = unit.unwrap_or_default();
        let has_texts = unit != UnitKey::ONLY;
        let marketplace = marketplace_of(input, &package);
        res.plugins.push(Candidate {
            is_skipped: !package.is_enabled() && !options.include_disabled,
            neighbours: beside.cloned().unwrap_or_default(),
            siblings: siblings
                .get(&package.directory)
                .cloned()
                .unwrap_or_default(),
            host: host.of(&package.directory),
            calls,
            inherited: if has_texts {
                licenses.above(&package.directory)
            } else {
                Arc::default()
            },
            directory: package.directory,
            package: number,
            key,
            marketplace,
            searches_inside: package.claim.searches_inside,
            manifest_file: package.claim.manifest_file,
            manifest: package.claim.manifest.map(Arc::from),
            files: package.claim.files.map(Arc::from),
            naming,
            name,
            unit,
            reader: package.reader,
            unpacked: package.unpacked,
            read_by_others: package.read_by_others,
        });
    }
    res.plugins.sort_by(|a, b| {
        (&a.directory, a.package, &a.unit).cmp(&(&b.directory, b.package, &b.unit))
    });
    Ok(res)
}

/// Returns the marketplace whose entry is the manifest of a package: the nearest one above it.
fn marketplace_of(input: &Root, package: &PackageDirectory) -> Option<String> {
    package.claim.manifest.as_ref()?;
    let directory = package.directory.as_str();
    let above = directory
        .rmatch_indices('/')
        .map(|(at, _)| &directory[..at]);
    let mut files = std::iter::once(directory)
        .chain(above)
        .chain([""])
        .map(|it| path_in(it, &package.claim.manifest_file));
    files.find(|file| matches!(input.kind(file), Ok(Some(Kind::File(_)))))
}

fn units(
    packages: Vec<PackageDirectory>,
    heads: Vec<Vec<UnitHead>>,
    options: &MigrateOptions,
    notes: &mut Vec<Diagnostic>,
    left: &mut BTreeSet<String>,
) -> Vec<Unit> {
    let mut res = Vec::with_capacity(packages.len());
    for (number, (package, heads)) in packages.into_iter().zip(heads).enumerate() {
        let is_empty = heads.is_empty();
        let mut heads = heads;
        let key = |head: UnitHead| head.unit.within(&package.directory);
        let file = |head: &UnitHead| path_in(&package.directory, &head.file);
        let rules = heads.extract_if(.., |head| head.is_rule() && !options.rules);
        notes.extend(rules.map(|head| rule_left(&file(&head))));
        let are_references = options.texts.agents == Agents::References;
        let has_others = heads.iter().any(|head| !head.is_agent());
        let leaves_agents = match options.texts.agents {
            Agents::Skills => false,
            Agents::References => has_others,
            Agents::Skip => true,
        };
        let agents = heads.extract_if(.., |head| leaves_agents && head.is_agent());
        for head in agents {
            if !are_references {
                notes.push(agent_left(&file(&head)));
            }
            left.insert(key(head));
        }
        if is_empty {
            res.push(Unit::new(number, package, None));
        } else {
            let heads = heads.into_iter();
            res.extend(heads.map(|head| Unit::new(number, package.clone(), Some(head))));
        }
    }
    each_once(res)
}

/// Returns the finding about a rule, which does not become a skill.
fn rule_left(file: &str) -> Diagnostic {
    let message = "the old host applies this rule always or to some files; it is not a skill";
    let finding = Diagnostic::warning(RULE_LEFT, message).in_file(file);
    finding.with_help("--rules writes it as one; or put it into the instructions of your agent")
}

/// Returns the finding about an agent that is left out.
fn agent_left(file: &str) -> Diagnostic {
    let message = "--agents skip leaves out this agent";
    Diagnostic::note(AGENT_LEFT, message).in_file(file)
}

const AGENT_LEFT: Code = Code("agent-not-migrated");
const RULE_LEFT: Code = Code("rule-not-migrated");

/// Returns the skills of the packages that are one unit, by the directory that the package is in
/// and its name there.
fn beside(units: &[Unit], names: &BTreeMap<usize, Naming>) -> BTreeMap<String, Neighbours> {
    let mut res: BTreeMap<&str, BTreeMap<String, SkillName>> = BTreeMap::new();
    for (at, naming) in names {
        let unit = &units[*at];
        if unit.key != unit.package.directory {
            continue;
        }
        let (parent, name) = split(&unit.package.directory);
        let all = res.entry(parent).or_default();
        all.insert(name.to_owned(), naming.name.clone());
    }
    let res = res.into_iter();
    res.map(|(parent, all)| (parent.to_owned(), Arc::new(all)))
        .collect()
}

/// Splits a directory into its parent and its name there.
fn split(directory: &str) -> (&str, &str) {
    directory.rsplit_once('/').unwrap_or(("", directory))
}

/// Returns the name that the skill of each unit has in the lock, by the key of the unit. Shards do
/// without, because no shard knows the names of the others.
fn earlier_names(options: &MigrateOptions) -> BTreeMap<String, String> {
    if options.shard.is_some() || !options.keep_names {
        return BTreeMap::new();
    }
    // An output that cannot be read is reported when it is opened.
    let Ok(store) = Store::open_read_only(&options.out) else {
        return BTreeMap::new();
    };
    let skills = store.lock().skills.iter();
    skills
        .map(|(name, locked)| (locked.source.directory.clone(), name.clone()))
        .collect()
}

/// Returns the names by position. They do not depend on the selection, so a part of a collection
/// gets the same names as the whole.
fn names(units: &[Unit], earlier: &BTreeMap<String, String>) -> BTreeMap<usize, Naming> {
    let (places, requests): (Vec<usize>, Vec<NameRequest<'_>>) = units
        .iter()
        .enumerate()
        .filter_map(|(at, unit)| Some((at, request(unit, earlier)?)))
        .unzip();
    places.into_iter().zip(assign_names(&requests)).collect()
}

fn request<'a>(unit: &'a Unit, earlier: &'a BTreeMap<String, String>) -> Option<NameRequest<'a>> {
    let head = unit.head.as_ref()?;
    let name = head.name.as_str();
    (!name.trim().is_empty()).then(|| NameRequest {
        directory: &unit.package.directory,
        name,
        alternatives: &head.alternatives,
        enabled: unit.package.is_enabled(),
        held: earlier.get(&unit.key).map(String::as_str),
    })
}

fn is_selected(
    options: &MigrateOptions,
    (directory, key): (&str, &str),
    head: Option<&UnitHead>,
    skill: Option<&str>,
) -> bool {
    let name = head.map(|head| head.name.as_str());
    let last = directory.rsplit('/').next();
    let names = [Some(directory), last, Some(key), name, skill];
    let fits = |patterns: &[String]| {
        let mut names = names.iter().flatten();
        names.any(|name| {
            patterns
                .iter()
                .any(|pattern| wildcard::matches(pattern, name))
        })
    };
    let plugin_type = head.map_or("", |head| head.type_word.as_str());
    let type_fits = options
        .types
        .iter()
        .any(|pattern| wildcard::matches(pattern, plugin_type));
    (options.only.is_empty() || fits(&options.only))
        && !fits(&options.exclude)
        && (options.types.is_empty() || type_fits)
}
