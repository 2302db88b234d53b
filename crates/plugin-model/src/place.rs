//! Values and the places that they come from.

use std::sync::Arc;

use crate::Node;

/// A position in a document of a package: a file, and a JSON Pointer into its tree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Path of the file relative to the package, `/` between components.
    pub file: Arc<str>,
    /// The JSON Pointer (RFC 6901); empty for the whole document.
    pub pointer: String,
}

impl Place {
    /// Creates a place.
    pub fn new(file: &Arc<str>, pointer: impl Into<String>) -> Self {
        Self {
            file: Arc::clone(file),
            pointer: pointer.into(),
        }
    }

    /// Returns the place of the child with this key or position. The key must be escaped
    /// ([`crate::escape_pointer`]).
    ///
    /// ```
    /// let place = plugin_model::Place::new(&"plugin.json".into(), "/author");
    /// assert_eq!(place.child("name").pointer, "/author/name");
    /// ```
    #[must_use]
    pub fn child(&self, token: impl std::fmt::Display) -> Self {
        Self {
            file: Arc::clone(&self.file),
            pointer: format!("{}/{token}", self.pointer),
        }
    }
}

/// A value of a document and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field<T> {
    /// The value as the host would use it.
    pub value: T,
    /// The place of the value.
    pub place: Place,
    /// True if the source has the type that the host expects; `"1200"` for a number is not exact.
    pub exact: bool,
}

/// A part of a document, of any type, and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    /// The place of the part.
    pub place: Place,
    /// The part.
    pub node: Node,
}
