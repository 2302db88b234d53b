//! The body of SKILL.md: the text as it is, or without placeholders.

use plugin_model::{Format, Place, UnitKind};
use plugin_template::{
    Dialect, FirstIndex, Piece, PieceKind, ProseSettings, Template, dialect_of_skill,
    explains_prompts, input_section, read_hint,
};
use skill_diagnostics::Diagnostic;

use crate::{
    codes::{ARGUMENT_BASE_UNSURE, DEAD_PLACEHOLDER, FILE_MISSING, NUMBER_OF_CODE, UNCLOSED},
    fate::Ledger,
    plan::GeneratedFile,
};

use super::{
    TextUnit, copies, host_words, links,
    made::Made,
    prompt::prompt,
    references,
    roles::Said,
    whole::{self, is_own},
    words,
};

/// The part of a text that is a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// Everything that the host replaces.
    Whole,
    /// Everything, if there is an argument or a command and the text does not explain prompts; else only
    /// values of the host.
    IfUsed,
    /// Only values of the host, such as the directory of the package.
    Values,
}

/// The file of the template in the skill.
const TEMPLATE: &str = "references/template.md";

/// Creates the body, and gives every placeholder its fate.
pub(crate) fn make(
    unit: &TextUnit<'_>,
    said: &Said,
    extent: Extent,
    ledger: &mut Ledger<'_>,
) -> Made {
    let body = &unit.text.body;
    let Some(template) = template(unit, said) else {
        host_words::claim(unit, ledger);
        return links::rewritten(unit, body, Vec::new());
    };
    let is_whole = match extent {
        Extent::Whole => true,
        Extent::IfUsed => template.placeholders().any(is_used) && !explains_prompts(body),
        Extent::Values => false,
    };
    claim(unit, &template, is_whole, ledger);
    host_words::claim(unit, ledger);
    if is_whole {
        whole(unit, said, &template)
    } else {
        values(unit, &template)
    }
}

/// Returns the text as a template; `None` for a host without placeholders.
fn template(unit: &TextUnit<'_>, said: &Said) -> Option<Template> {
    let host = Dialect::from_word(unit.package.format.word());
    let body = &unit.text.body;
    let dialect = match unit.source.unit.kind {
        UnitKind::Instructions(_) => dialect_of_skill(body, host)?,
        _ => host?,
    };
    Some(Template::parse(body, dialect, &said.arguments))
}

/// Returns true for placeholders that make a text a template, wherever it is.
fn is_used(piece: &Piece) -> bool {
    let is_sure = piece.doubt.is_none();
    is_sure
        && matches!(
            piece.kind,
            PieceKind::Arguments | PieceKind::Argument { .. } | PieceKind::Shell { .. }
        )
}

fn claim(unit: &TextUnit<'_>, template: &Template, is_whole: bool, ledger: &mut Ledger<'_>) {
    for piece in template.placeholders() {
        let place = Place::new(&unit.document.file, piece.pointer());
        let is_value = is_replaced_value(unit, piece, template.source(piece));
        let is_kept = piece.doubt.is_some()
            || !(is_whole || is_value)
            || matches!(piece.kind, PieceKind::Text);
        match &piece.kind {
            // A command that is kept may name a skill: `` !`/tea:brew` ``.
            _ if is_kept && references::rewrite(template.source(piece), unit.names()).1 > 0 => {
                ledger.transformed(&place, "SKILL.md", "as the name of a skill");
            }
            _ if is_kept => ledger.carried(&place, "SKILL.md"),
            PieceKind::Text => {}
            PieceKind::Escaped => ledger.transformed(&place, "SKILL.md", "as text"),
            PieceKind::Arguments | PieceKind::Argument { .. } => {
                ledger.transformed(&place, "SKILL.md#Input", "as an argument with a name");
            }
            PieceKind::Shell { .. } => {
                ledger.transformed(&place, "SKILL.md", "as a request to run the command");
            }
            PieceKind::File { .. } => {
                ledger.transformed(&place, "SKILL.md", "as a request to read the file");
            }
            PieceKind::Variable { .. } => {
                ledger.transformed(&place, "SKILL.md", "in words, or as a path in the skill");
            }
        }
    }
}

fn whole(unit: &TextUnit<'_>, said: &Said, template: &Template) -> Made {
    let arguments = template.arguments(&said.argument_hint);
    let (first_index, unsure) = match template.first_index(n_hinted(template, said)) {
        FirstIndex::Known(first) => (first, None),
        FirstIndex::Unsure => (1, Some(unsure_base())),
    };
    let settings = ProseSettings {
        language: unit.prose_language(),
        arguments: &arguments,
        first_index,
        replace: &|piece| replacement(unit, piece, template.source(piece)),
    };
    let mut body = template.prose(&settings);
    let mut rows = String::new();
    if let Some(section) = input_section(template, &settings) {
        body.truncate(body.trim_end().len());
        body = format!("{body}\n\n{section}");
        let found = section.split_once("\n\n- ").map(|(_, rows)| rows);
        found.unwrap_or_default().clone_into(&mut rows);
    }
    let (named, findings) = named(unit, template.placeholders());
    let mut res = links::rewritten(unit, &body, named);
    res.rows = rows;
    res.findings.extend(findings);
    res.findings.extend(unsure);
    res.findings.extend(two_bases(template));
    res.findings.extend(left_numbers(template));
    res.findings.extend(numbers_of_code(template));
    if template.unclosed().is_some() {
        let message = "`!{` or `@{` has no closing brace: the old host refuses the prompt";
        let finding = Diagnostic::warning(UNCLOSED, message).in_file(&*unit.document.file);
        res.findings
            .push(finding.with_help("add `}` behind the command or the path"));
    }
    res.prompt = prompt(template, n_hinted(template, said), &arguments, TEMPLATE);
    res.files.push(GeneratedFile {
        path: TEMPLATE.to_owned(),
        text: unit.text.body.clone(),
    });
    res
}

/// Returns true for a value of the host that is replaced in any text. The directory of a package
/// without a path behind it is only explained, unless a command works in it. `#file:` of Copilot, and a path
/// in the directory of the host, are replaced if the package has the file.
fn is_replaced_value(unit: &TextUnit<'_>, piece: &Piece, source: &str) -> bool {
    match &piece.kind {
        PieceKind::Variable { name, path } => {
            path.is_some() || !is_own(name) || whole::is_used(piece, &unit.text.body)
        }
        PieceKind::File { .. } => {
            let is_named = source.starts_with("#file:") || is_of_home(unit, source);
            // Other agents do not know that Cursor attaches these files.
            unit.package.format == Format::Cursor
                || is_named && replacement(unit, piece, source).is_some()
        }
        _ => false,
    }
}

/// Returns true for a path that begins with the directory of the host in a project, if the package is that
/// directory: `@.claude/rules/x.md`.
fn is_of_home(unit: &TextUnit<'_>, source: &str) -> bool {
    let home = unit.source.directory.rsplit('/').next();
    let home = home.filter(|home| home.starts_with('.'));
    let path = source.strip_prefix('@').unwrap_or_default();
    let rest = home.and_then(|home| path.strip_prefix(home));
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Replaces values of the host only.
fn values(unit: &TextUnit<'_>, template: &Template) -> Made {
    let settings = ProseSettings {
        language: unit.prose_language(),
        arguments: &[],
        first_index: 0,
        replace: &|piece| value(unit, piece, template.source(piece)),
    };
    let is_replaced = |piece: &Piece| is_replaced_value(unit, piece, template.source(piece));
    let body = template.prose_of(&settings, &is_replaced);
    let values = template.placeholders().filter(|piece| is_replaced(piece));
    let (named, findings) = named(unit, values);
    let mut res = links::rewritten(unit, &body, named);
    res.findings.extend(findings);
    res
}

/// Returns a directory or file of the package in a text that is otherwise unchanged.
fn value(unit: &TextUnit<'_>, piece: &Piece, source: &str) -> Option<String> {
    if let Some(text) = replacement(unit, piece, source) {
        return Some(text);
    }
    match &piece.kind {
        PieceKind::Variable { name, path } if is_own(name) => {
            Some(path.clone().unwrap_or_else(|| ".".to_owned()))
        }
        _ => None,
    }
}

/// Returns a path of the package as the path in the skill; a file that the host includes is a link.
fn replacement(unit: &TextUnit<'_>, piece: &Piece, source: &str) -> Option<String> {
    let path = package_path(unit, piece, source)?;
    if let Some(skill) = unit.skill_of(&path) {
        return Some(words::other_skill("", skill.as_str(), unit.language()));
    }
    let is_there = !copies::expand(unit, &path).is_empty();
    let to = unit.target(&path);
    match piece.kind {
        PieceKind::File { .. } => is_there.then(|| format!("[{to}]({to})")),
        _ => Some(to),
    }
}

/// Returns the path in the package that a piece names, if it names one.
fn package_path(unit: &TextUnit<'_>, piece: &Piece, source: &str) -> Option<String> {
    match &piece.kind {
        PieceKind::Variable {
            name,
            path: Some(path),
        } => whole::own_path(unit, name, path),
        PieceKind::File { path } => match &path[..] {
            [only] if matches!(only.kind, PieceKind::Variable { .. }) => {
                package_path(unit, only, "")
            }
            _ => {
                let path = source
                    .strip_prefix("#file:")
                    .unwrap_or(source)
                    .trim_matches(['"', '\'']);
                let path = path.trim_start_matches(['@', '{']).trim_end_matches('}');
                in_project(unit, path.trim())
            }
        },
        _ => None,
    }
}

/// Returns the path in the package of a file that the host looks for in the user's project: the
/// package can be a directory of the project (`.claude`), and a skill has files of its own. Copilot
/// begins at the directory of the text.
fn in_project(unit: &TextUnit<'_>, path: &str) -> Option<String> {
    let home = unit.source.directory.rsplit('/').next();
    let home = home.filter(|home| home.starts_with('.'));
    let below = path.strip_prefix("./").unwrap_or(path);
    let in_home = home.and_then(|home| below.strip_prefix(home)?.strip_prefix('/'));
    let file = &*unit.source.unit.file;
    let beside = (unit.package.format == Format::Copilot)
        .then(|| file.rsplit_once('/').map_or("", |(base, _)| base));
    let bases = [Some(""), unit.text.directory.as_deref(), beside];
    let candidates = bases.into_iter().zip([in_home, Some(path), Some(path)]);
    let mut candidates = candidates.filter_map(|(base, path)| copies::join(base?, path?));
    candidates.find(|path| !copies::expand(unit, path).is_empty())
}

/// Returns the paths of the package that pieces name, and findings about those that are missing.
fn named<'p>(
    unit: &TextUnit<'_>,
    pieces: impl Iterator<Item = &'p Piece>,
) -> (Vec<String>, Vec<Diagnostic>) {
    let (mut named, mut findings) = (Vec::new(), Vec::new());
    let mut has_whole = false;
    for piece in pieces {
        let source = unit.text.body.get(piece.range.clone()).unwrap_or_default();
        let behind = || whole::path_behind(piece, &unit.text.body);
        let Some(path) = package_path(unit, piece, source).or_else(behind) else {
            has_whole |= whole::is_used(piece, &unit.text.body);
            continue;
        };
        if path.is_empty() || named.contains(&path) {
            continue;
        }
        if copies::expand(unit, &path).is_empty() {
            let message = format!(
                "the text uses `{}`, which the package does not have",
                path.escape_debug()
            );
            let finding = Diagnostic::warning(FILE_MISSING, message);
            findings.push(
                finding
                    .at_pointer(piece.pointer())
                    .in_file(&*unit.document.file),
            );
        }
        named.push(path);
    }
    findings.extend(has_whole.then(|| whole::finding(&unit.document.file)));
    (named, findings)
}

/// Returns the number of arguments that the frontmatter names.
fn n_hinted(template: &Template, said: &Said) -> usize {
    match template.names() {
        [] => read_hint(&said.argument_hint).len(),
        names => names.len(),
    }
}

fn unsure_base() -> Diagnostic {
    let message = "the text uses `$1` without `$0`, so its arguments are counted from 1 as in older versions of the host; newer ones count from 0";
    let finding = Diagnostic::warning(ARGUMENT_BASE_UNSURE, message);
    finding.with_help("name the arguments in `argument-hint`, one for each number")
}

/// Returns the finding about a text that counts its arguments from 1, and from 0 in code. The host knows one
/// way of counting only.
fn two_bases(template: &Template) -> Option<Diagnostic> {
    let [in_prose, in_code] = template.lowest_indices();
    let has_two =
        template.dialect() == Dialect::Claude && in_prose == Some(1) && in_code == Some(0);
    let message = "the text counts its arguments from `$1`, and from `$0` in code; its host counts both from `$0`, and so does the skill";
    let help = "if `$1` is the first argument, write `$0` in its place";
    has_two.then(|| Diagnostic::warning(ARGUMENT_BASE_UNSURE, message).with_help(help))
}

/// Returns the finding about numbers that stay in the text, because they may be amounts, although the host
/// replaced them.
fn left_numbers(template: &Template) -> Option<Diagnostic> {
    let left: Vec<String> = template
        .doubtful_numbers()
        .into_iter()
        .map(|it| format!("`{it}`"))
        .collect();
    let replaces = matches!(template.dialect(), Dialect::Codex | Dialect::OpenCode);
    let message = format!(
        "the host replaced {} in the text, which stays as it is: it can be an amount",
        left.join(", ")
    );
    let help = "if it is an argument, use the numbers from `$1` on without a gap";
    (replaces && !left.is_empty())
        .then(|| Diagnostic::warning(DEAD_PLACEHOLDER, message).with_help(help))
}

/// Returns the finding about numbers that stay in the text, because the code around them has a meaning for
/// them, although the host replaced them.
fn numbers_of_code(template: &Template) -> Option<Diagnostic> {
    let own = template.numbers_of_code().into_iter();
    let own: Vec<String> = own.map(|it| format!("`{it}`")).collect();
    let message = format!(
        "the host replaced {} in code, which stays as it is: another language or a function gives it a value there",
        own.join(", ")
    );
    let help = "if it is an argument of the prompt, name it in `argument-hint` and write it outside of that code";
    (!own.is_empty()).then(|| Diagnostic::note(NUMBER_OF_CODE, message).with_help(help))
}
