//! The files of a package that has not all of its directory.

use crate::discover::Candidate;

impl Candidate {
    /// Returns whether a file of the directory belongs to the package.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        let Some(files) = &self.files else {
            return true;
        };
        path == self.manifest_file || files.iter().any(|file| file == path)
    }

    /// Returns whether a directory may have files of the package.
    pub(crate) fn may_hold(&self, directory: &str) -> bool {
        let Some(files) = &self.files else {
            return true;
        };
        let is_above = |file: &str| {
            let rest = file.strip_prefix(directory);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        is_above(&self.manifest_file) || files.iter().any(|file| is_above(file))
    }
}
