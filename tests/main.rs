//! Tests of the whole tool. A case is a directory in `fixtures/`; its expected result is a snapshot in
//! `tests/snapshots/`. The modules are:
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read fixtures, and a failed read is a failed test"
)]

mod apis; // real documents of APIs, if they are present
mod bodies; // bodies of skills of other hosts
mod cases; // the directories that are cases, and a snapshot for each
mod corpus; // the real manifests, if they are present
mod formats; // real packages of other hosts, if they are present
mod fuzz; // the fuzz targets on a fixed corpus
mod hostile_hosts; // packages of other hosts that attack the migration
mod hosts; // packages of other hosts, as `skills-migrate` writes them
mod manifests; // every manifest as `plugin-manifest` reads it
mod merge; // histories of edits by hand and changes of a plugin
mod migrate; // every plugin as `skills-migrate` writes it
mod origin; // the plugin that a skill is made from
mod page; // the report as a page, in a browser
mod schema; // METADATA.yml and its JSON Schema
mod secrets; // secrets in the sources of a plugin
mod shell; // the commands of SKILL.md in each shell
mod tool; // `skills-migrate` in process
mod torture; // corpora that were made to break parsers
mod tree; // a written directory as one text
