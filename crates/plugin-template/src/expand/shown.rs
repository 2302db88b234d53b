//! An expansion as text: commands in a visible form, files by their path.

use super::parts::Expanded;
use super::places::PathPlaces;
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

/// Returns the request in the place of a file whose content its host puts into a text.
pub fn read_request(path: &str) -> String {
    format!(
        "[read {} in the user's project first and use its content]",
        in_code(path)
    )
}

/// Returns words for a setting of a package, with what is known about it.
pub fn setting_words(key: &str, about: &[&str], default: Option<&str>) -> String {
    let about = match about {
        [] => String::new(),
        about => format!(": {}", about.join(", ")),
    };
    match default {
        Some(value) => format!("[the setting {key}{about}; by default {value}]"),
        None => format!("[the setting {key}{about}; ask the user for its value]"),
    }
}

/// Returns a last line about the paths of a text; empty without paths. `directory` is that of the skill on
/// the machine of the reader.
pub fn place_line(places: &PathPlaces, skill: &str, directory: Option<&str>) -> String {
    let list = |paths: &[String], place: &str| {
        let (bare, below): (Vec<&String>, Vec<&String>) =
            paths.iter().partition(|path| *path == ".");
        let below: Vec<String> = below.into_iter().map(|path| in_code(path)).collect();
        let verb = if below.len() == 1 { "is" } else { "are" };
        let bare = (!bare.is_empty()).then(|| format!("`.` is {place}"));
        let below = (!below.is_empty()).then(|| format!("{} {verb} in {place}", below.join(", ")));
        let both: Vec<String> = bare.into_iter().chain(below).collect();
        (!both.is_empty()).then(|| both.join("; "))
    };
    let directory = directory.map_or_else(String::new, |it| format!(" ({})", in_code(it)));
    let own = format!("the directory of the skill {}{directory}", in_code(skill));
    let parts = [
        list(&places.package, &own),
        list(&places.project, "the user's project"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return String::new();
    }
    format!("\n\n[{}]", parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_says_where_paths_begin() {
        let places = PathPlaces {
            package: vec!["a.sh".to_owned(), ".".to_owned()],
            project: vec!["b.rs".to_owned()],
            beside: Vec::new(),
        };
        assert_eq!(
            place_line(&places, "x", Some("/s/x")),
            "\n\n[`.` is the directory of the skill `x` (`/s/x`); `a.sh` is in the directory of the skill `x` (`/s/x`); `b.rs` is in the user's project]"
        );
    }
}
