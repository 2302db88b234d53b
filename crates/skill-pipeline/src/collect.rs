//! Reads one plugin directory: every file is read once, hashed and classified.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plugin_model::{LeaveReason, LeftOut, SourceFile, UnitKey};
use skill_diagnostics::{Code, Diagnostic};
use skill_loader::{
    Digest, Hasher,
    fs::{
        Entry, FileInfo, Fingerprint, Kind, Listing, Note, NoteKind, ReadError, Root, WalkLimits,
    },
};
use skill_migrator::{
    codes::PRIVATE_CARRIED, leave_directory, leave_file, leave_private, wants_text,
};
use skill_model::{PRIVATE_HEAD, private_content, wildcard};

use crate::discover::Candidate;
use crate::evidence;
use crate::host_tree::HostTree;
use crate::input_directory::MAX_MANIFEST_BYTES;
use crate::options::MigrateOptions;
use crate::own_archive::is_archive_of;
use crate::plugin_files::PluginFiles;
use names::{case_clashes, has_portable_name, names_by_inode};

pub(crate) mod names;

#[cfg(test)]
mod tests;

/// The maximum number of files and directories of one plugin. The largest of 89 known plugins has
/// 615 files.
const MAX_ENTRIES: usize = 20_000;
/// The maximum depth of directories within one plugin.
const MAX_DEPTH: usize = 32;
/// The sum up to which files of one plugin are kept in memory, in bytes; the others are read again
/// when they are copied.
const MAX_IN_MEMORY: u64 = 24 << 20;
/// The sum of the texts of one plugin that are analyzed, in bytes. A collection of prompts can be
/// one plugin; the texts of the largest known have 46 MB.
const MAX_IN_TEXTS: u64 = 256 << 20;
/// The size limit of a text that is analyzed, in bytes. Larger texts are data, not code or package
/// lists.
const MAX_TEXT_BYTES: u64 = 4 << 20;

const UNREADABLE_PLUGIN: Code = Code("unreadable-plugin");
const TOO_MANY_FILES: Code = Code("too-many-files");

/// The options that decide which files of a plugin are copied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<'a> {
    /// The size limit of a file, in bytes; larger files are left out.
    pub(crate) max_file_size: u64,
    /// Patterns of private files that are copied anyway.
    pub(crate) carry: &'a [String],
}

impl MigrateOptions {
    /// Returns the options that decide which files are copied.
    pub(crate) fn choice(&self) -> Choice<'_> {
        Choice {
            max_file_size: self.max_file_size,
            carry: &self.carry,
        }
    }
}

/// A plugin directory that was listed and not yet read.
#[derive(Debug)]
pub(crate) struct Survey {
    root: Arc<Root>,
    listing: Listing,
    fingerprint: Fingerprint,
}

/// Lists a plugin directory. An error is a finding, because the other plugins are still migrated.
pub(crate) fn survey(input: &Root, found: &Candidate) -> Result<Survey, Box<Diagnostic>> {
    let directory = found.directory.as_str();
    let refuse = |error: ReadError| refusal(directory, &error.to_string());
    let path = if directory.is_empty() { "." } else { directory };
    let root = match &found.unpacked {
        Some(unpacked) => unpacked.root.open_dir("."),
        None => input.open_dir(path),
    };
    let root = root.map_err(refuse)?;
    let limits = WalkLimits {
        depth: MAX_DEPTH,
        entries: MAX_ENTRIES,
    };
    let prune = |path: &str| directory_reason(path).is_some() || !found.may_hold(path);
    let mut listing = root.walk("", &limits, &prune).map_err(refuse)?;
    if found.files.is_some() {
        listing.entries.retain(|entry| found.has_file(&entry.path));
        listing.notes.retain(|note| found.may_hold(&note.path));
    }
    if listing
        .notes
        .iter()
        .any(|note| matches!(note.kind, NoteKind::TooMany))
    {
        let message = format!("the plugin has more than {MAX_ENTRIES} files and directories");
        return Err(Box::new(
            Diagnostic::error(TOO_MANY_FILES, message).in_file(directory),
        ));
    }
    let root = Arc::new(root);
    Ok(Survey {
        root,
        fingerprint: listing.fingerprint(),
        listing,
    })
}

impl Survey {
    /// Returns a fingerprint that changes whenever a file of the plugin does.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Returns the paths of all files of the plugin, copied or not.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        let files = self.listing.entries.iter();
        files
            .filter(|entry| matches!(entry.kind, Kind::File(_)))
            .map(|entry| entry.path.as_str())
    }

    /// Reads every file that may be copied, and the modules of the host that they load.
    pub(crate) fn collect(
        &self,
        found: &Candidate,
        choice: Choice<'_>,
        host: Option<&HostTree>,
    ) -> Result<PluginFiles, Box<Diagnostic>> {
        let Self { root, listing, .. } = self;
        let manifest = match &found.manifest {
            Some(manifest) => manifest.to_vec(),
            None if found.manifest_file.is_empty() => Vec::new(),
            None => root
                .read(&found.manifest_file, MAX_MANIFEST_BYTES)
                .map_err(|error| refusal(&found.directory, &error.to_string()))?,
        };
        let mut res = PluginFiles {
            manifest_file: found.manifest_file.clone(),
            manifest,
            files: Vec::new(),
            host: plugin_model::HostModules::default(),
            bytes: BTreeMap::new(),
            texts: BTreeMap::new(),
            left_out: Vec::new(),
            read_by_others: Arc::clone(&found.read_by_others),
            digest: Digest::from_content(b""),
            remarks: Vec::new(),
            in_memory: 0,
            in_texts: 0,
            root: Arc::clone(root),
        };
        res.add_notes(&listing.notes);
        res.add_entries(&listing.entries, found, choice);
        res.leave_written(found, choice.carry);
        res.decide_doubtful();
        res.files.sort_by(|a, b| a.path.cmp(&b.path));
        res.left_out.sort();
        if let Some(host) = host {
            host.add(found, &mut res);
        }
        found.inherited.add(&mut res);
        res.digest = res.source_digest();
        Ok(res)
    }
}

fn refusal(directory: &str, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(UNREADABLE_PLUGIN, message).in_file(directory))
}

fn directory_reason(path: &str) -> Option<LeaveReason> {
    leave_directory(path.rsplit('/').next().unwrap_or(path))
}

impl PluginFiles {
    fn leave(&mut self, path: &str, reason: LeaveReason) {
        self.left_out.push(LeftOut {
            path: path.to_owned(),
            reason,
        });
    }

    fn add_notes(&mut self, notes: &[Note]) {
        for note in notes {
            let directory = format!("{}/", note.path);
            match &note.kind {
                NoteKind::Pruned => {
                    let reason = directory_reason(&note.path).unwrap_or(LeaveReason::Tooling);
                    self.leave(&directory, reason);
                }
                NoteKind::NotUtf8 => self.leave(&note.path, LeaveReason::UnportableName),
                NoteKind::TooDeep | NoteKind::TooMany => {
                    self.leave(&directory, LeaveReason::TooDeep);
                }
                NoteKind::Unreadable(_) => self.leave(&directory, LeaveReason::Unreadable),
            }
        }
    }

    fn add_entries(&mut self, entries: &[Entry], found: &Candidate, choice: Choice<'_>) {
        let max_file_size = choice.max_file_size;
        let clashes = case_clashes(entries);
        let names = names_by_inode(entries);
        // What is read as text has a common limit, and the units come first.
        let (own, others): (Vec<&Entry>, Vec<&Entry>) = entries
            .iter()
            .partition(|entry| found.is_unit_file(&entry.path));
        for entry in own.into_iter().chain(others) {
            match entry.kind {
                Kind::Dir => {}
                Kind::Symlink => self.leave(&entry.path, LeaveReason::Link),
                Kind::Fifo | Kind::Socket | Kind::Device => {
                    self.leave(&entry.path, LeaveReason::Special);
                }
                Kind::File(_) if entry.path == found.manifest_file => {}
                Kind::File(_) if (found.reader.is_manifest)(&entry.path) => {
                    self.leave(&entry.path, LeaveReason::Leftover);
                }
                Kind::File(_)
                    if is_archive_of(&found.directory, found.name.as_deref(), &entry.path) =>
                {
                    self.leave(&entry.path, LeaveReason::Leftover);
                }
                Kind::File(_) if clashes.contains(&entry.path.as_str()) => {
                    self.leave(&entry.path, LeaveReason::UnportableName);
                }
                Kind::File(info)
                    if names
                        .get(&info.stamp.inode)
                        .is_some_and(|n| *n < info.n_links) =>
                {
                    self.leave(&entry.path, LeaveReason::HardLink);
                }
                Kind::File(info) if info.size > max_file_size => {
                    self.leave(&entry.path, LeaveReason::TooLarge);
                }
                Kind::File(info) => {
                    let is_named = is_named(&entry.path, found, choice.carry);
                    // A prompt in a directory `log` is a prompt, as code there is code.
                    let is_own = found.is_unit_file(&entry.path);
                    let wants = (found.reader.wants_text, is_own);
                    self.add_file(&entry.path, info, wants, is_named);
                }
            }
        }
    }

    fn add_file(
        &mut self,
        path: &str,
        info: FileInfo,
        (wants, is_own): (fn(&str) -> bool, bool),
        is_named: impl Fn(LeaveReason) -> bool,
    ) {
        let is_kept = |reason: LeaveReason| match reason {
            LeaveReason::UserData => is_own,
            // A text of the package is in the skill under another name.
            LeaveReason::UnportableName => is_own && has_portable_name(path),
            _ => false,
        };
        let reason = leave_file(path)
            .filter(|reason| !is_kept(*reason))
            .filter(|reason| !self.is_carried(path, *reason, &is_named));
        let is_wanted = (wants_text(path) || wants(path))
            && info.size <= MAX_TEXT_BYTES
            && self.in_texts + info.size <= MAX_IN_TEXTS;
        if let Some(reason) = reason {
            self.leave(path, reason);
            if !is_wanted {
                return;
            }
        }
        let Ok((digest, size, bytes)) = self.read(path, info, is_wanted) else {
            if reason.is_none() {
                self.leave(path, LeaveReason::Unreadable);
            }
            return;
        };
        if let (true, Some(bytes)) = (is_wanted, &bytes) {
            let text = String::from_utf8_lossy(bytes).into_owned();
            self.in_texts += text.len() as u64;
            self.texts.insert(path.to_owned(), text);
        }
        if reason.is_some() {
            return;
        }
        let is_cookies = leave_file(path).is_some() && bytes.as_deref().is_some_and(names_cookies);
        if is_cookies && !self.is_carried(path, LeaveReason::Credentials, &is_named) {
            self.remarks
                .retain(|finding| finding.place.file.as_deref() != Some(path));
            return self.leave(path, LeaveReason::Credentials);
        }
        match self.private_content(path, bytes.as_deref()) {
            Ok(Some(reason)) if !self.is_carried(path, reason, &is_named) => {
                return self.leave(path, reason);
            }
            Err(_) => return self.leave(path, LeaveReason::Unreadable),
            Ok(_) => {}
        }
        self.files.push(SourceFile {
            path: path.to_owned(),
            bytes: size,
            executable: info.executable,
            sha256: digest.hex(),
        });
        let bytes = bytes.filter(|_| self.in_memory + size <= MAX_IN_MEMORY);
        self.in_memory += bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
        self.bytes
            .extend(bytes.map(|bytes| (path.to_owned(), bytes)));
    }

    /// Returns the digest and size of a file, and its bytes if they fit into memory or are a text.
    fn read(
        &self,
        path: &str,
        info: FileInfo,
        is_text: bool,
    ) -> Result<(Digest, u64, Option<Vec<u8>>), ReadError> {
        if !is_text && self.in_memory + info.size > MAX_IN_MEMORY {
            let (digest, size) = self.root.digest(path)?;
            return Ok((digest, size, None));
        }
        let bytes = self.root.read(path, MAX_IN_MEMORY)?;
        Ok((
            Digest::from_content(&bytes),
            bytes.len() as u64,
            Some(bytes),
        ))
    }

    /// Returns the reason why a file is private by its content, if it is.
    fn private_content(
        &self,
        path: &str,
        bytes: Option<&[u8]>,
    ) -> Result<Option<LeaveReason>, ReadError> {
        let found = match bytes {
            Some(bytes) => private_content(bytes),
            None => private_content(&self.root.read_start(path, PRIVATE_HEAD)?),
        };
        Ok(found.map(|row| leave_private(row.kind)))
    }

    /// Returns true if the user asked for a private file, and adds a finding about it.
    fn is_carried(
        &mut self,
        path: &str,
        reason: LeaveReason,
        is_named: impl Fn(LeaveReason) -> bool,
    ) -> bool {
        let is_carried = is_named(reason);
        if is_carried {
            let message = format!(
                "`{}` was carried because --carry names it: {}",
                path.escape_debug(),
                reason.phrase()
            );
            let finding = Diagnostic::warning(PRIVATE_CARRIED, message).in_file(path);
            if !self.remarks.contains(&finding) {
                self.remarks.push(finding);
            }
        }
        is_carried
    }

    /// Leaves out files that the program itself wrote, unless the user names them.
    fn leave_written(&mut self, found: &Candidate, carry: &[String]) {
        let reason = LeaveReason::UserData;
        let code = evidence::lower_code(self);
        // The programs of servers have all of their package.
        let is_server = ["mcp", "mcpb", "mcp-registry"].contains(&found.reader.name);
        let is_program = is_server || found.unit == UnitKey::ONLY;
        let is_written = |path: &str| evidence::is_written(path, &code, is_program, self);
        let paths = self.files.iter().map(|file| file.path.clone());
        let written: Vec<String> = paths.filter(|path| is_written(path)).collect();
        let mut gone = BTreeSet::new();
        for path in written {
            if self.is_carried(&path, reason, is_named(&path, found, carry)) {
                continue;
            }
            let bytes = self.bytes.remove(&path);
            self.in_memory -= bytes.map_or(0, |bytes| bytes.len() as u64);
            self.leave(&path, reason);
            gone.insert(path);
        }
        self.files.retain(|file| !gone.contains(&file.path));
    }

    /// Decides about databases and pictures that were left out: those that are evidently a part of
    /// the program are copied.
    fn decide_doubtful(&mut self) {
        let code = evidence::lower_code(self);
        let left = std::mem::take(&mut self.left_out);
        for one in left {
            let is_needed =
                one.reason == LeaveReason::UserData && evidence::is_part(&one.path, &code, self);
            let info = match self.root.kind(&one.path) {
                Ok(Some(Kind::File(info))) if is_needed && info.size <= MAX_IN_MEMORY => info,
                _ => {
                    self.left_out.push(one);
                    continue;
                }
            };
            match self.read(&one.path, info, false) {
                Ok((digest, bytes, content)) => {
                    self.files.push(SourceFile {
                        path: one.path.clone(),
                        bytes,
                        executable: info.executable,
                        sha256: digest.hex(),
                    });
                    self.in_memory += content.as_ref().map_or(0, |bytes| bytes.len() as u64);
                    self.bytes
                        .extend(content.map(|content| (one.path, content)));
                }
                Err(_) => self.leave(&one.path, LeaveReason::Unreadable),
            }
        }
    }

    /// Returns the digest of everything that the result may depend on, path by path.
    fn source_digest(&self) -> Digest {
        let mut hasher = Hasher::default();
        let mut add = |kind: &str, path: &str, value: &str| {
            for part in [kind, path, value] {
                hasher.update(part.as_bytes());
                hasher.update(&[0]);
            }
        };
        add("manifest", "", &Digest::from_content(&self.manifest).hex());
        for file in &self.files {
            add(
                if file.executable { "program" } else { "file" },
                &file.path,
                &file.sha256,
            );
        }
        for (module, found) in &self.host.found {
            add("module", module, &format!("{found:?}"));
        }
        for file in &self.host.files {
            add("host", &file.path, &file.sha256);
        }
        for left in &self.left_out {
            add("left-out", &left.path, left.reason.phrase());
            if let Some(text) = self.texts.get(&left.path) {
                add(
                    "text",
                    &left.path,
                    &Digest::from_content(text.as_bytes()).hex(),
                );
            }
        }
        hasher.finish()
    }
}

/// Returns true if user data that a pattern names mentions cookies in its first [`PRIVATE_HEAD`]
/// bytes.
fn names_cookies(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(PRIVATE_HEAD)]).to_lowercase();
    head.trim_start().starts_with(['{', '[']) && head.contains("cookie")
}

/// Returns a test whether a pattern of `--carry` names a file that would be left out. Credentials
/// are named by their whole path only. Settings are never copied, because they are passed at run
/// time.
fn is_named<'a>(
    path: &'a str,
    found: &'a Candidate,
    carry: &'a [String],
) -> impl Fn(LeaveReason) -> bool + 'a {
    move |reason| {
        let whole = format!("{}/{path}", found.directory);
        carry.iter().any(|glob| match reason {
            LeaveReason::Credentials => glob == path || *glob == whole,
            LeaveReason::UserData
            | LeaveReason::Regenerable
            | LeaveReason::Tooling
            | LeaveReason::Leftover => {
                wildcard::matches(glob, path) || wildcard::matches(glob, &whole)
            }
            _ => false,
        })
    }
}
