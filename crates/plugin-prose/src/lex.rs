//! Splits text into pieces: lines, call blocks, names, groups and tokens.
//!
//! This module does not know parameters; the productions in [`crate::form`] do.

pub(crate) mod call;
pub(crate) mod chars;
pub(crate) mod group;
pub(crate) mod line;
pub(crate) mod names;
pub(crate) mod normal;
pub(crate) mod pieces;
pub(crate) mod plain_call;
pub(crate) mod tokens;
pub(crate) mod variant;
