//! Links in the files that a skill gets. They lead to its own files; the finding names those that
//! lead nowhere.

use std::collections::{BTreeMap, BTreeSet};

use skill_diagnostics::Diagnostic;

use crate::{
    codes::{LINKS_BROKEN, LINKS_REWRITTEN},
    dead_links::{is_relative, unlinked},
    plan::{CopiedFile, GeneratedFile},
};

use super::{TextUnit, copies::join, words};

/// The most links that a finding names.
const MAX_NAMED: usize = 6;

/// Writes the copies whose links would lead elsewhere as texts of their own. Returns the findings.
pub(super) fn follow(
    unit: &TextUnit<'_>,
    copies: &mut Vec<CopiedFile>,
    generated: &mut Vec<GeneratedFile>,
) -> Vec<Diagnostic> {
    let mut places: BTreeMap<String, String> = copies
        .iter()
        .map(|copy| (copy.from.clone(), copy.to.clone()))
        .collect();
    places.insert(unit.source.unit.file.to_string(), "SKILL.md".to_owned());
    let mut links = Links {
        unit,
        places: &places,
        broken: BTreeSet::new(),
        n_rewritten: 0,
    };
    let mut written = Vec::new();
    copies.retain(|copy| {
        let is_markdown = [".md", ".mdc", ".markdown"]
            .iter()
            .any(|end| copy.to.ends_with(end));
        let texts = unit.package.sources.texts;
        let text = texts.get(&copy.from).filter(|_| is_markdown);
        let is_whole = |text: &&String| text.len() as u64 == copy.bytes && text.contains("](");
        let Some(text) = text.filter(is_whole) else {
            return true;
        };
        let new = links.text(copy, text);
        let is_same = new == *text;
        if !is_same {
            written.push(GeneratedFile {
                path: copy.to.clone(),
                text: new,
            });
        }
        is_same
    });
    let findings = links.findings();
    generated.extend(written);
    findings
}

struct Links<'a, 'u> {
    unit: &'a TextUnit<'u>,
    /// The path in the skill of each file, by its path in the package.
    places: &'a BTreeMap<String, String>,
    /// The file and the link, for those that lead nowhere.
    broken: BTreeSet<(String, String)>,
    n_rewritten: usize,
}

impl Links<'_, '_> {
    fn text(&mut self, copy: &CopiedFile, text: &str) -> String {
        let mut res = String::with_capacity(text.len());
        let mut fence: Option<&str> = None;
        for line in text.split_inclusive('\n') {
            let start = line.trim_start();
            let mark = ["```", "~~~"].into_iter().find(|it| start.starts_with(it));
            let is_code = fence.is_some() || mark.is_some();
            match (fence, mark) {
                (None, Some(mark)) => fence = Some(mark),
                (Some(open), Some(mark)) if open == mark => fence = None,
                _ => {}
            }
            if is_code || !line.contains("](") {
                res.push_str(line);
            } else {
                self.line(copy, line, &mut res);
            }
        }
        res
    }

    fn line(&mut self, copy: &CopiedFile, line: &str, res: &mut String) {
        let mut rest = line;
        while let Some(at) = rest.find("](") {
            let (before, link) = rest.split_at(at + 2);
            let end = link.find([')', '#', ' ', '\n']).unwrap_or(link.len());
            let (path, after) = link.split_at(end);
            let is_in_code = before.matches('`').count() % 2 == 1;
            rest = after;
            if !is_relative(path) || is_in_code {
                res.push_str(before);
                res.push_str(path);
                continue;
            }
            if let (Some(skill), Some(close), Some(open)) =
                (self.skill(copy, path), after.find(')'), before.rfind('['))
            {
                let (language, text) = (self.unit.language(), &before[open + 1..at]);
                res.push_str(&before[..open]);
                res.push_str(&words::other_skill(text, &skill, language));
                rest = &after[close + 1..];
                self.n_rewritten += 1;
                continue;
            }
            if let (Some(target), Some(close), Some(open)) = (
                self.left_out(copy, path),
                after.find(')'),
                before.rfind('['),
            ) {
                res.push_str(&before[..open]);
                res.push_str(&unlinked(&before[open + 1..at], path));
                rest = &after[close + 1..];
                self.broken.insert((copy.to.clone(), target));
                continue;
            }
            if let (true, Some(close), Some(open)) = (
                self.is_elsewhere(copy, path),
                after.find(')'),
                before.rfind('['),
            ) {
                res.push_str(&before[..open]);
                res.push_str(&unlinked(&before[open + 1..at], path));
                rest = &after[close + 1..];
                self.n_rewritten += 1;
                continue;
            }
            res.push_str(before);
            let new = self.path(copy, path);
            self.n_rewritten += usize::from(new != path);
            res.push_str(&new);
        }
        res.push_str(rest);
    }

    /// Returns the skill of the text that a link leads to.
    fn skill(&self, copy: &CopiedFile, path: &str) -> Option<String> {
        let target = join(parent(&copy.from), path)?;
        Some(self.unit.skill_of(&target)?.to_string())
    }

    /// Returns the file of the package that a link leads to, if no skill gets it.
    fn left_out(&self, copy: &CopiedFile, path: &str) -> Option<String> {
        let target = join(parent(&copy.from), path)?;
        self.unit.is_left_out(&target).then_some(target)
    }

    /// Returns whether a link leads to a file or a directory of the package that this skill does not need.
    fn is_elsewhere(&self, copy: &CopiedFile, path: &str) -> bool {
        let target = join(parent(&copy.from), &path.replace("%20", " "));
        target.is_some_and(|target| {
            let is_there =
                self.unit.has_file(&target) || !self.unit.files_below(&target).is_empty();
            is_there && self.place(&target).is_none()
        })
    }

    /// Returns the path from a copy to the copy of what its link leads to.
    fn path(&mut self, copy: &CopiedFile, path: &str) -> String {
        let target = join(parent(&copy.from), &path.replace("%20", " "));
        let to = target.as_deref().and_then(|target| self.place(target));
        match to {
            Some(to) => {
                let here = join(parent(&copy.to), &path.replace("%20", " "));
                if here.as_deref() == Some(&*to) {
                    path.to_owned()
                } else {
                    relative(parent(&copy.to), &to).replace(' ', "%20")
                }
            }
            None => {
                self.broken.insert((copy.to.clone(), path.to_owned()));
                path.to_owned()
            }
        }
    }

    /// Returns the path in the skill of a file or a directory of the package.
    fn place(&self, target: &str) -> Option<String> {
        if let Some(to) = self.places.get(target) {
            return Some(to.clone());
        }
        if target.is_empty() {
            return Some(String::new());
        }
        let inside = format!("{target}/");
        let (from, to) = self.places.range(inside.clone()..).next()?;
        let below = from.strip_prefix(&inside)?;
        let directory = to.strip_suffix(below)?.trim_end_matches('/');
        Some(directory.to_owned())
    }

    fn findings(self) -> Vec<Diagnostic> {
        let mut res = Vec::new();
        if self.n_rewritten > 0 {
            let message = format!(
                "links in copied files were written as paths of the skill's own copies, or as names of other skills: {}",
                self.n_rewritten
            );
            res.push(Diagnostic::note(LINKS_REWRITTEN, message));
        }
        if !self.broken.is_empty() {
            let shown = self.broken.iter().take(MAX_NAMED);
            let shown: Vec<String> = shown
                .map(|(file, link)| format!("`{}` in `{file}`", link.escape_debug()))
                .collect();
            let more = self.broken.len() - shown.len();
            let list = shown.join(", ");
            let list = if more > 0 {
                format!("{list} and {more} more")
            } else {
                list
            };
            let message = format!("links of copied files lead to nothing in the package: {list}");
            res.push(Diagnostic::note(LINKS_BROKEN, message));
        }
        res
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Returns the path from a directory to a file.
fn relative(directory: &str, to: &str) -> String {
    let from: Vec<&str> = directory
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    let to: Vec<&str> = to.split('/').filter(|part| !part.is_empty()).collect();
    let pairs = from.iter().zip(&to);
    let n_same = pairs.take_while(|(a, b)| a == b).count();
    let up = from[n_same..].iter().map(|_| "..");
    let parts: Vec<&str> = up.chain(to[n_same..].iter().copied()).collect();
    if parts.is_empty() {
        ".".to_owned()
    } else {
        parts.join("/")
    }
}
