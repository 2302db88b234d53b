//! Reports of findings, one file for each format.

mod baseline;
mod github;
mod json;
mod junit;
mod repair;
mod report;
mod rules;
mod sarif;
mod text;

pub use baseline::Baseline;
pub use github::write as github;
pub use json::write as json;
pub use junit::write as junit;
pub use repair::write as repair;
pub use report::{Item, Report, Totals};
pub use rules::{json as rules_json, text as rules_text};
pub use sarif::write as sarif;
pub use text::{View, write as text};

/// Returns `1 error` or `2 errors`.
fn counted(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}
