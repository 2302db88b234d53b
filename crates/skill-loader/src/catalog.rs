//! Level 1: the names and descriptions of all skills of several roots.
//!
//! - [`CatalogSettings`]: where to look, how far, and which links are trusted; [`SkillRoots`]: the
//!   directories of skills in their order.
//! - [`Catalog`]: an immutable snapshot; one bad skill never affects the rest.
//! - [`CatalogCache`]: the newest good snapshot, renewed by a staleness check.
//!
//! The bounds are those of <https://agentskills.io/client-implementation/adding-skills-support>. A
//! bound that is hit is a finding.
//!
//! The parts of a host in `.host` of a root are found by their names and are not among the skills.
//!
//! **Invariant:** equal trees give equal catalogs, sorted by name.

mod cache;
mod findings;
mod read;
mod required;
mod roots;
mod scan;
mod settings;
mod skill;
mod snapshot;

#[cfg(test)]
#[cfg(unix)]
mod tests;

pub use cache::CatalogCache;
pub use findings::{codes, metadata_unusable};
pub use required::{Required, RequiredText};
pub use roots::{PROJECT_ROOTS, RootsError, SkillRoots};
pub use scan::{SKIPPED_DIRECTORIES, SearchedDirectory};
pub use settings::{Bounds, CatalogSettings, SkillRoot};
pub use skill::CatalogSkill;
pub use snapshot::{Catalog, directory};
