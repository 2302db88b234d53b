//! Codes of the findings of [`read_metadata`](crate::read_metadata).

use skill_diagnostics::Code;

/// The file is not a YAML map.
pub const METADATA_UNREADABLE: Code = Code("metadata-unreadable");
/// A value has the wrong type, or is not in its closed set.
pub const METADATA_WRONG_VALUE: Code = Code("metadata-wrong-value");
/// A required key is missing.
pub const METADATA_MISSING_KEY: Code = Code("metadata-missing-key");
/// A key that this version does not know.
pub const METADATA_UNKNOWN_KEY: Code = Code("metadata-unknown-key");
