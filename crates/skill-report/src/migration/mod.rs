//! The result of a migration as text, JSON, or a page.

mod json;
mod page;
mod text;

pub use json::render as json;
pub use page::render as page;
pub use text::{View, errors, not_searched, write as text};
