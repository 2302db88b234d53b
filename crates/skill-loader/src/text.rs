//! Parts of a Markdown text: sections, pages and a shorter form. No files here.
//!
//! - [`Outline`]: the headings of a text and what each of them covers.
//! - `page`: so much of a text as a limit allows, and where the rest begins.
//! - `trim`: the whole text made shorter, with a mark at every cut.

mod heading;
mod outline;
mod page;
mod trim;
mod weight;

pub use outline::{Outline, Section};
pub use page::{Page, page};
pub use trim::trim;
