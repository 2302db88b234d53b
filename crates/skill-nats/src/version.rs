//! The version of the protocol between nodes and callers.

/// The version of subjects, messages and records. Nodes and callers of different versions refuse
/// each other.
pub(crate) const PROTOCOL: u32 = 2;

/// Returns the version of nodes whose records contain none.
pub(crate) fn first() -> u32 {
    1
}
