//! Words of a host that are not placeholders of its prompts: settings in braces, tools of the servers of a
//! plugin, and the place at which the host installs a package.

use std::collections::BTreeSet;

use plugin_model::{Format, Node, Place, UnitKey};
use plugin_template::{dead_placeholders, with_environment_words};
use skill_diagnostics::Diagnostic;

use crate::codes::{DEAD_PLACEHOLDER, FILE_MISSING, LINKS_REWRITTEN, REFERENCES_REWRITTEN};
use crate::fate::Ledger;

use super::{TextUnit, copies, references, words};

/// A text without such words.
pub(crate) struct Written {
    pub(crate) body: String,
    /// The files of the package that it names, relative to the package.
    pub(crate) named: Vec<String>,
    pub(crate) findings: Vec<Diagnostic>,
}

/// Writes the words of a text in neutral ones, and installed paths as paths in the skill.
pub(crate) fn written(unit: &TextUnit<'_>, body: &str) -> Written {
    let mut res = Written {
        body: body.to_owned(),
        named: Vec::new(),
        findings: Vec::new(),
    };
    installed(unit, &mut res);
    if unit.package.format == Format::OpenCode && unit.source.unit.file.contains("#/") {
        braces(unit, &mut res);
    }
    tools(unit, &mut res);
    res
}

/// Gives the words that a reader found in a body their fates.
pub(crate) fn claim(unit: &TextUnit<'_>, ledger: &mut Ledger<'_>) {
    let found = unit.document.root.get("body");
    for word in found.map_or(&[][..], Node::members) {
        let source = word.value.as_str().unwrap_or_default();
        let place = Place::new(&unit.document.file, format!("/body/{}", word.key));
        if source.starts_with("{env:") || source.starts_with("{file:") {
            ledger.transformed(&place, "SKILL.md", "in words, or as a path in the skill");
        } else if source.starts_with(TOOL) && tool(unit, source).is_some() {
            ledger.transformed(&place, "SKILL.md", "as the tool of a skill");
        } else if source.starts_with('@') && references::rewrite(source, unit.names()).1 > 0 {
            ledger.transformed(&place, "SKILL.md", "as the name of a skill");
        } else if source.starts_with(['@', 'm']) {
            ledger.carried(&place, "SKILL.md");
        }
    }
}

/// The places at which hosts install packages and skills, each with its variants of the home.
const PLACES: [(Format, &str, bool); 3] = [
    (Format::Gemini, ".gemini/extensions/", false),
    (Format::Claude, ".claude/skills/", true),
    (Format::Codex, ".codex/skills/", true),
];
const HOMES: [&str; 3] = ["~/", "$HOME/", "${HOME}/"];

/// Writes `~/.gemini/extensions/NAME/x` as the copy of `x`, if the package has this name and this file.
fn installed(unit: &TextUnit<'_>, res: &mut Written) {
    let mut n_written = 0;
    for (format, place, is_of_skill) in PLACES {
        let own = unit.text.directory.as_deref();
        if unit.package.format != format || is_of_skill && own.is_none() {
            continue;
        }
        let root = if is_of_skill {
            own.unwrap_or_default()
        } else {
            ""
        };
        let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let names = if is_of_skill {
            vec![last(root)]
        } else {
            vec![
                unit.package.identity.name.value.clone(),
                last(unit.source.directory),
            ]
        };
        for name in names.iter().filter(|name| !name.is_empty()) {
            for home in HOMES {
                let prefix = format!("{home}{place}{name}/");
                n_written += replace_paths(unit, root, &prefix, res);
            }
        }
    }
    if n_written > 0 {
        let message = format!(
            "paths at which the old host installs the package were written as paths in the skill: {n_written}"
        );
        res.findings
            .push(Diagnostic::note(LINKS_REWRITTEN, message));
    }
}

/// Writes paths that begin with the directory of the host in a project (`.github/shared/a.md`) as those of
/// the copies that the skill has. Other paths are those of the user's project.
pub(crate) fn of_copies(unit: &TextUnit<'_>, body: &str, copied: &BTreeSet<String>) -> String {
    let home = unit.source.directory.rsplit('/').next();
    let Some(home) = home.filter(|home| home.starts_with('.')) else {
        return body.to_owned();
    };
    let prefix = format!("{home}/");
    let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+');
    let mut parts = body.split(prefix.as_str());
    let mut res = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c| !is_of_path(c)).unwrap_or(part.len());
        let path = part[..end].trim_end_matches('.');
        let is_whole = !res.ends_with(|c| is_of_path(c) || matches!(c, '~' | '}' | '\\'));
        if is_whole && copied.contains(path) {
            res.push_str(&unit.target(path));
            res.push_str(&part[path.len()..]);
        } else {
            res.push_str(&prefix);
            res.push_str(part);
        }
    }
    res
}

fn replace_paths(unit: &TextUnit<'_>, root: &str, prefix: &str, res: &mut Written) -> usize {
    let mut n_written = 0;
    let body = std::mem::take(&mut res.body);
    let mut parts = body.split(prefix);
    res.body.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+');
        let end = part.find(|c| !is_of_path(c)).unwrap_or(part.len());
        let end = part[..end].trim_end_matches('.').len();
        let path = copies::join(root, &part[..end]);
        let path = path.filter(|path| !copies::expand(unit, path).is_empty());
        let Some(path) = path else {
            res.body.push_str(prefix);
            res.body.push_str(part);
            continue;
        };
        res.body.push_str(&unit.target(&path));
        res.body
            .push_str(if part[..end].ends_with('/') { "/" } else { "" });
        res.body.push_str(&part[end..]);
        res.named.push(path);
        n_written += 1;
    }
    n_written
}

/// Writes `{env:KEY}` and `{file:PATH}`, which OpenCode replaces in its settings. In its Markdown files they
/// are text.
fn braces(unit: &TextUnit<'_>, res: &mut Written) {
    let words = |key: &str| words::variable(key, unit.language());
    let body = with_environment_words(&res.body, &words);
    let mut parts = body.split("{file:");
    parts.next().unwrap_or_default().clone_into(&mut res.body);
    for part in parts {
        let inner = part
            .split_once('}')
            .filter(|(path, _)| !path.contains('\n'));
        let Some((path, rest)) = inner else {
            res.body.push_str("{file:");
            res.body.push_str(part);
            continue;
        };
        let is_code = is_code(&res.body);
        let text = file(unit, path.trim(), is_code, &mut res.findings);
        res.body.push_str(&text);
        res.body.push_str(rest);
    }
}

fn file(unit: &TextUnit<'_>, path: &str, is_code: bool, findings: &mut Vec<Diagnostic>) -> String {
    if is_code {
        return path.to_owned();
    }
    let file = &*unit.source.unit.file;
    let base = file.rsplit_once('/').map_or("", |(base, _)| base);
    let found = copies::join(base, path).filter(|path| unit.has_file(path));
    if found.is_some() {
        let name = path.rsplit('/').next().unwrap_or(path);
        return format!("[{name}]({path})");
    }
    let message = format!(
        "the text uses `{}`, which the package does not have",
        path.escape_debug()
    );
    findings.push(Diagnostic::warning(FILE_MISSING, message).in_file(file));
    format!("`{path}`")
}

/// Returns whether a text ends inside of code, so that what follows is shown as it is.
fn is_code(before: &str) -> bool {
    let is_fence = |line: &str| line.trim_start().starts_with("```");
    let n_fences = before.lines().filter(|line| is_fence(line)).count();
    let line = before.rsplit('\n').next().unwrap_or_default();
    n_fences % 2 == 1 || line.matches('`').count() % 2 == 1
}

/// The mark of the tools of the servers of a plugin.
const TOOL: &str = "mcp__plugin_";

/// Writes `mcp__plugin_tea_kettle__boil` as the tool `boil` of the skill of the server `kettle`.
fn tools(unit: &TextUnit<'_>, res: &mut Written) {
    if !res.body.contains(TOOL) {
        return;
    }
    let body = std::mem::take(&mut res.body);
    let mut rest = body.as_str();
    let mut n_written = 0;
    while let Some(at) = rest.find(TOOL) {
        let (before, behind) = rest.split_at(at);
        res.body.push_str(before);
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '*');
        let end = behind.find(|c| !is_of_name(c)).unwrap_or(behind.len());
        let (token, after) = behind.split_at(end);
        let is_whole = res.body.ends_with('`') && after.starts_with('`');
        let found = tool(unit, token).filter(|_| is_whole || !is_code(&res.body));
        rest = after;
        let Some((tool, skill)) = found else {
            res.body.push_str(token);
            continue;
        };
        n_written += 1;
        let words = words::tool_of(tool, &skill, unit.language());
        if is_whole {
            res.body.pop();
            rest = &after[1..];
        }
        res.body.push_str(&words);
    }
    res.body.push_str(rest);
    if n_written > 0 {
        let n_replaced = n_written;
        let message = format!(
            "{n_replaced} references to other parts were written as the names of their skills"
        );
        res.findings
            .push(Diagnostic::note(REFERENCES_REWRITTEN, message));
    }
}

/// Returns the name of a tool, and the skill of its server.
fn tool<'t>(unit: &TextUnit<'_>, token: &'t str) -> Option<(&'t str, String)> {
    let (owner, tool) = token.strip_prefix(TOOL)?.split_once("__")?;
    let package = &unit.package.identity.name.value;
    let server = owner.strip_prefix(package.as_str())?.strip_prefix('_')?;
    let skills = unit.source.calls.units;
    let skill = skills.get(&UnitKey::new("server", server))?;
    (!tool.is_empty()).then(|| (tool, skill.to_string()))
}

/// The most placeholders that a finding names.
const MAX_NAMED: usize = 6;

/// Returns the finding about what nothing replaces in a finished body.
pub(crate) fn left(unit: &TextUnit<'_>, body: &str) -> Option<Diagnostic> {
    let dead = dead_placeholders(body);
    let mut named: Vec<&str> = dead.iter().map(|dead| &body[dead.range.clone()]).collect();
    named.extend(body.match_indices(TOOL).map(|(at, _)| {
        let token = &body[at..];
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '*');
        &token[..token.find(|c| !is_of_name(c)).unwrap_or(token.len())]
    }));
    named.sort_unstable();
    named.dedup();
    if named.is_empty() {
        return None;
    }
    let shown = named.iter().take(MAX_NAMED);
    let shown: Vec<String> = shown
        .map(|it| format!("`{}`", it.replace('`', "'").escape_debug()))
        .collect();
    let mut list = shown.join(", ");
    if named.len() > MAX_NAMED {
        list = format!("{list} and {} more", named.len() - MAX_NAMED);
    }
    let message = format!("the text has words of an old host that no agent replaces: {list}");
    let finding = Diagnostic::warning(DEAD_PLACEHOLDER, message).in_file(&*unit.document.file);
    Some(finding.with_help("write in SKILL.md what they mean"))
}
