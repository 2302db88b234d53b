//! The programs that a command line names: files of the package, which travel with the skill, and others.

use plugin_model::{Server, SourceFile};
use skill_model::{command_words, missing_program, own_path, program_directory, programs};

use super::dependencies;
use crate::directory::Directory;

/// The most files beside a list that belong to a program at the same place. A directory with more is a
/// project, of which only the files of the same kind are taken.
const MAX_BESIDE: usize = 200;

/// The files of a project that starts its program by a name.
const PROJECTS: [&str; 2] = ["package.json", "pyproject.toml"];

/// Returns the files of the package that a command line names, and those that its programs mean
/// without an ending.
fn own(server: &Server, has: &dyn Fn(&str) -> bool) -> Vec<String> {
    let command = server.command.as_deref();
    let named = command_words(command, &server.args).filter_map(own_path);
    let named = named.filter(|path| has(path)).map(str::to_owned);
    let mut res: Vec<String> = named.collect();
    for program in programs(command, &server.args) {
        let file = program.files().find(|path| has(path));
        res.extend(file.filter(|path| !res.contains(path)));
    }
    if let Some(directory) = program_directory(command, &server.args) {
        let named = command_words(command, &server.args).filter_map(own_path);
        let files = named.chain(PROJECTS).map(|it| format!("{directory}/{it}"));
        res.extend(files.filter(|path| has(path)));
    }
    res
}

/// Names the files that a server means in the directory in which its host starts it by their places below
/// its list.
fn from_directory(server: &mut Server, has: &dyn Fn(&str) -> bool) {
    let Some(directory) = own_path(&server.directory) else {
        return;
    };
    let directory = directory.trim_end_matches('/').to_owned();
    let words = server.command.iter_mut().chain(&mut server.args);
    for word in words.filter(|word| !word.contains(' ')) {
        let path = own_path(word).map(|path| format!("{directory}/{path}"));
        if let Some(path) = path.filter(|path| has(path)) {
            *word = format!("${{SKILL_DIR}}/{path}");
        }
    }
}

/// Returns the files beside a list that the programs of a server need: everything in the directory of a
/// program below the list, and what is beside one at the same place.
pub(super) fn files(server: &Server, directory: &dyn Directory) -> Vec<String> {
    if server.url.is_some() || server.package.is_some() {
        return Vec::new();
    }
    let all = directory.files("");
    let has = |path: &str| all.iter().any(|it| it == path);
    let mut server = server.clone();
    from_directory(&mut server, &has);
    let mut res = Vec::new();
    for program in own(&server, &has) {
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
    from_directory(server, &has);
    let own = own(server, &has);
    let directory = program_directory(server.command.as_deref(), &server.args);
    let is_lost = |directory: &&str| {
        !own.iter()
            .any(|path| path.starts_with(&format!("{directory}/")))
    };
    let lost = directory.filter(is_lost).map(|directory| format!("the server is started in the directory `{directory}`, whose program is not beside its list, so the skill cannot have it; put it there, or name an installed program in `entry.mcp` of METADATA.yml"));
    server.blockers.extend(lost);
    server.has_files |= !own.is_empty();
    for program in own {
        dependencies::add(server, &program, texts);
    }
    if let Some(path) = missing_program(server.command.as_deref(), &server.args, &has) {
        server.blockers.push(format!("the program `{path}` of the server is not beside its list, so the skill cannot have it; put it there, or name an installed program in `entry.mcp` of METADATA.yml"));
    }
}

/// Stops the server of a bundle that lacks its program.
pub(super) fn complete_bundle(server: &mut Server, files: &[SourceFile]) {
    if server.package.is_some() {
        return;
    }
    let has = |path: &str| files.iter().any(|file| file.path == path);
    if let Some(path) = missing_program(server.command.as_deref(), &server.args, &has) {
        server.blockers.push(format!("the program `{path}` of the server is not in its bundle; build the server, and pack it with the file"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_program_is_looked_for_without_an_ending() {
        let check = |line: &str, expected: &[&str]| {
            let mut words = line.split(' ').map(str::to_owned);
            let server = Server {
                command: words.next(),
                args: words.collect(),
                ..Server::default()
            };
            let files = [
                "a.js",
                "config.json",
                "docs/index.js",
                "data.csv",
                "index.js",
            ];
            let found = own(&server, &|path| files.contains(&path));
            assert_eq!(found, expected, "{line}");
        };
        check("node a", &["a.js"]);
        check("node .", &["index.js"]);
        check("node docs", &["docs/index.js"]);
        check("node a.js docs", &["a.js"]);
        check("node a.js --config config", &["a.js"]);
        check(
            "node a.js --config config.json data.csv",
            &["a.js", "config.json", "data.csv"],
        );
        check("weather docs", &[]);
        check(
            "uv run --directory docs index.js",
            &["index.js", "docs/index.js"],
        );
    }

    #[test]
    fn programs_in_the_directory_of_the_entry_are_found() {
        let words = |words: &[&str]| words.iter().copied().map(str::to_owned).collect();
        let mut server = Server {
            command: Some("node".to_owned()),
            args: words(&["a.js", "--mode", "x"]),
            directory: "./srv/".to_owned(),
            ..Server::default()
        };
        from_directory(&mut server, &|path| path == "srv/a.js");
        let expected: Vec<String> = words(&["${SKILL_DIR}/srv/a.js", "--mode", "x"]);
        assert_eq!(server.args, expected);
    }
}
