//! The files of a server: its programs and what they read, without the parts of its package that are
//! skills of their own.

use std::collections::BTreeSet;

use plugin_model::{LeaveReason, Package, Server, SourceFile};
use skill_diagnostics::Diagnostic;

use crate::{
    carry::is_code_file,
    codes::{NESTED_SKILL, PACKAGES_UNKNOWN, PROGRAM_ELSEWHERE},
    plan::CopiedFile,
    plugin::Source,
    text::is_license_file,
};

/// The directory of the programs.
const SCRIPTS: &str = "scripts";
/// The file of a skill.
const SKILL_FILE: &str = "SKILL.md";

/// Returns the files of the server, those that every part of its package gets, and the licenses.
pub(super) fn copies(source: &Source<'_>, server: &Server) -> Vec<CopiedFile> {
    let package = source.package;
    let copies = package.sources.files.iter().filter_map(|file| {
        let attached = package.attached.iter();
        let mut attached = attached.filter(|it| it.from == file.path);
        let is_license = is_license_file(file.path.trim_start_matches("../"));
        let to = if is_license {
            file.path.trim_start_matches("../").to_owned()
        } else if let Some(attached) = attached.next() {
            attached.to.clone()
        } else if server.has_files && is_of_server(package, server, file) {
            format!("{SCRIPTS}/{}", file.path)
        } else {
            return None;
        };
        Some(CopiedFile {
            to,
            from: file.path.clone(),
            executable: file.executable,
            bytes: file.bytes,
            sha256: file.sha256.clone(),
        })
    });
    let mut res: Vec<CopiedFile> = copies.collect();
    res.sort();
    res.dedup_by(|a, b| a.to == b.to);
    res
}

/// Returns true for a file that no other part of the package is made of. A `SKILL.md` inside of a skill
/// would be another skill for agents.
fn is_of_server(package: &Package<'_>, server: &Server, file: &SourceFile) -> bool {
    let path = file.path.as_str();
    let is_document = path == &*server.file || package.document(path).is_some();
    let is_attached = package.attached.iter().any(|it| it.from == path);
    let name = path.rsplit('/').next().unwrap_or(path);
    !(path.starts_with("../")
        || is_document
        || is_attached
        || name.eq_ignore_ascii_case(SKILL_FILE)
        || directories(package).any(|directory| is_below(path, directory)))
}

/// Returns the directories of the skills of a package.
fn directories<'p>(package: &'p Package<'_>) -> impl Iterator<Item = &'p str> {
    let texts = package.units.iter().filter_map(|unit| unit.kind.text());
    let own = texts.filter_map(|text| text.directory.as_deref());
    own.filter(|directory| !directory.is_empty())
}

fn is_below(path: &str, directory: &str) -> bool {
    let rest = path.strip_prefix(directory);
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Returns findings about files that a program may miss: programs elsewhere on the machine of the author,
/// those of a skill that the code names, and installed packages without a list of them.
pub(super) fn findings(source: &Source<'_>, server: &Server) -> Vec<Diagnostic> {
    let mut res: Vec<Diagnostic> = elsewhere(server).chain(of_one_machine(server)).collect();
    if !server.has_files {
        return res;
    }
    let sources = &source.package.sources;
    let mut code = sources.texts.iter().filter(|(path, _)| is_code_file(path));
    if code.any(|(_, text)| text.contains(SKILL_FILE)) && directories(source.package).count() > 0 {
        let message = "the code of the server names SKILL.md, and the skills of the package are not in its skill";
        let finding = Diagnostic::warning(NESTED_SKILL, message);
        res.push(finding.with_help("agents would offer a skill inside of a skill; if the server reads them, allow their directory with SKILL_DIRECTORIES"));
    }
    let mut left = sources.left_out.iter().filter(|left| {
        let is_packages = left.path.ends_with("node_modules/");
        is_packages && left.reason == LeaveReason::Regenerable
    });
    if let (Some(left), true) = (left.next(), server.requires.is_empty()) {
        let message = format!(
            "`{}` is left out, and no package.json at the top says which packages the server needs",
            left.path.escape_debug()
        );
        let finding = Diagnostic::warning(PACKAGES_UNKNOWN, message);
        res.push(finding.with_help("name them in `requires.npm` of METADATA.yml"));
    }
    res
}

/// The places of the home directories of users, as paths of one machine begin.
const HOMES: [&str; 5] = ["/home/", "/Users/", "/root/", "C:\\Users\\", "C:/Users/"];

/// Returns findings about directories and programs of an entry that only one machine has.
fn of_one_machine(server: &Server) -> impl Iterator<Item = Diagnostic> {
    let is_own = |path: &&str| HOMES.iter().any(|home| path.starts_with(home));
    let words = server.args.iter().flat_map(|word| word.split_whitespace());
    let words = words.map(|word| word.rsplit('=').next().unwrap_or(word));
    let words = words.filter(|word| !is_code_file(word));
    let places = server.command.iter().map(String::as_str);
    let places = places.chain([server.directory.as_str()]).chain(words);
    let named: BTreeSet<&str> = places.filter(is_own).collect();
    named.into_iter().map(|path| {
        let message = format!("the entry of the server names `{path}`, a path of one machine");
        let finding = Diagnostic::warning(PROGRAM_ELSEWHERE, message);
        let finding = finding.with_help(
            "write the path of this machine, or the name of an installed program, in `entry.mcp` of METADATA.yml",
        );
        finding.in_file(&*server.file).at_pointer(&server.pointer)
    })
}

/// Returns findings about the code that a command line names by its place on the machine of the author.
fn elsewhere(server: &Server) -> impl Iterator<Item = Diagnostic> {
    let words = server.args.iter().flat_map(|word| word.split_whitespace());
    let named = words.filter(|word| word.starts_with('/') && is_code_file(word));
    named.map(|word| {
        let directory = word.rsplit_once('/').map_or("/", |(directory, _)| directory);
        let message = format!("the program `{word}` of the server is outside of its skill");
        let help = format!(
            "skills-run configure {} SKILL_DIRECTORIES={directory} lets the server read it, on this machine only",
            server.name
        );
        let finding = Diagnostic::warning(PROGRAM_ELSEWHERE, message).with_help(help);
        finding.in_file(&*server.file).at_pointer(&server.pointer)
    })
}
