//! The packages that a skill requires.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skill_loader::fs::resolve;
use skill_model::{Hasher, PackageNeed, Requires, pip_key};

/// The package manager whose packages an environment holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ecosystem {
    /// npm packages, for Node.js.
    Npm,
    /// Python packages.
    Pip,
}

impl Ecosystem {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Npm, Self::Pip];

    /// Returns its name in directories and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pip => "pip",
        }
    }
}

/// A required package.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Need {
    /// The versions that fit: what npm takes after `@`, or what follows the name in
    /// requirements.txt. Empty for any.
    pub range: String,
    /// True if the program handles its absence.
    pub is_optional: bool,
    /// From where it comes.
    pub source: Source,
}

/// From where a package comes. One that is not from the registry belongs to one skill: its name and
/// version say nothing about its content.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Source {
    /// The registry of npm, or the index of Python packages.
    #[default]
    Registry,
    /// The skill in this directory: the range names a path in it (`file:vendor/x`), which is then
    /// absolute.
    Skill(PathBuf),
    /// An address, or a path elsewhere, which the skill in this directory names.
    Address(PathBuf),
}

impl Source {
    /// Returns a mark of the kind and the skill, unless it is the registry.
    fn of_one_skill(&self) -> Option<(&'static [u8], &Path)> {
        match self {
            Self::Registry => None,
            Self::Skill(dir) => Some((b"o", dir)),
            Self::Address(dir) => Some((b"a", dir)),
        }
    }
}

/// All packages that a skill requires, by name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    /// npm packages.
    pub npm: BTreeMap<String, Need>,
    /// Python packages.
    pub pip: BTreeMap<String, Need>,
}

impl Needs {
    /// Returns the requirements of a skill in `dir`. A range that names a directory of the skill
    /// (`file:vendor/x`) is relative to `scripts` of the skill.
    pub fn new(requires: &Requires, dir: &Path) -> Self {
        let packages = &requires.packages;
        let npm = requires.npm.iter().map(|name| {
            let need = need(packages.npm.get(name));
            (name.clone(), own(need, dir))
        });
        let pip = requires.pip.iter().map(|name| {
            let mut need = need(packages.pip.get(name));
            if need.range.starts_with('@') {
                need.source = Source::Address(dir.to_owned());
            }
            (name.clone(), need)
        });
        Self {
            npm: npm.collect(),
            pip: pip.collect(),
        }
    }

    /// Adds what another skill requires whose code this one loads. Of two ranges, the present one
    /// stays.
    pub fn add(&mut self, other: &Self) {
        for (own, more) in [(&mut self.npm, &other.npm), (&mut self.pip, &other.pip)] {
            for (name, need) in more {
                let known = own.entry(name.clone()).or_insert_with(|| need.clone());
                known.is_optional &= need.is_optional;
            }
        }
    }

    /// Returns the packages of one ecosystem.
    pub fn of(&self, ecosystem: Ecosystem) -> &BTreeMap<String, Need> {
        match ecosystem {
            Ecosystem::Npm => &self.npm,
            Ecosystem::Pip => &self.pip,
        }
    }

    /// Returns true if nothing is required.
    pub fn is_empty(&self) -> bool {
        self.npm.is_empty() && self.pip.is_empty()
    }

    /// Returns the name of the environment with exactly these packages: 32 hex digits. `None`
    /// without packages.
    pub fn key(&self, ecosystem: Ecosystem) -> Option<String> {
        let packages = self.of(ecosystem);
        if packages.is_empty() {
            return None;
        }
        let mut hasher = Hasher::default();
        for (name, need) in packages {
            let name = match ecosystem {
                Ecosystem::Npm => name.clone(),
                Ecosystem::Pip => pip_key(name),
            };
            for part in [name.as_str(), need.range.as_str()] {
                hasher.update(part.as_bytes());
                hasher.update(&[0]);
            }
            // The same words of another skill mean another package.
            if let Some((mark, skill)) = need.source.of_one_skill() {
                hasher.update(mark);
                hasher.update(skill.as_os_str().as_encoded_bytes());
                hasher.update(&[0]);
            }
        }
        let digits = hasher.finish().hex();
        Some(digits[..KEY_DIGITS].to_owned())
    }
}

/// Hex digits in the name of an environment.
const KEY_DIGITS: usize = 32;

fn need(known: Option<&PackageNeed>) -> Need {
    Need {
        range: known
            .and_then(|need| need.range.clone())
            .unwrap_or_default(),
        is_optional: known.is_some_and(|need| need.optional),
        source: Source::Registry,
    }
}

/// Finds the source of an npm package, and makes the path in a range absolute if it leads to
/// something in the skill in `dir`. Links count as what they lead to.
fn own(mut need: Need, dir: &Path) -> Need {
    if need.range.starts_with("npm:") || !need.range.contains([':', '/']) {
        return need;
    }
    need.source = Source::Address(dir.to_owned());
    let Some(path) = need.range.strip_prefix("file:") else {
        return need;
    };
    let whole = resolve(&dir.join("scripts").join(path));
    if let (Ok(whole), Ok(dir)) = (whole, resolve(dir))
        && whole.starts_with(&dir)
        && let Some(whole) = whole.to_str()
    {
        need.range = format!("file:{whole}");
        need.source = Source::Skill(dir);
    }
    need
}

#[cfg(test)]
mod tests {
    use skill_loader::fs::Root;

    use super::*;

    fn needs(npm: &[(&str, &str)]) -> Needs {
        let mut res = Needs::default();
        for (name, range) in npm {
            let need = Need {
                range: (*range).to_owned(),
                ..Need::default()
            };
            res.npm.insert((*name).to_owned(), need);
        }
        res
    }

    #[test]
    fn equal_requirements_have_one_key() {
        let key = |packages: &[(&str, &str)]| needs(packages).key(Ecosystem::Npm);
        assert_eq!(key(&[]), None);
        assert_eq!(key(&[("a", "1"), ("b", "")]), key(&[("b", ""), ("a", "1")]));
        assert_ne!(key(&[("a", "1")]), key(&[("a", "2")]));
        assert_ne!(key(&[("a", "b"), ("c", "")]), key(&[("a", ""), ("bc", "")]));
        let of = |source: Source| {
            let mut needs = needs(&[("a", "git+https://host/a")]);
            needs.npm.get_mut("a").unwrap().source = source;
            needs.key(Ecosystem::Npm)
        };
        let sources = [
            Source::Address("/x".into()),
            Source::Address("/y".into()),
            Source::Skill("/x".into()),
        ];
        let keys: std::collections::BTreeSet<_> = sources.map(of).into();
        assert_eq!(keys.len(), 3);
    }

    #[test]
    fn a_skills_own_version_wins_over_that_of_its_neighbours() {
        let mut own = needs(&[("uuid", "9")]);
        own.add(&needs(&[("uuid", "8"), ("ws", "8")]));
        assert_eq!(own, needs(&[("uuid", "9"), ("ws", "8")]));
    }

    #[test]
    fn paths_are_those_of_the_skill() {
        let place = tempfile::tempdir().unwrap();
        let dir = resolve(place.path()).unwrap();
        let skill = dir.join("skill");
        Root::make(&skill)
            .unwrap()
            .make_dir("scripts/vendor/x")
            .unwrap();
        let check = |range: &str, expected: Option<&str>| {
            let need = Need {
                range: range.to_owned(),
                ..Need::default()
            };
            let found = own(need, &skill);
            let expected = expected.map(|path| format!("file:{}", skill.join(path).display()));
            let is_own = matches!(found.source, Source::Skill(_));
            assert_eq!(is_own, expected.is_some(), "{range}");
            let is_registry = found.source == Source::Registry;
            assert_eq!(is_registry, !range.contains("file:"), "{range}");
            assert_eq!(found.range, expected.unwrap_or_else(|| range.to_owned()));
        };
        check("file:./vendor/x", Some("scripts/vendor/x"));
        check("file:../shared", Some("shared"));
        check("file:../../other", None);
        check("file:vendor/../../../../etc", None);
        check("file:/etc", None);
        check("^1.0", None);
    }
}
