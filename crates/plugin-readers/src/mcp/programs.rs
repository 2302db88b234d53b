//! The programs that a command line names: files of the package, which travel with the skill, and others.

use plugin_model::{Server, SourceFile};

use super::dependencies;
use crate::directory::Directory;

/// The place of the package in a command line that was read.
const OWN: &str = "${SKILL_DIR}/";
/// The endings of programs that an interpreter starts.
const ENDINGS: [&str; 9] = [
    ".js", ".mjs", ".cjs", ".ts", ".mts", ".py", ".sh", ".rb", ".php",
];
/// The most files beside a list that belong to a program at the same place. A directory with more is a
/// project, of which only the files of the same kind are taken.
const MAX_BESIDE: usize = 200;

/// Returns the words of a command line, those inside of a line for a shell (`bash -c "node a.mjs"`) too.
fn words(server: &Server) -> impl Iterator<Item = &str> {
    let words = server.command.iter().chain(&server.args);
    words.flat_map(|word| word.split_whitespace())
}

/// Returns a word as a path below the package; `None` for any other word.
fn inner(word: &str) -> Option<&str> {
    let path = word.strip_prefix(OWN).unwrap_or(word);
    let path = path.trim_start_matches("./");
    let is_inner = !path.is_empty()
        && !path.starts_with(['/', '-', '~'])
        && !path.contains(['$', '\\', ':', '='])
        && !path.split('/').any(|part| part == "..");
    is_inner.then_some(path)
}

/// Returns the files of the package that a command line names.
fn own<'s>(server: &'s Server, has: &dyn Fn(&str) -> bool) -> Vec<&'s str> {
    let paths = words(server).filter_map(inner);
    paths.filter(|path| has(path)).collect()
}

/// Returns the files beside a list that the programs of a server need: everything in the directory of a
/// program below the list, and what is beside one at the same place.
pub(super) fn files(server: &Server, directory: &dyn Directory) -> Vec<String> {
    if server.url.is_some() || server.package.is_some() {
        return Vec::new();
    }
    let all = directory.files("");
    let mut res = Vec::new();
    for program in own(server, &|path| all.iter().any(|it| it == path)) {
        let top = program.split_once('/').map(|(top, _)| format!("{top}/"));
        let ending = program.rsplit('.').next().unwrap_or_default();
        let is_taken = |path: &&String| match &top {
            _ if dependencies::is_list(path) => true,
            Some(top) => path.starts_with(top),
            None if all.len() <= MAX_BESIDE => true,
            None => !path.contains('/') && path.ends_with(ending),
        };
        res.extend(all.iter().filter(is_taken).cloned());
    }
    res
}

/// Completes a server whose command line names files of its package: they travel with it, and so do the
/// names of the packages that they need. A program that the package does not have stops the server.
pub(super) fn complete(
    server: &mut Server,
    files: &[SourceFile],
    texts: &dyn Fn(&str) -> Option<String>,
) {
    if server.url.is_some() || server.package.is_some() {
        return;
    }
    let has = |path: &str| files.iter().any(|file| file.path == path);
    let own: Vec<String> = own(server, &has).into_iter().map(str::to_owned).collect();
    server.has_files |= !own.is_empty();
    for program in own {
        dependencies::add(server, &program, texts);
    }
    let is_program = |word: &&str| ENDINGS.iter().any(|ending| word.ends_with(ending));
    let named = words(server).filter(is_program).filter_map(inner);
    let lost: Vec<String> = named
        .filter(|path| !has(path))
        .map(|path| format!("the program `{path}` of the server is not beside its list, so the skill cannot have it; put it there, or name an installed program in `entry.mcp` of METADATA.yml"))
        .collect();
    server.blockers.extend(lost);
}
