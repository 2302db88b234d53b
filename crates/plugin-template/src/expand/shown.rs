//! An expansion as text: commands in a visible form, files by their path.

use super::parts::Expanded;
use crate::code::{in_code, longest_run};

/// Returns an expansion as one text. A command becomes a request to run it, in brackets; a file is
/// written as the placeholder with its path.
pub fn to_text(parts: &[Expanded]) -> String {
    let mut res = String::new();
    for part in parts {
        match part {
            Expanded::Text(text) => res.push_str(text),
            Expanded::File { written, .. } => res.push_str(written),
            Expanded::Shell { command } => res.push_str(&request(command)),
        }
    }
    res
}

fn request(command: &str) -> String {
    if command.contains('\n') {
        let fence = "`".repeat(longest_run(command).max(2) + 1);
        return format!(
            "[run these commands first and use their output:\n\n{fence}sh\n{command}\n{fence}\n]"
        );
    }
    format!("[run {} first and use its output]", in_code(command))
}
