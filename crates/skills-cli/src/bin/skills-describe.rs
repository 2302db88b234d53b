//! `skills-describe`: see `skills_cli::describe`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skills_cli::main(skills_cli::describe::run)
}
