//! The clock of programs that are not JavaScript: the library of `faketime`, where it is installed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skill_executor::package::SkillPackage;
use skill_loader::fs::{Kind, Root};
use skill_model::Runtime;

/// The directories in which distributions put the library: Debian by architecture, Fedora, Arch, from source.
const DIRS: [&str; 5] = [
    "/usr/lib/x86_64-linux-gnu/faketime",
    "/usr/lib/aarch64-linux-gnu/faketime",
    "/usr/lib64/faketime",
    "/usr/lib/faketime",
    "/usr/local/lib/faketime",
];
/// The library for programs with threads.
const LIBRARY: &str = "libfaketimeMT.so.1";

/// The clock of a program that is verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProgramClock {
    /// A file that Node.js or Python loads first sets it.
    Runtime,
    /// This library sets it: also for what Python calls in C, and for the programs that they start.
    Library(PathBuf),
    /// Nothing sets it: it is a native program, and there is no library.
    Real,
}

impl ProgramClock {
    /// Returns the clock that both sides have.
    pub(crate) fn of(skill: &SkillPackage) -> Self {
        let runtime = skill.metadata.entry.as_ref().map(|entry| entry.runtime);
        match (runtime, library()) {
            (Some(Runtime::Node) | None, _) | (Some(Runtime::Python), None) => Self::Runtime,
            (_, Some(library)) => Self::Library(library),
            (Some(Runtime::Shell | Runtime::Native), None) => Self::Real,
        }
    }

    /// Returns the words of reports.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Runtime => "that of the run, in the runtime",
            Self::Library(_) => "that of the run, by faketime",
            Self::Real => "its own, because faketime is not installed",
        }
    }

    /// Returns the variables by which a program has this clock: it begins at a whole second and goes on. The time
    /// of files and that of waiting are the real ones; random numbers of the system have a seed.
    pub(crate) fn variables(&self, start_ms: i64) -> BTreeMap<String, String> {
        let Self::Library(library) = self else {
            return BTreeMap::new();
        };
        let pairs = [
            ("LD_PRELOAD", library.display().to_string()),
            ("FAKETIME", format!("@{}", start_ms.div_euclid(1_000))),
            ("FAKETIME_FMT", "%s".to_owned()),
            // The names of several versions.
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("FAKETIME_DISABLE_SHM", "1".to_owned()),
            ("NO_FAKE_STAT", "1".to_owned()),
            ("FAKERANDOM_SEED", "0x9E3779B97F4A7C15".to_owned()),
        ];
        pairs.map(|(name, value)| (name.to_owned(), value)).into()
    }
}

/// Returns the library, if it is installed.
fn library() -> Option<PathBuf> {
    let is_there = |dir: &&&str| {
        let kind = Root::open_real(Path::new(dir)).map(|root| root.kind(LIBRARY));
        matches!(kind, Ok(Ok(Some(Kind::File(_)))))
    };
    let dir = DIRS.iter().find(is_there)?;
    Some(Path::new(dir).join(LIBRARY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_library_has_variables() {
        let library = ProgramClock::Library("/l.so".into());
        let found = library.variables(1_735_689_600_999);
        assert_eq!(found["LD_PRELOAD"], "/l.so");
        assert_eq!(found["FAKETIME"], "@1735689600");
        assert!(ProgramClock::Runtime.variables(0).is_empty());
        assert!(ProgramClock::Real.variables(0).is_empty());
    }
}
