//! Whole-tool tests. A case is a directory under `fixtures/`; what it must give is a snapshot
//! under `tests/snapshots/`. One line for each area:
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read fixtures, and a failed read is a failed test"
)]

mod cases; // which directories are cases
mod manifests; // every manifest as `plugin-manifest` reads it
mod tree; // a written directory as one text
