//! Names of files that every system can store side by side.

use std::collections::{BTreeMap, BTreeSet};

use skill_model::{is_portable_name, name_flaw};
use unicode_normalization::UnicodeNormalization as _;

/// The paths of a skill so far. Some systems ignore case and the Unicode form of names.
#[derive(Default, Debug)]
pub(crate) struct Names {
    files: BTreeMap<String, String>,
    directories: BTreeSet<String>,
}

impl Names {
    /// Adds a file.
    ///
    /// # Errors
    ///
    /// The reason why some system cannot store it, or not beside the other ones.
    pub(crate) fn add(&mut self, path: &str) -> Result<(), String> {
        if let Some(part) = path.split('/').find(|part| !is_portable_name(part)) {
            return Err(match name_flaw(part) {
                Some(flaw) => flaw.to_string(),
                None => {
                    "has a name with invisible characters, or of more than 255 bytes".to_owned()
                }
            });
        }
        let folded = folded(path);
        let ends = folded.match_indices('/').map(|(at, _)| at);
        let directories: Vec<String> = ends.map(|end| folded[..end].to_owned()).collect();
        let mut all = directories.iter().chain([&folded]);
        if let Some(other) = all.find_map(|path| self.files.get(path)) {
            return Err(format!(
                "and `{}` have the same name on systems that ignore case or the Unicode form",
                other.escape_debug()
            ));
        }
        if self.directories.contains(&folded) {
            return Err("has the name of a directory on systems that ignore case".to_owned());
        }
        drop(all);
        self.directories.extend(directories);
        self.files.insert(folded, path.to_owned());
        Ok(())
    }
}

fn folded(path: &str) -> String {
    path.nfc().flat_map(char::to_lowercase).nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds paths in this order, and compares those that are refused.
    #[track_caller]
    fn check(paths: &[&str], refused: &[&str]) {
        let mut names = Names::default();
        let found = paths.iter().filter(|path| names.add(path).is_err());
        assert_eq!(found.copied().collect::<Vec<_>>(), refused);
    }

    #[test]
    fn files_have_names_of_their_own_everywhere() {
        check(&["Case.txt", "a/case.txt", "case.txt"], &["case.txt"]);
        check(&["Scripts/RUN.py", "scripts/run.py"], &["scripts/run.py"]);
        check(&["Scripts/a.py", "scripts/b.py"], &[]);
        check(&["\u{e9}.md", "e\u{301}.md"], &["e\u{301}.md"]);
        check(&["A", "a/b.txt"], &["a/b.txt"]);
        check(&["A/b.txt", "a"], &["a"]);
        check(
            &[
                "a\nb.md",
                "evil\u{202e}dm.exe",
                "con.txt",
                "a?b.md",
                "fine.md",
            ],
            &["a\nb.md", "evil\u{202e}dm.exe", "con.txt", "a?b.md"],
        );
    }
}
