//! The files in the root directory of the old host that say something of all its plugins.

use std::sync::OnceLock;

use skill_model::Hasher;

use super::lists::{NpmList, PipList};

/// The package lists and the example of the settings in the root directory of the old host, beside the
/// directory of its plugins. They are parsed when the first plugin needs them.
#[derive(Default, Debug)]
pub struct HostRoot {
    package: Option<String>,
    lock: Option<String>,
    requirements: Option<String>,
    settings: Option<String>,
    npm: OnceLock<NpmList>,
    pip: OnceLock<PipList>,
}

impl HostRoot {
    /// The names of the files in the order of [`HostRoot::new`].
    pub const FILES: [&str; 4] = [
        "package.json",
        "package-lock.json",
        "requirements.txt",
        "config.env.example",
    ];
    /// The number of the first files that make a directory the root of a host.
    pub const N_LISTS: usize = 3;

    /// Takes the texts of the files that exist.
    pub fn new([package, lock, requirements, settings]: [Option<String>; 4]) -> Self {
        Self {
            package,
            lock,
            requirements,
            settings,
            ..Self::default()
        }
    }

    /// Returns a digest of the files; empty without files.
    pub fn digest(&self) -> String {
        let texts = [
            &self.package,
            &self.lock,
            &self.requirements,
            &self.settings,
        ];
        if texts.iter().all(|text| text.is_none()) {
            return String::new();
        }
        let mut hasher = Hasher::default();
        for text in texts {
            hasher.update(text.as_deref().unwrap_or("-").as_bytes());
            hasher.update(&[0]);
        }
        hasher.finish().to_string()
    }

    /// Returns the example of the settings; empty without one.
    pub(crate) fn settings(&self) -> &str {
        self.settings.as_deref().unwrap_or_default()
    }

    pub(super) fn npm(&self) -> &NpmList {
        self.npm
            .get_or_init(|| NpmList::read(self.package.as_deref(), self.lock.as_deref()))
    }

    pub(super) fn pip(&self) -> &PipList {
        let text = || self.requirements.as_deref().unwrap_or_default();
        self.pip.get_or_init(|| PipList::read(text()))
    }
}
