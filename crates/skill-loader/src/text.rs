//! Parts of a Markdown text: sections, pages and a shortened form. No file access.
//!
//! - [`Outline`]: the headings of a text and their ranges.
//! - [`page`]: as much of a text as a limit allows, and the start of the rest.
//! - [`trim`]: the whole text shortened, with a mark at every cut.

mod heading;
mod outline;
mod page;
mod trim;
mod weight;

pub use outline::{Outline, Section};
pub use page::{Page, page};
pub use trim::trim;
