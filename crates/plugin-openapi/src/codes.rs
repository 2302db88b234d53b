//! The codes of the findings about a document.

use skill_diagnostics::Code;

/// A reference leads nowhere, to the network, or out of the package.
pub const UNRESOLVED: Code = Code("unresolved-reference");
/// A part of the document has no counterpart in a skill.
pub const UNSUPPORTED: Code = Code("unsupported-part");
/// The document has no operation.
pub const NO_OPERATIONS: Code = Code("no-operations");
/// Two operations have one identifier.
pub const DUPLICATE_OPERATION: Code = Code("duplicate-operation");
/// The document names no server.
pub const NO_SERVER: Code = Code("no-server");
/// A document names several servers; the first one is used.
pub const OTHER_SERVERS: Code = Code("other-servers");
/// A token must be obtained from an authorization server.
pub const TOKEN_NEEDED: Code = Code("token-needed");
/// A schema is too deep or too large and was cut.
pub const SCHEMA_CUT: Code = Code("schema-cut");
/// The address of a server has a secret.
pub const SECRET_FOUND: Code = Code("secret-found");
/// An operation, or what holds operations, is not an object.
pub const BROKEN_OPERATION: Code = Code("broken-operation");
