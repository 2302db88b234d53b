//! Whole-tool tests. A case is a directory under `fixtures/`; what it must give is a snapshot
//! under `tests/snapshots/`. One line for each area:
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests read fixtures, and a failed read is a failed test"
)]

mod cases; // which directories are cases, and one snapshot for each
mod corpus; // the real manifests, where somebody has them
mod manifests; // every manifest as `plugin-manifest` reads it
mod migrate; // every plugin as `skills-migrate` writes it
mod tool; // `skills-migrate` in process
mod tree; // a written directory as one text
