//! `skills-run`: see `skills_cli::run`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skills_cli::main(skills_cli::run::run)
}
