//! Descriptions of skills, the part of a prompt that is about them, and their cost in tokens.

mod chart;
mod clients;
mod costs;
mod descriptions;
mod prompt;
mod rendered;

pub use chart::draw as chart;
pub use client_listings::Client;
pub use clients::{json as client_json, listing as client_listing, text as client_text};
pub use costs::{json as costs_json, text as costs_text};
pub use descriptions::{ScoredDescription, json, markdown, object as description_json, text, xml};
pub use prompt::{
    json as prompt_json, problems as prompt_problems, summary as prompt_summary, unknown_pins,
};
pub use rendered::{json as rendered_json, unknown as unknown_placeholders};
