//! Conflict markers: two versions of some lines between which a person has to choose.
//!
//! The form is that of `git merge` and `diff3 -m`: `<<<<<<< label`, one version, `=======`, the
//! other, `>>>>>>> label`.

use std::ops::Range;

/// Label of the manual edit, after `<<<<<<<`.
pub const OURS_LABEL: &str = "edited by hand";
/// Label of the plugin's version, after `>>>>>>>`.
pub const THEIRS_LABEL: &str = "from the plugin";

const OURS: &str = "<<<<<<< ";
const MIDDLE: &str = "=======";
const THEIRS: &str = ">>>>>>> ";

/// One of the two versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The manual edit.
    Ours,
    /// The plugin's version.
    Theirs,
}

/// The role of a line in a conflict.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Ours { is_named: bool },
    Middle,
    Theirs { is_named: bool },
    None,
}

fn mark(line: &str) -> Mark {
    let line = line.trim_end_matches(['\n', '\r']);
    if let Some(label) = line.strip_prefix(OURS) {
        let is_named = label == OURS_LABEL;
        return Mark::Ours { is_named };
    }
    if let Some(label) = line.strip_prefix(THEIRS) {
        let is_named = label == THEIRS_LABEL;
        return Mark::Theirs { is_named };
    }
    if line == MIDDLE {
        Mark::Middle
    } else {
        Mark::None
    }
}

/// Returns the first complete conflict in a text, as a byte range from its first marker to its
/// last.
///
/// A conflict inside a Markdown fence counts as an example and is skipped, unless it has the labels
/// of this project: a merge does not stop at fences.
pub fn first_conflict(text: &str) -> Option<Range<usize>> {
    let mut begun: Option<(usize, bool)> = None;
    let mut has_middle = false;
    let mut is_fenced = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match mark(line) {
            Mark::Ours { is_named } if is_named || !is_fenced => {
                begun = Some((at, is_named));
                has_middle = false;
            }
            Mark::Middle => has_middle = begun.is_some(),
            Mark::Theirs { is_named } if has_middle => {
                if let Some((start, was_named)) = begun
                    && (!is_fenced || is_named && was_named)
                {
                    return Some(start..at + line.trim_end().len());
                }
            }
            _ if begun.is_none() && is_fence(line) => is_fenced = !is_fenced,
            _ => {}
        }
        at += line.len();
    }
    None
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// Returns the byte offset of the first remaining marker with this project's labels.
pub fn first_mark_left(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Mark::Ours { is_named: true } | Mark::Theirs { is_named: true } = mark(line) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// Returns the text with one side chosen in every conflict that has this project's labels.
pub fn resolve(text: &str, side: Side) -> String {
    let mut res = String::new();
    let mut inside = None;
    for line in text.split_inclusive('\n') {
        match (inside, mark(line)) {
            (None, Mark::Ours { is_named: true }) => inside = Some(Side::Ours),
            (Some(Side::Ours), Mark::Middle) => inside = Some(Side::Theirs),
            (Some(Side::Theirs), Mark::Theirs { is_named: true }) => inside = None,
            (Some(within), _) if within != side => {}
            _ => res.push_str(line),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFLICT: &str =
        "a\n<<<<<<< edited by hand\nmine\n=======\ntheirs\n>>>>>>> from the plugin\nb\n";

    #[track_caller]
    fn check_first(text: &str, expected: Option<&str>) {
        assert_eq!(first_conflict(text).map(|range| &text[range]), expected);
    }

    #[test]
    fn a_conflict_is_three_markers_in_order() {
        let whole = &CONFLICT[2..CONFLICT.len() - 3];
        check_first(CONFLICT, Some(whole));
        check_first(
            "<<<<<<< HEAD\r\na\r\n=======\r\nb\r\n>>>>>>> x\r\n",
            Some("<<<<<<< HEAD\r\na\r\n=======\r\nb\r\n>>>>>>> x"),
        );
        for text in [
            "Title\n=======\n\ntext\n",
            "<<<<<<< HEAD\na\n>>>>>>> x\n",
            "=======\n<<<<<<< HEAD\n>>>>>>> x\n",
            "<<<<<<<\n=======\n>>>>>>>\n",
        ] {
            check_first(text, None);
        }
    }

    #[test]
    fn an_example_in_a_fence_is_none_but_ours_is() {
        check_first("```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n", None);
        let fenced = format!("```json\n{CONFLICT}```\n");
        assert!(first_conflict(&fenced).is_some());
    }

    #[test]
    fn either_side_can_be_taken() {
        assert_eq!(resolve(CONFLICT, Side::Ours), "a\nmine\nb\n");
        assert_eq!(resolve(CONFLICT, Side::Theirs), "a\ntheirs\nb\n");
        let git = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n";
        assert_eq!(resolve(git, Side::Ours), git);
    }

    #[test]
    fn a_half_resolved_text_still_has_a_mark() {
        assert_eq!(first_mark_left(CONFLICT), Some(2));
        assert_eq!(first_mark_left("a\n>>>>>>> from the plugin\n"), Some(2));
        assert_eq!(first_mark_left("a\n=======\n"), None);
    }
}
