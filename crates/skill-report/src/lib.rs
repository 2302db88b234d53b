//! Text for terminals, and in XML.
//!
//! - `answer`: the answer of a skill.
//! - `excerpt`: one finding with the line of the source that it refers to.
//! - `paint`: colours, and escaping of texts that could control a terminal.
//! - `xml`: text in XML.
//!
//! **Invariant:** values in, text out; the caller chooses the stream and the file.

mod answer;
mod excerpt;
mod paint;
mod xml;

pub use answer::{AnswerText, answer, facts};
pub use excerpt::excerpt;
pub use paint::{Paint, printable, visible};
pub use xml::xml;
