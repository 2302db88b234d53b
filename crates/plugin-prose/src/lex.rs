//! From text to pieces: lines, call blocks, names, groups and tokens.
//!
//! Nothing here knows what a parameter is; the productions in [`crate::form`] do.

pub(crate) mod call;
pub(crate) mod chars;
pub(crate) mod group;
pub(crate) mod line;
pub(crate) mod names;
pub(crate) mod normal;
pub(crate) mod pieces;
pub(crate) mod tokens;
pub(crate) mod variant;
