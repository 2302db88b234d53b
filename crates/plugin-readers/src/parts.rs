//! The parts of a package that become units: where they are, and what they are called.

use std::collections::BTreeMap;

use plugin_model::{Key, Text, UnitKey, UnitKind};

use crate::reader::UnitHead;

/// A kind of part: its word in keys, its unit, and the meaning of its frontmatter.
#[derive(Debug)]
pub(crate) struct PartKind {
    pub(crate) word: &'static str,
    pub(crate) unit: fn(Box<Text>) -> UnitKind,
    pub(crate) keys: &'static [Key],
}

/// A part of a package.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) kind: &'static PartKind,
    /// The path of its name: `review`, or `git/commit` for a file in a subdirectory.
    pub(crate) path: String,
    /// The name by which the host calls it.
    pub(crate) call: String,
    /// Other names by which it does.
    pub(crate) aliases: Vec<String>,
    /// The file, relative to the package.
    pub(crate) file: String,
}

/// Lists the files below a directory of the package, sorted.
pub(crate) type Files<'f> = dyn Fn(&str) -> Vec<String> + 'f;

/// The files of a package, before or after they are collected.
#[derive(Clone, Copy)]
pub(crate) struct View<'v> {
    pub(crate) files: &'v Files<'v>,
    /// Returns the text of a file.
    pub(crate) text: &'v dyn Fn(&str) -> Option<String>,
}

impl Part {
    pub(crate) fn key(&self) -> UnitKey {
        UnitKey::new(self.kind.word, &self.path)
    }

    /// Returns the directory of a `SKILL.md`, whose files belong to it; `None` for other files.
    pub(crate) fn directory(&self) -> Option<String> {
        let is_skill = self.file.rsplit('/').next() == Some(SKILL_FILE);
        is_skill
            .then(|| self.file.strip_suffix(SKILL_FILE).unwrap_or_default())
            .map(|directory| directory.trim_end_matches('/').to_owned())
    }

    /// Returns the head: a name in a subdirectory, or in a package, may be longer to be unique.
    pub(crate) fn head(&self, package: &str) -> UnitHead {
        let short = self.path.rsplit('/').next().unwrap_or(&self.path);
        let mut alternatives = Vec::new();
        if short != self.path {
            alternatives.push(self.path.replace('/', "-"));
        }
        if !package.is_empty() {
            alternatives.push(format!("{package}-{}", self.path.replace('/', "-")));
        }
        UnitHead {
            unit: self.key(),
            file: self.file.clone(),
            name: short.to_owned(),
            alternatives,
            call: self.call.clone(),
            aliases: self.aliases.clone(),
            type_word: self.kind.word.to_owned(),
            likeness: String::new(),
            list: String::new(),
        }
    }
}

/// The file of a skill.
pub(crate) const SKILL_FILE: &str = "SKILL.md";

/// Returns the skills below a directory: the directory itself, or the nearest directories with a
/// `SKILL.md`. `name` is for a skill at the top of the package, and `has_inner` is true for a host that also
/// takes those inside of other skills.
pub(crate) fn skills(
    directory: &str,
    (name, has_inner): (&str, bool),
    kind: &'static PartKind,
    files: &Files<'_>,
) -> Vec<Part> {
    let mut acc: Vec<Part> = Vec::new();
    let mut last: Option<String> = None;
    let mut directories: Vec<String> = files(directory)
        .iter()
        .filter_map(|file| home(file))
        .collect();
    directories.sort();
    for home in directories {
        let is_inside = |outer: &String| {
            outer.is_empty() || !has_inner && home.starts_with(&format!("{outer}/"))
        };
        if last.as_ref().is_some_and(is_inside) {
            continue;
        }
        let path = match home.rsplit('/').next() {
            Some(last) if !last.is_empty() => last,
            _ => name,
        };
        acc.push(Part {
            kind,
            path: path.to_owned(),
            call: path.to_owned(),
            aliases: Vec::new(),
            file: if home.is_empty() {
                SKILL_FILE.to_owned()
            } else {
                format!("{home}/{SKILL_FILE}")
            },
        });
        last = Some(home);
    }
    unique_paths(&mut acc);
    acc
}

/// Returns the directory of a `SKILL.md`.
fn home(file: &str) -> Option<String> {
    let home = file.strip_suffix(SKILL_FILE)?;
    (home.is_empty() || home.ends_with('/')).then(|| home.trim_end_matches('/').to_owned())
}

/// Makes paths unique by more of their directories: two skills `a/x` and `b/x` of one package.
fn unique_paths(parts: &mut [Part]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for part in &*parts {
        *counts.entry(part.path.clone()).or_default() += 1;
    }
    for part in parts {
        let count = counts.entry(part.path.clone()).or_default();
        if *count > 1 {
            *count -= 1;
            part.path = part.directory().unwrap_or_default();
        }
    }
}

/// Returns the single-file parts at or below a path, with the suffix removed from their names.
pub(crate) fn texts(
    path: &str,
    suffix: &str,
    kind: &'static PartKind,
    files: &Files<'_>,
) -> Vec<Part> {
    let base = path.trim_end_matches('/');
    let part = |file: &String| {
        let stem = file.strip_suffix(suffix)?;
        let below = match stem.strip_prefix(base) {
            Some(rest) if base.is_empty() || rest.starts_with('/') => rest.trim_start_matches('/'),
            _ => stem.rsplit('/').next()?,
        };
        let is_text = !below.is_empty() && !is_readme(below);
        is_text.then(|| Part {
            kind,
            path: below.to_owned(),
            call: below.replace('/', ":"),
            aliases: Vec::new(),
            file: file.clone(),
        })
    };
    files(path).iter().filter_map(part).collect()
}

/// Returns true for a readme, also in another language (`README.zh-CN`).
///
/// ```
/// assert!(plugin_readers::is_readme("README_de") && !plugin_readers::is_readme("readme-check"));
/// ```
pub fn is_readme(stem: &str) -> bool {
    const README: &str = "readme";
    let name = stem.rsplit('/').next().unwrap_or(stem);
    let lower = name.to_ascii_lowercase();
    let language = lower.strip_prefix(README).filter(|rest| {
        let word = rest.trim_start_matches(['.', '-', '_']);
        // `de`, `zh-CN`, `zh-Hans`; `readme-gen` and `readme-lint` are commands.
        let mut parts = word.split(['-', '_']).map(str::len);
        let is_code = parts.next() == Some(2) && parts.all(|length| matches!(length, 2..=4));
        rest.is_empty() || word.len() < rest.len() && is_code
    });
    language.is_some() || name == "SKILL"
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: PartKind = PartKind {
        word: "skill",
        unit: UnitKind::Instructions,
        keys: &[],
    };
    static STATIC_KIND: PartKind = KIND;

    fn listing(all: &[&str]) -> impl Fn(&str) -> Vec<String> {
        let all: Vec<String> = all.iter().map(|file| (*file).to_owned()).collect();
        move |below| {
            let inside = |file: &&String| {
                below.is_empty() || *file == below || file.starts_with(&format!("{below}/"))
            };
            all.iter().filter(inside).cloned().collect()
        }
    }

    #[track_caller]
    fn check(parts: &[Part], expected: &[&str]) {
        let shown: Vec<String> = parts
            .iter()
            .map(|part| format!("{} {}", part.key(), part.file))
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn finds_the_nearest_skills() {
        let files = listing(&[
            "skills/a/SKILL.md",
            "skills/a/more/SKILL.md",
            "skills/b/c/SKILL.md",
            "skills/d.md",
        ]);
        check(
            &skills("skills", ("tea", false), &STATIC_KIND, &files),
            &["skill/a skills/a/SKILL.md", "skill/c skills/b/c/SKILL.md"],
        );
        check(
            &skills("skills", ("tea", true), &STATIC_KIND, &files),
            &[
                "skill/a skills/a/SKILL.md",
                "skill/more skills/a/more/SKILL.md",
                "skill/c skills/b/c/SKILL.md",
            ],
        );
        let files = listing(&["SKILL.md", "x/SKILL.md"]);
        check(
            &skills("", ("tea", true), &STATIC_KIND, &files),
            &["skill/tea SKILL.md"],
        );
        let files = listing(&["s/a/x/SKILL.md", "s/b/x/SKILL.md"]);
        check(
            &skills("s", ("tea", false), &STATIC_KIND, &files),
            &["skill/s/a/x s/a/x/SKILL.md", "skill/x s/b/x/SKILL.md"],
        );
    }

    #[test]
    fn names_texts_by_their_path() {
        let files = listing(&[
            "c/README.md",
            "c/ReadMe.zh-CN.md",
            "c/README_de.md",
            "c/readme-check.md",
            "c/readme-gen.md",
            "c/a.md",
            "c/git/commit.md",
            "c/x.txt",
        ]);
        let parts = texts("c", ".md", &STATIC_KIND, &files);
        check(
            &parts,
            &[
                "skill/readme-check c/readme-check.md",
                "skill/readme-gen c/readme-gen.md",
                "skill/a c/a.md",
                "skill/git/commit c/git/commit.md",
            ],
        );
        let parts = &parts[2..];
        assert_eq!(parts[1].call, "git:commit");
        assert_eq!(
            parts[1].head("tea").alternatives,
            ["git-commit", "tea-git-commit"]
        );
        check(
            &texts("c/a.md", ".md", &STATIC_KIND, &files),
            &["skill/a c/a.md"],
        );
    }
}
