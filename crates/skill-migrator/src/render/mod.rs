//! The texts of a skill: `SKILL.md` and the references.

mod around;
mod batch;
mod body;
mod budget;
mod display;
mod earlier;
mod entry;
mod items;
mod known;
mod language;
mod lists;
mod outcome;
mod parameter;
mod parts;
mod powershell;
mod prepare;
mod prose;
mod protocol;
mod run;
mod sample_path;
mod schema_table;
mod settings;
mod shell;
mod templates;
mod title;
mod told;

pub(crate) use around::Around;
pub(crate) use body::{Documents, Sources, documents};
pub(crate) use budget::fits;
pub(crate) use entry::Original;
pub use language::{Language, LanguageChoice};
pub(crate) use parts::name;
pub(crate) use protocol::plain_words;
pub(crate) use schema_table::rows;
pub use shell::Shell;
pub use templates::{TEMPLATE_FILES, TemplateError, Templates};
