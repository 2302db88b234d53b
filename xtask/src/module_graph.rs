//! The imports between the files of a crate: modules that are files, and the paths in their code.
//!
//! A path is followed through re-exports to the file that defines the name. A re-export itself is
//! not an import, and test code does not count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::rust_source;

/// The path of a module from the root of its crate; the root itself is empty.
type Module = Vec<String>;

/// A crate's modules and their imports, by `a::b`; the root is `crate`.
pub(crate) type Graph = BTreeMap<String, BTreeSet<String>>;

struct Source {
    /// Every path that the code names, with the name under which it is re-exported.
    paths: Vec<Named>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    segments: Vec<String>,
    /// The name that a `pub use` gives it.
    exported: Option<String>,
}

/// Returns the graph of a crate from its files: paths below `src/` and their texts.
pub(crate) fn of_crate(files: &[(String, String)]) -> Graph {
    let sources: BTreeMap<Module, Source> = files
        .iter()
        .filter_map(|(path, text)| Some((module(path)?, source(text))))
        .collect();
    let edges = sources.iter().map(|(module, source)| {
        let imports = source.paths.iter().filter(|path| path.exported.is_none());
        let targets = imports.filter_map(|path| resolve(&sources, module, &path.segments, 0));
        let others = targets.filter(|target| target != module);
        (name(module), others.map(|target| name(&target)).collect())
    });
    edges.collect()
}

/// Returns the groups of modules that import each other in a circle, each sorted.
pub(crate) fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|from| (from.as_str(), reachable(graph, from)))
        .collect();
    let mut seen = BTreeSet::new();
    let mut res = Vec::new();
    for (from, targets) in &reach {
        if !targets.contains(from) || !seen.insert(*from) {
            continue;
        }
        let back = targets.iter().filter(|to| reach[*to].contains(from));
        let circle: Vec<String> = back.map(|to| (*to).to_owned()).collect();
        seen.extend(
            targets
                .iter()
                .filter(|to| circle.contains(&(**to).to_owned())),
        );
        res.push(circle);
    }
    res
}

/// Returns the shortest round through modules of a circle; the first is also the last.
pub(crate) fn shortest(graph: &Graph, circle: &[String]) -> Vec<String> {
    let rounds = circle.iter().filter_map(|start| round(graph, start));
    rounds.min_by_key(Vec::len).unwrap_or_default()
}

fn round(graph: &Graph, start: &str) -> Option<Vec<String>> {
    let mut ways: VecDeque<Vec<String>> = VecDeque::from([vec![start.to_owned()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in graph.get(way.last()?)? {
            let way = [way.as_slice(), std::slice::from_ref(next)].concat();
            if next == start {
                return Some(way);
            }
            if seen.insert(next) {
                ways.push_back(way);
            }
        }
    }
    None
}

fn reachable<'a>(graph: &'a Graph, from: &str) -> BTreeSet<&'a str> {
    let mut res = BTreeSet::new();
    let mut open: Vec<&str> = graph[from].iter().map(String::as_str).collect();
    while let Some(next) = open.pop() {
        if res.insert(next) {
            open.extend(graph.get(next).into_iter().flatten().map(String::as_str));
        }
    }
    res
}

/// The module of a file below `src/`; nothing for programs and tests.
fn module(path: &str) -> Option<Module> {
    let path = path.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let segments: Module = path.split('/').map(str::to_owned).collect();
    let is_program = path == "main" || segments[0] == "bin";
    let is_test = segments.iter().any(|segment| segment == "tests");
    match path {
        "lib" => Some(Vec::new()),
        _ => (!is_program && !is_test).then_some(segments),
    }
}

fn name(module: &Module) -> String {
    if module.is_empty() {
        "crate".to_owned()
    } else {
        module.join("::")
    }
}

/// The file that defines what a path names, if it is of this crate. `depth` ends circular
/// re-exports.
fn resolve(
    sources: &BTreeMap<Module, Source>,
    at: &Module,
    path: &[String],
    depth: usize,
) -> Option<Module> {
    let mut current = at.clone();
    let mut rest = path;
    let first = rest.first()?.as_str();
    match first {
        "crate" => current.clear(),
        "self" | "super" => {}
        _ => {
            let child = [at.as_slice(), &rest[..1]].concat();
            if !sources.contains_key(&child) {
                return None;
            }
        }
    }
    if ["crate", "self"].contains(&first) {
        rest = &rest[1..];
    }
    while rest.first().is_some_and(|segment| segment == "super") {
        current.pop()?;
        rest = &rest[1..];
    }
    while let Some(segment) = rest.first() {
        let child = [current.as_slice(), std::slice::from_ref(segment)].concat();
        if !sources.contains_key(&child) {
            break;
        }
        current = child;
        rest = &rest[1..];
    }
    let source = sources.get(&current)?;
    let exported = rest.first().and_then(|wanted| {
        let mut all = source.paths.iter();
        all.find(|path| path.exported.as_deref() == Some(wanted))
    });
    match exported {
        Some(path) if depth < 8 => {
            let target = resolve(sources, &current, &path.segments, depth + 1);
            Some(target.unwrap_or(current))
        }
        _ => Some(current),
    }
}

fn source(text: &str) -> Source {
    let code = rust_source::without_tests(&rust_source::code_only(text));
    let tokens = tokens(&code);
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            let end = tokens[at..].iter().position(|token| *token == ";");
            let end = end.map_or(tokens.len(), |offset| at + offset);
            let is_public = is_public(&tokens[..at]);
            let mut rest = &tokens[at + 1..end];
            use_tree(&mut rest, &[], is_public, &mut paths);
            at = end;
        } else if is_name(tokens[at]) && tokens.get(at + 1) == Some(&"::") {
            let end = path_end(&tokens, at);
            let segments = tokens[at..end].iter().step_by(2);
            paths.push(Named {
                segments: segments.map(|&segment| segment.to_owned()).collect(),
                exported: None,
            });
            at = end;
        } else {
            at += 1;
        }
    }
    Source { paths }
}

/// Returns true if `pub` or `pub(…)` is right before.
fn is_public(before: &[&str]) -> bool {
    let before = match before {
        [head @ .., "(", _, ")"] | [head @ .., "(", "in", _, ")"] => head,
        _ => before,
    };
    before.last() == Some(&"pub")
}

/// Reads one tree of a `use`, and adds a path for each of its leaves.
fn use_tree(rest: &mut &[&str], prefix: &[String], is_public: bool, acc: &mut Vec<Named>) {
    let mut segments = prefix.to_vec();
    let mut exported = None;
    while let Some((&token, after)) = rest.split_first() {
        match token {
            "{" => {
                *rest = after;
                while !rest.is_empty() && rest[0] != "}" {
                    use_tree(rest, &segments, is_public, acc);
                    *rest = rest.strip_prefix(&[","]).unwrap_or(rest);
                }
                *rest = rest.get(1..).unwrap_or_default();
                return;
            }
            "," | "}" => break,
            "as" => exported = after.first().map(|&name| name.to_owned()),
            "::" | "*" => {}
            _ if exported.is_none() => segments.push(token.to_owned()),
            _ => {}
        }
        *rest = after;
    }
    let is_self = segments.len() > 1 && segments.last().is_some_and(|last| last == "self");
    if is_self {
        segments.pop();
    }
    let exported = exported.or_else(|| segments.last().cloned());
    acc.push(Named {
        exported: exported.filter(|_| is_public),
        segments,
    });
}

fn path_end(tokens: &[&str], start: usize) -> usize {
    let mut end = start + 1;
    while tokens.get(end) == Some(&"::") && tokens.get(end + 1).is_some_and(|next| is_name(next)) {
        end += 2;
    }
    end
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, `::`, and single characters.
fn tokens(code: &str) -> Vec<&str> {
    let mut res = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        res.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(files: &[(&str, &str)]) -> Graph {
        let files: Vec<(String, String)> = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect();
        of_crate(&files)
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&[&str]]) {
        assert_eq!(circles(&graph(files)), expected);
    }

    #[test]
    fn arrows_down_make_no_circle() {
        check(
            &[
                ("lib.rs", "mod a;\nmod b;\npub use a::A;\nfn f() { b::g() }"),
                ("a.rs", "use crate::b::{self, B};\nuse std::fmt;"),
                ("b.rs", "pub struct B;"),
            ],
            &[],
        );
    }

    #[test]
    fn two_files_that_import_each_other() {
        check(
            &[
                ("lib.rs", "mod a;\nmod b;\nmod c;"),
                ("a.rs", "use crate::b::B;"),
                ("b.rs", "fn f() { crate::a::g() }"),
                ("c.rs", "use crate::{a, b::B};"),
            ],
            &[&["a", "b"]],
        );
    }

    #[test]
    fn parents_and_children() {
        check(
            &[
                ("a/mod.rs", "mod b;\nfn f() { b::g() }\npub struct A;"),
                ("a/b.rs", "use super::A;"),
            ],
            &[&["a", "a::b"]],
        );
        check(
            &[
                (
                    "a.rs",
                    "mod b;\nmod c;\npub(crate) use c::C as D;\nfn f() { b::g() }",
                ),
                ("a/b.rs", "use super::D;"),
                ("a/c.rs", "pub struct C;"),
            ],
            &[],
        );
    }

    #[test]
    fn tests_and_texts_do_not_count() {
        check(
            &[
                ("a.rs", "use crate::b::B;"),
                (
                    "b.rs",
                    "// crate::a\n#[cfg(test)]\nmod tests { use crate::a::A; }\nconst T: &str = \"crate::a\";",
                ),
                ("b/tests.rs", "use crate::a::A;"),
            ],
            &[],
        );
    }

    #[test]
    fn the_shortest_round_is_shown() {
        let graph = graph(&[
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "use crate::c::C;"),
            ("c.rs", "use crate::{a::A, d::D};"),
            ("d.rs", "use crate::c::C;"),
        ]);
        let circles = circles(&graph);
        assert_eq!(circles, [["a", "b", "c", "d"]]);
        assert_eq!(shortest(&graph, &circles[0]), ["c", "d", "c"]);
    }

    #[test]
    fn the_root_takes_part() {
        check(
            &[
                ("lib.rs", "mod a;\nuse a::A;\npub struct S;"),
                ("a.rs", "use crate::S;"),
            ],
            &[&["a", "crate"]],
        );
    }
}
