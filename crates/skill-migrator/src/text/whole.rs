//! The directory of a package as a whole: `cd "${CLAUDE_PLUGIN_ROOT}"`.

use plugin_template::{Piece, PieceKind};
use skill_diagnostics::Diagnostic;

use crate::codes::WHOLE_PACKAGE;

use super::{TextUnit, copies};

/// Returns true if a command works in the directory that a piece stands for, or a path follows
/// behind its quote. A text that explains the variable does neither.
pub(crate) fn is_used(piece: &Piece, body: &str) -> bool {
    const BEFORE: [&str; 5] = ["cd ", "-C ", "--directory ", "--project ", "--plugin-dir "];
    if !is_whole(piece) {
        return false;
    }
    let before = body.get(..piece.range.start).unwrap_or_default();
    let before = before.strip_suffix(['"', '\'']).unwrap_or(before);
    BEFORE.iter().any(|word| before.ends_with(word)) || path_behind(piece, body).is_some()
}

/// Returns the path behind the closing quote of a directory: `a.py` in `"${X}"/a.py`.
pub(crate) fn path_behind(piece: &Piece, body: &str) -> Option<String> {
    let behind = body.get(piece.range.end..).filter(|_| is_whole(piece))?;
    let path = behind.strip_prefix("\"/").or(behind.strip_prefix("'/"))?;
    let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    let end = path.find(|c| !is_of_path(c)).unwrap_or(path.len());
    copies::join("", path[..end].trim_end_matches(['.', '/'])).filter(|path| !path.is_empty())
}

fn is_whole(piece: &Piece) -> bool {
    matches!(&piece.kind, PieceKind::Variable { name, path: None } if is_own(name))
}

/// Returns the finding about a text that works in the directory of the package.
pub(crate) fn finding(file: &str) -> Diagnostic {
    let message = "a command of the text works in the directory of the package, of which the skill has only the files that its texts name";
    let finding = Diagnostic::warning(WHOLE_PACKAGE, message).in_file(file);
    finding.with_help("copy what the command needs into the skill")
}

/// Returns true for the directory of the package or of the skill.
pub(crate) fn is_own(name: &str) -> bool {
    matches!(
        name,
        "CLAUDE_PLUGIN_ROOT" | "CLAUDE_SKILL_DIR" | "PLUGIN_ROOT" | "extensionPath"
    )
}

/// Returns the path in the package behind a value of the host, if the value is a directory of it.
pub(crate) fn own_path(unit: &TextUnit<'_>, name: &str, path: &str) -> Option<String> {
    let base = match name {
        "CLAUDE_SKILL_DIR" => unit.text.directory.as_deref().unwrap_or_default(),
        _ => "",
    };
    let path = copies::join(base, path.trim_end_matches('/'));
    path.filter(|_| is_own(name))
}
