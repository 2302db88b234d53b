//! `skills-validate`: see `skills_cli::validate`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skills_cli::main(skills_cli::validate::run)
}
