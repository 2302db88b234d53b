//! Paths of the package in the names of tools: `Bash(${CLAUDE_PLUGIN_ROOT}/scripts/x.sh:*)`.

use plugin_template::{Dialect, PieceKind, Template, dialect_of_skill, is_project};

use super::{TextUnit, copies, whole};

/// Returns tools with the paths of the copies that the skill has, and the files of the package that they
/// are. A path of the project begins with `./`.
pub(crate) fn in_skill(unit: &TextUnit<'_>, tools: &str) -> (String, Vec<String>) {
    let host = Dialect::from_word(unit.package.format.word());
    let Some(dialect) = dialect_of_skill(tools, host) else {
        return (tools.to_owned(), Vec::new());
    };
    let template = Template::parse(tools, dialect, &[]);
    let mut named = Vec::new();
    let written = template.pieces().iter().map(|piece| {
        let source = template.source(piece);
        let PieceKind::Variable { name, path } = &piece.kind else {
            return source.to_owned();
        };
        let path = path.as_deref().unwrap_or_default();
        if is_project(name) {
            return format!("./{path}");
        }
        let Some(in_package) = whole::own_path(unit, name, path) else {
            return source.to_owned();
        };
        let to = match unit.target(&in_package) {
            to if to.is_empty() => ".".to_owned(),
            to => to,
        };
        let end = if path.ends_with('/') { "/" } else { "" };
        if !copies::expand(unit, &in_package).is_empty() {
            named.push(in_package);
        }
        to + end
    });
    let written: String = written.collect();
    (written, named)
}
