//! `skills-describe`: see the library of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    skills_cli::main(skills_describe::run)
}
