//! `.ci/run` is the test command of the README and nothing else.

use anyhow::Result;

use crate::repo::Repo;

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    Ok(problems(&repo.read(".ci/run")?, &repo.read("README.md")?))
}

fn problems(script: &str, readme: &str) -> Vec<String> {
    let commands = commands(script);
    let [command] = commands[..] else {
        return vec![format!(
            ".ci/run has {} commands, it should have one",
            commands.len()
        )];
    };
    let documented = readme.lines().any(|line| line.trim() == command);
    let missing = || format!(".ci/run calls `{command}`, which is not a line of README.md");
    (!documented).then(missing).into_iter().collect()
}

/// Returns the commands; changing to the root of the checkout is not counted.
fn commands(script: &str) -> Vec<&str> {
    let set_up =
        |line: &&str| line.is_empty() || ["#", "set ", "cd "].iter().any(|s| line.starts_with(s));
    script
        .lines()
        .map(str::trim)
        .filter(|line| !set_up(line))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "#!/bin/bash\nset -eu\ncd \"$(dirname \"$0\")/..\"\ncargo xtask ci\n";

    #[test]
    fn the_command_stands_in_the_readme() {
        assert_eq!(problems(SCRIPT, "```sh\ncargo xtask ci\n```\n"), [""; 0]);
    }

    #[test]
    fn another_command_is_named() {
        let expected = ".ci/run calls `cargo xtask ci`, which is not a line of README.md";
        assert_eq!(problems(SCRIPT, "cargo test\n"), [expected]);
    }

    #[test]
    fn a_second_command_is_one_too_many() {
        let script = format!("{SCRIPT}cargo clean\n");
        assert_eq!(
            problems(&script, ""),
            [".ci/run has 2 commands, it should have one"]
        );
    }
}
