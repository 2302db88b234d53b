//! Leaves out what no program loads of Python packages: their tests, and the symbols of native
//! libraries. The lists of files say what remains.

use std::collections::BTreeMap;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use skill_loader::fs::Root;
use skill_model::Digest;

use super::distribution::{Distribution, OwnFile};
use super::site::children;
use crate::elf;
use crate::error::Error;

/// Largest description, list of files or module, in bytes.
const MAX_FILE: u64 = 16 << 20;
/// Largest library, in bytes.
const MAX_LIBRARY: u64 = 256 << 20;
/// Smallest part of a library that is worth removing, in bytes.
const MIN_SAVED: usize = 64 << 10;

/// Removes it from the environment in a directory. `packages` is the directory of packages in it.
pub(super) fn trim(dir: &Root, packages: &str) -> Result<(), Error> {
    let mut found = Vec::new();
    let mut owners: BTreeMap<String, usize> = BTreeMap::new();
    for at in children(dir, packages)? {
        let text = |name: &str| {
            let bytes = dir.read(&format!("{at}/{name}"), MAX_FILE).ok()?;
            String::from_utf8(bytes).ok()
        };
        let texts = at
            .ends_with(".dist-info")
            .then(|| Some((text("METADATA")?, text("RECORD")?)));
        let Some((metadata, record)) = texts.flatten() else {
            continue;
        };
        let read = Distribution::read(&at, packages, &metadata, &record);
        if let Some((_, distribution)) = read {
            for file in &distribution.files {
                *owners.entry(file.path.clone()).or_default() += 1;
            }
            found.push((distribution, record));
        }
    }
    for (distribution, record) in found {
        let package = Package {
            dir,
            packages,
            owners: &owners,
            distribution: &distribution,
        };
        package.trim(&record)?;
    }
    Ok(())
}

struct Package<'p> {
    dir: &'p Root,
    packages: &'p str,
    owners: &'p BTreeMap<String, usize>,
    distribution: &'p Distribution,
}

impl Package<'_> {
    /// Trims the files of a package, and writes its list again.
    fn trim(&self, record: &str) -> Result<(), Error> {
        let are_tests_used = self.are_tests_used();
        let mut lines: Vec<String> = Vec::new();
        let listed = record.lines().filter(|line| !line.is_empty());
        for (line, file) in listed.zip(&self.distribution.files) {
            let is_own = self.owners.get(&file.path) == Some(&1);
            if is_own && !are_tests_used && is_test(&file.path) {
                self.dir.remove(&file.path)?;
                continue;
            }
            let line = match self.stripped(file).filter(|_| is_own) {
                Some(bytes) => self.replaced(file, &bytes)?,
                None => line.to_owned(),
            };
            lines.push(line);
        }
        let text = lines.join("\n") + "\n";
        if text.trim_end() != record.trim_end() {
            self.dir
                .write_whole(&self.distribution.info, "RECORD", text.as_bytes())?;
        }
        Ok(())
    }

    /// Returns whether a module that is not a test imports one.
    fn are_tests_used(&self) -> bool {
        let mut modules = self.distribution.files.iter().filter(|file| {
            let is_module = file.path.ends_with(".py");
            is_module && !file.path.split('/').any(|part| part == "tests")
        });
        modules.any(|file| {
            // What cannot be read may import anything.
            self.dir.read(&file.path, MAX_FILE).map_or(true, |bytes| {
                let text = String::from_utf8_lossy(&bytes);
                text.contains(".tests.test_") || text.lines().any(is_import_of_tests)
            })
        })
    }

    /// Returns a library without its symbols, if it is what the list says and that is worth it.
    fn stripped(&self, file: &OwnFile) -> Option<Vec<u8>> {
        let name = file.path.rsplit('/').next()?;
        let is_library = name.ends_with(".so") || name.contains(".so.");
        let is_plain = !file.path.contains([',', '"']);
        if !is_library || !is_plain || !file.path.starts_with(self.packages) {
            return None;
        }
        let bytes = self.dir.read(&file.path, MAX_LIBRARY).ok()?;
        let res = elf::stripped(&bytes).filter(|res| bytes.len() - res.len() >= MIN_SAVED)?;
        let digest = Digest::from_content(&bytes).hex();
        (file.digest.as_ref() == Some(&digest)).then_some(res)
    }

    /// Writes a file; returns its line in the list.
    fn replaced(&self, file: &OwnFile, bytes: &[u8]) -> Result<String, Error> {
        let (at, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        self.dir.write_whole(at, name, bytes)?;
        let path = &file.path[self.packages.len() + 1..];
        let digest = Digest::from_content(bytes).hex();
        let digest = HEXLOWER.decode(digest.as_bytes()).unwrap_or_default();
        let digest = BASE64URL_NOPAD.encode(&digest);
        Ok(format!("{path},sha256={digest},{}", bytes.len()))
    }
}

/// Returns true for `tests/test_x.py` in a package: only programs that run tests load it.
fn is_test(path: &str) -> bool {
    let (at, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_module = name.starts_with("test_") && name.ends_with(".py");
    is_module && at.split('/').any(|part| part == "tests")
}

/// Returns true for `from package.tests import …`.
fn is_import_of_tests(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_import = words.next() == Some("from");
    let module = words.next().unwrap_or_default();
    is_import && module.rsplit('.').next() == Some("tests")
}
