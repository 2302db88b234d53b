//! The package lists and settings of the old host, found beside the plugins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skill_loader::fs::{PathError, Root, resolve};
use skill_migrator::HostRoot;

use crate::options::MigrateOptions;

/// The largest package list that is read, in bytes.
const MAX_LIST_BYTES: u64 = 32 << 20;

/// Finds the package lists for each directory of plugins, and reads each of them once.
#[derive(Debug)]
pub(crate) struct HostFiles {
    input: Option<PathBuf>,
    given: Option<Arc<HostRoot>>,
    known: BTreeMap<PathBuf, Option<Arc<HostRoot>>>,
}

impl HostFiles {
    /// # Errors
    ///
    /// The directory that the user named cannot be opened.
    pub(crate) fn new(options: &MigrateOptions) -> Result<Self, PathError> {
        let given = options.host.as_deref();
        let given = given.map(|dir| Root::open_following(dir).map(|root| lists(&root)));
        Ok(Self {
            // An input that cannot be resolved is reported when it is opened.
            input: resolve(&options.input).ok(),
            given: given.transpose()?.map(Option::unwrap_or_default),
            known: BTreeMap::new(),
        })
    }

    /// Returns the lists for a plugin in `directory` of the input: those of the directory that
    /// the user named, else those beside the plugin, else those one level above
    /// (`HOST/Plugin/NAME`).
    pub(crate) fn of(&mut self, directory: &str) -> Arc<HostRoot> {
        if let Some(given) = &self.given {
            return Arc::clone(given);
        }
        let plugin = self.input.as_deref().map(|input| input.join(directory));
        let above = plugin.as_deref().into_iter().flat_map(Path::ancestors);
        let above: Vec<PathBuf> = above.skip(1).take(2).map(Path::to_owned).collect();
        let mut lists = above.into_iter().filter_map(|dir| {
            let known = self.known.entry(dir);
            known.or_insert_with_key(|dir| read(dir)).clone()
        });
        lists.next().unwrap_or_default()
    }
}

/// Reads the lists of a directory; `None` if it has none that can be read.
fn read(dir: &Path) -> Option<Arc<HostRoot>> {
    lists(&Root::open_following(dir).ok()?)
}

fn lists(root: &Root) -> Option<Arc<HostRoot>> {
    let text = |name: &str| {
        let bytes = root.read(name, MAX_LIST_BYTES).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let texts = HostRoot::FILES.map(text);
    // An example of settings alone may be of anything.
    let has_any = texts[..HostRoot::N_LISTS].iter().any(Option::is_some);
    has_any.then(|| Arc::new(HostRoot::new(texts)))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "files are laid out")]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_lists_count_and_those_of_the_user_win() {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("host/requirements.txt", "requests==1"),
            ("host/Plugin/a/x", ""),
            ("host/Plugin/group/package.json", "{}"),
            ("host/Plugin/group/b/x", ""),
            ("other/requirements.txt", "requests==2"),
        ] {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut options = MigrateOptions::new(dir.path().join("host/Plugin"), "out");
        let host = read(&dir.path().join("host")).unwrap().digest();
        let group = read(&dir.path().join("host/Plugin/group"))
            .unwrap()
            .digest();
        let mut found = HostFiles::new(&options).unwrap();
        assert_eq!(found.of("a").digest(), host);
        assert_eq!(found.of("group/b").digest(), group);
        options.input = dir.path().join("host/Plugin/a");
        assert_eq!(HostFiles::new(&options).unwrap().of("").digest(), host);
        options.host = Some(dir.path().join("other"));
        let given = read(&dir.path().join("other")).unwrap().digest();
        assert_eq!(HostFiles::new(&options).unwrap().of("").digest(), given);
        options.host = None;
        options.input = dir.path().join("none/of/these");
        assert_eq!(HostFiles::new(&options).unwrap().of("").digest(), "");
        options.host = Some(dir.path().join("missing"));
        assert!(HostFiles::new(&options).is_err());
    }
}
