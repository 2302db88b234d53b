//! The tools are thin: arguments, settings and output. Everything else belongs to a library below.

use anyhow::Result;

use crate::repo::Repo;

/// The maximum number of lines of all tools together, with their inline tests.
const MAX_LINES: usize = 6_000;

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let mut n_lines = 0;
    for path in repo.files("crates", ".rs")? {
        if is_of_tool(&path) {
            n_lines += repo.read(&path)?.lines().count();
        }
    }
    Ok(problems(n_lines))
}

/// Returns true for a source file of a crate whose name begins with `skills-`. The crate `skills` is
/// a library.
fn is_of_tool(path: &str) -> bool {
    let inside = path.strip_prefix("crates/skills-");
    let inside = inside.and_then(|inside| inside.split_once('/'));
    inside.is_some_and(|(_, file)| file.starts_with("src/"))
}

fn problems(n_lines: usize) -> Vec<String> {
    if n_lines <= MAX_LINES {
        return Vec::new();
    }
    vec![format!(
        "crates/skills-*/src have {n_lines} lines, at most {MAX_LINES}: move what other programs \
         could use into a library crate"
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_have_a_limit() {
        assert_eq!(problems(6_000), [""; 0]);
        assert_eq!(
            problems(6_001),
            [
                "crates/skills-*/src have 6001 lines, at most 6000: move what other programs could \
                 use into a library crate"
            ]
        );
    }

    #[test]
    fn tests_and_libraries_do_not_count() {
        assert!(is_of_tool("crates/skills-run/src/lib.rs"));
        assert!(is_of_tool("crates/skills-describe/src/disclosure/mod.rs"));
        for path in [
            "crates/skills-tools/tests/read.rs",
            "crates/skills/src/lib.rs",
            "crates/skill-nats/src/lib.rs",
            "xtask/src/main.rs",
        ] {
            assert!(!is_of_tool(path), "{path}");
        }
    }
}
