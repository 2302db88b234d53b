//! The directory of the old host around a collection: the modules that plugins load from it.
//!
//! The tree is untrusted, like the plugins. Links are not followed, paths do not leave the
//! directory, and what one plugin gets is limited.

use std::collections::BTreeSet;
use std::path::Path;

use plugin_model::{HostModule, HostModules, SourceFile};
use skill_loader::fs::{Fingerprint, Kind, Root, resolve};
use skill_loader::{Digest, Hasher};
use skill_migrator::{
    Mentions, from_plugin, is_code_file, leave_directory, leave_file, wanted_modules,
};
use skill_model::scan_secrets;

use crate::discover::Candidate;
use crate::error::Error;
use crate::plugin_files::PluginFiles;

/// The file by which the directory of a host is recognized: its plugin manager.
const MANAGER: &str = "Plugin.js";
/// The directory of its plugins.
const PLUGINS: &str = "Plugin";
/// The number of directories above the input that are searched for the host.
const MAX_LEVELS: usize = 4;
/// The maximum number of files that one skill gets of the host. Of 89 known plugins, none needs more
/// than 12 without the host's own centre.
const MAX_FILES: usize = 64;
/// The maximum size of all these files, in bytes.
const MAX_BYTES: u64 = 2 << 20;
/// The maximum number of modules that are looked up for one plugin.
const MAX_LOOKUPS: usize = 2_000;
/// The endings under which a module is searched, in the order of Node.js; then those of Python.
const ENDINGS: [&str; 10] = [
    "",
    ".js",
    ".json",
    ".mjs",
    ".cjs",
    "/index.js",
    "/index.mjs",
    "/index.cjs",
    ".py",
    "/__init__.py",
];
/// The reasons why a file is not read. The messages of the system have absolute paths.
const LINK: &str = "it is a symbolic link";
const UNREADABLE: &str = "it cannot be read, or its path leads through a symbolic link";
/// The names of the file with the license.
const LICENSES: [&str; 3] = ["LICENSE", "LICENSE.md", "LICENSE.txt"];

/// The directory of a host.
#[derive(Debug)]
pub(crate) struct HostTree {
    root: Root,
    license: Option<String>,
}

impl HostTree {
    /// Opens the directory that the user named, or the one that the input is in.
    ///
    /// # Errors
    ///
    /// Fails if the named directory cannot be opened, or is not that of a host.
    pub(crate) fn open(named: Option<&Path>, input: &Path) -> Result<Option<Self>, Error> {
        let root = match named {
            Some(path) => {
                let root = Root::open_following(path)?;
                if !is_host(&root) {
                    return Err(Error::NoHost {
                        path: path.to_owned(),
                    });
                }
                Some(root)
            }
            None => above(&resolve(input)?),
        };
        Ok(root.map(|root| Self {
            license: license(&root),
            root,
        }))
    }

    /// Returns the directory.
    pub(crate) fn root(&self) -> &Root {
        &self.root
    }

    /// Adds to a plugin the modules of the host that its code loads.
    pub(crate) fn add(&self, found: &Candidate, collected: &mut PluginFiles) {
        collected.host.is_known = true;
        collected.host.license.clone_from(&self.license);
        if !may_leave(collected) {
            return;
        }
        loop {
            let wanted = wanted(found, collected);
            if wanted.is_empty() {
                break;
            }
            if is_too_much(&collected.host) || collected.host.found.len() > MAX_LOOKUPS {
                refuse_all(wanted, collected);
                break;
            }
            for module in wanted {
                self.look_up(&module, collected);
            }
        }
        if is_too_much(&collected.host) {
            refuse_all(BTreeSet::new(), collected);
        }
        if !collected.host.files.is_empty() {
            self.add_license(collected);
        }
        collected.host.files.sort_by(|a, b| a.path.cmp(&b.path));
    }

    /// Finds the file of one module, and reads it.
    fn look_up(&self, module: &str, collected: &mut PluginFiles) {
        let found = match self.find(module) {
            Ok(None) => HostModule::Missing,
            Ok(Some((path, size))) => match self.read(&path, size) {
                Ok(bytes) => {
                    take(collected, &path, bytes);
                    HostModule::Carried(path)
                }
                Err(why) => HostModule::Refused(why),
            },
            Err(why) => HostModule::Refused(why),
        };
        collected.host.found.insert(module.to_owned(), found);
    }

    /// Returns the path of the file of a module and its size, or the reason why it cannot be looked
    /// up.
    fn find(&self, module: &str) -> Result<Option<(String, u64)>, String> {
        for ending in ENDINGS {
            let path = format!("{module}{ending}");
            match self.root.kind(&path) {
                Ok(Some(Kind::File(info))) => return Ok(Some((path, info.size))),
                Ok(Some(Kind::Symlink)) => return Err(LINK.to_owned()),
                Ok(_) => {}
                Err(_) => return Err(UNREADABLE.to_owned()),
            }
        }
        Ok(None)
    }

    /// Returns the content of a file, or the reason why no skill gets it.
    fn read(&self, path: &str, size: u64) -> Result<Vec<u8>, String> {
        let mut parts = path.split('/').rev();
        let name = parts.next().unwrap_or(path);
        let reason = parts.find_map(leave_directory).or_else(|| leave_file(path));
        if let Some(reason) = reason {
            return Err(reason.phrase().to_owned());
        }
        if !is_code_file(path) && !name.ends_with(".json") {
            return Err("it is neither code nor JSON".to_owned());
        }
        if size > MAX_BYTES {
            return Err(format!("it is larger than {MAX_BYTES} bytes"));
        }
        let bytes = self.root.read(path, MAX_BYTES);
        let bytes = bytes.map_err(|_| UNREADABLE.to_owned())?;
        match scan_secrets(&String::from_utf8_lossy(&bytes)).first() {
            Some(_) => Err("it seems to contain a secret".to_owned()),
            None => Ok(bytes),
        }
    }

    fn add_license(&self, collected: &mut PluginFiles) {
        let file = LICENSES.iter().find_map(|name| match self.root.kind(name) {
            Ok(Some(Kind::File(info))) if info.size <= MAX_BYTES => Some(*name),
            _ => None,
        });
        if let Some(name) = file
            && let Ok(bytes) = self.root.read(name, MAX_BYTES)
        {
            take(collected, name, bytes);
        }
    }

    /// Returns a fingerprint that also changes whenever one of these files of the host does.
    pub(crate) fn fingerprint<'p>(
        &self,
        plugin: Fingerprint,
        paths: impl Iterator<Item = &'p str>,
    ) -> Fingerprint {
        let mut hasher = Hasher::default();
        let mut newest = plugin.newest;
        hasher.update(plugin.digest.to_string().as_bytes());
        for path in paths {
            hasher.update(path.as_bytes());
            let stamp = match self.root.kind(path) {
                Ok(Some(Kind::File(info))) => {
                    newest = newest.max(info.stamp.changed).max(info.stamp.modified);
                    format!("\0{info:?}\0")
                }
                _ => "\0none\0".to_owned(),
            };
            hasher.update(stamp.as_bytes());
        }
        Fingerprint {
            digest: hasher.finish(),
            newest,
        }
    }
}

/// Returns the directory of the host that the input is in, or is.
fn above(input: &Path) -> Option<Root> {
    let mut directories = input.ancestors().take(MAX_LEVELS);
    directories.find_map(|directory| Root::open_real(directory).ok().filter(is_host))
}

fn is_host(root: &Root) -> bool {
    let is_file = matches!(root.kind(MANAGER), Ok(Some(Kind::File(_))));
    is_file && matches!(root.kind(PLUGINS), Ok(Some(Kind::Dir)))
}

/// Returns the license that the host states: that of its `package.json`, otherwise the first line of
/// its license file.
fn license(root: &Root) -> Option<String> {
    const MAX: usize = 200;
    let stated = root.read("package.json", MAX_BYTES).ok().and_then(|bytes| {
        let (node, _) = plugin_model::parse_json(std::str::from_utf8(&bytes).ok()?);
        Some(node?.get("license")?.as_str()?.to_owned())
    });
    let line = || {
        let bytes = LICENSES
            .iter()
            .find_map(|name| root.read_start(name, 4 * MAX).ok())?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
        Some(line.chars().take(MAX).collect())
    };
    stated.filter(|stated| !stated.is_empty()).or_else(line)
}

/// Returns false if no code can leave the directory of the plugin.
fn may_leave(collected: &PluginFiles) -> bool {
    const SIGNS: [&str; 6] = ["..", "dirname", ".parent", "base", "Base", "BASE"];
    let mut texts = collected.texts.values();
    texts.any(|text| SIGNS.iter().any(|sign| text.contains(sign)))
}

fn wanted(found: &Candidate, collected: &PluginFiles) -> BTreeSet<String> {
    let (package, _) = (found.reader.read)(collected.sources());
    let Some(package) = package else {
        return BTreeSet::new();
    };
    let mut units = package.units.iter();
    let Some(unit) = units.find(|unit| unit.key == found.unit) else {
        return BTreeSet::new();
    };
    let mentions = Mentions::default();
    let source = found.source(&package, unit, &mentions);
    wanted_modules(&source).into_iter().collect()
}

fn take(collected: &mut PluginFiles, path: &str, bytes: Vec<u8>) {
    let PluginFiles { host, .. } = collected;
    if host.files.iter().any(|file| file.path == path) {
        return;
    }
    host.files.push(SourceFile {
        path: path.to_owned(),
        bytes: bytes.len() as u64,
        executable: false,
        sha256: Digest::from_content(&bytes).hex(),
    });
    if is_code_file(path) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        host.texts.insert(path.to_owned(), text);
    }
    collected.in_memory += bytes.len() as u64;
    collected.bytes.insert(from_plugin(path), bytes);
}

fn is_too_much(host: &HostModules) -> bool {
    let bytes: u64 = host.files.iter().map(|file| file.bytes).sum();
    host.files.len() > MAX_FILES || bytes > MAX_BYTES
}

/// Carries nothing instead of a part: the modules need one another. `wanted` was not looked up.
fn refuse_all(wanted: BTreeSet<String>, collected: &mut PluginFiles) {
    for file in std::mem::take(&mut collected.host.files) {
        let bytes = collected.bytes.remove(&from_plugin(&file.path));
        collected.in_memory -= bytes.map_or(0, |bytes| bytes.len() as u64);
    }
    let host = &mut collected.host;
    host.texts.clear();
    let refused = || {
        HostModule::Refused(format!(
            "with the modules that it loads in turn it is more than {MAX_FILES} files or {} MiB",
            MAX_BYTES >> 20
        ))
    };
    let found = host.found.values_mut();
    for module in found.filter(|module| matches!(module, HostModule::Carried(_))) {
        *module = refused();
    }
    let wanted = wanted.into_iter().map(|module| (module, refused()));
    host.found.extend(wanted);
}

/// Returns the paths in the host's directory of the files that a skill has of it.
pub(crate) fn carried_paths<'f>(
    files: impl Iterator<Item = &'f String>,
) -> impl Iterator<Item = &'f str> {
    files.filter_map(|path| path.strip_prefix("legacy/"))
}
