//! Links of a text that leave the directory of its skill.

use plugin_model::Format;
use skill_diagnostics::Diagnostic;

use crate::codes::{LINKS_BROKEN, LINKS_REWRITTEN};
use crate::dead_links::{is_relative, unlinked};

use super::{TextUnit, copies, host_words, made::Made, outside, programs, words};

/// Returns the body with links to files of the package outside of the skill's own directory written
/// as the paths of their copies: `](../../shared/a.md)` becomes `](shared/a.md)`.
pub(crate) fn rewritten(unit: &TextUnit<'_>, body: &str, mut named: Vec<String>) -> Made {
    let written = host_words::written(unit, body);
    named.extend(written.named);
    let body = written.body.as_str();
    let file = &*unit.source.unit.file;
    let base = file.rsplit_once('/').map_or("", |(base, _)| base);
    let mut res = String::with_capacity(body.len());
    let mut rest = body;
    let (mut n_rewritten, mut n_of_project) = (0, 0);
    let (mut broken, mut lost): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    while let Some(at) = rest.find("](") {
        let (before, link) = rest.split_at(at + 2);
        let end = link.find([')', '#', ' ', '\n']).unwrap_or(link.len());
        let target = linked(unit, base, &link[..end]);
        if let Some(path) = of_project(unit, base, &link[..end]).filter(|_| target.is_none()) {
            res.push_str(before);
            res.push_str(&path);
            rest = &link[end..];
            n_of_project += 1;
            continue;
        }
        let skill = target.as_deref().and_then(|target| unit.skill_of(target));
        if let (Some(skill), Some(close)) = (skill, link.find(')'))
            && let Some(open) = before.rfind('[')
        {
            // A link to another skill is its name: each skill is on its own.
            let words = &before[open + 1..at];
            res.push_str(&before[..open]);
            res.push_str(&words::other_skill(words, skill.as_str(), unit.language()));
            rest = &link[close + 1..];
            n_rewritten += 1;
            continue;
        }
        if let (Some(_), Some(close), Some(open)) = (
            left_out(unit, base, &link[..end]).filter(|_| target.is_none()),
            link.find(')'),
            before.rfind('['),
        ) {
            res.push_str(&before[..open]);
            res.push_str(&unlinked(&before[open + 1..at], &link[..end]));
            rest = &link[close + 1..];
            if !lost.contains(&&link[..end]) {
                lost.push(&link[..end]);
            }
            continue;
        }
        if target.is_none() && link.starts_with("../") && !broken.contains(&&link[..end]) {
            broken.push(&link[..end]);
        }
        res.push_str(before);
        let path = path_in_skill(unit, target.as_deref(), &link[..end]);
        n_rewritten += usize::from(path != link[..end]);
        res.push_str(&path);
        named.extend(target);
        rest = &link[end..];
    }
    res.push_str(rest);
    let body = code_paths(unit, base, &res, &mut n_of_project);
    n_rewritten += usize::from(body != res && n_of_project == 0);
    let called = programs::as_paths(unit, body);
    let paths = copies::mentioned(unit, file, &res).into_iter();
    named.extend(paths.filter(|path| path.contains('/')));
    named.extend(upward(unit, base, &res));
    named.extend(called.named);
    let is_known = |path: &str| {
        broken.contains(&path)
            || linked(unit, base, path).is_some()
            || of_project(unit, base, path).is_some()
    };
    let outside = outside::finding(unit, &is_known);
    Made {
        body: called.body,
        rows: String::new(),
        prompt: None,
        files: Vec::new(),
        named,
        findings: written
            .findings
            .into_iter()
            .chain(finding(n_rewritten))
            .chain(project_finding(n_of_project))
            .chain(called.finding)
            .chain(broken_finding(&broken).map(|it| it.in_file(file)))
            .chain(lost_finding(&lost).map(|it| it.in_file(file)))
            .chain(outside)
            .collect(),
    }
}

/// Returns the finding about links that are not those of the original text.
fn finding(n_rewritten: usize) -> Option<Diagnostic> {
    let message = format!(
        "links out of the skill were written as paths of its own copies, or as names of other skills: {n_rewritten}"
    );
    (n_rewritten > 0).then(|| Diagnostic::note(LINKS_REWRITTEN, message))
}

/// Returns the path in the user's project to which a link leads that begins at the directory of the
/// text in the project (`.github/prompts`), or that has the scheme of Cursor for such paths. A skill
/// is in another directory than the text was.
fn of_project(unit: &TextUnit<'_>, base: &str, path: &str) -> Option<String> {
    if unit.package.format == Format::Cursor
        && let Some(path) = path.strip_prefix("mdc:")
    {
        return copies::join("", path.trim_start_matches('/')).filter(|path| !path.is_empty());
    }
    let home = unit.source.directory.rsplit('/').next();
    let home = home.filter(|home| home.starts_with('.') && path.starts_with("../"))?;
    let path = copies::join(&format!("{home}/{base}"), path)?;
    let is_in_home = path == home || path.starts_with(&format!("{home}/"));
    (!is_in_home && !path.is_empty()).then_some(path)
}

/// Returns the finding about links to files that the skill does not have.
fn project_finding(n_of_project: usize) -> Option<Diagnostic> {
    let message = format!(
        "links to files of the user's project were written as paths in the project: {n_of_project}"
    );
    (n_of_project > 0).then(|| Diagnostic::note(LINKS_REWRITTEN, message))
}

/// Returns the finding about links out of the skill to nothing that the package has.
fn broken_finding(broken: &[&str]) -> Option<Diagnostic> {
    let first = broken.first()?.escape_debug();
    let more = broken.len() - 1;
    let message = match more {
        0 => format!(
            "a link of the text leads out of the skill to nothing in the package: `{first}`"
        ),
        _ => format!(
            "links of the text lead out of the skill to nothing in the package: `{first}` and {more} more"
        ),
    };
    Some(Diagnostic::warning(LINKS_BROKEN, message))
}

/// Returns the file of the package that a link leads to, if no skill gets it: a symbolic link, for example.
fn left_out(unit: &TextUnit<'_>, base: &str, path: &str) -> Option<String> {
    let path = Some(path).filter(|path| is_relative(path))?;
    let candidates = [copies::join(base, path), copies::join("", path)];
    let mut found = candidates.into_iter().flatten();
    found.find(|path| unit.is_left_out(path))
}

/// Returns the finding about links to files that no skill gets.
fn lost_finding(lost: &[&str]) -> Option<Diagnostic> {
    let first = lost.first()?.escape_debug();
    let more = lost.len() - 1;
    let message = match more {
        0 => format!("a link of the text leads to a file that is not carried: `{first}`"),
        _ => format!(
            "links of the text lead to files that are not carried: `{first}` and {more} more"
        ),
    };
    let finding = Diagnostic::warning(LINKS_BROKEN, message);
    Some(
        finding.with_help("the text names the path; put a copy of the file in the place of a link"),
    )
}

/// Returns the body with the paths in code, outside of fences, that lead out of the directory of
/// the text written as the paths of their copies. Copilot begins at the directory of the text, so
/// that other paths are those of the user's project, which are counted.
fn code_paths(unit: &TextUnit<'_>, base: &str, body: &str, n_of_project: &mut usize) -> String {
    let is_copilot = unit.package.format == Format::Copilot;
    if !body.contains("`../") {
        return body.to_owned();
    }
    let mut res = String::with_capacity(body.len());
    let mut is_fence = false;
    for line in body.split_inclusive('\n') {
        let is_mark = {
            let line = line.trim_start();
            line.starts_with("```") || line.starts_with("~~~")
        };
        is_fence ^= is_mark;
        if is_fence || is_mark || line.contains("``") {
            res.push_str(line);
            continue;
        }
        for (at, part) in line.split('`').enumerate() {
            res.push_str(if at > 0 { "`" } else { "" });
            let is_path = at % 2 == 1 && part.starts_with("../");
            let target = is_path.then(|| linked(unit, base, part)).flatten();
            match target.as_deref().and_then(|target| unit.skill_of(target)) {
                Some(skill) => res.push_str(skill.as_str()),
                None if target.is_none() && is_path && is_copilot => {
                    let path = of_project(unit, base, part);
                    *n_of_project += usize::from(path.is_some());
                    res.push_str(path.as_deref().unwrap_or(part));
                }
                None => res.push_str(&path_in_skill(unit, target.as_deref(), part)),
            }
        }
    }
    res
}

/// Returns the files of the package to which paths lead that begin with `../`.
fn upward(unit: &TextUnit<'_>, base: &str, body: &str) -> Vec<String> {
    let parts = body.split('`').filter(|part| part.starts_with("../"));
    parts.filter_map(|part| linked(unit, base, part)).collect()
}

/// Returns a path of a link, or that of the copy in the skill if it leads elsewhere.
fn path_in_skill(unit: &TextUnit<'_>, target: Option<&str>, path: &str) -> String {
    let copy = target.map(|target| unit.target(target));
    let copy = copy.filter(|copy| copy != path.trim_start_matches("./"));
    copy.unwrap_or_else(|| path.to_owned())
}

/// Returns the file of the package that a link leads to; that of a skill, if it leads to the directory of
/// one.
fn linked(unit: &TextUnit<'_>, base: &str, path: &str) -> Option<String> {
    if path.is_empty() {
        return None;
    }
    let candidates = [copies::join(base, path), copies::join("", path)];
    let candidates = candidates.into_iter().flatten();
    let mut found = candidates.map(|path| {
        let skill = format!("{}/SKILL.md", path.trim_end_matches('/'));
        let is_skill = !unit.has_file(&path) && unit.skill_of(&skill).is_some();
        if is_skill { skill } else { path }
    });
    found.find(|path| unit.has_file(path))
}
