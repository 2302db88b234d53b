//! The files that a skill needs: those of its own directory, those that its text names, and those
//! that these mention in turn.

use std::collections::{BTreeSet, VecDeque};

use plugin_model::SourceFile;

use crate::plan::{CopiedFile, GeneratedFile};

use super::{
    TextUnit,
    followed::{self, Reach},
    licenses,
};

/// Returns the paths of the files that a unit needs, relative to the package. `named` are the files
/// and directories that its text names.
pub(crate) fn needed(unit: &TextUnit<'_>, named: &[String]) -> BTreeSet<String> {
    let mut acc = BTreeSet::new();
    let mut near: Vec<String> = own_files(unit).map(|file| file.path.clone()).collect();
    near.extend(named.iter().flat_map(|path| expand(unit, path)));
    // The programs of hooks come with them.
    let hooks = unit.package.attached.iter();
    let hooks = hooks.filter(|it| !it.is_always_loaded);
    near.extend(hooks.map(|it| it.from.clone()));
    let near = near.into_iter().map(|path| (path, Reach::Near));
    let mut open: VecDeque<(String, Reach)> = near.collect();
    while let Some((path, reach)) = open.pop_front() {
        let is_unit = path == *unit.source.unit.file || unit.skill_of(&path).is_some();
        if is_unit || !acc.insert(path.clone()) || followed::is_test(&path) {
            continue;
        }
        let find = || follow(unit, &path, reach);
        let found = unit.source.mentions.of(&path, reach, find);
        let found = found.iter().filter(|path| !acc.contains(*path));
        open.extend(found.map(|path| (path.clone(), Reach::Far)));
    }
    acc.extend(licenses::files(unit).iter().map(|file| file.path.clone()));
    acc.extend(unit.agents().map(|agent| agent.file.to_string()));
    acc.extend(unit.package.attached.iter().map(|it| it.from.clone()));
    acc
}

/// Returns the files that a file of the skill needs: those that it mentions and, for a program, those
/// around it. Tests are not needed to do the work.
fn follow(unit: &TextUnit<'_>, path: &str, reach: Reach) -> Vec<String> {
    let around = path.rsplit_once('/').map(|(directory, _)| directory);
    let around = around.filter(|_| followed::is_program(path));
    let mut acc = around.map_or_else(Vec::new, |directory| expand(unit, directory));
    if let Some(text) = unit.package.sources.texts.get(path) {
        let parts = followed::parts(path, text, reach).into_iter();
        acc.extend(parts.flat_map(|part| mentioned(unit, path, part)));
    }
    acc.retain(|path| !followed::is_test(path));
    acc
}

/// Returns the files of the directory of a `SKILL.md`.
fn own_files<'a>(unit: &TextUnit<'a>) -> impl Iterator<Item = &'a SourceFile> {
    let own = unit.text.directory.as_deref();
    let files = own.map_or(&[][..], |own| unit.files_below(own));
    let main = unit.source.unit.file.clone();
    let files = files.iter();
    files.filter(move |file| *file.path != *main && !file.path.starts_with("../"))
}

/// Returns the file at a path of the package, or the files below it if it is a directory.
pub(crate) fn expand(unit: &TextUnit<'_>, path: &str) -> Vec<String> {
    let path = path.trim_end_matches('/');
    if path.is_empty() {
        return Vec::new();
    }
    let files = unit.file(path).into_iter().chain(unit.files_below(path));
    files.map(|file| file.path.clone()).collect()
}

/// Returns the files of the package that a text mentions by a path: relative to the package after
/// the variable of the host, relative to the file, or, with a slash, relative to the package.
pub(super) fn mentioned(unit: &TextUnit<'_>, file: &str, text: &str) -> Vec<String> {
    let base = file.rsplit_once('/').map_or("", |(base, _)| base);
    let mut acc = Vec::new();
    let words = text
        .split_ascii_whitespace()
        .filter(|word| word.contains(['/', '.']));
    for token in words.flat_map(|word| word.split(|c: char| !is_of_path(c))) {
        let token = token.trim_end_matches(['.', '/']);
        if token.len() < 3 || !token.contains(['/', '.']) {
            continue;
        }
        for root in followed::ROOTS {
            if let Some((_, path)) = token.split_once(root) {
                acc.extend(expand(unit, path.trim_start_matches(['}', '/'])));
            }
        }
        // A bare name is that of a file beside this one. Elsewhere `package.json` is the user's.
        let in_package = token.contains('/').then(|| join("", token)).flatten();
        let candidates = [join(base, token), in_package];
        let found = candidates
            .into_iter()
            .flatten()
            .find(|path| unit.has_file(path));
        acc.extend(found);
    }
    acc
}

fn is_of_path(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '}')
}

/// Joins a directory and a relative path; `None` if the path leaves the package.
pub(crate) fn join(base: &str, path: &str) -> Option<String> {
    let mut acc: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    if path.starts_with('/') {
        return None;
    }
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                acc.pop()?;
            }
            part => acc.push(part),
        }
    }
    Some(acc.join("/"))
}

/// Returns the copies of these files. A file in the place of a generated one is copied beside it.
pub(crate) fn copies(
    unit: &TextUnit<'_>,
    needed: &BTreeSet<String>,
    generated: &[GeneratedFile],
) -> Vec<CopiedFile> {
    let mut taken: BTreeSet<String> = generated
        .iter()
        .map(|file| file.path.to_lowercase())
        .collect();
    taken.extend(["skill.md", "metadata.yml"].map(str::to_owned));
    let mut acc: Vec<CopiedFile> = Vec::new();
    for path in needed {
        let Some(file) = unit.file(path) else {
            continue;
        };
        let mut to = unit.target(path);
        if !taken.insert(to.to_lowercase()) {
            to = format!("references/package/{to}");
            taken.insert(to.to_lowercase());
        }
        acc.push(CopiedFile {
            to,
            from: path.clone(),
            executable: file.executable,
            bytes: file.bytes,
            sha256: file.sha256.clone(),
        });
    }
    acc.sort();
    acc
}
