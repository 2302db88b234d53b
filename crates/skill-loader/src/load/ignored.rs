//! Files that an old host leaves out of a prompt: those that `.gitignore` or `.geminiignore` names.
//!
//! Source: `fileDiscoveryService.ts` and `gitIgnoreParser.ts` of Gemini CLI. In a repository it reads
//! `.git/info/exclude`, each `.gitignore` from the project to the file, and last `.geminiignore`; elsewhere
//! `.geminiignore` alone. The last line that matches counts, ASCII case is ignored, and nothing below an
//! ignored directory comes back.

use std::collections::BTreeMap;
use std::path::Path;

use crate::fs::Root;

/// The largest file of patterns that is read, in bytes.
const MAX_PATTERNS: u64 = 1 << 20;
/// The number of directories above a project that can be the top of its repository.
const MAX_LEVELS: usize = 64;

/// The patterns of a project.
#[derive(Debug)]
pub(super) struct Ignored {
    is_repository: bool,
    /// Those of all of the project, before those of its directories.
    first: Vec<Rule>,
    /// Those of each directory that was asked for.
    of_directories: BTreeMap<String, Vec<Rule>>,
    /// Those that count most.
    last: Vec<Rule>,
}

impl Ignored {
    /// Reads the patterns for all of a project; `place` is its absolute path.
    pub(super) fn read(root: &Root, place: &Path) -> Self {
        let is_repository = place.ancestors().take(MAX_LEVELS).any(has_git);
        let first = if is_repository {
            let mut first = rules(".git", "");
            first.extend(in_file(root, ".git/info/exclude", ""));
            first
        } else {
            Vec::new()
        };
        Self {
            is_repository,
            first,
            of_directories: BTreeMap::new(),
            last: in_file(root, ".geminiignore", ""),
        }
    }

    /// Returns whether the host leaves out the file at a path of the project.
    pub(super) fn is_ignored(&mut self, root: &Root, path: &str) -> bool {
        let directories = path.match_indices('/').map(|(at, _)| &path[..at]);
        let mut above = vec![""];
        for at in directories.chain([path]) {
            self.read_rules(root, above[above.len() - 1]);
            let found = self.rule(&above, at, at != path);
            if found.is_some_and(|rule| !rule.is_negated) {
                return true;
            }
            above.push(at);
        }
        false
    }

    /// Reads the patterns of a directory, once.
    fn read_rules(&mut self, root: &Root, directory: &str) {
        if !self.is_repository || self.of_directories.contains_key(directory) {
            return;
        }
        let file = match directory {
            "" => ".gitignore".to_owned(),
            directory => format!("{directory}/.gitignore"),
        };
        let rules = in_file(root, &file, directory);
        self.of_directories.insert(directory.to_owned(), rules);
    }

    /// Returns the rule that counts for a path below these directories.
    fn rule(&self, above: &[&str], path: &str, is_directory: bool) -> Option<&Rule> {
        let own = above.iter().rev();
        let own = own.filter_map(|directory| self.of_directories.get(*directory));
        let all = std::iter::once(&self.last).chain(own).chain([&self.first]);
        let mut all = all.flat_map(|rules| rules.iter().rev());
        all.find(|rule| rule.matches(path, is_directory))
    }
}

fn has_git(directory: &Path) -> bool {
    let root = Root::open_following(directory);
    root.is_ok_and(|root| matches!(root.kind(".git"), Ok(Some(_))))
}

fn in_file(root: &Root, file: &str, directory: &str) -> Vec<Rule> {
    let bytes = root.read(file, MAX_PATTERNS).unwrap_or_default();
    rules(&String::from_utf8_lossy(&bytes), directory)
}

/// Returns the rules of a text in a directory of the project.
fn rules(text: &str, directory: &str) -> Vec<Rule> {
    let rules = text.lines().filter_map(|line| Rule::read(line, directory));
    rules.collect()
}

/// A line of patterns.
#[derive(Debug)]
struct Rule {
    is_negated: bool,
    /// True for a pattern that ends with a slash.
    is_for_directories: bool,
    /// The directory of the file that it is in.
    directory: String,
    /// The pattern, one item for each name of a path. One that is not bound to the directory begins with
    /// `**`.
    parts: Vec<Vec<char>>,
}

impl Rule {
    fn read(line: &str, directory: &str) -> Option<Self> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let (is_negated, line) = match line.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let is_for_directories = line.ends_with('/');
        let line = line.trim_end_matches('/').to_ascii_lowercase();
        let is_bound = line.contains('/');
        let line = line.trim_start_matches('/');
        let own = line.split('/').map(|part| part.chars().collect());
        let any = (!is_bound).then(|| vec!['*', '*']);
        (!line.is_empty()).then(|| Self {
            is_negated,
            is_for_directories,
            directory: directory.to_owned(),
            parts: any.into_iter().chain(own).collect(),
        })
    }

    fn matches(&self, path: &str, is_directory: bool) -> bool {
        if self.is_for_directories && !is_directory {
            return false;
        }
        let below = match self.directory.as_str() {
            "" => Some(path),
            directory => path
                .strip_prefix(directory)
                .and_then(|rest| rest.strip_prefix('/')),
        };
        let Some(below) = below else {
            return false;
        };
        let names = below.to_ascii_lowercase();
        let names: Vec<Vec<char>> = names.split('/').map(|it| it.chars().collect()).collect();
        parts_match(&self.parts, &names)
    }
}

/// Returns whether the parts of a pattern match all names of a path. `**` is any number of names; at the end
/// it is at least one.
fn parts_match(parts: &[Vec<char>], names: &[Vec<char>]) -> bool {
    // Whether the rest of the pattern matches the names from each position on.
    let mut rest: Vec<bool> = vec![false; names.len() + 1];
    rest[names.len()] = true;
    let mut is_last = true;
    for part in parts.iter().rev() {
        let mut here = vec![false; names.len() + 1];
        if part[..] == ['*', '*'] {
            let mut is_any = false;
            for at in (0..=names.len()).rev() {
                is_any |= rest[at] && (!is_last || at < names.len());
                here[at] = is_any || is_last && at < names.len();
            }
        } else {
            for at in 0..names.len() {
                here[at] = rest[at + 1] && name_matches(part, &names[at]);
            }
        }
        rest = here;
        is_last = false;
    }
    rest[0]
}

/// Returns whether a pattern without slashes matches a name: `*`, `?`, `[a-z]`, `[!a]` and `\x`.
fn name_matches(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            p += 1;
            star = Some((p, n));
        } else if let Some(length) = one_matches(&pattern[p.min(pattern.len())..], name[n]) {
            p += length;
            n += 1;
        } else if let Some((star_p, star_n)) = star {
            p = star_p;
            n = star_n + 1;
            star = Some((star_p, n));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// Returns the length of the beginning of a pattern that matches one character.
fn one_matches(pattern: &[char], c: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['\\', literal, ..] => (*literal == c).then_some(2),
        ['[', rest @ ..] => {
            let is_negated = matches!(rest.first(), Some('!' | '^'));
            let skip = usize::from(is_negated);
            // A bracket that is first is a member.
            let end = 1 + skip + rest.get(skip + 1..)?.iter().position(|c| *c == ']')?;
            let mut members = &rest[skip..end];
            let mut is_found = false;
            while let [first, others @ ..] = members {
                members = others;
                is_found |= match others {
                    ['-', last, more @ ..] => {
                        members = more;
                        (*first..=*last).contains(&c)
                    }
                    _ => *first == c,
                };
            }
            (is_found != is_negated).then_some(end + 2)
        }
        [literal, ..] => (*literal == c).then_some(1),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, ignored: &[&str], others: &[&str]) {
        let rule = Rule::read(pattern, "").expect("a pattern");
        let matches = |path: &str| match path.strip_suffix('/') {
            Some(path) => rule.matches(path, true),
            None => rule.matches(path, false),
        };
        for path in ignored {
            assert!(matches(path), "{pattern} {path}");
        }
        for path in others {
            assert!(!matches(path), "{pattern} {path}");
        }
    }

    #[test]
    fn patterns_are_those_of_git() {
        check("a.log", &["a.log", "x/y/A.log"], &["a.logs", "xa.log"]);
        check("/a.log", &["a.log"], &["x/a.log"]);
        check("x/*.log", &["x/a.log"], &["y/x/a.log", "x/y/a.log"]);
        check("**/x/a", &["x/a", "y/z/x/a"], &["x/b/a"]);
        check("x/**", &["x/a", "x/y/a"], &["x", "y/x/a"]);
        check("x/**/a", &["x/a", "x/y/z/a"], &["x/b"]);
        check("build/", &["build/", "x/build/"], &["build"]);
        check("[a-c]?.[!t]*", &["b1.md"], &["d1.md", "b1.txt", "b.md"]);
        check("[]x]", &["]", "x"], &["y"]);
        check(r"\#a\*", &["#a*"], &["#ab"]);
        check("a**b", &["ab", "axxb"], &["a/b"]);
        assert!(Rule::read("# a", "").is_none());
        assert!(Rule::read(" /", "").is_none());
    }

    /// The second file of a directory reads no patterns.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test lays out its own files")]
    fn patterns_of_a_directory_are_read_once() {
        let dir = tempfile::tempdir().expect("a directory");
        let place = dir.path();
        std::fs::create_dir_all(place.join(".git")).expect("a directory");
        std::fs::create_dir_all(place.join("x/y")).expect("a directory");
        std::fs::write(place.join(".gitignore"), "*.log\n").expect("a file");
        std::fs::write(place.join("x/.gitignore"), "!a.log\ny/\n").expect("a file");
        let root = Root::open_following(place).expect("a directory");
        let mut ignored = Ignored::read(&root, place);
        let rows = [
            ("b.log", true),
            ("x/a.log", false),
            ("x/b.log", true),
            ("x/y/c", true),
        ];
        for round in 0..2 {
            for (path, expected) in rows {
                assert_eq!(ignored.is_ignored(&root, path), expected, "{round} {path}");
            }
            let _ = std::fs::remove_file(place.join(".gitignore"));
            let _ = std::fs::remove_file(place.join("x/.gitignore"));
        }
    }
}
