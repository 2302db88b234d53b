//! The languages of the tools.
//!
//! The code has English texts. `zh.txt` has a row for each of them with the Chinese text.
//! [`Language::say`] finds the row of a finished text: the English text of a row is a template, whose
//! slots match names, paths and numbers.
//!
//! - [`Language`]: the language of a person, and its choice: `--ui-lang`, or the locale.
//! - [`say!`]: formats a text and translates it.
//! - `table`: the rows; `template`: the search and the replacement.
//! - `arguments`: the command line of a tool, with the feature of that name; [`help`]: the help and the errors of a command line.
//!
//! **Invariant:** machine formats are English. A text without a row is printed in English.

#[cfg(feature = "arguments")]
pub mod arguments;
pub mod help;
mod language;
mod table;
mod template;
mod width;

pub use language::{FLAG, Language};
pub use table::{Row, rows};
pub use width::columns;

/// Formats a text as `format!` does and translates it.
///
/// ```
/// use skill_language::{Language, say};
///
/// let n = 3;
/// assert_eq!(say!(Language::English, "found {n} skills"), "found 3 skills");
/// ```
#[macro_export]
macro_rules! say {
    ($language:expr, $($text:tt)+) => {
        String::from($language.say(&format!($($text)+)))
    };
}
