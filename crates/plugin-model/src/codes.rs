//! The codes of the findings about a document.

use skill_diagnostics::Code;

/// The text is not JSON.
pub const MALFORMED_JSON: Code = Code("malformed-json");
/// A key is repeated in an object.
pub const DUPLICATE_KEY: Code = Code("duplicate-key");
/// A string contains half of a surrogate pair.
pub const LONE_SURROGATE: Code = Code("lone-surrogate");
