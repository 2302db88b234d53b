//! Descriptions without placeholders.

use plugin_template::{
    Dialect, Piece, PieceKind, ProseSettings, Template, dead_placeholders, dialect_of_skill,
};

use super::TextUnit;

/// Returns a description without the placeholders that its host, or the host of its body, replaces
/// by words of the user. Each agent reads it as it is.
pub(crate) fn described(unit: &TextUnit<'_>, text: &str) -> String {
    let host = Dialect::from_word(unit.package.format.word());
    let dialect = dialect_of_skill(text, host);
    let Some(dialect) = dialect.filter(|_| !dead_placeholders(text).is_empty()) else {
        return text.to_owned();
    };
    let template = Template::parse(text, dialect, &[]);
    let is_of_user = |piece: &Piece| {
        let is_argument = matches!(
            piece.kind,
            PieceKind::Arguments | PieceKind::Argument { .. }
        );
        is_argument && piece.doubt.is_none()
    };
    let settings = ProseSettings {
        language: unit.prose_language(),
        arguments: &template.arguments(""),
        first_index: usize::from(dialect != Dialect::Claude),
        replace: &|_| None,
    };
    template.prose_of(&settings, &is_of_user)
}
