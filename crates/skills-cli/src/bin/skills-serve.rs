//! `skills-serve`: see `skills_cli::serve`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skills_cli::main(skills_cli::serve::run)
}
