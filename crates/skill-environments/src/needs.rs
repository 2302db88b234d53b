//! The packages that a skill requires.

use std::collections::BTreeMap;
use std::path::Path;

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
    /// Returns the requirements of a skill in `dir`. A range that names a file (`file:vendor/x`) is
    /// relative to `scripts` of the skill.
    pub fn new(requires: &Requires, dir: &Path) -> Self {
        let packages = &requires.packages;
        let npm = requires.npm.iter().map(|name| {
            let need = need(packages.npm.get(name));
            (name.clone(), absolute(need, dir))
        });
        let pip = requires
            .pip
            .iter()
            .map(|name| (name.clone(), absolute(need(packages.pip.get(name)), dir)));
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
    }
}

/// Makes the path in a range of files absolute.
fn absolute(mut need: Need, dir: &Path) -> Need {
    let path = need.range.trim_start_matches('@').trim_start();
    if let Some(path) = path.strip_prefix("file:")
        && !path.starts_with('/')
    {
        let at = if need.range.starts_with('@') {
            "@ "
        } else {
            ""
        };
        let slashes = if at.is_empty() { "" } else { "//" };
        let whole = dir.join("scripts").join(path.trim_start_matches("./"));
        need.range = format!("{at}file:{slashes}{}", whole.display());
    }
    need
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(npm: &[(&str, &str)]) -> Needs {
        let mut res = Needs::default();
        for (name, range) in npm {
            let need = Need {
                range: (*range).to_owned(),
                is_optional: false,
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
    }

    #[test]
    fn a_skills_own_version_wins_over_that_of_its_neighbours() {
        let mut own = needs(&[("uuid", "9")]);
        own.add(&needs(&[("uuid", "8"), ("ws", "8")]));
        assert_eq!(own, needs(&[("uuid", "9"), ("ws", "8")]));
    }

    #[test]
    fn paths_are_those_of_the_skill() {
        let check = |range: &str, expected: &str| {
            let need = Need {
                range: range.to_owned(),
                is_optional: false,
            };
            assert_eq!(absolute(need, Path::new("/s")).range, expected);
        };
        check("file:./vendor/x", "file:/s/scripts/vendor/x");
        check("@ file:x.whl", "@ file:///s/scripts/x.whl");
        check("^1.0", "^1.0");
        check("file:/x", "file:/x");
    }
}
