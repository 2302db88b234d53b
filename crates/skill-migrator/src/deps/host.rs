//! The package lists of the old host, which its plugins share.

use std::sync::OnceLock;

use skill_model::Hasher;

use super::lists::{NpmList, PipList};

/// The package lists in the root directory of the old host, beside the directory of its plugins.
/// They are read when the first plugin needs them.
#[derive(Default, Debug)]
pub struct HostPackages {
    package: Option<String>,
    lock: Option<String>,
    requirements: Option<String>,
    npm: OnceLock<NpmList>,
    pip: OnceLock<PipList>,
}

impl HostPackages {
    /// The names of the files in the order of [`HostPackages::new`].
    pub const FILES: [&str; 3] = ["package.json", "package-lock.json", "requirements.txt"];

    /// Takes the texts of the files that exist.
    pub fn new([package, lock, requirements]: [Option<String>; 3]) -> Self {
        Self {
            package,
            lock,
            requirements,
            ..Self::default()
        }
    }

    /// Returns a digest of the files; empty without files.
    pub fn digest(&self) -> String {
        let texts = [&self.package, &self.lock, &self.requirements];
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

    pub(super) fn npm(&self) -> &NpmList {
        self.npm
            .get_or_init(|| NpmList::read(self.package.as_deref(), self.lock.as_deref()))
    }

    pub(super) fn pip(&self) -> &PipList {
        let text = || self.requirements.as_deref().unwrap_or_default();
        self.pip.get_or_init(|| PipList::read(text()))
    }
}
