//! `skills-read`: see `skills_cli::read`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skills_cli::main(skills_cli::read::run)
}
