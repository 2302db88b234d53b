//! The result of a migration as text, JSON, or a page.

mod json;
mod next;
mod notices;
mod page;
mod repeated;
mod table;
mod text;
mod view;

pub use json::render as json;
pub use next::NextSteps;
pub use notices::{merged_shards, notice, rollback};
pub use page::render as page;
pub use text::{errors, not_searched, write as text};
pub use view::View;
