//! The form of a value, from its use in code.

/// The form of a value, from its use in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Shape {
    /// It is not known.
    #[default]
    Any,
    /// Its members are copied.
    Object,
    /// It is text, which the program parses as JSON.
    JsonText,
    /// It is a value, or its JSON as text.
    JsonOrText,
}
