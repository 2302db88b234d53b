//! Whole-tool tests. A case is a directory under `fixtures/`; what it must give is a snapshot
//! under `tests/snapshots/`. One line for each area:
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read fixtures, and a failed read is a failed test"
)]

mod cases; // which directories are cases, and one snapshot for each
mod corpus; // the real manifests, where somebody has them
mod fuzz; // the fuzz targets on a fixed corpus
mod manifests; // every manifest as `plugin-manifest` reads it
mod merge; // histories of edits by hand and changes of a plugin
mod migrate; // every plugin as `skills-migrate` writes it
mod origin; // which plugin a skill is made from
mod page; // the report as a page, in a browser
mod schema; // METADATA.yml and its JSON Schema
mod secrets; // secrets in the sources of a plugin
mod tool; // `skills-migrate` in process
mod torture; // corpora that were made to break parsers
mod tree; // a written directory as one text
