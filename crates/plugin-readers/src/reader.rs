//! The row of a format in the table of readers.

use plugin_model::{Key, Package, Sources, UnitKey};
use skill_diagnostics::Diagnostic;

use crate::directory::{Claim, Directory};

/// Reads the packages of one format.
#[derive(Debug)]
pub struct Reader {
    /// The word for `--format`.
    pub name: &'static str,
    /// The format in a few words.
    pub title: &'static str,
    /// The marks of a package, for people.
    pub marks: &'static str,
    /// The directories that the host has in a project: `.gemini`. The search enters them although their
    /// names say that they are settings.
    pub homes: &'static [&'static str],
    /// Claims a directory.
    pub claims: fn(&dyn Directory) -> Option<Claim>,
    /// Reads what naming and selection need of each unit; empty if the package cannot be read.
    pub heads: fn(&dyn Directory, &Claim) -> Vec<UnitHead>,
    /// Returns true if the host would load a package with this manifest file.
    pub is_enabled: fn(manifest_file: &str) -> bool,
    /// Returns true for the paths of manifests, which are not copied as files of the package.
    pub is_manifest: fn(path: &str) -> bool,
    /// Returns true for the files that the reader and the migration read as texts.
    pub wants_text: fn(path: &str) -> bool,
    /// Reads a package, or reports why it cannot be read.
    pub read: ReadPackage,
    /// Returns findings about a directory that no package of it reports: plugins that it only
    /// names. They are at paths relative to the directory.
    pub remarks: fn(&dyn Directory) -> Vec<Diagnostic>,
    /// The documents of a package and the fates of their keys.
    pub parts: &'static [Part],
}

/// Reads a package from the files of its directory.
pub type ReadPackage = for<'a> fn(Sources<'a>) -> (Option<Package<'a>>, Vec<Diagnostic>);

/// A kind of document, for the table of fates.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The kind and its paths: ``manifest `.claude-plugin/plugin.json` ``.
    pub title: &'static str,
    /// The meaning of its keys.
    pub keys: &'static [Key],
    /// The fate of the other keys.
    pub others: &'static str,
}

/// The part of a unit that naming and selection need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitHead {
    /// The key of the unit within its package.
    pub unit: UnitKey,
    /// The file of the unit, relative to the package; empty if it shares one with other units.
    pub file: String,
    /// The name.
    pub name: String,
    /// Names to try in this order if another unit has the name.
    pub alternatives: Vec<String>,
    /// The name by which texts of the host refer to the unit: `release:review`; empty if none does.
    pub call: String,
    /// Other names by which they do: `prompts:review`.
    pub aliases: Vec<String>,
    /// The type, in the words of the format.
    pub type_word: String,
    /// The entry of a server without its place: the same in two lists for the same server. Empty for other
    /// units.
    pub likeness: String,
    /// The file with the entry of a server, relative to the package; empty for other units.
    pub list: String,
}

impl UnitHead {
    /// Returns true for a rule that its host applies always or to some files: not a skill.
    pub fn is_rule(&self) -> bool {
        self.type_word == RULE
    }

    /// Returns true for the description of an agent.
    pub fn is_agent(&self) -> bool {
        self.type_word == AGENT
    }
}

/// The word for rules, which a host applies always or to some files.
pub(crate) const RULE: &str = "rule";
/// The sentence on a text that a host does not list for its user, for the value `true`.
pub(crate) const NOT_LISTED: &[(&str, &str)] = &[("true", BY_AGENTS)];
/// The same for the value `false` of a key that lists it.
pub(crate) const LISTED: &[(&str, &str)] = &[("false", BY_AGENTS)];
const BY_AGENTS: &str = "The old host did not list it for the user.";
/// The word for agents.
pub(crate) const AGENT: &str = "agent";

/// Returns the keys of two tables, of which neither is empty, in one; `N` is the number of both.
pub(crate) const fn joined<const N: usize>(first: &[Key], rest: &[Key]) -> [Key; N] {
    let mut res = [first[0]; N];
    let mut at = 0;
    while at < N {
        res[at] = if at < first.len() {
            first[at]
        } else {
            rest[at - first.len()]
        };
        at += 1;
    }
    res
}

/// The fate of the keys of a text that its table does not list.
pub(crate) const OTHER_TEXT_KEYS: &str =
    "plain values are carried to `metadata` of SKILL.md, others are kept";
